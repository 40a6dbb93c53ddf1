package interactions_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/google/go-cmp/cmp"
)

// Events of a small stream.
const (
	created   = `{"interaction":{"id":"v1_a","status":"in_progress","object":"interaction","model":"m"},"event_type":"interaction.created"}`
	running   = `{"interaction_id":"v1_a","status":"in_progress","event_type":"interaction.status_update"}`
	completed = `{"interaction":{"id":"v1_a","status":"completed","usage":{"total_tokens":10,"total_input_tokens":3,"total_output_tokens":5,"total_tool_use_tokens":0,"total_thought_tokens":2},"object":"interaction","model":"m"},"event_type":"interaction.completed"}`
	waiting   = `{"interaction":{"id":"v1_a","status":"requires_action","object":"interaction"},"event_type":"interaction.completed"}`
	failure   = `{"error":{"message":"too slow","code":"gateway_timeout"},"event_type":"error"}`
)

// Beginnings of steps and deltas.
const (
	output  = `{"type":"model_output"}`
	thought = `{"type":"thought"}`
	call    = `{"id":"c1","type":"function_call","name":"f","arguments":{}}`
	hi      = `{"text":"Hi","type":"text"}`
	summary = `{"content":{"text":"I think","type":"text"},"type":"thought_summary"}`
	signed  = `{"signature":"c2ln","type":"thought_signature"}`
)

// fragment returns a delta with a piece of arguments.
func fragment(piece string) string {
	return fmt.Sprintf(`{"arguments":%q,"type":"arguments_delta"}`, piece)
}

// cite returns a delta with an annotation of a range.
func cite(start, end int) string {
	return fmt.Sprintf(`{"annotations":[{"start_index":%d,"end_index":%d,"url":"u","type":"url_citation"}],"type":"text_annotation_delta"}`,
		start, end)
}

// begin, more and end return the events of a step.
func begin(index int, step string) string {
	return fmt.Sprintf(`{"index":%d,"step":%s,"event_type":"step.start"}`, index, step)
}

func more(index int, delta string) string {
	return fmt.Sprintf(`{"index":%d,"delta":%s,"event_type":"step.delta"}`, index, delta)
}

func end(index int) string {
	return fmt.Sprintf(`{"index":%d,"event_type":"step.stop"}`, index)
}

// step returns the events of a whole step.
func step(index int, begins string, deltas ...string) (out []string) {
	out = append(out, begin(index, begins))
	for _, d := range deltas {
		out = append(out, more(index, d))
	}
	return append(out, end(index))
}

// stream returns the events of an interaction with steps.
func stream(steps ...[]string) []string {
	out := []string{created, running}
	for _, s := range steps {
		out = append(out, s...)
	}
	return append(out, completed)
}

func decodeAll(t testing.TB, events []string) (out []interactionsapi.StreamEvent) {
	t.Helper()
	for _, data := range events {
		event, err := interactions.DecodeEvent([]byte(data))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, *event)
	}
	return out
}

// sequenceFindings returns the findings of a Sequence: pointer, rule and, for a warning, a mark.
func sequenceFindings(events []interactionsapi.StreamEvent) (out []string) {
	var s interactions.Sequence
	for i := range events {
		out = append(out, findings(s.Push(&events[i]))...)
	}
	return append(out, findings(s.Close())...)
}

func findings(violations []validation.Violation) (out []string) {
	for _, v := range violations {
		text := v.Pointer + " " + v.Rule
		if v.Severity == validation.SeverityWarning {
			text = "warning: " + text
		}
		out = append(out, text)
	}
	return out
}

