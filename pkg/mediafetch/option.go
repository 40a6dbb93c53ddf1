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

// defaultTypes are the kinds of media that Gemini takes inline.
var defaultTypes = []string{"image/", "audio/", "video/", "application/pdf", "text/plain"}

// WithMaxBodySize sets how large media may be, in bytes. The default, and what 0 and less stand
// for, is 20 MiB, which is about what Gemini takes in one request.
func WithMaxBodySize(size int64) Option {
	return func(f *Fetcher) {
		if size > 0 {
			f.maxBodySize = size
		}
	}
}

// WithMIMETypes sets the media types that are taken. One that ends in a slash, such as "image/",
// stands for all types that begin so. The default is image/, audio/, video/, application/pdf and
// text/plain. Without arguments nothing is taken.
func WithMIMETypes(types ...string) Option {
	return func(f *Fetcher) { f.types = types }
}

// WithTimeout sets how long one call may take, redirects and the body included. The default, and
// what 0 and less stand for, is 30 seconds; the context of a call may end it earlier.
func WithTimeout(limit time.Duration) Option {
	return func(f *Fetcher) {
		if limit > 0 {
			f.timeout = limit
		}
	}
}

// WithNetworks allows addresses of the given networks too, on every port: those of the own servers
// that keep media, or of a test. By default none but the public internet is reached.
func WithNetworks(networks ...netip.Prefix) Option {
	return func(f *Fetcher) { f.guard.allowed = append(f.guard.allowed, networks...) }
}
