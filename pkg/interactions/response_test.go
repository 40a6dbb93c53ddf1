package interactions_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// steps has a step of each type, with all members of its type. Members are in the order in which
// Google writes them.
var steps = map[interactionsapi.StepType]string{
	"user_input":             `{"content":[{"text":"Hi","type":"text"},{"data":"aQ==","mime_type":"image/png","resolution":"ultra_high","type":"image"},{"uri":"files/v","mime_type":"video/mp4","resolution":"low","name":"v","processing":{"type":"static","start_offset":"1.5s","end_offset":"2s","fps":0.5},"type":"video"},{"uri":"files/w","processing":"agentic","type":"video"}],"type":"user_input"}`,
	"model_output":           `{"content":[{"text":"a😀b","annotations":[{"start_index":1,"end_index":5,"url":"https://example.com","title":"T","type":"url_citation"},{"document_uri":"files/d","file_name":"d.pdf","source":"s","page_number":3,"media_id":"m","custom_metadata":{"b":1.0,"a":[]},"type":"file_citation"},{"url":"u","place_id":"p","name":"n","review_snippets":[{"review_id":"r","title":"t","url":"u"}],"type":"place_citation"},{"text":"a","start_offset":"0.1s","end_offset":"0.2s","speaker":"1","type":"word_info"},{"speaker":"1","style":"calm","type":"speech_metadata"}],"type":"text"},{"data":"AAAA","mime_type":"audio/l16","channels":1,"sample_rate":24000,"type":"audio"},{"uri":"files/d","mime_type":"application/pdf","type":"document"}],"type":"model_output","error":{"code":8,"message":"m","details":[{"@type":"t"}]}}`,
	"thought":                `{"summary":[{"text":"I think","type":"text"},{"data":"aQ==","mime_type":"image/png","type":"image"}],"signature":"c2ln","type":"thought"}`,
	"function_call":          `{"id":"c1","signature":"c2ln","type":"function_call","name":"f","arguments":{"z":1.0,"a":12345678901234567890}}`,
	"function_result":        `{"call_id":"c1","type":"function_result","name":"f","result":{"z":1.0},"is_error":false}`,
	"code_execution_call":    `{"id":"e1","signature":"s","type":"code_execution_call","arguments":{"language":"python","code":"print(1)"}}`,
	"code_execution_result":  `{"call_id":"e1","signature":"s","type":"code_execution_result","result":"1\n","is_error":true}`,
	"google_search_call":     `{"id":"g1","signature":"s","type":"google_search_call","arguments":{"queries":["q"]},"search_type":"image_search"}`,
	"google_search_result":   `{"call_id":"g1","signature":"s","type":"google_search_result","result":[{"search_suggestions":"<p>"}],"is_error":false}`,
	"url_context_call":       `{"id":"u1","signature":"s","type":"url_context_call","arguments":{"urls":["https://example.com"]}}`,
	"url_context_result":     `{"call_id":"u1","signature":"s","type":"url_context_result","result":[{"url":"https://example.com","status":"paywall"}],"is_error":true}`,
	"google_maps_call":       `{"id":"m1","signature":"s","type":"google_maps_call","arguments":{"queries":["q"]}}`,
	"google_maps_result":     `{"call_id":"m1","signature":"s","type":"google_maps_result","result":[{"places":[{"place_id":"p","name":"n","url":"u","review_snippets":[{"review_id":"r","title":"t","url":"u"}]}],"widget_context_token":"w"}]}`,
	"file_search_call":       `{"id":"f1","signature":"s","type":"file_search_call"}`,
	"file_search_result":     `{"call_id":"f1","signature":"s","type":"file_search_result"}`,
	"retrieval_call":         `{"id":"r1","signature":"s","type":"retrieval_call","arguments":{"queries":["q"]},"retrieval_type":"rag_store"}`,
	"retrieval_result":       `{"call_id":"r1","signature":"s","type":"retrieval_result","is_error":false}`,
	"mcp_server_tool_call":   `{"id":"t1","type":"mcp_server_tool_call","name":"f","server_name":"s","arguments":{"a":1}}`,
	"mcp_server_tool_result": `{"call_id":"t1","type":"mcp_server_tool_result","name":"f","server_name":"s","result":[{"type":"text","text":"1"}]}`,
	"processing_call":        `{"id":"p1","signature":"s","type":"processing_call"}`,
	"processing_result":      `{"call_id":"p1","signature":"s","type":"processing_result"}`,
	"tool_call":              `{"id":"x1","signature":"s","type":"tool_call"}`,
}

// roundTrip decodes and encodes an interaction.
func roundTrip(t testing.TB, body string) string {
	t.Helper()
	r, err := interactions.DecodeResponse([]byte(body))
	if err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	out, err := interactions.EncodeResponse(r)
	if err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return string(out)
}

