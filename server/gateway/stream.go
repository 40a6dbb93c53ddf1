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
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/internal/eventwriter"
	"github.com/gemwire/gemwire/server/gateway/internal/inbound"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/turn"
	"github.com/gemwire/gemwire/server/gateway/internal/upstream"
)

// streaming is an answer that is sent as it arrives.
type streaming struct {
	*answering
	events *turn.Turn
	out    *eventwriter.Writer
	chunks int // so far
	// textSize is the number of bytes of text so far. It gives an estimate if the stream reports no
	// token counts.
	textSize int
}

// stream answers with a stream.
func (a *answering) stream(ctx context.Context, models []string) *problem.Problem {
	s := &streaming{answering: a, events: a.turn.Stream()}
	s.out = eventwriter.Start(s.writer, s.settings())
	s.streamed = s.out
	defer s.stop()
	short, err := a.shorten(ctx, models)
	switch {
	case err != nil:
	case short != nil:
		s.announce()
		err = s.push(short)
	default:
		err = a.pool.Run(ctx,
			a.upstreamCall(models, func(t *upstream.Try) error { return s.try(ctx, t) }))
	}
	if err == nil {
		err = s.finish()
	}
	if err != nil {
		return s.fail(err)
	}
	a.end.Status = 200
	return nil
}

// stop ends the writing, also after a panic.
func (s *streaming) stop() {
	s.out.Stop()
	s.isAnswered = s.out.HasBegun()
	s.end.BytesOut = s.out.Size()
}

// settings returns the timing of the stream.
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
		out.Begun, out.Sent = s.observeBegun, s.observeEvents
	}
	return out
}

// try requests a stream and passes it on.
func (s *streaming) try(ctx context.Context, t *upstream.Try) error {
	request, err := s.convert(t)
	if err != nil {
		return err
	}
	s.announce()
	var first held
	opts, ended := s.streamOptions(t.Model)
	ctx = streamhook.With(inbound.Answer(ctx),
		streamhook.Hooks{BeforeRead: s.flush, Chunk: s.recorders.ChunkHook()})
	for chunk, err := range t.Account.Client.StreamGenerateContent(ctx, request, opts...) {
		if err != nil {
			ended(err)
			s.keepEarlier(&s.by, s.tier, first.usage())
			return err
		}
		if t.IsBegun() {
			err = s.push(chunk)
		} else {
			err = s.first(t, chunk, &first)
		}
		if err != nil {
			return err
		}
	}
	if first.unusable != nil && !t.IsBegun() {
		first.unusable.UsageMetadata = first.usage()
		if err := s.unusable(t, first.unusable); err != nil {
			return err
		}
	}
	return s.release(t, &first)
}

// first begins the answer with its first chunks. It holds back chunks that show nothing, and the
// end of an unusable answer. If nothing follows them, the model is called again.
func (s *streaming) first(t *upstream.Try, chunk *geminiapi.GenerateContentResponse,
	before *held) error {
	isUnusable := hasEnd(chunk) && s.isUnusable(t, chunk)
	if s.maxRepeats() > 0 && before.size < maxHeldSize &&
		mayHold(len(before.chunks), isUnusable, chunk) {
		err := before.add(chunk)
		if isUnusable && err == nil {
			before.unusable = before.chunks[len(before.chunks)-1]
		}
		return err
	}
	if err := s.release(t, before); err != nil {
		return err
	}
	return s.pass(t, chunk)
}

// release begins the answer with chunks that were held back.
func (s *streaming) release(t *upstream.Try, before *held) error {
	for _, chunk := range before.chunks {
		if err := s.pass(t, chunk); err != nil {
			return err
		}
	}
	before.chunks = nil
	return nil
}

// pass writes a chunk. The first one begins the answer.
func (s *streaming) pass(t *upstream.Try, chunk *geminiapi.GenerateContentResponse) error {
	if !t.IsBegun() {
		s.begin(t, chunk)
	}
	return s.push(chunk)
}

// streamOptions returns the options of a model call, and a function to call after a failure.
func (s *streaming) streamOptions(model string) ([]gemini.CallOption, func(error)) {
	opts, ended := s.recorders.Captured(true, s.options(model))
	opts = append(opts, gemini.WithStreamOptions(gemini.WithReusedChunks()))
	return s.withHeads(opts), ended
}

// begin records what the first chunk reports, and releases the request.
func (s *streaming) begin(t *upstream.Try, first *geminiapi.GenerateContentResponse) {
	t.Begun()
	s.report = withOnward(s.report, s.onward.request, ofGemini)
	s.by.note(first)
	s.announce()
	s.letGo()
	s.end.FirstToken = s.now().Sub(s.start)
}

