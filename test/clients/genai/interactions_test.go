package genai_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"google.golang.org/genai"
	"google.golang.org/genai/interactions/models/apierrors"
	"google.golang.org/genai/interactions/models/interactions"
	"google.golang.org/genai/interactions/models/operations"
	"google.golang.org/genai/interactions/retry"
)

// ask returns a request to a model.
func ask(text string) interactions.CreateModelInteraction {
	return interactions.CreateModelInteraction{Model: model,
		Input: new(interactions.NewInteractionsInput(text))}
}

// askStored returns a request to a model, which is stored. The gateway stores nothing else.
func askStored(text string) interactions.CreateModelInteraction {
	request := ask(text)
	request.Store = new(true)
	return request
}

// askInBackground returns a request to a model that runs in the background.
func askInBackground(text string) interactions.CreateModelInteraction {
	request := ask(text)
	request.Background = new(true)
	return request
}

// research returns a request to an agent that runs in the background.
func research(text string) interactions.CreateAgentInteraction {
	return interactions.CreateAgentInteraction{
		Agent:      interactions.AgentOptionDeepResearchPreview042026,
		Input:      new(interactions.NewInteractionsInput(text)),
		Background: new(true),
	}
}

// create returns a whole interaction.
func create[T operations.CreateInteractionRequestBodyMember](t *testing.T, client *genai.Client,
	request T) *interactions.Interaction {
	t.Helper()
	answer, err := client.Interactions.Create(t.Context(), operations.CreateInteractionRequest{
		Body: operations.NewCreateInteractionRequestBody(request)})
	check(t, err)
	if answer.Interaction == nil || answer.Interaction.ID == nil {
		t.Fatalf("the answer is %+v", answer)
	}
	return answer.Interaction
}

// get returns a stored interaction.
func get(t *testing.T, client *genai.Client, id string) *interactions.Interaction {
	t.Helper()
	answer, err := client.Interactions.Get(t.Context(),
		operations.GetInteractionByIDRequest{ID: id, IncludeInput: new(true)})
	check(t, err)
	return answer.Interaction
}

// needsStore skips a test of stored interactions on a gateway that answers that it has none.
func needsStore(t *testing.T, client *genai.Client) {
	t.Helper()
	if !isThroughGateway() {
		return
	}
	_, err := client.Interactions.Get(t.Context(), operations.GetInteractionByIDRequest{
		ID: *create(t, client, askStored("Hello")).ID})
	if refused, ok := errors.AsType[*apierrors.GetInteractionByIDClientError](err); ok &&
		refused.HTTPMeta.Response.StatusCode == http.StatusNotFound {
		t.Skipf("the gateway stores no interactions: %s", text(refused.Error_.Message))
	}
	check(t, err)
}

// needsAgents skips a test of agents on a gateway that refuses them.
func needsAgents(t *testing.T, client *genai.Client) {
	t.Helper()
	if !isThroughGateway() {
		return
	}
	_, err := client.Interactions.Create(t.Context(), operations.CreateInteractionRequest{
		Body: operations.NewCreateInteractionRequestBody(research("Hello"))})
	if refused, ok := errors.AsType[*apierrors.CreateInteractionClientError](err); ok {
		t.Skipf("the gateway has no agents: %s", text(refused.Error_.Message))
	}
	check(t, err)
}

// text returns the string, or "" for nil.
func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// checkInteraction sees that an interaction ended with a text, and that its counts add up.
func checkInteraction(t *testing.T, got *interactions.Interaction) {
	t.Helper()
	if got.Status != interactions.InteractionStatusCompleted || text(got.OutputText) == "" {
		t.Errorf("status %s, text %q", got.Status, text(got.OutputText))
	}
	checkUsage(t, got.Usage)
}

func checkUsage(t *testing.T, usage *interactions.Usage) {
	t.Helper()
	if usage == nil {
		t.Fatal("there is no usage")
	}
	sum := *usage.TotalInputTokens + *usage.TotalOutputTokens + *usage.TotalThoughtTokens +
		*usage.TotalToolUseTokens
	if *usage.TotalInputTokens == 0 || *usage.TotalOutputTokens == 0 || sum != *usage.TotalTokens {
		t.Errorf("counts do not add up: %+v", usage)
	}
}

