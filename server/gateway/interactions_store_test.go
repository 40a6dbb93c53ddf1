package gateway_test

import (
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/go-json-experiment/json/jsontext"
)

// interactionPaths are the paths that create an interaction.
var interactionPaths = []string{"/v1beta/interactions", "/v1/interactions"}

// interactionsOf returns the service of a client of a gateway.
func interactionsOf(t testing.TB, handler http.Handler,
	opts ...gemini.ClientOption) gemini.Interactions {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	client, err := gemini.NewClient(append([]gemini.ClientOption{gemini.WithAPIKey("any"),
		gemini.WithBaseURL(server.URL), gemini.WithModel("gemini-3.6-flash")}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	return client.Interactions
}

func interactionRequest(text string) *interactionsapi.CreateInteractionRequest {
	return &interactionsapi.CreateInteractionRequest{
		Input: interactions.InputOf(interactions.UserText(text)), Store: new(true)}
}

// collected returns the events of a stream, which must not fail.
func collected(t testing.TB,
	events iter.Seq2[*interactionsapi.StreamEvent, error]) (out []interactionsapi.StreamEvent) {
	t.Helper()
	for e, err := range events {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, *e)
	}
	return out
}

// folded returns the interaction of events.
func folded(t testing.TB, events []interactionsapi.StreamEvent) *interactionsapi.Interaction {
	t.Helper()
	var sum interactions.Accumulator
	for i := range events {
		if err := sum.Push(&events[i]); err != nil {
			t.Fatal(err)
		}
	}
	return sum.Interaction()
}

// wantEventIDs checks that the ids of events count from a number.
func wantEventIDs(t testing.TB, events []interactionsapi.StreamEvent, from int) {
	t.Helper()
	for i := range events {
		if got, want := jsonx.Deref(events[i].EventID), fmt.Sprint(from+i); got != want {
			t.Errorf("event %d has the id %q, want %q", i, got, want)
		}
	}
}

// wantReason checks the code of an error of the Interactions API and its HTTP status.
func wantReason(t testing.TB, err error, status int, code string) {
	t.Helper()
	reported, ok := errors.AsType[*gemini.Error](err)
	if !ok || reported.HTTPStatus != status || reported.Reason() != code {
		t.Errorf("the error is %v, want HTTP %d and %s", err, status, code)
	}
}

func TestAStoredInteractionIsReadAndDeleted(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"v1beta", "v1"} {
		service := interactionsOf(t, keeping(t, geminitest.NewServer(t)),
			gemini.WithAPIVersion(version))
		made, err := service.Create(t.Context(), interactionRequest("hello"))
		if err != nil {
			t.Fatal(err)
		}
		id := jsonx.Deref(made.ID)
		got, err := service.Get(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if interactions.Text(got) != "You said: hello" || got.Usage == nil ||
			got.Status != interactionsapi.InteractionStatusCompleted || !got.Input.IsZero() {
			t.Errorf("it is %+v", got)
		}
		if len(got.Steps) != len(made.Steps)+1 ||
			got.Steps[0].Type != interactionsapi.StepTypeUserInput {
			t.Errorf("the steps are %+v", got.Steps)
		}
		got, err = service.Get(t.Context(), id, gemini.InputIncluded())
		if err != nil {
			t.Fatal(err)
		}
		if in := interactions.Steps(got.Input); len(in) != 1 ||
			jsonx.Deref(interactions.ContentOf(&in[0].Step)[0].Text) != "hello" {
			t.Errorf("the input is %+v", in)
		}
		if err := service.Delete(t.Context(), id); err != nil {
			t.Error(err)
		}
		_, err = service.Get(t.Context(), id)
		wantReason(t, err, http.StatusNotFound, interactions.CodeNotFound)
		wantReason(t, service.Delete(t.Context(), id), http.StatusNotFound,
			interactions.CodeNotFound)
		_, err = service.Cancel(t.Context(), id)
		wantReason(t, err, http.StatusNotFound, interactions.CodeNotFound)
	}
}

func TestAnInteractionIsStoredOnlyIfTheClientAsks(t *testing.T) {
	t.Parallel()
	for _, store := range []string{``, `,"store":false`} {
		handler := keeping(t, geminitest.NewServer(t))
		answer := post(handler, interactionPaths[0],
			`{"model":"gemini-3.6-flash","input":"hello"`+store+`}`)
		made, err := interactions.DecodeResponse(answer.Body.Bytes())
		if err != nil || made.Status != interactionsapi.InteractionStatusCompleted {
			t.Fatalf("%s, %v", answer.Body, err)
		}
		if made.ID != nil || !strings.Contains(string(made.Unknown), `"responseId"`) {
			t.Errorf("%q: the interaction has an id that no request finds: %s", store, answer.Body)
		}
		streamed := post(handler, interactionPaths[0],
			`{"model":"gemini-3.6-flash","input":"hello","stream":true`+store+`}`)
		for _, e := range interactionEventsIn(t, streamed.Body.String()) {
			if e.Interaction != nil && (e.Interaction.ID == nil || *e.Interaction.ID != "") ||
				jsonx.Deref(e.InteractionID) != "" {
				t.Errorf("%q: an event has an id: %+v", store, e)
			}
		}
	}
}

// A stored stream is resumed after any of its events.
func TestAStoredStreamIsResumed(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t, geminitest.WithScript(geminitest.On().Reply(
		geminitest.Thought("Think."), geminitest.Text("one ", "two ", "three"))))
	service := interactionsOf(t, keeping(t, server))
	live := collected(t, service.Stream(t.Context(), interactionRequest("count")))
	wantEventIDs(t, live, 1)
	if err := interactions.CheckSequence(live); err != nil {
		t.Error(err)
	}
	whole := folded(t, live)
	got, err := service.Get(t.Context(), jsonx.Deref(whole.ID))
	if err != nil {
		t.Fatal(err)
	}
	if interactions.Text(got) != "one two three" || len(got.Steps) != len(whole.Steps)+1 {
		t.Errorf("it is %+v", got)
	}
	for seen := range live {
		after := ""
		if seen > 0 {
			after = jsonx.Deref(live[seen-1].EventID)
		}
		rest := collected(t, service.Events(t.Context(), jsonx.Deref(whole.ID), after))
		wantEventIDs(t, rest, seen+1)
		again := folded(t, slices.Concat(live[:seen], rest))
		if interactions.Text(again) != "one two three" || again.Status != whole.Status {
			t.Errorf("after %d events it is %+v", seen, again)
		}
	}
}

