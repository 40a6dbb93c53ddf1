package gateway_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
)

// slow returns a server that answers word by word, one each second.
func slow(t testing.TB, words int) *geminitest.Server {
	t.Helper()
	var blocks []geminitest.Block
	for i := range words {
		blocks = append(blocks, geminitest.Pause(time.Second),
			geminitest.Text(fmt.Sprint("word", i, " ")))
	}
	return geminitest.NewServer(t, geminitest.WithScript(geminitest.On().Reply(blocks...).Times(9)))
}

// found returns a stored response.
func found(t testing.TB, handler http.Handler, id string) *openaiapi.Response {
	t.Helper()
	return responseOf(t, do(handler, "GET", responsesPath+"/"+id))
}

func TestAResponseInTheBackgroundIsPolled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		handler := keeping(t, slow(t, 5))
		queued := responseOf(t, post(handler, responsesPath, asked("hello", `,"background":true`)))
		if queued.Status != openaiapi.ResponseStatusQueued || !jsonx.Deref(queued.Background) ||
			len(queued.Output) != 0 || queued.Usage != nil {
			t.Errorf("at first it is %+v", queued)
		}
		if got := found(t, handler, queued.ID); got.Status != openaiapi.ResponseStatusQueued {
			t.Errorf("before its first event it is %s", got.Status)
		}
		time.Sleep(2500 * time.Millisecond)
		if got := found(t, handler, queued.ID); got.Status != openaiapi.ResponseStatusInProgress {
			t.Errorf("then it is %+v", got)
		}
		e := errorOf(t, post(handler, responsesPath,
			asked("more", `,"previous_response_id":"`+queued.ID+`"`)), http.StatusBadRequest)
		if !strings.Contains(e.Message, "not complete") {
			t.Errorf("continuing it: %+v", e)
		}
		time.Sleep(10 * time.Second)
		got := found(t, handler, queued.ID)
		if got.Status != openaiapi.ResponseStatusCompleted ||
			!strings.HasSuffix(responses.Text(got), "word4 ") || got.Usage == nil {
			t.Errorf("at last it is %+v", got)
		}
		// which changes nothing
		responseOf(t, do(handler, "POST", responsesPath+"/"+queued.ID+"/cancel", "Content-Type",
			"application/json"))
		responseOf(t, post(handler, responsesPath,
			asked("more", `,"previous_response_id":"`+queued.ID+`"`)))
	})
}

// eventsOf returns the events of a response from a given event on.
func eventsOf(t testing.TB, handler http.Handler, id, query string) []openaiapi.ResponseEvent {
	t.Helper()
	answer := do(handler, "GET", responsesPath+"/"+id+"?stream=true"+query)
	if answer.Code != http.StatusOK {
		t.Fatalf("HTTP %d: %s", answer.Code, answer.Body)
	}
	return eventsIn(t, answer.Body.String())
}

func eventsIn(t testing.TB, body string) (out []openaiapi.ResponseEvent) {
	t.Helper()
	for _, event := range namedEvents(t, body) {
		decoded, err := responses.DecodeEvent([]byte(event))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, *decoded)
	}
	return out
}

// namedEvents returns the data of events.
func namedEvents(t testing.TB, body string) (out []string) {
	t.Helper()
	for block := range strings.SplitSeq(strings.TrimSuffix(body, "\n\n"), "\n\n") {
		if _, data, ok := strings.Cut(block, "\ndata: "); ok {
			out = append(out, data)
		}
	}
	return out
}

// serveCut serves a request like package net/http. The answer must be cut off.
func serveCut(t *testing.T, handler http.Handler, w http.ResponseWriter, r *http.Request) {
	t.Helper()
	defer func() {
		if reason := recover(); reason != http.ErrAbortHandler {
			t.Errorf("the answer is not cut off: %v", reason)
		}
	}()
	handler.ServeHTTP(w, r)
}

