package gemini_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/google/go-cmp/cmp"
)

// scriptedDoer answers each request by the next reply, and stores the requests.
type scriptedDoer struct {
	replies  []scriptedReply
	requests []string // method, address and body
}

type scriptedReply struct {
	status      int
	contentType string
	body        string
}

func (d *scriptedDoer) Do(request *http.Request) (*http.Response, error) {
	line := request.Method + " " + request.URL.RequestURI()
	if request.Body != nil {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			return nil, err
		}
		if len(body) > 0 {
			line += " " + string(body)
		}
	}
	d.requests = append(d.requests, line)
	reply := d.replies[min(len(d.requests), len(d.replies))-1]
	return httpReply(reply.status, reply.contentType, reply.body), nil
}

// wholeReply is a whole reply. events is a streamed reply with the data of events.
func wholeReply(body string) scriptedReply { return scriptedReply{200, "application/json", body} }

func events(data ...string) scriptedReply {
	var body strings.Builder
	for _, d := range data {
		body.WriteString("data: " + d + "\n\n")
	}
	return scriptedReply{200, "text/event-stream", body.String()}
}

// interactionRequest is a request with a text.
func interactionRequest() *interactionsapi.CreateInteractionRequest {
	return &interactionsapi.CreateInteractionRequest{Model: new("gemini-3.6-flash"),
		Input: interactions.InputOf(interactions.UserText("Hi"))}
}

const (
	createPath = "POST /v1beta/interactions "
	inputHi    = `"input":[{"content":[{"text":"Hi","type":"text"}],"type":"user_input"}]`
)

