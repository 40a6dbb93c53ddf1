package fakegemini

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/gemwire/gemwire/internal/loopback"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/cassette"
)

// Mode selects how a server uses a cassette, see [WithCassette].
type Mode int

const (
	// Replay answers from the recording, each reply once and equal requests in their order. It
	// refuses every other request; the test then fails with the difference from the nearest
	// recorded request.
	Replay = Mode(cassette.Replay)
	// RecordMissing answers from the recording, and records other requests.
	RecordMissing = Mode(cassette.RecordMissing)
	// RecordAll records all requests again. The first complete reply replaces the file.
	RecordAll = Mode(cassette.RecordAll)
	// Pass forwards all requests to the real server, and does not use the file.
	Pass = Mode(cassette.Pass)
)

// WithCassette forwards requests to a real server, records its replies in a file, and replays them
// byte for byte. Scripts and generated answers are off then.
//
// The file is YAML, is meant to be read, and holds no keys. Keys in the header or the address of a
// request are removed from the request and from its reply, in any spelling. The client needs the
// real key for recording, and any key for replaying. Two requests are equal if method, path, query
// and body are equal; the order of JSON members does not matter.
func WithCassette(path string, mode Mode) Option {
	return optionFunc(func(s *settings) { s.isRecorded, s.cassette.Path, s.cassette.Mode = true, path, cassette.Mode(mode) })
}

// geminiAPI is the URL of the Gemini API.
const geminiAPI = "https://generativelanguage.googleapis.com"

// WithUpstream sets the base URL of the server to record, without an API version. The default is
// the Gemini API. It must be https or on loopback. It must have neither a user nor a query, because
// the cassette contains it.
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

// isSafe reports whether the server may send a key to an address and may write the address down.
func isSafe(u *url.URL) bool {
	if u.User != nil || u.RawQuery != "" {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && loopback.IsHost(u.Hostname())
}

// WithUpstreamTransport sets the transport to the server that is recorded. The default uses one
// connection per request and the proxies of the environment.
func WithUpstreamTransport(transport http.RoundTripper) Option {
	return optionFunc(func(s *settings) { s.cassette.Transport = transport })
}

// WithReplaySpeed sets the speed of recorded replies: 1 is the original speed, 2 is twice as fast,
// and 0, the default, sends them at once.
func WithReplaySpeed(times float64) Option {
	return optionFunc(func(s *settings) { s.cassette.Speed = times })
}

func openCassette(s *settings) (*cassette.Recorder, error) {
	s.cassette.Report = s.report
	if s.cassette.Upstream == nil {
		s.cassette.Upstream, _ = url.Parse(geminiAPI) // the constant is valid
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
