package websearch

import (
	"net/http"
	"time"

	"github.com/gemwire/gemwire/internal/option"
)

// Option changes how a [Client] works.
type Option func(*options)

type options struct {
	baseURL       string
	http          Doer
	timeout       time.Duration
	parallelCalls int
	maxBodySize   int64
}

const (
	defaultBaseURL = "https://customsearch.googleapis.com"
	// defaultTimeout leaves time to read the answer to a program that gives the tool 30 seconds.
	defaultTimeout = 10 * time.Second
	// defaultMaxBodySize is more than ten times the size of a page of ten results.
	defaultMaxBodySize = 1 << 20
)

func newOptions(opts []Option) options {
	out := options{
		baseURL:       defaultBaseURL,
		http:          &http.Client{},
		timeout:       defaultTimeout,
		parallelCalls: function.Parameters.Properties.Num.Maximum,
		maxBodySize:   defaultMaxBodySize,
	}
	option.Apply(&out, opts)
	return out
}

// WithBaseURL sets the server, such as a proxy or a test server: scheme and host, and optionally a
// path prefix. The scheme must be https, or http if the host is localhost or a loopback address.
// The default, also for "", is https://customsearch.googleapis.com.
func WithBaseURL(baseURL string) Option {
	return func(o *options) {
		if baseURL != "" {
			o.baseURL = baseURL
		}
	}
}

// Doer sends HTTP requests. *http.Client implements it. Other implementations must not follow
// redirects, because the URL contains the key.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// WithHTTPClient sets the client that sends the requests. An *http.Client is copied, and the copy
// follows no redirect. The default, also for nil, is a client with [http.DefaultTransport], which
// takes its proxy from the environment.
func WithHTTPClient(doer Doer) Option {
	return func(o *options) {
		if client, ok := doer.(*http.Client); doer == nil || ok && client == nil {
			return
		}
		o.http = doer
	}
}

// WithTimeout limits each call to Google, from the connection to the end of the reply (default 10
// s, also for 0 or less). To limit a whole search, use a context with a deadline.
func WithTimeout(timeout time.Duration) Option {
	return func(o *options) {
		if timeout > 0 {
			o.timeout = timeout
		}
	}
}

// WithParallelCalls limits the number of concurrent calls of one search (default 10, also for 0 or
// less). A search makes at most 10 calls.
func WithParallelCalls(n int) Option {
	return func(o *options) {
		if n > 0 {
			o.parallelCalls = n
		}
	}
}

// WithMaxBodySize limits the size of a reply after decompression (default 1 MiB, also for 0 or
// less). A larger reply is a failure.
func WithMaxBodySize(size int64) Option {
	return func(o *options) {
		if size > 0 {
			o.maxBodySize = size
		}
	}
}