func TestInteractionsAreNotStoredUnlessTheCallerAsks(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		option gemini.CallOption
		edit   func(*interactionsapi.CreateInteractionRequest)
		want   string // the body; empty if nothing may be sent
	}{
		{name: "by default", want: `{"model":"gemini-3.6-flash",` + inputHi + `,"store":false}`},
		{name: "the option", option: gemini.WithStorage(gemini.StorageOn),
			want: `{"model":"gemini-3.6-flash",` + inputHi + `,"store":true}`},
		{name: "the project decides", option: gemini.WithStorage(gemini.StorageByProject),
			want: `{"model":"gemini-3.6-flash",` + inputHi + `}`},
		{name: "the request", want: `{"model":"gemini-3.6-flash",` + inputHi + `,"store":true}`,
			edit: func(r *interactionsapi.CreateInteractionRequest) { r.Store = new(true) }},
		{name: "a turn after one that was not stored",
			edit: func(r *interactionsapi.CreateInteractionRequest) {
				r.PreviousInteractionID = new("v1_x")
			}},
		{name: "a background run that is not stored",
			edit: func(r *interactionsapi.CreateInteractionRequest) { r.Background = new(true) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			doer := &scriptedDoer{replies: []scriptedReply{wholeReply(`{"id":"v1_a","status":"completed"}`)}}
			client := newClient(t, gemini.WithHTTPClient(doer))
			request := interactionRequest()
			if tt.edit != nil {
				tt.edit(request)
			}
			_, err := client.Interactions.Create(t.Context(), request, tt.option)
			if tt.want == "" {
				if !errors.Is(err, gemini.ErrNotStored) || len(doer.requests) > 0 {
					t.Fatalf("the error is %v after %d requests", err, len(doer.requests))
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{createPath + tt.want}, doer.requests); diff != "" {
				t.Errorf("other requests (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAContinuedInteractionIsOneAnswer(t *testing.T) {
	t.Parallel()
	const first = `{"id":"v1_a","status":"requires_continuation","usage":{"total_tokens":5,"total_input_tokens":3,"total_output_tokens":2},"created":"2026-10-01T00:00:00Z","steps":[{"content":[{"text":"a","type":"text"}],"type":"model_output"}],"continuation_token":"T"}`
	const last = `{"id":"v1_b","status":"completed","usage":{"total_tokens":9,"total_input_tokens":5,"total_output_tokens":4},"created":"2026-10-01T00:00:09Z","steps":[{"content":[{"text":"Hi","type":"text"}],"type":"user_input"},{"content":[{"text":"b","type":"text"}],"type":"model_output"}]}`
	const want = `{"id":"v1_b","status":"completed","usage":{"total_tokens":14,"total_input_tokens":8,"total_output_tokens":6,"initial_input_tokens":3},"created":"2026-10-01T00:00:00Z","steps":[{"content":[{"text":"ab","type":"text"}],"type":"model_output"}]}`
	tests := []struct {
		name    string
		storage gemini.Storage
		second  string
	}{
		{"not stored: the input again", gemini.StorageOff, `{"model":"gemini-3.6-flash",` + inputHi + `,"store":false,"continuation_token":"T"}`},
		{"stored: the id without the input", gemini.StorageOn, `{"model":"gemini-3.6-flash","previous_interaction_id":"v1_a","store":true,"continuation_token":"T"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			doer := &scriptedDoer{replies: []scriptedReply{wholeReply(first), wholeReply(last)}}
			client := newClient(t, gemini.WithHTTPClient(doer), gemini.WithStorage(tt.storage))
			got, err := client.Interactions.Create(t.Context(), interactionRequest())
			if err != nil {
				t.Fatal(err)
			}
			data, err := interactions.EncodeResponse(got)
			if err != nil || string(data) != want {
				t.Errorf("the answer is %s, %v", data, err)
			}
			if len(doer.requests) != 2 || doer.requests[1] != createPath+tt.second {
				t.Errorf("the requests are %q", doer.requests)
			}
		})
	}
}

func TestTheSameContinuationTokenTwiceEndsTheInteraction(t *testing.T) {
	t.Parallel()
	doer := &scriptedDoer{replies: []scriptedReply{
		wholeReply(`{"id":"v1_a","status":"requires_continuation","continuation_token":"T"}`)}}
	client := newClient(t, gemini.WithHTTPClient(doer))
	got, err := client.Interactions.Create(t.Context(), interactionRequest())
	if err != nil || len(doer.requests) != 2 || *got.ContinuationToken != "T" {
		t.Errorf("%d requests, %+v, %v", len(doer.requests), got, err)
	}
}

const (
	eventCreated = `{"interaction":{"id":"v1_a","status":"in_progress"},"event_type":"interaction.created"`
	eventStart   = `{"index":0,"step":{"type":"model_output"},"event_type":"step.start"`
	eventHello   = `{"index":0,"delta":{"text":"Hello","type":"text"},"event_type":"step.delta"`
	eventWorld   = `{"index":0,"delta":{"text":" world","type":"text"},"event_type":"step.delta"`
	eventStop    = `{"index":0,"event_type":"step.stop"`
	eventDone    = `{"interaction":{"id":"v1_a","status":"completed","usage":{"total_tokens":5}},"event_type":"interaction.completed"`
)

func TestABrokenStreamOfAStoredInteractionIsResumed(t *testing.T) {
	t.Parallel()
	const timeout = `[{"error":{"message":"too long","code":"gateway_timeout"}}]`
	withID := func(event, id string) string { return event + `,"event_id":"` + id + `"}` }
	tests := []struct {
		name    string
		replies []scriptedReply
		resume  string
	}{
		{"after the last event", []scriptedReply{
			events(withID(eventCreated, "1"), withID(eventStart, "2"), withID(eventHello, "3")),
			events(withID(eventWorld, "4"), withID(eventStop, "5"), withID(eventDone, "6")),
		}, "GET /v1beta/interactions/v1_a?alt=sse&last_event_id=3&stream=true"},
		{"from the beginning, without ids", []scriptedReply{
			events(eventCreated+"}", eventStart+"}", eventHello+"}"),
			events(eventCreated+"}", eventStart+"}", eventHello+"}", eventWorld+"}", eventStop+"}", eventDone+"}"),
		}, "GET /v1beta/interactions/v1_a?alt=sse&stream=true"},
		{"after Google's limit of 600 seconds", []scriptedReply{
			{200, "text/event-stream", "data: " + eventCreated + "}\n\ndata: " + eventStart + "}\n\n" + timeout},
			events(eventCreated+"}", eventStart+"}", eventHello+"}", eventWorld+"}", eventStop+"}", eventDone+"}"),
		}, "GET /v1beta/interactions/v1_a?alt=sse&stream=true"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			doer := &scriptedDoer{replies: tt.replies}
			client := newClient(t, gemini.WithHTTPClient(doer), gemini.WithStorage(gemini.StorageOn))
			var answer interactions.Accumulator
			for event, err := range client.Interactions.Stream(t.Context(), interactionRequest()) {
				if err != nil {
					t.Fatal(err)
				}
				if err := answer.Push(event); err != nil {
					t.Fatal(err)
				}
			}
			if got := interactions.Text(answer.Interaction()); got != "Hello world" {
				t.Errorf("the text is %q", got)
			}
			if len(doer.requests) != 2 || doer.requests[1] != tt.resume {
				t.Errorf("the requests are %q", doer.requests)
			}
		})
	}
}

func TestABrokenStreamThatIsNotStoredIsAnError(t *testing.T) {
	t.Parallel()
	doer := &scriptedDoer{replies: []scriptedReply{events(eventCreated+"}", eventStart+"}", eventHello+"}")}}
	client := newClient(t, gemini.WithHTTPClient(doer))
	var last error
	for _, err := range client.Interactions.Stream(t.Context(), interactionRequest()) {
		last = err
	}
	if !errors.Is(last, wire.ErrTruncated) || len(doer.requests) != 1 {
		t.Errorf("the error is %v after %d requests", last, len(doer.requests))
	}
}

func TestAStreamThatBreaksAgainAndAgainEnds(t *testing.T) {
	t.Parallel()
	doer := &scriptedDoer{replies: []scriptedReply{events(eventCreated + "}"), events()}}
	client := newClient(t, gemini.WithHTTPClient(doer), gemini.WithStorage(gemini.StorageOn),
		gemini.WithMaxAttempts(1))
	var last error
	for _, err := range client.Interactions.Stream(t.Context(), interactionRequest()) {
		last = err
	}
	if last == nil || len(doer.requests) != 4 {
		t.Errorf("the error is %v after %d requests", last, len(doer.requests))
	}
}

func TestAContinuedStreamIsOneStream(t *testing.T) {
	t.Parallel()
	const more = `{"interaction":{"id":"v1_a","status":"requires_continuation","usage":{"total_tokens":5,"total_input_tokens":3},"continuation_token":"T"},"event_type":"interaction.completed"}`
	doer := &scriptedDoer{replies: []scriptedReply{
		events(eventCreated+"}", eventStart+"}", eventHello+"}", eventStop+"}", more),
		events(eventCreated+"}", eventStart+"}", eventWorld+"}", eventStop+"}", eventDone+"}"),
	}}
	client := newClient(t, gemini.WithHTTPClient(doer))
	var answer interactions.Accumulator
	var types []interactionsapi.EventType
	for event, err := range client.Interactions.Stream(t.Context(), interactionRequest()) {
		if err != nil {
			t.Fatal(err)
		}
		types = append(types, event.EventType)
		if err := answer.Push(event); err != nil {
			t.Fatal(err)
		}
	}
	got := answer.Interaction()
	if interactions.Text(got) != "Hello world" || *got.Usage.TotalTokens != 10 || len(got.Steps) != 1 {
		t.Errorf("the answer is %+v", got)
	}
	want := []interactionsapi.EventType{"interaction.created", "step.start", "step.delta",
		"step.delta", "step.stop", "interaction.completed"}
	if diff := cmp.Diff(want, types); diff != "" {
		t.Errorf("other events (-want +got):\n%s", diff)
	}
}

func TestABackgroundInteractionIsWaitedForLongerEachTime(t *testing.T) {
	t.Parallel()
	doer := &scriptedDoer{replies: []scriptedReply{
		wholeReply(`{"id":"v1_a","status":"queued"}`), wholeReply(`{"id":"v1_a","status":"in_progress"}`),
		wholeReply(`{"id":"v1_a","status":"in_progress"}`), wholeReply(`{"id":"v1_a","status":"failed"}`)}}
	var waits []time.Duration
	client := newClient(t, gemini.WithHTTPClient(doer), gemini.WithClock(nil,
		func(_ context.Context, wait time.Duration) error {
			waits = append(waits, wait)
			return nil
		}))
	got, err := client.Interactions.Wait(t.Context(), "v1_a")
	if err != nil || got.Status != interactionsapi.InteractionStatusFailed {
		t.Fatalf("%+v, %v", got, err)
	}
	if diff := cmp.Diff([]time.Duration{time.Second, 2 * time.Second, 4 * time.Second},
		waits); diff != "" {
		t.Errorf("other waits (-want +got):\n%s", diff)
	}
}

func TestStoredInteractionsAreReadCancelledAndDeleted(t *testing.T) {
	t.Parallel()
	doer := &scriptedDoer{replies: []scriptedReply{wholeReply(`{"id":"v1_a","status":"cancelled"}`),
		wholeReply(`{"id":"v1_a","status":"cancelled"}`), wholeReply(`{}`)}}
	client := newClient(t, gemini.WithHTTPClient(doer), gemini.WithVertexAI("p", "global"),
		gemini.WithBaseURL("http://localhost"), gemini.WithTokenSource(oneToken("t")))
	if _, err := client.Interactions.Get(t.Context(), "v1_a", gemini.InputIncluded()); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Interactions.Cancel(t.Context(), "v1_a"); err != nil {
		t.Fatal(err)
	}
	if err := client.Interactions.Delete(t.Context(), "v1_a"); err != nil {
		t.Fatal(err)
	}
	const at = " /v1beta1/projects/p/locations/global/interactions/v1_a"
	want := []string{"GET" + at + "?include_input=true", "POST" + at + "/cancel", "DELETE" + at}
	if diff := cmp.Diff(want, doer.requests); diff != "" {
		t.Errorf("other requests (-want +got):\n%s", diff)
	}
	if err := client.Interactions.Delete(t.Context(), ""); err == nil {
		t.Error("an empty id was accepted")
	}
}

func TestAnErrorOfInteractionsHasItsCodeAndCanonicalStatus(t *testing.T) {
	t.Parallel()
	tests := []struct {
		status          int
		body            string
		reason, textual string
	}{
		{404, `{"error":{"message":"no such model","code":"model_not_found"}}`, "model_not_found",
			"gemini: 404 NOT_FOUND: no such model"},
		{429, `{"error":{"message":"slow down","code":"rate_limit_exceeded"}}`, "rate_limit_exceeded",
			"gemini: 429 RESOURCE_EXHAUSTED: slow down"},
		{418, `{"error":{"message":"tea","code":"teapot"}}`, "teapot", "gemini: 418: tea"},
		{400, `{"error":{"code":400,"message":"bad key","status":"INVALID_ARGUMENT"}}`, "",
			"gemini: 400 INVALID_ARGUMENT: bad key"},
	}
	for _, tt := range tests {
		doer := &scriptedDoer{replies: []scriptedReply{{tt.status, "application/json", tt.body}}}
		client := newClient(t, gemini.WithHTTPClient(doer), gemini.WithMaxAttempts(1))
		_, err := client.Interactions.Create(t.Context(), interactionRequest())
		reported, ok := errors.AsType[*gemini.Error](err)
		if !ok || reported.Reason() != tt.reason || reported.Error() != tt.textual {
			t.Errorf("%s: the error is %v with the reason %q", tt.body, err, reported.Reason())
		}
	}
}