// The types of steps are those of the description: 21 of Google's types and tool_call, which
// servers send for MCP.
func TestEachStepTypeComesThroughByteForByte(t *testing.T) {
	t.Parallel()
	for kind, step := range steps {
		if !kind.Valid() || !strings.Contains(step, `"type":"`+string(kind)+`"`) {
			t.Errorf("%s is not a type", kind)
		}
		body := answer(step)
		if diff := cmp.Diff(body, roundTrip(t, body)); diff != "" {
			t.Errorf("%s: (-sent +ours)\n%s", kind, diff)
		}
		if found := interactions.CheckResponse([]byte(body)); found != nil {
			t.Errorf("%s: %v", kind, found)
		}
		inEvent := begin(0, step)
		event, err := interactions.DecodeEvent([]byte(inEvent))
		if err != nil {
			t.Fatal(err)
		}
		if out, err := interactions.EncodeEvent(event); err != nil || string(out) != inEvent {
			t.Errorf("%s: in an event it became %s, %v", kind, out, err)
		}
	}
	if len(steps) != 22 {
		t.Errorf("%d types", len(steps))
	}
}

func TestUnknownStepsAndMembersAreKept(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"unknown steps": answer(`{"type":"hologram_call","more":{"b":1.0,"a":[null]}},{"id":"x","type":"tool_call"},{"type":"user_input"}`),
		"members off the types": `{"id":"v1_a","status":"completed","usage":{"total_tokens":1,"raw_prompt_token":[1,2],"model_invocation_token_counts":{"a":1}},` +
			`"steps":[{"id":"c","signature":"s","type":"function_call","name":"f","arguments":{}},` +
			`{"content":[{"text":"a","annotations":[{"start_index":0,"end_index":1,"url":"u","type":"url_citation","confidence":0.50}],"type":"text","more":1}],"type":"model_output","more":2}],` +
			`"object":"interaction","more":{"z":1,"a":12345678901234567890}}`,
		"members of results": answer(`{"call_id":"g","type":"google_search_result","result":[{"search_suggestions":"s","title":"t","url":"u","more":1.0}]}`),
	} {
		if diff := cmp.Diff(body, roundTrip(t, body)); diff != "" {
			t.Errorf("%s: (-sent +ours)\n%s", name, diff)
		}
	}
}

// Arguments stay as the model wrote them: the order of members, 1.0, and integers of 20 digits.
func TestArgumentsComeThroughByteForByte(t *testing.T) {
	t.Parallel()
	for _, arguments := range []string{
		`{}`, `{"z":1,"a":2}`, `{"n":1.0,"big":12345678901234567890,"e":1e400,"neg":-0}`,
		`{"a":{"b":[null,true,"\u00e9\ud83d\ude00"]}}`, `{"<&>":"</script>"}`,
	} {
		body := answer(`{"id":"c","type":"function_call","name":"f","arguments":` + arguments + `}`)
		if got := roundTrip(t, body); got != body {
			t.Errorf("%s became %s", body, got)
		}
	}
}

func TestAResultOfAnyFormIsKept(t *testing.T) {
	t.Parallel()
	for _, result := range []string{`"text"`, `""`, `{"b":1.0,"a":2}`, `[{"type":"text","text":"1"}]`,
		`[]`, `{}`, `12345678901234567890`, `1.50`, `true`, `false`} {
		body := answer(`{"call_id":"c","type":"function_result","result":` + result + `}`)
		if got := roundTrip(t, body); got != body {
			t.Errorf("%s became %s", body, got)
		}
	}
}

// A result of null is a result: without it the step would have none.
func TestAResultOfNullIsKept(t *testing.T) {
	t.Parallel()
	body := answer(`{"call_id":"c","type":"function_result","result":null}`)
	if got := roundTrip(t, body); got != body {
		t.Errorf("%s became %s", body, got)
	}
}

