package normalize

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/candidatelist"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform"
)

// Events normalises a stream: it yields the events of its chunks as they come, and at last EventDone
// or EventError. An error of chunks ends the stream, and what chunks yields after it is not read. The
// chunks of a [gemini.StreamReader] are those of its method All.
//
//	reader := gemini.NewStreamReader(body)
//	for event := range normalize.Events(reader.All()) {
//		fmt.Print(event.Text)
//	}
func Events(chunks iter.Seq2[*geminiapi.GenerateContentResponse, error], opts ...Option) iter.Seq[Event] {
	return func(yield func(Event) bool) {
		s := NewStream(opts...)
		var failure error
		for chunk, err := range chunks {
			if err != nil {
				failure = err
				break
			}
			events, err := s.Push(chunk)
			for i := range events {
				if !yield(events[i]) {
					return
				}
			}
			if err != nil {
				return
			}
		}
		events, _ := s.Close(failure) // the last event has the error
		for i := range events {
			if !yield(events[i]) {
				return
			}
		}
	}
}

// Stream normalises a stream chunk by chunk, for callers that are not in a position to loop over
// [Events]. It is a state machine with two inputs:
//
//	          a chunk                a chunk              end after a finish reason
//	created ───────────► started ─────────────► started ───────────────────────────► ended
//	   │      start, ...    │        ...                   finish, ..., done           ▲
//	   │                    │                                                          │
//	   └────────────────────┴──────────────────────────────────────────────────────────┘
//	      an error chunk, an error of the reader, the end without a finish reason
//	                           finish, ..., error
//
// Within it, each candidate has the states of its content, which [MergeChunks] describes too: a text
// or thought that the next part may continue, a tool call that is not complete, or neither.
//
// EventStart comes once and before all else. Every EventToolCallStart has its EventToolCallDone, with
// no event of another part of the same candidate between them. Nothing comes after EventDone or
// EventError, of which every closed stream has exactly one. The events of several candidates may be
// interleaved.
//
// It accepts whatever the codec decodes: chunks without candidates, candidates without content, text
// after a finish reason, a finish reason in every chunk, of which the last one counts. What only one
// chunk tells is not lost. A Stream keeps no text, except the arguments of a call that is not
// complete. It is not safe for use by several goroutines.
type Stream struct {
	normalizer // whose response is soFar

	soFar      Response       // without candidates
	merged     responseMerger // of the chunks so far
	usage      *Usage         // that of the last event which had one
	state      streamState
	at         Location // of what is being normalised
	candidates candidatelist.List[candidateStream]
	events     []Event
	err        error // why the stream ended
}

type streamState int

const (
	streamCreated streamState = iota
	streamStarted
	streamEnded
)

// candidateStream is the state of one candidate.
type candidateStream struct {
	partJoiner
	index   int
	hasCall bool

	wire       geminiapi.Candidate // what the chunks say so far, without parts and lists
	content    geminiapi.Content   // of wire
	lists      *grownLists         // of which only the sources are kept
	provenance provenance
	at         Location // in the last chunk that had it

	call         *streamedCall // the call that is not complete
	callPosition partPosition
	callSource   Location // of its last piece
	callID       string
	callMade     bool // by this package
}

// NewStream returns a stream that has seen no chunk yet. The ids of [WithToolCallIDs] are made when a
// call begins, from the response's id as far as it is known then.
func NewStream(opts ...Option) *Stream {
	s := &Stream{}
	s.out = &s.soFar
	for _, opt := range opts {
		opt(&s.options)
	}
	return s
}

// Reset makes the stream one that has seen no chunk yet, for another response, with the options that it
// has. The events that it returned are not valid any more: their room is used again.
func (s *Stream) Reset() {
	s.forget()
	if cap(s.events) > maxKept {
		s.events = nil
	}
	if cap(s.merged.log.entries) > maxKept {
		s.merged.log.entries = nil
	}
	entries := s.merged.log.entries
	clear(entries)
	*s = Stream{normalizer: normalizer{options: s.options}, events: s.events}
	s.merged.log.entries = entries[:0]
	s.out = &s.soFar
}

