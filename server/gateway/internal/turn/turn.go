// Package turn has one request for an answer of a model on its way through a form: read, converted
// for Gemini, and the answer written for the client, whole or as a stream. The rooms inside have
// what the gateway adds to single forms.
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

// Request is a request of a client, as all forms have it.
type Request struct {
	Body   []byte
	Header http.Header
	// ID is the id by which logs know the request.
	ID string
	// At is when the request came.
	At time.Time
	// Conversion is how much the client wants to hear of the conversion.
	Conversion
	// IsRecorded is whether somebody keeps all of it.
	IsRecorded bool
}

// Turn is one request for an answer of a model. It is made by [Turn].Read, and is a stream's writer
// after [Turn].Stream.
type Turn struct {
	Conversion
	Form    *transform.Form
	Request transform.Request
	// Options are those of the answer. A room changes them before the answer.
	Options transform.Options
	// Extra is what the gateway adds to the form, nil for nothing.
	Extra Extra
	// Asked is the name of the model that is asked.
	Asked string
	// IsStream is whether the answer is a stream.
	IsStream bool
	// IsCounted is whether only the tokens of the prompt are counted.
	IsCounted bool
	// CountsAtEnd is whether the server counts the tokens of a prompt at the end of a stream, so
	// that they are estimated before.
	CountsAtEnd bool
	// HoldsBody is whether the answer needs all of the request, for example to keep it.
	HoldsBody bool
	// Stores is whether the gateway keeps answers.
	Stores bool
	// Reason is why the first candidate stopped, "" if that is not known.
	Reason normalize.FinishReason
	// NotesReason is whether Reason is noted by Gemini's answer, and not by what the form makes of
	// it.
	NotesReason bool

	size      int // of the body
	requestID string
	details   Details
	events    transform.Stream
	isOfOne   bool // the answer has one candidate
	isShown   bool // there is something of the answer
}

// Extra is what the gateway adds to a form.
type Extra interface {
	// Place changes a report so that its pointers are into the client's request, and adds what is
	// lost by the gateway.
	Place(entries report.Report) report.Report
	// Unreadable is the problem of a request that cannot be converted.
	Unreadable(err error) *problem.Problem
	// Edit changes what is written next, see [transform.Server].
	Edit(document any)
	// Carrier returns how the thought signature of a part travels: of the answer that goes to the
	// client, or of the request that came from there.
	Carrier(side exchange.Side, part *geminiapi.Part) exchange.Carrier
}

// Details is what an answer says about how it was made, if the client asks.
type Details struct {
	// Report is that of the request.
	Report report.Report
	// Cost is nil where it is unknown.
	Cost *ratecard.Cost
}

// Finished is what the end of an answer tells beyond the answer.
type Finished struct {
	// Report is what the client was not told.
	Report report.Report
	// Reason is that of the first candidate, "" for none.
	Reason normalize.FinishReason
}

// Read reads a request by a function of a form.
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

// Model returns the name of the model that is asked, "" for none.
func (t *Turn) Model() string { return t.Asked }

// Streams reports whether the answer is a stream.
func (t *Turn) Streams() bool { return t.IsStream }

// ToGemini converts the request for a model, with what is lost by that. It may be called for
// several models.
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
	if t.IsStream && t.CountsAtEnd {
		t.Options.InputTokens = tokenestimate.Of(out)
	}
	t.isOfOne = out.GenerationConfig == nil || jsonx.Deref(out.GenerationConfig.CandidateCount) <= 1
	return out, entries, t.RefuseLosses(entries)
}

// LetGo releases the request, which may be large: a stream has begun, so no other model is asked.
// It returns about how many bytes of the request the stream still needs, or 0 for few.
func (t *Turn) LetGo() int64 {
	held := t.Request.Release()
	if t.HoldsBody {
		held = transform.Held(t.size, func() ([]byte, error) { return nil, errHeld })
	}
	return held
}

// errHeld is why the size of what a stream needs is not measured: it needs all of the body.
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

// broken is the problem of an answer, or a chunk of one, that the model could not make and for
// which the form has no words.
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

// worded returns an error of the form, with losses as the problem that they are.
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
		out.Extension, err = toldReports(t.details.Report, entries)
	}
	return out, err
}

// Edit implements [transform.Server].
func (t *Turn) Edit(document any) {
	if t.Extra != nil {
		t.Extra.Edit(document)
	}
}

// Stream begins the answer as a stream, which the turn then writes.
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

// End appends the events of a proper end. It fails where the answer was cut off.
func (t *Turn) End(dst []byte, details Details) ([]byte, error) {
	t.details = details
	dst, err := t.events.Close(dst, nil)
	return dst, t.worded(err)
}

// Fail appends the event of a problem, which is the last.
func (t *Turn) Fail(dst []byte, p *problem.Problem) []byte {
	return t.events.Fail(dst, p.InForm(t.requestID))
}

// Heartbeat appends an event without content. Another goroutine may call it, but not during Push,
// End and Fail.
func (t *Turn) Heartbeat(dst []byte) []byte { return t.events.Heartbeat(dst) }

// Finished returns what is known at the end.
func (t *Turn) Finished() Finished { return Finished{Report: t.events.Report(), Reason: t.Reason} }