func TestASequenceInOrderPasses(t *testing.T) {
	t.Parallel()
	for name, events := range map[string][]string{
		"no steps":               stream(),
		"a text":                 stream(step(0, output, hi, hi)),
		"a step without a delta": stream(step(0, output)),
		"thoughts and a text": stream(step(0, thought, summary, summary, signed),
			step(1, output, hi)),
		"an empty signature": stream(step(0, thought, `{"signature":"","type":"thought_signature"}`)),
		"a call": append([]string{created}, append(step(0, call, fragment(`{"a":`), fragment(""),
			fragment(`1}`)), waiting)...),
		"a call without arguments": stream(step(0, call)),
		"a completed answer with a call": stream(step(0, call, fragment(`{}`)),
			step(1, output, hi)),
		"annotations of the whole text": stream(step(0, `{"type":"model_output","content":[{"type":"text","text":"a"}]}`,
			cite(0, 4), `{"text":"é","type":"text"}`, `{"text":"!","type":"text"}`, cite(3, 4))),
		"a search": stream(step(0, `{"id":"s","signature":"","type":"google_search_call"}`,
			`{"type":"google_search_call","arguments":{"queries":["a"]}}`),
			step(1, `{"call_id":"s","type":"google_search_result"}`,
				`{"type":"google_search_result","result":[]}`)),
		"changes of the status in between": {created, begin(0, output), running, more(0, hi),
			end(0), running, completed},
		"other names of changes": {created,
			`{"interaction_id":"v1_a","event_type":"interaction.in_progress"}`,
			`{"event_type":"interaction.requires_action"}`, completed},
		"unknown types": append([]string{created, `{"event_type":"interaction.unheard_of"}`},
			append(step(0, `{"type":"unheard_of"}`, hi, `{"type":"more"}`), completed)...),
		"a step that no schema has": stream(step(0, `{"type":"tool_call","id":"t"}`)),
		"an interaction that is not stored": {
			strings.Replace(created, "v1_a", "", 1), strings.Replace(running, "v1_a", "", 1),
			strings.Replace(completed, "v1_a", "", 1)},
		"an error at once":     {failure},
		"an error in a step":   {created, begin(0, output), failure},
		"a failed interaction": {created, strings.Replace(waiting, "requires_action", "failed", 1)},
		"counts that grow": {created,
			`{"status":"in_progress","usage":{"total_tokens":3,"total_input_tokens":3},"event_type":"interaction.status_update"}`,
			begin(0, output),
			`{"index":0,"delta":{"text":"a","type":"text"},"metadata":{"total_usage":{"total_tokens":4,"total_input_tokens":3,"total_output_tokens":1}},"event_type":"step.delta"}`,
			end(0), completed},
	} {
		all := decodeAll(t, events)
		if got := sequenceFindings(all); got != nil {
			t.Errorf("%s: %q", name, got)
		}
		if err := interactions.CheckSequence(all); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestASequenceOutOfOrderIsReported(t *testing.T) {
	t.Parallel()
	again := func(index int, with ...string) []string { return step(index, call, with...) }
	for name, tt := range map[string]struct {
		events []string
		want   []string
	}{
		"nothing":                   {nil, []string{"/0 order"}},
		"no end":                    {[]string{created, running}, []string{"/2 order"}},
		"no beginning":              {[]string{running, completed}, []string{"/0 order"}},
		"a step before all":         {append(step(0, output), completed), []string{"/0 order"}},
		"a second beginning":        {[]string{created, created, completed}, []string{"/1 order"}},
		"two ends":                  {[]string{created, completed, completed}, []string{"/2 order"}},
		"a delta after the end":     {append(stream(), more(0, hi)), []string{"/3 order", "/3/index index"}},
		"an error after the end":    {[]string{created, completed, failure}, []string{"/2 order"}},
		"an end within a step":      {[]string{created, begin(0, output), completed}, []string{"/2 order"}},
		"an index that is not next": {stream(step(1, output)), []string{"/2/index index"}},
		"an index twice":            {stream(step(0, output), step(0, output)), []string{"/4/index index"}},
		"no index": {stream([]string{`{"step":{"type":"thought"},"event_type":"step.start"}`}, []string{end(0)}),
			[]string{"/2/index index"}},
		"a delta of no step":     {[]string{created, more(0, hi), completed}, []string{"/1/index index"}},
		"a stop of no step":      {[]string{created, end(0), completed}, []string{"/1/index index"}},
		"a delta of another one": {stream([]string{begin(0, output), more(1, hi), end(0)}), []string{"/3/index index"}},
		"a text in a thought":    {stream(step(0, thought, hi)), []string{"/3/delta/type type"}},
		"a signature in a text":  {stream(step(0, output, signed)), []string{"/3/delta/type type"}},
		"a result in a call":     {stream(step(0, `{"type":"google_search_call","id":"s"}`, `{"type":"google_search_result"}`)), []string{"/3/delta/type type"}},
		"two signatures":         {stream(step(0, thought, signed, signed)), []string{"/4 signature"}},
		"arguments that are cut": {stream(again(0, fragment(`{"a":`))), []string{"/4 arguments"}},
		"arguments twice":        {stream(again(0, fragment(`{}`), fragment(`{}`))), []string{"/5 arguments"}},
		"arguments that are a list": {stream(again(0, fragment(`[1]`))),
			[]string{"/4 arguments"}},
		"arguments in place of a fragment": {stream(again(0, `{"arguments":{"a":1},"type":"arguments_delta"}`)),
			[]string{"/3/delta/arguments type"}},
		"an annotation after the text":     {stream(step(0, output, hi, cite(0, 2), cite(1, 3))), []string{"/6 annotations"}},
		"an annotation within a character": {stream(step(0, output, `{"text":"é!","type":"text"}`, cite(1, 3))), []string{"/5 annotations"}},
		"an id twice":                      {stream(again(0), again(1)), []string{"/4/step/id unique"}},
		"a call without an id":             {stream(step(0, `{"type":"function_call"}`)), []string{"/2/step/id required", "/2/step/name required"}},
		"members that are missing": {[]string{`{"event_type":"interaction.created"}`,
			`{"index":0,"event_type":"step.start"}`, `{"index":0,"event_type":"step.delta"}`, end(0),
			`{"event_type":"interaction.completed"}`},
			[]string{"/0/interaction required", "/1/step required", "/2/delta required", "/4/interaction required"}},
		"deltas without their members": {stream(step(0, output, `{"type":"text"}`, `{"type":"text_annotation_delta"}`),
			step(1, thought, `{"type":"thought_summary"}`, `{"type":"thought_signature"}`)),
			[]string{"/3/delta/text required", "/4/delta/annotations required", "/7/delta/content required", "/8/delta/signature required"}},
		"another interaction": {[]string{created, strings.Replace(running, "v1_a", "v1_b", 1), strings.Replace(completed, "v1_a", "v1_b", 1)},
			[]string{"/1/interaction_id id", "/2/interaction/id id"}},
		"an end that is running": {[]string{created, strings.Replace(completed, "completed", "in_progress", 1)},
			[]string{"/1/interaction/status status"}},
		"a wrong sum": {[]string{created, strings.Replace(completed, `"total_tokens":10`, `"total_tokens":8`, 1)},
			[]string{"/1/interaction/usage/total_tokens sum"}},
		"counts that fall": {[]string{created,
			`{"usage":{"total_tokens":12,"total_output_tokens":6},"event_type":"interaction.status_update"}`, completed},
			[]string{"/2/interaction/usage/total_tokens order", "/2/interaction/usage/total_output_tokens order"}},
		"an error without a body": {[]string{`{"event_type":"error"}`}, []string{"/0/error required"}},
	} {
		events := decodeAll(t, tt.events)
		if diff := cmp.Diff(tt.want, sequenceFindings(events)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
		if err := interactions.CheckSequence(events); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// Google calls its event model symmetric and does not promise that steps follow each other.
func TestInterleavedIndexesAreAWarning(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		events []string
		want   []string
	}{
		"interleaved steps": {stream([]string{begin(0, output), begin(1, thought), more(0, hi), more(1, signed), end(1), more(0, hi), end(0)}),
			[]string{"warning: /3 overlap"}},
		"a delta without a type": {stream(step(0, output, `{"text":"Hi"}`)), []string{"warning: /3/delta/type required"}},
		"a late summary":         {stream(step(0, thought, signed, summary)), []string{"warning: /4 signature"}},
		"an action without a call": {[]string{created, waiting},
			[]string{"warning: /1/interaction/status requires_action"}},
	} {
		events := decodeAll(t, tt.events)
		if diff := cmp.Diff(tt.want, sequenceFindings(events)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
		if err := interactions.CheckSequence(events); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
