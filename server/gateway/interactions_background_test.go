package gateway_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
)

// interactionIn decodes an answer, which must be an interaction.
func interactionIn(t testing.TB, answer *httptest.ResponseRecorder) *interactionsapi.Interaction {
	t.Helper()
	if answer.Code != http.StatusOK {
		t.Fatalf("HTTP %d: %s", answer.Code, answer.Body)
	}
	out, err := interactions.DecodeResponse(answer.Body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// interactionEventsIn decodes the events of a body.
func interactionEventsIn(t testing.TB, body string) (out []interactionsapi.StreamEvent) {
	t.Helper()
	for _, data := range namedEvents(t, body) {
		if data == "[DONE]" {
			continue
		}
		e, err := interactions.DecodeEvent([]byte(data))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, *e)
	}
	return out
}

// inBackground is a request that runs in the background, with more members.
func inBackground(members string) string {
	return `{"model":"gemini-3.6-flash","input":"hello","background":true` + members + `}`
}

func TestAnInteractionInTheBackgroundIsPolled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		handler := keeping(t, slow(t, 5))
		begun := interactionIn(t, post(handler, interactionPaths[0], inBackground("")))
		path := interactionPaths[0] + "/" + jsonx.Deref(begun.ID)
		if begun.Status != interactionsapi.InteractionStatusInProgress || len(begun.Steps) != 0 {
			t.Errorf("at first it is %+v", begun)
		}
		time.Sleep(2500 * time.Millisecond)
		if got := interactionIn(t,
			do(handler, "GET", path)); got.Status != interactionsapi.InteractionStatusInProgress {
			t.Errorf("then it is %+v", got)
		}
		refused := post(handler, interactionPaths[0],
			`{"model":"gemini-3.6-flash","input":"more","previous_interaction_id":"`+*begun.ID+`"}`)
		if refused.Code != http.StatusBadRequest ||
			!strings.Contains(refused.Body.String(), "has not ended") {
			t.Errorf("continuing it: HTTP %d: %s", refused.Code, refused.Body)
		}
		time.Sleep(10 * time.Second)
		got := interactionIn(t, do(handler, "GET", path))
		if got.Status != interactionsapi.InteractionStatusCompleted ||
			!strings.HasSuffix(interactions.Text(got), "word4 ") || got.Usage == nil {
			t.Errorf("at last it is %+v", got)
		}
		// which changes nothing
		after := interactionIn(t, do(handler, "POST", path+"/cancel", "Content-Type",
			"application/json"))
		if after.Status != interactionsapi.InteractionStatusCompleted {
			t.Errorf("after a cancellation it is %s", after.Status)
		}
		next := interactionIn(t, post(handler, interactionPaths[0],
			`{"model":"gemini-3.6-flash","input":"more","previous_interaction_id":"`+*begun.ID+`"}`))
		if next.Status != interactionsapi.InteractionStatusCompleted {
			t.Errorf("the next one is %+v", next)
		}
	})
}

func TestAnInteractionInTheBackgroundIsFollowed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		handler := keeping(t, slow(t, 5))
		begun := interactionIn(t, post(handler, interactionPaths[0], inBackground(`,"store":true`)))
		path := interactionPaths[0] + "/" + *begun.ID + "?stream=true"
		time.Sleep(2500 * time.Millisecond)
		live := interactionEventsIn(t, do(handler, "GET", path).Body.String()) // to its end
		if err := interactions.CheckSequence(live); err != nil {
			t.Error(err)
		}
		wantEventIDs(t, live, 1)
		if got := folded(t, live); got.Status != interactionsapi.InteractionStatusCompleted ||
			!strings.HasSuffix(interactions.Text(got), "word4 ") || *got.ID != *begun.ID {
			t.Errorf("it is %+v", got)
		}
		rest := interactionEventsIn(t,
			do(handler, "GET", path+"&last_event_id=3").Body.String())
		wantEventIDs(t, rest, 4)
		if len(rest) != len(live)-3 {
			t.Errorf("%d events after the third of %d", len(rest), len(live))
		}
		streamed := interactionEventsIn(t,
			post(handler, interactionPaths[0], inBackground(`,"stream":true`)).Body.String())
		if got := folded(t, streamed); !strings.HasSuffix(interactions.Text(got), "word4 ") {
			t.Errorf("streamed at once: %+v", got)
		}
	})
}