// maxKept is how many events, and how many entries of the report, are worth keeping room for.
const maxKept = 32

// errEnded is what Push returns behind a proper end.
var errEnded = errors.New("normalize: the stream has ended")

// errUnfinished is why a stream fails that only stopped.
var errUnfinished = fmt.Errorf("normalize: no chunk of the stream has a finish reason: %w", gemini.ErrTruncated)

// Push returns the events of the next chunk, possibly none. They are valid until the next call of
// Push or Close; a copy of an event stays valid.
//
// An error means that the chunk ended the stream: the last event is EventError, and err is why, as
// [FromResponse] would return it. The pointer of a *[PartError] begins with the chunk's position, as
// if the stream were a list of its chunks. Push after the end returns no events, and an error.
func (s *Stream) Push(chunk *geminiapi.GenerateContentResponse) (events []Event, err error) {
	s.forget()
	s.at = Location{chunk: s.at.chunk + 1}
	switch {
	case s.state == streamEnded:
		s.merged.log.add(s.at, transform.Lost, "", detailBehindEnd, forAll)
		return nil, cmp.Or(s.err, errEnded)
	case chunk == nil:
		return nil, nil
	}
	if err := s.chunk(chunk); err != nil {
		if part, ok := errors.AsType[*PartError](err); ok {
			part.Pointer = Location{chunk: s.at.chunk}.Pointer(part.Pointer)
		}
		s.fail(err)
		return s.events, err
	}
	return s.events, nil
}

// Close ends the stream and returns its last events, valid like those of [Stream.Push]. err is why
// there are no more chunks: nil or [io.EOF] when the body came to its end, and else what reading it
// failed with.
//
// The error is why the stream failed, which the last event says too. A stream without a finish reason
// and a block reason fails even when its body came to its end, with [gemini.ErrTruncated] in the chain;
// one whose prompt was refused fails with a *[BlockedError], without candidates. Close after the end
// returns nothing.
func (s *Stream) Close(err error) ([]Event, error) {
	s.forget()
	if s.state == streamEnded {
		return nil, nil
	}
	s.at = Location{chunk: s.at.chunk}
	switch blocked := newBlockedError(s.out); {
	case err != nil && err != io.EOF:
		s.fail(err)
	case blocked != nil:
		s.fail(blocked)
	case !s.isFinished():
		s.fail(errUnfinished)
	default:
		for _, c := range s.candidates.Values() {
			s.finish(c)
		}
		s.end(EventDone)
	}
	return s.events, s.err
}

// fail ends the stream in an error. A candidate that said why it ended has ended.
func (s *Stream) fail(err error) {
	s.err = err
	for _, c := range s.candidates.Values() {
		if c.isFinished() {
			s.finish(c)
		} else {
			s.endCall(c, false)
			c.reportUnfinished()
		}
	}
	s.end(EventError).Error = streamFailure(err)
}

// streamFailure describes an error of a stream. What the API reports within one has the status of its
// own, not that of the reply.
func streamFailure(err error) *Error {
	if cause, ok := errors.AsType[*gemini.Error](err); ok {
		out := newStreamError(cause)
		out.Err = err
		return out
	}
	return FromError(err)
}

func (s *Stream) end(last EventType) *Event {
	s.state = streamEnded
	s.candidates = candidatelist.List[candidateStream]{}
	e := s.emit(last, 0, 0)
	e.Usage = s.usageSoFar()
	return e
}

func (s *Stream) finish(c *candidateStream) {
	reason := deref(c.wire.FinishReason)
	s.endCall(c, c.call.mayEnd() && endsCall(reason))
	e := s.emit(EventFinish, c.index, 0)
	e.Source = c.end()
	e.Role = deref(c.content.Role)
	e.FinishReason = finishWithTools(MapFinishReason(reason), c.hasCall)
	e.NativeFinishReason = reason
	e.FinishMessage = deref(c.wire.FinishMessage)
}

