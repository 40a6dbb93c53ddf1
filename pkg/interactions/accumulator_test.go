package interactions_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// folded returns the steps of a stream as JSON.
func folded(t testing.TB, events []string) []string {
	t.Helper()
	var out []string
	for _, s := range fold(t, decodeAll(t, events)).Steps {
		out = append(out, strings.TrimSuffix(strings.TrimPrefix(encoded(t,
			&interactionsapi.Interaction{Steps: []interactionsapi.Step{s}}), `{"steps":[`), `]}`))
	}
	return out
}

// A stream gives the steps that a whole answer has.
func TestEventsOfAStepAreTheWholeStep(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		events []string
		want   string
	}{
		"a text": {step(0, output, `{"text":"a","type":"text"}`, `{"text":"","type":"text"}`, `{"text":"é","type":"text"}`),
			`{"content":[{"text":"aé","type":"text"}],"type":"model_output"}`},
		"nothing":       {step(0, output), output},
		"an empty text": {step(0, output, `{"text":"","type":"text"}`), `{"content":[{"text":"","type":"text"}],"type":"model_output"}`},
		"a thought":     {step(0, thought, summary, signed), `{"summary":[{"text":"I think","type":"text"}],"signature":"c2ln","type":"thought"}`},
		"two summaries": {step(0, thought, summary, summary), `{"summary":[{"text":"I thinkI think","type":"text"}],"type":"thought"}`},
		"a drawn thought": {step(0, thought, summary, `{"content":{"data":"aQ==","mime_type":"image/png","type":"image"},"type":"thought_summary"}`, summary),
			`{"summary":[{"text":"I think","type":"text"},{"data":"aQ==","mime_type":"image/png","type":"image"},{"text":"I think","type":"text"}],"type":"thought"}`},
		"an empty signature": {step(0, `{"signature":"","type":"thought"}`, `{"signature":"","type":"thought_signature"}`), thought},
		"a signature of a call": {step(0, `{"id":"c1","signature":"c2ln","type":"function_call","name":"f","arguments":{}}`),
			`{"id":"c1","signature":"c2ln","type":"function_call","name":"f","arguments":{}}`},
		"text, image and text": {step(0, output, hi, `{"data":"aQ==","mime_type":"image/png","resolution":"low","type":"image"}`, hi, hi),
			`{"content":[{"text":"Hi","type":"text"},{"data":"aQ==","mime_type":"image/png","resolution":"low","type":"image"},{"text":"HiHi","type":"text"}],"type":"model_output"}`},
		"a video and a document": {step(0, output, `{"uri":"v","mime_type":"video/mp4","type":"video"}`, `{"uri":"d","mime_type":"application/pdf","type":"document"}`),
			`{"content":[{"uri":"v","mime_type":"video/mp4","type":"video"},{"uri":"d","mime_type":"application/pdf","type":"document"}],"type":"model_output"}`},
		"raw audio in pieces": {step(0, output, `{"data":"AAAA","mime_type":"audio/l16","rate":24000,"type":"audio"}`, `{"data":"BBBB","mime_type":"audio/l16","sample_rate":24000,"type":"audio"}`),
			`{"content":[{"data":"AAAABBBB","mime_type":"audio/l16","sample_rate":24000,"type":"audio"}],"type":"model_output"}`},
		"audio with headers": {step(0, output, `{"data":"AAAA","mime_type":"audio/wav","type":"audio"}`, `{"data":"BBBB","mime_type":"audio/wav","type":"audio"}`),
			`{"content":[{"data":"AAAA","mime_type":"audio/wav","type":"audio"},{"data":"BBBB","mime_type":"audio/wav","type":"audio"}],"type":"model_output"}`},
		"audio of other channels": {step(0, output, `{"data":"AAAA","mime_type":"audio/l16","channels":1,"type":"audio"}`, `{"data":"BBBB","mime_type":"audio/l16","channels":2,"type":"audio"}`),
			`{"content":[{"data":"AAAA","mime_type":"audio/l16","channels":1,"type":"audio"},{"data":"BBBB","mime_type":"audio/l16","channels":2,"type":"audio"}],"type":"model_output"}`},
		"code": {step(0, `{"id":"e","signature":"","type":"code_execution_call"}`, `{"type":"code_execution_call","arguments":{"language":"python","code":"1"},"signature":"s"}`),
			`{"id":"e","signature":"s","type":"code_execution_call","arguments":{"language":"python","code":"1"}}`},
		"the result of code": {step(0, `{"call_id":"e","signature":"","type":"code_execution_result"}`, `{"type":"code_execution_result","result":"1\n","is_error":false,"signature":"s"}`),
			`{"call_id":"e","signature":"s","type":"code_execution_result","result":"1\n","is_error":false}`},
		"a search": {step(0, `{"id":"g","signature":"","type":"google_search_call"}`, `{"type":"google_search_call","arguments":{"queries":["q"]},"search_type":"web_search"}`),
			`{"id":"g","type":"google_search_call","arguments":{"queries":["q"]},"search_type":"web_search"}`},
		"a retrieval": {step(0, `{"id":"r","type":"retrieval_call"}`, `{"type":"retrieval_call","arguments":{"queries":[]},"retrieval_type":"rag_store"}`),
			`{"id":"r","type":"retrieval_call","arguments":{"queries":[]},"retrieval_type":"rag_store"}`},
		"a file search": {step(0, `{"call_id":"f","type":"file_search_result"}`, `{"type":"file_search_result","result":[{"title":"t"}],"signature":"s"}`),
			`{"call_id":"f","signature":"s","type":"file_search_result","result":[{"title":"t"}]}`},
		"a tool of MCP": {step(0, `{"id":"m","type":"mcp_server_tool_call","name":"","server_name":"","arguments":{}}`, `{"type":"mcp_server_tool_call","name":"f","server_name":"s","arguments":{"a":1.0}}`),
			`{"id":"m","type":"mcp_server_tool_call","name":"f","server_name":"s","arguments":{"a":1.0}}`},
		"the result of a function": {step(0, `{"call_id":"c","type":"function_result","result":""}`, `{"type":"function_result","name":"f","result":{"b":1,"a":1.0},"is_error":true}`),
			`{"call_id":"c","type":"function_result","name":"f","result":{"b":1,"a":1.0},"is_error":true}`},
		"media processing": {step(0, `{"id":"p","type":"processing_call"}`, `{"type":"processing_call","signature":"s"}`),
			`{"id":"p","signature":"s","type":"processing_call"}`},
		"unknown members": {step(0, `{"type":"hologram","more":{"a":1}}`, `{"type":"hologram","depth":3}`),
			`{"type":"hologram","more":{"a":1},"depth":3}`},
	} {
		got := folded(t, stream(tt.events))
		if diff := cmp.Diff([]string{tt.want}, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}

// Arguments come in any number of fragments, cut anywhere, also in an escape or a character.
func TestFragmentsOfArgumentsAreJoined(t *testing.T) {
	t.Parallel()
	const arguments = `{"z":1.0,"a":"é\u00e9\ud83d\ude00\"","big":12345678901234567890}`
	for cut := 0; cut <= len(arguments); cut++ {
		if !isRuneStart(arguments, cut) {
			continue
		}
		for name, events := range map[string][]string{
			"in two":  step(0, call, quoted(arguments[:cut]), quoted(arguments[cut:])),
			"in four": step(0, call, quoted(""), quoted(arguments[:cut]), quoted(""), quoted(arguments[cut:])),
		} {
			got := folded(t, stream(events))
			want := strings.Replace(call, `{}`, arguments, 1)
			if len(got) != 1 || got[0] != want {
				t.Fatalf("cut at %d, %s: %s", cut, name, got)
			}
		}
	}
	for name, tt := range map[string]struct {
		events []string
		want   string
	}{
		"no fragment":                         {step(0, call), `{}`},
		"an empty fragment":                   {step(0, call, quoted("")), `{}`},
		"one fragment":                        {step(0, call, quoted(`{"a":1}`)), `{"a":1}`},
		"arguments at the start":              {step(0, strings.Replace(call, `{}`, `{"a":1}`, 1)), `{"a":1}`},
		"deltas win over those at the start":  {step(0, strings.Replace(call, `{}`, `{"a":1}`, 1), quoted(`{"a":2}`)), `{"a":2}`},
		"no arguments at the start":           {step(0, strings.Replace(call, `,"arguments":{}`, ``, 1), quoted(`{"a":2}`)), `{"a":2}`},
		"neither at the start nor in a delta": {step(0, strings.Replace(call, `,"arguments":{}`, ``, 1)), `{}`},
	} {
		got := folded(t, stream(tt.events))
		if want := strings.Replace(call, `{}`, tt.want, 1); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func isRuneStart(text string, i int) bool { return i == len(text) || text[i]&0xc0 != 0x80 }

// quoted returns a delta with a fragment that JSON may escape.
func quoted(piece string) string {
	text, _ := jsontext.AppendQuote(nil, piece)
	return `{"arguments":` + string(text) + `,"type":"arguments_delta"}`
}

// Older servers put content into step.start.
func TestAStartMayHaveContent(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		events []string
		want   string
	}{
		"a text":          {step(0, `{"content":[{"text":"a","type":"text"}],"type":"model_output"}`), `{"content":[{"text":"a","type":"text"}],"type":"model_output"}`},
		"a text and more": {step(0, `{"content":[{"text":"a","type":"text"}],"type":"model_output"}`, hi), `{"content":[{"text":"aHi","type":"text"}],"type":"model_output"}`},
		"a plain text":    {step(0, `{"content":"a","type":"model_output"}`, hi), `{"content":[{"text":"aHi","type":"text"}],"type":"model_output"}`},
		"an empty list":   {step(0, `{"content":[],"type":"model_output"}`), `{"content":[],"type":"model_output"}`},
		"a summary":       {step(0, `{"summary":[{"text":"I","type":"text"}],"signature":"s","type":"thought"}`, summary), `{"summary":[{"text":"II think","type":"text"}],"signature":"s","type":"thought"}`},
		"an image":        {step(0, `{"content":[{"uri":"u","type":"image"}],"type":"model_output"}`, hi), `{"content":[{"uri":"u","type":"image"},{"text":"Hi","type":"text"}],"type":"model_output"}`},
	} {
		if diff := cmp.Diff([]string{tt.want}, folded(t, stream(tt.events))); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}

// Deltas of some agents have no type. Their members say what they are.
func TestADeltaWithoutATypeIsReadByItsMembers(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		begin, delta, want string
	}{
		"a text":            {output, `{"text":"a"}`, `{"content":[{"text":"a","type":"text"}],"type":"model_output"}`},
		"a thought":         {thought, `{"text":"a"}`, `{"summary":[{"text":"a","type":"text"}],"type":"thought"}`},
		"a summary":         {thought, `{"content":{"text":"a"}}`, `{"summary":[{"text":"a","type":"text"}],"type":"thought"}`},
		"a typed summary":   {thought, `{"content":{"text":"a"},"type":"thought_summary"}`, `{"summary":[{"text":"a","type":"text"}],"type":"thought"}`},
		"a signature":       {thought, `{"signature":"s"}`, `{"signature":"s","type":"thought"}`},
		"arguments":         {call, `{"arguments":"{\"a\":1}"}`, strings.Replace(call, `{}`, `{"a":1}`, 1)},
		"annotations":       {`{"content":[{"text":"a","type":"text"}],"type":"model_output"}`, `{"annotations":[{"end_index":1,"type":"url_citation"}]}`, `{"content":[{"text":"a","annotations":[{"end_index":1,"type":"url_citation"}],"type":"text"}],"type":"model_output"}`},
		"a result":          {`{"call_id":"g","type":"google_search_result"}`, `{"result":[]}`, `{"call_id":"g","type":"google_search_result","result":[]}`},
		"arguments at once": {`{"id":"g","type":"google_search_call"}`, `{"arguments":{"queries":[]}}`, `{"id":"g","type":"google_search_call","arguments":{"queries":[]}}`},
	} {
		if diff := cmp.Diff([]string{tt.want}, folded(t, stream(step(0, tt.begin, tt.delta)))); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}

// Annotations come after the texts of their step. Their offsets count the bytes of all texts, and
// those of a block the bytes of the block.
func TestLateAnnotationsAreOfTheirBlock(t *testing.T) {
	t.Parallel()
	cited := func(start, end int) string {
		return fmt.Sprintf(`{"start_index":%d,"end_index":%d,"url":"u","type":"url_citation"}`, start, end)
	}
	block := func(text string, annotations ...string) string {
		if len(annotations) == 0 {
			return `{"text":"` + text + `","type":"text"}`
		}
		return `{"text":"` + text + `","annotations":[` + strings.Join(annotations, ",") + `],"type":"text"}`
	}
	const image = `{"uri":"u","type":"image"}`
	for name, tt := range map[string]struct {
		deltas []string
		want   []string
	}{
		"of a text in pieces":    {[]string{hi, `{"text":"é!","type":"text"}`, cite(0, 4), cite(2, 5)}, []string{block("Hié!", cited(0, 4), cited(2, 5))}},
		"the same span twice":    {[]string{hi, cite(0, 2), cite(0, 2)}, []string{block("Hi", cited(0, 2), cited(0, 2))}},
		"of the second block":    {[]string{hi, image, hi, cite(2, 4), cite(1, 2)}, []string{block("Hi", cited(1, 2)), image, block("Hi", cited(0, 2))}},
		"before more text":       {[]string{hi, cite(0, 2), hi}, []string{block("HiHi", cited(0, 2))}},
		"before any text":        {[]string{cite(0, 2), hi}, []string{block("Hi", cited(0, 2))}},
		"of an older name":       {[]string{hi, strings.Replace(cite(0, 2), "text_annotation_delta", "text_annotation", 1)}, []string{block("Hi", cited(0, 2))}},
		"in the delta of a text": {[]string{`{"text":"Hi","annotations":[` + cited(0, 2) + `],"type":"text"}`}, []string{block("Hi", cited(0, 2))}},
		"without any annotation": {[]string{hi, `{"annotations":[],"type":"text_annotation_delta"}`}, []string{block("Hi")}},
	} {
		want := `{"content":[` + strings.Join(tt.want, ",") + `],"type":"model_output"}`
		if diff := cmp.Diff([]string{want}, folded(t, stream(step(0, output, tt.deltas...)))); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}

// Steps keep the order of their beginnings, and the index says which one a delta is for.
func TestInterleavedIndexesAreKeptApart(t *testing.T) {
	t.Parallel()
	got := folded(t, stream([]string{begin(0, output), begin(1, call), more(0, hi),
		more(1, fragment(`{"a"`)), begin(2, output), more(2, hi), end(0), more(1, fragment(`:1}`)), end(2), end(1)}))
	want := []string{`{"content":[{"text":"Hi","type":"text"}],"type":"model_output"}`,
		strings.Replace(call, `{}`, `{"a":1}`, 1), `{"content":[{"text":"Hi","type":"text"}],"type":"model_output"}`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// Token counts are those from the beginning of the interaction, so the last ones win.
func TestTheLastTokenCountsWin(t *testing.T) {
	t.Parallel()
	usage := func(total int) string { return fmt.Sprintf(`{"total_tokens":%d}`, total) }
	inCreated := strings.Replace(created, `"object"`, `"usage":`+usage(1)+`,"object"`, 1)
	update := `{"usage":` + usage(2) + `,"event_type":"interaction.status_update"}`
	inDelta := `{"index":0,"delta":{"text":"a","type":"text"},"metadata":{"total_usage":` + usage(3) + `},"event_type":"step.delta"}`
	older := strings.Replace(inDelta, "total_usage", "usage", 1)
	inStop := `{"index":0,"usage":` + usage(4) + `,"step_usage":` + usage(99) + `,"event_type":"step.stop"}`
	bare := `{"interaction":{"id":"v1_a","status":"completed"},"event_type":"interaction.completed"}`
	for name, tt := range map[string]struct {
		events []string
		want   int
	}{
		"the beginning": {[]string{inCreated, bare}, 1},
		"an update":     {[]string{inCreated, update, bare}, 2},
		"a delta":       {[]string{inCreated, update, begin(0, output), inDelta, end(0), bare}, 3},
		"an older name": {[]string{created, begin(0, output), older, end(0), bare}, 3},
		"a stop":        {[]string{inCreated, update, begin(0, output), inDelta, inStop, bare}, 4},
		"a late update": {[]string{created, begin(0, output), inDelta, end(0), update, bare}, 2},
		"the end":       {[]string{inCreated, begin(0, output), inStop, completed}, 10},
	} {
		got := fold(t, decodeAll(t, tt.events))
		if got.Usage == nil || *got.Usage.TotalTokens != tt.want {
			t.Errorf("%s: %+v", name, got.Usage)
		}
	}
	if got := fold(t, decodeAll(t, []string{created, bare})); got.Usage != nil {
		t.Errorf("without counts: %+v", got.Usage)
	}
}

// An event repeats few members of the interaction. The others stay.
func TestMembersOfEarlierEventsStay(t *testing.T) {
	t.Parallel()
	got := encoded(t, fold(t, decodeAll(t, []string{
		`{"interaction":{"id":"v1_a","status":"in_progress","created":"2026-05-15T18:51:57Z","object":"interaction","agent":"a","environment_id":"e","previous_interaction_id":"v1_0","more":1},"event_type":"interaction.created"}`,
		`{"interaction_id":"v1_a","status":"requires_continuation","continuation_token":"t","event_type":"interaction.status_update"}`,
		`{"interaction":{"status":"completed","updated":"2026-05-15T18:52:00Z","service_tier":"flex","later":2},"event_type":"interaction.completed"}`,
	})))
	const want = `{"id":"v1_a","status":"completed","created":"2026-05-15T18:51:57Z","updated":"2026-05-15T18:52:00Z","service_tier":"flex","object":"interaction","agent":"a","environment_id":"e","continuation_token":"t","previous_interaction_id":"v1_0","more":1,"later":2}`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// Steps in interaction.completed repeat those of the events. They are taken only from a stream
// without step events.
func TestStepsOfTheLastEventDoNotDouble(t *testing.T) {
	t.Parallel()
	whole := strings.Replace(completed, `"object"`, `"steps":[{"type":"thought"}],"object"`, 1)
	if got := folded(t, []string{created, whole}); len(got) != 1 || got[0] != thought {
		t.Errorf("without step events: %s", got)
	}
	events := append(append([]string{created}, step(0, output, hi)...), whole)
	if got := folded(t, events); len(got) != 1 || !strings.Contains(got[0], "Hi") {
		t.Errorf("with step events: %s", got)
	}
}

// The order of events decides, and a refused event changes nothing.
func TestAnEventOfNoOpenStepIsRefused(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ before, refused []string }{
		"a delta of no step":     {nil, []string{more(0, hi)}},
		"a stop of no step":      {nil, []string{end(0)}},
		"a delta after a stop":   {step(0, output, hi), []string{more(0, hi), end(0)}},
		"a start of an open one": {[]string{begin(0, output), more(0, hi)}, []string{begin(0, thought), begin(0, output)}},
		"events without members": {[]string{begin(0, output)}, []string{`{"index":1,"event_type":"step.start"}`, `{"index":0,"event_type":"step.delta"}`, `{"index":7,"event_type":"step.delta","metadata":{"usage":{"total_tokens":1}},"delta":{"text":"a"}}`}},
	} {
		var a interactions.Accumulator
		for _, e := range decodeAll(t, append([]string{created}, tt.before...)) {
			if err := a.Push(&e); err != nil {
				t.Fatal(err)
			}
		}
		before := encoded(t, a.Interaction())
		for _, e := range decodeAll(t, tt.refused) {
			if err := a.Push(&e); err == nil {
				t.Errorf("%s: no error", name)
			}
		}
		if got := encoded(t, a.Interaction()); got != before {
			t.Errorf("%s: %s became %s", name, before, got)
		}
	}
}

func TestAnErrorEventIsReturned(t *testing.T) {
	t.Parallel()
	var a interactions.Accumulator
	for _, event := range []string{failure, `{"event_type":"error"}`} {
		err := a.Push(&decodeAll(t, []string{event})[0])
		if _, ok := errors.AsType[*interactions.Error](err); !ok {
			t.Errorf("%s: %v", event, err)
		}
	}
}

// Some servers leave out what is zero.
func TestAnAbsentIndexIsZero(t *testing.T) {
	t.Parallel()
	var events []string
	for _, event := range stream(step(0, output, hi), step(1, call)) {
		events = append(events, strings.Replace(event, `"index":0,`, "", 1))
	}
	want := []string{`{"content":[{"text":"Hi","type":"text"}],"type":"model_output"}`, call}
	if diff := cmp.Diff(want, folded(t, events)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// Two accumulators of the same events give the same, and reading between the events changes
// nothing. An interaction that was returned stays as it is.
func TestFoldingTwiceGivesTheSame(t *testing.T) {
	t.Parallel()
	events := decodeAll(t, stream(step(0, `{"content":[{"text":"a","annotations":[{"type":"url_citation"}],"type":"text"}],"type":"model_output"}`,
		hi, cite(0, 1), hi, `{"uri":"u","type":"image"}`, hi, cite(0, 2)),
		step(1, `{"summary":[{"text":"a","annotations":[{"type":"url_citation"}],"type":"text"}],"type":"thought"}`, summary, signed, summary),
		step(2, call, fragment(`{"a":`), fragment(`1}`))))
	sent := encodeAll(t, events)
	want := encoded(t, fold(t, events))
	var a interactions.Accumulator
	var last string
	for i := range events {
		if err := a.Push(&events[i]); err != nil {
			t.Fatal(err)
		}
		_ = a.Interaction()
		last = interactions.Text(a.Interaction())
	}
	if got := encoded(t, a.Interaction()); got != want || encoded(t, fold(t, events)) != want {
		t.Errorf("%s is not %s", got, want)
	}
	if diff := cmp.Diff(sent, encodeAll(t, events)); diff != "" {
		t.Errorf("the events changed: %s", diff)
	}
	if last != "Hi" { // the text after the image
		t.Errorf("the text is %q", last)
	}
}
