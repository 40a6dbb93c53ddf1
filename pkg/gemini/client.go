package gemini

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/gemwire/gemwire/pkg/gemini/internal/endpoint"
)

// Client calls the Gemini API or Vertex AI. It is made by [NewClient].
//
//	client, err := gemini.NewClient()
//	if err != nil { ... }
//	response, err := client.GenerateContent(ctx, &geminiapi.GenerateContentRequest{
//		Model:    new("gemini-3.6-flash"),
//		Contents: []geminiapi.Content{gemini.UserText("Why is the sky blue?")},
//	})
//
// What an answer of the API says is wrong is an *[Error], everything else that goes wrong behind
// the first byte that was sent a *[CallError]; both are told apart by [CategoryOf]. What may
// succeed later is tried again, see [WithMaxAttempts].
//
// A client is safe for use by several goroutines. It writes to nothing that it is given, and no
// goroutine of it outlives a call. It prints nothing of its keys, whatever it is printed with.
type Client struct {
	// The services for what lies at the server, and for what it offers.
	Models         Models
	CachedContents CachedContents
	Files          Files
	Batches        Batches

	// settings is a function because package fmt prints what pointers lead to for some verbs, and
	// methods of a field that is not exported are not asked. The result is not to be changed.
	settings func() *settings
}

// NewClient returns a client. Without options it calls the Gemini API with the key of the
// environment variable GEMINI_API_KEY, else GOOGLE_API_KEY.
//
// The base URL is that of [WithBaseURL], else of the variable GOOGLE_GEMINI_BASE_URL
// (GOOGLE_VERTEX_BASE_URL for Vertex AI), else of GOOGLE_BASE_URL, else the service's own.
//
// It fails when an option makes no sense or something is missing, and says what to set.
func NewClient(opts ...ClientOption) (*Client, error) {
	s := defaultSettings()
	for _, opt := range opts {
		if opt != nil {
			opt.forClient(&s)
		}
	}
	s.readEnvironment()
	if err := s.check(); err != nil {
		return nil, err
	}
	return newClient(&s), nil
}

func newClient(s *settings) *Client {
	c := &Client{settings: func() *settings { return s }}
	c.Models, c.CachedContents, c.Files, c.Batches = Models{c}, CachedContents{c}, Files{c},
		Batches{c}
	return c
}

// With returns a client with more options, for what takes a client and no options of its calls,
// such as structured.Generate. It shares with c what no option changes: connections, keys that
// rest, the retry budget. Where options have it call another service, the environment fills in what
// is missing, as in [NewClient].
func (c *Client) With(opts ...ClientOption) (*Client, error) {
	if c == nil || c.settings == nil {
		return nil, errNotMade
	}
	own := *c.settings()
	for _, opt := range opts {
		if opt != nil {
			opt.forClient(&own)
		}
	}
	if own.endpoint != c.settings().endpoint {
		own.readEnvironment()
	}
	if err := own.check(); err != nil {
		return nil, err
	}
	return newClient(&own), nil
}

// with returns the settings of a call, which are not to be changed.
func (c *Client) with(opts []CallOption) (*settings, error) {
	if c == nil || c.settings == nil {
		return nil, errNotMade
	}
	if len(opts) == 0 {
		return c.settings(), nil
	}
	own := *c.settings()
	for _, opt := range opts {
		if opt != nil {
			opt.forCall(&own)
		}
	}
	return &own, own.check()
}

var errNotMade = errors.New("gemini: the client was not made by NewClient")

// readEnvironment fills in what no option has set.
func (s *settings) readEnvironment() {
	isVertex := s.endpoint.IsVertexAI()
	if s.isBaseRead { // for what may have been the other service
		s.endpoint.Base, s.isBaseRead = nil, false
	}
	if s.endpoint.Base == nil && s.err == nil {
		own := os.Getenv("GOOGLE_GEMINI_BASE_URL")
		if isVertex {
			own = os.Getenv("GOOGLE_VERTEX_BASE_URL")
		}
		if address := cmp.Or(own, os.Getenv("GOOGLE_BASE_URL")); address != "" {
			WithBaseURL(address).forClient(s)
			s.isBaseRead = true
		}
	}
	if s.endpoint.Service == endpoint.VertexAI {
		s.endpoint.Project = cmp.Or(s.endpoint.Project, os.Getenv("GOOGLE_CLOUD_PROJECT"))
		return // whose projects are not reached by keys
	}
	if s.keys.Len() == 0 && s.tokens == nil && !s.isPublic {
		WithAPIKey(cmp.Or(os.Getenv("GEMINI_API_KEY"), os.Getenv("GOOGLE_API_KEY"))).forClient(s)
	}
}

// What a client cannot do without.
var (
	errNoKey = errors.New("gemini: no API key: set GEMINI_API_KEY or GOOGLE_API_KEY, or use WithAPIKey, " +
		"WithTokenSource, or WithoutCredentials for a server that wants none")
	errNoToken = errors.New("gemini: no credentials for Vertex AI: use WithTokenSource, for example with a source of " +
		"package vertexauth, or WithVertexAIExpress and an API key")
	errNoProject = errors.New("gemini: no project for Vertex AI: set GOOGLE_CLOUD_PROJECT or name it in WithVertexAI")
)

// check returns what is wrong with settings.
func (s *settings) check() error {
	hasSecret := s.keys.Len() > 0 || s.tokens != nil
	switch {
	case s.err != nil:
		return fmt.Errorf("gemini: %w", s.err)
	case s.endpoint.Service == endpoint.VertexAI && s.endpoint.Project == "":
		return errNoProject
	case !hasSecret && !s.isPublic && s.endpoint.Service == endpoint.VertexAI:
		return errNoToken
	case !hasSecret && !s.isPublic:
		return errNoKey
	}
	if err := s.endpoint.CheckLocation(); err != nil {
		return fmt.Errorf("gemini: %w", err)
	}
	if s.endpoint.Base == nil || !hasSecret {
		return nil
	}
	if err := endpoint.CheckSecret(s.endpoint.Base); err != nil {
		return fmt.Errorf("gemini: base URL: %w", err)
	}
	return nil
}

// String shows where the client calls, and nothing of its credentials.
func (c *Client) String() string {
	if c == nil || c.settings == nil {
		return "gemini.Client(nil)"
	}
	return "gemini.Client(" + c.settings().endpoint.Origin() + ")"
}

// GoString returns the same as String.
func (c *Client) GoString() string { return c.String() }

// Format writes the same as String for every verb.
func (c *Client) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(c.String())) }

// LogValue returns the same as String.
func (c *Client) LogValue() slog.Value { return slog.StringValue(c.String()) }

// MarshalText returns the same as String.
func (c *Client) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// TokenSource gives the access tokens that Vertex AI is called with. Token is called for each
// attempt, also by several goroutines at once, so that a source keeps its token as long as it is
// good. Package vertexauth has one for Application Default Credentials.
type TokenSource interface {
	Token(ctx context.Context) (token string, err error)
}
