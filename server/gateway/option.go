package gateway

import (
	"context"
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
	"github.com/gemwire/gemwire/server/gateway/internal/compaction"
	"github.com/gemwire/gemwire/server/gateway/internal/signature"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/gemwire/gemwire/server/ratecard"
)

// Option configures a gateway in [New] and [Handler.Reload]. If options contradict each other, the
// last one wins.
type Option func(*settings)

// settings are the options of a setup. They do not change while the setup is in use.
type settings struct {
	forms    transform.Forms
	upstream Upstream
	attempts int
	repeats  int // after unusable answers
	// chatReasoning says which clients of chat_completions see thoughts.
	chatReasoning ChatReasoning
	aliases       aliasTable
	defaultModel  string
	models        map[string]ModelSettings
	fallbacks     map[string][]string
	callersKey    bool
	maxAnswer     int64

	backgroundPerClient int

	strict     bool
	signatures signatureSettings
	heartbeat  HeartbeatMode
	every      time.Duration
	grace      time.Duration
	countMode  CountMode
	doneMark   bool
	noSockets  bool
	storage    gemini.Storage

	responseStore responsestore.Store
	compactionSettings
	batchesAway bool
	batches     batches.Service
	accessSettings

	card        *ratecard.Card
	costInUsage bool
	budgetSettings

	observers  []exchange.Observer
	requestIDs func() string
	now        func() time.Time
	modelTime  func() time.Time // by which models are looked up
	logger     *slog.Logger
}

// The defaults.
const (
	defaultAttempts = 2
	defaultRepeats  = 1
	maxRepeats      = 3
	// DefaultMaxAnswerSize is the limit on an upstream answer: 256 MiB, four times the limit on a
	// request.
	DefaultMaxAnswerSize = 256 << 20
	// DefaultBackgroundPerClient is the limit on one client's background responses: half of all.
	DefaultBackgroundPerClient = maxBackground / 2
	// Load balancers close connections that are silent for 60 s. Some clients close them after 20
	// s.
	defaultHeartbeat = 10 * time.Second
	// Clients handle an error status better than an error event.
	defaultGrace = 5 * time.Second
)

func defaultSettings() settings {
	return settings{
		forms: forms.All(), attempts: defaultAttempts, repeats: defaultRepeats, maxAnswer: DefaultMaxAnswerSize,
		backgroundPerClient: DefaultBackgroundPerClient, heartbeat: HeartbeatComment,
		every: defaultHeartbeat, grace: defaultGrace, countMode: CountByGemini,
		requestIDs: randomRequestID, now: time.Now,
		modelTime: func() time.Time { return clock.Now() },
		accessSettings: accessSettings{
			maxBodySize: DefaultMaxBodySize, bytesInFlight: DefaultMaxBytesInFlight,
			bodyTimeout: DefaultBodyTimeout, bodyRate: DefaultBodyRate,
			writeTimeout: DefaultWriteTimeout, queueWait: DefaultQueueWait,
		},
		compactionSettings: compactionSettings{prompt: compaction.DefaultPrompt()},
		signatures: signatureSettings{mode: SignaturesInBoth, idLength: defaultIDLength,
			memorySize: defaultSignatureMemory},
	}
}

func (s *settings) check() error {
	if err := s.upstream.check(s.callersKey); err != nil {
		return err
	}
	if !s.heartbeat.valid() {
		return fmt.Errorf("gateway: unknown heartbeat %q; use comment, chunk or off", s.heartbeat)
	}
	if !s.chatReasoning.valid() {
		return fmt.Errorf("gateway: unknown chat reasoning %q; use auto, always or never", s.chatReasoning)
	}
	if err := s.countMode.check(); err != nil {
		return err
	}
	if !s.signatures.mode.valid() {
		return fmt.Errorf("gateway: unknown signature mode %q; use extension, id or both", s.signatures.mode)
	}
	if s.storage != "" && !slices.Contains(gemini.Storages(), s.storage) {
		return fmt.Errorf("gateway: %q is not a storage; use one of %q", s.storage,
			gemini.Storages())
	}
	if s.callersKey && s.batches != nil {
		return errBatchesOfCallers
	}
	if s.callersKey && s.upstream.isVertexAI() && s.upstream.Service != VertexAIExpress {
		return errors.New("gateway: callers' keys do not work with a Vertex AI project")
	}
	return nil
}

// WithUpstream sets the upstream that answers requests. The default is [Embedded].
func WithUpstream(u Upstream) Option { return func(s *settings) { s.upstream = u } }

// WithMaxAttempts sets the maximum number of attempts for a model whose server or connection fails,
// the first attempt included. The default is 2, because clients retry themselves. Other accounts
// and fallback models do not count; each is tried once.
func WithMaxAttempts(n int) Option { return func(s *settings) { s.attempts = max(n, 1) } }

