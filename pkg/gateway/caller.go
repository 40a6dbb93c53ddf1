package gateway

import (
	"strings"

	"github.com/gemwire/gemwire/pkg/gateway/internal/upstream"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// ownAccount returns the account of the caller's own key, nil where the gateway's are called.
func (c *call) ownAccount() *upstream.Account {
	if !c.callersKey {
		return nil
	}
	client, err := c.pool.First().Client.With(gemini.WithAPIKey(c.callerKey()))
	if err != nil {
		return nil
	}
	return &upstream.Account{Project: "caller", Client: client}
}

// callerKey returns the key that a request comes with, "" for none.
func (c *call) callerKey() string {
	header := c.request.Header
	if key := header.Get("X-Goog-Api-Key"); key != "" {
		return key
	}
	scheme, key, _ := strings.Cut(header.Get("Authorization"), " ")
	if strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(key)
	}
	return ""
}
