package gateway

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/gateway/clientkey"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/internal/guard"
	"github.com/gemwire/gemwire/server/gateway/internal/intake"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/upstream"
)

// accessSettings decide who may send requests, and the limits on them.
type accessSettings struct {
	keys           *clientkey.Keys
	allowedHosts   []string
	allowedOrigins []string
	maxBodySize    int64
	bytesInFlight  int64
	maxConcurrent  int
	bodyTimeout    time.Duration
	bodyRate       int64
	writeTimeout   time.Duration
	queueWait      time.Duration
}

const (
	// DefaultMaxBodySize is the limit on a request body: 64 MiB. One session of an agent with
	// images reaches that size.
	DefaultMaxBodySize = 64 << 20
	// DefaultMaxBytesInFlight is the limit on the bodies of all requests in flight: 256 MiB.
	DefaultMaxBytesInFlight = 256 << 20
	// DefaultBodyTimeout is how long a request body may stall.
	DefaultBodyTimeout = 30 * time.Second
	// DefaultBodyRate is the slowest accepted rate of a request body, in bytes per second: 16 KiB.
	// Slow mobile connections reach that rate.
	DefaultBodyRate = 16 << 10
	// DefaultWriteTimeout is how long a client may accept no bytes of a response.
	DefaultWriteTimeout = 2 * time.Minute
	// DefaultQueueWait is how long a request waits for a free slot or for memory.
	DefaultQueueWait = 2 * time.Second
)

// WithClientKeys requires a client key on every request, as Authorization: Bearer, x-api-key or
// x-goog-api-key. The models and limits of that key apply to the request. By default the gateway
// requires no key, which is safe on this machine only. A gateway that other machines can reach
// needs client keys or [WithCallersKey].
func WithClientKeys(keys *clientkey.Keys) Option { return func(s *settings) { s.keys = keys } }

// WithAllowedHosts adds host names by which clients may call the gateway: "gateway.example.com",
// "*.example.com" for all subdomains, "*" for any name. Names of this machine and IP addresses are
// always allowed. The gateway refuses a request for another name, because a page of another site
// can point its own name at the gateway (DNS rebinding).
func WithAllowedHosts(hosts ...string) Option { return func(s *settings) { s.allowedHosts = hosts } }

// WithAllowedOrigins lets web pages of the given origins call the gateway from a browser:
// "https://app.example.com", or "*" for any. By default no origin is allowed.
func WithAllowedOrigins(origins ...string) Option {
	return func(s *settings) { s.allowedOrigins = origins }
}

// WithMaxBodySize limits the size of a request body in bytes. The default is [DefaultMaxBodySize].
func WithMaxBodySize(size int64) Option { return func(s *settings) { s.maxBodySize = size } }

// WithMaxBytesInFlight limits the total size in bytes of the bodies of all requests in flight. The
// decoded requests take several times as much memory. A body takes memory from the limit as it
// arrives, whatever its Content-Length says. An open stream holds the memory that it still needs of
// its request.
//
// A client gets more memory only while the free memory is at least what the client holds. So one
// client never has more than half. A client is a client key. Without client keys it is an address,
// or a network of 64 bits in IPv6.
//
// A request waits for memory for the time of [WithQueueWait], and is then refused with 429. The
// default is [DefaultMaxBytesInFlight]. The limit is never less than the size of two bodies.
func WithMaxBytesInFlight(size int64) Option { return func(s *settings) { s.bytesInFlight = size } }

// WithMaxConcurrent limits how many requests the gateway serves at a time. Other requests wait for
// the time of [WithQueueWait], and are then refused with 429. A request takes a slot when its body
// has arrived. Requests whose bodies are passed on as they arrive, such as uploads, have the same
// number of slots of their own. One client gets at most half of those. The default is 0, no limit.
func WithMaxConcurrent(n int) Option { return func(s *settings) { s.maxConcurrent = max(n, 0) } }

// WithBodyTimeout sets how long a request body may stall, including uploads. Then the gateway
// refuses the request with 408 and closes the connection. The default is [DefaultBodyTimeout], also
// for 0.
func WithBodyTimeout(d time.Duration) Option {
	return func(s *settings) { s.bodyTimeout = positive(d, DefaultBodyTimeout) }
}

// WithBodyRate sets the slowest accepted rate of a request body in bytes per second, averaged over
// the time of [WithBodyTimeout]. A slower body is refused like one that stalls. The default is
// [DefaultBodyRate], also for 0.
func WithBodyRate(bytes int64) Option {
	return func(s *settings) { s.bodyRate = positive(bytes, DefaultBodyRate) }
}

