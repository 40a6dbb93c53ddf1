package interactions

import (
	"iter"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// Stream converts a stream, as it arrives, to the events of a streamed interaction.
//
// interaction.created and the status in_progress come with the first chunk. Steps follow one after
// the other: each is stopped before the next one starts. Annotations come before the end of their
// step, so a step of text stays open until something follows it. At the end of the stream come the
// steps of Google's tools that only metadata have, and one interaction.completed with the status,
// the token counts and the extension.
//
// The interaction shows the first candidate of the first chunk that has any.
//
// Stream does not keep what it has sent, so most streams use constant memory. Memory grows only
// with the number of steps, the ids of calls, the results of Google's tools, the metadata about
// sources, and the report, which [WithLossesOnly] limits to losses.
//
// It is not safe for concurrent use.
type Stream struct {
	options
	encoder encoder
	events  eventList
	driver  answer.Driver[interactionsapi.StreamEvent]

	started   bool
	id, model string // of the response, from the first chunk
	who       identity
	first     *interactionsapi.Interaction // in the extension of the first chunk
	candidate int                          // index of the shown one; -1 until it is known
	calls     answer.CallHold
	whole     int // 1 + the part that is a call and was sent whole
	signed    int // 1 + the part whose signature was taken with its text
	endedAt   normalize.Location

	soFar     normalize.Accumulator
	grounded  []normalize.Location // the chunks' records of the sources
	feedback  normalize.Location   // of the last promptFeedback with a reason
	feedbacks answer.HeldFeedback
}

// NewStream returns a new stream.
func NewStream(opts ...Option) *Stream {
	s := &Stream{}
	s.begin(opts, nil)
	return s
}

// begin sets the options and the source of events. It makes a new source if source is nil or does
// not fit the options.
func (s *Stream) begin(opts []Option, source *normalize.Stream) {
	option.Apply(&s.options, opts)
	s.driver, s.candidate = answer.NewDriver[interactionsapi.StreamEvent]("interactions", source,
		s.lossesOnly), -1
	s.encoder = encoder{options: &s.options, sink: &s.events,
		entries: answer.PartEntries{Stream: s.driver.Source}}
	if s.reusesEvents {
		s.events.memory = &eventMemory{}
	}
}

// Push converts the next chunk of the stream. The chunk must not be changed while the stream is in
// use. The result is valid until the next call; a copy of one of its events stays valid.
//
// An error is a *[normalize.Error] and means that the chunk ended the stream. Send the returned
// events before the error; [FromError] converts it for a client. After the end, Push returns the
// same error again. After a stream that completed, it returns an error that says so.
func (s *Stream) Push(c *geminiapi.GenerateContentResponse) ([]interactionsapi.StreamEvent,
	error) {
	return s.driver.Push(c, s.convert)
}

// Close ends a stream and returns its last events, like [Stream.Push]. err is why no more chunks
// came: nil or [io.EOF] if the body was read to its end, else the error of reading it. Close also
// fails, with [wire.ErrTruncated] in the chain, if the body ended too early. A refused prompt is
// not an error.
//
// After the end, Close returns nothing.
func (s *Stream) Close(err error) ([]interactionsapi.StreamEvent, error) {
	return s.driver.Close(err, s.convert)
}

// Report returns what was added, approximated or lost. Its JSON pointers refer to the stream as a
// list of chunks, for example /3/candidates/0/safetyRatings. It grows with the stream and is
// complete after the end, unless the end was an error.
func (s *Stream) Report() report.Report { return s.driver.Report() }

// Lost returns the losses in [Stream.Report] so far, or nil. It costs nothing while nothing is
// lost. A caller that would rather end a stream than lose anything can call it before sending each
// chunk.
func (s *Stream) Lost() report.Report { return s.driver.Lost() }

// Events converts a whole stream of chunks, such as [gemini.StreamReader.All], one by one as they
// arrive. An error is the last pair, with an empty event. A stream that completes has no error. A
// loop that is left early cannot be continued.
func (s *Stream) Events(chunks iter.Seq2[*geminiapi.GenerateContentResponse,
	error]) iter.Seq2[interactionsapi.StreamEvent, error] {
	return answer.Events(s, chunks)
}

// choose decides which candidate the interaction shows.
func (s *Stream) choose(c *geminiapi.GenerateContentResponse) {
	if s.candidate >= 0 || len(c.Candidates) == 0 {
		return
	}
	for _, index := range merge.CandidateIndexes(c.Candidates) {
		if s.candidate < 0 || index < s.candidate {
			s.candidate = index
		}
	}
	s.encoder.candidate = s.candidate
}

// convert converts the events of a chunk. The chunk is nil at the end of the stream. EventDone and
// EventError end the stream.
func (s *Stream) convert(c *geminiapi.GenerateContentResponse, events []normalize.Event,
	err error) []interactionsapi.StreamEvent {
	s.events.beginPush()
	if c != nil {
		s.choose(c)
		if !s.started {
			s.first = keptInteraction(c.Unknown)
		}
		if exact := exactAnnotations(c.Unknown); exact != nil {
			s.encoder.sources.exact = exact
		}
		if err == nil {
			s.reportChunk(c)
		}
	}
	s.ground(events)
	for i := range events {
		s.event(events[i:])
	}
	return s.events.out
}

// ground takes the sources of a chunk before its content, because they may be about texts whose
// step the content ends.
func (s *Stream) ground(events []normalize.Event) {
	for i := range events {
		e := &events[i]
		if e.Type != normalize.EventGrounding || e.Candidate != s.candidate {
			continue
		}
		s.soFar.Add(*e)
		s.grounded = append(s.grounded, e.Source)
		if len(s.grounded) == 1 {
			s.encoder.sources.wire = e.Grounding
		} else {
			s.encoder.sources.join = s.joinedGrounding
		}
	}
}

// joinedGrounding returns the sources of all chunks so far.
func (s *Stream) joinedGrounding() *geminiapi.GroundingMetadata {
	in, _ := s.soFar.Response() // an error is about what the stream has not said yet
	if in == nil {
		return nil
	}
	return wireGrounding(s.answered(in))
}

// answered returns the interaction's candidate, or nil.
func (s *Stream) answered(in *normalize.Response) *normalize.Candidate {
	for i := range in.Candidates {
		if in.Candidates[i].Index == s.candidate {
			return &in.Candidates[i]
		}
	}
	return nil
}

// event converts the first of a chunk's remaining events. It accumulates what is known only at the
// end.
func (s *Stream) event(events []normalize.Event) {
	e := &events[0]
	if isContent(e.Type) {
		if e.Candidate == s.candidate {
			s.start()
			s.content(events)
		}
		return
	}
	switch e.Type {
	case normalize.EventStart:
		s.id, s.model = e.ID, e.Model
	case normalize.EventPromptFeedback:
		if hasReason(e.PromptFeedback) {
			s.feedback = e.Source
		}
	case normalize.EventFinish:
		if e.Candidate == s.candidate {
			s.endedAt = e.Source
		}
	case normalize.EventGrounding:
		if e.Candidate == s.candidate {
			return // ground has taken it
		}
	}
	s.soFar.Add(*e)
	switch e.Type {
	case normalize.EventStart:
		s.start()
	case normalize.EventDone:
		s.finish(nil)
	case normalize.EventError:
		s.finish(e.Error)
	}
}

// isContent reports whether events of a type are content of a candidate. Content is sent and not
// kept.
func isContent(typ normalize.EventType) bool {
	switch typ {
	case normalize.EventTextDelta, normalize.EventThinkingDelta, normalize.EventSignature,
		normalize.EventBlock,
		normalize.EventToolCallStart, normalize.EventToolCallDelta, normalize.EventToolCallDone:
		return true
	default:
		return false
	}
}

// start starts the interaction.
func (s *Stream) start() {
	if s.started {
		return
	}
	s.started = true
	s.encoder.responseID = s.id
	s.who, _ = s.identify(s.id, s.model, s.first)
	if s.withoutID {
		s.who.id = new("") // as in Google's streams
	}
	name := objectName
	created := &interactionsapi.Interaction{ID: s.who.id, Model: s.who.model, Agent: s.who.agent,
		Object: &name}
	if s.first != nil {
		created.EnvironmentID = s.first.EnvironmentID
	}
	s.events.created(created)
}

// content converts a piece of the candidate's content.
func (s *Stream) content(events []normalize.Event) {
	e, enc := &events[0], &s.encoder
	at := answer.PartLocation{Source: e.Source, Part: e.Part}
	switch e.Type {
	case normalize.EventTextDelta:
		s.text(events, at)
	case normalize.EventThinkingDelta:
		s.thought(events, at)
	case normalize.EventSignature:
		s.sign(e, at)
	case normalize.EventToolCallStart:
		s.startCall(events, at)
	case normalize.EventToolCallDelta:
		s.continueCall(e)
	case normalize.EventToolCallDone:
		s.endCall(e)
	case normalize.EventBlock:
		enc.convert(e.Block.WirePart(), at, e.Part)
	}
}

func (s *Stream) text(events []normalize.Event, at answer.PartLocation) {
	e := &events[0]
	signature := s.takeSignature(events)
	if e.Extra == nil {
		s.encoder.text(e.Text, signature, e.Part)
		return
	}
	b := normalize.Block{Type: normalize.BlockText, Part: e.Part, Text: e.Text,
		Signature: signature, Extra: e.Extra}
	s.encoder.convert(b.WirePart(), at, e.Part)
}

func (s *Stream) thought(events []normalize.Event, at answer.PartLocation) {
	e := &events[0]
	signature := s.takeSignature(events)
	if e.Extra == nil {
		s.encoder.thought(e.Text, signature)
		return
	}
	b := normalize.Block{Type: normalize.BlockThinking, Part: e.Part, Text: e.Text,
		Signature: signature, Extra: e.Extra}
	s.encoder.convert(b.WirePart(), at, e.Part)
}

// takeSignature returns the signature of the text or thought in the first event, which the next
// event may have.
func (s *Stream) takeSignature(events []normalize.Event) string {
	if len(events) < 2 {
		return ""
	}
	text, next := &events[0], &events[1]
	if next.Type != normalize.EventSignature || next.Candidate != text.Candidate ||
		next.Part != text.Part || next.BlockType == normalize.BlockToolCall {
		return ""
	}
	s.signed = next.Part + 1
	return next.Signature
}

// sign takes the signature of a part without content, or of a later piece of a call.
func (s *Stream) sign(e *normalize.Event, at answer.PartLocation) {
	switch {
	case e.BlockType == normalize.BlockToolCall:
		s.signCall(e.Signature, at)
	case s.signed == e.Part+1:
		s.signed = 0 // it was sent with the text
	case e.Extra != nil:
		b := normalize.Block{Type: e.BlockType, Part: e.Part, Signature: e.Signature,
			Thought: e.Thought, Extra: e.Extra}
		s.encoder.convert(b.WirePart(), at, e.Part)
	default:
		s.encoder.signature(e.Signature)
	}
}
