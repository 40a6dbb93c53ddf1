package gateway

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/gateway/clientkey"
	"github.com/gemwire/gemwire/server/gateway/internal/guard"
	"github.com/gemwire/gemwire/server/gateway/internal/intake"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/upstream"
)

// accessSettings are who may ask, and how much at a time.
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
	// DefaultMaxBodySize is the limit on the body of a request: 64 MiB, which one session of an
	// agent with images reaches.
	DefaultMaxBodySize = 64 << 20
	// DefaultMaxBytesInFlight is the limit on the bodies of all requests together: 256 MiB.
	DefaultMaxBytesInFlight = 256 << 20
	// DefaultBodyTimeout is how long a body may stall.
	DefaultBodyTimeout = 30 * time.Second
	// DefaultBodyRate is how many bytes of a body have to come in a second: 16 KiB, which slow
	// mobile connections reach.
	DefaultBodyRate = 16 << 10
	// DefaultWriteTimeout is how long a client may take no bytes of an answer.
	DefaultWriteTimeout = 2 * time.Minute
	// DefaultQueueWait is how long a request waits for its turn, or for memory that others hold.
	DefaultQueueWait = 2 * time.Second
)

func defaultAccess() accessSettings {
	return accessSettings{
		maxBodySize: DefaultMaxBodySize, bytesInFlight: DefaultMaxBytesInFlight,
		bodyTimeout: DefaultBodyTimeout, bodyRate: DefaultBodyRate,
		writeTimeout: DefaultWriteTimeout, queueWait: DefaultQueueWait,
	}
}

// WithClientKeys asks every request for one of the keys, as Authorization: Bearer, x-api-key or
// x-goog-api-key, and holds it to the models and limits of that key. By default there are no keys,
// which is for this machine alone: a gateway that others reach needs them, or [WithCallersKey].
func WithClientKeys(keys *clientkey.Keys) Option { return func(s *settings) { s.keys = keys } }

// WithAllowedHosts names the gateway for clients, besides the names of this machine and addresses:
// "gateway.example.com", "*.example.com" for all below, "*" for any. A request under another name
// is refused, since a page of another site can have its own name lead to the gateway.
func WithAllowedHosts(hosts ...string) Option { return func(s *settings) { s.allowedHosts = hosts } }

// WithAllowedOrigins lets pages of web sites call the gateway from a browser:
// "https://app.example.com", or "*" for any. By default there are none.
func WithAllowedOrigins(origins ...string) Option {
	return func(s *settings) { s.allowedOrigins = origins }
}

// WithMaxBodySize limits the bytes of a request's body. The default is [DefaultMaxBodySize].
func WithMaxBodySize(size int64) Option { return func(s *settings) { s.maxBodySize = size } }

// WithMaxBytesInFlight limits the bytes that the bodies of all requests under way have together.
// What they are decoded to takes several times as much. A body takes room as it comes, whatever
// size it announces. An open stream holds room for what it still needs of its request. A client
// gets more only while it leaves as much free as it holds, so that one client never has more than
// half. A client is a client key, or an address where there are no keys (of IPv6 a network of 64
// bits). A request waits for room as [WithQueueWait] says, and then is refused with 429. The
// default is [DefaultMaxBytesInFlight]; it is never less than what two bodies may have.
func WithMaxBytesInFlight(size int64) Option { return func(s *settings) { s.bytesInFlight = size } }

// WithMaxConcurrent limits how many requests are served at a time. Others wait as [WithQueueWait]
// says, and then are refused with 429. A request waits for its turn when its body has come.
// Requests whose bodies pass on as they come, such as uploads, have as many turns of their own, and
// one client has at most half of those. The default is 0, any number.
func WithMaxConcurrent(n int) Option { return func(s *settings) { s.maxConcurrent = max(n, 0) } }

// WithBodyTimeout sets how long the body of a request may stall, of uploads too. Then the request
// is refused with 408, and its connection closed. The default is [DefaultBodyTimeout], also for 0.
func WithBodyTimeout(d time.Duration) Option {
	return func(s *settings) { s.bodyTimeout = positive(d, DefaultBodyTimeout) }
}

// WithBodyRate sets how many bytes of a body have to come in a second, averaged over the time of
// [WithBodyTimeout]. A slower body is refused like one that stalls. The default is
// [DefaultBodyRate], also for 0.
func WithBodyRate(bytes int64) Option {
	return func(s *settings) { s.bodyRate = positive(bytes, DefaultBodyRate) }
}

// WithWriteTimeout sets how long a client may take no bytes of an answer, whole or a stream. Then
// the connection is closed. Each write has at least half of that time. The default is
// [DefaultWriteTimeout], also for 0.
func WithWriteTimeout(d time.Duration) Option {
	return func(s *settings) { s.writeTimeout = positive(d, DefaultWriteTimeout) }
}

// WithQueueWait sets how long a request waits for its turn ([WithMaxConcurrent]), or for memory
// ([WithMaxBytesInFlight]), before it is refused with 429. The oldest is served first, or the
// newest when more wait than are served. With 0 no request waits. The default is
// [DefaultQueueWait].
func WithQueueWait(d time.Duration) Option { return func(s *settings) { s.queueWait = max(d, 0) } }

// positive returns a value, or the default for one that is not positive.
func positive[T int64 | time.Duration](value, usual T) T {
	if value <= 0 {
		return usual
	}
	return value
}

var errTwoKeys = errors.New("gateway: a request has one key: that of a client, or the caller's own of Gemini")

// access makes what decides who may ask.
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

// terms returns what a request is let in by, as long as its client is not known.
func (s *accessSettings) terms() intake.Terms {
	return intake.Terms{Pace: intake.Pace{Stall: s.bodyTimeout, Rate: s.bodyRate},
		Wait: s.queueWait}
}

// inheritAccess takes over what requests under way hold of the limits, and what clients have used
// up.
func (s *setup) inheritAccess(old *setup) {
	s.keys.Inherit(old.keys)
	if old.gate.HasLimits(s.intakeLimits()) {
		s.gate = old.gate
	}
}

// ownAccount returns the account of the request itself, by the caller's key for example. It is nil
// if the gateway's accounts are called.
func (c *call) ownAccount() (*upstream.Account, *problem.Problem) {
	if c.isDiverted() {
		client, err := c.pool.First().Client.With(gemini.WithHTTPClient(c.inProcess.Upstream))
		if err != nil {
			return nil, problem.OfCall(err, false)
		}
		return &upstream.Account{Project: "program", Client: client}, nil
	}
	if !c.callersKey {
		return nil, nil
	}
	key := c.callerKey()
	client, err := c.pool.First().Client.With(gemini.WithAPIKey(key))
	if err != nil {
		return nil, problem.OfCall(err, true)
	}
	return &upstream.Account{Project: "caller", Client: client}, nil
}

// isDiverted reports whether the program answers in place of the upstream.
func (c *call) isDiverted() bool { return c.inProcess != nil && c.inProcess.Upstream != nil }

// noCallersKey refuses a request without a key where it is the caller's that Gemini is called by.
func noCallersKey() *problem.Problem {
	return &problem.Problem{
		Status: http.StatusUnauthorized, Type: problem.TypeInvalidRequest, Code: "invalid_api_key",
		Message: "this gateway calls Gemini by the key of its caller, and the request has no key: send it as Authorization: Bearer KEY",
	}
}

// callerKey returns the key that a request comes with, "" for none.
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

// maxAttempts returns how often a model is asked at most.
func (c *call) maxAttempts() int {
	if c.isDiverted() || c.inProcess != nil && c.inProcess.SingleAttempt {
		return 1
	}
	return c.attempts
}