func TestAnInteractionThatWasNotStreamedHasEvents(t *testing.T) {
	t.Parallel()
	handler := keeping(t, geminitest.NewServer(t))
	service := interactionsOf(t, handler)
	made, err := service.Create(t.Context(), interactionRequest("hello"))
	if err != nil {
		t.Fatal(err)
	}
	events := collected(t, service.Events(t.Context(), *made.ID, ""))
	wantEventIDs(t, events, 1)
	if got := folded(t, events); interactions.Text(got) != "You said: hello" {
		t.Errorf("it is %+v", got)
	}
	body := do(handler, "GET", interactionPaths[0]+"/"+*made.ID+"?stream=true").Body.String()
	if !strings.HasSuffix(body, "event: done\ndata: [DONE]\n\n") {
		t.Errorf("the stream ends in %q", body[max(0, len(body)-100):])
	}
	if err := interactions.CheckSequence(events); err != nil {
		t.Error(err)
	}
}

// toolLoop is a model that calls two functions, then one, and then answers.
func toolLoop(t testing.TB) *geminitest.Server {
	t.Helper()
	return geminitest.NewServer(t, geminitest.WithScript(
		geminitest.On(geminitest.Turn(0)).Reply(
			geminitest.Signed("c2lnbmF0dXJlIG9uZQ==",
				geminitest.CallWithID("a", "get_weather", `{"city":"Porto","n":1.0}`)),
			geminitest.CallWithID("b", "get_weather", `{"city":"Lima"}`)).Times(9),
		geminitest.On(geminitest.Turn(1)).Reply(geminitest.Signed("c2lnbmF0dXJlIHR3bw==",
			geminitest.CallWithID("c", "get_weather", `{"city":"Oslo"}`))).Times(9),
		geminitest.On(geminitest.Turn(2)).Reply(geminitest.Text("All sunny.")).Times(9)))
}

var interactionTool = interactions.FunctionTool("get_weather", "Returns the weather.",
	jsontext.Value(`{"type":"object","properties":{"city":{"type":"string"},"n":{"type":"number"}},"required":["city"]}`))