// WithRetryMalformed sets how often a model is called again for the same request, 0 to 3, if its
// answer is a malformed function call or is empty, and nothing of it was sent. The default is 1.
// The second call has a hint in its system instruction. From the third on, a model that made a
// malformed call must call a function, if the client lets it choose. An empty answer is an error
// with the code empty_answer if it stays empty. With 0 each answer is passed on as it is. In
// Google's own form the same bytes are sent again, and the last answer is passed on as it is.
func WithRetryMalformed(n int) Option {
	return func(s *settings) { s.repeats = min(max(n, 0), maxRepeats) }
}

// WithMaxAnswerSize limits the size in bytes of an upstream answer, whole or streamed, in all
// forms. A larger answer is an error with the code upstream_answer_too_large, which is a 502 before
// the first byte. Replies that continue one answer count together. Downloads of files have no
// limit, because the gateway passes them on without storing them. The default is
// [DefaultMaxAnswerSize], also for sizes below 1.
func WithMaxAnswerSize(size int64) Option {
	return func(s *settings) {
		if s.maxAnswer = size; size < 1 {
			s.maxAnswer = DefaultMaxAnswerSize
		}
	}
}

// WithBackgroundPerClient limits how many of the 100 background responses belong to one client. The
// gateway refuses more with 429. A gateway without client keys, or with a single key, has no such
// limit. The default is [DefaultBackgroundPerClient], also for numbers below 1.
func WithBackgroundPerClient(n int) Option {
	return func(s *settings) {
		if s.backgroundPerClient = n; n < 1 {
			s.backgroundPerClient = DefaultBackgroundPerClient
		}
	}
}

// WithAliases gives models of the upstream other names, such as "gpt-4o". If a client requests an
// alias, the answer contains the alias. The header x-gemwire-model contains the model's own name. A
// name with * is a pattern, such as "gemini-*", where * stands for any text. A name precedes
// patterns, and a longer pattern precedes a shorter one. Lists of models have no patterns.
func WithAliases(models map[string]string) Option { return func(s *settings) { s.aliases = models } }

// WithDefaultModel sets the model for requests that name no model. It may be an alias.
func WithDefaultModel(model string) Option { return func(s *settings) { s.defaultModel = model } }

// ModelSettings are the time limits of a model. 0 selects the default of each.
type ModelSettings struct {
	// FirstByte is how long a stream may take until its first chunk (default 5 minutes). Models
	// were seen to think for 157 s in silence.
	FirstByte time.Duration
	// Idle is how long a stream may be silent after its first chunk (default 5 minutes).
	Idle time.Duration
	// Overall is how long a request may take with all attempts (default 30 minutes).
	Overall time.Duration
}

// The defaults of [ModelSettings].
const (
	defaultFirstByte = 5 * time.Minute
	defaultIdle      = 5 * time.Minute
	defaultOverall   = 30 * time.Minute
)

// WithModelSettings sets the time limits of upstream models. The name "" applies to all models
// without an entry.
func WithModelSettings(models map[string]ModelSettings) Option {
	return func(s *settings) { s.models = models }
}

// WithFallbacks sets fallback models for upstream models. The gateway tries them in order, each
// once, if the model cannot answer: its quota is exhausted, its server or connection fails, it
// times out, or it does not exist. A stream falls back only before its first chunk.
func WithFallbacks(models map[string][]string) Option {
	return func(s *settings) { s.fallbacks = models }
}

// WithCallersKey calls Gemini with the key that the caller sends in Authorization or
// x-goog-api-key, instead of the gateway's accounts.
func WithCallersKey() Option { return func(s *settings) { s.callersKey = true } }

// WithStrict refuses every request that would lose anything in conversion. The header
// x-gemwire-strict does the same for one request.
func WithStrict() Option { return func(s *settings) { s.strict = true } }

// HeartbeatMode selects how the gateway keeps a silent stream alive.
type HeartbeatMode string

// The heartbeat modes.
const (
	// HeartbeatComment writes an event stream comment, which clients ignore. In Messages it writes
	// a ping, and in the Responses API an event without content, because codex treats a stream of
	// comments as silent. It is the default.
	HeartbeatComment HeartbeatMode = "comment"
	// HeartbeatChunk writes a chunk without content, for clients that do not accept comments or
	// that measure silence by events.
	HeartbeatChunk HeartbeatMode = "chunk"
	// HeartbeatOff writes nothing.
	HeartbeatOff HeartbeatMode = "off"
)

func (m HeartbeatMode) valid() bool {
	return m == HeartbeatComment || m == HeartbeatChunk || m == HeartbeatOff
}

// WithHeartbeat sets how, and how often, the gateway keeps a silent stream alive. The default is a
// comment every 10 s.
func WithHeartbeat(mode HeartbeatMode, every time.Duration) Option {
	return func(s *settings) { s.heartbeat, s.every = mode, every }
}

// WithFirstChunkWait sets how long a stream may wait for Gemini's first chunk before it begins. A
// failure within that time has an HTTP status. The default is 5 s.
func WithFirstChunkWait(grace time.Duration) Option { return func(s *settings) { s.grace = grace } }

