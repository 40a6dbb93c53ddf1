package gateway

import (
	"bytes"
	"context"
	"net/http"
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/eventtext"
	"github.com/gemwire/gemwire/internal/streamhook"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/internal/eventwriter"
	"github.com/gemwire/gemwire/server/gateway/internal/inbound"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/turn"
	"github.com/gemwire/gemwire/server/gateway/internal/upstream"
)

// streaming is an answer that is sent as it comes.
type streaming struct {
	*answering
	events *turn.Turn
	out    *eventwriter.Writer
	chunks int // so far
	// textSize is how many bytes of text have come, for an estimate where the tokens are not told.
	textSize int
}

// stream answers with a stream.
func (a *answering) stream(ctx context.Context, models []string) *problem.Problem {
	s := &streaming{answering: a, events: a.turn.Stream()}
	s.startWriting()
	defer s.stop()
	err := a.pool.Run(ctx,
		a.upstreamCall(models, func(t *upstream.Try) error { return s.try(ctx, t) }))
	if err == nil {
		err = s.finish()
	}
	if err != nil {
		return s.fail(err)
	}
	a.end.Status = 200
	return nil
}

// startWriting starts the writing.
func (s *streaming) startWriting() { s.out = eventwriter.Start(s.writer, s.settings()) }

// stop ends the writing, also behind a panic.
func (s *streaming) stop() {
	s.out.Stop()
	s.isAnswered = s.out.HasBegun()
	s.end.BytesOut = s.out.Size()
}

// settings says how the stream waits.
func (s *streaming) settings() eventwriter.Settings {
	out := eventwriter.Settings{Grace: s.grace, Every: s.every, WriteTimeout: s.writeTimeout}
	switch {
	case s.heartbeat == HeartbeatOff:
		out.Every = 0
	case s.heartbeat == HeartbeatComment && !s.form.beats:
		out.Heartbeat = eventtext.AppendComment
	default:
		out.Heartbeat = s.events.Heartbeat
	}
	if s.recorders.WantsBodies() {
		out.Begun, out.Sent = s.tellBegun, s.tellEvents
	}
	return out
}

// try asks for a stream and passes it on.
func (s *streaming) try(ctx context.Context, t *upstream.Try) error {
	request, err := s.convert(t)
	if err != nil {
		return err
	}
	s.announce()
	hasBegun := false
	opts, ended := s.streamOptions(t.Model)
	ctx = streamhook.With(inbound.Answer(ctx),
		streamhook.Hooks{BeforeRead: s.flush, Chunk: s.recorders.ChunkHook()})
	for chunk, err := range t.Account.Client.StreamGenerateContent(ctx, request, opts...) {
		if err != nil {
			ended(err)
			return err
		}
		if !hasBegun {
			hasBegun = true
			s.begin(t, chunk)
		}
		if err := s.push(chunk); err != nil {
			return err
		}
	}
	return nil
}

// streamOptions returns the options of a call of a model, and what to call after it has failed.
func (s *streaming) streamOptions(model string) ([]gemini.CallOption, func(error)) {
	opts, ended := s.recorders.Captured(true, s.options(model))
	opts = append(opts, gemini.WithStreamOptions(gemini.WithReusedChunks()))
	return s.withHeads(opts), ended
}

// begin notes what the first chunk says, and releases the request.
func (s *streaming) begin(t *upstream.Try, first *geminiapi.GenerateContentResponse) {
	t.Begun()
	s.report = withOnward(s.report, s.onward.request)
	s.by.note(first)
	s.announce()
	s.letGo()
	s.end.FirstToken = s.now().Sub(s.start)
}

// letGo releases the request, which may be large, while its answer comes over a long time. What the
// stream still needs of it, such as tools that its events repeat, keeps its room.
func (s *streaming) letGo() {
	needed := s.turn.LetGo()
	for i := range s.report {
		needed += entrySize + int64(len(s.report[i].Pointer))
	}
	s.room.Keep(needed)
}

// entrySize is what an entry of a report takes besides its pointer.
const entrySize = 48

// announce sets the headers of the answer to what is known before it: the model that is asked, and
// the losses of the request. The first chunk says which model answers. Where it comes after the
// grace, the headers are out.
func (s *streaming) announce() {
	s.out.SetHeader(headerModel, s.recorders.Secrets.Name(s.by.model()))
	s.tellLosses()
}

