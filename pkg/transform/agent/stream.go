package agent

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/aisdk"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/go-json-experiment/json/jsontext"
)

// MapNDJSON reads the events of an agent and returns their parts as they arrive: those of one turn,
// as [Stream.Parts] does. The sequence can be walked through once. There is no report; a [Stream]
// has one.
func MapNDJSON(r io.Reader, opts ...Option) iter.Seq2[aisdkapi.Part, error] {
	s := NewStream(r, opts...)
	s.unreported = true
	return s.Parts()
}

// Stream reads the events of an agent as JSON objects, by the rules of [ExtractJSONObjects], and
// maps them, by those of [MapNDJSONEvent]. It looks at each byte once, at text with braces a few
// times, and keeps the bytes of one object and of what was read with it.
//
// A stream has one or more turns. A turn ends with a request that the client has to answer: its
// last parts are the tool call and its finish, nothing more is read, and what was read ahead is
// kept. When the answer has been given, walking through [Stream.Parts] or [Stream.Results] again is
// the next turn. The last turn ends with the input: the end of an open text block and a finish.
//
// When reading fails, the stream ends with the end of an open text block, one [aisdkapi.ErrorPart],
// a finish by [aisdkapi.UnifiedFinishReasonError], and after them the error itself. So it ends with
// an *[InputError] when the input ends within an event, or when nothing in it is an event of an
// agent. Other objects that are not JSON do not fail the stream; they are counted by
// [Stream.Skipped].
//
// A Stream starts no goroutine, and is for one.
type Stream struct {
	options    options
	objects    *extractor
	mapper     MapperContext
	index      int  // of the next object
	known      bool // an event of a known type has come
	skipped    int
	session    SessionUpdate
	relay      jsontext.Value
	report     report.Report
	unreported bool // nobody asks for the report
	ended      bool
	err        error
}

// NewStream returns a stream that reads from r. It does not close r.
func NewStream(r io.Reader, opts ...Option) *Stream {
	o := option.New[options](opts)
	return &Stream{options: o, objects: newExtractor(r, o), mapper: MapperContext{options: o}}
}

// Parts returns the parts of the next turn. An error is the last thing it yields, with a nil part.
//
// A loop that breaks off gives up the other parts of the event that it was in, and can go on with
// the next event by another call. After the end there are no more parts, after an error only the
// error.
func (s *Stream) Parts() iter.Seq2[aisdkapi.Part, error] {
	return func(yield func(aisdkapi.Part, error) bool) {
		for result, err := range s.turn(true) {
			if err != nil {
				yield(nil, err)
				return
			}
			s.report = append(s.report, result.Report...)
			for _, part := range result.Parts {
				if !yield(part, nil) {
					return
				}
			}
		}
	}
}

// Report returns what is not in the parts that [Stream.Parts] has yielded so far, and what
// [Stream.Discard] has left out. A pointer begins with the index of the object in the input, and a
// detail with its byte offset; text that is in no object stands at "/-". Data that no part has, but
// [Stream.Session] or [Stream.RelayRequest], is listed as approximated.
func (s *Stream) Report() report.Report { return slices.Clip(s.report) }

// Results is like [Stream.Parts] for who wants to know more than the parts: it yields what each
// event stands for. The pointers in a report begin with the index of the object in the input. The
// parts that no event stands for, at the end, are a result too. [Stream.Report] does not repeat
// what the results report.
func (s *Stream) Results() iter.Seq2[Result, error] {
	return s.turn(false)
}

// Discard reads the rest of the input without mapping it, and has [Stream.Report] list each event
// that is left as lost. It is for who wants one turn only and has to know what that leaves out, and
// ends the stream.
func (s *Stream) Discard() error {
	for !s.ended {
		object, err := s.objects.Next()
		if err != nil {
			object = s.objects.Rest()
			s.ended = true
		}
		if err != nil && !errors.Is(err, io.EOF) {
			s.err = err
		}
		s.discard(object)
	}
	return s.err
}

