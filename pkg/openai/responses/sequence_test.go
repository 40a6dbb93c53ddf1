package responses_test

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json"
)

// message is a stream of one message, one event per line, without numbers.
const message = `
{"type":"response.created","response":{"id":"resp_1","status":"in_progress"}}
{"type":"response.in_progress","response":{"id":"resp_1","status":"in_progress"}}
{"type":"response.output_item.added","output_index":0,"item":{"id":"msg_1","type":"message","role":"assistant","status":"in_progress","content":[]}}
{"type":"response.content_part.added","item_id":"msg_1","output_index":0,"content_index":0,"part":{"type":"output_text","text":"","annotations":[]}}
{"type":"response.output_text.delta","item_id":"msg_1","output_index":0,"content_index":0,"delta":"a","logprobs":[]}
{"type":"response.output_text.delta","item_id":"msg_1","output_index":0,"content_index":0,"delta":"b","logprobs":[]}
{"type":"response.output_text.annotation.added","item_id":"msg_1","output_index":0,"content_index":0,"annotation_index":0,"annotation":{"type":"url_citation","url":"https://example.org","title":"","start_index":0,"end_index":2}}
{"type":"response.output_text.done","item_id":"msg_1","output_index":0,"content_index":0,"text":"ab","logprobs":[]}
{"type":"response.content_part.done","item_id":"msg_1","output_index":0,"content_index":0,"part":{"type":"output_text","text":"ab","annotations":[{"type":"url_citation","url":"https://example.org","title":"","start_index":0,"end_index":2}]}}
{"type":"response.output_item.done","output_index":0,"item":{"id":"msg_1","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":"ab","annotations":[{"type":"url_citation","url":"https://example.org","title":"","start_index":0,"end_index":2}]}]}}
{"type":"response.completed","response":{"id":"resp_1","status":"completed","usage":{},"output":[{"id":"msg_1","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":"ab","annotations":[{"type":"url_citation","url":"https://example.org","title":"","start_index":0,"end_index":2}]}]}]}}`

// calls is a stream of a thought, a search, a call and a custom call.
const calls = `
{"type":"response.created","response":{"id":"resp_1","status":"in_progress"}}
{"type":"response.output_item.added","output_index":0,"item":{"id":"rs_1","type":"reasoning","summary":[]}}
{"type":"response.reasoning_summary_part.added","item_id":"rs_1","output_index":0,"summary_index":0,"part":{"type":"summary_text","text":""}}
{"type":"response.reasoning_summary_text.delta","item_id":"rs_1","output_index":0,"summary_index":0,"delta":"why"}
{"type":"response.reasoning_summary_text.done","item_id":"rs_1","output_index":0,"summary_index":0,"text":"why"}
{"type":"response.reasoning_summary_part.done","item_id":"rs_1","output_index":0,"summary_index":0,"part":{"type":"summary_text","text":"why"}}
{"type":"response.output_item.done","output_index":0,"item":{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"why"}],"encrypted_content":"x"}}
{"type":"response.output_item.added","output_index":1,"item":{"id":"ws_1","type":"web_search_call","status":"in_progress"}}
{"type":"response.web_search_call.in_progress","output_index":1,"item_id":"ws_1"}
{"type":"response.web_search_call.searching","output_index":1,"item_id":"ws_1"}
{"type":"response.web_search_call.completed","output_index":1,"item_id":"ws_1"}
{"type":"response.output_item.done","output_index":1,"item":{"id":"ws_1","type":"web_search_call","status":"completed","action":{"type":"search"}}}
{"type":"response.output_item.added","output_index":2,"item":{"id":"fc_1","type":"function_call","call_id":"call_1","name":"f","arguments":"","status":"in_progress"}}
{"type":"response.function_call_arguments.delta","item_id":"fc_1","output_index":2,"delta":"{}"}
{"type":"response.function_call_arguments.done","item_id":"fc_1","output_index":2,"arguments":"{}"}
{"type":"response.output_item.done","output_index":2,"item":{"id":"fc_1","type":"function_call","call_id":"call_1","name":"f","arguments":"{}","status":"completed"}}
{"type":"response.output_item.added","output_index":3,"item":{"id":"ctc_1","type":"custom_tool_call","call_id":"call_2","name":"g","input":""}}
{"type":"response.custom_tool_call_input.delta","item_id":"ctc_1","output_index":3,"delta":"x"}
{"type":"response.custom_tool_call_input.done","item_id":"ctc_1","output_index":3,"input":"x"}
{"type":"response.output_item.done","output_index":3,"item":{"id":"ctc_1","type":"custom_tool_call","call_id":"call_2","name":"g","input":"x"}}
{"type":"response.incomplete","response":{"id":"resp_1","status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"usage":{},"output":[{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"why"}],"encrypted_content":"y"},{"id":"ws_1","type":"web_search_call","status":"completed","action":{"type":"search"}},{"id":"fc_1","type":"function_call","call_id":"call_1","name":"f","arguments":"{}","status":"completed"},{"id":"ctc_1","type":"custom_tool_call","call_id":"call_2","name":"g","input":"x"}]}}`

