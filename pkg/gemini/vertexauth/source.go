package vertexauth

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"cloud.google.com/go/auth"
	"cloud.google.com/go/auth/credentials"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/internal/transporterror"
	"github.com/gemwire/gemwire/pkg/gemini"
)

const (
	// defaultScope is the scope that Vertex AI requires.
	defaultScope = "https://www.googleapis.com/auth/cloud-platform"
	// early is how long before its expiry a token is replaced, so that no token expires in flight.
	// Tokens last an hour.
	early = 4 * time.Minute
)

// Source is a gemini.TokenSource. It caches a token until four minutes before its expiry. One call
// at a time fetches the next token; the others wait for it or for the end of their contexts. It is
// safe for use by several goroutines, starts no goroutine, and never prints its tokens.
type Source struct {
	// credentials is a function, because package fmt does not print its values.
	credentials func() *auth.Credentials
	token       func() *auth.Token // used by the holder of the turn
	turn        chan struct{}      // has one value while it is free
}

// New finds the credentials of the environment. It returns an error if it finds none.
func New(opts ...Option) (*Source, error) {
	found, err := credentials.DetectDefault(detectOptions(opts))
	if err != nil {
		return nil, failed("no credentials", err)
	}
	return newSource(found), nil
}

// FromServiceAccount uses the key file of a service account, as JSON.
func FromServiceAccount(key []byte, opts ...Option) (*Source, error) {
	found, err := credentials.NewCredentialsFromJSON(credentials.ServiceAccount, key,
		detectOptions(opts))
	if err != nil {
		return nil, failed("no service account key", err)
	}
	return newSource(found), nil
}

// Option sets how tokens are fetched.
type Option func(*credentials.DetectOptions)

// WithHTTPClient sets the HTTP client that fetches tokens, for example the one of the
// gemini.Client.
func WithHTTPClient(doer gemini.Doer) Option {
	return func(o *credentials.DetectOptions) {
		client, ok := doer.(*http.Client)
		if !ok && doer != nil {
			client = &http.Client{Transport: roundTripper{doer}}
		}
		o.Client = client
	}
}

// roundTripper adapts a Doer for code that needs an *http.Client.
type roundTripper struct{ gemini.Doer }

func (r roundTripper) RoundTrip(request *http.Request) (*http.Response,
	error) {
	return r.Do(request)
}

func detectOptions(opts []Option) *credentials.DetectOptions {
	out := &credentials.DetectOptions{
		Scopes: []string{defaultScope}, EarlyTokenRefresh: early,
		DisableAsyncRefresh: true, // its goroutine would outlive a call
	}
	option.Apply(out, opts)
	return out
}

func newSource(found *auth.Credentials) *Source {
	s := &Source{
		credentials: func() *auth.Credentials { return found },
		token:       func() *auth.Token { return nil },
		turn:        make(chan struct{}, 1),
	}
	s.turn <- struct{}{}
	return s
}

// Token returns a token that is valid for at least four minutes.
func (s *Source) Token(ctx context.Context) (string, error) {
	select {
	case <-s.turn:
		defer func() { s.turn <- struct{}{} }()
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
	if token := s.token(); isFresh(token) {
		return token.Value, nil
	}
	token, err := s.credentials().Token(ctx)
	if err != nil {
		return "", failed("no access token", err)
	}
	s.token = func() *auth.Token { return token }
	return token.Value, nil
}

func isFresh(token *auth.Token) bool {
	return token != nil && (token.Expiry.IsZero() || time.Until(token.Expiry) > early)
}

// Project returns the project of the credentials, or "" if they name none.
func (s *Source) Project(ctx context.Context) (string, error) {
	project, err := s.credentials().ProjectID(ctx)
	if err != nil {
		return "", failed("no project", err)
	}
	return project, nil
}

// Error reports that no token is available. Its text quotes neither an address nor the answer of a
// token server.
type Error struct {
	// Problem names the missing part, for example "no access token".
	Problem string
	// HTTPStatus is the status of the token server's reply, or 0 without a reply.
	HTTPStatus int

	err error // unexported, because it may quote the reply
}

func failed(problem string, err error) error {
	out := &Error{Problem: problem, err: err}
	if refused, ok := errors.AsType[*auth.Error](err); ok && refused.Response != nil {
		out.HTTPStatus = refused.Response.StatusCode
	}
	return out
}

// Error returns one line such as "vertexauth: no access token: the server answered 401
// Unauthorized".
func (e *Error) Error() string {
	if e.HTTPStatus != 0 {
		return fmt.Sprintf("vertexauth: %s: the server answered %d %s", e.Problem, e.HTTPStatus,
			http.StatusText(e.HTTPStatus))
	}
	return "vertexauth: " + e.Problem + ": " + transporterror.Text(e.err)
}

// GoString returns the text instead of the fields.
func (e *Error) GoString() string { return fmt.Sprintf("&vertexauth.Error{%q}", e.Error()) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.err }

// String returns a text without the credentials.
func (s *Source) String() string { return "vertexauth.Source" }

// GoString returns the same as String.
func (s *Source) GoString() string { return s.String() }

// Format writes the same as String for every verb.
func (s *Source) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(s.String())) }

// LogValue returns the same as String.
func (s *Source) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText returns the same as String.
func (s *Source) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
