package mediafetch

import (
	"net/netip"
	"time"
)

// Option changes what a [Fetcher] does.
type Option func(*Fetcher)

const (
	defaultMaxBodySize = 20 << 20
	defaultTimeout     = 30 * time.Second
)

// defaultTypes are the kinds of media that Gemini accepts inline.
var defaultTypes = []string{"image/", "audio/", "video/", "application/pdf", "text/plain"}

// WithMaxBodySize sets the maximum size of media in bytes (default 20 MiB, also for 0 or less).
// Gemini accepts about 20 MiB in one request.
func WithMaxBodySize(size int64) Option {
	return func(f *Fetcher) {
		if size > 0 {
			f.maxBodySize = size
		}
	}
}

// WithMIMETypes sets the allowed media types. A type that ends in a slash, such as "image/", allows
// all types with this prefix. The default is image/, audio/, video/, application/pdf and
// text/plain. Without arguments nothing is allowed.
func WithMIMETypes(types ...string) Option {
	return func(f *Fetcher) { f.types = types }
}

// WithTimeout limits one call, including redirects and the body (default 30 s, also for 0 or less).
// The context of a call may end it earlier.
func WithTimeout(limit time.Duration) Option {
	return func(f *Fetcher) {
		if limit > 0 {
			f.timeout = limit
		}
	}
}

// WithNetworks also allows addresses of the given networks, on every port. Use it for your own
// media servers, or for a test. By default only the public internet is allowed.
func WithNetworks(networks ...netip.Prefix) Option {
	return func(f *Fetcher) { f.guard.allowed = append(f.guard.allowed, networks...) }
}
