package responses_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

// recorded are the bodies of a kind from all senders.
func recorded(t *testing.T, kind corpustest.Kind) []corpustest.Payload {
	t.Helper()
	return corpustest.ClientPayloads(t, "responses", kind)
}

// isOfOpenAI reports whether a body came unchanged from OpenAI's own servers.
func isOfOpenAI(p corpustest.Payload) bool {
	return p.Host == "api.openai.com" &&
		!slices.ContainsFunc(changedByHand,
			func(part string) bool { return strings.Contains(p.Name, part) })
}

// changedByHand are parts of the names of recordings that people shortened or assembled, whose
// parts do not all match any more. One is from a server that makes a new id for each event.
var changedByHand = []string{
	"openai-custom-tool", "openai-phase", "openai-shell-container",
	"openai-reasoning-encrypted-content", "openai-shell-tool",
	"github-copilot-id-rotation",
}

func TestEveryRequestIsReadAndWrittenUnchanged(t *testing.T) {
	t.Parallel()
	for _, p := range recorded(t, corpustest.Request) {
		data := p.Read(t)
		in, err := responses.DecodeRequest(data)
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
			continue
		}
		out, err := responses.EncodeRequest(in)
		compare(t, p.Name, data, out, err)
	}
}

func TestEveryResponseIsReadAndWrittenUnchanged(t *testing.T) {
	t.Parallel()
	for _, p := range recorded(t, corpustest.Response) {
		data := p.Read(t)
		in, err := responses.DecodeResponse(data)
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
			continue
		}
		out, err := responses.EncodeResponse(in)
		compare(t, p.Name, data, out, err)
	}
}

func TestEveryEventIsReadAndWrittenUnchanged(t *testing.T) {
	t.Parallel()
	events := 0
	for _, p := range recorded(t, corpustest.Stream) {
		for line := range bytes.Lines(p.Read(t)) {
			data, isData := bytes.CutPrefix(line, []byte("data: "))
			if !isData || !bytes.HasPrefix(data, []byte("{")) {
				continue
			}
			events++
			in, err := responses.DecodeEvent(data)
			if err != nil {
				t.Errorf("%s: %v", p.Name, err)
				continue
			}
			out, err := responses.EncodeEvent(in)
			compare(t, p.Name, data, out, err)
		}
	}
	if events < corpustest.AtLeast(13000) {
		t.Errorf("only %d events", events)
	}
}

// compare reports the differences of two texts. Members that are null or empty count as absent,
// because required members are always written.
func compare(t *testing.T, name string, in, out []byte, err error) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if diff := cmp.Diff(value(t, in), value(t, out)); diff != "" {
		t.Errorf("%s (-in +out):\n%s", name, diff)
	}
}

func value(t *testing.T, data []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return withoutEmpty(v)
}

// withoutEmpty removes empty members from an object: null, 0, false, empty texts, lists and
// objects.
func withoutEmpty(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			if member = withoutEmpty(member); isEmpty(member) {
				delete(v, name)
			} else {
				v[name] = member
			}
		}
	case []any:
		for i := range v {
			v[i] = withoutEmpty(v[i])
		}
	}
	return v
}

func isEmpty(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	default:
		return v == nil || v == "" || v == false || v == 0.0
	}
}

