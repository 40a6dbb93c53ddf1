package websearch

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"

	"github.com/gemwire/gemwire/internal/loopback"
)

// Client searches the web. Make one with [New].
type Client struct {
	options
	credentials Credentials
	endpoint    url.URL
}

// New makes a client. If a credential is missing, every search fails with [CodeAuthMissing], whose
// message says what the user has to do.
//
// New returns an *[Error] with [CodeNetworkError] if the base URL is unusable.
func New(credentials Credentials, opts ...Option) (*Client, error) {
	c := &Client{options: newOptions(opts), credentials: credentials}
	endpoint, err := endpointOf(c.baseURL)
	if err != nil {
		return nil, err
	}
	c.endpoint = endpoint
	c.http = withoutRedirects(c.http)
	return c, nil
}

// withoutRedirects returns a copy of an *http.Client that follows no redirect. The key is in the
// URL, and a redirect would send it on as Referer.
func withoutRedirects(doer Doer) Doer {
	client, ok := doer.(*http.Client)
	if !ok {
		return doer
	}
	own := *client
	own.CheckRedirect = func(*http.Request,
		[]*http.Request) error {
		return http.ErrUseLastResponse
	}
	return &own
}

// endpointOf returns the URL for requests. Its errors do not quote baseURL, which may contain a
// password.
func endpointOf(baseURL string) (url.URL, error) {
	base, err := url.Parse(baseURL)
	switch {
	case err != nil, base.Hostname() == "":
		return url.URL{}, unusable("the base URL is not an absolute URL")
	case base.Scheme != "https" && (base.Scheme != "http" || !loopback.IsHost(base.Hostname())):
		return url.URL{}, unusable("the base URL must be https, or http on a loopback address")
	case base.User != nil, base.RawQuery != "", base.Fragment != "":
		return url.URL{}, unusable("the base URL must have no user, query or fragment")
	}
	if base.Path == "" {
		base.Path = "/" // or JoinPath would make a relative one
	}
	return *base.JoinPath("customsearch", "v1"), nil
}

// Search runs one search and returns at most Num results. The package comment describes how domains
// are handled.
//
// Every error is an *[Error]. When ctx ends, Search returns soon: the results of the domains that
// have answered, or an error that wraps the context's error.
func (c *Client) Search(ctx context.Context, request Request) (*Response, error) {
	if err := request.validate(); err != nil {
		return nil, err
	}
	if !c.credentials.Complete() {
		return nil, missingCredentials()
	}
	outcomes := c.callAll(ctx, planCalls(request))
	if failure := totalFailure(outcomes); failure != nil {
		return nil, failure
	}
	return &Response{Results: collect(request, outcomes)}, nil
}

// String returns the base URL, and which credentials are set.
func (c *Client) String() string {
	return fmt.Sprintf("websearch.Client{%s, %v}", c.baseURL, c.credentials)
}

// GoString returns what String returns.
func (c *Client) GoString() string { return c.String() }

// Format writes what String returns, for every verb.
func (c *Client) Format(state fmt.State, _ rune) { io.WriteString(state, c.String()) }

// LogValue returns what String returns.
func (c *Client) LogValue() slog.Value { return slog.StringValue(c.String()) }
