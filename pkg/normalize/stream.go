package normalize

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/wire"
)

// Events normalises a stream. It yields the events of its chunks as they arrive, and finally
// EventDone or EventError. An error from chunks ends the stream; later values of chunks are not
// read. Use the method All of a [gemini.StreamReader] for chunks.
//
//	reader := gemini.NewStreamReader(body)
//	for event := range normalize.Events(reader.All()) {
//		fmt.Print(event.Text)
//	}
func Events(chunks iter.Seq2[*geminiapi.GenerateContentResponse, error],
	opts ...Option) iter.Seq[Event] {
	return func(yield func(Event) bool) {
		s := NewStream(opts...)
		s.merged.Log.LossesOnly = true // no other entries can be requested
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

// Stream normalises a stream chunk by chunk, for callers that cannot loop over [Events]. It is a
// state machine with two inputs:
//
//	          a chunk                a chunk              end after a finish reason
//	created ───────────► started ─────────────► started ───────────────────────────► ended
//	   │      start, ...    │        ...                   finish, ..., done           ▲
//	   │                    │                                                          │
//	   └────────────────────┴──────────────────────────────────────────────────────────┘
//	      an error chunk, an error of the reader, the end without a finish reason
//	                           finish, ..., error
//
// Each candidate has the states of its content, which [MergeChunks] describes, too: a text or
// thought that the next part may continue, an incomplete tool call, or neither.
//
// EventStart comes once and first. Every EventToolCallStart has its EventToolCallDone, with no
// event of another part of the same candidate between them. A closed stream has exactly one
// EventDone or EventError, and it is the last event. The events of several candidates may be
// interleaved.
//
// Stream accepts everything that the codec decodes: chunks without candidates, candidates without
// content, text after a finish reason, a finish reason in every chunk (the last one counts). A
// value that only one chunk has is not lost. A Stream keeps no text except the arguments of an
// incomplete call. It is not safe for concurrent use.
type Stream struct {
	normalizer // whose response is soFar

	soFar      Response       // without candidates
	merged     merge.Response // of the chunks so far
	lastUsage  *Usage         // of the last event that has one
	state      streamState
	first      merge.Location // of the chunk that began the response
	at         merge.Location // of the value that is being normalised
	candidates jsonx.IndexedList[candidateStream]
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
	merge.Joiner
	merged  merge.TracedCandidate // what the chunks say so far, without the lists
	index   int
	hasCall bool
	at      merge.Location // in the last chunk that had it

	call *openCall // that is not complete
}

// openCall is a call that arrives in pieces and is not complete.
type openCall struct {
	merge.Call
	position partPosition
	source   merge.Location // of its last piece
	id       string
	madeID   bool // by this package
}

// callMayEnd reports whether a call may be complete although its last piece says that it continues.
func (c *candidateStream) callMayEnd() bool { return c.call != nil && c.call.MayEnd() }

// NewStream returns a stream that has seen no chunk yet. The ids of [WithToolCallIDs] are made when
// a call begins, from the response's id if it is known by then.
func NewStream(opts ...Option) *Stream {
	s := &Stream{}
	s.out = &s.soFar
	option.Apply(&s.options, opts)
	s.merged.Log.LossesOnly = s.lossesOnly
	return s
}

// Reset prepares the stream for another response and keeps its options. Events that it returned
// before are no longer valid, because their memory is reused.
func (s *Stream) Reset() {
	s.forget()
	if cap(s.events) > maxKept {
		s.events = nil
	}
	*s = Stream{normalizer: normalizer{options: s.options},
		merged: merge.Response{Log: s.merged.Log.Reset()}, events: s.events}
	s.out = &s.soFar
}

// maxKept is the number of events up to which the memory is kept for reuse.
const maxKept = 32

// errEnded is returned by Push after the end of the stream.
var errEnded = errors.New("normalize: the stream has ended")

// errUnfinished is the error of a stream that stops without a finish reason.
var errUnfinished = fmt.Errorf("normalize: no chunk of the stream has a finish reason: %w",
	wire.ErrTruncated)

// Push returns the events of the next chunk, possibly none. They are valid until the next call of
// Push or Close; a copy of an event stays valid.
//
// An error means that the chunk ended the stream. The last event is then EventError, and err is the
// error that [FromResponse] would return. The pointer of a *[PartError] begins with the chunk's
// position, as if the stream were a list of its chunks. After the end, Push returns no events and
// an error.
func (s *Stream) Push(chunk *geminiapi.GenerateContentResponse) (events []Event, err error) {
	s.forget()
	s.at = merge.InChunk(s.at.Chunk() + 1)
	switch {
	case s.state == streamEnded:
		s.merged.Log.Add(s.at, report.Lost, "", "it came after the end of the stream", merge.ForAll)
		return nil, cmp.Or(s.err, errEnded)
	case chunk == nil:
		return nil, nil
	}
	if err := s.chunk(chunk); err != nil {
		s.fail(err)
		return s.events, err
	}
	return s.events, nil
}

// Close ends the stream and returns its last events, which stay valid as long as the events of
// [Stream.Push]. err says why no more chunks follow: nil or [io.EOF] at the end of the body, else
// the error of reading it. Close treats a *[gemini.Error] as an error within the stream. For an
// error that replaced the stream, pass the *[Error] that [FromError] returns.
//
// The returned error says why the stream failed, as the last event does. A stream without a finish
// reason and without a block reason fails even at the end of the body; the error wraps
// [wire.ErrTruncated]. A stream whose prompt was refused fails with a *[BlockedError], after the
// finish events of its candidates. After the end, Close returns nothing.
func (s *Stream) Close(err error) ([]Event, error) {
	s.forget()
	if s.state == streamEnded {
		return nil, nil
	}
	s.at = s.Location().at
	switch blocked := newBlockedError(s.out, s.candidates.Len() > 0); {
	case err != nil && err != io.EOF:
		s.fail(err)
	case blocked != nil:
		s.finishAll()
		s.endInError(blocked)
	case !s.isFinished():
		s.fail(errUnfinished)
	default:
		s.finishAll()
		s.end(EventDone)
	}
	return s.events, s.err
}

// fail ends the stream with an error. Candidates with a finish reason end properly, unless content
// arrived after it: their last finish reason is missing.
func (s *Stream) fail(err error) {
	for _, c := range s.candidates.Values() {
		if c.merged.HasEnded() {
			s.finish(c)
		} else {
			s.endCall(c, false)
			c.merged.LoseEnd(&s.merged.Log)
		}
	}
	s.endInError(err)
}

func (s *Stream) endInError(err error) {
	s.err = err
	s.end(EventError).Error = streamFailure(err)
}

// finishAll ends all candidates of a complete stream, with or without a finish reason.
func (s *Stream) finishAll() {
	for _, c := range s.candidates.Values() {
		s.finish(c)
	}
}

// streamFailure describes an error of a stream. An error that the API reports within a stream has
// its own status, not the status of the HTTP reply. Callers that know that the reply itself failed
// pass an *[Error].
func streamFailure(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if cause, ok := errors.AsType[*gemini.Error](err); ok {
		return newStreamError(cause, err)
	}
	return FromError(err)
}

func (s *Stream) end(last EventType) *Event {
	s.state = streamEnded
	s.candidates = jsonx.IndexedList[candidateStream]{}
	e := s.emit(last, 0, 0)
	e.Usage = s.usageSoFar()
	return e
}

func (s *Stream) finish(c *candidateStream) {
	wire := &c.merged.Wire
	reason := jsonx.Deref(wire.FinishReason)
	s.endCall(c, c.callMayEnd() && merge.EndsCall(reason))
	e := s.emit(EventFinish, c.index, 0)
	if e.Source.at = c.merged.End(); e.Source.IsZero() {
		e.Source.at = c.at // where the reason would have stood
	}
	if wire.Content != nil {
		e.Role = jsonx.Deref(wire.Content.Role)
	}
	e.FinishReason = finishWithTools(MapFinishReason(reason), c.hasCall)
	e.NativeFinishReason = reason
	e.FinishMessage = jsonx.Deref(wire.FinishMessage)
}

// isFinished reports whether a candidate has a finish reason.
func (s *Stream) isFinished() bool {
	for _, c := range s.candidates.Values() {
		if c.merged.IsFinished() {
			return true
		}
	}
	return false
}

// forget reuses the memory of the events and releases the chunk that the last events point into.
func (s *Stream) forget() {
	clear(s.events)
	s.events = s.events[:0]
}

// usualEvents is the number of events of a stream's first chunk: its start, a text and the usage.
const usualEvents = 3

// emit appends an event for the caller to complete. It is written in place, because events are
// large.
func (s *Stream) emit(typ EventType, candidate, part int) *Event {
	n := len(s.events)
	if n == cap(s.events) {
		s.events = append(make([]Event, 0, 2*n+usualEvents), s.events...)
	}
	s.events = s.events[:n+1] // the room is zero: it is made so, and forget leaves it so
	e := &s.events[n]
	e.Type, e.Candidate, e.Part, e.Source = typ, candidate, part, Location{s.at}
	return e
}

// chunk emits the events of a chunk.
func (s *Stream) chunk(chunk *geminiapi.GenerateContentResponse) error {
	if err := envelopeError(chunk); err != nil {
		return err
	}
	extra := s.responseExtra(chunk)
	// else nothing is new
	if s.state == streamCreated || extra != nil || chunk.PromptFeedback != nil {
		s.merge(chunk)
	}
	if s.state == streamCreated {
		s.state, s.first = streamStarted, s.at
		e := s.emit(EventStart, 0, 0)
		e.Model, e.ID, e.CreateTime = s.out.Model, s.out.ID, s.out.CreateTime
	}
	if chunk.PromptFeedback != nil {
		s.emit(EventPromptFeedback, 0, 0).PromptFeedback = chunk.PromptFeedback
	}
	at := s.at
	for i, index := range merge.CandidateIndexes(chunk.Candidates) {
		s.at = at.InCandidate(i)
		s.merged.AddIndex(&chunk.Candidates[i], index, s.at)
		if err := s.candidate(s.candidateAt(index), &chunk.Candidates[i]); err != nil {
			return err
		}
	}
	s.at = at
	s.merged.AddIdentity(chunk, at)
	if chunk.UsageMetadata != nil {
		s.merged.AddUsage(chunk.UsageMetadata, at)
		s.emitUsage()
	}
	if extra != nil {
		s.emit(EventResponseExtra, 0, 0).ResponseExtra = extra
	}
	return nil
}

// responseExtra returns the members of the response that no other event has, including an identity
// that arrives late or changes. It returns nil if all members are in other events.
func (s *Stream) responseExtra(chunk *geminiapi.GenerateContentResponse) *geminiapi.GenerateContentResponse {
	extra, known := responseExtra(chunk), &s.merged.Wire
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

// lateIdentity returns a chunk's id, model or time if it was not known before, else nil.
func lateIdentity(known, later *string) *string {
	if jsonx.Deref(later) == "" || jsonx.Deref(later) == jsonx.Deref(known) {
		return nil
	}
	return later
}

// merge takes over a chunk's members of the whole response.
func (s *Stream) merge(chunk *geminiapi.GenerateContentResponse) {
	s.merged.Add(chunk, s.at)
	wire := &s.merged.Wire
	s.out.PromptFeedback = wire.PromptFeedback
	s.out.ID, s.out.Model, s.out.CreateTime = jsonx.Deref(wire.ResponseID),
		jsonx.Deref(wire.ModelVersion), jsonx.Deref(wire.CreateTime)
}

// emitUsage emits the usage if the counts changed.
func (s *Stream) emitUsage() {
	before := s.out.Usage
	s.out.Usage = NewUsage(s.merged.Wire.UsageMetadata)
	before.Wire = s.out.Usage.Wire
	if before != s.out.Usage {
		s.emit(EventUsage, 0, 0).Usage = s.usageSoFar()
		s.merged.UsageEmitted()
	}
}

// usageSoFar returns a usage for an event to keep. Each has its own memory: several in one
// allocation would keep the wire records of all of them alive.
func (s *Stream) usageSoFar() *Usage {
	if s.lastUsage == nil || *s.lastUsage != s.out.Usage {
		s.lastUsage = new(s.out.Usage)
	}
	return s.lastUsage
}

// candidate emits the events of a candidate in a chunk.
func (s *Stream) candidate(c *candidateStream, wire *geminiapi.Candidate) error {
	c.at = s.at
	if wire.Content != nil {
		for i := range wire.Content.Parts {
			s.at = c.at.InPart(i)
			if err := s.part(c, &wire.Content.Parts[i]); err != nil {
				return atPart(err, partPosition{candidate: c.index, part: c.Last()}, s.at)
			}
		}
		s.at = c.at
	}
	c.merged.AddWithoutLists(wire, &s.merged.Log, c.at)
	s.metadata(c, wire)
	return nil
}

// atPart moves the pointer of a *[PartError] from the content of all chunks to the part in the
// stream.
func atPart(err error, merged partPosition, source merge.Location) error {
	if e, ok := errors.AsType[*PartError](err); ok {
		e.Pointer = source.Pointer(strings.TrimPrefix(e.Pointer, merged.pointer("")))
	}
	return err
}

func (s *Stream) candidateAt(index int) *candidateStream {
	c := s.candidates.At(index)
	c.index = index
	return c
}

// metadata emits a chunk's members of a candidate other than its parts.
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

// chunkExtra keeps the candidate's members that no other event has.
func chunkExtra(wire *geminiapi.Candidate) *geminiapi.Candidate {
	if wire.CitationMetadata == nil && wire.URLContextMetadata == nil {
		return candidateExtra(wire)
	}
	rest := *wire
	rest.CitationMetadata, rest.URLContextMetadata = nil, nil // whole in events of their own
	return candidateExtra(&rest)
}