// overServices runs a test with the services that have interactions. The client escapes the slashes
// of a project, as the fake server reads them; the gateway refuses such paths.
func overServices(t *testing.T, test func(*testing.T, *genai.Client)) {
	if !isThroughGateway() {
		overBoth(t, test)
		return
	}
	t.Parallel()
	test(t, newClient(t, run(t, "serve", "--store", "memory"), "any"))
}

func TestInteractionIsWhole(t *testing.T) {
	overServices(t, func(t *testing.T, client *genai.Client) {
		got := create(t, client, ask("Why is the sky blue?"))
		checkInteraction(t, got)
		if got.Model == nil || string(*got.Model) != model || got.Created == nil {
			t.Errorf("the model is %v, created %v", got.Model, got.Created)
		}
	})
}

// streamed has the content that a client receives from a stream.
type streamed struct {
	text      string
	signature string
	calls     []interactions.FunctionCallStep
	completed *interactions.InteractionSseEventInteraction
	eventIDs  []string
	pieces    int
}

// eventStream is the client's stream of events.
type eventStream interface {
	Next() bool
	Value() *interactions.InteractionSSEStreamEvent
	Err() error
	Close() error
}

// read reads a stream to its end, each event of which is one that the client knows.
func read(t *testing.T, events eventStream) streamed {
	t.Helper()
	defer events.Close()
	var got streamed
	arguments := map[int]string{}
	calls := map[int]int{} // the index in calls, by the index of the step
	for events.Next() {
		event := events.Value()
		data := event.GetData()
		if data.UnknownRaw != nil {
			t.Errorf("the client does not know %s", data.UnknownRaw)
		}
		if start := event.GetDataStepStart(); start != nil {
			if call := start.Step.FunctionCallStep; call != nil {
				calls[start.Index] = len(got.calls)
				got.calls = append(got.calls, *call)
			}
		}
		if delta := event.GetDataStepDelta(); delta != nil {
			if delta.EventID != nil {
				got.eventIDs = append(got.eventIDs, *delta.EventID)
			}
			if delta.Delta.UnknownRaw != nil {
				t.Errorf("the client does not know the delta %s", delta.Delta.UnknownRaw)
			}
			if piece := delta.GetDeltaText(); piece != nil {
				got.text += piece.Text
				got.pieces++
			}
			if piece := delta.GetDeltaArgumentsDelta(); piece != nil {
				arguments[delta.Index] += text(piece.Arguments)
			}
			if signature := delta.GetDeltaThoughtSignature(); signature != nil {
				got.signature = text(signature.Signature)
			}
		}
		if completed := event.GetDataInteractionCompleted(); completed != nil {
			got.completed = &completed.Interaction
		}
	}
	check(t, events.Err())
	for index, i := range calls {
		check(t, json.Unmarshal([]byte(arguments[index]), &got.calls[i].Arguments))
	}
	if got.completed == nil {
		t.Fatal("the stream has no interaction.completed")
	}
	return got
}

// stream reads the events of a new interaction.
func stream(t *testing.T, client *genai.Client,
	request interactions.CreateModelInteraction) streamed {
	t.Helper()
	request.Stream = new(true)
	answer, err := client.Interactions.Create(t.Context(), operations.CreateInteractionRequest{
		Body: operations.NewCreateInteractionRequestBody(request)})
	check(t, err)
	return read(t, answer.InteractionSSEStreamEvent)
}

func TestStreamIsTheInteractionInPieces(t *testing.T) {
	overServices(t, func(t *testing.T, client *genai.Client) {
		whole := create(t, client, ask("Tell me more [words 60]"))
		got := stream(t, client, ask("Tell me more [words 60]"))
		if got.text != text(whole.OutputText) || got.pieces < 2 {
			t.Errorf("got %q in %d pieces, want %q", got.text, got.pieces, text(whole.OutputText))
		}
		if got.completed.Status != "completed" {
			t.Errorf("the stream ends with %+v", got.completed)
		}
		checkUsage(t, got.completed.Usage)
	})
}