func TestUnknownValuesOfEnumsAreKept(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"status":"COMPLETED"}`, `{"status":"paused"}`, `{"status":"completed","service_tier":"turbo"}`,
		answer(`{"content":[{"mime_type":"application/x-new","resolution":"huge","type":"scent"}],"type":"model_output"}`),
		answer(`{"id":"g","type":"google_search_call","search_type":"smell_search"}`),
		`{"usage":{"input_tokens_by_modality":[{"modality":"scent","tokens":1}],"grounding_tool_count":[{"type":"library","count":1}]}}`,
	} {
		if got := roundTrip(t, body); got != body {
			t.Errorf("%s became %s", body, got)
		}
	}
}

// An interaction that is not stored has no id, and an empty one in a stream.
func TestAnIDMayBeAbsentOrEmpty(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]*string{
		`{"status":"completed"}`:         nil,
		`{"id":"","status":"completed"}`: new(""),
	} {
		r, err := interactions.DecodeResponse([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, r.ID); diff != "" {
			t.Error(diff)
		}
		if got := roundTrip(t, body); got != body {
			t.Errorf("%s became %s", body, got)
		}
	}
	event := strings.Replace(created, "v1_a", "", 1)
	e, err := interactions.DecodeEvent([]byte(event))
	if err != nil {
		t.Fatal(err)
	}
	if out, err := interactions.EncodeEvent(e); err != nil || string(out) != event {
		t.Errorf("%s became %s, %v", event, out, err)
	}
}

func TestEmptyTextsSignaturesAndListsAreKept(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		answer(`{"content":[{"text":"","annotations":[],"type":"text"}],"type":"model_output"}`),
		answer(`{"signature":"","type":"thought"},{"summary":[],"signature":"","type":"thought"}`),
		answer(`{"content":[],"type":"model_output"},{"content":"","type":"user_input"}`),
		answer(``),
	} {
		if got := roundTrip(t, body); got != body {
			t.Errorf("%s became %s", body, got)
		}
	}
}

// A client that reads an answer of the revision before May 2026 as an empty one shows empty
// answers.
func TestAnAnswerOfTheOldRevisionIsRecognised(t *testing.T) {
	t.Parallel()
	const old = `{"id":"v1_a","status":"completed","object":"interaction","outputs":[{"text":"Hi","type":"text"}]}`
	for body, want := range map[string]bool{
		old:                      true,
		answer(""):               false,
		`{"status":"completed"}`: false,
		`{"status":"completed","steps":[],"outputs":[]}`: false,
	} {
		r, err := interactions.DecodeResponse([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		if got := interactions.OldRevision(r); got != want {
			t.Errorf("%s: %v", body, got)
		}
	}
	found := interactions.CheckResponse([]byte(old))
	if len(found) != 1 || found[0].Rule != "revision" {
		t.Errorf("found %v", found)
	}
	if got := roundTrip(t, old); got != old {
		t.Errorf("it became %s", got)
	}
}

func TestWhatIsNoInteractionIsRefusedWithItsLocation(t *testing.T) {
	t.Parallel()
	for body, pointer := range map[string]string{
		``: "", `[]`: "", `{"status":"a"`: "", `{"steps":{}}`: "/steps",
		`{"steps":[{"type":1}]}`:                                "/steps/0/type",
		`{"usage":{"total_tokens":"many"}}`:                     "/usage/total_tokens",
		`{"steps":[{"content":[{"text":["a"]}]}]}`:              "/steps/0/content/0/text",
		`{"steps":[{"content":[{"annotations":[{"url":1}]}]}]}`: "/steps/0/content/0/annotations/0/url",
	} {
		_, err := interactions.DecodeResponse([]byte(body))
		malformed, ok := errors.AsType[*wire.MalformedError](err)
		if !ok || malformed.Pointer != pointer {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// No decoding error has a value of the payload.
func TestDecodingErrorsHaveNoValues(t *testing.T) {
	t.Parallel()
	const secret = "AIzaSecretSecretSecret"
	for _, body := range []string{`{"steps":"` + secret + `"}`, `{"usage":{"total_tokens":"` + secret + `"}}`,
		`{"status":` + secret + `}`, `{"status":"` + secret, secret} {
		_, errInteraction := interactions.DecodeResponse([]byte(body))
		_, errRequest := interactions.DecodeRequest([]byte(strings.Replace(body, "steps", "tools", 1)))
		_, errEvent := interactions.DecodeEvent([]byte(`{"interaction":` + body + `}`))
		for _, err := range []error{errInteraction, errRequest, errEvent} {
			if err != nil && strings.Contains(err.Error(), secret) {
				t.Errorf("%s: %v", body, err)
			}
		}
		if errInteraction == nil {
			t.Errorf("%s is an interaction", body)
		}
	}
}

func TestEncodingRefusesWhatIsNotJSON(t *testing.T) {
	t.Parallel()
	_, errNil := interactions.EncodeResponse(nil)
	_, errRaw := interactions.EncodeResponse(&interactionsapi.Interaction{Steps: []interactionsapi.Step{
		{Type: interactionsapi.StepTypeFunctionCall, Arguments: jsontext.Value("{")}}})
	_, errText := interactions.EncodeResponse(&interactionsapi.Interaction{ID: new("\xff")})
	for name, err := range map[string]error{"nil": errNil, "raw": errRaw, "text": errText} {
		if _, ok := errors.AsType[*wire.EncodeError](err); !ok {
			t.Errorf("%s: %v", name, err)
		}
	}
	dst, err := interactions.AppendResponse([]byte("before"), &interactionsapi.Interaction{ID: new("\xff")})
	if err == nil || string(dst) != "before" {
		t.Errorf("%q, %v", dst, err)
	}
}
