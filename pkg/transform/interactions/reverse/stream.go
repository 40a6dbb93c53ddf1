package reverse

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/report"
	answers "github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/wire"
)

// Stream converts the events of a streamed interaction, as they arrive, to the chunks of a Gemini
// stream.
//
// A piece of a text, a summary of a thought, an image and a sound are passed on at once. A function
// call and a step of a tool are one part, when the step stops. One last chunk has the finish
// reason, the token counts, the sources and a signature that no part had. Steps stay in the order
// in which they began: what a step says waits until the steps before it have stopped.
//
// The chunks, joined by [normalize.MergeChunks], equal the result of [ToGemini] for the whole
// interaction, with these differences. The signature of an output follows the output, on a part
// with an empty text. If the step of a text has an extension, a part before the text has it.
// Unknown members of a piece of a text are lost. Pieces of a sound are parts.
//
// If a server replays a stream from the beginning, only what is new is passed on. Stream keeps the
// text of the open step, because annotations can cite it. It is not safe for concurrent use.
type Stream struct {
	answer
	pushed int
	// about collects what events say about the interaction except its steps.
	about interactions.Accumulator
	// created and completed are the interactions of the events of these types.
	created, completed *interactionsapi.Interaction
	origin             origin
	queue              []*openStep // the first one is passed on at once
	finished           int         // steps so far
	replay             replay
	counts             counts

	parts  []geminiapi.Part // to be sent
	memory *chunkMemory     // of parts, or nil
	reused *chunkMemory     // of every chunk; nil if callers may keep chunks
	joined int              // of parts
	joiner merge.Joiner
	length int // of the text of the last joined part

	ended bool
	err   error // why the stream failed
}

// NewStream returns a new stream.
func NewStream(opts ...Option) *Stream {
	s := &Stream{}
	s.options = option.New[options](opts)
	s.begin()
	s.convert.Annotate = s.annotateWhole
	return s
}

// Push converts the next event of the stream. The event must not be changed while the stream is in
// use. A piece of content gives one chunk, and interaction.completed gives the last chunk. The list
// and its elements stay valid.
//
// An error means that the event ended the stream. It is an *[interactions.Error] for an event of
// type error and for an interaction that failed without steps. It wraps
// [interactions.ErrOldRevision] for events of the revision before May 2026. An error with the code
// content_blocked is not an error: the last chunk says that a filter refused the prompt or the
// answer. After the end, Push returns the same error again. After a stream that completed, it
// returns an error that says so.
func (s *Stream) Push(e *interactionsapi.StreamEvent) ([]*geminiapi.GenerateContentResponse,
	error) {
	if s.ended {
		return nil, cmp.Or(s.err, answers.ErrEnded("interactions: reverse"))
	}
	if s.pushed++; e == nil {
		return nil, nil
	}
	if err := oldEvent(e); err != nil {
		return s.fail(err)
	}
	before := len(s.entries)
	chunks, err := s.event(e)
	s.filter(before)
	return chunks, err
}

// filter removes the entries from a position that are not losses, if only losses are wanted.
func (s *Stream) filter(before int) {
	if s.lossesOnly && before < len(s.entries) {
		s.entries = append(s.entries[:before], s.entries[before:].Of(report.Lost)...)
	}
}

// event converts an event by its type.
func (s *Stream) event(e *interactionsapi.StreamEvent) ([]*geminiapi.GenerateContentResponse,
	error) {
	s.reportEvent(e)
	switch e.EventType {
	case interactionsapi.EventTypeInteractionCreated:
		s.create(e)
	case interactionsapi.EventTypeStepStart:
		s.start(e)
	case interactionsapi.EventTypeStepDelta:
		s.delta(e)
	case interactionsapi.EventTypeStepStop:
		s.stop(e)
	case interactionsapi.EventTypeInteractionCompleted:
		return s.complete(e)
	case interactionsapi.EventTypeError:
		body := interactionsapi.ErrorResponse{}
		if e.Error != nil {
			body.Error = *e.Error
		}
		return s.fail(&interactions.Error{Response: body})
	default:
		s.update(e)
	}
	return s.chunk(), nil
}

// Close ends a stream. err is why no more events came: nil or [io.EOF] after the mark [DONE], else
// the error of reading. After interaction.completed Close returns nothing. Before it the stream is
// incomplete, and Close fails with err or with an error that wraps [wire.ErrTruncated].
func (s *Stream) Close(err error) ([]*geminiapi.GenerateContentResponse, error) {
	defer s.filter(len(s.entries))
	switch {
	case s.ended:
		return nil, nil
	case err == nil || errors.Is(err, io.EOF) && !errors.Is(err, wire.ErrTruncated):
		return s.fail(errIncomplete)
	default:
		return s.fail(err)
	}
}

