package inspector

import (
	"cmp"
	"strings"
	"time"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/server/gateway/exchange"
)

// summary is an exchange in the page's list. Durations are in milliseconds.
type summary struct {
	Number   int       `json:"number"`
	ID       string    `json:"id"`
	At       time.Time `json:"at"`
	Form     string    `json:"form"`
	Method   string    `json:"method"`
	Path     string    `json:"path"`
	Client   string    `json:"client"` // the name of its key, else what it calls itself
	Retry    int       `json:"retry"`
	Bodies   bool      `json:"bodies"`
	Attempts int       `json:"attempts"`
	ReplayOf int       `json:"replayOf,omitzero"`
	Running  bool      `json:"running"`
	Lost     int       `json:"lost"`
	UpModel  string    `json:"upstreamModel"`
	IsOpenAI bool      `json:"isOpenAI"` // a server of OpenAI's API has answered
	// the Interactions API has answered a request in another form
	IsInteractions bool `json:"isInteractions"`
	// Job is the bulk job whose line the exchange answers, and Line is its number from 1.
	Job  string `json:"job"`
	Line int    `json:"line,omitzero"`
	// Account is the account of the last attempt, or of the pause that prevented one.
	Account   string  `json:"account"`
	Failure   failure `json:"failure"`
	Pinned    bool    `json:"pinned"`
	Imported  bool    `json:"imported"`
	Strict    bool    `json:"strict"` // the client asked to refuse losses
	ended     `json:",inline"`
	UserAgent string `json:"userAgent"`
	// Session, Agent and ParentAgent are ids of a coding agent.
	Session     string `json:"session,omitzero"`
	Agent       string `json:"agent,omitzero"`
	ParentAgent string `json:"parentAgent,omitzero"`
	Remote      string `json:"remote"`
	understood  `json:",inline"`
}

// ended has the facts that are known after the end of an exchange.
type ended struct {
	Status int    `json:"status"`
	Model  string `json:"model"`
	// of the upstream, if another model answered
	AskedModel    string      `json:"askedModel,omitzero"`
	ModelWarnings []string    `json:"modelWarnings,omitzero"`
	Stream        bool        `json:"stream"`
	Duration      float64     `json:"duration"`
	FirstToken    float64     `json:"firstToken"`
	Tokens        tokens      `json:"tokens"`
	Cost          *cost       `json:"cost,omitzero"`
	FinishReason  string      `json:"finishReason"`
	Approximated  int         `json:"approximated"`
	Added         int         `json:"added"`
	Error         clientError `json:"error,omitzero"`
	Rest          *rest       `json:"rest,omitzero"`
	Canceled      bool        `json:"canceled"`
	BytesIn       int64       `json:"bytesIn"`
	BytesOut      int64       `json:"bytesOut"`
}

type tokens struct {
	Input     int  `json:"input"`
	Output    int  `json:"output"` // with the thinking
	Thinking  int  `json:"thinking"`
	Cached    int  `json:"cached"`
	Total     int  `json:"total"`
	Estimated bool `json:"estimated"`
}

type cost struct {
	Amount   float64 `json:"amount"`
	Currency string  `json:"currency"`
	Source   string  `json:"source"`
}

// rest is the pause because of which no account was called.
type rest struct {
	Account string    `json:"account"`
	Reason  string    `json:"reason"`
	Until   time.Time `json:"until"`
	By      string    `json:"by"` // the id of the request that got the error
}