// end returns where the finish reason stood, or would have stood.
func (c *candidateStream) end() Location {
	if m := c.provenance.member(memberFinishReason); m != nil && m.value != "" {
		return m.locations.latest()
	}
	return c.at
}

// isFinished reports whether a candidate told why it ended.
func (s *Stream) isFinished() bool {
	for _, c := range s.candidates.Values() {
		if c.isFinished() {
			return true
		}
	}
	return false
}

func (c *candidateStream) isFinished() bool {
	return c.wire.FinishReason != nil && !isUnspecified(*c.wire.FinishReason)
}

// forget makes room for the next events, and lets go of the chunk that the last ones point into.
func (s *Stream) forget() {
	clear(s.events)
	s.events = s.events[:0]
}

// usualEvents is how many events the first chunk of a stream gives: its start, a text and the usage.
const usualEvents = 3

// emit appends an event, for the caller to complete. It is written in place, as events are large.
func (s *Stream) emit(typ EventType, candidate, part int) *Event {
	n := len(s.events)
	if n == cap(s.events) {
		s.events = append(make([]Event, 0, 2*n+usualEvents), s.events...)
	}
	s.events = s.events[:n+1] // the room is zero: it is made so, and forget leaves it so
	e := &s.events[n]
	e.Type, e.Candidate, e.Part, e.Source = typ, candidate, part, s.at
	return e
}

// chunk emits the events of a chunk.
func (s *Stream) chunk(chunk *geminiapi.GenerateContentResponse) error {
	if err := envelopeError(chunk); err != nil {
		return err
	}
	extra := s.responseExtra(chunk)
	if s.state == streamCreated || extra != nil || chunk.PromptFeedback != nil { // else there is nothing new
		s.merge(chunk)
	}
	if s.state == streamCreated {
		s.state = streamStarted
		e := s.emit(EventStart, 0, 0)
		e.Model, e.ID, e.CreateTime = s.out.Model, s.out.ID, s.out.CreateTime
	}
	if chunk.PromptFeedback != nil {
		s.emit(EventPromptFeedback, 0, 0).PromptFeedback = chunk.PromptFeedback
	}
	at := s.at
	for i, index := range CandidateIndexes(chunk.Candidates) {
		s.at = at.InCandidate(i)
		if err := s.candidate(s.candidateAt(index), &chunk.Candidates[i]); err != nil {
			return err
		}
	}
	s.at = at
	s.emitUsage(chunk.UsageMetadata)
	if extra != nil {
		s.emit(EventResponseExtra, 0, 0).ResponseExtra = extra
	}
	return nil
}

// responseExtra returns what no other event has of the response as a whole, an identity that comes late
// or is another one included; nil if there is nothing.
func (s *Stream) responseExtra(chunk *geminiapi.GenerateContentResponse) *geminiapi.GenerateContentResponse {
	extra, known := responseExtra(chunk), &s.merged.wire
	id := lateIdentity(known.ResponseID, chunk.ResponseID)
	model := lateIdentity(known.ModelVersion, chunk.ModelVersion)
	created := lateIdentity(known.CreateTime, chunk.CreateTime)
	if s.state == streamCreated || id == nil && model == nil && created == nil {
		return extra
	}
	if extra == nil {
		extra = &geminiapi.GenerateContentResponse{}
	}
	extra.ResponseID, extra.ModelVersion, extra.CreateTime = id, model, created
	return extra
}

// lateIdentity returns what a chunk says if that is not known, else nil.
func lateIdentity(known, later *string) *string {
	if deref(later) == "" || deref(later) == deref(known) {
		return nil
	}
	return later
}

// merge takes over what a chunk has about the response as a whole.
func (s *Stream) merge(chunk *geminiapi.GenerateContentResponse) {
	s.merged.add(chunk, s.at)
	wire := &s.merged.wire
	s.out.PromptFeedback = wire.PromptFeedback
	s.out.ID, s.out.Model, s.out.CreateTime = deref(wire.ResponseID), deref(wire.ModelVersion), deref(wire.CreateTime)
}

