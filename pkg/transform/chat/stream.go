package chat

import (
	"cmp"
	"iter"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/transform/internal/openaianswer"
)

// chunk is the event of a streamed completion.
type chunk = openaiapi.CreateChatCompletionStreamResponse

// Stream converts a stream, as it arrives, to the chunks of a streamed completion.
//
// All chunks have the id, time and model of the first chunk. Each candidate is a choice. The first
// delta of a choice has the role. Every delta has one kind of content: text, thoughts, a tool call
// or a piece of its arguments, an image, a sound or a piece of a sound. Clients join the texts of
// the pieces. Only the first piece of a call or a sound has the id. The calls of a choice are
// numbered over the whole stream.
//
// At the end of the stream, the last delta of each choice has the annotations and the extension. A
// separate chunk has the finish reason. With [WithUsage] a chunk with the usage and without choices
// follows. The extra_content of the last chunk has what Gemini sent about the response as a whole.
//
// The joined deltas equal the completion that [FromGemini] makes of the result of
// [normalize.MergeChunks] for the same stream. A refused prompt is a choice with a refusal. A
// stream that fails has a last delta and a finish reason only for candidates that had finished.
//
// Stream does not keep what it has sent, so most streams use constant memory. Memory grows only
// with what the last delta needs:
//
//   - the text of the answer, because sources can cite any span of it at the end;
//   - with extensions, about 50 bytes per part for the layout of the turn, and parts that only the
//     extension has;
//   - sources, citations, differing ratings and similar values, which are sent joined;
//   - the report, which [WithLossesOnly] limits to losses.
//
// It is not safe for concurrent use.
type Stream struct {
	options
	driver answer.Driver[chunk]

	head       head
	startTime  string
	responseID string
	choices    jsonx.IndexedList[streamChoice]
	pushes     int
	out        []chunk  // of this push
	pieces     []*piece // of the chunks; each push reuses them if the caller does not keep chunks
	signedLate bool     // A call got its signature after its id was sent.

	soFar     normalize.Accumulator
	feedback  normalize.Location // of the last promptFeedback
	feedbacks answer.HeldFeedback
	unshown   report.Report // of the current record; reused
}

// head holds the values that all chunks of a stream have in common.
type head struct {
	id, model string
	created   int64
}

// NewStream returns a new stream.
func NewStream(opts ...Option) *Stream {
	s := &Stream{}
	s.begin(opts, nil)
	return s
}

// begin sets the options and the source of events, unless source is nil. The stream makes the ids
// of calls itself, as [FromGemini] does.
func (s *Stream) begin(opts []Option, source *normalize.Stream) {
	option.Apply(&s.options, opts)
	s.driver = answer.NewDriver[chunk]("chat", source, s.lossesOnly)
	if s.toolCallID == nil {
		s.toolCallID = madeCallID
	}
}

// Push converts the next chunk of the stream. The chunk must not be changed while the stream is in
// use. The result is valid until the next call; a copy of one of its chunks stays valid.
//
// An error is a *[normalize.Error] and means that the chunk ended the stream. Send the returned
// chunks before the error; [FromError] converts it for a client. After the end, Push returns the
// same error again. After a stream that completed, it returns an error that says so.
func (s *Stream) Push(c *geminiapi.GenerateContentResponse) ([]openaiapi.CreateChatCompletionStreamResponse,
	error) {
	return s.driver.Push(c, s.convert)
}

// Close ends a stream and returns its last chunks, like [Stream.Push]. err is why no more chunks
// came: nil or [io.EOF] if the body was read to its end, else the error of reading it. Close also
// fails, with [wire.ErrTruncated] in the chain, if the body ended too early. A refused prompt is
// not an error.
//
// After the end, Close returns nothing.
func (s *Stream) Close(err error) ([]openaiapi.CreateChatCompletionStreamResponse, error) {
	return s.driver.Close(err, s.convert)
}

// Report returns what was added, approximated or lost. Its JSON pointers refer to the stream as a
// list of chunks, for example /3/candidates/0/safetyRatings. It grows with the stream and is
// complete after the end, unless the end was an error.
//
// It has the entries of [normalize.Stream.Report], about values that a later chunk replaced. For
// each chunk it has the entries that [FromGemini] would return.
func (s *Stream) Report() report.Report { return s.driver.Report() }

