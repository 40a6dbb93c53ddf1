package gateway

import (
	"context"
	"net/http"
	"strings"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/upstream"
)

// ownAccount returns the account of the caller's own key, nil where the gateway's are called.
func (c *call) ownAccount() (*upstream.Account, *problem.Problem) {
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

// clientNameKey is the key of [AsClient] in a context.
type clientNameKey struct{}

// AsClient has requests that come from within the program, and not from a connection, asked in the name of a client: they
// have the models and limits of the key of that name, and need not send the key. It is for requests that a client has left
// to be asked later, such as those of a batch. The name "" is nobody's: such a request is the program's own, and has no
// limits. Requests of other programs cannot say so, whatever they send.
func AsClient(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, clientNameKey{}, name)
}

// namedClient returns what AsClient was told.
func namedClient(ctx context.Context) (name string, isNamed bool) {
	name, isNamed = ctx.Value(clientNameKey{}).(string)
	return name, isNamed
}

// oneAttemptKey is the key of [WithSingleAttempt] in a context.
type oneAttemptKey struct{}

// WithSingleAttempt has requests that come from within the program be asked once of each model, in place of as often as
// [WithMaxAttempts] says. It is for who asks again by himself, and counts each attempt before it is made.
func WithSingleAttempt(ctx context.Context) context.Context {
	return context.WithValue(ctx, oneAttemptKey{}, true)
}

// maxAttempts returns how often a model is asked at most.
func (c *call) maxAttempts() int {
	if c.request.Context().Value(oneAttemptKey{}) != nil {
		return 1
	}
	return c.attempts
}
