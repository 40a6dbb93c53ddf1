package inspector

import (
	"encoding/hex"
	"math"
	"time"

	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/ratecard"
)

// sessionFormat names the format of exported sessions and of the files in a folder.
const sessionFormat = "gemwire-inspector/1"

// storedExchange is an exchange in a file. Durations are in milliseconds.
type storedExchange struct {
	Number     int             `json:"number"`
	Start      storedStart     `json:"start"`
	Bodies     bool            `json:"bodies"`
	Client     storedTalk      `json:"client,omitzero"`
	Tries      []storedTry     `json:"tries,omitempty"`
	Attempts   []storedAttempt `json:"attempts,omitempty"`
	Findings   []storedFinding `json:"findings,omitempty"`
	Signatures []signature     `json:"signatures,omitempty"`
	LeftOut    leftOut         `json:"leftOut,omitzero"`
	End        *storedEnd      `json:"end,omitzero"`
	ReplayOf   int             `json:"replayOf,omitzero"`
	Pinned     bool            `json:"pinned,omitzero"`
	Imported   bool            `json:"imported,omitzero"`
	// Conversation is the id of the conversation, which its first exchange gave it.
	Conversation string `json:"conversation,omitzero"`
}

type storedStart struct {
	ID          string    `json:"id"`
	At          time.Time `json:"at"`
	Form        string    `json:"form,omitzero"`
	Method      string    `json:"method"`
	Path        string    `json:"path"`
	ClientName  string    `json:"client,omitzero"`
	UserAgent   string    `json:"userAgent,omitzero"`
	RemoteAddr  string    `json:"remote,omitzero"`
	ClientRetry int       `json:"retry,omitzero"`
	Session     string    `json:"session,omitzero"`
	Agent       string    `json:"agent,omitzero"`
	ParentAgent string    `json:"parentAgent,omitzero"`
	Job         string    `json:"job,omitzero"`
	Line        int       `json:"line,omitzero"`
}

type storedTalk struct {
	Request  *storedMessage `json:"request,omitzero"`
	Response *storedMessage `json:"response,omitzero"`
	Chunks   []storedChunk  `json:"chunks,omitempty"`
}

type storedTry struct {
	Upstream storedTalk `json:"upstream,omitzero"`
	Between  storedTalk `json:"between,omitzero"`
}

type storedMessage struct {
	At     float64    `json:"at"`
	Method string     `json:"method,omitzero"`
	URL    string     `json:"url,omitzero"`
	Status int        `json:"status,omitzero"`
	Header []field    `json:"header,omitempty"`
	Body   storedBody `json:"body,omitzero"`
}

type storedChunk struct {
	At   float64    `json:"at"`
	Size int        `json:"size"`
	Body storedBody `json:"body"`
}

// storedBody is a body whose text has tags in place of media. Media lists the media of the
// tags in order.
type storedBody struct {
	Text    string        `json:"text"`
	Media   []storedMedia `json:"media,omitempty"`
	LeftOut int           `json:"leftOut,omitzero"`
	Cut     bool          `json:"cut,omitzero"`
	Missed  bool          `json:"missed,omitzero"`
}

type storedMedia struct {
	SHA256   string   `json:"sha256"`
	Spelling spelling `json:"spelling,omitzero"`
}

type storedAttempt struct {
	Number      int       `json:"number"`
	Account     string    `json:"account,omitzero"`
	Model       string    `json:"model,omitzero"`
	Started     time.Time `json:"started"`
	Duration    float64   `json:"duration"`
	Status      int       `json:"status"`
	Err         string    `json:"error,omitzero"`
	Wait        float64   `json:"wait,omitzero"`
	IsUnreached bool      `json:"unreached,omitzero"`
}

type storedFinding struct {
	Side exchange.Side `json:"side"`
	report.Entry
}