// A client completes a loop of calls, by the id of the interaction before and by all steps. Gemini
// gets the same conversation, with the signatures.
func TestAToolLoopOfThreeTurns(t *testing.T) {
	t.Parallel()
	for _, stored := range []bool{true, false} {
		for _, streams := range []bool{true, false} {
			t.Run(fmt.Sprintf("stored %t, streamed %t", stored, streams), func(t *testing.T) {
				t.Parallel()
				upstream := toolLoop(t)
				service := interactionsOf(t, keeping(t, upstream))
				history := []interactionsapi.Step{interactions.UserText("What is the weather?")}
				request := &interactionsapi.CreateInteractionRequest{Store: &stored,
					Tools: []interactionsapi.Tool{interactionTool},
					Input: interactions.InputOf(history...)}
				var made *interactionsapi.Interaction
				for range 3 {
					if streams {
						made = folded(t, collected(t, service.Stream(t.Context(), request)))
					} else {
						var err error
						if made, err = service.Create(t.Context(), request); err != nil {
							t.Fatal(err)
						}
					}
					calls := interactions.Calls(made)
					if len(calls) == 0 {
						break
					}
					if made.Status != interactionsapi.InteractionStatusRequiresAction {
						t.Errorf("the status is %s", made.Status)
					}
					var results []interactionsapi.Step
					for _, call := range calls {
						results = append(results, interactions.FunctionResult(call,
							jsontext.Value(`"sunny"`)))
					}
					if stored {
						request.PreviousInteractionID = made.ID
						request.Input = interactions.InputOf(results...)
						continue
					}
					history = slices.Concat(history, made.Steps, results)
					request.Input = interactions.InputOf(history...)
				}
				if interactions.Text(made) != "All sunny." {
					t.Errorf("it ends with %+v", made)
				}
				if stored && jsonx.Deref(made.PreviousInteractionID) == "" {
					t.Error("the last interaction does not name the one before")
				}
				prompt := lastPrompt(t, upstream)
				wantInOrder(t, prompt, "What is the weather?", "Porto", `1.0`,
					"c2lnbmF0dXJlIG9uZQ==", "Lima", "sunny", "sunny", "Oslo",
					"c2lnbmF0dXJlIHR3bw==", "sunny")
				if strings.Contains(prompt, "skip_thought_signature") {
					t.Errorf("a signature was lost: %s", prompt)
				}
			})
		}
	}
}

func TestAPreviousInteractionThatIsMissingIsNotFound(t *testing.T) {
	t.Parallel()
	handler := keeping(t, geminitest.NewServer(t))
	service := interactionsOf(t, handler)
	response := responseOf(t, post(handler, responsesPath, asked("hello", "")))
	for _, id := range []string{"v1_abc", "interaction_0", response.ID} {
		request := interactionRequest("more")
		request.PreviousInteractionID = &id
		_, err := service.Create(t.Context(), request)
		wantReason(t, err, http.StatusNotFound, interactions.CodeNotFound)
		_, err = service.Get(t.Context(), id)
		wantReason(t, err, http.StatusNotFound, interactions.CodeNotFound)
	}
	made, err := service.Create(t.Context(), interactionRequest("hello"))
	if err != nil {
		t.Fatal(err)
	}
	if got := do(handler, "GET", responsesPath+"/"+*made.ID); got.Code != http.StatusNotFound {
		t.Errorf("the interaction is a response: %s", got.Body)
	}
}

func TestWithoutAStoreInteractionsSayWhatIsMissing(t *testing.T) {
	t.Parallel()
	service := interactionsOf(t, gatewayOf(t, geminitest.NewServer(t)))
	request := interactionRequest("hello")
	request.PreviousInteractionID = new("v1_abc")
	_, err := service.Create(t.Context(), request)
	wantReason(t, err, http.StatusBadRequest, interactions.CodeInvalidRequest)
	request = interactionRequest("hello")
	request.Background = new(true)
	_, background := service.Create(t.Context(), request)
	wantReason(t, background, http.StatusBadRequest, interactions.CodeInvalidRequest)
	_, get := service.Get(t.Context(), "v1_abc")
	wantReason(t, get, http.StatusNotFound, interactions.CodeNotFound)
	for _, err := range []error{err, background, get} {
		if err != nil && !strings.Contains(err.Error(), "--store") {
			t.Errorf("the error does not name the setting: %v", err)
		}
	}
}

