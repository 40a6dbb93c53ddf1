package fakegemini

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/received"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/interactions"
	form "github.com/gemwire/gemwire/pkg/transform/interactions"
	"github.com/gemwire/gemwire/pkg/transform/interactions/request"
	"github.com/go-json-experiment/json/jsontext"
)

// inner returns the request to generateContent that makes the answer. The error is an
// *[interactions.Error].
func (a *api) inner(run *interactionRun, method string) (*http.Request, error) {
	own := *run.request
	model := jsonx.Deref(own.Model)
	own.Agent, own.AgentConfig, own.Environment = nil, nil,
		interactionsapi.CreateInteractionRequest{}.Environment
	own.Background, own.WebhookConfig = nil, nil
	if model == "" {
		model = agentModel
	}
	own.Model = &model
	opts := []request.Option{request.ForTime(a.settings.now()), request.WithoutValidation(),
		request.WithStore(), request.WithHistory(run.history)}
	if run.received.Backend == models.VertexAI {
		opts = append(opts, request.ForVertexAI())
	}
	out, _, err := request.ToGemini(&own, opts...)
	if err != nil {
		return nil, invalidInteraction(err.Error())
	}
	body, err := gemini.EncodeRequest(out)
	if err != nil {
		return nil, invalidInteraction(err.Error())
	}
	single := run.http.Clone(withoutValues{run.http.Context()})
	single.Method = http.MethodPost
	single.URL = &url.URL{Path: innerPath(run.received, model, method), RawQuery: "alt=sse"}
	single.Body = io.NopCloser(bytes.NewReader(body))
	read, parsed, err := received.Read(single)
	if err != nil {
		return nil, invalidInteraction(err.Error())
	}
	parsed.IsInteraction = true
	return read, nil
}

// withoutValues is the context of a request without the values that the router keeps in it. It ends
// when the client leaves.
type withoutValues struct{ context.Context }

// Value returns nil.
func (withoutValues) Value(any) any { return nil }

// options are the options of the conversion of an answer.
func (r *interactionRun) options() []form.Option {
	return []form.Option{form.WithID(r.id), form.WithRequest(r.request),
		form.WithCreated(r.created)}
}

// answer returns the interaction as a whole.
func (a *api) answer(run *interactionRun) (*interactionsapi.Interaction, error) {
	inner, err := a.inner(run, "generateContent")
	if err != nil {
		return nil, err
	}
	reply := &recorder{header: make(http.Header)}
	a.front.ServeHTTP(reply, inner)
	if reply.status != 0 && reply.status != http.StatusOK {
		return nil, interactionError(reply.status, reply.header, reply.body.Bytes())
	}
	in, err := decodeCompact(reply.body.Bytes())
	if err != nil {
		return nil, failedInteraction(interactions.CodeInternal, err.Error())
	}
	out, _, err := form.FromGemini(in, run.options()...)
	if err != nil {
		return nil, failedInteraction(interactions.CodeInternal, err.Error())
	}
	run.complete(out)
	return out, nil
}

// decodeCompact decodes an answer of generateContent, whose JSON is indented. Interactions have no
// spaces in arguments either.
func decodeCompact(body []byte) (*geminiapi.GenerateContentResponse, error) {
	value := jsontext.Value(bytes.Clone(body))
	if err := value.Compact(); err != nil {
		return nil, err
	}
	return gemini.DecodeResponse(value)
}

// complete gives an answer the members of its request.
func (r *interactionRun) complete(out *interactionsapi.Interaction) {
	out.Object = new("interaction")
	out.PreviousInteractionID = r.request.PreviousInteractionID
	if r.request.Agent != nil {
		out.Agent, out.Model = r.request.Agent, nil
	}
	if r.id == "" {
		out.ID = nil
	}
}

// interactionError converts an error of generateContent to an error of interactions.
func interactionError(status int, header http.Header, body []byte) error {
	failed := gemini.DecodeError(status, header, body)
	return failedInteraction(interactions.CodeOf(status), failed.Message)
}

func (a *api) wholeInteraction(w http.ResponseWriter, run *interactionRun) {
	out, err := a.answer(run)
	if err != nil {
		refuseInteraction(w, err)
		return
	}
	a.keep(run, out, interactions.Events(out), 0)
	payload, err := interactions.EncodeResponse(out)
	writeInteraction(w, payload, err)
}

// keep stores an interaction, unless the client does not want that.
func (a *api) keep(run *interactionRun, out *interactionsapi.Interaction,
	events []interactionsapi.StreamEvent, polls int) *storedInteraction {
	status := out.Status
	if polls > 0 {
		status = interactionsapi.InteractionStatusInProgress
	}
	stored := &storedInteraction{input: run.request.Input, history: run.history, whole: out,
		events: events, polls: polls, status: status}
	if run.id != "" {
		a.interactions.Put(run.id, stored, time.Time{})
	}
	return stored
}

// runInBackground answers at once. The interaction ends after the client has looked at it a few
// times, or when the client streams it.
func (a *api) runInBackground(w http.ResponseWriter, run *interactionRun) {
	out, err := a.answer(run)
	if err != nil {
		refuseInteraction(w, err)
		return
	}
	stored := a.keep(run, out, interactions.Events(out), pollsOfBackground)
	if jsonx.Deref(run.request.Stream) {
		replayInteraction(w, stored, "")
		return
	}
	payload, err := interactions.EncodeResponse(stored.state())
	writeInteraction(w, payload, err)
}