// Lost returns the losses in [Stream.Report] so far, or nil. It costs nothing while nothing is
// lost. A caller that would rather end a stream than lose anything can call it before sending each
// chunk.
func (s *Stream) Lost() report.Report { return s.driver.Lost() }

// Chunks converts a whole stream of chunks, such as [gemini.StreamReader.All], one by one as they
// arrive. An error is the last pair, with an empty chunk. A stream that completes has no error. A
// loop that is left early cannot be continued.
func (s *Stream) Chunks(chunks iter.Seq2[*geminiapi.GenerateContentResponse,
	error]) iter.Seq2[openaiapi.CreateChatCompletionStreamResponse, error] {
	return answer.Events(s, chunks)
}

// convert converts the events of a chunk. The chunk is nil at the end of the stream. EventDone and
// EventError end the stream.
func (s *Stream) convert(c *geminiapi.GenerateContentResponse, events []normalize.Event,
	err error) []chunk {
	if s.plain && err == nil && c != nil {
		s.feedbacks.ReportChunk(s.driver.Source, c, reportResponse)
		answer.ReportChunk(s.driver.Source, c, (*chunkForm)(s), "", &s.unshown)
	}
	s.out = s.out[:0]
	s.pushes++
	for i := range events {
		s.event(&events[i])
	}
	return s.out
}

// event converts an event. It accumulates what is known only at the end, such as the annotations.
func (s *Stream) event(e *normalize.Event) {
	if s.head.id == "" {
		s.start(e)
	}
	switch e.Type {
	case normalize.EventTextDelta:
		s.text(e)
	case normalize.EventThinkingDelta:
		s.thinking(e)
	case normalize.EventSignature:
		s.signature(e)
	case normalize.EventToolCallStart:
		s.startCall(e)
	case normalize.EventToolCallDelta:
		*s.call(s.choice(e.Candidate)).Function.Arguments += e.ArgumentsDelta
	case normalize.EventToolCallDone:
		s.endCall(e)
	case normalize.EventBlock:
		s.block(e)
	default:
		s.accumulate(e)
	}
}

// accumulate keeps an event that is not content until the end.
func (s *Stream) accumulate(e *normalize.Event) {
	switch e.Type {
	case normalize.EventGrounding:
		s.addGrounding(e)
	case normalize.EventCitations:
		s.addCitations(e)
	case normalize.EventURLContext:
		s.choice(e.Candidate).cited = true
	case normalize.EventLogprobs:
		s.logprobs(e)
	case normalize.EventPromptFeedback:
		s.feedback = e.Source
	case normalize.EventFinish:
		c := s.choice(e.Candidate)
		c.end, c.finish = e.Source, e.FinishReason
	case normalize.EventUsage:
		return // it is repeated at the end
	}
	s.soFar.Add(*e)
	switch e.Type {
	case normalize.EventDone:
		s.end(nil)
	case normalize.EventError:
		s.end(e.Error)
	}
}

// start sets the head of all chunks from the first event.
func (s *Stream) start(e *normalize.Event) {
	s.responseID, s.startTime = e.ID, e.CreateTime
	s.head = head{
		id:      cmp.Or(s.id, e.ID, unknownName),
		model:   cmp.Or(s.model, e.Model, unknownName),
		created: openaianswer.Seconds(e.CreateTime, s.created),
	}
}

// whole returns a converter for the whole response. It uses the id, model and time of the sent
// chunks as if options had set them, even if a later chunk of Gemini had others.
func (s *Stream) whole(in *normalize.Response) converter {
	c := converter{options: s.options, in: in}
	c.toolCallID = nil // the ids were already sent
	c.signedIDs = s.signedIDs && !s.signedLate
	if in.ID != "" && in.ID != s.head.id {
		c.id = s.head.id
	}
	if in.Model != "" && in.Model != s.head.model {
		c.model = s.head.model
	}
	if in.CreateTime != s.startTime {
		c.created = new(time.Unix(s.head.created, 0))
	}
	return c
}
