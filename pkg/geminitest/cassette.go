package geminitest

import (
	"net/http"

	"github.com/gemwire/gemwire/pkg/fakegemini"
)

// Mode is what a server does with a cassette, see [WithCassette].
type Mode = fakegemini.Mode

// The modes.
const (
	// Replay answers what was recorded, each reply once and equal requests in their order, and
	// refuses every other request: the test fails with the difference from the nearest recorded
	// one.
	Replay = fakegemini.Replay
	// RecordMissing answers what was recorded, and records what was not.
	RecordMissing = fakegemini.RecordMissing
	// RecordAll records everything anew. The file is replaced when the first reply is complete.
	RecordAll = fakegemini.RecordAll
	// Pass has the real server answer everything, and leaves the file alone.
	Pass = fakegemini.Pass
)

// WithCassette has a real server answer, records it in a file, and replays it from there byte for
// byte.
func WithCassette(path string, mode Mode) Option { return fakegemini.WithCassette(path, mode) }

// WithUpstream sets the base URL of the server that is recorded, without an API version; without
// this option, that of the Gemini API.
func WithUpstream(baseURL string) Option { return fakegemini.WithUpstream(baseURL) }

// WithUpstreamTransport sets how the server that is recorded is reached; without this option, by a
// connection for each request and the proxies of the environment.
func WithUpstreamTransport(transport http.RoundTripper) Option {
	return fakegemini.WithUpstreamTransport(transport)
}

// WithReplaySpeed has recorded replies come as fast as they did (1), so many times as fast, or at
// once (0), which is how they come without this option.
func WithReplaySpeed(times float64) Option { return fakegemini.WithReplaySpeed(times) }