// code is a stream of code that the server runs.
const code = `
{"type":"response.created","response":{"id":"resp_1","status":"in_progress"}}
{"type":"response.output_item.added","output_index":0,"item":{"id":"ci_1","type":"code_interpreter_call","status":"in_progress","container_id":"c","code":"","outputs":[]}}
{"type":"response.code_interpreter_call.in_progress","item_id":"ci_1","output_index":0}
{"type":"response.code_interpreter_call_code.delta","item_id":"ci_1","output_index":0,"delta":"1+1"}
{"type":"response.code_interpreter_call_code.done","item_id":"ci_1","output_index":0,"code":"1+1"}
{"type":"response.code_interpreter_call.interpreting","item_id":"ci_1","output_index":0}
{"type":"response.code_interpreter_call.completed","item_id":"ci_1","output_index":0}
{"type":"response.output_item.done","output_index":0,"item":{"id":"ci_1","type":"code_interpreter_call","status":"completed","container_id":"c","code":"1+1","outputs":[]}}
{"type":"response.completed","response":{"id":"resp_1","status":"completed","usage":{},"output":[{"id":"ci_1","type":"code_interpreter_call","status":"completed","container_id":"c","code":"1+1","outputs":[]}]}}`

// eventsOf decodes events, one per line, and numbers them.
func eventsOf(t *testing.T, lines string) []openaiapi.ResponseEvent {
	t.Helper()
	var out []openaiapi.ResponseEvent
	for line := range strings.Lines(strings.TrimSpace(lines)) {
		var e openaiapi.ResponseEvent
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		e.SequenceNumber = len(out)
		out = append(out, e)
	}
	return out
}