// WithWriteTimeout sets how long a client may accept no bytes of a response, whole or streamed.
// Then the gateway closes the connection. Each write gets at least half of that time. The default
// is [DefaultWriteTimeout], also for 0.
func WithWriteTimeout(d time.Duration) Option {
	return func(s *settings) { s.writeTimeout = positive(d, DefaultWriteTimeout) }
}

// WithQueueWait sets how long a request waits for a slot ([WithMaxConcurrent]) or for memory
// ([WithMaxBytesInFlight]) before it is refused with 429. The gateway serves the oldest waiting
// request first. If more requests wait than are served, it serves the newest first. With 0 no
// request waits. The default is [DefaultQueueWait].
func WithQueueWait(d time.Duration) Option { return func(s *settings) { s.queueWait = max(d, 0) } }

// positive returns the value if it is positive, or else the default.
func positive[T int64 | time.Duration](value, usual T) T {
	if value <= 0 {
		return usual
	}
	return value
}

var errTwoKeys = errors.New("gateway: client keys and callers' keys exclude each other")

// access builds the checks that decide who may send requests.
func (s *setup) access() error {
	if s.keys != nil && s.callersKey {
		return errTwoKeys
	}
	s.maxBodySize = positive(s.maxBodySize, DefaultMaxBodySize)
	var err error
	if s.sites, err = guard.New(s.allowedHosts, s.allowedOrigins); err != nil {
		return fmt.Errorf("gateway: %w", err)
	}
	s.gate = intake.NewGate(s.intakeLimits())
	return nil
}

func (s *accessSettings) intakeLimits() intake.Limits {
	return intake.Limits{BodySize: s.maxBodySize, BytesInFlight: s.bytesInFlight,
		Concurrent: s.maxConcurrent}
}

// terms returns the admission rules that apply before the client is known.
func (s *accessSettings) terms() intake.Terms {
	return intake.Terms{Pace: intake.Pace{Stall: s.bodyTimeout, Rate: s.bodyRate},
		Wait: s.queueWait}
}

// ownAccount returns the only account for the request: the one that its context names, or the
// caller's key. It is nil if the pool chooses.
func (c *call) ownAccount() (*upstream.Account, *problem.Problem) {
	if name := exchange.AccountOf(c.request.Context()); name != "" {
		if account := c.pool.Named(name); account != nil {
			return account, nil
		}
		return nil, problem.Invalid("account_not_found", "",
			"the gateway has no account with the name "+name)
	}
	if !c.callersKey {
		return nil, nil
	}
	key := c.callerKey()
	client, err := c.pool.First().Client.With(gemini.WithAPIKey(key))
	if err != nil {
		return nil, c.ofCall(err)
	}
	return &upstream.Account{Project: "caller", Client: client}, nil
}

// noCallersKey refuses a request without a key if the gateway calls Gemini with the caller's key.
func (c *call) noCallersKey() *problem.Problem {
	advice := "send it as Authorization: Bearer KEY"
	if c.inProcess != nil {
		advice = "the gateway's Go API sends no key, so it needs a gateway with its own accounts"
	}
	return &problem.Problem{
		Status: http.StatusUnauthorized, Type: problem.TypeInvalidRequest, Code: "invalid_api_key",
		Message: "this gateway calls Gemini with its caller's key, but the request has no key; " +
			advice,
	}
}

// callerKey returns the key that the request carries, or "" if it has none.
func (c *call) callerKey() string {
	header := c.request.Header
	for _, name := range []string{"X-Goog-Api-Key", "X-Api-Key"} {
		if key := header.Get(name); key != "" {
			return key
		}
	}
	if key := c.request.URL.Query().Get("key"); key != "" && c.form.name == nativeName {
		return key
	}
	scheme, key, _ := strings.Cut(header.Get("Authorization"), " ")
	if strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(key)
	}
	return ""
}

// maxAttempts returns the maximum number of attempts for each model.
func (c *call) maxAttempts() int {
	if c.isSingle() {
		return 1
	}
	return c.attempts
}

// maxRepeats is the number of attempts after an unusable answer.
func (c *call) maxRepeats() int {
	if c.isSingle() {
		return 0
	}
	return c.repeats
}

func (c *call) isSingle() bool { return c.inProcess != nil && c.inProcess.SingleAttempt }
