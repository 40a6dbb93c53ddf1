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
	// defaultTimeout leaves a program that gives the tool 30 seconds time to read the answer.
	defaultTimeout = 10 * time.Second
	// defaultMaxBodySize is more than ten times what a page of ten results takes.
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

// WithBaseURL sets the server to ask, such as a proxy or a double in a test: scheme and host, and a
// path that is put before the API's own. The scheme is https, or http when the host is localhost or
// a loopback address. The default, and what "" stands for, is https://customsearch.googleapis.com.
func WithBaseURL(baseURL string) Option {
	return func(o *options) {
		if baseURL != "" {
			o.baseURL = baseURL
		}
	}
}

// Doer sends HTTP requests. *http.Client is one; any other must not follow redirects by itself, as
// the address has the key.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// WithHTTPClient sets the client that sends the requests. An *http.Client is copied; the copy
// follows no redirect. The default, and what nil stands for, is a client with
// [http.DefaultTransport], which takes its proxy from the environment.
func WithHTTPClient(doer Doer) Option {
	return func(o *options) {
		if client, ok := doer.(*http.Client); doer == nil || ok && client == nil {
			return
		}
		o.http = doer
	}
}

// WithTimeout limits the time of each call to Google, from the connection to the end of the reply.
// The default, and what 0 or less stands for, is 10 seconds. A context with a deadline limits a
// whole search.
func WithTimeout(timeout time.Duration) Option {
	return func(o *options) {
		if timeout > 0 {
			o.timeout = timeout
		}
	}
}

// WithParallelCalls limits how many calls of one search run at the same time. The default, and what
// 0 or less stands for, is 10, which is as many as a search makes at most.
func WithParallelCalls(n int) Option {
	return func(o *options) {
		if n > 0 {
			o.parallelCalls = n
		}
	}
}

// WithMaxBodySize limits how much of a reply is read, after decompression; a larger one is a
// failure. The default, and what 0 or less stands for, is 1 MiB.
func WithMaxBodySize(size int64) Option {
	return func(o *options) {
		if size > 0 {
			o.maxBodySize = size
		}
	}
}
