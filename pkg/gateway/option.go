package gateway

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/gemwire/gemwire/pkg/gateway/batches"
	"github.com/gemwire/gemwire/pkg/gateway/exchange"
	"github.com/gemwire/gemwire/pkg/gateway/responsestore"
	"github.com/gemwire/gemwire/pkg/ratecard"
)

// Option changes what a gateway does, in [New] and [Handler.Reload]. Of options that contradict each other the last one
// holds.
type Option func(*settings)

// settings are those of a setup. They are not changed when it is in force.
type settings struct {
	upstream     Upstream
	attempts     int
	aliases      map[string]string
	defaultModel string
	models       map[string]ModelSettings
	fallbacks    map[string][]string
	callersKey   bool

	strict     bool
	signatures signatureSettings
	heartbeat  HeartbeatMode
	every      time.Duration
	grace      time.Duration
	countMode  CountMode
	doneMark   bool

	responseStore responsestore.Store
	batches       batches.Service
	accessSettings

	card        *ratecard.Card
	costInUsage bool

	observers  []exchange.Observer
	requestIDs func() string
	now        func() time.Time
	logger     *slog.Logger
}

// The defaults.
const (
	defaultAttempts = 2
	// Load balancers cut connections that are silent for 60 s, some clients at 20 s.
	defaultHeartbeat = 10 * time.Second
	// A client that gets a status of an error understands more than one that gets an event.
	defaultGrace = 5 * time.Second
)

func defaultSettings() settings {
	return settings{
		attempts: defaultAttempts, heartbeat: HeartbeatComment, every: defaultHeartbeat, grace: defaultGrace, countMode: CountByGemini,
		accessSettings: defaultAccess(), requestIDs: randomRequestID, now: time.Now,
		signatures: defaultSignatures(),
	}
}

func (s *settings) check() error {
	if err := s.upstream.check(s.callersKey); err != nil {
		return err
	}
	if !s.heartbeat.valid() {
		return fmt.Errorf("gateway: no heartbeat is called %q", s.heartbeat)
	}
	if err := s.countMode.check(); err != nil {
		return err
	}
	if !s.signatures.mode.valid() {
		return fmt.Errorf("gateway: no way of signatures is called %q", s.signatures.mode)
	}
	if s.callersKey && s.batches != nil {
		return errBatchesOfCallers
	}
	if s.callersKey && s.upstream.isVertexAI() && s.upstream.Service != VertexAIExpress {
		return errors.New("gateway: keys of callers do not reach projects of Vertex AI")
	}
	return nil
}

// WithUpstream sets where requests go. The default is [Embedded].
func WithUpstream(u Upstream) Option { return func(s *settings) { s.upstream = u } }

// WithMaxAttempts sets how often a model is asked whose server or connection fails, the first time included. The default
// is 2: clients try again by themselves. Other accounts and models of a fallback are not counted; each is asked once.
func WithMaxAttempts(n int) Option { return func(s *settings) { s.attempts = max(n, 1) } }

// WithAliases names models of the upstream by other names, such as "gpt-4o". A client that asks for an alias finds it in
// the answer, and the model's own name in the header x-gemwire-model.
func WithAliases(models map[string]string) Option { return func(s *settings) { s.aliases = models } }

// WithDefaultModel answers requests that name no model by this one, which may be an alias.
func WithDefaultModel(model string) Option { return func(s *settings) { s.defaultModel = model } }

// ModelSettings are the limits of time of a model. 0 is the default of each.
type ModelSettings struct {
	// FirstByte is how long a stream may take to its first chunk, by default 5 minutes: models were seen to think for
	// 157 s in silence.
	FirstByte time.Duration
	// Idle is how long a stream may send nothing behind that, by default 5 minutes.
	Idle time.Duration
	// Overall is how long a request may take with all attempts, by default 30 minutes.
	Overall time.Duration
}

// The defaults of [ModelSettings].
const (
	defaultFirstByte = 5 * time.Minute
	defaultIdle      = 5 * time.Minute
	defaultOverall   = 30 * time.Minute
)

// WithModelSettings sets limits for models of the upstream. The name "" is for all that have none of their own.
func WithModelSettings(models map[string]ModelSettings) Option {
	return func(s *settings) { s.models = models }
}

// WithFallbacks names for models of the upstream others that are asked, in this order and each once, where the model
// cannot answer: its quota is used up, its server or connection fails, it takes too long, it is not there. A stream falls
// back before its first chunk only.
func WithFallbacks(models map[string][]string) Option {
	return func(s *settings) { s.fallbacks = models }
}

// WithCallersKey calls Gemini by the key that the caller sends, in Authorization or x-goog-api-key, in place of the
// accounts.
func WithCallersKey() Option { return func(s *settings) { s.callersKey = true } }

// WithStrict refuses every request of which anything would be lost, as the header x-gemwire-strict does for one.
func WithStrict() Option { return func(s *settings) { s.strict = true } }

// HeartbeatMode is how a silent stream is kept alive.
type HeartbeatMode string

// The modes of heartbeats.
const (
	// HeartbeatComment writes a comment of the event stream, which clients pass over, but in Messages a ping and in the
	// Responses API an event that says nothing: codex takes a stream of comments for a silent one. It is the default.
	HeartbeatComment HeartbeatMode = "comment"
	// HeartbeatChunk writes a chunk without content, for clients that do not know comments or count silence by events.
	HeartbeatChunk HeartbeatMode = "chunk"
	// HeartbeatOff writes nothing.
	HeartbeatOff HeartbeatMode = "off"
)

func (m HeartbeatMode) valid() bool {
	return m == HeartbeatComment || m == HeartbeatChunk || m == HeartbeatOff
}

// WithHeartbeat sets how a stream that is silent is kept alive, and how often. The default is a comment every 10 s.
func WithHeartbeat(mode HeartbeatMode, every time.Duration) Option {
	return func(s *settings) { s.heartbeat, s.every = mode, every }
}

// WithGrace sets how long a stream may wait for Gemini's first chunk before it begins. What fails within that time has
// an HTTP status. The default is 5 s.
func WithGrace(grace time.Duration) Option { return func(s *settings) { s.grace = grace } }

// WithDoneMark has the streams of the Responses API end with the mark [DONE], which the specification Open Responses demands.
// OpenAI's own server sends none, and so does the gateway without this option.
func WithDoneMark() Option { return func(s *settings) { s.doneMark = true } }

// WithObserver adds observers of all requests.
func WithObserver(observers ...exchange.Observer) Option {
	return func(s *settings) {
		for _, observer := range observers {
			if observer != nil {
				s.observers = append(s.observers, observer)
			}
		}
	}
}

// WithRequestIDs sets what makes the ids of requests. It is called by several goroutines. The default makes random ones,
// "req_" and 32 hexadecimal digits.
func WithRequestIDs(id func() string) Option { return func(s *settings) { s.requestIDs = id } }

// WithClock sets the time by which accounts rest and answers are dated. Limits go by the time of the machine.
func WithClock(now func() time.Time) Option { return func(s *settings) { s.now = now } }

// WithLogger has panics logged, with their stacks. Requests are told to observers. By default nothing is logged.
func WithLogger(logger *slog.Logger) Option { return func(s *settings) { s.logger = logger } }
