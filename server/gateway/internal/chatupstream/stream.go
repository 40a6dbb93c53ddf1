package chatupstream

import (
	"bytes"
	"errors"
	"io"
	"net/http"

	"github.com/gemwire/gemwire/internal/redact"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform/chat/reverse"
	"github.com/gemwire/gemwire/server/gateway/internal/inbound"
)

// stream answers with a stream: server-sent events or a JSON array.
func (g *generation) stream(reply *http.Response) *http.Response {
	g.watch.came(reply, nil)
	opts := append(g.options(), reverse.WithLossesOnly())
	body := &streamBody{
		generation: g, below: reply.Body, out: g.writerOptions(),
		in:     openai.NewStreamReader(reply.Body, openai.WithForeignChunks()),
		chunks: reverse.NewStream(opts...),
	}
	body.begin()
	return g.head(newReply(g.request, http.StatusOK, g.contentType(), body, -1))
}

func (g *generation) isArray() bool { return g.request.URL.Query().Get("alt") != "sse" }

func (g *generation) contentType() string {
	if g.isArray() {
		return contentTypeJSON
	}
	return "text/event-stream"
}

func (g *generation) writerOptions() []gemini.StreamWriterOption {
	if g.isArray() {
		return []gemini.StreamWriterOption{gemini.WithArray()}
	}
	return nil
}

// streamBody is the body of a stream that is converted while it is read.
type streamBody struct {
	*generation
	below  io.Closer
	in     *openai.StreamReader
	chunks *reverse.Stream
	out    []gemini.StreamWriterOption
	writer *gemini.StreamWriter
	buf    bytes.Buffer // what is converted and not read yet
	err    error        // what ends the body
}

func (b *streamBody) begin() { b.writer = gemini.NewStreamWriter(&b.buf, b.out...) }

// Read returns converted data, and reads more from the server if it has no converted data.
func (b *streamBody) Read(p []byte) (int, error) {
	for b.buf.Len() == 0 {
		if b.err != nil {
			return 0, b.err
		}
		b.step()
	}
	return b.buf.Read(p)
}

// step converts the next chunk.
func (b *streamBody) step() {
	chunk, err := b.in.Next()
	b.watch.chunk(b.in.Bytes())
	if err != nil {
		out, err := b.chunks.Close(err)
		b.fail(b.writer.Write(out...))
		b.finish(err)
		return
	}
	out, err := b.chunks.Push(chunk)
	b.fail(b.writer.Write(out...))
	if err != nil {
		b.finish(err)
	}
}

// finish ends the body. If the stream has failed, the last element is an error. A canceled request
// needs no error.
func (b *streamBody) finish(err error) {
	if b.generation != nil {
		b.watch.answered(append(b.in.Lost(), b.chunks.Report()...))
		if ended := b.request.Context().Err(); ended != nil {
			b.err = ended
			return
		}
	}
	// the gateway's own error, not the server's
	if size, ok := errors.AsType[*inbound.SizeError](err); ok {
		b.err = size
		return
	}
	if err != nil && err != io.EOF {
		b.fail(b.writer.Fail(reverse.ErrorBody(b.withoutKey(reverse.FromError(err)))))
	}
	b.fail(b.writer.Done())
	if b.err == nil {
		b.err = io.EOF
	}
}

// withoutKey removes the server's key from an error. Servers that refuse a key may quote it.
func (b *streamBody) withoutKey(e *gemini.Error) *gemini.Error {
	body := string(e.RawBody())
	if clean := redact.Text(body, keyOf(b.request.Header)); clean != body {
		return gemini.DecodeError(e.HTTPStatus, nil, []byte(clean))
	}
	return e
}

func (b *streamBody) fail(err error) {
	if b.err == nil {
		b.err = err
	}
}

// Close ends the request.
func (b *streamBody) Close() error {
	if b.below == nil {
		return nil
	}
	return b.below.Close()
}
