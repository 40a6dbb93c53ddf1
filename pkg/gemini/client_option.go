package gemini

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/clock"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini/internal/endpoint"
	"github.com/gemwire/gemwire/pkg/gemini/internal/keyring"
	"github.com/gemwire/gemwire/pkg/gemini/internal/retry"
	"github.com/gemwire/gemwire/pkg/gemini/internal/transport"
	"github.com/go-json-experiment/json/jsontext"
)

// ClientOption sets an option for all calls of a client; pass it to [NewClient] or [Client.With].
// If options contradict each other, the last one wins. A nil option is ignored.
type ClientOption interface{ forClient(*settings) }

// CallOption sets an option for one call. It is applied after the options of the client. A nil
// option is ignored.
type CallOption interface{ forCall(*settings) }

// Option is an option for a client or for a call. The option of a call overrides the client's.
type Option interface {
	ClientOption
	CallOption
}

type (
	clientOption func(*settings)
	callOption   func(*settings)
	anyOption    func(*settings)
)

func (o clientOption) forClient(s *settings) { o(s) }
func (o callOption) forCall(s *settings)     { o(s) }
func (o anyOption) forClient(s *settings)    { o(s) }
func (o anyOption) forCall(s *settings)      { o(s) }

// settings are the settings of a client, or of a call, which has a copy. Memory that copies share
// is not modified.
type settings struct {
	err error // the first error of an option

	endpoint endpoint.Endpoint
	// isBaseRead reports whether the base URL is from the environment, which has one for each
	// service.
	isBaseRead bool

	keys     *keyring.Ring
	tokens   TokenSource
	isPublic bool // no credential is needed
	// Errors must not quote sentTokens, secrets or the keys. secrets are in header and query.
	sentTokens *recentTokens
	secrets    []string

	doer       Doer
	middleware []Middleware

	model     string
	header    []pair
	query     []pair
	userAgent string
	edits     []bodyEdit
	validate  requestCheck
	modelTime func() time.Time // for looking models up

	retry       retry.Policy
	budget      *retry.Budget
	overall     time.Duration
	limits      transport.Limits
	maxBodySize int64
	stream      []StreamOption
	raw         rawResponses
	observers   []Observer
	rounds      int // of continuations
	// isContinuing is true if the program itself asked for continuation.
	isContinuing bool
	storage      Storage

	includesInput bool // of Interactions.Get

	pageSize int
	upload   uploadSettings
}

// pair is a header or a query parameter.
type pair struct{ name, value string }

// bodyEdit changes the JSON of a request.
type bodyEdit func(body []byte) ([]byte, error)

// requestCheck checks a request for a model and a service.
type requestCheck func(r *geminiapi.GenerateContentRequest, model string, isVertexAI bool,
	when time.Time) error

// The defaults. Google's pages on retries advise full jitter from 1 s and at most three attempts.
const (
	defaultAttempts       = 3
	defaultBackoff        = time.Second
	defaultBackoffCap     = 30 * time.Second
	defaultMaxServerWait  = time.Minute
	defaultRetries        = 100
	defaultRetryRatio     = 0.2
	defaultAttemptTimeout = 10 * time.Minute
	defaultIdleTimeout    = 5 * time.Minute
)

// DefaultMaxBodySize is the default limit on the bytes of an answer that is not a stream: 256 MiB,
// four of the largest images.
const DefaultMaxBodySize = 256 << 20

func defaultSettings() settings {
	return settings{
		modelTime: func() time.Time { return clock.Now() },
		retry: retry.Policy{
			MaxAttempts: defaultAttempts, Base: defaultBackoff, Cap: defaultBackoffCap,
			MaxServerWait: defaultMaxServerWait,
			Random:        rand.Float64, Now: time.Now, Sleep: sleep,
		},
		budget: retry.NewBudget(defaultRetries, defaultRetryRatio),
		limits: transport.Limits{Attempt: defaultAttemptTimeout, Idle: defaultIdleTimeout,
			NewError: newTimeoutError},
		maxBodySize: DefaultMaxBodySize,
		userAgent:   "gemwire",
		rounds:      DefaultContinuations,
		doer:        transport.WithoutRedirects(http.DefaultClient),
	}
}

// fail records the first error of an option.
func (s *settings) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// WithAPIKey sets an API key. The client sends it in the header x-goog-api-key and never puts it in
// an address.
func WithAPIKey(key string) ClientOption { return WithAPIKeys(key) }

// WithAPIKeys sets several keys. The client uses the first key that works. A key is paused if the
// server refuses it ([Error.RefusesCredential]) or its quota is exhausted (429). The client then
// retries at once with the next key. The pause is the time that the server asks for, or else it
// doubles each time. If all keys are paused, the call waits, like any retry, for the key that is
// available first. Only keys with an exhausted quota count for that.
func WithAPIKeys(keys ...string) ClientOption {
	return clientOption(func(s *settings) {
		if slices.ContainsFunc(keys, func(key string) bool { return !isHeaderValue(key) }) {
			s.fail(errKeyText)
			return
		}
		s.keys, s.tokens = keyring.New(keys...), nil
	})
}

