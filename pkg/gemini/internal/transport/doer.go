package transport

import (
	"errors"
	"io"
	"net/http"
	"net/url"

	"github.com/gemwire/gemwire/internal/transporterror"
	"github.com/gemwire/gemwire/pkg/gemini/internal/endpoint"
)

// Doer sends requests. *http.Client is a Doer.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// WithoutRedirects returns a copy of an *http.Client that returns redirects as replies. It returns
// any other Doer unchanged.
func WithoutRedirects(do Doer) Doer {
	client, ok := do.(*http.Client)
	if !ok {
		return do
	}
	own := *client
	own.CheckRedirect = func(*http.Request,
		[]*http.Request) error {
		return http.ErrUseLastResponse
	}
	return &own
}

// ErrMoved reports that a middleware sent a request with a credential to another origin.
var ErrMoved = errors.New("a middleware changed the origin that the credential is for")

// Credential is a header that only one origin may receive. It never prints its value.
type Credential struct {
	name   string
	value  *string // a pointer, because its target is not printed
	origin *url.URL
}

// NewCredential returns a header for the origin of an address.
func NewCredential(name, value string, origin *url.URL) Credential {
	return Credential{name: name, value: &value, origin: origin}
}

// With returns a Doer that adds the credential to requests. It runs after all middleware, so that
// no middleware sees the credential or can send it elsewhere.
func (c Credential) With(next Doer) Doer {
	if c.value == nil {
		return next
	}
	return &guarded{c, next}
}

type guarded struct {
	Credential
	next Doer
}

// Do has a pointer as its receiver, as all Doers here: for a value the compiler makes a method that
// copies it, which takes stack of each call. The stack of an open stream should not have to grow.
func (g *guarded) Do(request *http.Request) (*http.Response, error) {
	if !endpoint.SameOrigin(request.URL, g.origin) {
		return nil, ErrMoved
	}
	if err := endpoint.CheckSecret(request.URL); err != nil {
		return nil, err
	}
	response, err := g.next.Do(g.added(request))
	if response != nil {
		response.Request = request // without the credential, which middleware must not see
	}
	return response, err
}

// added returns a copy of a request with the credential.
func (c Credential) added(request *http.Request) *http.Request {
	own := new(*request)
	own.Header = request.Header.Clone()
	own.Header.Set(c.name, *c.value)
	return own
}

// WithoutSecrets returns a Doer whose errors, and the errors of its bodies, quote none of the
// secrets. A caller's Doer may put request headers into its errors.
func WithoutSecrets(next Doer, secrets []string) Doer {
	if len(secrets) == 0 {
		return next
	}
	return &discreet{next, secrets}
}

type discreet struct {
	next    Doer
	secrets []string
}

func (d *discreet) Do(request *http.Request) (*http.Response, error) {
	response, err := d.next.Do(request)
	if err != nil {
		err = transporterror.Without(err, d.secrets)
	}
	if response != nil && response.Body != nil {
		response.Body = &discreetBody{response.Body, d.secrets}
	}
	return response, err
}

type discreetBody struct {
	io.ReadCloser
	secrets []string
}

func (b *discreetBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		err = transporterror.Without(err, b.secrets)
	}
	return n, err
}