// emitUsage emits the usage if the counts have changed.
func (s *Stream) emitUsage(wire *geminiapi.UsageMetadata) {
	if wire == nil {
		return
	}
	s.merged.addUsage(wire, s.at)
	before := s.out.Usage
	s.out.Usage = NewUsage(s.merged.wire.UsageMetadata)
	before.Wire = s.out.Usage.Wire
	if before != s.out.Usage {
		s.emit(EventUsage, 0, 0).Usage = s.usageSoFar()
		s.merged.usage.emitted()
	}
}

// usageSoFar returns the usage for an event to keep.
func (s *Stream) usageSoFar() *Usage {
	if s.usage == nil || *s.usage != s.out.Usage {
		s.usage = new(s.out.Usage)
	}
	return s.usage
}

// candidate emits the events of a candidate in a chunk.
func (s *Stream) candidate(c *candidateStream, wire *geminiapi.Candidate) error {
	c.at = s.at
	if wire.Content != nil {
		for i := range wire.Content.Parts {
			s.at = c.at.InPart(i)
			if err := s.part(c, &wire.Content.Parts[i]); err != nil {
				return atPart(err, partPosition{candidate: c.index, part: c.last()}, s.at)
			}
		}
		s.at = c.at
	}
	c.merge(wire)
	s.metadata(c, wire)
	return nil
}

// merge takes over what a chunk has about a candidate besides the parts and the lists.
func (c *candidateStream) merge(wire *geminiapi.Candidate) {
	c.provenance.at = c.at
	mergeCandidate(&c.provenance, &c.wire, withoutLists(wire), &c.lists)
	if wire.GroundingMetadata != nil {
		c.lists.addSources(&c.provenance, wire.GroundingMetadata)
	}
}

// atPart gives a *[PartError], whose pointer is that of a position in the content of all chunks, that of
// the part in the chunk.
func atPart(err error, merged partPosition, source Location) error {
	if e, ok := errors.AsType[*PartError](err); ok {
		e.Pointer = Location{candidate: source.candidate, part: source.part}.Pointer(strings.TrimPrefix(e.Pointer, merged.pointer("")))
	}
	return err
}

func (s *Stream) candidateAt(index int) *candidateStream {
	c := s.candidates.At(index)
	if c.provenance.log == nil {
		c.index, c.wire.Content, c.provenance.log = index, &c.content, &s.merged.log
	}
	return c
}

// metadata emits what a chunk has about a candidate besides its parts.
func (s *Stream) metadata(c *candidateStream, wire *geminiapi.Candidate) {
	if wire.GroundingMetadata != nil {
		s.emit(EventGrounding, c.index, 0).Grounding = wire.GroundingMetadata
	}
	if wire.CitationMetadata != nil {
		s.emit(EventCitations, c.index, 0).Citations = wire.CitationMetadata
	}
	if wire.URLContextMetadata != nil {
		s.emit(EventURLContext, c.index, 0).URLContext = wire.URLContextMetadata
	}
	if logprobs := newLogprobs(wire); logprobs != nil {
		s.emit(EventLogprobs, c.index, 0).Logprobs = logprobs
	}
	if len(wire.SafetyRatings) > 0 {
		s.emit(EventSafety, c.index, 0).SafetyRatings = wire.SafetyRatings
	}
	if extra := chunkExtra(wire); extra != nil {
		s.emit(EventCandidateExtra, c.index, 0).CandidateExtra = extra
	}
}

// chunkExtra keeps what no other event has of a candidate.
func chunkExtra(wire *geminiapi.Candidate) *geminiapi.Candidate {
	if wire.CitationMetadata == nil && wire.URLContextMetadata == nil {
		return candidateExtra(wire)
	}
	rest := *wire
	rest.CitationMetadata, rest.URLContextMetadata = nil, nil // whole in events of their own
	return candidateExtra(&rest)
}