// WithDoneMark ends the streams of the Responses API with [DONE], which the Open Responses
// specification requires. OpenAI's own server does not send it, and neither does the gateway by
// default.
func WithDoneMark() Option { return func(s *settings) { s.doneMark = true } }

// WithStorageAtGoogle sets whether Google stores requests and their answers. It applies to requests
// that do not set the member store of Google's API themselves. The default is [gemini.StorageOff]:
// Google stores nothing unless a request or the operator asks for it. The option applies to all
// forms, including Google's own and batches in the body of a request.
//
// Vertex AI and servers of OpenAI's API do not receive the member. The member store of OpenAI's
// APIs and of the Interactions API is about the gateway's own response store, and never asks Google
// to store anything.
//
// Uploaded batch files pass through unchanged.
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

// WithRequestIDs sets the function that makes request ids. It must be safe for concurrent use. The
// default makes random ids: "req_" and 32 hexadecimal digits.
func WithRequestIDs(id func() string) Option { return func(s *settings) { s.requestIDs = id } }

// WithClock sets the clock for pauses of accounts, dates of answers and lookups of models. Rate
// limits use the machine's clock.
func WithClock(now func() time.Time) Option {
	return func(s *settings) { s.now, s.modelTime = now, now }
}

// WithLogger sets the log for panics, with their stacks, and for warnings about models. The gateway
// warns once per model if another model answers for it, if it is deprecated, or if it retires
// within 30 days. Observers report requests. By default the gateway logs nothing.
func WithLogger(logger *slog.Logger) Option { return func(s *settings) { s.logger = logger } }

// SignatureMode selects how the thought signatures of calls travel through clients. The gateway
// reads signatures of all modes.
type SignatureMode string

// The signature modes.
const (
	// SignaturesInExtension puts signatures into extra_content.google, which some clients drop.
	SignaturesInExtension SignatureMode = "extension"
	// SignaturesInIDs puts signatures into the call id, which every client sends back.
	SignaturesInIDs SignatureMode = "id"
	// SignaturesInBoth does both. It is the default.
	SignaturesInBoth SignatureMode = "both"
)

func (m SignatureMode) valid() bool {
	return m == SignaturesInExtension || m == SignaturesInIDs || m == SignaturesInBoth
}

// signatureSettings configure how signatures travel.
type signatureSettings struct {
	mode       SignatureMode
	idLength   int
	memorySize int
	store      SignatureStore // nil without
}

// The defaults of [WithSignatures] and [WithSignatureMemory]. Each later request contains an id
// twice, in the call and in its result.
const (
	defaultIDLength        = 4 << 10
	defaultSignatureMemory = 32 << 20
)

// WithSignatures sets how the thought signatures of calls travel. The default is
// [SignaturesInBoth].
//
// An id with a signature consists of letters, digits, _ and -, if Gemini's own id does. Its length
// is at most 4,096; see [WithSignatureMemory] for longer ids.
func WithSignatures(mode SignatureMode) Option {
	return func(s *settings) { s.signatures.mode = mode }
}

// WithSignatureMemory sets the maximum length of an id with its signature, and the memory in bytes
// for other signatures. Those are signatures that do not fit into an id, or that arrive in a stream
// after its id was sent. The defaults are 4,096 and 32 MiB. If a signature was evicted, or is held
// by another replica, the gateway sends the placeholder that Google documents for calls without a
// signature.
func WithSignatureMemory(idLength, bytes int) Option {
	return func(s *settings) { s.signatures.idLength, s.signatures.memorySize = idLength, bytes }
}

// SignatureStore stores the signatures of [WithSignatureMemory] for other replicas and for the time
// after a restart. It must be safe for concurrent use.
type SignatureStore interface {
	// Keep stores a signature in place of an earlier one with the name.
	Keep(ctx context.Context, name, signature string) error
	// Find returns the signature of a name, or "".
	Find(ctx context.Context, name string) (string, error)
}

// WithSignatureStore stores the signatures that do not fit into an id, in addition to their memory.
// A signature is stored before the id that refers to it is sent. If the store takes longer than 15
// seconds, or fails, the signature is in memory only. The caller closes the store after the
// gateway.
func WithSignatureStore(store SignatureStore) Option {
	return func(s *settings) { s.signatures.store = store }
}

// carrying returns the carrier that inserts signatures and finds them again. Its memory is empty.
func (s *signatureSettings) carrying(logger *slog.Logger) *signature.Carrying {
	memory := signature.NewMemory(s.memorySize)
	if s.store != nil {
		memory.SetStore(signature.NewBacked(s.store, logger))
	}
	return &signature.Carrying{
		ByExtension: s.mode != SignaturesInIDs, ByID: s.mode != SignaturesInExtension,
		IDLength: s.idLength,
		Memory:   memory,
	}
}
