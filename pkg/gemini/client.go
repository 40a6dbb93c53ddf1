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

// Client calls the Gemini API or Vertex AI. [NewClient] makes a client.
//
//	client, err := gemini.NewClient()
//	if err != nil { ... }
//	response, err := client.GenerateContent(ctx, &geminiapi.GenerateContentRequest{
//		Model:    new("gemini-3.6-flash"),
//		Contents: []geminiapi.Content{gemini.UserText("Why is the sky blue?")},
//	})
//
// An error that the API reports is an *[Error]. Any other failure after the first byte was sent is
// a *[CallError]. [CategoryOf] classifies both. The client retries calls that may succeed later,
// see [WithMaxAttempts].
//
// A client is safe for use by several goroutines. It does not modify its arguments, and its
// goroutines do not outlive a call. It never prints its keys.
type Client struct {
	// The services for stored resources and for the list of models.
	Models         Models
	CachedContents CachedContents
	Files          Files
	Batches        Batches
	// The service for the Interactions API.
	Interactions Interactions

	// settings is a function because package fmt prints what pointers lead to for some verbs, and
	// does not call the methods of unexported fields. The result must not be changed.
	settings func() *settings
}

// NewClient returns a client. Without options it calls the Gemini API with the key in the
// environment variable GEMINI_API_KEY, or else in GOOGLE_API_KEY.
//
// The base URL comes from [WithBaseURL], else from the variable GOOGLE_GEMINI_BASE_URL
// (GOOGLE_VERTEX_BASE_URL for Vertex AI), else from GOOGLE_BASE_URL. The default is the service's
// own URL.
//
// NewClient returns an error if an option is invalid or a setting is missing. The error says what
// to set.
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
	c.Interactions = Interactions{c}
	return c
}

// With returns a client with more options. It is for functions that accept a client but no call
// options, such as structured.Generate. The new client shares everything that no option changes
// with c: connections, paused keys and the retry budget. If options select another service, the
// environment supplies missing settings, as in [NewClient].
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

// with returns the settings of a call, which must not be changed.
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

// readEnvironment sets what no option has set.
func (s *settings) readEnvironment() {
	isVertex := s.endpoint.IsVertexAI()
	if s.isBaseRead { // it may be for the other service
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
		return // keys cannot call its projects
	}
	if s.keys.Len() == 0 && s.tokens == nil && !s.isPublic {
		WithAPIKey(cmp.Or(os.Getenv("GEMINI_API_KEY"), os.Getenv("GOOGLE_API_KEY"))).forClient(s)
	}
}

// The errors for missing settings.
var (
	errNoKey = errors.New("gemini: no API key: set GEMINI_API_KEY or GOOGLE_API_KEY, or use WithAPIKey, " +
		"WithTokenSource, or WithoutCredentials for a server that needs none")
	errNoToken = errors.New("gemini: no credentials for Vertex AI: use WithTokenSource, for example with a source of " +
		"package vertexauth, or WithVertexAIExpress and an API key")
	errNoProject = errors.New("gemini: no project for Vertex AI: set GOOGLE_CLOUD_PROJECT or name it in WithVertexAI")
)

// check returns an error if the settings are invalid.
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

// String returns where the client sends its calls, without its credentials.
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

// TokenSource returns the access tokens for Vertex AI. The client calls Token for each attempt,
// also from several goroutines at once, so a source should cache its token while it is valid.
// Package vertexauth has a source for Application Default Credentials.
type TokenSource interface {
	Token(ctx context.Context) (token string, err error)
}
