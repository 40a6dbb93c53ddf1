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

// MapNDJSON reads the events of an agent and returns their parts as they arrive. Like
// [Stream.Parts], it returns the parts of one turn. The sequence can be used once. It has no
// report; a [Stream] has one.
func MapNDJSON(r io.Reader, opts ...Option) iter.Seq2[aisdkapi.Part, error] {
	s := NewStream(r, opts...)
	s.unreported = true
	return s.Parts()
}

// Stream reads the events of an agent as JSON objects, by the rules of [ExtractJSONObjects]. It
// maps them by the rules of [MapNDJSONEvent]. It scans each byte once, and text with braces a few
// times. It keeps the bytes of one object and of what was read with it.
//
// A stream has one or more turns. A turn ends with a request that the client must answer. Its last
// parts are the tool call and the finish. Nothing more is read, and input that was read ahead is
// kept. After the answer, call [Stream.Parts] or [Stream.Results] again for the next turn. The last
// turn ends with the input: the end of an open text block and a finish.
//
// If reading fails, the stream ends with the end of an open text block, one [aisdkapi.ErrorPart], a
// finish with [aisdkapi.UnifiedFinishReasonError], and then the error. The error is an
// *[InputError] if the input ends within an event, or if nothing in it is an event of an agent.
// Other objects that are not JSON do not fail the stream; [Stream.Skipped] counts them.
//
// A Stream starts no goroutine and is not safe for concurrent use.
type Stream struct {
	options    options
	objects    *extractor
	mapper     MapperContext
	index      int  // of the next object
	known      bool // an event of a known type has arrived
	skipped    int
	session    SessionUpdate
	relay      jsontext.Value
	report     report.Report
	unreported bool // the caller does not read the report
	ended      bool
	err        error
}

// NewStream returns a stream that reads from r. It does not close r.
func NewStream(r io.Reader, opts ...Option) *Stream {
	o := option.New[options](opts)
	return &Stream{options: o, objects: newExtractor(r, o), mapper: MapperContext{options: o}}
}

// Parts returns the parts of the next turn. An error comes last, with a nil part.
//
// A loop that is left early drops the other parts of the current event. Another call continues with
// the next event. After the end it yields nothing. After an error it yields that error again.
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

// Report returns what is not in the parts that [Stream.Parts] has returned so far, and what
// [Stream.Discard] has left out. A pointer starts with the index of the object in the input. A
// detail has its byte offset. Text outside of objects has the pointer "/-". Data that only
// [Stream.Session] or [Stream.RelayRequest] has is listed as approximated.
func (s *Stream) Report() report.Report { return slices.Clip(s.report) }

// Results is like [Stream.Parts], but returns the result of each event. Pointers in a report start
// with the index of the object in the input. The parts at the end that belong to no event are a
// result too. [Stream.Report] does not repeat what the results report.
func (s *Stream) Results() iter.Seq2[Result, error] {
	return s.turn(false)
}

// Discard reads the rest of the input without mapping it, and ends the stream. [Stream.Report] then
// lists each remaining event as lost. Use it if you need only one turn but a complete report.
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

// discard reports an event, or the end for nil, and the text before it.
func (s *Stream) discard(object []byte) {
	s.report = append(s.report, s.strayReport()...)
	if object == nil {
		return
	}
	lost := report.Report{{Kind: report.Lost,
		Detail: "it comes after the request that ends the turn"}}
	s.report = append(s.report, s.inInput(lost)...)
	s.index++
}

// RelayRequest returns the event with the request that ended the last turn, as the agent sent it.
// It returns nil during a turn and after the end.
func (s *Stream) RelayRequest() jsontext.Value { return s.relay }

// Session returns the merged session updates of the events so far.
func (s *Stream) Session() SessionUpdate { return s.session }

// Skipped returns how many objects so far were omitted because they were not JSON.
func (s *Stream) Skipped() int { return s.skipped }

// turn runs one turn. partsOnly means that the caller uses only the parts.
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

// next returns the result of the next event, or the end.
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

// finish ends the stream at the end of the input.
func (s *Stream) finish(partsOnly bool) Result {
	if rest := s.objects.Rest(); rest != nil {
		cut := s.event(rest, partsOnly) // event counts and reports it
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

// fail returns the parts for a stream that ends with an error.
func (s *Stream) fail(err error) []aisdkapi.Part {
	s.ended, s.err = true, err
	parts := s.mapper.closeText(nil)
	return append(parts, aisdk.NewErrorPart(err.Error()),
		s.mapper.finish(aisdkapi.UnifiedFinishReasonError))
}

// strayReport reports text that was skipped before the current object.
func (s *Stream) strayReport() report.Report {
	stray := s.objects.Stray()
	if stray.Length == 0 {
		return nil
	}
	var out report.Report
	out.Add(report.Lost, "/-",
		fmt.Sprintf("byte %d: skipped %d bytes of text outside of objects", stray.Offset, stray.Length))
	return out
}

// inInput converts pointers into the current object to pointers into the input.
func (s *Stream) inInput(report report.Report) report.Report {
	for i := range report {
		report[i].Pointer = fmt.Sprintf("/%d%s", s.index, report[i].Pointer)
		report[i].Detail = fmt.Sprintf("event at byte %d: %s", s.objects.Offset(), report[i].Detail)
	}
	return report
}
