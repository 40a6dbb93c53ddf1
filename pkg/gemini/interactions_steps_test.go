package gemini_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/test/continuationtest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/google/go-cmp/cmp"
)

// foldedStream streams an interaction and returns it. It checks the order of the events, apart
// from the id in the last one.
func foldedStream(t *testing.T, client *gemini.Client) *interactionsapi.Interaction {
	t.Helper()
	var answer interactions.Accumulator
	var all []interactionsapi.StreamEvent
	for event, err := range client.Interactions.Stream(t.Context(), interactionRequest()) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, *event)
		if err := answer.Push(event); err != nil {
			t.Fatal(err)
		}
	}
	if last := &all[len(all)-1]; last.Interaction != nil { // it has the id of the last reply
		own := *last.Interaction
		own.ID = all[0].Interaction.ID
		last.Interaction = &own
	}
	if err := interactions.CheckSequence(all); err != nil {
		t.Error(err)
	}
	return answer.Interaction()
}

func encodedInteraction(t *testing.T, r *interactionsapi.Interaction) string {
	t.Helper()
	body, err := interactions.EncodeResponse(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// encodedEvents returns the events of an interaction as a server sends them.
func encodedEvents(t *testing.T, r *interactionsapi.Interaction) []string {
	t.Helper()
	var out []string
	for _, event := range interactions.Events(r) {
		data, err := interactions.EncodeEvent(&event)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(data))
	}
	return out
}

// A server stops within an output, and a stream may also break. The client yields one stream.
func TestAContinuedStreamFoldsToTheWholeInteraction(t *testing.T) {
	t.Parallel()
	for seed := range uint64(500) {
		random := rand.New(rand.NewPCG(seed, 7))
		whole := continuationtest.Whole(random)
		doer := &scriptedDoer{}
		for _, piece := range continuationtest.Cut(random, whole) {
			list := encodedEvents(t, piece)
			if random.IntN(2) == 0 { // the client reads the rest by the id of the last event
				at := 1 + random.IntN(len(list)-1)
				doer.replies = append(doer.replies, events(list[:at]...))
				list = list[at:]
			}
			doer.replies = append(doer.replies, events(list...))
		}
		client := newClient(t, gemini.WithHTTPClient(doer), gemini.WithStorage(gemini.StorageOn))
		got := encodedInteraction(t, foldedStream(t, client))
		if diff := cmp.Diff(encodedInteraction(t, whole), got); diff != "" || t.Failed() {
			t.Fatalf("seed %d, %+v (-want +got):\n%s", seed, doer.replies, diff)
		}
	}
}

func TestAContinuedAnswerIsTheWholeInteraction(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 9))
		whole := continuationtest.Whole(random)
		doer := &scriptedDoer{}
		for _, piece := range continuationtest.Cut(random, whole) {
			doer.replies = append(doer.replies, wholeReply(encodedInteraction(t, piece)))
		}
		client := newClient(t, gemini.WithHTTPClient(doer))
		got, err := client.Interactions.Create(t.Context(), interactionRequest())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(encodedInteraction(t, whole), encodedInteraction(t, got)); diff != "" {
			t.Fatalf("seed %d (-want +got):\n%s", seed, diff)
		}
	}
}

// The steps before the checkpoint stay, and the steps after it are numbered after them.
func TestAStreamThatBreaksAfterACheckpointContinuesThere(t *testing.T) {
	t.Parallel()
	const (
		checkpoint = `{"interaction_id":"v1_a","status":"in_progress","continuation_token":"C","event_type":"interaction.status_update"}`
		call       = `{"index":1,"step":{"id":"1","name":"f","arguments":{},"type":"function_call"},"event_type":"step.start"}`
		callStop   = `{"index":1,"event_type":"step.stop"}`
	)
	for name, tt := range map[string]struct {
		first, next []string
		steps       int
	}{
		"between two steps": {
			[]string{eventCreated + "}", eventStart + "}", eventHello + "}", eventStop + "}",
				call, callStop, checkpoint},
			[]string{eventCreated + "}", eventStart + "}", eventWorld + "}", eventStop + "}",
				eventDone + "}"}, 3},
		"within a step": {
			[]string{eventCreated + "}", eventStart + "}", eventHello + "}", checkpoint},
			[]string{eventCreated + "}", eventStart + "}", eventWorld + "}", eventStop + "}",
				eventDone + "}"}, 1},
		"within a step that another one follows": {
			[]string{eventCreated + "}", eventStart + "}", eventHello + "}", checkpoint},
			[]string{eventCreated + "}", strings.ReplaceAll(call, `"index":1`, `"index":0`),
				strings.ReplaceAll(callStop, `"index":1`, `"index":0`), eventDone + "}"}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			doer := &scriptedDoer{replies: []scriptedReply{events(tt.first...), events(tt.next...)}}
			client := newClient(t, gemini.WithHTTPClient(doer))
			got := foldedStream(t, client)
			if len(got.Steps) != tt.steps ||
				got.Status != interactionsapi.InteractionStatusCompleted {
				t.Errorf("the interaction is %s", encodedInteraction(t, got))
			}
			if len(doer.requests) != 2 ||
				!strings.Contains(doer.requests[1], `"continuation_token":"C"`) {
				t.Errorf("the requests are %q", doer.requests)
			}
		})
	}
}