// clientError is the error that the client received.
type clientError struct {
	Type    string `json:"type"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (r *record) summary(g *groups) summary {
	s := summary{
		understood: r.understood(g),
		Number:     r.number, ID: r.start.ID, At: r.start.At, Form: r.start.Form,
		Method: r.start.Method, Path: r.start.Path,
		Client: r.start.ClientName, UserAgent: r.start.UserAgent, Remote: r.start.RemoteAddr,
		Session: r.start.Session, Agent: r.start.Agent, ParentAgent: r.start.ParentAgent,
		Retry:  r.start.ClientRetry,
		Bodies: r.bodies, Attempts: len(modelCalls(r.attempts)), ReplayOf: r.replayOf, Running: r.end == nil,
		Lost:     r.lost(),
		IsOpenAI: r.isFromOpenAI(), IsInteractions: r.isFromInteractions(),
		Job: r.start.Job, Line: r.start.Line, Failure: r.failure(), Pinned: r.pinned,
		Imported: r.isImported, Strict: r.isStrict(),
	}
	if n := len(r.attempts); n > 0 {
		s.Account = r.attempts[n-1].Account
	}
	if calls := modelCalls(r.attempts); len(calls) > 0 {
		last := calls[len(calls)-1]
		s.UpModel, s.Account = last.Model, last.Account
	}
	if r.end != nil {
		s.ended = endedOf(r.end)
		s.Lost = r.end.Lost + r.missingSignatures()
		s.UpModel = r.end.UpstreamModel
		if s.Rest != nil {
			s.Account = s.Rest.Account
		}
		s.Model = cmp.Or(s.Model, r.insight.model)
	}
	return s
}

// isStrict reports whether the client asked to refuse losses, if its header was recorded.
func (r *record) isStrict() bool {
	if r.client.request == nil {
		return false
	}
	for _, f := range r.client.request.header {
		if strings.EqualFold(f.Name, "X-Gemwire-Strict") {
			return f.Value == "1" || strings.EqualFold(f.Value, "true")
		}
	}
	return false
}

// missingSignatures returns the number of thought signatures that the client did not send back.
func (r *record) missingSignatures() (n int) {
	for _, s := range r.signatures {
		if s.isMissing() {
			n++
		}
	}
	return n
}

// isNative reports whether the client uses Google's own API.
func (r *record) isNative() bool { return r.start.Form == "native" }

// isFromOpenAI reports whether a server of OpenAI's API answers.
func (r *record) isFromOpenAI() bool {
	if r.end != nil && r.end.Service != "" {
		return r.end.Service == "openai"
	}
	request := r.answer().upstream.request
	return request != nil && strings.HasSuffix(request.url, "/chat/completions")
}

// isFromInteractions reports whether the Interactions API answers a request in another form.
func (r *record) isFromInteractions() bool {
	request := r.answer().upstream.request
	if request == nil || strings.HasSuffix(r.start.Path, "/interactions") {
		return false
	}
	address, _, _ := strings.Cut(request.url, "?")
	return strings.HasSuffix(address, "/interactions")
}

// lost returns the number of values that conversions have lost so far.
func (r *record) lost() (n int) {
	for _, f := range r.findings {
		if f.entry.Kind == report.Lost {
			n++
		}
	}
	return n + r.missingSignatures()
}

func endedOf(end *exchange.End) ended {
	e := ended{
		Status: end.Status, Model: end.Model, Stream: end.Stream,
		Duration: milliseconds(end.Duration), FirstToken: milliseconds(end.FirstToken),
		Tokens: tokens{
			Input: end.Usage.InputTokens, Output: end.Usage.OutputTokens + end.Usage.ThinkingTokens,
			Thinking: end.Usage.ThinkingTokens, Cached: end.Usage.CachedTokens,
			Total:     end.Usage.InputTokens + end.Usage.OutputTokens + end.Usage.ThinkingTokens,
			Estimated: end.UsageEstimated,
		},
		FinishReason: string(end.FinishReason),
		Approximated: end.Approximated, Added: end.Added,
		Error:    clientError{end.ErrorType, end.ErrorCode, end.ErrorMessage},
		Canceled: end.Canceled, BytesIn: end.BytesIn, BytesOut: end.BytesOut,
	}
	if end.AskedModel != end.UpstreamModel {
		e.AskedModel = end.AskedModel
	}
	if len(end.ModelWarnings) > 0 {
		e.ModelWarnings = end.ModelWarnings
	}
	if end.UpstreamHost != "" && !strings.Contains(end.ErrorMessage, end.UpstreamHost) {
		// A file of Google's API has no attempts, which would name the host.
		e.ModelWarnings = append(e.ModelWarnings, "The connection to "+end.UpstreamHost+" failed.")
	}
	if end.Rest != nil {
		e.Rest = &rest{end.Rest.Account, end.Rest.Reason, end.Rest.Until, end.Rest.By}
	}
	if end.Cost != nil {
		e.Cost = &cost{end.Cost.Amount, end.Cost.Currency, end.Cost.Source}
	}
	return e
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
