package interactionsbridge

import (
	"cmp"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/report"
)

// Option changes what a bridge does.
type Option func(*settings)

// settings are the options of a bridge.
type settings struct {
	uses   func(model string) bool
	report func(request, answer report.Report)
	strict bool
	now    func() time.Time
	sleep  sleeper
}

// ForModels sets which models are called by the Interactions API. The default is
// [OnlyInteractions].
func ForModels(uses func(model string) bool) Option {
	return func(s *settings) {
		if uses != nil {
			s.uses = uses
		}
	}
}

// ForAllModels calls all models by the Interactions API.
func ForAllModels() Option { return ForModels(func(string) bool { return true }) }

// WithReport sets a function that gets the reports of the two conversions, at the end of an answer.
// It must be safe for use by several goroutines.
func WithReport(reported func(request, answer report.Report)) Option {
	return func(s *settings) { s.report = reported }
}

// WithStrict refuses a request that would lose anything, with status 400.
func WithStrict() Option { return func(s *settings) { s.strict = true } }

// WithClock sets the clock of waits and of the facts about models. Nil changes nothing. See
// [gemini.WithClock].
func WithClock(now func() time.Time, sleep sleeper) Option {
	return func(s *settings) {
		if now != nil {
			s.now = now
		}
		if sleep != nil {
			s.sleep = sleep
		}
	}
}

// OnlyInteractions reports whether a model or agent exists only in the Interactions API. Package
// models knows which ones do today.
func OnlyInteractions(model string) bool {
	known := models.At(model, models.BothBackends, time.Now())
	return known.Calls == models.CallInteractions
}

// Middleware returns a middleware of a [gemini.Client].
func Middleware(opts ...Option) gemini.Middleware {
	return func(next gemini.Doer) gemini.Doer { return NewDoer(next, opts...) }
}

// NewDoer returns a Doer that sends requests by below. Requests to generate content with a model of
// the Interactions API are converted; they keep their credentials.
func NewDoer(below gemini.Doer, opts ...Option) gemini.Doer {
	s := settings{uses: OnlyInteractions, now: time.Now}
	option.Apply(&s, opts)
	return &doer{settings: s, below: below}
}

// doer is the Doer of a bridge.
type doer struct {
	settings
	below gemini.Doer
}

// Do answers a request.
func (d *doer) Do(r *http.Request) (*http.Response, error) {
	t, ok := targetOf(r.URL)
	if !ok || r.Method != http.MethodPost || !d.uses(t.model) {
		return d.below.Do(r)
	}
	body, err := readBody(r)
	if err != nil {
		return nil, err
	}
	client, err := d.client(r, t)
	if err != nil {
		return nil, err
	}
	g := &generation{doer: d, http: r, target: t, client: client}
	reply, err := g.answer(body)
	if failed, ok := errors.AsType[*gemini.Error](err); ok {
		return errorReply(r, failed), nil
	}
	return reply, err
}

// readBody reads the body of a request and closes it.
func readBody(r *http.Request) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	defer func() { _ = r.Body.Close() }()
	return io.ReadAll(r.Body)
}

// target is what the address of a request to generate content names.
type target struct {
	base, version     string // before the resource
	project, location string // of Vertex AI
	model             string
	isStream          bool
	isArray           bool // of the stream
}

// targetOf parses an address whose path ends in models/NAME:generateContent or
// models/NAME:streamGenerateContent.
func targetOf(address *url.URL) (t target, ok bool) {
	path, verb, ok := cutLast(address.EscapedPath(), ":")
	if !ok || verb != "generateContent" && verb != "streamGenerateContent" {
		return t, false
	}
	before, name, ok := cutLast(path, "/models/")
	if !ok {
		return t, false
	}
	if t.model, ok = unescape(name); !ok {
		return t, false
	}
	before = strings.TrimSuffix(before, "/publishers/google")
	segments := strings.Split(before, "/")
	if n := len(segments); n >= 5 && segments[n-4] == "projects" && segments[n-2] == "locations" {
		t.project, t.location = segments[n-3], segments[n-1]
		segments = segments[:n-4]
	}
	last := len(segments) - 1
	t.version = segments[last]
	t.base = address.Scheme + "://" + address.Host + strings.Join(segments[:last], "/")
	t.isStream = verb == "streamGenerateContent"
	t.isArray = t.isStream && address.Query().Get("alt") != "sse"
	return t, true
}

func unescape(name string) (string, bool) {
	plain, err := url.PathUnescape(name)
	return plain, err == nil
}

// cutLast cuts a text at the last separator.
func cutLast(text, separator string) (before, after string, ok bool) {
	i := strings.LastIndex(text, separator)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(separator):], true
}

// versionVertexAI is the version in which Vertex AI has interactions.
const versionVertexAI = "v1beta1"

// passedHeaders are the headers of the request that the requests of the bridge have too. Others
// concern the body or the connection.
var passedHeaders = []string{"X-Goog-Api-Key", "Authorization", "X-Goog-User-Project",
	"X-Goog-Api-Client", "User-Agent"}

// client returns a client of the same server, with the credential of the request. It has no limits,
// because the program that sent the request retries and limits times and sizes.
func (d *doer) client(r *http.Request, t target) (*gemini.Client, error) {
	send := gemini.DoerFunc(func(own *http.Request) (*http.Response, error) {
		for _, name := range passedHeaders {
			if values := r.Header.Values(name); len(values) > 0 {
				own.Header[name] = slices.Clone(values)
			}
		}
		return d.below.Do(own)
	})
	version := t.version
	opts := []gemini.ClientOption{gemini.WithHTTPClient(send), gemini.WithMaxAttempts(1),
		gemini.WithAttemptTimeout(0), gemini.WithStreamIdleTimeout(0), gemini.WithMaxBodySize(-1),
		gemini.WithClock(d.now, d.sleep)}
	if t.project != "" {
		opts = append(opts, gemini.WithVertexAI(t.project, t.location))
		version = cmp.Or(versionVertexAI, version)
	}
	return gemini.NewClient(append(opts, gemini.WithBaseURL(t.base),
		gemini.WithAPIVersion(version), gemini.WithoutCredentials())...)
}
