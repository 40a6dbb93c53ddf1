package gateway

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/gemwire/gemwire/internal/clock"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/forms"
	"github.com/gemwire/gemwire/server/gateway/batches"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/internal/signature"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/gemwire/gemwire/server/ratecard"
)

// Option changes what a gateway does, in [New] and [Handler.Reload]. Of options that contradict
// each other the last one holds.
type Option func(*settings)

// settings are those of a setup. They are not changed when it is in force.
type settings struct {
	forms        transform.Forms
	upstream     Upstream
	attempts     int
	aliases      map[string]string
	defaultModel string
	models       map[string]ModelSettings
	fallbacks    map[string][]string
	callersKey   bool
	maxAnswer    int64

	backgroundPerClient int

	strict     bool
	signatures signatureSettings
	heartbeat  HeartbeatMode
	every      time.Duration
	grace      time.Duration
	countMode  CountMode
	doneMark   bool
	storage    gemini.Storage

	responseStore responsestore.Store
	batches       batches.Service
	accessSettings

	card        *ratecard.Card
	costInUsage bool

	observers  []exchange.Observer
	requestIDs func() string
	now        func() time.Time
	modelTime  func() time.Time // by which models are looked up
	logger     *slog.Logger
}

// The defaults.
const (
	defaultAttempts = 2
	// DefaultMaxAnswerSize is the limit on an answer of the upstream: 256 MiB, which is four times
	// the limit on a request.
	DefaultMaxAnswerSize = 256 << 20
	// DefaultBackgroundPerClient is the limit on the responses in the background of one client:
	// half of all.
	DefaultBackgroundPerClient = maxBackground / 2
	// Load balancers cut connections that are silent for 60 s, some clients at 20 s.
	defaultHeartbeat = 10 * time.Second
	// A client that gets a status of an error understands more than one that gets an event.
	defaultGrace = 5 * time.Second
)

