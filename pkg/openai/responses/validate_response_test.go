package responses_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/validation"
)

// answer has a value for every member.
const answer = `{
	"id": "resp_1", "object": "response", "created_at": 1767225600, "status": "completed", "completed_at": 1767225601,
	"error": null, "incomplete_details": null, "instructions": null, "model": "gemini-3.6-flash",
	"output": [
		{"id": "rs_1", "type": "reasoning", "summary": [{"type": "summary_text", "text": "Why."}], "encrypted_content": "x"},
		{"id": "ws_1", "type": "web_search_call", "status": "completed", "action": {"type": "search", "queries": ["weather"]}},
		{"id": "fs_1", "type": "file_search_call", "status": "completed", "queries": [], "results": null},
		{"id": "ci_1", "type": "code_interpreter_call", "status": "completed", "container_id": "c", "code": "1+1", "outputs": [{"type": "logs", "logs": "2"}]},
		{"id": "ig_1", "type": "image_generation_call", "status": "completed", "result": "iVBORw0="},
		{"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": [{
			"type": "output_text", "text": "Sonne in 東京.", "logprobs": [],
			"annotations": [{"type": "url_citation", "url": "https://example.org", "title": "", "start_index": 9, "end_index": 12}]
		}]},
		{"id": "fc_1", "type": "function_call", "call_id": "call_1", "name": "f", "arguments": "{}", "status": "completed"},
		{"id": "ctc_1", "type": "custom_tool_call", "call_id": "call_2", "name": "g", "input": ""}
	],
	"parallel_tool_calls": true, "tool_choice": "auto", "tools": [{"type": "function", "name": "f", "parameters": null, "strict": true}],
	"text": {"format": {"type": "text"}}, "metadata": {}, "temperature": 1, "top_p": 1,
	"usage": {"input_tokens": 3, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 2, "output_tokens_details": {"reasoning_tokens": 1}, "total_tokens": 5}
}`

func decode(t *testing.T, body string) *openaiapi.Response {
	t.Helper()
	r, err := responses.DecodeResponse([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestAGoodResponseIsValid(t *testing.T) {
	t.Parallel()
	if err := responses.ValidateResponse(decode(t, answer)); err != nil {
		t.Error(err)
	}
}

func TestInvalidResponsesAreReported(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ old, new, pointer string }{
		{`"id": "resp_1"`, `"id": ""`, "/id"},
		{`"object": "response"`, `"object": "list"`, "/object"},
		{`"status": "completed", "completed_at"`, `"status": "done", "completed_at"`, "/status"},
		{`"model": "gemini-3.6-flash"`, `"model": ""`, "/model"},
		{`"error": null`, `"error": {"code": "server_error", "message": "no"}`, "/error"},
		{`"incomplete_details": null`, `"incomplete_details": {"reason": "content_filter"}`, "/incomplete_details"},
		{`"type": "reasoning", "summary"`, `"type": "reasoning", "digest"`, "/output/0/summary"},
		{`"id": "ws_1", "type"`, `"id": "rs_1", "type"`, "/output/1/id"},
		{`"id": "ws_1", "type"`, `"type"`, "/output/1/id"},
		{`"id": "fs_1", "type": "file_search_call"`, `"id": "fs_1"`, "/output/2/type"},
		{`"queries": [], `, ``, "/output/2/queries"},
		{`"container_id": "c", `, ``, "/output/3/container_id"},
		{`{"type": "logs", "logs"`, `{"logs"`, "/output/3/outputs/0/type"},
		{`"role": "assistant", `, ``, "/output/5/role"},
		{`"status": "completed", "content"`, `"content"`, "/output/5/status"},
		{`"annotations"`, `"notes"`, "/output/5/content/0/annotations"},
		{`"text": "Sonne in 東京.", `, ``, "/output/5/content/0/text"},
		{`"end_index": 12`, `"end_index": 13`, "/output/5/content/0/annotations/0"},
		{`"start_index": 9, `, ``, "/output/5/content/0/annotations/0"},
		{`"title": "", `, ``, "/output/5/content/0/annotations/0"},
		{`"call_id": "call_1", `, ``, "/output/6/call_id"},
		{`"name": "f", "arguments"`, `"arguments"`, "/output/6/name"},
		{`"arguments": "{}", `, ``, "/output/6/arguments"},
		{`, "input": ""`, ``, "/output/7/input"},
		{`"total_tokens": 5`, `"total_tokens": 6`, "/usage/total_tokens"},
		{`"reasoning_tokens": 1`, `"reasoning_tokens": 3`, "/usage/output_tokens_details/reasoning_tokens"},
	} {
		body := strings.Replace(answer, test.old, test.new, 1)
		faults, ok := errors.AsType[*validation.Error](responses.ValidateResponse(decode(t, body)))
		if body == answer || !ok {
			t.Errorf("nothing is wrong with %s", test.new)
			continue
		}
		if got := faults.Violations[0].Pointer; got != test.pointer {
			t.Errorf("%s: the fault is at %s, want %s", test.new, got, test.pointer)
		}
	}
}

func TestNothingIsNoResponse(t *testing.T) {
	t.Parallel()
	if responses.ValidateResponse(nil) == nil || responses.ValidateEvent(nil) == nil {
		t.Error("nil is valid")
	}
}

func TestEventsNeedTheirMembers(t *testing.T) {
	t.Parallel()
	for _, lines := range []string{message, calls} {
		for _, e := range eventsOf(t, lines) {
			if e.Response != nil {
				continue // which has little here
			}
			if err := responses.ValidateEvent(&e); err != nil {
				t.Errorf("%s: %v", e.Type, err)
			}
			e.OutputIndex = nil
			faults, ok := errors.AsType[*validation.Error](responses.ValidateEvent(&e))
			if !ok || faults.Violations[0].Pointer != "/output_index" {
				t.Errorf("%s without its position: %v", e.Type, faults)
			}
		}
	}
}
