package interactions_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// answer returns an interaction with steps.
func answer(steps string) string {
	return `{"id":"v1_a","status":"completed","steps":[` + steps + `],"object":"interaction","model":"m"}`
}

var sortedTexts = cmpopts.SortSlices(func(a, b string) bool { return a < b })

func TestWhatAnInteractionMustHave(t *testing.T) {
	t.Parallel()
	for body, want := range map[string][]string{
		answer(""):                nil,
		`{"status":"queued"}`:     nil,
		`{}`:                      {"/status required"},
		`{"status":"unheard_of"}`: nil,
		`{"status":"completed","object":"response"}`:                                                                       {"/object eq"},
		`{"status":"completed","created":"yesterday","updated":"2026-05-15T18:51:57Z"}`:                                    {"/created format"},
		`{"status":"requires_continuation"}`:                                                                               {"/continuation_token required"},
		`{"status":"requires_continuation","continuation_token":"t"}`:                                                      nil,
		`{"status":"failed","errors":[{"code":"internal","message":"m"},{"code":13,"status":"INTERNAL"},{"message":"m"}]}`: {"/errors/2/code required"},
		`{"status":"completed","output_text":"a","output_image":{},"output_audio":{},"output_video":{},"continuation_ids":[],"more":1}`: {
			"/continuation_ids sdk_only", "/output_audio sdk_only", "/output_image sdk_only",
			"/output_text sdk_only", "/output_video sdk_only"},
		answer(`{"type":"thought"},{"type":"tool_call"},{"type":"unheard_of"},{"type":"user_input"},{"type":"model_output"},{}`): {"/steps/5/type required"},
		answer(`{"type":"function_call"},{"type":"function_result"}`): {"/steps/0/arguments required",
			"/steps/0/id required", "/steps/0/name required", "/steps/1/call_id required", "/steps/1/result required"},
		answer(`{"type":"function_result","call_id":"a","is_error":true},{"type":"code_execution_result","call_id":"b","result":"1"}`): nil,
		answer(`{"type":"google_search_call","id":"a","arguments":"{}"},{"type":"google_search_result","call_id":"a","result":{}}`): {
			"/steps/0/arguments type", "/steps/1/result type"},
		answer(`{"type":"google_maps_call","id":"a"},{"type":"file_search_call","id":"b"},{"type":"file_search_result","call_id":"b"},{"type":"processing_call","id":"c"}`): nil,
		answer(`{"type":"mcp_server_tool_call","id":"a","name":"f","arguments":{}}`):                                                                                        {"/steps/0/server_name required"},
		answer(`{"type":"google_maps_call","id":"a"},{"type":"google_maps_call","id":"a"}`):                                                                                 {"/steps/1/id unique"},
		answer(`{"type":"model_output","content":[{"text":"a"},{"type":"text"},{"type":"image"},{"type":"audio","uri":"u"},{"type":"hologram"},{"type":"function_result"}]}`): {
			"/steps/0/content/0/type required", "/steps/0/content/1/text required", "/steps/0/content/2 source", "/steps/0/content/5/call_id required"},
		answer(`{"type":"thought","summary":[{"type":"text","text":"a"},{"type":"image"}]}`): {"/steps/0/summary/1 source"},
		answer(`{"type":"model_output","content":"plain"}`):                                  nil,
	} {
		r, err := interactions.DecodeResponse([]byte(body))
		if err != nil {
			t.Fatalf("%v: %s", err, body)
		}
		if diff := cmp.Diff(want, violations(interactions.ValidateResponse(r)), sortedTexts); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", body, diff)
		}
	}
	if err := interactions.ValidateResponse(nil); !errors.Is(err, validation.ErrNotStruct) {
		t.Errorf("nil: %v", err)
	}
}

