package openai

import (
	"cmp"
	"errors"
	"iter"
	"slices"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/indexed"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform"
)

// chunk is the event of a streamed completion.
type chunk = openaiapi.CreateChatCompletionStreamResponse

// Stream converts a stream, as it comes, into the chunks of a streamed completion.
//
// All chunks have the same id, time and model, those of the first chunk that came. Each candidate is
// a choice; the first delta of a choice has the role, and every delta after it one piece of news:
// text, thoughts, a tool call or a piece of its arguments, an image, a sound or a piece of one, whose
// base64 is to be decoded by itself. The calls of a choice are counted over the whole stream. When the stream has ended, a last delta of each choice tells
// what is known only then, the annotations and the extension, and a chunk of its own the finish
// reason, once. With [WithUsage] a chunk without choices follows, which has the usage. What Gemini
// says of the whole response is in the extra_content of the last chunk.
//
// The deltas of a stream, joined, are the completion that [FromGemini] makes of what
// [normalize.MergeChunks] makes of the same stream. A refused prompt is a choice with a refusal. A
// stream that fails has no last delta and no finish reason but for the candidates that had ended.
//
// A stream is fed in one of two ways: by PushChunk and Close with the chunks that came, or by Push
// with the events that a [normalize.Stream] has made of them. It is not safe for use by several
// goroutines.
type Stream struct {
	options
	source *normalize.Stream // makes the events, unless they are pushed

	head       head
	startTime  string
	responseID string
	choices    indexed.List[streamChoice]
	pushes     int
	out        []chunk  // of this push
	scratch    *scratch // of a stream whose chunks nobody keeps, else nil
	signedLate bool     // A call got its signature when its id was told already.

	soFar  normalize.Accumulator
	notes  streamNotes
	report transform.Report // of a stream of events
	ended  bool
	err    error // why the stream failed
}

// head is what all chunks of a stream have in common.
type head struct {
	id, model string
	created   int64
}

// NewStream returns a stream that nothing was pushed into yet.
func NewStream(opts ...Option) *Stream {
	s := &Stream{}
	s.apply(opts)
	return s
}

func (s *Stream) apply(opts []Option) {
	for _, opt := range opts {
		opt(&s.options)
	}
}

// errStreamEnded is what pushing more returns behind a proper end.
var errStreamEnded = errors.New("openai: the stream has ended")

// PushChunk converts the next chunk of the stream, which must not be changed while the stream is in
// use. The result is valid until the next call; a copy of one of its chunks stays valid.
//
// An error means that the chunk ended the stream: it is a *[normalize.Error], see [FromError] for telling
// a client about it, and what is returned beside it comes first. After the end it returns the same
// error again, or one that says so.
func (s *Stream) PushChunk(c *geminiapi.GenerateContentResponse) ([]openaiapi.CreateChatCompletionStreamResponse, error) {
	if s.ended {
		return nil, cmp.Or(s.err, errStreamEnded)
	}
	events, err := s.events().Push(c)
	if err == nil {
		s.notes.chunk(c, events, s.options)
	}
	return s.Push(events)
}

// Close ends a stream of chunks and returns the last ones, like [Stream.PushChunk]. err is why no
// more came: nil or [io.EOF] when the body came to its end, and else what reading it failed with. It
// also fails, with [gemini.ErrTruncated] in the chain, when the body came to its end too early.
//
// Close after the end returns nothing.
func (s *Stream) Close(err error) ([]openaiapi.CreateChatCompletionStreamResponse, error) {
	if s.ended {
		return nil, nil
	}
	events, _ := s.events().Close(err) // the last event has the error
	return s.Push(events)
}

// events returns what makes events of chunks. The ids of calls are made here, as in [FromGemini].
func (s *Stream) events() *normalize.Stream {
	if s.source == nil {
		s.takeSource(newSource())
	}
	return s.source
}

func newSource() *normalize.Stream { return normalize.NewStream(normalize.WithToolCallIDs(pendingID)) }

func (s *Stream) takeSource(source *normalize.Stream) {
	s.source = source
	if s.toolCallID == nil {
		s.toolCallID = madeCallID
	}
}

