package fakegemini

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/gemwire/gemwire/internal/loopback"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/cassette"
)

// Mode is what a server does with a cassette, see [WithCassette].
type Mode int

const (
	// Replay answers what was recorded, each reply once and equal requests in their order, and
	// refuses every other request: the test fails with the difference from the nearest recorded
	// one.
	Replay = Mode(cassette.Replay)
	// RecordMissing answers what was recorded, and records what was not.
	RecordMissing = Mode(cassette.RecordMissing)
	// RecordAll records everything anew. The file is replaced when the first reply is complete.
	RecordAll = Mode(cassette.RecordAll)
	// Pass has the real server answer everything, and leaves the file alone.
	Pass = Mode(cassette.Pass)
)

// WithCassette has a real server answer, records it in a file, and replays it from there byte for
// byte. Scripts and answers of the fake are then not in use.
//
// The file is YAML, for people to read, and holds no keys: those that a request has, in its header
// or in its address, are removed from it and from its reply wherever they stand and in whatever
// spelling. The client sends the real key when it is recorded, and any other one when it is
// replayed. Two requests are equal when method, path, query and body are; the members of JSON may
// have another order.
func WithCassette(path string, mode Mode) Option {
	return optionFunc(func(s *settings) { s.isRecorded, s.cassette.Path, s.cassette.Mode = true, path, cassette.Mode(mode) })
}

// geminiAPI is where the Gemini API is.
const geminiAPI = "https://generativelanguage.googleapis.com"

// WithUpstream sets the base URL of the server that is recorded, without an API version; without
// this option, that of the Gemini API. It is https, or on loopback, and has neither a user nor a
// query, as it stands in the cassette.
func WithUpstream(baseURL string) Option {
	return optionFunc(func(s *settings) {
		upstream, err := url.Parse(baseURL)
		if err != nil || upstream.Host == "" || !isSafe(upstream) {
			s.fail(errors.New("an upstream must be an https address, or one on loopback, without a user and a query"))
			return
		}
		s.cassette.Upstream = upstream
	})
}

// isSafe reports whether a key may be sent to an address, which itself may be written down.
func isSafe(u *url.URL) bool {
	if u.User != nil || u.RawQuery != "" {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && loopback.IsHost(u.Hostname())
}

// WithUpstreamTransport sets how the server that is recorded is reached; without this option, by a
// connection for each request and the proxies of the environment.
func WithUpstreamTransport(transport http.RoundTripper) Option {
	return optionFunc(func(s *settings) { s.cassette.Transport = transport })
}

// WithReplaySpeed has recorded replies come as fast as they did (1), so many times as fast, or at
// once (0), which is how they come without this option.
func WithReplaySpeed(times float64) Option {
	return optionFunc(func(s *settings) { s.cassette.Speed = times })
}

func openCassette(s *settings) (*cassette.Recorder, error) {
	s.cassette.Report = s.report
	if s.cassette.Upstream == nil {
		s.cassette.Upstream, _ = url.Parse(geminiAPI) // which is one
	}
	if s.cassette.Transport == nil {
		s.cassette.Transport = &http.Transport{Proxy: http.ProxyFromEnvironment,
			DisableKeepAlives: true, DisableCompression: true}
	}
	recorder, err := cassette.Open(s.cassette)
	if err != nil {
		return nil, fmt.Errorf("fakegemini: %w", err)
	}
	return recorder, nil
}
