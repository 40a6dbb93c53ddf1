package interactionsbridge

import (
	"bytes"
	"context"
	"io"
	"iter"
	"net/http"
	"sync"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform/interactions/reverse"
)

// stream answers with a stream. An error before the first event is the reply.
func (g *generation) stream(out *interactionsapi.CreateInteractionRequest) (*http.Response, error) {
	ctx, cancel := context.WithCancel(g.http.Context())
	next, stop := iter.Pull2(g.client.Interactions.Stream(ctx, out))
	event, err, ok := next()
	if ok && err != nil {
		stop()
		cancel()
		return nil, err
	}
	b := &streamBody{generation: g, ctx: ctx, next: next, stop: stop, cancel: cancel,
		isBackground: jsonx.Deref(out.Background),
		chunks:       reverse.NewStream(append(g.options(), reverse.WithLossesOnly())...)}
	contentType := "text/event-stream"
	var opts []gemini.StreamWriterOption
	if g.target.isArray {
		contentType, opts = contentTypeJSON, append(opts, gemini.WithArray())
	}
	b.writer = gemini.NewStreamWriter(&b.buf, opts...)
	if ok {
		b.push(event)
	}
	return newReply(g.http, http.StatusOK, contentType, b, -1), nil
}

// streamBody is the body of a stream that is converted while it is read.
type streamBody struct {
	*generation
	ctx    context.Context    // of the request; Close ends it
	cancel context.CancelFunc // ends a Read that waits for an event

	mu           sync.Mutex // Close may be called during Read
	next         func() (*interactionsapi.StreamEvent, error, bool)
	stop         func()
	chunks       *reverse.Stream
	writer       *gemini.StreamWriter
	buf          bytes.Buffer // what is converted and not read yet
	err          error        // what ends the body
	isBackground bool
	hasEnded     bool   // the interaction has ended
	id           string // of the interaction
}

// Read returns converted data, and reads more events if it has none.
func (b *streamBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.buf.Len() == 0 {
		if b.err != nil {
			return 0, b.err
		}
		b.step()
	}
	return b.buf.Read(p)
}

// step converts the next event.
func (b *streamBody) step() {
	event, err, ok := b.next()
	switch {
	case !ok:
		b.finish(nil)
	case err != nil:
		b.finish(err)
	default:
		b.push(event)
	}
}

// push converts an event.
func (b *streamBody) push(event *interactionsapi.StreamEvent) {
	if event.Interaction != nil && jsonx.Deref(event.Interaction.ID) != "" {
		b.id = *event.Interaction.ID
	}
	b.hasEnded = b.hasEnded ||
		event.EventType == interactionsapi.EventTypeInteractionCompleted
	out, err := b.chunks.Push(event)
	b.fail(b.writer.Write(out...))
	if err != nil {
		b.end(err)
	}
}

// finish ends the conversion. err is why there are no more events, nil at the proper end.
func (b *streamBody) finish(err error) {
	out, err := b.chunks.Close(err)
	b.fail(b.writer.Write(out...))
	b.end(err)
}

// end ends the body. If the stream has failed, the last element is an error. A canceled request
// needs no error.
func (b *streamBody) end(err error) {
	b.reported(b.chunks.Report())
	if ended := b.ctx.Err(); ended != nil {
		b.err = ended
		return
	}
	if err != nil {
		b.fail(b.writer.Fail(reverse.ErrorBody(reverse.FromError(err))))
	}
	b.fail(b.writer.Done())
	if b.err == nil {
		b.err = io.EOF
	}
}

func (b *streamBody) fail(err error) {
	if b.err == nil {
		b.err = err
	}
}

// Close ends the request, and removes a background interaction.
func (b *streamBody) Close() error {
	b.cancel()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stop()
	if b.isBackground && b.id != "" {
		b.clean(b.id, func() bool { return !b.hasEnded })
		b.id = ""
	}
	if b.err == nil {
		b.err = errClosed
	}
	return nil
}