// discard reports an event, or the end when there is none, and the text before it.
func (s *Stream) discard(object []byte) {
	s.report = append(s.report, s.strayReport()...)
	if object == nil {
		return
	}
	lost := report.Report{{Kind: report.Lost,
		Detail: "it comes behind the request that ends the turn"}}
	s.report = append(s.report, s.inInput(lost)...)
	s.index++
}

// RelayRequest returns the request that ended the last turn: the event as the agent sent it. It is
// nil during a turn and after the end.
func (s *Stream) RelayRequest() jsontext.Value { return s.relay }

// Session returns what the events so far say for the session: their updates, merged.
func (s *Stream) Session() SessionUpdate { return s.session }

// Skipped returns how many objects so far were not JSON and have been left out.
func (s *Stream) Skipped() int { return s.skipped }

// turn runs one turn, for who takes only the parts or for who takes the results.
func (s *Stream) turn(partsOnly bool) iter.Seq2[Result, error] {
	return func(yield func(Result, error) bool) {
		s.relay = nil
		if !s.ended && s.options.responseID != "" {
			if !yield(Result{Parts: []aisdkapi.Part{aisdkapi.ResponseMetadata{ID: s.options.responseID}}},
				nil) {
				return
			}
		}
		for !s.ended && s.relay == nil {
			result := s.next(partsOnly)
			s.relay = result.RelayRequest
			if !yield(result, nil) {
				return
			}
		}
		if s.err != nil {
			yield(Result{}, s.err)
		}
	}
}

// next returns what the next event stands for, or the end.
func (s *Stream) next(partsOnly bool) Result {
	object, err := s.objects.Next()
	switch {
	case err == nil:
		return s.event(object, partsOnly)
	case errors.Is(err, io.EOF):
		return s.finish(partsOnly)
	default:
		return Result{Parts: s.fail(err)}
	}
}

func (s *Stream) event(object []byte, partsOnly bool) Result {
	m := s.mapper.mapEvent(object)
	if m.malformed {
		s.skipped++
	}
	s.known = s.known || m.known
	s.session.Merge(m.out.SessionUpdate)
	if !s.unreported {
		m.out.Report = append(s.strayReport(), s.inInput(m.report(partsOnly))...)
	}
	s.index++
	return m.out
}

// finish ends the stream with the input.
func (s *Stream) finish(partsOnly bool) Result {
	if rest := s.objects.Rest(); rest != nil {
		cut := s.event(rest, partsOnly) // which counts and reports it
		cut.Parts = s.fail(truncatedAt(s.objects.Offset()))
		return cut
	}
	out := Result{Report: s.strayReport()}
	if offset, cut := s.objects.CutLine(); cut {
		out.Parts = s.fail(truncatedAt(offset))
		return out
	}
	if !s.known {
		out.Parts = s.fail(&InputError{Problem: "nothing in the input is an event of an agent",
			Err: ErrNoEvent})
		return out
	}
	s.ended = true
	out.Parts = FinishStream(&s.mapper)
	return out
}

func truncatedAt(offset int64) *InputError {
	return &InputError{Offset: offset, Problem: "the input ends within an event", Err: ErrTruncated}
}

// fail returns the parts for the end of a stream by an error.
func (s *Stream) fail(err error) []aisdkapi.Part {
	s.ended, s.err = true, err
	parts := s.mapper.closeText(nil)
	return append(parts, aisdk.NewErrorPart(err.Error()),
		s.mapper.finish(aisdkapi.UnifiedFinishReasonError))
}

// strayReport tells of text that was skipped on the way to the current object.
func (s *Stream) strayReport() report.Report {
	stray := s.objects.Stray()
	if stray.Length == 0 {
		return nil
	}
	var out report.Report
	out.Add(report.Lost, "/-",
		fmt.Sprintf("byte %d: %d bytes of text that are in no object", stray.Offset, stray.Length))
	return out
}

// inInput makes the pointers into the current object pointers into the input.
func (s *Stream) inInput(report report.Report) report.Report {
	for i := range report {
		report[i].Pointer = fmt.Sprintf("/%d%s", s.index, report[i].Pointer)
		report[i].Detail = fmt.Sprintf("event at byte %d: %s", s.objects.Offset(), report[i].Detail)
	}
	return report
}