func TestAStreamInTheBackgroundIsTakenUpAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		handler := keeping(t, slow(t, 5))
		ctx, leave := context.WithTimeout(t.Context(), 3500*time.Millisecond)
		defer leave()
		request := httptest.NewRequestWithContext(ctx, http.MethodPost, responsesPath,
			strings.NewReader(asked("hello", `,"background":true,"stream":true`)))
		request.Header.Set("Content-Type", "application/json")
		answer := httptest.NewRecorder()
		serveCut(t, handler, answer, request) // which the client leaves in the middle
		seen := eventsIn(t, answer.Body.String())
		if len(seen) < 4 || seen[0].Type != openaiapi.ResponseEventTypeCreated ||
			seen[1].Type != openaiapi.ResponseEventTypeQueued ||
			seen[2].Type != openaiapi.ResponseEventTypeInProgress {
			t.Fatalf("seen at first: %s", answer.Body)
		}
		id := seen[0].Response.ID
		if seen[0].Response.Status != openaiapi.ResponseStatusQueued ||
			seen[2].Response.Status != openaiapi.ResponseStatusInProgress {
			t.Errorf("it was %s, then %s", seen[0].Response.Status, seen[2].Response.Status)
		}
		last := seen[len(seen)-1].SequenceNumber
		// of the run, to its end
		rest := eventsOf(t, handler, id, fmt.Sprint("&starting_after=", last))
		all := append(seen, rest...)
		if err := responses.CheckSequence(all); err != nil {
			t.Error(err)
		}
		end := all[len(all)-1]
		if end.Type != openaiapi.ResponseEventTypeCompleted ||
			!strings.HasSuffix(responses.Text(end.Response), "word4 ") {
			t.Errorf("the end is %+v", end)
		}
		for query, want := range map[string]int{"": len(all), "&starting_after=2": len(all) - 3,
			fmt.Sprint("&starting_after=", len(all)-1): 0, "&starting_after=999": 0} {
			if got := eventsOf(t, handler, id, query); len(got) != want { // of the stored events
				t.Errorf("%s: %d events, expected %d", query, len(got), want)
			}
		}
		whole := responseOf(t, post(handler, responsesPath, asked("hello", "")))
		errorOf(t, do(handler, "GET", responsesPath+"/"+whole.ID+"?stream=true"),
			http.StatusBadRequest)
		errorOf(t, do(handler, "GET", responsesPath+"/"+id+"?stream=true&starting_after=x"),
			http.StatusBadRequest)
		errorOf(t, do(handler, "GET", responsesPath+"/resp_nobody?stream=true"),
			http.StatusNotFound)
	})
}

func TestAResponseInTheBackgroundIsCanceled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		handler := keeping(t, slow(t, 50))
		id := responseOf(t, post(handler, responsesPath, asked("hello", `,"background":true`))).ID
		time.Sleep(2500 * time.Millisecond)
		got := responseOf(t,
			do(handler, "POST", responsesPath+"/"+id+"/cancel", "Content-Type", "application/json"))
		if got.Status != openaiapi.ResponseStatusCancelled || got.Error != nil {
			t.Errorf("canceled is %+v", got)
		}
		if got := found(t, handler, id); got.Status != openaiapi.ResponseStatusCancelled {
			t.Errorf("and kept as %+v", got)
		}
		whole := responseOf(t, post(handler, responsesPath, asked("hello", `,"store":true`)))
		errorOf(t, do(handler, "POST", responsesPath+"/"+whole.ID+"/cancel", "Content-Type",
			"application/json"), http.StatusBadRequest)
		errorOf(t, do(handler, "POST", responsesPath+"/resp_nobody/cancel", "Content-Type",
			"application/json"), http.StatusNotFound)

		id = responseOf(t, post(handler, responsesPath, asked("hello", `,"background":true`))).ID
		if err := deleteOf(handler, responsesPath+"/"+id); err != nil {
			t.Error(err)
		}
		errorOf(t, do(handler, "GET", responsesPath+"/"+id), http.StatusNotFound)
	})
}

func TestAResponseInTheBackgroundThatFailsSaysWhy(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := geminitest.NewServer(t,
			geminitest.WithScript(geminitest.On().Reply(geminitest.RateLimited(7*time.Second)).Times(9)))
		handler := keeping(t, server)
		id := responseOf(t, post(handler, responsesPath, asked("hello", `,"background":true`))).ID
		time.Sleep(time.Minute)
		got := found(t, handler, id)
		if got.Status != openaiapi.ResponseStatusFailed || got.Error == nil ||
			got.Error.Code != openaiapi.ResponseErrorCodeRateLimitExceeded ||
			!strings.Contains(got.Error.Message, "try again in 7s") {
			t.Errorf("it is %+v, %+v", got, got.Error)
		}
		if err := responses.CheckSequence(eventsOf(t, handler, id, "")); err != nil {
			t.Error(err)
		}
		errorOf(t, post(handler, responsesPath, asked("hello", `,"background":true,"store":false`)),
			http.StatusBadRequest)
		errorOf(t, post(handler, responsesPath, `{"input":"hello","background":true}`),
			http.StatusBadRequest)
	})
}

