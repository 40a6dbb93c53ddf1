package fakegemini_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/pkg/fakegemini"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/go-json-experiment/json/jsontext"
)

// interactionsServer is a fake server and a client of it.
func interactionsServer(t *testing.T, fixtures ...*fakegemini.Fixture) (*gemini.Client, string) {
	t.Helper()
	handler, err := fakegemini.NewHandler(fakegemini.WithScript(fixtures...))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	client, err := gemini.NewClient(gemini.WithAPIKey("k"), gemini.WithBaseURL(server.URL),
		gemini.WithMaxAttempts(1))
	if err != nil {
		t.Fatal(err)
	}
	return client, server.URL
}

// askInteraction returns a request with a text.
func askInteraction(text string) *interactionsapi.CreateInteractionRequest {
	return &interactionsapi.CreateInteractionRequest{Model: new("gemini-3.6-flash"),
		Input: interactions.InputOf(interactions.UserText(text))}
}

func TestAFixtureAnswersAnInteraction(t *testing.T) {
	t.Parallel()
	client, _ := interactionsServer(t, fakegemini.On().Reply(fakegemini.Text("Hello ", "there")))
	whole, err := client.Interactions.Create(t.Context(), askInteraction("Hi"))
	if err != nil || interactions.Text(whole) != "Hello there" || whole.ID != nil {
		t.Fatalf("the interaction is %+v, %v", whole, err)
	}
	var streamed interactions.Accumulator
	var order interactions.Sequence
	for event, err := range client.Interactions.Stream(t.Context(), askInteraction("Hi")) {
		if err != nil {
			t.Fatal(err)
		}
		if found := order.Push(event); found != nil {
			t.Errorf("%s: %v", event.EventType, found)
		}
		if err := streamed.Push(event); err != nil {
			t.Fatal(err)
		}
	}
	if found := order.Close(); found != nil {
		t.Error(found)
	}
	if got := interactions.Text(streamed.Interaction()); got != "Hello there" {
		t.Errorf("the streamed text is %q", got)
	}
}

func TestAToolLoopOverThreeTurnsOfStoredInteractions(t *testing.T) {
	t.Parallel()
	client, _ := interactionsServer(t, fakegemini.On().Reply(
		fakegemini.Call("weather", `{"city":"Porto"}`), fakegemini.Call("time", `{}`)),
	)
	request := askInteraction("Weather and time?")
	request.Store = new(true)
	request.Tools = []interactionsapi.Tool{
		interactions.FunctionTool("weather", "The weather.", jsontext.Value(`{"type":"object"}`)),
		interactions.FunctionTool("time", "The time.", nil),
	}
	for turn := range 3 {
		got, err := client.Interactions.Create(t.Context(), request)
		if err != nil {
			t.Fatalf("turn %d: %v", turn, err)
		}
		calls := interactions.Calls(got)
		if got.Status != interactionsapi.InteractionStatusRequiresAction || len(calls) != 2 ||
			string(calls[0].Arguments) != `{"city":"Porto"}` {
			t.Fatalf("turn %d: %s with the calls %q", turn, got.Status, calls[0].Arguments)
		}
		request.PreviousInteractionID = got.ID
		request.Input = interactions.InputOf(
			interactions.FunctionResult(calls[1], jsontext.Value(`{"time":"12:00"}`)),
			interactions.FunctionResult(calls[0], jsontext.Value(`"sunny"`)))
	}
}

