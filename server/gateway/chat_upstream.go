package gateway

import (
	"context"
	"io"

	"github.com/gemwire/gemwire/internal/eventtext"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/internal/chatupstream"
	"github.com/gemwire/gemwire/server/gateway/internal/eventwriter"
	"github.com/gemwire/gemwire/server/gateway/internal/native"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/upstream"
)

// watched returns the context of a request. Where it goes to a server of OpenAI's API, it has what
// the client asks of the conversion on the way there, which is the only one of a request in
// Google's own form.
func (c *call) watched() context.Context {
	ctx := c.request.Context()
	if c.upstream.Service != OpenAI {
		return ctx
	}
	return chatupstream.WithWatch(ctx, &chatupstream.Watch{
		Strict:    c.wanted.IsStrict,
		Asked:     func(entries report.Report) { c.onward = onward{request: entries} },
		Answered:  func(entries report.Report) { c.onward.answer = entries },
		Recorders: &c.recorders,
	})
}

// onward is what became of a request in Gemini's form on its way to a server of OpenAI's API, in
// the last attempt, and of the answer of that.
type onward struct{ request, answer report.Report }

// tellOnward tells what became of a request in Google's own form, and of its answer.
func (c *call) tellOnward() {
	if c.upstream.Service == OpenAI {
		c.tellReports(c.onward.request, c.onward.answer)
	}
}

// tellReports counts and tells what became of a request and of its answer.
func (c *call) tellReports(request, answer report.Report) {
	for _, entries := range []report.Report{request, answer} {
		for i := range entries {
			switch entries[i].Kind {
			case report.Lost:
				c.end.Lost++
			case report.Approximated:
				c.end.Approximated++
			case report.Added:
				c.end.Added++
			}
		}
	}
	c.recorders.Report(exchange.Client, request)
	c.recorders.Report(exchange.Upstream, answer)
}

// withOnward returns a report with what was lost or approximated of the form in between, whose
// places the client does not see. What was added there is no difference for the client.
func withOnward(entries, further report.Report) report.Report {
	for _, e := range further {
		if e.Kind != report.Added {
			entries = append(entries[:len(entries):len(entries)],
				report.Entry{Kind: e.Kind, Detail: e.Pointer + " of Gemini's form: " + e.Detail})
		}
	}
	return entries
}

// startBeats keeps a stream alive that a server of OpenAI's API sends: models think there for
// minutes and say nothing. Google's own streams are passed on as they come.
func (n *nativePassage) startBeats() {
	if n.upstream.Service != OpenAI || n.op.Verb != native.VerbStream ||
		n.request.URL.Query().Get("alt") != "sse" {
		return
	}
	settings := eventwriter.Settings{Grace: n.grace, Every: n.every, WriteTimeout: n.writeTimeout,
		Heartbeat: appendBlankLines}
	if n.heartbeat == HeartbeatOff {
		settings.Every = 0
	}
	if n.recorders.WantsBodies() {
		settings.Begun = n.tellBegun
	}
	n.beats = eventwriter.Start(n.writer, settings)
}

// appendBlankLines appends what the clients of Gemini pass over, as google.golang.org/genai 1.77
// and @google/genai 2.32 do. The former takes a comment for a damaged chunk.
func appendBlankLines(dst []byte) []byte { return append(dst, "\r\n\r\n"...) }

// stopBeats ends the writing, also behind a panic.
func (n *nativePassage) stopBeats() {
	if n.beats == nil {
		return
	}
	n.beats.Stop()
	if n.beats.HasBegun() {
		n.isAnswered, n.end.Status, n.end.BytesOut = true, 200, n.beats.Size()
	}
}

// passBeating passes a stream on, event by event, by the writer that keeps it alive.
func (n *nativePassage) passBeating(t *upstream.Try, reply *gemini.ForwardReply) error {
	pending := takeBuffer()
	defer pending.release()
	n.beats.SetHeader(headerModel, n.recorders.Secrets.Name(t.Model))
	n.beats.SetHeader(headerLosses, reply.Header.Get(headerLosses))
	reader := gemini.NewStreamReader(io.TeeReader(reply, pending))
	chunk, err := reader.Next()
	if err == io.EOF {
		err = wire.ErrTruncated
	}
	if err != nil {
		return err
	}
	t.Begun()
	reply.Begin()
	n.end.FirstToken = n.now().Sub(n.start)
	n.by.note(chunk)
	n.beats.SetHeader(headerModel, n.recorders.Secrets.Name(n.by.model()))
	for err == nil {
		failed := n.sendBeating(pending.data)
		n.tellChunk(reader.Bytes(), chunk) // after the head, which the first event sends
		if failed != nil {
			return n.leftProblem(failed)
		}
		pending.data = pending.data[:0]
		chunk, err = reader.Next()
	}
	if err := n.sendBeating(n.withoutSecrets(pending.data)); err != nil {
		return n.leftProblem(err)
	}
	if err == io.EOF {
		return nil
	}
	n.isTold = len(pending.data) > 0
	return err
}

// sendBeating sends events.
func (n *nativePassage) sendBeating(events []byte) error {
	if err := n.beats.Add(events); err != nil {
		return err
	}
	return n.beats.Flush()
}

// failBeating tells of the problem of a stream that has begun, by its last event.
func (n *nativePassage) failBeating(p *problem.Problem, reported *gemini.Error) *problem.Problem {
	n.note(p)
	if n.isTold {
		return nil
	}
	event := append([]byte(nil), eventtext.Start...)
	if reported != nil && reported.FromAPI() && p.Code != problem.CodeKeyRefused {
		event = append(event, n.withoutSecrets(reported.RawBody())...)
	} else {
		event = problem.AppendGoogle(event, p, n.id)
	}
	n.isAnswered = true
	n.cutOffPanicked(n.sendBeating(append(event, "\r\n\r\n"...))) // or the client is gone
	return nil
}