func TestEventsInOrderPass(t *testing.T) {
	t.Parallel()
	for name, lines := range map[string]string{
		"a message": message,
		"calls":     calls,
		"an error":  strings.Join(strings.Split(message, "\n")[:3], "\n") + "\n" + failure,
		"a failed response": strings.Join(strings.Split(message, "\n")[:3], "\n") + "\n" + failure +
			"\n" +
			`{"type":"response.failed","response":{"id":"resp_1","status":"failed","error":{"code":"server_error","message":"no"}}}`,
		"an unknown event": strings.Replace(message, `{"type":"response.in_progress"`,
			`{"type":"response.new","x":1}`+"\n"+`{"type":"response.in_progress"`, 1),
	} {
		if err := responses.CheckSequence(eventsOf(t, lines)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Every missing event of a stream is reported, except optional events.
func TestAMissingEventIsFound(t *testing.T) {
	t.Parallel()
	for _, lines := range []string{message, calls} {
		events := eventsOf(t, lines)
		for i := range events {
			switch events[i].Type {
			case openaiapi.ResponseEventTypeInProgress,
				openaiapi.ResponseEventTypeWebSearchCallInProgress,
				openaiapi.ResponseEventTypeWebSearchCallSearching, openaiapi.ResponseEventTypeWebSearchCallCompleted:
				continue
			case openaiapi.ResponseEventTypeCustomToolCallInputDone:
				continue // the item after it has the same
			}
			left := append(append([]openaiapi.ResponseEvent{}, events[:i]...), events[i+1:]...)
			for j := range left {
				left[j].SequenceNumber = j
			}
			if responses.CheckSequence(left) == nil {
				t.Errorf("nothing is found without event %d, %s", i, events[i].Type)
			}
		}
	}
}

// A duplicate or late event is reported.
func TestAnEventOutOfPlaceIsFound(t *testing.T) {
	t.Parallel()
	for _, lines := range []string{message, calls} {
		events := eventsOf(t, lines)
		for i := range len(events) - 1 {
			swapped := append([]openaiapi.ResponseEvent{}, events...)
			swapped[i], swapped[i+1] = swapped[i+1], swapped[i]
			swapped[i].SequenceNumber, swapped[i+1].SequenceNumber = i, i+1
			isSame := events[i].Type == events[i+1].Type
			mayBeBefore := events[i].Type == openaiapi.ResponseEventTypeOutputTextDelta &&
				events[i+1].Type == openaiapi.ResponseEventTypeOutputTextAnnotationAdded
			if !isSame && !mayBeBefore && responses.CheckSequence(swapped) == nil {
				t.Errorf("nothing is found with %s before %s", swapped[i].Type, swapped[i+1].Type)
			}
		}
	}
}

// OpenAI keeps an idle stream alive with events that are numbered like all others.
func TestEventsThatKeepAStreamAliveAreNumbered(t *testing.T) {
	t.Parallel()
	alive := func(number int) openaiapi.ResponseEvent {
		return openaiapi.ResponseEvent{Type: openaiapi.ResponseEventTypeKeepalive,
			SequenceNumber: number}
	}
	events := eventsOf(t, message)
	counted := slices.Insert(slices.Clone(events), 3, alive(3))
	for i := 4; i < len(counted); i++ {
		counted[i].SequenceNumber++
	}
	if err := responses.CheckSequence(counted); err != nil {
		t.Error(err)
	}
	for _, number := range []int{2, 3, 7} { // of the event before, of the event after, of none
		if responses.CheckSequence(slices.Insert(slices.Clone(events), 3, alive(number))) == nil {
			t.Errorf("number %d is taken", number)
		}
	}
}

func TestASequenceReportsErrors(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		lines, old, new string
		pointer, rule   string
	}{
		"a number":                 {message, "", "", "/2/sequence_number", "number"},
		"a null error":             {message, `"delta":"a"`, `"delta":"a","error":{}`, "/4/error", "error"},
		"no position":              {message, `"output_index":0,"content_index":0,"delta":"a"`, `"content_index":0,"delta":"a"`, "/4/output_index", "required"},
		"another item":             {message, `"item_id":"msg_1","output_index":0,"content_index":0,"delta":"b"`, `"item_id":"msg_2","output_index":0,"content_index":0,"delta":"b"`, "/5/item_id", "id"},
		"another part":             {message, `"content_index":0,"delta":"b"`, `"content_index":1,"delta":"b"`, "/5/content_index", "index"},
		"no list of parts":         {message, `"status":"in_progress","content":[]`, `"status":"in_progress"`, "/2/item/content", "item"},
		"another text":             {message, `"text":"ab","logprobs"`, `"text":"a","logprobs"`, "/7/text", "text"},
		"an annotation too far":    {message, `"annotation_index":0`, `"annotation_index":1`, "/6/annotation_index", "index"},
		"another status":           {message, `"status":"completed","usage"`, `"status":"incomplete","usage"`, "/10/response/status", "status"},
		"no usage":                 {message, `"usage":{},`, ``, "/10/response/usage", "required"},
		"another output":           {message, `"output":[{"id":"msg_1"`, `"output":[{"id":"msg_2"`, "/10/response/output/0", "output"},
		"another response":         {message, `"id":"resp_1","status":"completed"`, `"id":"resp_2","status":"completed"`, "/10/response/id", "id"},
		"no output":                {message, `"output":[{"id":"msg_1","type":"message"`, `"outputs":[{"id":"msg_1","type":"message"`, "/10/response/output", "output"},
		"no summary":               {calls, `"type":"reasoning","summary":[]`, `"type":"reasoning"`, "/1/item/summary", "item"},
		"an event of another type": {calls, `response.web_search_call.searching`, `response.file_search_call.searching`, "/9/type", "type"},
		"no name":                  {calls, `"name":"f","arguments":""`, `"arguments":""`, "/12/item/name", "required"},
		"the same call again":      {strings.Replace(strings.ReplaceAll(calls, "custom_tool_call", "function_call"), "call_2", "call_1", 1), "", "", "/16/item/call_id", "unique"},
		"another name at the end":  {calls, `"name":"f","arguments":"{}","status":"completed"}}`, `"name":"h","arguments":"{}","status":"completed"}}`, "/15/item/name", "item"},
		"other arguments":          {calls, `"name":"f","arguments":"{}","status":"completed"}}`, `"name":"f","arguments":"{ }","status":"completed"}}`, "/15/item/arguments", "text"},
		"the same id again":        {calls, `"id":"ws_1","type":"web_search_call","status":"in_progress"`, `"id":"rs_1","type":"web_search_call","status":"in_progress"`, "/7/item/id", "unique"},
		"another input":            {calls, `"name":"g","input":"x"}}`, `"name":"g","input":"y"}}`, "/19/item/input", "text"},
		"other code":               {code, `"code":"1+1","outputs":[]}}`, `"code":"2","outputs":[]}}`, "/7/item/code", "text"},
		"an earlier step":          {code, `response.code_interpreter_call.completed`, `response.code_interpreter_call.in_progress`, "/6", "order"},
		"an item within another": {message, `{"type":"response.content_part.added"`,
			`{"type":"response.output_item.added","output_index":0,"item":{"id":"fc_1","type":"function_call","call_id":"c","name":"f","arguments":""}}` +
				"\n" + `{"type":"response.content_part.added"`, "/3", "order"},
		"an end within an item": {message, `{"type":"response.content_part.added"`,
			`{"type":"response.incomplete","response":{"id":"resp_1","status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"usage":{}}}` +
				"\n" + `{"type":"response.content_part.added"`, "/3", "order"},
		"an item after an error": {message, `{"type":"response.content_part.added"`,
			`{"type":"error","code":"server_error","message":"m"}` + "\n" +
				`{"type":"response.content_part.added"`, "/4", "order"},
		"details of a whole answer": {message, `"status":"completed","usage"`, `"status":"completed","incomplete_details":{"reason":"content_filter"},"usage"`, "/10/response/incomplete_details", "status"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			events := eventsOf(t, strings.Replace(test.lines, test.old, test.new, 1))
			if test.rule == "number" {
				events[2].SequenceNumber = 7
			}
			faults, ok := errors.AsType[*validation.Error](responses.CheckSequence(events))
			if !ok {
				t.Fatal("nothing is found")
			}
			if first := faults.Violations[0]; first.Pointer != test.pointer ||
				first.Rule != test.rule {
				t.Errorf("got %v", faults)
			}
		})
	}
}

func TestAStreamThatOnlyStopsIsFound(t *testing.T) {
	t.Parallel()
	lines := strings.Split(strings.TrimSpace(message), "\n")
	for end := range len(lines) - 1 {
		if responses.CheckSequence(eventsOf(t, strings.Join(lines[:end+1], "\n"))) == nil {
			t.Errorf("nothing is found after %d events", end+1)
		}
	}
	again := eventsOf(t, message+"\n"+lines[len(lines)-1])
	if responses.CheckSequence(again) == nil {
		t.Error("a second terminal event is not found")
	}
}

func TestAnAccumulatorMakesTheResponse(t *testing.T) {
	t.Parallel()
	for _, lines := range []string{message, calls} {
		events := eventsOf(t, lines)
		var a responses.Accumulator
		for i := range events {
			if err := a.Push(&events[i]); err != nil {
				t.Fatal(err)
			}
			_ = a.Response() // which changes nothing
		}
		last := events[len(events)-1].Response
		for i, item := range a.Items() {
			compareItems(t, "item "+strconv.Itoa(i), last.Output[i], item)
		}
		got, errGot := responses.EncodeResponse(a.Response())
		want, errWant := responses.EncodeResponse(last)
		if errGot != nil || errWant != nil || string(got) != string(want) {
			t.Errorf("the response is\n%s, want\n%s", got, want)
		}
	}
}

func TestAnAccumulatorHasTheItemsOfAResponseWithout(t *testing.T) {
	t.Parallel()
	events := eventsOf(t, message)
	last := *events[len(events)-1].Response
	last.Output = nil
	events[len(events)-1].Response = &last
	var a responses.Accumulator
	for i := range events {
		if err := a.Push(&events[i]); err != nil {
			t.Fatal(err)
		}
	}
	if got := responses.Text(a.Response()); got != "ab" {
		t.Errorf("the text is %q", got)
	}
}

// Texts grow piece by piece, and an accumulator does not change its input.
func TestAnAccumulatorShowsTheTextSoFar(t *testing.T) {
	t.Parallel()
	events := eventsOf(t, message)
	before := eventsOf(t, message)
	var a responses.Accumulator
	for i, want := range []string{"", "", "", "", "a", "ab", "ab", "ab", "ab", "ab", "ab"} {
		if err := a.Push(&events[i]); err != nil {
			t.Fatal(err)
		}
		if got := responses.Text(a.Response()); got != want {
			t.Errorf("after %d events the text is %q, want %q", i+1, got, want)
		}
	}
	for i := range events {
		got, errGot := responses.EncodeEvent(&events[i])
		want, errWant := responses.EncodeEvent(&before[i])
		if errGot != nil || errWant != nil || string(got) != string(want) {
			t.Errorf("the event is\n%s, it was\n%s", got, want)
		}
	}
}

func TestAnAccumulatorRefusesWhatClientsCannotPlace(t *testing.T) {
	t.Parallel()
	for _, lines := range []string{message, calls} {
		events := eventsOf(t, lines)
		for i := range events {
			var a responses.Accumulator
			if i > 0 {
				if err := a.Push(&events[i]); err == nil &&
					events[i].Type != openaiapi.ResponseEventTypeCreated {
					t.Errorf("%s is taken before response.created", events[i].Type)
				}
			}
		}
	}
	var a responses.Accumulator
	if err := a.Push(new(responses.ErrorEvent(0,
		openaiapi.ResponseError{Message: "no"}))); err == nil ||
		!strings.Contains(err.Error(), "no") {
		t.Errorf("got %v", err)
	}
}