// streamInteraction answers with events as the chunks of the script come.
func (a *api) streamInteraction(w http.ResponseWriter, run *interactionRun) {
	inner, err := a.inner(run, "streamGenerateContent")
	if err != nil {
		refuseInteraction(w, err)
		return
	}
	out := newEventTranslator(w, run)
	out.keep = func(whole *interactionsapi.Interaction) { a.keep(run, whole, out.events, 0) }
	a.front.ServeHTTP(out, inner)
	out.close()
}

// eventTranslator is the writer of the stream of generateContent that makes the answer. It writes
// the events of an interaction. Bytes that are not a chunk, such as the bytes of a fault, pass
// unchanged.
type eventTranslator struct {
	http.ResponseWriter
	run    *interactionRun
	stream *form.Stream
	out    *interactions.StreamWriter
	whole  interactions.Accumulator
	events []interactionsapi.StreamEvent
	// keep stores the interaction when it is complete.
	keep func(*interactionsapi.Interaction)

	status     int
	header     http.Header
	partial    []byte // of a line, or the body of an error
	failed     []byte // the lines of an error after the first events
	isBegun    bool
	isComplete bool
}

func newEventTranslator(w http.ResponseWriter, run *interactionRun) *eventTranslator {
	return &eventTranslator{ResponseWriter: w, run: run, header: make(http.Header),
		stream: form.NewStream(run.options()...), out: interactions.NewStreamWriter(w)}
}

// Unwrap returns the writer below, for faults that cut its connection.
func (t *eventTranslator) Unwrap() http.ResponseWriter { return t.ResponseWriter }

// Header returns the header of generateContent's answer. An interaction does not send it.
func (t *eventTranslator) Header() http.Header { return t.header }

// WriteHeader keeps the status for an error.
func (t *eventTranslator) WriteHeader(status int) { t.status = status }

// Write translates the lines of the stream.
func (t *eventTranslator) Write(p []byte) (int, error) {
	t.partial = append(t.partial, p...)
	if t.status != 0 && t.status != http.StatusOK {
		return len(p), nil
	}
	for {
		line, rest, ok := bytes.Cut(t.partial, []byte("\n"))
		if !ok {
			return len(p), nil
		}
		t.partial = rest
		data, isData := bytes.CutPrefix(bytes.TrimRight(line, "\r"), []byte("data: "))
		switch {
		case isData:
			t.chunk(data)
		case len(t.failed) > 0, bytes.HasPrefix(line, []byte("{")):
			t.failed = append(append(t.failed, line...), '\n')
		case len(bytes.TrimSpace(line)) > 0:
			t.pass(append(line, '\n'))
		}
	}
}

// begin writes the header of the events.
func (t *eventTranslator) begin() {
	if !t.isBegun {
		t.isBegun = true
		beginEvents(t.ResponseWriter)
	}
}

// pass writes bytes unchanged.
func (t *eventTranslator) pass(raw []byte) {
	t.begin()
	_, _ = t.ResponseWriter.Write(raw) // fails if the client has disconnected
}

// chunk translates one chunk.
func (t *eventTranslator) chunk(data []byte) {
	chunk, err := decodeCompact(data)
	switch {
	case err != nil:
		t.pass(append(append([]byte("data: "), data...), "\n\n"...))
		return
	case gemini.IsError(chunk):
		t.fail(data)
		return
	}
	events, err := t.stream.Push(chunk)
	t.write(events)
	if err != nil {
		t.fail([]byte(`{}`))
	}
}

// write writes events, and keeps them for a stored interaction.
func (t *eventTranslator) write(events []interactionsapi.StreamEvent) {
	if len(events) == 0 {
		return
	}
	t.begin()
	for i := range events {
		if interaction := events[i].Interaction; interaction != nil {
			own := *interaction
			t.run.complete(&own)
			if own.ID == nil {
				own.ID = new("") // as Google does in streams
			}
			events[i].Interaction = &own
		}
		if events[i].EventType == interactionsapi.EventTypeInteractionCompleted {
			t.isComplete = true
		}
		_ = t.whole.Push(&events[i])
	}
	if t.run.id != "" {
		numberEvents(events, len(t.events))
	}
	t.events = append(t.events, events...)
	if t.isComplete {
		// before the client sees the end, and continues the interaction
		whole := t.whole.Interaction()
		t.run.complete(whole)
		t.keep(whole)
	}
	_ = t.out.Write(events...) // fails if the client has disconnected
}

// fail writes an error event, or the error alone if nothing was written.
func (t *eventTranslator) fail(body []byte) {
	status := t.status
	if status == 0 || status == http.StatusOK {
		status = gemini.DecodeError(0, nil, body).HTTPStatus
	}
	failed := interactionError(status, t.header, body)
	if !t.isBegun {
		t.isBegun = true
		refuseInteraction(t.ResponseWriter, failed)
		return
	}
	_ = t.out.Fail(&failed.(*interactions.Error).Response)
}

// close ends the stream.
func (t *eventTranslator) close() {
	if t.status != 0 && t.status != http.StatusOK {
		t.fail(t.partial)
		return
	}
	if t.isComplete {
		return
	}
	if rest := append(t.failed, t.partial...); jsonx.Member(rest, "error") != nil {
		t.fail(rest)
		return
	}
	events, err := t.stream.Close(nil)
	if err == nil {
		t.write(events)
	}
}