// A response that was in progress when the process ended has failed, because nothing completes it.
func TestAResponseThatNoProcessMakesHasFailed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := responsestore.NewMemory(responsestore.Bounds{})
		server := slow(t, 50)
		before := gatewayOf(t, server, gateway.WithResponseStore(store))
		id := responseOf(t, post(before, responsesPath, asked("hello", `,"background":true`))).ID
		body, err := store.Get(t.Context(), responsestore.OwnerOf(""), id)
		if err != nil || !body.IsRunning {
			t.Fatalf("%+v, %v", body, err)
		}
		before.Close()
		// as if it had been killed
		if err := store.Put(t.Context(), responsestore.OwnerOf(""),
			responsestore.Write{Document: body}); err != nil {
			t.Fatal(err)
		}
		got := found(t, gatewayOf(t, server, gateway.WithResponseStore(store)), id)
		if got.Status != openaiapi.ResponseStatusFailed || got.Error == nil {
			t.Errorf("it is %+v", got)
		}
	})
}

func TestShutdownWaitsForTheBackground(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := responsestore.NewMemory(responsestore.Bounds{})
		handler := gatewayOf(t, slow(t, 5), gateway.WithResponseStore(store))
		id := responseOf(t, post(handler, responsesPath, asked("hello", `,"background":true`))).ID
		// this changes nothing for the response
		if err := handler.Reload(gateway.WithResponseStore(store)); err != nil {
			t.Fatal(err)
		}
		if err := handler.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		d, err := store.Get(t.Context(), responsestore.OwnerOf(""), id)
		if err != nil || !strings.Contains(string(d.JSON), "word4") {
			t.Errorf("%+v, %v", d, err)
		}
	})
}

// All clients share the slots of background responses. One client must not take all of them.
func TestOneClientHasAShareOfTheBackground(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		keys := keysOf(t, "alice", "bob")
		handler := keeping(t, slow(t, 5), gateway.WithClientKeys(keys),
			gateway.WithBackgroundPerClient(3))
		begin := func(client string) *httptest.ResponseRecorder {
			return post(handler, responsesPath, asked("hello", `,"background":true`),
				"Authorization", "Bearer key-of-"+client)
		}
		var first string
		for range 3 {
			first = responseOf(t, begin("alice")).ID
		}
		refused := begin("alice")
		e := errorOf(t, refused, http.StatusTooManyRequests)
		if !strings.Contains(e.Message, "--background-per-client") ||
			refused.Header().Get("Retry-After") != "10" {
			t.Errorf("%+v, Retry-After %q", e, refused.Header().Get("Retry-After"))
		}
		responseOf(t, begin("bob"))
		do(handler, "POST", responsesPath+"/"+first+"/cancel", "Content-Type", "application/json",
			"Authorization", "Bearer key-of-alice")
		synctest.Wait()
		responseOf(t, begin("alice"))
		errorOf(t, begin("alice"), http.StatusTooManyRequests)
		time.Sleep(time.Minute)
		responseOf(t, begin("alice"))
		time.Sleep(time.Minute)
	})
}

func TestTheOnlyClientHasAllOfTheBackground(t *testing.T) {
	t.Parallel()
	for name, opts := range map[string][]gateway.Option{"no keys": nil,
		"one key": {gateway.WithClientKeys(keysOf(t, "alice"))}} {
		synctest.Test(t, func(t *testing.T) {
			handler := keeping(t, slow(t, 1), append(opts, gateway.WithBackgroundPerClient(1))...)
			for range 3 {
				responseOf(t,
					post(handler, responsesPath, asked("hello", `,"background":true`),
						"Authorization", "Bearer key-of-alice"))
			}
			time.Sleep(time.Minute)
			t.Log(name)
		})
	}
}