func TestAnInteractionBelongsToItsClient(t *testing.T) {
	t.Parallel()
	handler := keeping(t, geminitest.NewServer(t),
		gateway.WithClientKeys(keysOf(t, "alice", "bob")))
	alice := interactionsOf(t, handler, gemini.WithAPIKey("key-of-alice"))
	bob := interactionsOf(t, handler, gemini.WithAPIKey("key-of-bob"))
	made, err := alice.Create(t.Context(), interactionRequest("hello"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = bob.Get(t.Context(), *made.ID)
	wantReason(t, err, http.StatusNotFound, interactions.CodeNotFound)
	_, err = bob.Cancel(t.Context(), *made.ID)
	wantReason(t, err, http.StatusNotFound, interactions.CodeNotFound)
	wantReason(t, bob.Delete(t.Context(), *made.ID), http.StatusNotFound,
		interactions.CodeNotFound)
	for _, err := range bob.Events(t.Context(), *made.ID, "") {
		wantReason(t, err, http.StatusNotFound, interactions.CodeNotFound)
	}
	request := interactionRequest("more")
	request.PreviousInteractionID = made.ID
	_, err = bob.Create(t.Context(), request)
	wantReason(t, err, http.StatusNotFound, interactions.CodeNotFound)
	if _, err := alice.Create(t.Context(), request); err != nil {
		t.Error(err)
	}
}

func TestParametersOfAStoredInteractionAreChecked(t *testing.T) {
	t.Parallel()
	handler := keeping(t, geminitest.NewServer(t))
	made, err := interactionsOf(t, handler).Create(t.Context(), interactionRequest("hello"))
	if err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{"stream=yes", "include_input=2", "stream=true&last_event_id=x",
		"stream=true&last_event_id=-1"} {
		got := do(handler, "GET", interactionPaths[1]+"/"+*made.ID+"?"+query)
		if got.Code != http.StatusBadRequest {
			t.Errorf("%s: HTTP %d", query, got.Code)
		}
		interactionsEnvelope(t, got.Body.Bytes())
	}
	for _, path := range []string{"", "/" + *made.ID + "/steps"} {
		got := do(handler, "GET", interactionPaths[0]+path)
		if got.Code != http.StatusNotFound {
			t.Errorf("GET %s: HTTP %d", path, got.Code)
		}
		interactionsEnvelope(t, got.Body.Bytes())
	}
}

// The size limit of a body also limits a chain of interactions.
func TestAChainOfInteractionsIsLimited(t *testing.T) {
	t.Parallel()
	service := interactionsOf(t, keeping(t, geminitest.NewServer(t), gateway.WithMaxBodySize(3000)))
	made, err := service.Create(t.Context(), interactionRequest(strings.Repeat("word ", 500)))
	if err != nil {
		t.Fatal(err)
	}
	request := interactionRequest("more")
	request.PreviousInteractionID = made.ID
	_, err = service.Create(t.Context(), request)
	wantReason(t, err, http.StatusBadRequest, interactions.CodeInvalidRequest)
}

// A stream that breaks off is stored as failed, because its client has the id.
func TestAStreamThatBreaksOffIsStoredAsFailed(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t, geminitest.WithScript(geminitest.On().Reply(
		geminitest.Text("one "), geminitest.Text("two "), geminitest.Cut())))
	store := responsestore.NewMemory(responsestore.Bounds{})
	handler := gatewayOf(t, server, gateway.WithResponseStore(store), gateway.WithMaxAttempts(1))
	body := post(handler, interactionPaths[0],
		`{"model":"gemini-3.6-flash","input":"hello","store":true,"stream":true}`).Body.String()
	_, id, _ := strings.Cut(body, `"id":"`)
	id, _, _ = strings.Cut(id, `"`)
	answer := do(handler, "GET", interactionPaths[0]+"/"+id)
	got, err := interactions.DecodeResponse(answer.Body.Bytes())
	if err != nil || got.Status != interactionsapi.InteractionStatusFailed ||
		len(got.Errors) != 1 || !strings.HasPrefix(interactions.Text(got), "one") {
		t.Errorf("it is %s, %v", answer.Body, err)
	}
	replayed := do(handler, "GET", interactionPaths[0]+"/"+id+"?stream=true").Body.String()
	if !strings.HasPrefix(replayed, strings.TrimSuffix(body, "\n")) {
		t.Errorf("the events are %s, before they were %s", replayed, body)
	}
}
