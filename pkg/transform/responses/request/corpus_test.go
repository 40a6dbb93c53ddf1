package request_test

import (
	"slices"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/responses/request"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// refusedRequests maps recorded requests that are refused to the pointer of the cause, with the
// reason. Check each new entry: Gemini must be unable to answer the request as intended.
var refusedRequests = map[string]struct{ pointer, reason string }{
	"responses/dd-trace-py/tests_contrib_openai_cassettes_v1_response_with_file_inputs_00.request.json":                {"/prompt", "its instructions and messages are a template that only OpenAI has"},
	"responses/dd-trace-py/tests_contrib_openai_cassettes_v1_response_with_mixed_prompt_url_preserved_00.request.json": {"/prompt", "its instructions and messages are a template that only OpenAI has"},
	"responses/dd-trace-py/tests_contrib_openai_cassettes_v1_response_with_mixed_prompt_url_stripped_00.request.json":  {"/prompt", "its instructions and messages are a template that only OpenAI has"},
	"responses/dd-trace-py/tests_contrib_openai_cassettes_v1_response_with_prompt_00.request.json":                     {"/prompt", "its instructions and messages are a template that only OpenAI has"},
	"responses/ruby_llm/spec_fixtures_vcr_cassettes_uploadedfile_live_uploads_openai_gpt-5-nano_reuses_an_uploaded_file_in_chat_01.request.json": {
		"/input/0/content/1/file_id",
		"its document was uploaded to OpenAI, and is in no place that Gemini reaches"},
}

// Every request of a client converts to a request for each of Gemini's models, unless the reason is
// listed.
func TestEveryRecordedRequestIsConverted(t *testing.T) {
	t.Parallel()
	converted := 0
	for _, p := range corpustest.ClientPayloads(t, "responses", corpustest.Request) {
		in, err := responses.DecodeRequest(p.Read(t))
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
			continue
		}
		known := refusedRequests[p.Name]
		for _, model := range []string{budgetModel, pro3, newModel} {
			_, _, err := request.ToGemini(in, request.ForModel(model))
			refused, isRefused := err.(*request.Error)
			switch {
			case err == nil && known.pointer == "":
				converted++
			case !isRefused || refused.Pointer != known.pointer:
				t.Errorf("%s: %s: %v; known is %+v", p.Name, model, err, known)
			}
		}
	}
	if converted < corpustest.AtLeast(1200) {
		t.Errorf("only %d conversions", converted)
	}
}

func TestReportsOnWhatClientsSentPointAtIt(t *testing.T) {
	t.Parallel()
	entries := 0
	for _, p := range corpustest.ClientPayloads(t, "responses", corpustest.Request) {
		document := p.Read(t)
		tree := openaitest.Tree(t, document)
		for mode, opts := range modes {
			_, allEntries, _ := geminiRequest(document, opts...)
			for _, e := range allEntries {
				entries++
				if e.Kind != report.Added && !openaitest.Exists(tree, e.Pointer) {
					t.Errorf("%s: %s: %v", p.Name, mode, e)
				}
			}
		}
	}
	if entries < corpustest.AtLeast(2000) {
		t.Errorf("only %d entries", entries)
	}
}

// A conversation may come from another model. Gemini must accept everything that it said. So the
// output of every recorded answer is sent back whole, as openai-agents does, with results for its
// calls.
func TestAnswersOfOtherServersContinueWithGemini(t *testing.T) {
	t.Parallel()
	converted := 0
	for _, p := range corpustest.ClientPayloads(t, "responses", corpustest.Response) {
		answer, err := responses.DecodeResponse(p.Read(t))
		if err != nil || len(answer.Output) == 0 {
			continue
		}
		items := append([]openaiapi.ResponseItem{userSays("Hello.")}, answer.Output...)
		isOpenAIs := slices.ContainsFunc(answer.Output,
			func(item openaiapi.ResponseItem) bool { return onlyOpenAIGoesOn[item.Type] })
		for i := range answer.Output {
			items = append(items, resultsOf(&answer.Output[i], answer.Output)...)
		}
		in := &openaiapi.CreateResponseRequest{Input: wiretype.ValueOf(append(items,
			userSays("Go on.")))}
		for _, model := range []string{budgetModel, pro3, newModel} {
			if _, _, err := request.ToGemini(in,
				request.ForModel(model)); (err != nil) != isOpenAIs {
				t.Errorf("%s: %s: %v", p.Name, model, err)
			}
			converted++
		}
	}
	if converted < corpustest.AtLeast(300) {
		t.Errorf("only %d conversations", converted)
	}
}

// onlyOpenAIGoesOn lists the kinds of output items that only OpenAI's own server can continue.
var onlyOpenAIGoesOn = map[openaiapi.ResponseItemType]bool{"program": true, "program_output": true,
	"compaction": true, "mcp_approval_request": true}

// resultsOf returns the result of a client's call, unless the answer has it already because the
// server ran the call.
func resultsOf(item *openaiapi.ResponseItem,
	answer []openaiapi.ResponseItem) []openaiapi.ResponseItem {
	kind := map[openaiapi.ResponseItemType]openaiapi.ResponseItemType{
		"function_call": "function_call_output", "custom_tool_call": "custom_tool_call_output",
		"shell_call":       "shell_call_output",
		"local_shell_call": "local_shell_call_output",
		"apply_patch_call": "apply_patch_call_output", "computer_call": "computer_call_output",
		"tool_search_call": "tool_search_output",
	}[item.Type]
	isAnswered := slices.ContainsFunc(answer,
		func(other openaiapi.ResponseItem) bool { return other.Type == kind && other.CallID == item.CallID })
	if kind == "" || isAnswered || item.Execution == openaiapi.ToolSearchExecutionServer {
		return nil
	}
	return []openaiapi.ResponseItem{{Type: kind, CallID: item.CallID,
		Output: wiretype.StringOf[wiretype.OneOrList[openaiapi.ResponseContentPart]]("done")}}
}