// tellLosses sets the header that counts them, as long as the answer has not begun.
func (s *streaming) tellLosses() {
	lost := 0
	for i := range s.report {
		if s.report[i].Kind == report.Lost {
			lost++
		}
	}
	s.out.SetHeader(headerLosses, strconv.Itoa(lost))
}

// push writes a chunk, which goes out when no other has come with it.
func (s *streaming) push(chunk *geminiapi.GenerateContentResponse) (err error) {
	s.count(chunk)
	identifyAnswer(chunk, s.id)
	s.tellChunk(chunk)
	return s.add(func(dst []byte) ([]byte, error) { return s.events.Push(dst, chunk) })
}

// flush sends what was written, before the wait for more of the answer.
func (s *streaming) flush() { _ = s.out.Flush() } // the next write tells

// add writes the events that a function appends. Between two chunks no memory is held for them.
func (s *streaming) add(events func(dst []byte) ([]byte, error)) error {
	buf := takeBuffer()
	defer buf.release()
	var err error
	buf.data, err = s.out.AddFrom(buf.data, events)
	return err
}

// tellChunk tells of the signatures of a chunk.
func (s *streaming) tellChunk(chunk *geminiapi.GenerateContentResponse) {
	if s.recorders.WantsBodies() {
		s.recorders.GivenSignatures("/"+strconv.Itoa(s.chunks), chunk, s.turn.Carrier)
	}
	s.chunks++
}

// tellBegun records the head of an answer that has begun.
func (c *call) tellBegun(header http.Header) {
	c.recorders.Response(exchange.Client, exchange.Response{Status: http.StatusOK, Header: header})
}

// tellEvents records events that were sent.
func (s *streaming) tellEvents(events []byte) {
	for event := range bytes.SplitSeq(bytes.TrimSuffix(events, []byte(eventtext.End)),
		[]byte(eventtext.End)) {
		s.recorders.Chunk(exchange.Client, eventtext.Data(event))
	}
}

// count notes the tokens that a chunk tells, all of the answer so far.
func (s *streaming) count(chunk *geminiapi.GenerateContentResponse) {
	s.by.note(chunk)
	if chunk.UsageMetadata != nil {
		s.usage = chunk.UsageMetadata
	}
	for i := range chunk.Candidates {
		content := chunk.Candidates[i].Content
		if content == nil {
			continue
		}
		for j := range content.Parts {
			if text := content.Parts[j].Text; text != nil {
				s.textSize += len(*text)
			}
		}
	}
}

// finish sends the end of a stream that came to its end.
func (s *streaming) finish() error {
	err := s.add(func(dst []byte) ([]byte, error) {
		dst, err := s.events.End(dst, s.details())
		if err == nil {
			s.ended(s.events.Finished())
		}
		return dst, err
	})
	if err != nil {
		return err
	}
	return s.out.Flush()
}

// fail reports the problem of a stream: by the answer if nothing was sent, or else by the last
// event. A response in the background has no other answer than its events.
func (s *streaming) fail(err error) *problem.Problem {
	s.ended(s.events.Finished())
	s.estimate()
	p := s.failed(err)
	if s.hasLeft() {
		s.end.Canceled = true
	}
	if !s.isDetached && s.out.Abandon() {
		return p
	}
	s.end.Status = 200
	s.isAnswered = true
	// or the client is gone
	s.cutOffPanicked(s.add(func(dst []byte) ([]byte, error) { return s.events.Fail(dst, p), nil }))
	return p
}

// bytesPerToken is what a token of English text has, roughly.
const bytesPerToken = 4

// estimate guesses the tokens of a stream that was cut off before they were told.
func (s *streaming) estimate() {
	if s.usage != nil || s.textSize == 0 {
		return
	}
	s.end.UsageEstimated = true
	s.end.Usage.InputTokens = int(s.end.BytesIn) / bytesPerToken
	s.end.Usage.OutputTokens = s.textSize / bytesPerToken
	s.end.Usage.TotalTokens = s.end.Usage.InputTokens + s.end.Usage.OutputTokens
}