func defaultSettings() settings {
	return settings{
		forms: forms.All(), attempts: defaultAttempts, maxAnswer: DefaultMaxAnswerSize,
		backgroundPerClient: DefaultBackgroundPerClient, heartbeat: HeartbeatComment,
		every: defaultHeartbeat, grace: defaultGrace, countMode: CountByGemini,
		accessSettings: defaultAccess(), requestIDs: randomRequestID, now: time.Now,
		modelTime:  func() time.Time { return clock.Now() },
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
	if s.storage != "" && !slices.Contains(gemini.Storages(), s.storage) {
		return fmt.Errorf("gateway: %q is not a storage; use one of %q", s.storage,
			gemini.Storages())
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

// WithMaxAttempts sets how often a model is asked whose server or connection fails, the first time
// included. The default is 2: clients try again by themselves. Other accounts and models of a
// fallback are not counted; each is asked once.
func WithMaxAttempts(n int) Option { return func(s *settings) { s.attempts = max(n, 1) } }

// WithMaxAnswerSize limits the bytes that the upstream may send for an answer, whole or streamed,
// in all forms: what is larger is an error with the code upstream_answer_too_large, which is 502
// before the first byte. Replies that continue one answer count together. Downloads of files have
// no limit, as the gateway passes them on without keeping them. The default is
// [DefaultMaxAnswerSize]; it is also used for sizes below 1.
func WithMaxAnswerSize(size int64) Option {
	return func(s *settings) {
		if s.maxAnswer = size; size < 1 {
			s.maxAnswer = DefaultMaxAnswerSize
		}
	}
}

// WithBackgroundPerClient limits how many of the 100 responses in the background are one client's.
// More are refused with
//  429. A gateway without client keys, or with a single one, has no such limit. The default is
//     [DefaultBackgroundPerClient];
//
// it is also used for numbers below 1.
func WithBackgroundPerClient(n int) Option {
	return func(s *settings) {
		if s.backgroundPerClient = n; n < 1 {
			s.backgroundPerClient = DefaultBackgroundPerClient
		}
	}
}

// WithAliases names models of the upstream by other names, such as "gpt-4o". A client that asks for
// an alias finds it in the answer, and the model's own name in the header x-gemwire-model.
func WithAliases(models map[string]string) Option { return func(s *settings) { s.aliases = models } }

// WithDefaultModel answers requests that name no model by this one, which may be an alias.
func WithDefaultModel(model string) Option { return func(s *settings) { s.defaultModel = model } }

// ModelSettings are the limits of time of a model. 0 is the default of each.
type ModelSettings struct {
	// FirstByte is how long a stream may take to its first chunk, by default 5 minutes: models were
	// seen to think for 157 s in silence.
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

// WithModelSettings sets limits for models of the upstream. The name "" is for all that have none
// of their own.
func WithModelSettings(models map[string]ModelSettings) Option {
	return func(s *settings) { s.models = models }
}

// WithFallbacks names for models of the upstream others that are asked, in this order and each
// once, where the model cannot answer: its quota is used up, its server or connection fails, it
// takes too long, it is not there. A stream falls back before its first chunk only.
func WithFallbacks(models map[string][]string) Option {
	return func(s *settings) { s.fallbacks = models }
}

// WithCallersKey calls Gemini by the key that the caller sends, in Authorization or x-goog-api-key,
// in place of the accounts.
func WithCallersKey() Option { return func(s *settings) { s.callersKey = true } }

// WithStrict refuses every request of which anything would be lost, as the header x-gemwire-strict
// does for one.
func WithStrict() Option { return func(s *settings) { s.strict = true } }

// HeartbeatMode is how a silent stream is kept alive.
type HeartbeatMode string

// The modes of heartbeats.
const (
	// HeartbeatComment writes a comment of the event stream, which clients pass over, but in
	// Messages a ping and in the Responses API an event that says nothing: codex takes a stream of
	// comments for a silent one. It is the default.
	HeartbeatComment HeartbeatMode = "comment"
	// HeartbeatChunk writes a chunk without content, for clients that do not know comments or count
	// silence by events.
	HeartbeatChunk HeartbeatMode = "chunk"
	// HeartbeatOff writes nothing.
	HeartbeatOff HeartbeatMode = "off"
)

func (m HeartbeatMode) valid() bool {
	return m == HeartbeatComment || m == HeartbeatChunk || m == HeartbeatOff
}

// WithHeartbeat sets how a stream that is silent is kept alive, and how often. The default is a
// comment every 10 s.
func WithHeartbeat(mode HeartbeatMode, every time.Duration) Option {
	return func(s *settings) { s.heartbeat, s.every = mode, every }
}

// WithFirstChunkWait sets how long a stream may wait for Gemini's first chunk before it begins.
// What fails within that time has an HTTP status. The default is 5 s.
func WithFirstChunkWait(grace time.Duration) Option { return func(s *settings) { s.grace = grace } }

// WithDoneMark has the streams of the Responses API end with the mark [DONE], which the
// specification Open Responses demands. OpenAI's own server sends none, and so does the gateway
// without this option.
func WithDoneMark() Option { return func(s *settings) { s.doneMark = true } }

// WithStorageAtGoogle sets whether Google stores requests and their answers, where a request does
// not say so by the member store of Google's API. The default is [gemini.StorageOff]: nothing is
// stored at Google unless somebody asks for it. It applies to all forms, Google's own and batches
// in the body of a request. Vertex AI and servers of OpenAI's API are not sent the member. The
// member store of OpenAI's APIs is about the gateway's store of responses, and never asks Google to
// store anything.
//
// Interactions pass through as they are, since those of Google build on what it stores; so do
// uploaded files of batches.
func WithStorageAtGoogle(storage gemini.Storage) Option {
	return func(s *settings) { s.storage = storage }
}

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

// WithRequestIDs sets what makes the ids of requests. It is called by several goroutines. The
// default makes random ones, "req_" and 32 hexadecimal digits.
func WithRequestIDs(id func() string) Option { return func(s *settings) { s.requestIDs = id } }

// WithClock sets the time by which accounts rest, answers are dated and models are looked up.
// Limits go by the time of the machine.
func WithClock(now func() time.Time) Option {
	return func(s *settings) { s.now, s.modelTime = now, now }
}

// WithLogger sets the log for panics, with their stacks, and for models that another one answers
// for, that are deprecated or that end within 30 days: a warning for each, once. Requests are
// reported to observers. By default nothing is logged.
func WithLogger(logger *slog.Logger) Option { return func(s *settings) { s.logger = logger } }

// SignatureMode is how thought signatures of calls travel through clients. Whatever it is, all of
// them are read.
type SignatureMode string

// The ways of signatures.
const (
	// SignaturesInExtension puts them into extra_content.google, which some clients drop.
	SignaturesInExtension SignatureMode = "extension"
	// SignaturesInIDs puts them into the id of the call, which every client sends back.
	SignaturesInIDs SignatureMode = "id"
	// SignaturesInBoth does both. It is the default.
	SignaturesInBoth SignatureMode = "both"
)

func (m SignatureMode) valid() bool {
	return m == SignaturesInExtension || m == SignaturesInIDs || m == SignaturesInBoth
}

// signatureSettings say how signatures travel.
type signatureSettings struct {
	mode       SignatureMode
	idLength   int
	memorySize int
}

// The defaults of [WithSignatures] and [WithSignatureMemory]. An id is sent twice with each later
// request, with the call and with its result.
const (
	defaultIDLength        = 4 << 10
	defaultSignatureMemory = 32 << 20
)

func defaultSignatures() signatureSettings {
	return signatureSettings{mode: SignaturesInBoth, idLength: defaultIDLength,
		memorySize: defaultSignatureMemory}
}

// WithSignatures sets how thought signatures of calls travel. The default is [SignaturesInBoth].
//
// An id with a signature has letters, digits, _ and -, as far as Gemini's own has, and at most
// 4,096 of them; see [WithSignatureMemory] for longer ones.
func WithSignatures(mode SignatureMode) Option {
	return func(s *settings) { s.signatures.mode = mode }
}

// WithSignatureMemory sets how long an id may get by its signature, and how many bytes of
// signatures are kept that do not fit into one, or come in a stream when the id was sent. The
// defaults are 4,096 and 32 MiB. What was forgotten, or is kept by another replica, is replaced by
// the word that Google documents for calls without a signature.
func WithSignatureMemory(idLength, bytes int) Option {
	return func(s *settings) { s.signatures.idLength, s.signatures.memorySize = idLength, bytes }
}

// carrying returns what puts signatures in and finds them again, with an empty memory.
func (s *signatureSettings) carrying() *signature.Carrying {
	return &signature.Carrying{
		ByExtension: s.mode != SignaturesInIDs, ByID: s.mode != SignaturesInExtension,
		IDLength: s.idLength,
		Memory:   signature.NewMemory(s.memorySize),
	}
}