func TestABackgroundInteractionProgressesByPolling(t *testing.T) {
	t.Parallel()
	client, _ := interactionsServer(t, fakegemini.On().Reply(fakegemini.Text("A report")))
	request := &interactionsapi.CreateInteractionRequest{
		Agent:      new(interactionsapi.AgentName("deep-research-preview-04-2026")),
		Input:      interactions.InputOf(interactions.UserText("Go?")),
		Background: new(true), Store: new(true)}
	got, err := client.Interactions.Create(t.Context(), request)
	if err != nil || got.Status != interactionsapi.InteractionStatusInProgress {
		t.Fatalf("the interaction is %+v, %v", got, err)
	}
	var seen []interactionsapi.InteractionStatus
	for range 4 {
		if got, err = client.Interactions.Get(t.Context(), *got.ID, gemini.InputIncluded()); err != nil {
			t.Fatal(err)
		}
		seen = append(seen, got.Status)
	}
	if seen[0] != "in_progress" || seen[3] != "completed" || got.Input.IsZero() ||
		interactions.Text(got) != "A report" || *got.Agent != *request.Agent {
		t.Errorf("the states are %v, the interaction %+v", seen, got)
	}
	if _, err := client.Interactions.Cancel(t.Context(), *got.ID); err == nil {
		t.Error("an interaction that has ended was cancelled")
	}
	if err := client.Interactions.Delete(t.Context(), *got.ID); err != nil {
		t.Fatal(err)
	}
	_, err = client.Interactions.Get(t.Context(), *got.ID)
	if failed, ok := errors.AsType[*gemini.Error](err); !ok || failed.Reason() != "not_found" {
		t.Errorf("a deleted interaction: %v", err)
	}
	running, err := client.Interactions.Create(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	cancelled, err := client.Interactions.Cancel(t.Context(), *running.ID)
	if err != nil || cancelled.Status != interactionsapi.InteractionStatusCancelled {
		t.Errorf("the cancelled interaction is %+v, %v", cancelled, err)
	}
}

func TestAStreamIsResumedAfterAnEvent(t *testing.T) {
	t.Parallel()
	client, _ := interactionsServer(t, fakegemini.On().Reply(fakegemini.Text("a", "b", "c")))
	request := askInteraction("Hi")
	request.Store = new(true)
	var id, third string
	count := 0
	for event, err := range client.Interactions.Stream(t.Context(), request) {
		if err != nil {
			t.Fatal(err)
		}
		if event.Interaction != nil {
			id = *event.Interaction.ID
		}
		if count++; count == 3 {
			third = *event.EventID
		}
	}
	rest := 0
	for _, err := range client.Interactions.Events(t.Context(), id, third) {
		if err != nil {
			t.Fatal(err)
		}
		rest++
	}
	if rest != count-3 {
		t.Errorf("after event 3 of %d came %d events", count, rest)
	}
}

func TestWhatGoogleRefusesIsRefusedInItsWords(t *testing.T) {
	t.Parallel()
	_, url := interactionsServer(t)
	tests := []struct{ body, code, word string }{
		{`{"model":"gemini-3.6-flash"}`, "invalid_request", "empty input"},
		{`{"model":"gemini-3.6-flash","input":"Hi","presence":1}`, "parameter_unknown", "Unknown parameter 'presence'"},
		{`{"model":"gemini-3.6-flash","input":"Hi","generation_config":{"presence_penalty":1}}`, "parameter_unknown", "'presence_penalty' at 'generation_config'"},
		{`{"model":"gemini-3.6-flash","input":"Hi","cached_content":"c"}`, "parameter_unknown", "cached_content"},
		{`{"model":"gemini-9","input":"Hi"}`, "model_not_found", "gemini-9"},
		{`{"model":"gemini-3.6-flash","input":"Hi","store":false,"background":true}`, "invalid_request", "background"},
		{`{"agent":"deep-research-preview-04-2026","input":"Hi"}`, "invalid_request", "background"},
		{`{"model":"gemini-3.6-flash","input":"Hi","previous_interaction_id":"v1_x"}`, "not_found", "v1_x"},
		{`{`, "invalid_request", "JSON"},
	}
	for _, tt := range tests {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
			url+"/v1/interactions", strings.NewReader(tt.body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("X-Goog-Api-Key", "k")
		reply, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(reply.Body)
		_ = reply.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		failed, err := interactions.DecodeErrorResponse(body)
		if err != nil || failed.Error.Message == nil {
			t.Errorf("%s: the answer is %s", tt.body, body)
			continue
		}
		code, _ := failed.Error.Code.AsString()
		if code != tt.code || !strings.Contains(*failed.Error.Message, tt.word) ||
			reply.StatusCode != interactions.StatusOf(code) {
			t.Errorf("%s: %d %s", tt.body, reply.StatusCode, body)
		}
	}
}

func TestAFaultOfAFixtureIsAnErrorOfInteractions(t *testing.T) {
	t.Parallel()
	client, _ := interactionsServer(t, fakegemini.On().Reply(fakegemini.RateLimited(0)))
	_, err := client.Interactions.Create(t.Context(), askInteraction("Hi"))
	if failed, ok := errors.AsType[*gemini.Error](err); !ok || failed.HTTPStatus != 429 ||
		failed.Reason() != interactions.CodeRateLimitExceeded {
		t.Errorf("the error is %v", err)
	}
	for _, err := range client.Interactions.Stream(t.Context(), askInteraction("Hi")) {
		if failed, ok := errors.AsType[*gemini.Error](err); !ok || failed.HTTPStatus != 429 {
			t.Errorf("the error of the stream is %v", err)
		}
	}
}

func TestAnErrorAfterTheFirstEventsIsAnEvent(t *testing.T) {
	t.Parallel()
	_, url := interactionsServer(t, fakegemini.On().Reply(
		fakegemini.Text("The beginning"), fakegemini.Unavailable()))
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
		url+"/v1beta/interactions",
		strings.NewReader(`{"model":"gemini-3.6-flash","input":"Hi","stream":true}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Goog-Api-Key", "k")
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	if err != nil {
		t.Fatal(err)
	}
	_, end, _ := strings.Cut(string(body), `"The beginning"`)
	_, end, ok := strings.Cut(end, "\n\n")
	if !ok || !strings.HasPrefix(end, "event: error\ndata: {") ||
		!strings.Contains(end, `"event_type":"error"`) ||
		!strings.Contains(end, `"message":"The model is overloaded.`) {
		t.Errorf("the stream is %q", body)
	}
}

func TestAStreamedInteractionIsStoredBeforeItsEnd(t *testing.T) {
	t.Parallel()
	client, _ := interactionsServer(t)
	for range 50 {
		request := askInteraction("Hi")
		request.Store = new(true)
		for event, err := range client.Interactions.Stream(t.Context(), request) {
			if err != nil {
				t.Fatal(err)
			}
			if event.EventType != interactionsapi.EventTypeInteractionCompleted {
				continue
			}
			if _, err := client.Interactions.Get(t.Context(), *event.Interaction.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
}