// What OpenAI added with its library for Node 7, next to what older servers sent under the same
// names.
func TestNewMembersAreReadAndWrittenUnchanged(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"type":"image_generation_call","id":"ig_1","status":"completed","result":"iVBORw0=","action":"generate","quality":"xhigh","output_format":"svg",
			"svg_usage":{"input_tokens":1,"output_tokens":2,"total_tokens":3,"reasoning_tokens":1,"model":"gpt-5.6"}}`,
		`{"type":"image_generation_call","id":"ig_1","status":"failed","result":null,"action":"edit",
			"error":{"type":"image_generation_user_error","code":"moderation_blocked","message":"no","param":"prompt","moderation_details":{"categories":["violence"],"moderation_stage":"input"}}}`,
		`{"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search","query":"a","queries":["a"]}}`,
		`{"type":"mcp_call","id":"mcp_1","name":"f","arguments":"{}","server_label":"s","error":{"type":"http_error","code":404,"message":"none"}}`,
		`{"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":"{}","async":true}`,
		`{"type":"configuration_update","id":"cu_1","reasoning":{"effort":"low"},"text":{"format":{"type":"text"}}}`,
		`{"type":"acme:note","text":"x","reasoning":"y"}`,
	} {
		in, err := responses.DecodeItem([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		out, err := responses.EncodeItem(in)
		compare(t, text, []byte(text), out, err)
	}
	text := `{"id":"resp_1","object":"response","status":"incomplete","incomplete_details":{"reason":"steered"},"access_programs":{"cyber":"standard"},
		"image":{"context_compression":"enabled"},"input_transformations":[{"type":"reasoning","id":"rs_1","action":"removed","reason":"model_mismatch"}],
		"prompt_cache_diagnostics":{"type":"cache_miss","reason":"tools_changed","cache_missed_tokens":7,"comparison_reusable_tokens":3},
		"prompt_cache_options":{"mode":"implicit","ttl":"12h","comparison_response_id":"resp_0"},
		"usage":{"input_tokens":9,"input_tokens_details":{"cached_tokens":1,"cache_write_tokens":2,"cache_write_tokens_details":{"ttl_30m_tokens":2,"ttl_12h_tokens":1}},"total_tokens":9},
		"tool_usage":{"image_gen":{"input_tokens":1,"input_tokens_details":{"image_tokens":1,"text_tokens":1},"output_tokens":1,"total_tokens":2},"web_search":{"num_requests":2}},
		"error":{"code":"misalignment_policy_violation","message":"m","misalignment":{"error_type":"other","steer":{"message":"s"}}}}`
	in, err := responses.DecodeResponse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	out, err := responses.EncodeResponse(in)
	compare(t, text, []byte(text), out, err)
	if !in.IncompleteDetails.Reason.Valid() || !in.Error.Code.Valid() || len(in.Unknown) > 0 {
		t.Errorf("not known: %+v", in)
	}
}

func TestEveryAnswerOfOpenAIsIsValid(t *testing.T) {
	t.Parallel()
	valid := 0
	for _, p := range recorded(t, corpustest.Response) {
		if !isOfOpenAI(p) {
			continue
		}
		in, err := responses.DecodeResponse(p.Read(t))
		if err == nil {
			err = responses.ValidateResponse(in)
		}
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		valid++
	}
	if valid < corpustest.AtLeast(300) {
		t.Errorf("only %d responses", valid)
	}
}

// OpenAI's description and its server differ in the members of events.
func isKnownDifference(p corpustest.Payload, v validation.Violation) bool {
	switch {
	case v.Rule == "required" && strings.HasSuffix(v.Pointer, "/logprobs"):
		return true // which servers before the middle of 2025 left out
	case v.Rule == "number":
		// the oldest recordings have no numbers
		return strings.Contains(p.Name, "dd-trace-py")
	default:
		return false
	}
}

func TestEveryStreamOfOpenAIsIsInOrder(t *testing.T) {
	t.Parallel()
	streams := 0
	for _, p := range recorded(t, corpustest.Stream) {
		if !isOfOpenAI(p) {
			continue
		}
		streams++
		events := readStream(t, p)
		faults, _ := errors.AsType[*validation.Error](responses.CheckSequence(events))
		if faults == nil {
			continue
		}
		for _, v := range faults.Violations {
			if !isKnownDifference(p, v) {
				t.Errorf("%s: %s: %v", p.Name, v.Rule, v)
			}
		}
	}
	if streams < corpustest.AtLeast(170) {
		t.Errorf("only %d streams", streams)
	}
}

func readStream(t *testing.T, p corpustest.Payload) []openaiapi.ResponseEvent {
	t.Helper()
	r := responses.NewStreamReader(bytes.NewReader(p.Read(t)))
	var events []openaiapi.ResponseEvent
	for e, err := range r.All() {
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		events = append(events, *e)
	}
	if err := r.CheckEnd(); err != nil {
		t.Errorf("%s: %v", p.Name, err)
	}
	if report := r.Report(); len(report) > 0 {
		t.Errorf("%s: %v", p.Name, report)
	}
	return events
}

func TestTheEventsOfEachStreamMakeItsResponse(t *testing.T) {
	t.Parallel()
	streams := 0
	for _, p := range recorded(t, corpustest.Stream) {
		if !isOfOpenAI(p) {
			continue
		}
		streams++
		var whole, pieces responses.Accumulator
		for _, e := range readStream(t, p) {
			if e.Type == openaiapi.ResponseEventTypeError {
				continue // after which comes response.failed
			}
			if err := whole.Push(&e); err != nil {
				t.Errorf("%s: %v", p.Name, err)
			}
			if e.Type != openaiapi.ResponseEventTypeOutputItemDone || !isOfPieces(e.Item.Type) {
				if err := pieces.Push(&e); err != nil {
					t.Errorf("%s: %v", p.Name, err)
				}
			}
		}
		response := whole.Response()
		if len(response.Output) != len(whole.Items()) {
			t.Errorf("%s: %d items, %d in the stream", p.Name, len(response.Output),
				len(whole.Items()))
			continue
		}
		for i, item := range response.Output {
			compareItems(t, p.Name, item, whole.Items()[i])
			if isOfPieces(item.Type) && !hasLogprobs(&item) {
				item.Status = openaiapi.ResponseItemStatusInProgress
				compareItems(t, p.Name+", from its pieces", item, pieces.Items()[i])
			}
		}
	}
	if streams < corpustest.AtLeast(170) {
		t.Errorf("only %d streams", streams)
	}
}

// isOfPieces reports whether earlier events have everything of an item except its status.
func isOfPieces(kind openaiapi.ResponseItemType) bool {
	return kind == openaiapi.ResponseItemTypeMessage ||
		kind == openaiapi.ResponseItemTypeFunctionCall
}

// hasLogprobs reports whether a message has log probabilities, which OpenAI omits when a part is
// done.
func hasLogprobs(item *openaiapi.ResponseItem) bool {
	parts, _ := item.Content.AsValue()
	return slices.ContainsFunc(parts,
		func(p openaiapi.ResponseContentPart) bool { return len(p.Logprobs) > 0 })
}

// compareItems compares items, except for what the server encrypts again each time.
func compareItems(t *testing.T, name string, want, got openaiapi.ResponseItem) {
	t.Helper()
	want.EncryptedContent, got.EncryptedContent = nil, nil
	want.Fingerprint, got.Fingerprint = "", ""
	wantJSON, errWant := responses.EncodeItem(&want)
	gotJSON, errGot := responses.EncodeItem(&got)
	if errWant != nil || errGot != nil || !bytes.Equal(wantJSON, gotJSON) {
		t.Errorf("%s: the item is\n%s, made of the events it is\n%s", name, wantJSON, gotJSON)
	}
}