// Offsets count the bytes of UTF-8 in the block's text, and the end is exclusive.
func TestAnnotationsAreWithinTheirText(t *testing.T) {
	t.Parallel()
	for annotation, want := range map[string][]string{
		`{"type":"url_citation","start_index":0,"end_index":6}`: nil, // the whole text
		`{"type":"url_citation","start_index":1,"end_index":5}`: nil, // 😀
		`{"type":"url_citation"}`:                               nil,
		`{"type":"unheard_of","end_index":1}`:                   nil,
		`{"start_index":0,"end_index":1}`:                       {"type required"},
		`{"type":"url_citation","start_index":6,"end_index":7}`: {"end_index range"},
		`{"type":"url_citation","start_index":7,"end_index":8}`: {"start_index range", "end_index range"},
		`{"type":"url_citation","start_index":2,"end_index":4}`: {"start_index boundary", "end_index boundary"},
		`{"type":"url_citation","start_index":5,"end_index":1}`: {"end_index range"},
		`{"type":"url_citation","start_index":-1}`:              {"start_index range"},
		`{"type":"url_citation","end_index":-1}`:                {"end_index range"},
	} {
		body := answer(`{"type":"model_output","content":[{"type":"text","text":"a😀b","annotations":[` +
			annotation + `]}]}`)
		r, err := interactions.DecodeResponse([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		var inAnnotation []string
		for _, v := range want {
			inAnnotation = append(inAnnotation, "/steps/0/content/0/annotations/0/"+v)
		}
		if diff := cmp.Diff(inAnnotation, violations(interactions.ValidateResponse(r))); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", annotation, diff)
		}
	}
}

// The total is input, output, thoughts and use of tools. Cached tokens are part of the input.
func TestTheTotalIsTheSumOfFourCounts(t *testing.T) {
	t.Parallel()
	for usage, want := range map[string][]string{
		`{"total_tokens":10,"total_input_tokens":1,"total_output_tokens":2,"total_thought_tokens":3,"total_tool_use_tokens":4,"total_cached_tokens":1}`: nil,
		`{"total_tokens":11,"total_input_tokens":1,"total_output_tokens":2,"total_thought_tokens":3,"total_tool_use_tokens":4}`:                         {"/usage/total_tokens sum"},
		`{"total_tokens":3,"total_input_tokens":3,"total_cached_tokens":4}`:                                                                             {"/usage/total_cached_tokens within"},
		`{"total_tokens":3}`: nil,
		`{}`:                 nil,
		`{"total_input_tokens":-1,"total_cached_tokens":-2,"total_output_tokens":-3,"total_thought_tokens":-4,"total_tool_use_tokens":-5,"initial_input_tokens":-6,"input_tokens_by_modality":[{"tokens":-1}],"grounding_tool_count":[{"count":-1}]}`: {
			"/usage/grounding_tool_count/0/count gte", "/usage/initial_input_tokens gte", "/usage/input_tokens_by_modality/0/tokens gte", "/usage/total_cached_tokens gte", "/usage/total_input_tokens gte", "/usage/total_output_tokens gte", "/usage/total_thought_tokens gte", "/usage/total_tool_use_tokens gte"},
	} {
		r, err := interactions.DecodeResponse([]byte(`{"status":"completed","usage":` + usage + `}`))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, violations(interactions.ValidateResponse(r)), sortedTexts); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", usage, diff)
		}
	}
}

func TestWhatAnEventMustHave(t *testing.T) {
	t.Parallel()
	for event, want := range map[string][]string{
		`{}`:                                   {"/event_type required"},
		`{"event_type":"interaction.created"}`: {"/interaction required"},
		`{"event_type":"interaction.completed","interaction":{}}`:                                            {"/interaction/status required"},
		`{"event_type":"interaction.status_update"}`:                                                         {"/status required"},
		`{"event_type":"step.start"}`:                                                                        {"/index required", "/step required"},
		`{"event_type":"step.start","index":-1,"step":{}}`:                                                   {"/index gte", "/step/type required"},
		`{"event_type":"step.start","index":0,"step":{"type":"function_call"}}`:                              {"/step/id required", "/step/name required"},
		`{"event_type":"step.start","index":0,"step":{"type":"google_search_call","id":"a","signature":""}}`: nil,
		`{"event_type":"step.delta"}`:                                                                        {"/delta required", "/index required"},
		`{"event_type":"step.delta","index":0,"delta":{"type":"text"}}`:                                      {"/delta/text required"},
		`{"event_type":"step.delta","index":0,"delta":{"text":"a"}}`:                                         nil,
		`{"event_type":"step.delta","index":0,"delta":{"type":"image"}}`:                                     {"/delta source"},
		`{"event_type":"step.delta","index":0,"delta":{"type":"arguments_delta","arguments":{}}}`:            {"/delta/arguments type"},
		`{"event_type":"step.delta","index":0,"delta":{"type":"google_search_call","arguments":"{}"}}`:       {"/delta/arguments type"},
		`{"event_type":"step.delta","index":0,"delta":{"type":"google_search_result","result":"a"}}`:         {"/delta/result type"},
		`{"event_type":"step.delta","index":0,"delta":{"type":"text_annotation_delta","annotations":[{"start_index":2,"end_index":1}]}}`: {
			"/delta/annotations/0/end_index range", "/delta/annotations/0/type required"},
		`{"event_type":"step.delta","index":0,"delta":{"type":"unheard_of"},"metadata":{"total_usage":{"total_tokens":-1}}}`: {"/metadata/total_usage/total_tokens gte"},
		`{"event_type":"step.stop"}`:              {"/index required"},
		`{"event_type":"error"}`:                  {"/error required"},
		`{"event_type":"error","error":{}}`:       {"/error/code required"},
		`{"event_type":"interaction.unheard_of"}`: nil,
	} {
		e, err := interactions.DecodeEvent([]byte(event))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, violations(interactions.ValidateEvent(e)), sortedTexts); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", event, diff)
		}
	}
	if err := interactions.ValidateEvent(nil); !errors.Is(err, validation.ErrNotStruct) {
		t.Errorf("nil: %v", err)
	}
}

// A violation of a decoded payload has no value of it.
func TestErrorsOfInteractionsHaveNoValues(t *testing.T) {
	t.Parallel()
	const secret = "AIzaSecretSecretSecret"
	r, err := interactions.DecodeResponse([]byte(`{"status":"completed","object":"` + secret +
		`","created":"` + secret + `","output_text":"` + secret + `","steps":[{"type":"function_call","arguments":"` +
		secret + `"}],"errors":[{"message":"` + secret + `"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	err = interactions.ValidateResponse(r)
	if len(violations(err)) < 5 || strings.Contains(err.Error(), secret) {
		t.Errorf("the error is %v", err)
	}
}
