package gateway

import (
	"net/http"
	"slices"

	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/turn"
	"github.com/gemwire/gemwire/server/gateway/internal/turn/chat"
	"github.com/gemwire/gemwire/server/gateway/internal/turn/interaction"
	"github.com/gemwire/gemwire/server/gateway/internal/turn/message"
	"github.com/gemwire/gemwire/server/gateway/internal/turn/response"
	"github.com/go-chi/chi/v5"
)

// WithForms sets the forms that the gateway serves in addition to Google's own API. The default is
// [forms.All].
func WithForms(forms transform.Forms) Option { return func(s *settings) { s.forms = forms } }

// operation is an API operation that returns one body.
type operation struct {
	form   form
	answer func(*call) *problem.Problem
}

// form is how the requests and the problems of an operation look.
type form struct {
	// name is the name of the operation in [exchange.Start]. It is "" for paths that no form has.
	name string
	// idHeader is the response header with the request's id. timeHeader is the one with the
	// duration in milliseconds. Both are "" if the API has no such header.
	idHeader, timeHeader string
	// passesBodies leaves request bodies unread, so that the form reads them itself.
	passesBodies bool
	// status returns the HTTP status of a problem.
	status func(p *problem.Problem) int
	// appendProblem appends the error body for a problem.
	appendProblem func(dst []byte, p *problem.Problem, requestID string) []byte
	// beats reports whether the form's streams have an event for heartbeats. The event replaces
	// comments, which clients do not count as activity.
	beats bool
}

// formOf returns an operation that writes its problems in the way of a form.
func formOf(f *transform.Form, name string) form {
	return form{
		name: name, idHeader: f.IDHeader, timeHeader: f.TimeHeader, beats: f.HasHeartbeat,
		status: func(p *problem.Problem) int { return f.StatusOf(p.InForm("")) },
		appendProblem: func(dst []byte, p *problem.Problem, requestID string) []byte {
			return f.AppendError(dst, p.InForm(requestID))
		},
	}
}

// statusOf returns the HTTP status of a problem.
func (f *form) statusOf(p *problem.Problem) int {
	if f.status != nil {
		return f.status(p)
	}
	return p.Status
}

// operationsOf returns the operations of the forms and the embeddings operation by their paths.
func operationsOf(forms transform.Forms) map[string]operation {
	embedding := operation{embeddingsForm, (*call).createEmbedding}
	out := map[string]operation{embeddingsPath: embedding, "/v1beta/openai/embeddings": embedding}
	for _, f := range forms {
		op := operation{formOf(f, f.Name),
			func(c *call) *problem.Problem { return c.answerForm(f) }}
		counting := operation{formOf(f, f.CountName),
			func(c *call) *problem.Problem { return c.countForm(f) }}
		for _, path := range f.Paths {
			out[path] = op
		}
		for _, path := range f.CountPaths {
			out[path] = counting
		}
	}
	return out
}

// formRoutes adds the paths of the forms. It must run after the operations of the same APIs are
// added.
func formRoutes(router chi.Router, s *setup) {
	for _, f := range s.forms {
		if f.Memory == transform.StoredInteractions {
			interactionRoutes(router, s, f)
		}
		if f.Memory == transform.StoredResponses {
			socketRoutes(router, s, f)
		}
		for _, path := range slices.Concat(f.Paths, f.CountPaths) {
			op := s.operations[path]
			router.Post(path,
				func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, &op.form, op.answer) })
		}
	}
}

// answerForm answers a request of a form.
func (c *call) answerForm(f *transform.Form) *problem.Problem {
	if f.Memory == transform.StoredInteractions {
		if agent := agentIn(c.body); agent != "" {
			return c.passToAgent(agent)
		}
	}
	t, kept, p := c.readTurn(f, f.Decode)
	switch {
	case p != nil:
		return p
	case c.inProcess != nil && t.Request.NotWhole() != "":
		return notWhole(t.Request.NotWhole())
	case kept != nil && kept.InBackground():
		return c.startInBackground(kept, c.streamOf(f))
	}
	p = c.generate(t)
	if p != nil && kept != nil {
		kept.Fell(p)
	}
	return p
}

// streamOf returns how a form writes stored events.
func (c *call) streamOf(f *transform.Form) keptStream {
	if f.Memory == transform.StoredInteractions {
		return interactionStream
	}
	return c.responseStream()
}

// countForm counts the tokens of a request of a form.
func (c *call) countForm(f *transform.Form) *problem.Problem {
	t, _, p := c.readTurn(f, f.DecodeCount)
	if p != nil {
		return p
	}
	t.IsCounted = true
	tokens, p := c.countTokens(t)
	if p != nil {
		return p
	}
	return c.writeJSON(func(dst []byte) ([]byte, error) { return f.AppendCount(dst, tokens) })
}

// readTurn reads a request of a form. It adds what the gateway remembers for the form. The second
// result is nil for a form without stored answers.
func (c *call) readTurn(f *transform.Form,
	decode func([]byte) (transform.Request, error)) (*turn.Turn, keptTurn, *problem.Problem) {
	r := turn.Request{Body: c.body, Header: c.request.Header, ID: c.id, At: c.start,
		Conversion: c.wanted, IsRecorded: c.recorders.WantsBodies()}
	c.body = nil // the form holds it only while it needs it
	t := &turn.Turn{}
	if p := t.Read(f, decode, &r); p != nil {
		return nil, nil, p
	}
	t.CountsAtEnd = f.CountsFirst && c.upstream.Service == OpenAI
	switch f.Memory {
	case transform.NoMemory:
	case transform.CallSignatures:
		chat.Extend(t, &r, c.signing, c.heartbeat == HeartbeatChunk,
			chat.Thoughts(c.chatReasoning))
	case transform.TextSignatures:
		message.Extend(t, c.signing)
	case transform.StoredResponses:
		if c.lane == nil { // or the upgrade has shown it
			c.showCatalog()
		}
		kept, err := response.Extend(c.request.Context(), t, c.responseWay())
		if err != nil {
			return nil, nil, c.missing(err)
		}
		if kept != nil {
			return t, kept, nil
		}
	case transform.StoredInteractions:
		kept, err := interaction.Extend(c.request.Context(), t, c.interactionWay())
		if err != nil {
			return nil, nil, c.missingInteraction(err)
		}
		if kept != nil {
			return t, kept, nil
		}
	}
	return t, nil, nil
}
