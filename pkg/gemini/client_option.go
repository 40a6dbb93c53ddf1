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

// ClientOption changes what a client does, for all of its calls; for [NewClient] and [Client.With].
// Of options that contradict each other the last one holds, and a nil option is ignored.
type ClientOption interface{ forClient(*settings) }

// CallOption changes what one call does. It comes after the options of the client. A nil option is
// ignored.
type CallOption interface{ forCall(*settings) }

// Option is for a client and for a call, where it holds over the client's.
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

// settings are those of a client, and of a call, which has a copy. What a copy shares is not
// written to.
type settings struct {
	err error // the first of an option

	endpoint endpoint.Endpoint
	// isBaseRead tells that the base URL is from the environment, which has one for each service.
	isBaseRead bool

	keys     *keyring.Ring
	tokens   TokenSource
	isPublic bool // no credential is needed
	// sentTokens and secrets are what no error may quote besides the keys: the latter are in header
	// and query.
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
	modelTime func() time.Time // by which models are looked up

	retry       retry.Policy
	budget      *retry.Budget
	overall     time.Duration
	limits      transport.Limits
	maxBodySize int64
	stream      []StreamOption
	raw         rawResponses
	observers   []Observer
	rounds      int // of continuation
	// isContinuing is true when the program itself has asked for continuation.
	isContinuing bool
	storage      Storage

	pageSize int
	upload   uploadSettings
}

// pair is a header or a parameter of the query.
type pair struct{ name, value string }

// bodyEdit changes the JSON of a request.
type bodyEdit func(body []byte) ([]byte, error)

// requestCheck checks a request for a model and a service.
type requestCheck func(r *geminiapi.GenerateContentRequest, model string, isVertexAI bool,
	when time.Time) error

// The defaults. Full jitter over 1 s, at most three attempts, is what Google's pages on retries
// advise.
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

// DefaultMaxBodySize is the limit of a client on the bytes of an answer that is no stream: 256 MiB,
// which is four of the largest images.
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

// fail keeps the first error of an option.
func (s *settings) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// WithAPIKey calls with an API key. It is sent in the header x-goog-api-key and never stands in an
// address.
func WithAPIKey(key string) ClientOption { return WithAPIKeys(key) }

// WithAPIKeys calls with the first of several keys as long as it is good. When a key is refused
// ([Error.RefusesCredential]) or has used up its quota (429), it rests, as long as the server says
// or twice as long with each time, and the call is made again at once with the next one. When none
// is left, the call waits, as one that is tried again does, for the key that is good first of those
// whose quota was used up.
func WithAPIKeys(keys ...string) ClientOption {
	return clientOption(func(s *settings) {
		if slices.ContainsFunc(keys, func(key string) bool { return !isHeaderValue(key) }) {
			s.fail(errKeyText)
			return
		}
		s.keys, s.tokens = keyring.New(keys...), nil
	})
}

var errKeyText = errors.New("an API key has a control character, such as the end of a line")

// WithTokenSource calls with access tokens, which are sent in the header Authorization, in place of
// an API key.
func WithTokenSource(source TokenSource) ClientOption {
	return clientOption(func(s *settings) {
		if source == nil {
			s.fail(errNoSource)
			return
		}
		s.keys, s.tokens, s.sentTokens = nil, source, &recentTokens{}
	})
}

var errNoSource = errors.New("WithTokenSource was given nil")

// WithoutCredentials needs neither key nor token, and takes none from the environment, for a server
// that wants none or whose credentials a middleware adds.
func WithoutCredentials() ClientOption {
	return clientOption(func(s *settings) { s.keys, s.tokens, s.isPublic = nil, nil, true })
}

// WithVertexAI calls Vertex AI for a project at a location, such as "europe-west4"; "" is global.
// The project "" is that of the environment variable GOOGLE_CLOUD_PROJECT.
func WithVertexAI(project, location string) ClientOption {
	return clientOption(func(s *settings) {
		s.endpoint.Service, s.endpoint.Project, s.endpoint.Location = endpoint.VertexAI, project,
			location
	})
}

// WithVertexAIExpress calls Vertex AI with an API key and without a project, which it calls express
// mode.
func WithVertexAIExpress() ClientOption {
	return clientOption(func(s *settings) { s.endpoint.Service = endpoint.VertexAIExpress })
}

// WithBaseURL calls another server, by the address in front of the version, for example
// "https://gateway.example/gemini". With a credential, it must begin with https or be on this
// machine.
func WithBaseURL(url string) ClientOption {
	return clientOption(func(s *settings) {
		base, err := endpoint.ParseBase(url)
		if err != nil {
			s.fail(err)
		}
		s.endpoint.Base, s.isBaseRead = base, false
	})
}

// WithAPIVersion sets the version in the addresses: by default "v1beta", and "v1" at Vertex AI. ""
// leaves it out.
func WithAPIVersion(version string) ClientOption {
	return clientOption(func(s *settings) { s.endpoint.Version = &version })
}

// Doer sends HTTP requests. *http.Client is one.
//
// A Doer other than an *http.Client must not follow redirects by itself: it would take the
// credential along.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// WithHTTPClient sends by a client of one's own, in place of [http.DefaultClient]. Its redirects
// are not followed, and its Timeout should be 0, as it would end streams: see [WithTimeout].
func WithHTTPClient(doer Doer) ClientOption {
	return clientOption(func(s *settings) {
		if client, ok := doer.(*http.Client); doer == nil || ok && client == nil {
			s.fail(errNoDoer)
			return
		}
		s.doer = transport.WithoutRedirects(doer)
	})
}

