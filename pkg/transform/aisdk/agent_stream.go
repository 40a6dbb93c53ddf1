package aisdk

import (
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/go-json-experiment/json/jsontext"
)

// MapNDJSON reads the events of an agent and returns their parts as they arrive: those of one turn,
// as [AgentStream.Parts] does. The sequence can be walked through once.
func MapNDJSON(r io.Reader, opts ...AgentOption) iter.Seq2[Part, error] {
	return NewAgentStream(r, opts...).Parts()
}

// AgentStream reads the events of an agent as JSON objects, by the rules of [Extractor], and maps
// them, by those of [MapNDJSONEvent].
//
// A stream has one or more turns. A turn ends with a request that the client has to answer: its last
// parts are the tool call and its finish, nothing more is read, and what was read ahead is kept. When
// the answer has been given, walking through [AgentStream.Parts] or [AgentStream.Results] again is
// the next turn. The last turn ends with the input: the end of an open text block and a finish.
//
// When reading fails, the stream ends with the end of an open text block, one [ErrorPart], a finish
// by [FinishError], and after them the error itself. Objects that are not JSON do not fail the
// stream; they are counted by [AgentStream.Skipped].
//
// An AgentStream starts no goroutine, and is for one.
type AgentStream struct {
	options agentOptions
	objects *Extractor
	mapper  MapperContext
	index   int // of the next object
	skipped int
	relay   jsontext.Value
	ended   bool
	err     error
}

// NewAgentStream returns a stream that reads from r. It does not close r.
func NewAgentStream(r io.Reader, opts ...AgentOption) *AgentStream {
	o := newAgentOptions(opts)
	return &AgentStream{options: o, objects: newExtractor(r, o), mapper: MapperContext{options: o}}
}

// Parts returns the parts of the next turn. An error is the last thing it yields, with a nil part.
//
// A loop that breaks off gives up the other parts of the event that it was in, and can go on with the
// next event by another call. After the end there are no more parts, after an error only the error.
func (s *AgentStream) Parts() iter.Seq2[Part, error] {
	return func(yield func(Part, error) bool) {
		for result, err := range s.turn(true) {
			if err != nil {
				yield(nil, err)
				return
			}
			if s.options.report != nil {
				*s.options.report = append(*s.options.report, result.Report...)
			}
			for _, part := range result.Parts {
				if !yield(part, nil) {
					return
				}
			}
		}
	}
}

// Results is like [AgentStream.Parts] for who wants to know more than the parts: it yields what each
// event stands for. The pointers in a report begin with the index of the object in the input. The
// parts that no event stands for, at the end, are a result too.
func (s *AgentStream) Results() iter.Seq2[Result, error] {
	return s.turn(false)
}

// Discard reads the rest of the input without mapping it, and has the report of [WithReport] list each
// event that is left as lost. It is for who wants one turn only and has to know what that leaves out,
// and ends the stream.
func (s *AgentStream) Discard() error {
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
func (s *AgentStream) discard(object []byte) {
	if s.options.report == nil {
		return
	}
	*s.options.report = append(*s.options.report, s.strayReport()...)
	if object == nil {
		return
	}
	lost := transform.Report{{Kind: transform.Lost, Detail: "it comes behind the request that ends the turn"}}
	*s.options.report = append(*s.options.report, s.place(lost)...)
	s.index++
}

// RelayRequest returns the request that ended the last turn: the event as the agent sent it. It is
// nil during a turn and after the end.
func (s *AgentStream) RelayRequest() jsontext.Value { return s.relay }

// Skipped returns how many objects so far were not JSON and have been left out.
func (s *AgentStream) Skipped() int { return s.skipped }

// turn runs one turn, for who takes only the parts or for who takes the results.
func (s *AgentStream) turn(partsOnly bool) iter.Seq2[Result, error] {
	return func(yield func(Result, error) bool) {
		s.relay = nil
		if !s.ended && s.options.responseID != "" {
			if !yield(Result{Parts: []Part{ResponseMetadata{ID: s.options.responseID}}}, nil) {
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
func (s *AgentStream) next(partsOnly bool) Result {
	object, err := s.objects.Next()
	switch {
	case err == nil:
		return s.event(object, partsOnly)
	case errors.Is(err, io.EOF):
		return s.finish(partsOnly)
	default:
		return s.fail(err)
	}
}

func (s *AgentStream) event(object []byte, partsOnly bool) Result {
	m := s.mapper.mapEvent(object)
	if m.malformed {
		s.skipped++
	}
	if !partsOnly || s.options.report != nil {
		m.out.Report = append(s.strayReport(), s.place(m.report(partsOnly))...)
	}
	s.index++
	return m.out
}

// finish ends the stream with the input. An object that the end cut off gets a try like all others,
// which is how it comes to be counted and reported.
func (s *AgentStream) finish(partsOnly bool) Result {
	var out Result
	if rest := s.objects.Rest(); rest != nil {
		out = s.event(rest, partsOnly)
	} else {
		out.Report = s.strayReport()
	}
	s.ended = true
	out.Parts = append(out.Parts, FinishStream(&s.mapper)...)
	return out
}

func (s *AgentStream) fail(err error) Result {
	s.ended, s.err = true, err
	parts := s.mapper.closeText(nil)
	return Result{Parts: append(parts, NewErrorPart(err.Error()), s.mapper.finish(FinishError))}
}

// strayReport tells of text that was skipped on the way to the current object.
func (s *AgentStream) strayReport() transform.Report {
	stray := s.objects.Stray()
	if stray.Length == 0 {
		return nil
	}
	var out transform.Report
	out.Add(transform.Lost, "/-", fmt.Sprintf("byte %d: %d bytes of text that are in no object", stray.Offset, stray.Length))
	return out
}

// place makes the pointers into the current object pointers into the input.
func (s *AgentStream) place(report transform.Report) transform.Report {
	for i := range report {
		report[i].Pointer = fmt.Sprintf("/%d%s", s.index, report[i].Pointer)
		report[i].Detail = fmt.Sprintf("event at byte %d: %s", s.objects.Offset(), report[i].Detail)
	}
	return report
}