func TestStoredInteractionIsReadAgainAndDeleted(t *testing.T) {
	overServices(t, func(t *testing.T, client *genai.Client) {
		needsStore(t, client)
		made := create(t, client, askStored("Why is the sky blue?"))
		got := get(t, client, *made.ID)
		checkInteraction(t, got)
		if text(got.OutputText) != text(made.OutputText) || got.Input == nil {
			t.Errorf("got %q with the input %v, want %q", text(got.OutputText), got.Input,
				text(made.OutputText))
		}
		_, err := client.Interactions.Delete(t.Context(),
			operations.DeleteInteractionRequest{ID: *made.ID})
		check(t, err)
		_, err = client.Interactions.Get(t.Context(),
			operations.GetInteractionByIDRequest{ID: *made.ID})
		refused, ok := errors.AsType[*apierrors.GetInteractionByIDClientError](err)
		if !ok || refused.HTTPMeta.Response.StatusCode != http.StatusNotFound ||
			text(refused.Error_.Code) != "not_found" {
			t.Errorf("a deleted interaction answers %v", err)
		}
	})
}

func TestBackgroundInteractionEndsByPolling(t *testing.T) {
	overServices(t, func(t *testing.T, client *genai.Client) {
		needsStore(t, client)
		got := create(t, client, askInBackground("The history of Porto"))
		checkInteraction(t, poll(t, client, got))
	})
}

// poll waits until an interaction ends that runs in the background.
func poll(t *testing.T, client *genai.Client,
	got *interactions.Interaction) *interactions.Interaction {
	t.Helper()
	if !isRunning(got) {
		t.Errorf("the interaction does not run in the background: %s", got.Status)
	}
	for polls := 0; isRunning(got); polls++ {
		if polls > 500 {
			t.Fatal("the interaction does not end")
		}
		time.Sleep(10 * time.Millisecond)
		got = get(t, client, *got.ID)
	}
	return got
}

func TestAgentEndsByPolling(t *testing.T) {
	overServices(t, func(t *testing.T, client *genai.Client) {
		needsStore(t, client)
		needsAgents(t, client)
		got := poll(t, client, create(t, client, research("The history of Porto")))
		checkInteraction(t, got)
		if got.Agent == nil || *got.Agent != interactions.AgentOptionDeepResearchPreview042026 {
			t.Errorf("the agent is %v", got.Agent)
		}
	})
}

// isRunning reports whether an interaction has not ended.
func isRunning(i *interactions.Interaction) bool {
	return i.Status == interactions.InteractionStatusInProgress ||
		i.Status == interactions.InteractionStatusQueued
}

func TestStreamGoesOnAfterAnEvent(t *testing.T) {
	overServices(t, func(t *testing.T, client *genai.Client) {
		needsStore(t, client)
		request := askStored("Tell me more [words 60]")
		whole := stream(t, client, request)
		if len(whole.eventIDs) < 3 {
			t.Fatalf("the events have the ids %q", whole.eventIDs)
		}
		answer, err := client.Interactions.Get(t.Context(), operations.GetInteractionByIDRequest{
			ID: whole.completed.ID, Stream: new(true), LastEventID: &whole.eventIDs[0]})
		check(t, err)
		rest := read(t, answer.InteractionSSEStreamEvent)
		if rest.text == "" || rest.text == whole.text || !strings.HasSuffix(whole.text, rest.text) {
			t.Errorf("the stream goes on with %q, want the end of %q", rest.text, whole.text)
		}
	})
}

// slowly is a script whose answer does not end. The fake server makes the whole answer of a run in
// the background at its beginning, and shows it by and by.
const slowly = "fixtures: [{match: {prompt: slowly}, reply: [{pause: 60s}, {text: At last.}]}]"

func TestBackgroundInteractionIsCancelled(t *testing.T) {
	overServices(t, func(t *testing.T, client *genai.Client) {
		needsStore(t, client)
		request := askInBackground("The history of Porto")
		if isThroughGateway() {
			request = askInBackground("slowly")
			client = newClient(t, run(t, "serve", "--store", "memory", "--callers-key",
				"--base-url", run(t, "emulate", "--script", script(t, slowly))), "any")
		}
		made := create(t, client, request)
		answer, err := client.Interactions.Cancel(t.Context(),
			operations.CancelInteractionByIDRequest{ID: *made.ID})
		check(t, err)
		if got := answer.Interaction.Status; got != interactions.InteractionStatusCancelled {
			t.Errorf("the status is %s", got)
		}
		if got := get(t, client, *made.ID).Status; got != interactions.InteractionStatusCancelled {
			t.Errorf("the status is %s later", got)
		}
	})
}

