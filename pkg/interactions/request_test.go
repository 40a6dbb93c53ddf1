package interactions_test

import (
	"encoding/json"
	"testing"

	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/google/go-cmp/cmp"
)

// roundTripRequest decodes and encodes a request.
func roundTripRequest(t testing.TB, body string) string {
	t.Helper()
	out, err := interactions.EncodeRequest(decodeRequest(t, body))
	if err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return string(out)
}

// place is a step of an input as Steps returns it.
type place struct {
	At     string
	Step   string
	Blocks []string
}

// places returns the steps of an input and their places.
func places(t testing.TB, input string) (out []place) {
	t.Helper()
	for _, step := range interactions.Steps(decodeRequest(t, inputRequest(input)).Input) {
		data, err := json.Marshal(step.Step)
		if err != nil {
			t.Fatal(err)
		}
		one := place{At: step.Pointer, Step: string(data)}
		for i := range interactions.ContentOf(&step.Step) {
			one.Blocks = append(one.Blocks, step.Block(i))
		}
		out = append(out, one)
	}
	return out
}

// An input is a text, a block, a list of blocks, a list of steps, or turns of the revision before
// May 2026. Each form comes through unchanged and is read as steps.
func TestInputsOfAllFormsAreReadAsSteps(t *testing.T) {
	t.Parallel()
	const hello = `{"content":[{"text":"Hi","type":"text"}],"type":"user_input"}`
	for name, tt := range map[string]struct {
		input string
		want  []place
	}{
		"a text":  {`"Hi"`, []place{{"/input", hello, []string{"/input"}}}},
		"a block": {`{"type":"text","text":"Hi"}`, []place{{"/input", hello, []string{"/input"}}}},
		"a step":  {`{"content":"Hi","type":"user_input"}`, []place{{"/input", hello, []string{"/input/content"}}}},
		"blocks": {`[{"type":"text","text":"Hi"},{"type":"image","uri":"u"}]`, []place{{"/input/0",
			`{"content":[{"text":"Hi","type":"text"},{"uri":"u","type":"image"}],"type":"user_input"}`, []string{"/input/0", "/input/1"}}}},
		"steps": {`[` + hello + `,{"type":"model_output","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}]`,
			[]place{{"/input/0", hello, []string{"/input/0/content/0"}},
				{"/input/1", `{"content":[{"text":"a","type":"text"},{"text":"b","type":"text"}],"type":"model_output"}`, []string{"/input/1/content/0", "/input/1/content/1"}}}},
		"steps and blocks": {`[{"type":"function_result","call_id":"c","result":"1"},{"type":"text","text":"Hi"},` + hello + `,{"type":"text","text":"Hi"}]`,
			[]place{{"/input/0", `{"call_id":"c","type":"function_result","result":"1"}`, nil},
				{"/input/1", hello, []string{"/input/1"}}, {"/input/2", hello, []string{"/input/2/content/0"}}, {"/input/3", hello, []string{"/input/3"}}}},
		"turns": {`[{"role":"user","content":"Hi"},{"role":"model","content":[{"type":"text","text":"a"}]}]`,
			[]place{{"/input/0", `{"content":[{"text":"Hi","type":"text"}],"type":"user_input","role":"user"}`, []string{"/input/0/content"}},
				{"/input/1", `{"content":[{"text":"a","type":"text"}],"type":"model_output","role":"model"}`, []string{"/input/1/content/0"}}}},
		"an unknown step": {`[{"type":"hologram","text":"a"}]`, []place{{"/input/0", `{"type":"hologram","text":"a"}`, nil}}},
		"nothing":         {`[]`, nil},
	} {
		if diff := cmp.Diff(tt.want, places(t, tt.input)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
		if diff := cmp.Diff(canonical(t, inputRequest(tt.input)),
			canonical(t, roundTripRequest(t, inputRequest(tt.input)))); diff != "" {
			t.Errorf("%s: (-sent +ours)\n%s", name, diff)
		}
	}
}

// canonical returns JSON with sorted members.
func canonical(t testing.TB, body string) string {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(body), &v); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// Google's types have a list of voices, one voice, and an object with a list of speakers.
func TestVoicesOfAllFormsComeThrough(t *testing.T) {
	t.Parallel()
	for _, voices := range []string{
		`[{"voice":"Kore","language":"en-US","speaker":"A"},{"voice":"Puck"}]`,
		`{"voice":"Kore","language":"en-US"}`,
		`{"speakers":[{"voice":"Kore","speaker":"A"}]}`,
		`[]`,
	} {
		body := modelRequest(`"generation_config":{"speech_config":` + voices + `}`)
		if got := roundTripRequest(t, body); got != body {
			t.Errorf("%s became %s", body, got)
		}
	}
}

// A request with each member comes through with the bytes of its free-form values.
func TestARequestComesThroughByteForByte(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"model":"m","input":"Hi","system_instruction":"s","tools":[{"type":"function","name":"f","description":"d","parameters":{"type":"object","properties":{"b":{},"a":{"default":1.0}}}},{"type":"google_search","search_types":["web_search"]},{"type":"mcp_server","name":"n","url":"u","headers":{"a":"b"},"allowed_tools":[{"mode":"any","tools":["f"]}]}],` +
			`"generation_config":{"max_output_tokens":5,"seed":0,"stop_sequences":[],"temperature":0,"top_p":1,"top_k":3,"thinking_level":"low","thinking_summaries":"auto","tool_choice":"any"},"response_format":{"schema":{"b":1,"a":1.0},"type":"text"},"previous_interaction_id":"v1_a","store":false,"background":false,"stream":true,"service_tier":"flex","labels":{"z":"1"},"more":{"b":1.0}}`,
		`{"agent":"deep-research-preview-04-2026","input":"Hi","agent_config":{"type":"deep-research","collaborative_planning":true,"visualization":"off"},"background":true,"environment":"remote","webhook_config":{"uris":["https://example.com"],"user_metadata":{"b":1.0,"a":2}}}`,
		`{"model":"m","generation_config":{"tool_choice":{"allowed_tools":{"mode":"any","tools":["f"]}}},"response_format":[{"type":"text"},{"aspect_ratio":"16:9","image_size":"4K","type":"image"}],"continuation_token":"t","environment":{"type":"remote","environment_id":"e","env":{"A":"b"},"network":{"allowlist":[{"domain":"d"}]},"sources":[{"type":"inline","target":"t","content":"c"}]}}`,
		`{"model":"m","input":"Hi","response_format":{"type":"object","properties":{"b":{},"a":{}},"required":["b"]}}`,
	} {
		if diff := cmp.Diff(body, roundTripRequest(t, body)); diff != "" {
			t.Errorf("(-sent +ours)\n%s", diff)
		}
	}
}