type storedEnd struct {
	Status        int             `json:"status"`
	Model         string          `json:"model,omitzero"`
	AskedModel    string          `json:"askedModel,omitzero"`
	UpstreamModel string          `json:"upstreamModel,omitzero"`
	ModelWarnings []string        `json:"modelWarnings,omitempty"`
	Service       string          `json:"service,omitzero"`
	UpstreamHost  string          `json:"upstreamHost,omitzero"`
	Stream        bool            `json:"stream,omitzero"`
	Duration      float64         `json:"duration"`
	FirstToken    float64         `json:"firstToken,omitzero"`
	Waited        float64         `json:"waited,omitzero"`
	Usage         normalize.Usage `json:"usage"`
	Estimated     bool            `json:"usageEstimated,omitzero"`
	Cost          *cost           `json:"cost,omitzero"`
	FinishReason  string          `json:"finishReason,omitzero"`
	Lost          int             `json:"lost,omitzero"`
	Approximated  int             `json:"approximated,omitzero"`
	Added         int             `json:"added,omitzero"`
	Error         clientError     `json:"error,omitzero"`
	Rest          *rest           `json:"rest,omitzero"`
	Broken        string          `json:"broken,omitzero"`
	Canceled      bool            `json:"canceled,omitzero"`
	BytesIn       int64           `json:"bytesIn,omitzero"`
	BytesOut      int64           `json:"bytesOut,omitzero"`
}

// stored returns an exchange for a file.
func (r *record) stored() storedExchange {
	s := &r.start
	out := storedExchange{
		Number: r.number, Bodies: r.bodies, Client: storedTalkOf(&r.client), ReplayOf: r.replayOf,
		Pinned: r.pinned, Imported: r.isImported, Conversation: r.insight.conversation,
		LeftOut: r.leftOutView(),
		Start: storedStart{s.ID, s.At, s.Form, s.Method, s.Path, s.ClientName, s.UserAgent,
			s.RemoteAddr, s.ClientRetry, s.Session, s.Agent, s.ParentAgent, s.Job, s.Line},
	}
	for n := range r.tries {
		out.Tries = append(out.Tries, storedTry{storedTalkOf(&r.tries[n].upstream),
			storedTalkOf(&r.tries[n].between)})
	}
	for _, a := range r.attempts {
		out.Attempts = append(out.Attempts, storedAttempt{a.Number, a.Account, a.Model, a.Started,
			milliseconds(a.Duration), a.Status, a.Err, milliseconds(a.Wait), a.IsUnreached})
	}
	for _, f := range r.findings {
		out.Findings = append(out.Findings, storedFinding{f.side, f.entry})
	}
	for _, s := range r.signatures {
		out.Signatures = append(out.Signatures, signature{s.Side, s.Pointer, s.Carrier, s.Size})
	}
	if r.end != nil {
		out.End = new(storedEndOf(r.end))
	}
	return out
}

func storedTalkOf(c *conversation) storedTalk {
	out := storedTalk{Request: storedMessageOf(c.request), Response: storedMessageOf(c.response)}
	for n := range c.chunks {
		chunk := &c.chunks[n]
		out.Chunks = append(out.Chunks,
			storedChunk{milliseconds(chunk.at), chunk.size, storedBodyOf(&chunk.body)})
	}
	return out
}

func storedMessageOf(m *message) *storedMessage {
	if m == nil {
		return nil
	}
	return &storedMessage{milliseconds(m.at), m.method, m.url, m.status, m.header,
		storedBodyOf(&m.body)}
}

func storedBodyOf(b *body) storedBody {
	out := storedBody{Text: b.text, LeftOut: b.leftOut, Cut: b.cut, Missed: b.isMissed}
	for _, ref := range b.media {
		out.Media = append(out.Media, storedMedia{hex.EncodeToString(ref.sum[:]), ref.spelling})
	}
	return out
}

