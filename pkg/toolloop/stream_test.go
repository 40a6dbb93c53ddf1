package toolloop_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/toolloop"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/google/go-cmp/cmp"
)

// streamedCall is a stream with a text and a call without an id.
var streamedCall = []string{
	`{"candidates":[{"content":{"role":"model","parts":[{"text":"Let me "}]}}],"modelVersion":"m"}`,
	`{"candidates":[{"content":{"role":"model","parts":[{"text":"look."}]}}]}`,
	`{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"get_weather","args":{"city":"Porto"}}}]},"finishReason":"STOP"}],
	  "usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":2,"totalTokenCount":12}}`,
}

// lines describes the events of a run, without usage and finish events.
func lines(t *testing.T, loop *toolloop.Loop) ([]string, *toolloop.Result, error) {
	t.Helper()
	var out []string
	var id string
	for event, err := range loop.Stream(t.Context(), question()) {
		switch {
		case event.Result != nil || err != nil:
			return out, event.Result, err
		case event.Call != nil:
			if event.Call.ID != id {
				t.Errorf("the call %q has the id %q", id, event.Call.ID)
			}
			out = append(out, fmt.Sprintf("%d call %s", event.Step, event.Call.Response.Response))
		case event.Delta.Type == normalize.EventToolCallStart:
			id = event.Delta.ToolCallID
			out = append(out,
				fmt.Sprintf("%d %s %s", event.Step, event.Delta.Type, event.Delta.ToolName))
		case event.Delta.Type == normalize.EventUsage, event.Delta.Type == normalize.EventFinish,
			event.Delta.Type == normalize.EventToolCallDelta:
		default:
			out = append(out,
				fmt.Sprintf("%d %s %s", event.Step, event.Delta.Type, event.Delta.Text))
		}
	}
	t.Fatal("no last event")
	return nil, nil, nil
}

func TestStreamYieldsTheDeltasThenTheCallsThenTheResult(t *testing.T) {
	t.Parallel()
	m := &model{answers: [][]string{streamedCall, {answer}}}
	got, result, err := lines(t, newLoop(t, m, []toolloop.Tool{sunny}))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"1 start ", "1 text_delta Let me ", "1 text_delta look.", "1 tool_call_start get_weather",
		"1 tool_call_done ", "1 done ",
		`1 call {"output":"sunny in Porto"}`,
		"2 start ", "2 text_delta It is sunny.", "2 done ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if result.Text() != "It is sunny." || result.Usage.TotalTokens != 36 ||
		len(result.Contents) != 4 {
		t.Errorf("%+v", result)
	}
	if text := *result.Contents[1].Parts[0].Text; text != "Let me look." {
		t.Errorf("the turn begins with %q", text)
	}
}

func TestAStreamThatFailsHasAnErrorAndTheResultSoFar(t *testing.T) {
	t.Parallel()
	m := &model{answers: [][]string{streamedCall,
		{`{"candidates":[{"content":{"parts":[{"text":"It"}]}}]}`}}}
	got, result, err := lines(t, newLoop(t, m, []toolloop.Tool{sunny}))
	if !errors.Is(err, wire.ErrTruncated) || got[len(got)-1] != "2 error " ||
		len(result.Contents) != 3 {
		t.Errorf("%v, %v, %+v", err, got, result)
	}
	m = &model{answers: [][]string{streamedCall}}
	if _, result, err = lines(t, newLoop(t, m, []toolloop.Tool{sunny})); !errors.Is(err,
		errNoAnswer) || len(result.Steps) != 1 {
		t.Errorf("%v, %+v", err, result)
	}
	m = &model{answers: [][]string{{`{"promptFeedback":{"blockReason":"SAFETY"}}`}}}
	if _, _, err = lines(t, newLoop(t, m, nil)); !is[*normalize.BlockedError](err) {
		t.Errorf("%v", err)
	}
}

func TestTheStreamMayBeLeftAtEveryEvent(t *testing.T) {
	t.Parallel()
	for at := 1; ; at++ {
		seen := 0
		m := answering(calls("a", "b"), answer)
		for _, err := range newLoop(t, m, []toolloop.Tool{sunny}).Stream(t.Context(), question()) {
			if err != nil {
				t.Fatal(err)
			}
			if seen++; seen == at {
				break
			}
		}
		if seen == at {
			continue
		}
		if seen < 10 {
			t.Errorf("%d events", seen)
		}
		return
	}
}

func TestLeavingTheStreamAtACallStopsTheOthers(t *testing.T) {
	t.Parallel()
	begun, stopped := make(chan struct{}), make(chan error, 1)
	tool := weather(func(ctx context.Context, p place) (string, error) {
		if p.City == "quick" {
			<-begun
			return p.City, nil
		}
		close(begun)
		<-ctx.Done()
		stopped <- ctx.Err()
		return "", ctx.Err()
	})
	loop := newLoop(t, answering(calls("quick", "slow"), answer), []toolloop.Tool{tool})
	for event := range loop.Stream(t.Context(), question()) {
		if event.Call != nil {
			break
		}
	}
	select {
	case err := <-stopped:
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	default:
		t.Error("a tool outlives the run")
	}
}

func TestStreamRefusesWhatRunRefuses(t *testing.T) {
	t.Parallel()
	count := 0
	for event, err := range newLoop(t, answering(answer), nil).Stream(t.Context(), nil) {
		if count++; err == nil || event.Result != nil {
			t.Errorf("%+v, %v", event, err)
		}
	}
	if count != 1 {
		t.Errorf("%d events", count)
	}
}