// A cancelled interaction has the steps so far. Each of its streams ends once, with an error.
func TestAnInteractionInTheBackgroundIsCancelled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		handler := keeping(t, slow(t, 5))
		begun := interactionIn(t, post(handler, interactionPaths[1], inBackground("")))
		path := interactionPaths[1] + "/" + *begun.ID
		time.Sleep(2500 * time.Millisecond)
		followed := make(chan string)
		go func() { followed <- do(handler, "GET", path+"?stream=true").Body.String() }()
		synctest.Wait()
		got := interactionIn(t, do(handler, "POST", path+"/cancel", "Content-Type",
			"application/json"))
		if got.Status != interactionsapi.InteractionStatusCancelled ||
			interactions.Text(got) != "word0 word1 " {
			t.Errorf("it is %+v", got)
		}
		live := <-followed
		events := interactionEventsIn(t, live)
		last := events[len(events)-1]
		if last.EventType != interactionsapi.EventTypeError || last.Error == nil {
			t.Fatalf("the stream ends with %+v", last)
		}
		if code, _ := last.Error.Code.AsString(); code != interactions.CodeCancelled {
			t.Errorf("the code is %q", code)
		}
		if replayed := do(handler, "GET", path+"?stream=true").Body.String(); replayed != live {
			t.Errorf("the stored stream is %s, the live one was %s", replayed, live)
		}
		if got := do(handler, "DELETE", path); got.Code != http.StatusOK ||
			got.Body.String() != "{}" {
			t.Errorf("HTTP %d: %s", got.Code, got.Body)
		}
	})
}

func TestAnInteractionInTheBackgroundIsDeleted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		handler := keeping(t, slow(t, 5))
		begun := interactionIn(t, post(handler, interactionPaths[0], inBackground("")))
		path := interactionPaths[0] + "/" + *begun.ID
		time.Sleep(1500 * time.Millisecond)
		if got := do(handler, "DELETE", path); got.Code != http.StatusOK {
			t.Errorf("HTTP %d: %s", got.Code, got.Body)
		}
		time.Sleep(time.Minute)
		if got := do(handler, "GET", path); got.Code != http.StatusNotFound {
			t.Errorf("HTTP %d: %s", got.Code, got.Body)
		}
	})
}

func TestAnInteractionFailsWithTheProcess(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server, store := slow(t, 5), responsestore.NewMemory(responsestore.Bounds{})
		before := gatewayOf(t, server, gateway.WithResponseStore(store))
		id := *interactionIn(t, post(before, interactionPaths[0], inBackground(""))).ID
		running, err := store.Get(t.Context(), responsestore.OwnerOf(""), id)
		if err != nil {
			t.Fatal(err)
		}
		killed := responsestore.NewMemory(responsestore.Bounds{}) // as it was at that moment
		if err := killed.Put(t.Context(), responsestore.OwnerOf(""),
			responsestore.Write{Document: running}); err != nil {
			t.Fatal(err)
		}
		before.Close()
		after := gatewayOf(t, server, gateway.WithResponseStore(killed))
		path := interactionPaths[0] + "/" + id
		got := interactionIn(t, do(after, "GET", path))
		if got.Status != interactionsapi.InteractionStatusFailed || len(got.Errors) != 1 {
			t.Errorf("it is %+v", got)
		}
		events := interactionEventsIn(t, do(after, "GET", path+"?stream=true").Body.String())
		if got := folded(t, events); got.Status != interactionsapi.InteractionStatusFailed {
			t.Errorf("its events are %+v", events)
		}
	})
}

func TestABackgroundThatIsNotStoredIsRefused(t *testing.T) {
	t.Parallel()
	handler := keeping(t, slow(t, 1))
	for name, body := range map[string]string{
		"not stored": inBackground(`,"store":false`),
		"not convertible": strings.Replace(inBackground(""), `"hello"`,
			`[{"type":"function_result","call_id":"x","result":"y"}]`, 1),
	} {
		got := post(handler, interactionPaths[0], body)
		if got.Code != http.StatusBadRequest {
			t.Errorf("%s: HTTP %d: %s", name, got.Code, got.Body)
		}
		interactionsEnvelope(t, got.Body.Bytes())
	}
}