// withWeather gives a model a tool, which it must call, or need not.
func withWeather(request interactions.CreateModelInteraction,
	choice interactions.ToolChoiceType) interactions.CreateModelInteraction {
	request.Tools = []interactions.Tool{interactions.NewTool(interactions.Function{
		Name:        new("get_weather"),
		Description: new("Returns the weather of a city."),
		Parameters: map[string]any{"type": "object",
			"properties": map[string]any{"city": map[string]any{"type": "string"}},
			"required":   []string{"city"}},
	})}
	request.GenerationConfig = &interactions.GenerationConfig{
		ToolChoice: new(interactions.NewToolChoice(choice))}
	return request
}

// callsOf returns the calls of an interaction, which must wait for them.
func callsOf(t *testing.T, got *interactions.Interaction) []interactions.FunctionCallStep {
	t.Helper()
	var calls []interactions.FunctionCallStep
	for _, step := range got.Steps {
		if step.FunctionCallStep != nil {
			calls = append(calls, *step.FunctionCallStep)
		}
	}
	if got.Status != interactions.InteractionStatusRequiresAction {
		t.Fatalf("the status is %s", got.Status)
	}
	return calls
}

// resultsOf answers calls.
func resultsOf(t *testing.T, calls []interactions.FunctionCallStep) []interactions.Step {
	t.Helper()
	if len(calls) == 0 {
		t.Fatal("the model calls nothing")
	}
	var results []interactions.Step
	for _, call := range calls {
		if call.Name != "get_weather" || call.ID == "" || call.Arguments["city"] == "" {
			t.Fatalf("got %s with %v", call.Name, call.Arguments)
		}
		results = append(results, interactions.NewStep(interactions.FunctionResultStep{
			CallID: call.ID, Name: &call.Name,
			Result: interactions.NewFunctionResultStepResultUnion(`{"degrees":21}`)}))
	}
	return results
}

func TestToolsOfStoredInteractionsOverThreeTurns(t *testing.T) {
	overServices(t, func(t *testing.T, client *genai.Client) {
		needsStore(t, client)
		got := create(t, client, withWeather(askStored("How is the weather in Porto and in Lima?"),
			interactions.ToolChoiceTypeAny))
		for _, choice := range []interactions.ToolChoiceType{interactions.ToolChoiceTypeAny,
			interactions.ToolChoiceTypeAuto} {
			next := withWeather(askStored(""), choice)
			next.Input = new(interactions.NewInteractionsInput(resultsOf(t, callsOf(t, got))))
			next.PreviousInteractionID = got.ID
			got = create(t, client, next)
		}
		checkInteraction(t, got)
	})
}

func TestToolsOfStreamedInteractionsOverThreeTurns(t *testing.T) {
	overServices(t, func(t *testing.T, client *genai.Client) {
		needsStore(t, client)
		got := stream(t, client, withWeather(askStored("How is the weather in Porto and in Lima?"),
			interactions.ToolChoiceTypeAny))
		for _, choice := range []interactions.ToolChoiceType{interactions.ToolChoiceTypeAny,
			interactions.ToolChoiceTypeAuto} {
			if got.signature == "" {
				t.Error("the calls have no signature")
			}
			next := withWeather(askStored(""), choice)
			next.Input = new(interactions.NewInteractionsInput(resultsOf(t, got.calls)))
			next.PreviousInteractionID = &got.completed.ID
			got = stream(t, client, next)
		}
		if got.text == "" || got.completed.Status != "completed" {
			t.Errorf("the loop ends with %q, %s", got.text, got.completed.Status)
		}
	})
}

// converseBySteps has the model call a tool twice and then answer. Nothing is stored: each request
// has all steps. It returns those before the answer.
func converseBySteps(t *testing.T, client *genai.Client) []interactions.Step {
	t.Helper()
	steps := []interactions.Step{interactions.NewStep(interactions.UserInputStep{
		Content: []interactions.Content{interactions.NewContent(interactions.TextContent{
			Text: "How is the weather in Porto and in Lima?"})}})}
	for range 2 {
		got := createBySteps(t, client, steps, interactions.ToolChoiceTypeAny)
		steps = append(steps, got.Steps...)
		steps = append(steps, resultsOf(t, callsOf(t, got))...)
	}
	return steps
}

// createBySteps asks for the next turn of a conversation that is not stored.
func createBySteps(t *testing.T, client *genai.Client, steps []interactions.Step,
	choice interactions.ToolChoiceType) *interactions.Interaction {
	t.Helper()
	answer, err := client.Interactions.Create(t.Context(), bySteps(steps, choice))
	check(t, err)
	return answer.Interaction
}

