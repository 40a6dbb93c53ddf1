package interactions_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/google/go-cmp/cmp"
)

// FuzzStream reads any body, whole and byte by byte, with the same outcome. It writes the events
// and reads them again. A sequence and an accumulator accept them in any order, and two
// accumulators of the same events give the same.
func FuzzStream(f *testing.F) {
	for _, body := range []string{
		named("\n", small()...) + done, named("\r\n", created, running, begin(0, output), failure),
		"data: " + created + "\n\ndata: [DONE]\n\n", failure, "<html>", "{]", created + "\n" + created,
		`[{"error":{"code":504,"message":"m","status":"DEADLINE_EXCEEDED"}}]`,
		strings.ReplaceAll(named("\n", stream(step(0, output, hi, cite(0, 2)))...), `"index":0,`, ""),
		named("\n", stream([]string{begin(1, output), begin(0, call), more(1, hi), more(0, fragment("{")), end(0), end(1)})...),
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		events, err := readAll(interactions.NewStreamReader(bytes.NewReader(body)))
		again, errAgain := readAll(interactions.NewStreamReader(
			iotest.OneByteReader(bytes.NewReader(body))))
		if diff := cmp.Diff(encodeAll(t, events), encodeAll(t, again)); diff != "" ||
			(err == nil) != (errAgain == nil) {
			t.Errorf("%v, byte by byte %v: %s", err, errAgain, diff)
		}
		var out bytes.Buffer
		if writeErr := interactions.NewStreamWriter(&out).Write(events...); writeErr == nil {
			written, _ := readAll(interactions.NewStreamReader(&out))
			if diff := cmp.Diff(encodeAll(t, events), encodeAll(t, written)); diff != "" {
				t.Errorf("written and read again: %s", diff)
			}
		}
		checkFold(t, events)
		interactions.CheckStream(body)
	})
}

// checkFold folds events twice. Events in order are not refused.
func checkFold(t *testing.T, events []interactionsapi.StreamEvent) {
	t.Helper()
	isInOrder := interactions.CheckSequence(events) == nil
	var a, b interactions.Accumulator
	for i := range events {
		errA := a.Push(&events[i])
		if errA != nil && isInOrder && events[i].EventType != interactionsapi.EventTypeError {
			t.Errorf("a stream in order is refused: %v", errA)
		}
		a.Interaction()
		if errB := b.Push(&events[i]); (errA == nil) != (errB == nil) {
			t.Errorf("%v, without reading between the events: %v", errA, errB)
		}
	}
	folded, err := interactions.EncodeResponse(a.Interaction())
	again, errAgain := interactions.EncodeResponse(b.Interaction())
	if string(folded) != string(again) || (err == nil) != (errAgain == nil) {
		t.Errorf("%s, without reading between the events: %s", folded, again)
	}
	interactions.Text(a.Interaction())
	interactions.Calls(a.Interaction())
}

// FuzzResponse decodes any body. The encoding of an interaction decodes to the same encoding, the
// quick check agrees with the validator, and no check panics.
func FuzzResponse(f *testing.F) {
	for _, step := range steps {
		f.Add([]byte(answer(step)))
	}
	f.Add([]byte(`{"status":"completed","usage":{"total_tokens":-1},"output_text":"a","outputs":[]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		interactions.CheckResponse(body)
		r, err := interactions.DecodeResponse(body)
		if err != nil {
			return
		}
		_ = interactions.ValidateResponse(r) // it must not panic
		out, err := interactions.EncodeResponse(r)
		if err != nil {
			return // raw values with a member twice
		}
		again, err := interactions.DecodeResponse(out)
		if err != nil {
			t.Fatalf("%s: %v", out, err)
		}
		if got, err := interactions.EncodeResponse(again); err != nil || string(got) != string(out) {
			t.Errorf("%s became %s, %v", out, got, err)
		}
		events := interactions.Events(r)
		checkFold(t, events)
		if interactions.ValidateResponse(r) == nil && isEnd(r.Status) {
			checkEventsOf(t, r, events)
		}
	})
}

// isEnd reports whether an interaction has ended, so that its events end too.
func isEnd(status interactionsapi.InteractionStatus) bool {
	return status != interactionsapi.InteractionStatusInProgress &&
		status != interactionsapi.InteractionStatusQueued
}

// checkEventsOf checks the events of a valid interaction: they are in order, and their fold has
// events that fold to the same.
func checkEventsOf(t *testing.T, r *interactionsapi.Interaction,
	events []interactionsapi.StreamEvent) {
	t.Helper()
	if err := interactions.CheckSequence(events); err != nil {
		t.Errorf("the events are not in order: %v", err)
	}
	folded := fold(t, events)
	got, err := interactions.EncodeResponse(folded)
	if err != nil {
		t.Fatal(err)
	}
	if want, _ := interactions.EncodeResponse(r); string(got) != string(want) {
		t.Errorf("%s became %s", want, got)
	}
}

// FuzzRequest decodes any request. Its encoding decodes to the same encoding, and each violation
// has a pointer into the request.
func FuzzRequest(f *testing.F) {
	for _, body := range []string{
		modelRequest(`"tools":[{"type":"function","name":"f","parameters":{"required":[]}}]`),
		agentRequest(research, `"background":true`), inputRequest(`[` + calling + `]`),
		inputRequest(`{"type":"text"}`), inputRequest(`[{"role":"user","content":"a"}]`),
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		r, err := interactions.DecodeRequest(body)
		if err != nil {
			return
		}
		for _, opts := range [][]interactions.ValidateOption{nil, {interactions.ForVertexAI()}} {
			for _, v := range violations(interactions.ValidateRequest(r, opts...)) {
				if !strings.HasPrefix(v, "/") {
					t.Errorf("%q has no pointer", v)
				}
			}
		}
		out, err := interactions.EncodeRequest(r)
		if err != nil {
			return // raw values with a member twice
		}
		again, err := interactions.DecodeRequest(out)
		if err != nil {
			t.Fatalf("%s: %v", out, err)
		}
		if got, err := interactions.EncodeRequest(again); err != nil || string(got) != string(out) {
			t.Errorf("%s became %s, %v", out, got, err)
		}
	})
}
