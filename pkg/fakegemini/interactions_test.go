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
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
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

func TestRefusalsHaveGooglesWords(t *testing.T) {
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

// allSteps are steps of every type that an answer can have, and of one that no type has yet.
const allSteps = `[
{"summary":[{"text":"Hm","type":"text"}],"signature":"AA==","type":"thought"},
{"id":"1","signature":"AA==","type":"function_call","name":"f","arguments":{"b":1.0,"a":12345678901234567890}},
{"id":"2","type":"code_execution_call","arguments":{"language":"python","code":"print(1)"}},
{"call_id":"2","type":"code_execution_result","result":"1"},
{"id":"3","signature":"AQ==","type":"google_search_call","arguments":{"queries":["x"]},"search_type":"web_search"},
{"call_id":"3","type":"google_search_result","result":[{"search_suggestions":"s"}],"is_error":false},
{"id":"4","type":"url_context_call","arguments":{"urls":["https://a.example"]}},
{"call_id":"4","type":"url_context_result","result":[{"url":"https://a.example","status":"success"}]},
{"id":"5","type":"google_maps_call","arguments":{"queries":["y"]}},
{"call_id":"5","type":"google_maps_result","result":[{"places":[{"place_id":"p"}]}]},
{"id":"6","type":"file_search_call"},
{"call_id":"6","type":"file_search_result"},
{"id":"7","type":"retrieval_call","arguments":{"queries":["z"]},"retrieval_type":"rag_store"},
{"call_id":"7","type":"retrieval_result"},
{"id":"8","type":"mcp_server_tool_call","name":"find","server_name":"docs","arguments":{}},
{"call_id":"8","type":"mcp_server_tool_result","name":"find","server_name":"docs","result":"found"},
{"id":"9","type":"processing_call"},
{"call_id":"9","type":"processing_result"},
{"id":"10","signature":"AA==","type":"tool_call"},
{"id":"11","type":"dream_call","depth":3},
{"content":[{"text":"Hi","annotations":[{"start_index":0,"end_index":2,"url":"https://a.example","title":"a","type":"url_citation"}],"type":"text"},{"data":"AA==","mime_type":"image/png","type":"image"}],"type":"model_output"}
]`

func TestEveryStepIsAnsweredWholeAndStreamed(t *testing.T) {
	t.Parallel()
	var steps []interactionsapi.Step
	if err := json.Unmarshal([]byte(allSteps), &steps); err != nil {
		t.Fatal(err)
	}
	var blocks []fakegemini.Block
	for _, step := range steps {
		blocks = append(blocks, fakegemini.Step(step))
	}
	client, _ := interactionsServer(t, fakegemini.On().Reply(blocks...))
	whole, err := client.Interactions.Create(t.Context(), askInteraction("Hi"))
	if err != nil {
		t.Fatal(err)
	}
	// the server signs the end of each answer of this model, which is one more step
	last := len(steps)
	if diff := cmp.Diff(stepsJSON(t, steps), stepsJSON(t, whole.Steps[:last])); diff != "" {
		t.Errorf("other steps (-want +got):\n%s", diff)
	}
	var streamed interactions.Accumulator
	for event, err := range client.Interactions.Stream(t.Context(), askInteraction("Hi")) {
		if err != nil {
			t.Fatal(err)
		}
		if err := streamed.Push(event); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(stepsJSON(t, steps),
		stepsJSON(t, streamed.Interaction().Steps[:last])); diff != "" {
		t.Errorf("other streamed steps (-want +got):\n%s", diff)
	}
}

func stepsJSON(t *testing.T, steps []interactionsapi.Step) []string {
	t.Helper()
	var out []string
	for i := range steps {
		data, err := json.Marshal(steps[i], json.Deterministic(true))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(data))
	}
	return out
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