// letGo releases the request, which may be large, while its long answer arrives. Parts that the
// stream still needs, such as tools that its events repeat, keep their memory.
func (s *streaming) letGo() {
	needed := s.turn.LetGo()
	for i := range s.report {
		needed += entrySize + int64(len(s.report[i].Pointer))
	}
	s.room.Keep(needed)
}

// entrySize is the size of a report entry without its pointer.
const entrySize = 48

// announce sets the headers that are known before the answer: the requested model and the losses of
// the request. The first chunk names the model that answers. If that chunk arrives after the grace
// period, the headers are already sent.
func (s *streaming) announce() {
	s.out.SetHeader(headerModel, s.recorders.Secrets.Name(s.by.model()))
	s.observeLosses()
}

// observeLosses sets the header with the number of losses if the answer has not begun.
func (s *streaming) observeLosses() {
	lost := 0
	for i := range s.report {
		if s.report[i].Kind == report.Lost {
			lost++
		}
	}
	s.out.SetHeader(headerLosses, strconv.Itoa(lost))
}

// push writes a chunk. The chunk is sent at once if no other chunk arrived with it.
func (s *streaming) push(chunk *geminiapi.GenerateContentResponse) (err error) {
	s.count(chunk)
	identifyAnswer(chunk, s.id)
	s.observeChunk(chunk)
	return s.add(func(dst []byte) ([]byte, error) { return s.events.Push(dst, chunk) })
}

// flush sends what was written, before the wait for the next chunk.
func (s *streaming) flush() { _ = s.out.Flush() } // the next write returns the error

// add writes the events that a function appends. It holds no memory for events between two chunks.
func (s *streaming) add(events func(dst []byte) ([]byte, error)) error {
	buf := takeBuffer()
	defer buf.release()
	var err error
	buf.data, err = s.out.AddFrom(buf.data, events)
	return err
}

// observeChunk reports the signatures of a chunk.
func (s *streaming) observeChunk(chunk *geminiapi.GenerateContentResponse) {
	if s.recorders.WantsBodies() {
		s.recorders.GivenSignatures("/"+strconv.Itoa(s.chunks), chunk, s.turn.Carrier)
	}
	s.chunks++
}

// observeBegun records the status and headers of an answer that has begun.
func (c *call) observeBegun(header http.Header) {
	c.recorders.Response(exchange.Client, exchange.Response{Status: http.StatusOK, Header: header})
}

// observeEvents records events that were sent.
func (s *streaming) observeEvents(events []byte) {
	for event := range bytes.SplitSeq(bytes.TrimSuffix(events, []byte(eventtext.End)),
		[]byte(eventtext.End)) {
		s.recorders.Chunk(exchange.Client, eventtext.Data(event))
	}
}

// count records the token counts of a chunk. They cover the whole answer so far.
func (s *streaming) count(chunk *geminiapi.GenerateContentResponse) {
	s.by.note(chunk)
	if chunk.UsageMetadata != nil {
		s.usage = chunk.UsageMetadata
	}
	s.textSize += textSize(chunk)
}

// textSize returns the number of bytes of text in a chunk.
func textSize(chunk *geminiapi.GenerateContentResponse) (size int) {
	for i := range chunk.Candidates {
		content := chunk.Candidates[i].Content
		if content == nil {
			continue
		}
		for j := range content.Parts {
			if text := content.Parts[j].Text; text != nil {
				size += len(*text)
			}
		}
	}
	return size
}

// finish sends the end of a stream that completed.
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

// fail reports the problem of a stream: as the answer if nothing was sent, or else as the last
// event. A background response always reports it as an event.
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
	// or the client has disconnected
	s.cutOffPanicked(s.add(func(dst []byte) ([]byte, error) { return s.events.Fail(dst, p), nil }))
	return p
}

// bytesPerToken is the approximate size of a token of English text.
const bytesPerToken = 4

// estimate estimates the tokens of a stream that was cut off before it reported them.
func (s *streaming) estimate() {
	if s.usage != nil || s.textSize == 0 {
		return
	}
	s.noteEstimate(&s.by, s.tier, s.textSize)
	s.addEarlier()
}

// noteEstimate records estimated tokens of a stream with a number of bytes of text.
func (c *call) noteEstimate(by *answeredBy, tier *geminiapi.ServiceTier, textSize int) {
	c.end.UsageEstimated = true
	in, out := int(c.end.BytesIn)/bytesPerToken, textSize/bytesPerToken
	c.noteCost(by, tier, normalize.Usage{InputTokens: in, OutputTokens: out, TotalTokens: in + out})
}
