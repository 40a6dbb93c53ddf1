package geminitest

import (
	"net/http"

	"github.com/gemwire/gemwire/pkg/fakegemini"
)

// Mode selects how a server uses a cassette, see [WithCassette].
type Mode = fakegemini.Mode

// The modes.
const (
	// Replay answers from the recording, each reply once and equal requests in their order. It
	// refuses every other request; the test then fails with the difference from the nearest
	// recorded request.
	Replay = fakegemini.Replay
	// RecordMissing answers from the recording, and records other requests.
	RecordMissing = fakegemini.RecordMissing
	// RecordAll records all requests again. The first complete reply replaces the file.
	RecordAll = fakegemini.RecordAll
	// Pass forwards all requests to the real server, and does not use the file.
	Pass = fakegemini.Pass
)

// WithCassette forwards requests to a real server, records its replies in a file, and replays them
// byte for byte.
func WithCassette(path string, mode Mode) Option { return fakegemini.WithCassette(path, mode) }

// WithUpstream sets the base URL of the server to record, without an API version. The default is
// the Gemini API.
func WithUpstream(baseURL string) Option { return fakegemini.WithUpstream(baseURL) }

// WithUpstreamTransport sets the transport to the server that is recorded. The default uses one
// connection per request and the proxies of the environment.
func WithUpstreamTransport(transport http.RoundTripper) Option {
	return fakegemini.WithUpstreamTransport(transport)
}

// WithReplaySpeed sets the speed of recorded replies: 1 is the original speed, 2 is twice as fast,
// and 0, the default, sends them at once.
func WithReplaySpeed(times float64) Option { return fakegemini.WithReplaySpeed(times) }