// errIncomplete is returned for a stream without interaction.completed.
var errIncomplete = fmt.Errorf("interactions: reverse: the stream ended without "+
	"interaction.completed: %w", wire.ErrTruncated)

// oldEvent returns an error for an event of the revision before May 2026.
func oldEvent(e *interactionsapi.StreamEvent) error {
	if e.Interaction != nil && interactions.OldRevision(e.Interaction) {
		return errOldRevision
	}
	if e.EventType == "interaction.start" || e.EventType == "interaction.complete" ||
		strings.HasPrefix(string(e.EventType), "content.") {
		return oldRevision("/event_type", "an event of the revision before May 2026")
	}
	return nil
}

// fail ends a stream that failed. What a filter refused is a proper end.
func (s *Stream) fail(err error) ([]*geminiapi.GenerateContentResponse, error) {
	s.ended = true
	reported, ok := errors.AsType[*interactions.Error](err)
	if !ok || reported.Code() != interactions.CodeContentBlocked {
		s.err = err
		return nil, err
	}
	s.in = new(*s.about.Interaction())
	s.in.Status = interactionsapi.InteractionStatusFailed
	s.in.Errors = []interactionsapi.Error{reported.Response.Error}
	return s.last(), nil
}

// Report returns what was added, approximated or lost. Its JSON pointers refer to the stream as a
// list of events, for example /3/delta/annotations. It grows with the stream and is complete after
// the end, unless the end was an error.
func (s *Stream) Report() report.Report { return s.entries }

// Lost returns the losses in [Stream.Report] so far, or nil.
func (s *Stream) Lost() report.Report { return s.entries.Of(report.Lost) }

// Chunks converts a whole stream of events, such as [interactions.StreamReader.All], one by one as
// they arrive. An error is the last pair, with a nil chunk. A stream that completes has no error.
func (s *Stream) Chunks(events iter.Seq2[*interactionsapi.StreamEvent,
	error]) iter.Seq2[*geminiapi.GenerateContentResponse, error] {
	return answers.Events(s, events)
}

// at returns the pointer of the event.
func (s *Stream) at() string { return eventPointer(s.pushed - 1) }

func eventPointer(i int) string { return "/" + strconv.Itoa(i) }

// chunk returns the chunk with the parts to be sent, if they show anything.
func (s *Stream) chunk() []*geminiapi.GenerateContentResponse {
	s.join()
	if !showsContent(s.parts) {
		return nil
	}
	memory := s.memory
	if s.memory = nil; memory == nil {
		memory = s.newMemory()
	}
	memory.content.Role, memory.content.Parts = &role, s.parts
	memory.candidate[0].Index, memory.candidate[0].Content = &firstIndex, &memory.content
	out := &memory.answer
	out.Candidates = memory.candidate[:]
	out.ResponseID, out.ModelVersion = s.origin.id, s.origin.model
	out.UsageMetadata = s.counts.take()
	s.parts, s.joined, s.sent = nil, 0, true
	memory.list[0] = out
	return memory.list[:]
}

// chunkMemory is the memory of a chunk with one part.
type chunkMemory struct {
	list      [1]*geminiapi.GenerateContentResponse
	answer    geminiapi.GenerateContentResponse
	candidate [1]geminiapi.Candidate
	content   geminiapi.Content
	parts     [1]geminiapi.Part
}

// newMemory returns memory for the next chunk.
func (s *Stream) newMemory() *chunkMemory {
	if s.reused == nil {
		return &chunkMemory{}
	}
	return s.reused // whose members are all set again
}

// These are members of the parts and the candidates of chunks. They are never written to.
var role, firstIndex, isThought = modelRole, 0, true

// showsContent reports whether parts have more than a signature. A signature waits for the next
// chunk.
func showsContent(parts []geminiapi.Part) bool {
	for i := range parts {
		if p := &parts[i]; p.Text == nil || *p.Text != "" || p.ThoughtSignature == nil {
			return true
		}
	}
	return false
}

// join finds the position of each new part in the answer that clients join.
func (s *Stream) join() {
	for ; s.joined < len(s.parts); s.joined++ {
		p := &s.parts[s.joined]
		if s.joiner.Join(p) == merge.BeginPart {
			s.length = 0
		}
		s.length += len(jsonx.Deref(p.Text))
	}
}

// annotateWhole takes the annotations of a text without a byte.
func (s *Stream) annotateWhole(_ int, text string, annotations []interactionsapi.Annotation,
	pointer string) {
	s.annotate(place{part: s.joiner.Last() + 1, text: text}, annotations,
		func(int) string { return pointer })
}
