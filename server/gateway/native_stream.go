package gateway

import (
	"errors"
	"io"
	"maps"
	"net/http"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/internal/eventwriter"
	"github.com/gemwire/gemwire/server/gateway/internal/native"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/upstream"
	"github.com/go-json-experiment/json/jsontext"
)

// startBeats starts heartbeats in a stream of events. Models can think for minutes without sending
// anything, and Gemini CLI gives up a request without a header after a minute.
func (n *nativePassage) startBeats() {
	if n.op.Verb != native.VerbStream || n.request.URL.Query().Get("alt") != "sse" {
		return
	}
	settings := eventwriter.Settings{Grace: min(n.grace, longestNativeGrace), Every: n.every,
		WriteTimeout: n.writeTimeout, Heartbeat: appendBlankLines}
	if n.heartbeat == HeartbeatOff {
		settings.Every = 0
	}
	if n.recorders.WantsBodies() {
		settings.Begun = n.observeBegun
	}
	n.beats = eventwriter.Start(n.writer, settings)
}

// longestNativeGrace is less than the minute after which Gemini CLI gives up a request without a
// header.
const longestNativeGrace = 45 * time.Second

// appendBlankLines appends a heartbeat that Gemini's clients ignore, as google.golang.org/genai
// 1.77 and @google/genai 2.32 do. The Go client reports a comment as a damaged chunk.
func appendBlankLines(dst []byte) []byte { return append(dst, "\r\n\r\n"...) }

// stopBeats ends the writing, also after a panic.
func (n *nativePassage) stopBeats() {
	if n.beats == nil {
		return
	}
	n.beats.Stop()
	if n.beats.HasBegun() {
		n.isAnswered, n.end.Status, n.end.BytesOut = true, 200, n.beats.Size()
	}
}

// passBeating passes a stream on, event by event, through the writer that sends heartbeats.
func (n *nativePassage) passBeating(t *upstream.Try, reply *gemini.ForwardReply) error {
	pending := takeBuffer()
	defer pending.release()
	n.beats.SetHeader(headerModel, n.recorders.Secrets.Name(t.Model))
	var before http.Header
	n.beats.SetHeaders(func(header http.Header) {
		before = header.Clone()
		native.SetReplyHeader(header, n.request, reply, &n.recorders.Secrets)
		header.Del("Content-Length")
	})
	reader := gemini.NewStreamReader(io.TeeReader(reply, pending))
	arrived, err := n.openStream(t, reply, reader)
	if err != nil {
		n.beats.SetHeaders(func(header http.Header) { // of another attempt, or of an error
			clear(header)
			maps.Copy(header, before)
		})
		return err
	}
	t.Begun()
	reply.Begin()
	n.end.FirstToken = n.now().Sub(n.start)
	n.beats.SetHeader(headerModel, n.recorders.Secrets.Name(n.by.model()))
	for err == nil {
		failed := n.sendBeating(pending.data)
		n.observeChunks(arrived) // after the head, which the first event sends
		if failed != nil {
			return n.leftProblem(failed)
		}
		pending.data = pending.data[:0]
		arrived, err = nextChunk(arrived, reader)
	}
	if err := n.sendBeating(n.withoutSecrets(pending.data)); err != nil {
		return n.leftProblem(err)
	}
	if err == io.EOF {
		return nil
	}
	// an error in the stream itself was passed on, perhaps together with the event before it
	_, n.isObserved = errors.AsType[*gemini.Error](err)
	return err
}

// sendBeating sends events.
func (n *nativePassage) sendBeating(events []byte) error {
	if err := n.beats.Add(events); err != nil {
		return err
	}
	return n.beats.Flush()
}

// failBeating sends the problem of a stream that has begun as its last event. It has the form in
// which Google sends it: an error without the prefix of an event. Gemini CLI, pi and Cline take no
// notice of an error in an event, and would take the part for the whole answer.
func (n *nativePassage) failBeating(p *problem.Problem, reported *gemini.Error) *problem.Problem {
	isOfGoogle := reported != nil && reported.FromAPI()
	if !isOfGoogle && n.chunks > 0 && !n.recorders.IsBetween {
		return n.cutOff(p) // as the client would see it without the gateway
	}
	n.note(p)
	if n.isObserved {
		return nil
	}
	var body []byte
	if isOfGoogle && p.Code != problem.CodeKeyRefused {
		body = oneLine(n.withoutSecrets(reported.RawBody()))
	} else {
		body = problem.AppendGoogle(nil, p, n.id)
	}
	n.isAnswered = true
	n.cutOffPanicked(n.sendBeating(append(body, "\r\n\r\n"...))) // or the client is gone
	return nil
}

// oneLine returns a JSON text on one line, as clients read streams by lines.
func oneLine(body jsontext.Value) []byte {
	_ = body.Compact() // of an error that was read as JSON
	return body
}

// passStream passes a stream on that is a JSON array, element by element. It holds back the
// elements before the first good one.
func (n *nativePassage) passStream(t *upstream.Try, reply *gemini.ForwardReply) error {
	pending := takeBuffer()
	defer pending.release()
	reader := gemini.NewStreamReader(io.TeeReader(reply, pending))
	arrived, err := n.openStream(t, reply, reader)
	if err != nil {
		return err
	}
	t.Begun()
	reply.Begin()
	n.end.FirstToken = n.now().Sub(n.start)
	n.showModel(n.by.model())
	n.beginStream(reply)
	out := n.passing()
	for err == nil {
		n.observeChunks(arrived)
		if err := out.write(pending.data); err != nil {
			return n.leftProblem(err)
		}
		pending.data = pending.data[:0]
		arrived, err = nextChunk(arrived, reader)
	}
	if err := out.write(n.withoutSecrets(pending.data)); err != nil {
		return n.leftProblem(err)
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// beginStream writes the status and headers of a stream.
func (n *nativePassage) beginStream(reply *gemini.ForwardReply) {
	native.SetReplyHeader(n.writer.Header(), n.request, reply, &n.recorders.Secrets)
	header := n.writer.Header()
	header.Del("Content-Length")
	header.Set("Cache-Control", "no-cache, no-transform")
	header.Set("X-Accel-Buffering", "no")
	n.isAnswered, n.end.Status = true, reply.HTTPStatus
	if n.recorders.WantsBodies() {
		n.recorders.Response(exchange.Client,
			exchange.Response{Status: reply.HTTPStatus, Header: header})
	}
	n.writer.WriteHeader(reply.HTTPStatus)
}
