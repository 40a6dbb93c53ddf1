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

// Stream converts a stream, as it comes, into the events of a streamed response.
//
// The events follow one another as OpenAI's clients need it ([responses.Sequence]):
// response.created and response.in_progress, item by item, and one terminal event that has the
// whole response. Texts, summaries of thoughts and arguments of functions are told piece by piece;
// what comes whole, such as an image or the input of a custom tool, is told at once. A message is
// open until something else follows or the stream ends, so that sources, which Gemini tells last,
// are annotations of it.
//
// The response of the terminal event is what [FromGemini] makes of what [normalize.MergeChunks]
// makes of the same stream, but for four things that a stream cannot know in time: its identity is
// that of the first chunk; a second signature of a call, and one that comes behind the beginning of
// a call which stands behind a signed one, is lost and reported; log probabilities stand with the
// message that was open when they came; and a signature that comes after its text is in a reasoning
// item after the message. The first call waits for its signature where that comes with a later
// piece. An item ends before the next one begins: codex shows items, and sends them again, in the
// order in which they end.
//
// A refused prompt is a failed response. A stream that fails closes what is open as incomplete, and
// ends in an event of type error and a failed response.
//
// It is not safe for use by several goroutines.
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
	unshown   report.Report      // of the record at hand; reused
	finish    *normalize.Event   // of the candidate, nil as long as it has not come
	sources   normalize.Location // of the last sources
	cited     bool
}

// NewStream returns a stream that nothing was pushed into yet.
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

// Begin returns response.created and response.in_progress before the first chunk has come, for a
// client that is not to wait for it. Without [WithID] the response has no id of its own. Behind the
// first chunk, or called again, it returns nothing.
func (s *Stream) Begin() []openaiapi.ResponseEvent {
	s.encoder.beginPush()
	if !s.isBegun && !s.driver.Ended {
		s.open(&normalize.Event{})
	}
	return s.encoder.out
}

// Push converts the next chunk of the stream, which must not be changed while the stream is in use.
// The result is valid until the next call; a copy of one of its events stays valid.
//
// An error means that the chunk ended the stream: it is a *[normalize.Error], and what is returned
// beside it comes first and tells the client about it. After the end it returns the same error
// again, or after a proper end one that says that the stream has ended.
func (s *Stream) Push(c *geminiapi.GenerateContentResponse) ([]openaiapi.ResponseEvent, error) {
	return s.driver.Push(c, s.convert)
}

// Close ends a stream and returns its last events, like [Stream.Push]. err is why no more came: nil
// or [io.EOF] when the body came to its end, and else what reading it failed with. An error with a
// method ErrorCode is told by that code and in its own words. It also fails, with
// [wire.ErrTruncated] in the chain, when the body came to its end too early. A refused prompt is no
// error.
//
// Close after the end returns nothing.
func (s *Stream) Close(err error) ([]openaiapi.ResponseEvent, error) {
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
// ask before it sends each event.
func (s *Stream) Lost() report.Report { return s.driver.Lost() }

// Events converts a whole stream of chunks, such as those of [gemini.StreamReader.All], one by one
// as they come. An error is the last pair, beside an empty event; a stream that ends properly has
// none. A loop that is left early cannot be taken up again.
func (s *Stream) Events(chunks iter.Seq2[*geminiapi.GenerateContentResponse,
	error]) iter.Seq2[openaiapi.ResponseEvent, error] {
	return answer.Events(s, chunks)
}

// convert converts the events of a chunk, which is nil at the end of the stream. EventDone ends it,
// and so does EventError. A text or a thought that is signed comes whole, directly before its
// signature, which is told first.
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

// firstEvents is how many events the first chunk of an answer gives: the two of the response, and
// of a message its beginning, that of its part and a piece of its text.
const firstEvents = 5

// open sends response.created and response.in_progress, with the identity of the first event.
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