func bySteps(steps []interactions.Step,
	choice interactions.ToolChoiceType) operations.CreateInteractionRequest {
	request := withWeather(ask(""), choice)
	request.Store, request.Input = new(false), new(interactions.NewInteractionsInput(steps))
	return operations.CreateInteractionRequest{
		Body: operations.NewCreateInteractionRequestBody(request)}
}

func TestToolsOverThreeTurnsOfSteps(t *testing.T) {
	overServices(t, func(t *testing.T, client *genai.Client) {
		checkInteraction(t, createBySteps(t, client, converseBySteps(t, client),
			interactions.ToolChoiceTypeAuto))
	})
}

// The client keeps no signature of a call, so that the one of the thought is all there is.
func TestStepsWithAnotherSignatureAreRefused(t *testing.T) {
	overServices(t, func(t *testing.T, client *genai.Client) {
		steps := converseBySteps(t, client)
		for _, step := range steps {
			if thought := step.ThoughtStep; thought != nil && text(thought.Signature) != "" {
				changed := []byte(*thought.Signature)
				changed[12] ^= 1
				thought.Signature = new(string(changed))
				break
			}
		}
		_, err := client.Interactions.Create(t.Context(),
			bySteps(steps, interactions.ToolChoiceTypeAuto))
		checkRefused(t, err, http.StatusBadRequest, "invalid_request", "ignature")
	})
}

func TestWrongInteractionIsRefused(t *testing.T) {
	overServices(t, func(t *testing.T, client *genai.Client) {
		unknown := ask("Hello")
		unknown.Model = "gemmini-9"
		_, err := client.Interactions.Create(t.Context(), operations.CreateInteractionRequest{
			Body: operations.NewCreateInteractionRequestBody(unknown)})
		checkRefused(t, err, http.StatusNotFound, "not_found", "gemmini-9")
		mixed := ask("Hello")
		mixed.Store, mixed.Background = new(false), new(true)
		_, err = client.Interactions.Create(t.Context(), operations.CreateInteractionRequest{
			Body: operations.NewCreateInteractionRequestBody(mixed)})
		checkRefused(t, err, http.StatusBadRequest, "invalid_request", "store")
	})
}

func TestFaultsOfAScriptArriveInInteractions(t *testing.T) {
	t.Parallel()
	client := newClient(t, emulate(t, "--script", script(t, exhausted)), "any")
	_, err := client.Interactions.Create(t.Context(), operations.CreateInteractionRequest{
		Body: operations.NewCreateInteractionRequestBody(ask("quota"))},
		operations.WithRetries(retry.Config{Strategy: "none"}))
	checkRefused(t, err, http.StatusTooManyRequests, "rate_limit_exceeded", "23.5s")
	middle := ask("middle")
	middle.Stream = new(true)
	answer, err := client.Interactions.Create(t.Context(), operations.CreateInteractionRequest{
		Body: operations.NewCreateInteractionRequestBody(middle)})
	check(t, err)
	defer answer.InteractionSSEStreamEvent.Close()
	var failed *interactions.ErrorEvent
	before := ""
	for answer.InteractionSSEStreamEvent.Next() {
		event := answer.InteractionSSEStreamEvent.Value()
		if delta := event.GetDataStepDelta(); delta != nil && delta.GetDeltaText() != nil {
			before += delta.GetDeltaText().Text
		}
		if event.GetDataError() != nil {
			failed = event.GetDataError()
		}
	}
	if before != "The beginning" || failed == nil || failed.Error == nil ||
		text(failed.Error.Code) == "" {
		t.Errorf("got %q and then the error %+v", before, failed)
	}
}

// checkRefused sees that the server refused to create an interaction in a given way.
func checkRefused(t *testing.T, err error, status int, code, message string) {
	t.Helper()
	refused, ok := errors.AsType[*apierrors.CreateInteractionClientError](err)
	if !ok {
		t.Errorf("got %v, want %d with %q", err, status, message)
		return
	}
	if refused.HTTPMeta.Response.StatusCode != status ||
		!strings.HasSuffix(text(refused.Error_.Code), code) ||
		!strings.Contains(text(refused.Error_.Message), message) {
		t.Errorf("got %d, %s, %q, want %d, %s with %q", refused.HTTPMeta.Response.StatusCode,
			text(refused.Error_.Code), text(refused.Error_.Message), status, code, message)
	}
}