var errKeyText = errors.New("an API key has a control character, such as a line break")

// WithTokenSource uses access tokens instead of an API key. They are sent in the header
// Authorization.
func WithTokenSource(source TokenSource) ClientOption {
	return clientOption(func(s *settings) {
		if source == nil {
			s.fail(errNoSource)
			return
		}
		s.keys, s.tokens, s.sentTokens = nil, source, &recentTokens{}
	})
}

var errNoSource = errors.New("WithTokenSource: the source is nil")

// WithoutCredentials sends neither key nor token, and reads none from the environment. It is for
// servers that need no credentials, or if a middleware adds the credentials.
func WithoutCredentials() ClientOption {
	return clientOption(func(s *settings) { s.keys, s.tokens, s.isPublic = nil, nil, true })
}

// WithVertexAI calls Vertex AI for a project at a location, such as "europe-west4". The location ""
// is global. The project "" is the value of the environment variable GOOGLE_CLOUD_PROJECT.
func WithVertexAI(project, location string) ClientOption {
	return clientOption(func(s *settings) {
		s.endpoint.Service, s.endpoint.Project, s.endpoint.Location = endpoint.VertexAI, project,
			location
	})
}

// WithVertexAIExpress calls Vertex AI with an API key and without a project. Vertex AI calls this
// express mode.
func WithVertexAIExpress() ClientOption {
	return clientOption(func(s *settings) { s.endpoint.Service = endpoint.VertexAIExpress })
}

// WithBaseURL calls another server. The URL is the part before the version, for example
// "https://gateway.example/gemini". If the client has a credential, the URL must begin with https
// or name this machine.
func WithBaseURL(url string) ClientOption {
	return clientOption(func(s *settings) {
		base, err := endpoint.ParseBase(url)
		if err != nil {
			s.fail(err)
		}
		s.endpoint.Base, s.isBaseRead = base, false
	})
}

// WithAPIVersion sets the version in the addresses. The default is "v1beta", and "v1" at Vertex AI.
// "" omits the version.
func WithAPIVersion(version string) ClientOption {
	return clientOption(func(s *settings) { s.endpoint.Version = &version })
}

// Doer sends HTTP requests. *http.Client is a Doer.
//
// Any other Doer must not follow redirects by itself, because it would send the credential to the
// new address.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// WithHTTPClient sets the HTTP client, instead of [http.DefaultClient]. The client does not follow
// redirects. Its Timeout should be 0, because it would end streams: see [WithTimeout].
func WithHTTPClient(doer Doer) ClientOption {
	return clientOption(func(s *settings) {
		if client, ok := doer.(*http.Client); doer == nil || ok && client == nil {
			s.fail(errNoDoer)
			return
		}
		s.doer = transport.WithoutRedirects(doer)
	})
}

var errNoDoer = errors.New("WithHTTPClient: the client is nil")

// Middleware wraps the [Doer] of a client for each attempt. It sees requests without the
// credential, which the client adds afterwards. It must not change its request, like an
// [http.RoundTripper].
type Middleware func(next Doer) Doer

// DoerFunc is a function that implements [Doer], for a [Middleware].
type DoerFunc func(*http.Request) (*http.Response, error)

// Do calls the function.
func (f DoerFunc) Do(request *http.Request) (*http.Response, error) { return f(request) }

// WithMiddleware adds middleware. The first one is the outermost.
func WithMiddleware(middleware ...Middleware) Option {
	return anyOption(func(s *settings) {
		for _, m := range middleware {
			if m != nil {
				s.middleware = appended(s.middleware, m)
			}
		}
	})
}

// WithModel sets the model of requests that do not name one.
func WithModel(model string) Option { return anyOption(func(s *settings) { s.model = model }) }

// WithHeader sets a request header. It overrides a header that the client itself would send. A name
// or value that is not valid in a header is an error.
func WithHeader(name, value string) Option {
	return anyOption(func(s *settings) {
		if err := checkHeader(name, value); err != nil {
			s.fail(fmt.Errorf("WithHeader: %w", err))
			return
		}
		s.header = appended(s.header, pair{name, value})
		s.knowHeader(name, value)
	})
}

// WithQuery adds a query parameter to requests. A parameter of the call itself wins, such as
// pageToken of a list. Do not pass keys as parameters.
func WithQuery(name, value string) Option {
	return anyOption(func(s *settings) {
		s.query = appended(s.query, pair{name, value})
		s.knowParameter(name, value)
	})
}

// WithUserAgent adds the name of a program before gemwire's name in the header User-Agent.
func WithUserAgent(name string) ClientOption {
	return clientOption(func(s *settings) {
		if err := checkHeader(headerUserAgent, name); err != nil {
			s.fail(fmt.Errorf("WithUserAgent: %w", err))
			return
		}
		s.userAgent = name + " gemwire"
	})
}

