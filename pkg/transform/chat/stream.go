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

// Stream converts a stream, as it comes, into the chunks of a streamed completion.
//
// All chunks have the same id, time and model, those of the first chunk that came. Each candidate
// is a choice; the first delta of a choice has the role, and every delta has one thing: text,
// thoughts, a tool call or a piece of its arguments, an image, a sound or a piece of one. The texts
// of the pieces are to be joined; only the first has the id. The calls of a choice are counted over
// the whole stream. When the stream has ended, a last delta of each choice has what is known only
// then, the annotations and the extension, and a chunk of its own has the finish reason. With
// [WithUsage] a chunk without choices follows, which has the usage. What Gemini sent about the
// response as a whole is in the extra_content of the last chunk.
//
// The deltas of a stream, joined, are the completion that [FromGemini] makes of what
// [normalize.MergeChunks] makes of the same stream. A refused prompt is a choice with a refusal. A
// stream that fails has no last delta and no finish reason but for the candidates that had ended.
//
// What was sent is not kept, so most streams take the same memory however long they are. What grows
// is what the last delta needs: the text of the answer, since sources may cite any stretch of it
// and do so at the end; with extensions about 50 bytes for each part, for the layout of the turn,
// and parts that only the extension has; sources, citations, ratings that differ and the like,
// which are told joined; and the report, of which [WithLossesOnly] keeps only losses.
//
// It is not safe for use by several goroutines.
type Stream struct {
	options
	driver answer.Driver[chunk]

	head       head
	startTime  string
	responseID string
	choices    jsonx.IndexedList[streamChoice]
	pushes     int
	out        []chunk  // of this push
	pieces     []*piece // of the chunks, which each push uses again where nobody keeps them
	signedLate bool     // A call got its signature when its id was sent already.

	soFar     normalize.Accumulator
	feedback  normalize.Location // of the last promptFeedback
	feedbacks answer.HeldFeedback
	unshown   report.Report // of the record at hand; reused
}

// head is what all chunks of a stream have in common.
type head struct {
	id, model string
	created   int64
}

// NewStream returns a stream that nothing was pushed into yet.
func NewStream(opts ...Option) *Stream {
	s := &Stream{}
	s.begin(opts, nil)
	return s
}

// begin takes over the options and what makes the events, unless that is nil. The ids of calls are
// made here, as in [FromGemini].
func (s *Stream) begin(opts []Option, source *normalize.Stream) {
	option.Apply(&s.options, opts)
	s.driver = answer.NewDriver[chunk]("chat", source, s.lossesOnly)
	if s.toolCallID == nil {
		s.toolCallID = madeCallID
	}
}

// Push converts the next chunk of the stream, which must not be changed while the stream is in use.
// The result is valid until the next call; a copy of one of its chunks stays valid.
//
// An error means that the chunk ended the stream: it is a *[normalize.Error], see [FromError] for
// telling a client about it, and what is returned beside it comes first. After the end it returns
// the same error again, or after a proper end one that says that the stream has ended.
func (s *Stream) Push(c *geminiapi.GenerateContentResponse) ([]openaiapi.CreateChatCompletionStreamResponse,
	error) {
	return s.driver.Push(c, s.convert)
}

// Close ends a stream and returns its last chunks, like [Stream.Push]. err is why no more came: nil
// or [io.EOF] when the body came to its end, and else what reading it failed with. It also fails,
// with [wire.ErrTruncated] in the chain, when the body came to its end too early. A refused prompt
// is no error.
//
// Close after the end returns nothing.
func (s *Stream) Close(err error) ([]openaiapi.CreateChatCompletionStreamResponse, error) {
	return s.driver.Close(err, s.convert)
}

// Report returns what was added, approximated or lost, with JSON pointers into the stream, seen as
// a list of its chunks: /3/candidates/0/safetyRatings. It grows with the stream and is complete
// after its end, unless that was an error.
//
// It has the entries of [normalize.Stream.Report], about what a later chunk replaced, and for each
// chunk those that [FromGemini] would have for it.
func (s *Stream) Report() report.Report { return s.driver.Report() }

// Lost returns the losses in what [Stream.Report] has so far, nil when there are none. As long as
// there are none it costs nothing, so a caller that rather ends a stream than loses anything can
// ask before it sends each chunk.
func (s *Stream) Lost() report.Report { return s.driver.Lost() }

// Chunks converts a whole stream of chunks, such as those of [gemini.StreamReader.All], one by one
// as they come. An error is the last pair, beside an empty chunk; a stream that ends properly has
// none. A loop that is left early cannot be taken up again.
func (s *Stream) Chunks(chunks iter.Seq2[*geminiapi.GenerateContentResponse,
	error]) iter.Seq2[openaiapi.CreateChatCompletionStreamResponse, error] {
	return answer.Events(s, chunks)
}

// convert converts the events of a chunk, which is nil at the end of the stream. EventDone ends it,
// and so does EventError.
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

// event converts an event. What is known only at the end, such as the annotations, is accumulated.
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
		s.continueCall(e)
	case normalize.EventToolCallDone:
		s.endCall(e)
	case normalize.EventBlock:
		s.block(e)
	default:
		s.accumulate(e)
	}
}

// accumulate keeps an event that is not of the content, for the end.
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
		return // repeated at the end
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

// whole returns a converter of the whole response. The id, the model and the time that the chunks
// were sent with count, as if options had set them, even if a later chunk of Gemini's had others.
func (s *Stream) whole(in *normalize.Response) converter {
	c := converter{options: s.options, in: in}
	c.toolCallID = nil // the ids are sent
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
