package interactions_test

import (
	"errors"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/gemini"
	wire "github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/transform/interactions"
	"github.com/gemwire/gemwire/pkg/transform/interactions/reverse"
	wireerrors "github.com/gemwire/gemwire/pkg/wire"
	"github.com/google/go-cmp/cmp"
)

func TestEveryRecordedInteractionIsTheSameAfterGemini(t *testing.T) {
	t.Parallel()
	for _, p := range corpustest.InteractionPayloads(t, corpustest.Response) {
		in, err := wire.DecodeResponse(p.Read(t))
		if err != nil {
			t.Fatal(err)
		}
		sameAfterGemini(t, p.Name, in)
	}
}

// sameAfterGemini checks that an interaction that becomes an answer of Gemini is the same again.
func sameAfterGemini(t *testing.T, name string, in *interactionsapi.Interaction) {
	t.Helper()
	want := encode(t, in)
	answer, _, err := reverse.ToGemini(in)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	body, err := gemini.EncodeResponse(answer)
	if err != nil {
		t.Fatal(err)
	}
	again, err := gemini.DecodeResponse(body)
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := interactions.FromGemini(again)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	shown := *out
	if shown.Status == interactionsapi.InteractionStatusFailed || in.Unknown == nil && again.Unknown != nil {
		shown.Unknown = nil // it has the reason that Gemini's answer was given
	}
	if diff := cmp.Diff(want, encode(t, &shown)); diff != "" {
		t.Errorf("%s (-before +after):\n%s", name, diff)
	}
	all, _, err := events(t, []*geminiapi.GenerateContentResponse{again}, nil)
	if errors.Is(err, wireerrors.ErrTruncated) {
		return // the interaction runs
	}
	if err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if diff := cmp.Diff(encode(t, out), encode(t, accumulated(t, all))); diff != "" {
		t.Errorf("%s (-whole +stream of one chunk):\n%s", name, diff)
	}
}

func TestEveryStatusIsTheSameAfterGemini(t *testing.T) {
	t.Parallel()
	const call = `{"id":"1","type":"function_call","name":"f","arguments":{}}`
	const text = `{"content":[{"text":"a","type":"text"}],"type":"model_output"}`
	for name, members := range map[string]string{
		"completed":             `"status":"completed","steps":[` + text + `]`,
		"completed with a call": `"status":"completed","steps":[` + call + `]`,
		"requires_action":       `"status":"requires_action","steps":[` + call + `]`,
		"incomplete":            `"status":"incomplete","steps":[` + text + `]`,
		"requires_continuation": `"status":"requires_continuation","continuation_token":"tok","steps":[` + text + `]`,
		"budget_exceeded":       `"status":"budget_exceeded","steps":[` + text + `]`,
		"cancelled":             `"status":"cancelled","steps":[` + text + `]`,
		"queued":                `"status":"queued","steps":[` + text + `]`,
		"failed":                `"status":"failed","errors":[{"message":"broken","code":"internal"}],"steps":[` + text + `]`,
		"blocked":               `"status":"failed","errors":[{"message":"SAFETY","code":"content_blocked"}],"steps":[` + text + `]`,
		"a blocked prompt":      `"status":"failed","errors":[{"message":"PROHIBITED_CONTENT","code":"content_blocked"}]`,
		"a newer status":        `"status":"dreaming","steps":[` + text + `]`,
	} {
		in, err := wire.DecodeResponse([]byte(`{"id":"v1_x",` + members +
			`,"object":"interaction","model":"m"}`))
		if err != nil {
			t.Fatal(err)
		}
		sameAfterGemini(t, name, in)
	}
}

