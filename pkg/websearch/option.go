package websearch

import (
	"net/http"
	"time"
)

// Option changes how a [Client] works.
type Option func(*options)

type options struct {
	baseURL     string
	http        *http.Client
	timeout     time.Duration
	concurrency int
	maxResponse int64
}

const (
	defaultBaseURL = "https://customsearch.googleapis.com"
	// defaultTimeout leaves a program that gives the tool 30 seconds time to read the answer.
	defaultTimeout = 10 * time.Second
	// defaultMaxResponse is more than ten times what a page of ten results takes.
	defaultMaxResponse = 1 << 20
)

func newOptions(opts []Option) options {
	out := options{
		baseURL:     defaultBaseURL,
		http:        &http.Client{},
		timeout:     defaultTimeout,
		concurrency: function.Parameters.Properties.Num.Maximum,
		maxResponse: defaultMaxResponse,
	}
	for _, opt := range opts {
		opt(&out)
	}
	return out
}

// WithBaseURL sets the server to ask, such as a proxy or a double in a test: scheme and host, and a
// path that is put before the API's own. The scheme is https, or http when the host is localhost or a
// loopback address. The default, and what "" stands for, is https://customsearch.googleapis.com.
func WithBaseURL(baseURL string) Option {
	return func(o *options) {
		if baseURL != "" {
			o.baseURL = baseURL
		}
	}
}

// WithHTTPClient sets the client that sends the requests. It is copied; the copy follows no redirect.
// The default, and what nil stands for, is a client with [http.DefaultTransport], which takes its proxy
// from the environment.
func WithHTTPClient(client *http.Client) Option {
	return func(o *options) {
		if client != nil {
			o.http = client
		}
	}
}

// WithTimeout limits the time of each call to Google, from the connection to the end of the reply. The
// default, and what 0 or less stands for, is 10 seconds. A context with a deadline limits a whole
// search.
func WithTimeout(timeout time.Duration) Option {
	return func(o *options) {
		if timeout > 0 {
			o.timeout = timeout
		}
	}
}

// WithConcurrency limits how many calls of one search run at the same time. The default, and what 0 or
// less stands for, is 10, which is as many as a search makes at most.
func WithConcurrency(calls int) Option {
	return func(o *options) {
		if calls > 0 {
			o.concurrency = calls
		}
	}
}

// WithMaxResponseBytes limits how much of a reply is read, after decompression; a larger one is a
// failure. The default, and what 0 or less stands for, is 1 MiB.
func WithMaxResponseBytes(limit int64) Option {
	return func(o *options) {
		if limit > 0 {
			o.maxResponse = limit
		}
	}
}
