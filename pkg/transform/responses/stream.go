package responses

import (
	"iter"
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/transform/internal/openaianswer"
	"github.com/gemwire/gemwire/pkg/transform/responses/internal/callid"
)

// Stream converts a stream, as it arrives, to the events of a streamed response.
//
// The events have the order that OpenAI's clients require ([responses.Sequence]): response.created
// and response.in_progress, then item by item, then one terminal event with the whole response.
// Texts, thought summaries and function arguments are sent in pieces. Complete values, such as an
// image or the input of a custom tool, are sent at once. A message stays open until something else
// follows or the stream ends. So the sources, which Gemini sends last, become annotations of it.
//
// The response of the terminal event equals the result of [FromGemini] for the merged stream
// ([normalize.MergeChunks]). Four things differ, because a stream cannot know them in time:
//
//   - The id and model come from the first chunk.
//   - A second signature of a call is lost and reported. So is a signature that arrives after the
//     start of its call, if the call follows a signed one.
//   - Log probabilities are in the message that was open when they arrived.
//   - A signature that arrives after its text is in a reasoning item after the message.
//
// The first call waits for a signature that arrives with a later piece. An item ends before the
// next one starts, because Codex shows items, and sends them again, in the order in which they end.
//
// A refused prompt is a failed response. A stream that fails closes the open item as incomplete. It
// ends in an event of type error and a failed response.
//
// It is not safe for concurrent use.
type Stream struct {
	options
	driver answer.Driver[openaiapi.ResponseEvent]

	encoder   encoder
	head      head
	isBegun   bool // response.created was sent
	startTime string
	choice    *int // index of the candidate that is the answer
	cutCall   bool
	calls     answer.CallHold

	soFar     normalize.Accumulator
	feedbacks answer.HeldFeedback
	unshown   report.Report      // of the current record; reused
	finish    *normalize.Event   // of the candidate, nil until it has arrived
	sources   normalize.Location // of the last sources
	cited     bool
}

// NewStream returns a new stream.
func NewStream(opts ...Option) *Stream {
	s := &Stream{}
	option.Apply(&s.options, opts)
	s.driver = answer.NewDriver[openaiapi.ResponseEvent]("responses", nil, s.lossesOnly)
	if s.toolCallID == nil { // as in [FromGemini]
		s.toolCallID = callid.Of
	}
	s.encoder = encoder{options: &s.options, entries: answer.PartEntries{Stream: s.driver.Source},
		streams: true}
	return s
}

// Begin returns response.created and response.in_progress before the first chunk, for a client that
// should not wait for it. Without [WithID] the response has no id of its own. After the first
// chunk, or when called again, it returns nothing.
func (s *Stream) Begin() []openaiapi.ResponseEvent {
	s.encoder.beginPush()
	if !s.isBegun && !s.driver.Ended {
		s.open(&normalize.Event{})
	}
	return s.encoder.out
}

// Push converts the next chunk of the stream. The chunk must not be changed while the stream is in
// use. The result is valid until the next call; a copy of one of its events stays valid.
//
// An error is a *[normalize.Error] and means that the chunk ended the stream. The returned events
// report the error to the client. After the end, Push returns the same error again. After a stream
// that completed, it returns an error that says so.
func (s *Stream) Push(c *geminiapi.GenerateContentResponse) ([]openaiapi.ResponseEvent, error) {
	return s.driver.Push(c, s.convert)
}

// Close ends a stream and returns its last events, like [Stream.Push]. err is why no more chunks
// came: nil or [io.EOF] if the body was read to its end, else the error of reading it. If err has a
// method ErrorCode, the events report that code and its own text. Close also fails, with
// [wire.ErrTruncated] in the chain, if the body ended too early. A refused prompt is not an error.
//
// After the end, Close returns nothing.
func (s *Stream) Close(err error) ([]openaiapi.ResponseEvent, error) {
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
// event.
func (s *Stream) Lost() report.Report { return s.driver.Lost() }

// Events converts a whole stream of chunks, such as [gemini.StreamReader.All], one by one as they
// arrive. An error is the last pair, with an empty event. A stream that completes has no error. A
// loop that is left early cannot be continued.
func (s *Stream) Events(chunks iter.Seq2[*geminiapi.GenerateContentResponse,
	error]) iter.Seq2[openaiapi.ResponseEvent, error] {
	return answer.Events(s, chunks)
}

// convert converts the events of a chunk. The chunk is nil at the end of the stream. EventDone and
// EventError end the stream. A signed text or thought is whole and comes directly before its
// signature. The signature is converted first.
func (s *Stream) convert(c *geminiapi.GenerateContentResponse, events []normalize.Event,
	err error) []openaiapi.ResponseEvent {
	if err == nil && c != nil {
		s.loseChunk(c)
	}
	s.encoder.beginPush()
	for i := 0; i < len(events); i++ {
		e := &events[i]
		if !s.isBegun {
			s.open(e)
		}
		s.encoder.give()
		if isText(e) && i+1 < len(events) && signs(&events[i+1], e) {
			i++
			s.content(e, events[i].Signature)
			continue
		}
		s.event(e)
	}
	return s.encoder.out
}

func isText(e *normalize.Event) bool {
	return e.Type == normalize.EventTextDelta || e.Type == normalize.EventThinkingDelta
}

// signs reports whether an event is the signature of the text before it.
func signs(signature, text *normalize.Event) bool {
	return signature.Type == normalize.EventSignature && signature.Candidate == text.Candidate &&
		signature.Part == text.Part
}

// firstEvents is the number of events from the first chunk of an answer: two for the response, and
// for a message its start, the start of its part and a piece of its text.
const firstEvents = 5

// open sends response.created and response.in_progress, with the id and model of the first event.
func (s *Stream) open(e *normalize.Event) {
	s.isBegun = true
	s.startTime = e.CreateTime
	s.head = head{id: s.idOf(e.ID), model: s.modelOf(e.Model),
		created: openaianswer.Seconds(e.CreateTime, s.created)}
	s.encoder.suffix = itemSuffix(s.head.id)
	begun := s.begun(&s.head)
	s.encoder.out = slices.Grow(s.encoder.out, firstEvents)
	s.encoder.emit(openaiapi.ResponseEventTypeCreated).Response = begun
	s.encoder.emit(openaiapi.ResponseEventTypeInProgress).Response = begun
}