func TestEveryStepIsTheSameAfterGemini(t *testing.T) {
	t.Parallel()
	for name, list := range map[string]string{
		"blocks of one output":          `{"content":[{"text":"a","type":"text"},{"text":"b","type":"text"}],"type":"model_output"}`,
		"outputs after each other":      `{"content":[{"text":"a","type":"text"}],"type":"model_output"},{"content":[{"text":"b","type":"text"}],"type":"model_output"}`,
		"a signature before two blocks": `{"signature":"AA==","type":"thought"},{"content":[{"text":"a","type":"text"},{"text":"b","type":"text"}],"type":"model_output"}`,
		"a summary and a signature":     `{"summary":[{"text":"h","type":"text"}],"signature":"AA==","type":"thought"},{"content":[{"text":"a","type":"text"}],"type":"model_output"}`,
		"form a":                        `{"signature":"AA==","type":"thought"},{"id":"1","type":"function_call","name":"f","arguments":{"b":1.0,"a":12345678901234567890}}`,
		"form b":                        `{"summary":[{"text":"h","type":"text"}],"type":"thought"},{"id":"1","signature":"AA==","type":"function_call","name":"f","arguments":{}}`,
		"form c":                        `{"signature":"AA==","type":"thought"},{"id":"1","signature":"AA==","type":"function_call","name":"f","arguments":{}}`,
		"a signature at the end":        `{"content":[{"text":"a","type":"text"}],"type":"model_output"},{"signature":"AA==","type":"thought"}`,
		"an unsigned thought":           `{"type":"thought"},{"content":[{"text":"a","type":"text"}],"type":"model_output"}`,
		"an empty text":                 `{"content":[{"text":"","type":"text"}],"type":"model_output"}`,
		"media":                         `{"content":[{"data":"AAAA","mime_type":"image/png","type":"image"},{"data":"AAAA","mime_type":"audio/l16","channels":1,"sample_rate":24000,"type":"audio"},{"uri":"u","mime_type":"video/mp4","type":"video"},{"uri":"u","mime_type":"application/pdf","type":"document"}],"type":"model_output"}`,
		"code":                          `{"id":"1","signature":"AA==","type":"code_execution_call","arguments":{"language":"python","code":"1"}},{"call_id":"1","type":"code_execution_result","result":"1\n","is_error":false}`,
		"a search":                      `{"id":"1","signature":"AA==","type":"google_search_call","arguments":{"queries":["q"]},"search_type":"web_search"},{"call_id":"1","signature":"AQ==","type":"google_search_result","result":[{"search_suggestions":"<b>"}],"is_error":false}`,
		"pages":                         `{"id":"1","type":"url_context_call","arguments":{"urls":["u"]}},{"call_id":"1","type":"url_context_result","result":[{"url":"u","status":"paywall"}]}`,
		"places":                        `{"id":"1","type":"google_maps_call","arguments":{"queries":["q"]}},{"call_id":"1","type":"google_maps_result","result":[{"places":[{"place_id":"p","name":"n","url":"u"}],"widget_context_token":"w"}]}`,
		"files":                         `{"id":"1","signature":"AA==","type":"file_search_call"},{"call_id":"1","signature":"AA==","type":"file_search_result"}`,
		"retrieval":                     `{"id":"1","type":"retrieval_call","arguments":{"queries":["q"]},"retrieval_type":"rag_store"},{"call_id":"1","type":"retrieval_result","is_error":true}`,
		"an MCP server":                 `{"id":"1","type":"mcp_server_tool_call","name":"f","server_name":"s","arguments":{"a":1}},{"call_id":"1","type":"mcp_server_tool_result","name":"f","server_name":"s","result":"x"}`,
		"media processing":              `{"id":"1","signature":"AA==","type":"processing_call"},{"call_id":"1","signature":"AA==","type":"processing_result"}`,
		"a tool of no description":      `{"id":"1","signature":"AA==","type":"tool_call"}`,
		"a step of no description":      `{"type":"dream","depth":1}`,
		"results of functions":          `{"call_id":"1","type":"function_result","name":"f","result":"x"},{"call_id":"2","type":"function_result","name":"f","result":{"a":1.0}},{"call_id":"3","type":"function_result","name":"f","result":[{"text":"a","type":"text"}],"is_error":true}`,
		"an error of an output":         `{"content":[{"text":"a","type":"text"}],"type":"model_output","error":{"code":3,"message":"m"}}`,
		"annotations of several kinds":  `{"content":[{"text":"Grüße 🌍","annotations":[{"start_index":0,"end_index":7,"url":"u","title":"t","type":"url_citation"},{"start_index":0,"end_index":7,"url":"v","type":"url_citation"},{"start_index":8,"end_index":12,"file_name":"f","page_number":2,"type":"file_citation"},{"start_index":8,"end_index":12,"place_id":"p","name":"n","type":"place_citation"},{"start_index":0,"end_index":7,"text":"w","start_offset":"1s","type":"word_info"}],"type":"text"}],"type":"model_output"}`,
		"annotations of two blocks":     `{"content":[{"text":"ab","annotations":[{"start_index":1,"end_index":2,"url":"u","type":"url_citation"}],"type":"text"},{"text":"cd","annotations":[{"start_index":0,"end_index":1,"url":"u","type":"url_citation"}],"type":"text"}],"type":"model_output"}`,
		"members without a description": `{"content":[{"text":"a","type":"text","mood":1}],"type":"model_output","seed":2},{"id":"1","type":"function_call","name":"f","arguments":{},"why":3}`,
	} {
		in, err := wire.DecodeResponse([]byte(`{"id":"v1_x","status":"completed","steps":[` + list +
			`],"object":"interaction","model":"m"}`))
		if err != nil {
			t.Fatal(err)
		}
		sameSteps(t, name, in)
	}
}

// sameSteps checks that the steps of an interaction are the same after they were parts.
func sameSteps(t *testing.T, name string, in *interactionsapi.Interaction) {
	t.Helper()
	answer, _, err := reverse.ToGemini(in)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	body, err := gemini.EncodeResponse(answer)
	if err != nil {
		t.Fatal(err)
	}
	again, err := gemini.DecodeResponse(body)
	if err != nil {
		t.Fatal(err)
	}
	out, entries, err := interactions.FromGemini(again)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if diff := cmp.Diff(indented(t, in.Steps), indented(t, out.Steps)); diff != "" {
		t.Errorf("%s (-before +after):\n%s\n%s\n%s", name, diff, body, lines(entries))
	}
}