var errNoDoer = errors.New("WithHTTPClient was given nil")

// Middleware stands between a client and its [Doer], around each attempt. It sees requests without
// the credential, which is added behind it. It must not change the request that it is given, as for
// an [http.RoundTripper].
type Middleware func(next Doer) Doer

// DoerFunc is a Doer that is a function, for a [Middleware].
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

// WithModel sets the model of requests that name none.
func WithModel(model string) Option { return anyOption(func(s *settings) { s.model = model }) }

// WithHeader sets a header of requests. It holds over what the client sends there itself. A name or
// a value that no header can have is an error.
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

// WithQuery adds a parameter to the addresses of requests, but for one that the call itself has,
// such as pageToken of a list. A key has no place there.
func WithQuery(name, value string) Option {
	return anyOption(func(s *settings) {
		s.query = appended(s.query, pair{name, value})
		s.knowParameter(name, value)
	})
}

// WithUserAgent puts the name of a program in front of gemwire's in the header User-Agent.
func WithUserAgent(name string) ClientOption {
	return clientOption(func(s *settings) {
		if err := checkHeader(headerUserAgent, name); err != nil {
			s.fail(fmt.Errorf("WithUserAgent: %w", err))
			return
		}
		s.userAgent = name + " gemwire"
	})
}

// WithBodyMember sets a member of the JSON that is sent, by its pointer (RFC 6901), for what the
// types do not have yet: WithBodyMember("/generationConfig/newThing", jsontext.Value("true")).
// Objects on the way are added.
func WithBodyMember(pointer string, value jsontext.Value) Option {
	return anyOption(func(s *settings) {
		s.edits = appended(s.edits, func(body []byte) ([]byte, error) {
			return jsonx.Set(body, jsontext.Pointer(pointer), value)
		})
	})
}

// WithRequestValidation has [ValidateRequest] check requests to generate content, for the model and
// the service that they go to, before they are sent. What it returns is returned.
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

// WithMaxAttempts sets how often a call is made before it has failed; the default is 3. With 1
// nothing is tried again.
//
// Tried again is what may succeed later: an exhausted quota, failures of the server, timeouts,
// failures of the network. A quota for a whole day is not. A stream is tried again only while
// nothing of it was delivered.
func WithMaxAttempts(n int) Option { return anyOption(func(s *settings) { s.retry.MaxAttempts = n }) }

// WithBackoff sets the longest wait behind the first attempt, which doubles with each further one
// up to limit. The wait itself is random, from 0 up to that. The defaults are 1 and 30 seconds. A
// wait that the server asks for is kept in its place.
func WithBackoff(base, limit time.Duration) Option {
	return anyOption(func(s *settings) { s.retry.Base, s.retry.Cap = base, limit })
}

// WithMaxServerWait sets the longest wait that a server may ask for, by default a minute. When it
// asks for more, the call fails at once; [Error].RetryAfter tells.
func WithMaxServerWait(limit time.Duration) Option {
	return anyOption(func(s *settings) { s.retry.MaxServerWait = limit })
}

// WithRetryBudget limits the attempts beyond the first that all calls of a client make together. So
// many are saved up at most and at the beginning, and each call that succeeds adds ratio of one.
// The defaults are 100 and 0.2, so that a client adds no more than a fifth to the load of a server
// that keeps failing. With retries below 1 there is no limit.
func WithRetryBudget(retries int, ratio float64) ClientOption {
	return clientOption(func(s *settings) {
		s.budget = nil
		if retries > 0 {
			s.budget = retry.NewBudget(retries, ratio)
		}
	})
}

// WithTimeout limits a call with all its attempts and the waits between them, and a stream to its
// end. By default only the context does.
func WithTimeout(overall time.Duration) Option {
	return anyOption(func(s *settings) { s.overall = overall })
}

// WithAttemptTimeout limits each attempt, and that of a stream up to its first chunk. The default
// is 10 minutes; 0 is none.
func WithAttemptTimeout(limit time.Duration) Option {
	return anyOption(func(s *settings) { s.limits.Attempt = limit })
}

// WithStreamIdleTimeout limits how long a stream may send nothing behind its first chunk. The
// default is 5 minutes; 0 is none. The time that the caller takes for a chunk does not count.
func WithStreamIdleTimeout(limit time.Duration) Option {
	return anyOption(func(s *settings) { s.limits.Idle = limit })
}

// WithMaxBodySize limits the bytes of an answer that is no stream. The default is
// [DefaultMaxBodySize]; below 1 there is no limit. Error bodies have one of their own, of 1 MiB,
// behind which they are cut.
func WithMaxBodySize(size int64) Option { return anyOption(func(s *settings) { s.maxBodySize = size }) }

// WithStreamOptions has streams read with options, such as [WithMaxEventSize].
func WithStreamOptions(opts ...StreamOption) Option {
	return anyOption(func(s *settings) { s.stream = appended(s.stream, opts...) })
}

// WithClock sets the time by which a client waits between attempts, lets keys rest and looks models
// up. Sleep returns early with the error of the context when that ends. Nil leaves what the client
// has. Timeouts go by the time of the machine; tests of these run in a bubble of testing/synctest.
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

// sleep waits unless the context ends.
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

// appended returns a list with more elements, which never shares its end with the list that was
// given.
func appended[T any](list []T, more ...T) []T {
	return append(list[:len(list):len(list)], more...)
}
