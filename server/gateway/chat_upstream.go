package gateway

import (
	"context"
	"io"
	"slices"

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

// watched returns the context of a request to models. For a server of another API than
// generateContent the context carries the client's conversion settings. The conversion to that
// server is the only one for a request in Google's own form.
func (c *call) watched(models []string) context.Context {
	ctx := c.request.Context()
	if c.upstream.Service != OpenAI {
		return c.watchedBridge(ctx, models)
	}
	return chatupstream.WithWatch(ctx, &chatupstream.Watch{
		Strict:    c.wanted.IsStrict,
		Asked:     func(entries report.Report) { c.onward = onward{request: entries} },
		Answered:  func(entries report.Report) { c.onward.answer = entries },
		Recorders: &c.recorders,
	})
}

// onward holds the reports of the last attempt at a server with an API other than generateContent.
// One report is about converting the request from Gemini's form, and the other about converting the
// answer.
type onward struct{ request, answer report.Report }

// observeReports counts and reports the losses of a request and of its answer.
func (c *call) observeReports(request, answer report.Report) {
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

// The forms on the two sides of the conversion between Gemini's form and the upstream.
const (
	ofGemini   = "Gemini's form"
	ofUpstream = "the upstream's form"
)

// withOnward adds the losses and approximations between Gemini's form and the upstream to a report.
// Their locations are in a form that the client does not see. Values that were added there make no
// difference to the client.
func withOnward(entries, further report.Report, form string) report.Report {
	for _, e := range further {
		if e.Kind != report.Added {
			entries = append(entries[:len(entries):len(entries)],
				report.Entry{Kind: e.Kind, Detail: e.Pointer + " of " + form + ": " + e.Detail})
		}
	}
	return entries
}

// startBeats starts heartbeats in a stream from a server of another API. Models there can think for
// minutes without sending anything. Google's own streams are passed on as they arrive.
func (n *nativePassage) startBeats(models []string) {
	isOther := n.upstream.Service == OpenAI || slices.ContainsFunc(models, n.isBridged)
	if !isOther || n.op.Verb != native.VerbStream ||
		n.request.URL.Query().Get("alt") != "sse" {
		return
	}
	settings := eventwriter.Settings{Grace: n.grace, Every: n.every, WriteTimeout: n.writeTimeout,
		Heartbeat: appendBlankLines}
	if n.heartbeat == HeartbeatOff {
		settings.Every = 0
	}
	if n.recorders.WantsBodies() {
		settings.Begun = n.observeBegun
	}
	n.beats = eventwriter.Start(n.writer, settings)
}

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
		n.observeChunk(reader.Bytes(), chunk) // after the head, which the first event sends
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
	n.isObserved = len(pending.data) > 0
	return err
}

// sendBeating sends events.
func (n *nativePassage) sendBeating(events []byte) error {
	if err := n.beats.Add(events); err != nil {
		return err
	}
	return n.beats.Flush()
}

// failBeating sends the problem of a stream that has begun as its last event.
func (n *nativePassage) failBeating(p *problem.Problem, reported *gemini.Error) *problem.Problem {
	n.note(p)
	if n.isObserved {
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
