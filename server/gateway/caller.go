package gateway

import (
	"net/http"
	"strings"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/upstream"
)

// ownAccount returns the account of the request itself, by the caller's key for example. It is nil if the gateway's accounts
// are called.
func (c *call) ownAccount() (*upstream.Account, *problem.Problem) {
	if c.isDiverted() {
		client, err := c.pool.First().Client.With(gemini.WithHTTPClient(c.inProcess.Upstream))
		if err != nil {
			return nil, problem.OfCall(err, false)
		}
		return &upstream.Account{Project: "program", Client: client}, nil
	}
	if !c.callersKey {
		return nil, nil
	}
	key := c.callerKey()
	client, err := c.pool.First().Client.With(gemini.WithAPIKey(key))
	if err != nil {
		return nil, problem.OfCall(err, true)
	}
	return &upstream.Account{Project: "caller", Client: client}, nil
}

// isDiverted reports whether the program answers in place of the upstream.
func (c *call) isDiverted() bool { return c.inProcess != nil && c.inProcess.Upstream != nil }

// noCallersKey refuses a request without a key where it is the caller's that Gemini is called by.
func noCallersKey() *problem.Problem {
	return &problem.Problem{
		Status: http.StatusUnauthorized, Type: problem.TypeInvalidRequest, Code: "invalid_api_key",
		Message: "this gateway calls Gemini by the key of its caller, and the request has no key: send it as Authorization: Bearer KEY",
	}
}

// callerKey returns the key that a request comes with, "" for none.
func (c *call) callerKey() string {
	header := c.request.Header
	for _, name := range []string{"X-Goog-Api-Key", "X-Api-Key"} {
		if key := header.Get(name); key != "" {
			return key
		}
	}
	if key := c.request.URL.Query().Get("key"); key != "" && c.form.name == nativeName {
		return key
	}
	scheme, key, _ := strings.Cut(header.Get("Authorization"), " ")
	if strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(key)
	}
	return ""
}

// maxAttempts returns how often a model is asked at most.
func (c *call) maxAttempts() int {
	if c.isDiverted() || c.inProcess != nil && c.inProcess.SingleAttempt {
		return 1
	}
	return c.attempts
}
