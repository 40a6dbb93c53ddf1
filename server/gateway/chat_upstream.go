package gateway

import (
	"context"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/internal/chatupstream"
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
