// Package turn handles one request for a model's answer in a client's API: it reads the request,
// converts it for Gemini, and writes the answer, whole or as a stream. The packages below it
// contain what the gateway adds to single forms.
package turn

import (
	"errors"
	"net/http"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/internal/tokenestimate"
	"github.com/gemwire/gemwire/server/ratecard"
)

// Request is a client's request in the form that all forms share.
type Request struct {
	Body   []byte
	Header http.Header
	// ID is the request's id in logs.
	ID string
	// At is when the request arrived.
	At time.Time
	// Conversion selects the information about the conversion that the client asks for.
	Conversion
	// IsRecorded reports that an observer records the bodies.
	IsRecorded bool
}

// Turn is one request for a model's answer. [Turn].Read makes it. After [Turn].Stream it is the
// writer of a stream.
type Turn struct {
	Conversion
	Form    *transform.Form
	Request transform.Request
	// Options are the options of the answer. A subpackage changes them before the answer.
	Options transform.Options
	// Extra has the gateway's additions to the form, or is nil.
	Extra Extra
	// Amend changes the converted request for a model. It may be nil.
	Amend func(*geminiapi.GenerateContentRequest, transform.Target)
	// Asked is the name of the requested model.
	Asked string
	// IsStream reports that the answer is a stream.
	IsStream bool
	// IsCounted reports that only the prompt tokens are counted.
	IsCounted bool
	// CountsAtEnd reports that the server sends the prompt tokens at the end of a stream. They are
	// estimated before.
	CountsAtEnd bool
	// HoldsBody reports that the answer needs the whole request, for example to store it.
	HoldsBody bool
	// Stores reports that the gateway stores answers.
	Stores bool
	// Reason is the finish reason of the first candidate, or "" if it is not known.
	Reason normalize.FinishReason
	// NotesReason reports that Reason comes from Gemini's answer, and not from the converted
	// answer.
	NotesReason bool

	size      int // of the body
	requestID string
	details   Details
	events    transform.Stream
	isOfOne   bool // the answer has one candidate
	isShown   bool // there is something of the answer
}

// Extra has the gateway's additions to a form.
type Extra interface {
	// Place changes a report so that its pointers refer to the client's request. It adds the
	// gateway's own losses.
	Place(entries report.Report) report.Report
	// Unreadable is the problem of a request that cannot be converted.
	Unreadable(err error) *problem.Problem
	// Edit changes the next output, see [transform.Server].
	Edit(document any)
	// Carrier returns how the thought signature of a part travels: in the answer to the client, or
	// in the client's request.
	Carrier(side exchange.Side, part *geminiapi.Part) exchange.Carrier
}

// Details has the facts that an answer reports about itself, if the client asks.
type Details struct {
	// Report is the report of the request.
	Report report.Report
	// Cost is nil if it is unknown.
	Cost *ratecard.Cost
}

// Finished has the facts that are known at the end of an answer.
type Finished struct {
	// Report is the report of the answer.
	Report report.Report
	// Reason is the finish reason of the first candidate, or "" for none.
	Reason normalize.FinishReason
}

// Read reads a request with a function of a form.
func (t *Turn) Read(f *transform.Form, decode func([]byte) (transform.Request, error),
	r *Request) *problem.Problem {
	if f.CheckHeader != nil {
		if err := f.CheckHeader(r.Header); err != nil {
			return problem.Unreadable(err)
		}
	}
	in, err := decode(r.Body)
	if err == nil {
		err = in.CheckMembers()
	}
	if err != nil {
		return problem.Unreadable(err)
	}
	t.Conversion, t.Form, t.Request, t.requestID = r.Conversion, f, in, r.ID
	t.size = len(r.Body)
	t.Asked, t.IsStream, t.NotesReason = in.Model(), in.Streams(), true
	t.Options = transform.Options{Created: r.At, Strict: r.IsStrict,
		LossesOnly: !r.IsListed && !r.IsRecorded, Server: t}
	return nil
}

// Model returns the name of the requested model, or "" for none.
func (t *Turn) Model() string { return t.Asked }

// Streams reports whether the answer is a stream.
func (t *Turn) Streams() bool { return t.IsStream }

// ToGemini converts the request for a model, and returns the losses. It may be called for several
// models.
func (t *Turn) ToGemini(to transform.Target) (*geminiapi.GenerateContentRequest, report.Report,
	error) {
	to.Serves, to.Count, to.Stores = true, t.IsCounted, t.Stores
	out, entries, err := t.Request.ToGemini(to)
	if t.Extra != nil {
		entries = t.Extra.Place(entries)
	}
	if err != nil {
		if t.Extra != nil {
			return nil, entries, t.Extra.Unreadable(err)
		}
		return nil, entries, problem.Unreadable(err)
	}
	if t.Amend != nil {
		t.Amend(out, to)
	}
	if t.IsStream && t.CountsAtEnd {
		t.Options.InputTokens = tokenestimate.Of(out)
	}
	t.isOfOne = out.GenerationConfig == nil || jsonx.Deref(out.GenerationConfig.CandidateCount) <= 1
	return out, entries, t.RefuseLosses(entries)
}