// WithBodyMember sets a member of the JSON that is sent, by its pointer (RFC 6901). It is for
// members that the types do not have yet: WithBodyMember("/generationConfig/newThing",
// jsontext.Value("true")). It adds missing objects on the path.
func WithBodyMember(pointer string, value jsontext.Value) Option {
	return anyOption(func(s *settings) {
		s.edits = appended(s.edits, func(body []byte) ([]byte, error) {
			return jsonx.Set(body, jsontext.Pointer(pointer), value)
		})
	})
}

// WithRequestValidation checks requests to generate content with [ValidateRequest] before they are
// sent, for their model and service. The call returns the errors of the check.
func WithRequestValidation(opts ...ValidateOption) Option {
	return anyOption(func(s *settings) {
		s.validate = func(r *geminiapi.GenerateContentRequest, model string, isVertexAI bool,
			when time.Time) error {
			service := ForGeminiAPI()
			if isVertexAI {
				service = ForVertexAI()
			}
			return ValidateRequest(r,
				append([]ValidateOption{ForModel(model), service, ForTime(when)}, opts...)...)
		}
	})
}

// WithMaxAttempts sets the maximum number of attempts of a call. The default is 3; with 1 the
// client never retries.
//
// The client retries what may succeed later: an exhausted quota, server errors, timeouts and
// network errors. It does not retry if a daily quota is exhausted. It retries a stream only before
// the first chunk is delivered.
func WithMaxAttempts(n int) Option { return anyOption(func(s *settings) { s.retry.MaxAttempts = n }) }

// WithBackoff sets the longest wait after the first attempt. It doubles with each further attempt,
// up to limit. The actual wait is random, from 0 up to this value. The defaults are 1 and 30
// seconds. A wait that the server asks for replaces it.
func WithBackoff(base, limit time.Duration) Option {
	return anyOption(func(s *settings) { s.retry.Base, s.retry.Cap = base, limit })
}

// WithMaxServerWait sets the longest wait that a server may ask for. The default is a minute. If
// the server asks for more, the call fails at once, and [Error].RetryAfter has the wait.
func WithMaxServerWait(limit time.Duration) Option {
	return anyOption(func(s *settings) { s.retry.MaxServerWait = limit })
}

// WithRetryBudget limits the retries of all calls of a client together. The budget starts at
// retries, its maximum. Each retry takes 1 from it, and each call that succeeds adds ratio. The
// defaults are 100 and 0.2, so a client adds at most a fifth to the load of a server that keeps
// failing. With retries below 1 there is no limit.
func WithRetryBudget(retries int, ratio float64) ClientOption {
	return clientOption(func(s *settings) {
		s.budget = nil
		if retries > 0 {
			s.budget = retry.NewBudget(retries, ratio)
		}
	})
}

// WithTimeout limits a call with all its attempts and the waits between them. It limits a stream to
// its end. By default only the context limits a call.
func WithTimeout(overall time.Duration) Option {
	return anyOption(func(s *settings) { s.overall = overall })
}

// WithAttemptTimeout limits each attempt. It limits an attempt of a stream up to the first chunk.
// The default is 10 minutes; 0 means no limit.
func WithAttemptTimeout(limit time.Duration) Option {
	return anyOption(func(s *settings) { s.limits.Attempt = limit })
}

// WithStreamIdleTimeout limits the wait for each further chunk after the first chunk of a stream.
// The default is 5 minutes; 0 means no limit. The time that the caller takes for a chunk does not
// count.
func WithStreamIdleTimeout(limit time.Duration) Option {
	return anyOption(func(s *settings) { s.limits.Idle = limit })
}

// WithMaxBodySize limits the bytes of an answer that is not a stream. The default is
// [DefaultMaxBodySize]; below 1 there is no limit. Error bodies have their own limit of 1 MiB, and
// longer ones are cut.
func WithMaxBodySize(size int64) Option { return anyOption(func(s *settings) { s.maxBodySize = size }) }

// WithStreamOptions sets options for reading streams, such as [WithMaxEventSize].
func WithStreamOptions(opts ...StreamOption) Option {
	return anyOption(func(s *settings) { s.stream = appended(s.stream, opts...) })
}

// WithClock sets the clock that a client uses to wait between attempts, to pause keys and to look
// up models. Sleep returns early with the error of the context when the context ends. Nil changes
// nothing. Timeouts use the time of the machine; test them in a bubble of testing/synctest.
func WithClock(now func() time.Time,
	sleep func(ctx context.Context, wait time.Duration) error) ClientOption {
	return clientOption(func(s *settings) {
		if now != nil {
			s.retry.Now, s.modelTime = now, now
		}
		if sleep != nil {
			s.retry.Sleep = sleep
		}
	})
}

// sleep waits, or returns early if the context ends.
func sleep(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// appended returns a list with more elements. The result never shares spare capacity with the given
// list.
func appended[T any](list []T, more ...T) []T {
	return append(list[:len(list):len(list)], more...)
}