func storedEndOf(e *exchange.End) storedEnd {
	out := storedEnd{
		Status: e.Status, Model: e.Model, AskedModel: e.AskedModel, UpstreamModel: e.UpstreamModel,
		ModelWarnings: e.ModelWarnings, Service: e.Service, UpstreamHost: e.UpstreamHost,
		Stream:   e.Stream,
		Duration: milliseconds(e.Duration), FirstToken: milliseconds(e.FirstToken), Usage: e.Usage,
		Waited:    milliseconds(e.Waited),
		Estimated: e.UsageEstimated, FinishReason: string(e.FinishReason), Lost: e.Lost,
		Approximated: e.Approximated, Added: e.Added,
		Error:  clientError{e.ErrorType, e.ErrorCode, e.ErrorMessage},
		Broken: string(e.Broken), Canceled: e.Canceled, BytesIn: e.BytesIn, BytesOut: e.BytesOut,
	}
	if e.Cost != nil {
		out.Cost = &cost{e.Cost.Amount, e.Cost.Currency, e.Cost.Source}
	}
	if e.Rest != nil {
		out.Rest = &rest{e.Rest.Account, e.Rest.Reason, e.Rest.Until, e.Rest.By}
	}
	return out
}

// end returns the end of an exchange from a file.
func (s *storedEnd) end() exchange.End {
	e := exchange.End{
		Status: validStatus(s.Status), Model: s.Model, AskedModel: s.AskedModel,
		UpstreamModel: s.UpstreamModel, ModelWarnings: s.ModelWarnings[:min(len(s.ModelWarnings), 20)],
		Service: s.Service, UpstreamHost: s.UpstreamHost, Stream: s.Stream,
		Duration: duration(s.Duration), FirstToken: duration(s.FirstToken),
		Waited: duration(s.Waited), Usage: validUsage(s.Usage), UsageEstimated: s.Estimated,
		FinishReason: normalize.FinishReason(s.FinishReason[:min(len(s.FinishReason), 100)]),
		Lost:         max(0, s.Lost), Approximated: max(0, s.Approximated), Added: max(0, s.Added),
		ErrorType: s.Error.Type, ErrorCode: s.Error.Code, ErrorMessage: s.Error.Message,
		Broken: []byte(s.Broken), Canceled: s.Canceled,
		BytesIn: max(0, s.BytesIn), BytesOut: max(0, s.BytesOut),
	}
	if s.Cost != nil && isAmount(s.Cost.Amount) {
		e.Cost = &ratecard.Cost{Amount: s.Cost.Amount, Currency: s.Cost.Currency,
			Source: s.Cost.Source}
	}
	if s.Rest != nil {
		e.Rest = &exchange.Rest{Account: s.Rest.Account, Reason: s.Rest.Reason,
			Until: validTime(s.Rest.Until), By: s.Rest.By}
	}
	return e
}

// isAmount reports whether a number can be the cost of a request. Sums of larger numbers would not
// be finite.
func isAmount(amount float64) bool {
	const most = 1e9
	return amount >= 0 && amount <= most // false for NaN
}

// validUsage returns a usage with counts that the API can report, so that sums do not overflow.
func validUsage(u normalize.Usage) normalize.Usage {
	for _, count := range []*int{&u.InputTokens, &u.OutputTokens, &u.ThinkingTokens,
		&u.CachedTokens, &u.ToolUseTokens, &u.TotalTokens} {
		*count = min(max(*count, 0), math.MaxInt32)
	}
	return u
}

// validTime returns a time, or the zero time for a year that an answer could not have after a
// duration is added.
func validTime(t time.Time) time.Time {
	if year := t.Year(); year < 1970 || year > 9000 {
		return time.Time{}
	}
	return t
}

// duration returns a duration from milliseconds, at most a year.
func duration(milliseconds float64) time.Duration {
	const year = 365 * 24 * time.Hour
	most := float64(year / time.Millisecond)
	return time.Duration(math.Round(min(max(milliseconds, 0), most)*1000)) * time.Microsecond
}

// validStatus returns an HTTP status, or 0 for an invalid number.
func validStatus(status int) int {
	if status < 100 || status > 599 {
		return 0
	}
	return status
}