// LetGo releases the request, which may be large. A stream has begun, so no other model is called.
// It returns the approximate number of bytes of the request that the stream still needs, or 0 for
// few.
func (t *Turn) LetGo() int64 {
	held := t.Request.Release()
	if t.HoldsBody {
		held = transform.Held(t.size, func() ([]byte, error) { return nil, errHeld })
	}
	return held
}

// errHeld stops the measurement of what a stream needs, because the stream needs the whole body.
var errHeld = errors.New("the whole request is kept")

// Carrier returns how the thought signature of a part travels, see [Extra].
func (t *Turn) Carrier(side exchange.Side, part *geminiapi.Part) exchange.Carrier {
	if t.Extra == nil {
		return exchange.CarrierExtension
	}
	return t.Extra.Carrier(side, part)
}

// AppendWhole appends the answer in the client's form.
func (t *Turn) AppendWhole(dst []byte, answer *geminiapi.GenerateContentResponse,
	details Details) ([]byte, Finished, error) {
	if p := t.broken(answer); p != nil {
		return dst, Finished{Reason: t.Reason}, p
	}
	t.details = details
	dst, entries, err := t.Request.AppendAnswer(dst, answer, &t.Options)
	if t.NotesReason {
		NoteReason(&t.Reason, answer)
	}
	return dst, Finished{Report: entries, Reason: t.Reason}, t.worded(err)
}

// broken is the problem of an answer or a chunk that the model failed to make, and that the form
// cannot express.
func (t *Turn) broken(answer *geminiapi.GenerateContentResponse) *problem.Problem {
	var p *problem.Problem
	switch t.Form.Broken {
	case transform.BrokenAlways:
		return problem.BrokenAnswer(answer)
	case transform.BrokenSilent:
		for i := range answer.Candidates {
			t.isShown = t.isShown || problem.ShowsAnything(answer.Candidates[i].Content)
		}
		if !t.isShown && t.isOfOne {
			p = problem.SilentFailure(answer)
		}
	}
	if p != nil {
		t.Reason = normalize.FinishError
	}
	return p
}

// worded converts an error of the form; losses become a problem.
func (t *Turn) worded(err error) error {
	if lost, ok := errors.AsType[*report.LossError](err); ok {
		return problem.Lossy(lost.Lost)
	}
	return err
}

// Added implements [transform.Server].
func (t *Turn) Added(entries report.Report) (out transform.Added, err error) {
	out.Usage = WithCost(nil, t.details.Cost)
	if t.IsListed {
		out.Extension, err = encodeReports(t.details.Report, entries)
	}
	return out, err
}

// Edit implements [transform.Server].
func (t *Turn) Edit(document any) {
	if t.Extra != nil {
		t.Extra.Edit(document)
	}
}

// Stream begins the answer as a stream, which the turn writes from now on.
func (t *Turn) Stream() *Turn {
	t.events = t.Request.Stream(&t.Options)
	return t
}

// HasStream reports whether the answer has begun as a stream.
func (t *Turn) HasStream() bool { return t.events != nil }

// Push appends the events of a chunk. An error ends the stream; Fail reports it.
func (t *Turn) Push(dst []byte, chunk *geminiapi.GenerateContentResponse) ([]byte, error) {
	if t.NotesReason {
		NoteReason(&t.Reason, chunk)
	}
	if p := t.broken(chunk); p != nil {
		return dst, p
	}
	dst, err := t.events.Push(dst, chunk)
	return dst, t.worded(err)
}

// End appends the events of a regular end. It returns an error if the answer was cut off.
func (t *Turn) End(dst []byte, details Details) ([]byte, error) {
	t.details = details
	dst, err := t.events.Close(dst, nil)
	return dst, t.worded(err)
}

// Fail appends the event of a problem, which is the last event.
func (t *Turn) Fail(dst []byte, p *problem.Problem) []byte {
	return t.events.Fail(dst, p.InForm(t.requestID))
}

// Heartbeat appends an event without content. Another goroutine may call it, but not during Push,
// End and Fail.
func (t *Turn) Heartbeat(dst []byte) []byte { return t.events.Heartbeat(dst) }

// Finished returns what is known at the end.
func (t *Turn) Finished() Finished { return Finished{Report: t.events.Report(), Reason: t.Reason} }
