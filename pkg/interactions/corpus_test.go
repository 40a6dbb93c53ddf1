package interactions_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/google/go-cmp/cmp"
)

func checkCount(t *testing.T, got, least int) {
	t.Helper()
	if least = corpustest.AtLeast(least); got < least {
		t.Errorf("only %d payloads, want at least %d", got, least)
	}
}

// compact returns JSON without spaces, in the same order.
func compact(t testing.TB, data []byte) string {
	t.Helper()
	var out bytes.Buffer
	if err := json.Compact(&out, data); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Google writes < and > as escapes. Otherwise the bytes are the same, also the order of members.
func TestEveryRecordedInteractionComesThroughByteForByte(t *testing.T) {
	t.Parallel()
	payloads := corpustest.InteractionPayloads(t, corpustest.Response)
	for _, p := range payloads {
		body := p.Read(t)
		want, got := compact(t, body), roundTrip(t, string(body))
		if diff := cmp.Diff(canonical(t, want), canonical(t, got)); diff != "" {
			t.Errorf("%s: (-recorded +ours)\n%s", p.Name, diff)
		}
		if got != want && !strings.Contains(want, `\u003`) {
			t.Errorf("%s: other bytes: (-recorded +ours)\n%s", p.Name, cmp.Diff(want, got))
		}
	}
	checkCount(t, len(payloads), 9)
}

// Google writes the type of a call before its arguments, and that of a fragment after it, so the
// order of the members in the delta of a call changes.
func TestEveryRecordedEventComesThroughByteForByte(t *testing.T) {
	t.Parallel()
	payloads := corpustest.InteractionPayloads(t, corpustest.Stream)
	for _, p := range payloads {
		for line := range strings.Lines(string(p.Read(t))) {
			line = strings.TrimSuffix(line, "\n")
			event, err := interactions.DecodeEvent([]byte(line))
			if err != nil {
				t.Fatalf("%s: %v", p.Name, err)
			}
			out, err := interactions.EncodeEvent(event)
			if err != nil {
				t.Fatalf("%s: %v", p.Name, err)
			}
			if diff := cmp.Diff(canonical(t, line), canonical(t, string(out))); diff != "" {
				t.Errorf("%s: (-recorded +ours)\n%s", p.Name, diff)
			}
			hasOrder := !strings.Contains(line, `\u003`) && !strings.Contains(line, `_call","arguments":{`)
			if string(out) != line && hasOrder {
				t.Errorf("%s: other bytes: (-recorded +ours)\n%s", p.Name, cmp.Diff(line, string(out)))
			}
		}
	}
	checkCount(t, len(payloads), 8)
}

// No recorded payload has an error, or a member that the description does not know.
func TestNoRecordedPayloadBreaksARule(t *testing.T) {
	t.Parallel()
	check := func(p corpustest.Payload, found []validation.Violation) {
		for _, v := range found {
			t.Errorf("%s: %s: %v", p.Name, v.Severity, v)
		}
	}
	responses := corpustest.InteractionPayloads(t, corpustest.Response)
	for _, p := range responses {
		check(p, interactions.CheckResponse(p.Read(t)))
	}
	for _, p := range corpustest.InteractionPayloads(t, corpustest.Stream) {
		check(p, interactions.CheckStream(p.Read(t)))
	}
	checkCount(t, len(responses), 9)
}

// The fold of a recorded stream is what a whole answer would be: valid, with the text and the
// members of the events, and the same when its own events are folded again.
func TestTheFoldOfEveryRecordedStreamIsAWholeInteraction(t *testing.T) {
	t.Parallel()
	payloads := corpustest.InteractionPayloads(t, corpustest.Stream)
	for _, p := range payloads {
		events, err := readAll(interactions.NewStreamReader(bytes.NewReader(p.Read(t))))
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		whole := fold(t, events)
		body := encoded(t, whole)
		for _, v := range interactions.CheckResponse([]byte(body)) {
			t.Errorf("%s: %v", p.Name, v)
		}
		var text, arguments strings.Builder
		for i := range events {
			if d := events[i].Delta; d != nil && d.Text != nil {
				text.WriteString(*d.Text)
			} else if d != nil {
				arguments.WriteString(interactions.Fragment(d))
			}
		}
		if got := interactions.Text(whole); got != text.String() {
			t.Errorf("%s: the text is %q, want %q", p.Name, got, text.String())
		}
		for _, called := range interactions.Calls(whole) {
			if string(called.Arguments) != arguments.String() {
				t.Errorf("%s: the arguments are %s, want %s", p.Name, called.Arguments, &arguments)
			}
		}
		if again := encoded(t, fold(t, interactions.Events(whole))); again != body {
			t.Errorf("%s: (-fold +again)\n%s", p.Name, cmp.Diff(body, again))
		}
	}
	checkCount(t, len(payloads), 8)
}

// A stream and a whole answer to the same request have steps of the same types with the same
// members. A search is left out: its stream leaves out what has a default.
func TestARecordedStreamHasTheShapeOfItsTwin(t *testing.T) {
	t.Parallel()
	twins := map[string]string{}
	for _, p := range corpustest.InteractionPayloads(t, corpustest.Response) {
		twins[strings.TrimSuffix(p.Name, ".response.json")] = shape(t, p.Read(t))
	}
	compared := 0
	for _, p := range corpustest.InteractionPayloads(t, corpustest.Stream) {
		want, ok := twins[strings.TrimSuffix(p.Name, ".stream.jsonl")]
		if !ok || strings.Contains(p.Name, "google-search") {
			continue
		}
		events, err := readAll(interactions.NewStreamReader(bytes.NewReader(p.Read(t))))
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		whole := fold(t, events)
		if whole.ID != nil && *whole.ID == "" {
			whole.ID = nil // of an interaction that is not stored
		}
		if diff := cmp.Diff(want, shape(t, []byte(encoded(t, whole)))); diff != "" {
			t.Errorf("%s: (-whole +stream)\n%s", p.Name, diff)
		}
		compared++
	}
	checkCount(t, compared, 7)
}

// shape returns JSON in which each number is 0, and each text but types and statuses is "".
func shape(t testing.TB, body []byte) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(withoutValues("", v))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func withoutValues(name string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			v[name] = withoutValues(name, value)
		}
		return v
	case []any:
		for i := range v {
			v[i] = withoutValues("", v[i])
		}
		return v
	case float64:
		return 0
	case string:
		if name == "type" || name == "status" || name == "object" || name == "model" {
			return v
		}
		return ""
	default:
		return v
	}
}