// Chunks converts a whole stream of chunks, such as those of [gemini.StreamReader.All], one by one
// as they come. An error is the last pair, beside a chunk that says nothing; the proper end is none.
// A loop that is left early cannot be taken up again.
func (s *Stream) Chunks(chunks iter.Seq2[*geminiapi.GenerateContentResponse, error]) iter.Seq2[openaiapi.CreateChatCompletionStreamResponse, error] {
	return func(yield func(chunk, error) bool) {
		for c, failure := range chunks {
			if failure != nil {
				out, err := s.Close(failure)
				yieldAll(yield, out, err)
				return
			}
			if out, err := s.PushChunk(c); !yieldAll(yield, out, err) {
				return
			}
		}
		out, err := s.Close(nil)
		yieldAll(yield, out, err)
	}
}

// yieldAll reports whether more may follow.
func yieldAll(yield func(chunk, error) bool, out []chunk, err error) bool {
	for i := range out {
		if !yield(out[i], nil) {
			return false
		}
	}
	if err != nil {
		yield(chunk{}, err)
	}
	return err == nil
}

// Report says what was added, approximated or lost, with JSON pointers into the stream, seen as a
// list of its chunks: /3/candidates/0/safetyRatings. It grows with the stream and is complete after
// its end, unless that was an error.
//
// It says of each chunk what that of [FromGemini] would say of it. Besides, a count, a rating or
// anything else that a later chunk replaced by another is approximated where it stood.
//
// Of a stream of events it is empty before the end, and then has the pointers that [FromNormalized]
// would give for the response as a whole.
func (s *Stream) Report() transform.Report {
	if s.source == nil {
		return slices.Clip(s.report)
	}
	return s.notes.report()
}

// Lost returns the losses in what [Stream.Report] says so far, nil when there are none. As long as there
// are none it costs nothing, so it can be asked before each chunk is sent, by a caller that rather ends
// a stream than loses anything.
func (s *Stream) Lost() transform.Report {
	if s.source != nil && s.notes.losses == 0 {
		return nil
	}
	return s.Report().Of(transform.Lost)
}

// Push converts the next events of the stream. EventDone ends it, and so does EventError, which Push
// returns as the error that it is, after the chunks beside it; a refused prompt is no error. The
// result is valid like that of [Stream.PushChunk].
//
// Ids of tool calls stay as they are, unless [WithToolCallIDs] asks for others in place of made ones.
func (s *Stream) Push(events []normalize.Event) ([]openaiapi.CreateChatCompletionStreamResponse, error) {
	s.out = s.out[:0]
	s.pushes++
	for i := range events {
		if s.ended {
			return s.out, cmp.Or(s.err, errStreamEnded)
		}
		s.event(&events[i])
	}
	return s.out, s.err
}

// event converts an event. What cannot be told before the end is accumulated.
func (s *Stream) event(e *normalize.Event) {
	if s.head.id == "" {
		s.start(e)
	}
	switch e.Type {
	case normalize.EventTextDelta:
		s.text(e)
	case normalize.EventThinkingDelta:
		s.thinking(e)
	case normalize.EventToolCallStart:
		s.startCall(e)
	case normalize.EventToolCallDelta:
		s.continueCall(e)
	case normalize.EventToolCallDone:
		s.endCall(e)
	case normalize.EventBlock:
		e = s.block(e)
	case normalize.EventLogprobs:
		s.logprobs(e)
	case normalize.EventFinish:
		s.choice(e.Candidate).finished = true
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

// start takes over what all chunks say, from the first event.
func (s *Stream) start(e *normalize.Event) {
	s.responseID, s.startTime = e.ID, e.CreateTime
	at, _ := unixTime(e.CreateTime)
	s.head = head{
		id:      cmp.Or(s.id, e.ID, unknownName),
		model:   cmp.Or(s.model, e.Model, unknownName),
		created: s.createdOr(at),
	}
}

// whole returns a converter of the whole response, which tells what the chunks say as if an option
// had set it where the response came to say something else later.
func (s *Stream) whole(in *normalize.Response) converter {
	c := converter{options: s.options, in: in}
	c.toolCallID = nil // the ids are told
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
