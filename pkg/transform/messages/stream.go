package messages

import (
	"iter"
	"strings"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// Stream converts the chunks of a Gemini stream, as they arrive, to the events of a streamed
// message of Anthropic's API.
//
// message_start comes with the first chunk that has token counts or a candidate, so that clients
// get the prompt's token count. It has the id and the model of that chunk. Blocks follow one after
// the other; each is closed before the next one starts. Thoughts after a text are held until
// something follows them. At the end of the stream come citations and search results, if the client
// knows them. Then follow one message_delta with the stop reason and all counts, and message_stop.
//
// The message shows the first candidate of the first chunk that has any.
//
// Stream does not keep what it has sent, so most streams use constant memory. Memory grows only
// with:
//
//   - the ids of calls;
//   - the text of the answer if the client declared web search, because sources can cite any span
//     of it;
//   - the report, which [WithLossesOnly] limits to losses.
//
// It is not safe for concurrent use.
type Stream struct {
	options
	encoder encoder
	driver  answer.Driver[anthropicapi.StreamEvent]

	started   bool
	id, model string // of the response, from the first chunk
	candidate int    // index of the message's candidate; -1 until it is known
	usage     normalize.Usage
	made      answer.Calls
	calls     answer.CallHold
	signed    int // 1 + the part whose signature was taken with its text
	end       *finished
	endedAt   normalize.Location

	answer    strings.Builder // for citations
	cited     []normalize.Location
	soFar     normalize.Accumulator
	feedback  normalize.Location // of the last promptFeedback
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
	s.driver, s.candidate = answer.NewDriver[anthropicapi.StreamEvent]("messages", source,
		s.lossesOnly), -1
	s.encoder = encoder{options: &s.options, entries: answer.PartEntries{Stream: s.driver.Source}}
	if s.reusesEvents {
		s.encoder.memory = &eventMemory{}
	}
}

// Push converts the next chunk of the stream. The chunk must not be changed while the stream is in
// use. The result is valid until the next call; a copy of one of its events stays valid.
//
// An error is a *[normalize.Error] and means that the chunk ended the stream. Send the returned
// events before the error; [FromError] converts it for a client. After the end, Push returns the
// same error again. After a stream that completed, it returns an error that says so.
func (s *Stream) Push(c *geminiapi.GenerateContentResponse) ([]anthropicapi.StreamEvent, error) {
	return s.driver.Push(c, s.convert)
}

// Close ends a stream and returns its last events, like [Stream.Push]. err is why no more chunks
// came: nil or [io.EOF] if the body was read to its end, else the error of reading it. Close also
// fails, with [wire.ErrTruncated] in the chain, if the body ended too early. A refused prompt is
// not an error.
//
// After the end, Close returns nothing.
func (s *Stream) Close(err error) ([]anthropicapi.StreamEvent, error) {
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
	error]) iter.Seq2[anthropicapi.StreamEvent, error] {
	return answer.Events(s, chunks)
}

// choose decides which candidate the message shows.
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
	err error) []anthropicapi.StreamEvent {
	if c != nil {
		s.choose(c)
	}
	if err == nil && c != nil {
		s.feedbacks.ReportChunk(s.driver.Source, c, reportResponse)
		answer.ReportChunk(s.driver.Source, c, (*chunkForm)(s), detailOtherCandidate,
			&s.encoder.unshown)
	}
	s.encoder.beginPush()
	for i := range events {
		s.event(events[i:])
	}
	if !s.started && !s.driver.Ended && s.usage.Wire != nil {
		s.start(nil)
	}
	return s.encoder.out
}

// event converts the first of a chunk's remaining events. It accumulates what is known only at the
// end.
func (s *Stream) event(events []normalize.Event) {
	e := &events[0]
	if isContent(e.Type) {
		if e.Candidate == s.candidate {
			s.start(events)
			s.content(events)
		}
		return
	}
	switch e.Type {
	case normalize.EventStart:
		s.id, s.model = e.ID, e.Model
	case normalize.EventUsage:
		s.usage = *e.Usage
	case normalize.EventGrounding:
		if e.Candidate == s.candidate && len(e.Grounding.GroundingSupports) > 0 {
			s.cited = append(s.cited, e.Source)
		}
	case normalize.EventPromptFeedback:
		s.feedback = e.Source
	case normalize.EventFinish:
		if e.Candidate == s.candidate {
			s.end = &finished{e.FinishReason, e.NativeFinishReason, e.FinishMessage}
			s.endedAt = e.Source
		}
	}
	s.soFar.Add(*e)
	switch e.Type {
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

// start starts the message. The usage is the known one, or that in the chunk's remaining events.
func (s *Stream) start(events []normalize.Event) {
	if s.started {
		return
	}
	s.started = true
	usage := s.usage
	for i := range events {
		if events[i].Type == normalize.EventUsage {
			usage = *events[i].Usage
		}
	}
	if usage.Wire == nil {
		usage.InputTokens = s.inputTokens
	}
	s.encoder.responseID = s.id
	_, id := s.identify(s.id)
	_, model := s.nameModel(s.model)
	s.encoder.start(id, model, s.encoder.usage(&usage))
}

// content converts a piece of the candidate's content.
func (s *Stream) content(events []normalize.Event) {
	e, enc := &events[0], &s.encoder
	at := answer.PartLocation{Source: e.Source, Part: e.Part}
	switch e.Type {
	case normalize.EventTextDelta:
		signature := s.takeSignature(events)
		if s.webSearch {
			s.answer.WriteString(e.Text)
		}
		if e.Text != "" || signature != "" {
			enc.text(e.Text, signature, at)
		}
		enc.unshownPart(e.Extra, at)
	case normalize.EventThinkingDelta:
		enc.thinking(e.Text, at)
		enc.unshownPart(e.Extra, at)
	case normalize.EventSignature:
		s.sign(e, at)
	case normalize.EventToolCallStart:
		s.startCall(events, at)
	case normalize.EventToolCallDelta:
		s.continueCall(e.ArgumentsDelta)
	case normalize.EventToolCallDone:
		s.endCall(e, at)
	case normalize.EventBlock:
		enc.block(e.Block, at)
	}
}

// takeSignature returns the signature of the text in the first event, which the next event may
// have.
func (s *Stream) takeSignature(events []normalize.Event) string {
	if len(events) < 2 {
		return ""
	}
	text, next := &events[0], &events[1]
	if next.Type != normalize.EventSignature || next.Candidate != text.Candidate ||
		next.Part != text.Part || next.BlockType != normalize.BlockText {
		return ""
	}
	s.signed = next.Part + 1
	return next.Signature
}

// sign takes the signature of a part that is not a call, or of a later piece of a call.
func (s *Stream) sign(e *normalize.Event, at answer.PartLocation) {
	enc := &s.encoder
	switch {
	case e.BlockType == normalize.BlockToolCall:
		s.signCall(e.Signature, at)
	case e.BlockType == normalize.BlockText && s.signed == e.Part+1:
		s.signed = 0 // it was sent with the text
	case e.BlockType == normalize.BlockText || e.BlockType == normalize.BlockSignature:
		enc.text("", e.Signature, at)
		enc.unshownPart(e.Extra, at)
	case e.BlockType == normalize.BlockThinking:
		enc.thought("", e.Signature, at)
		enc.unshownPart(e.Extra, at)
	}
}
