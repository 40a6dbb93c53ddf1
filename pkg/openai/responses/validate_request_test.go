package responses_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/validation"
)

func TestErrorsOfARequestAreListedWithTheirLocations(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		request string
		want    []string // pointers
	}{
		"a text":                               {`{"model":"m","input":"Hello."}`, nil},
		"a message without a type":             {`{"input":[{"role":"user","content":"Hello."}]}`, nil},
		"a loop":                               {`{"input":[{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"a","output":"1"}]}`, nil},
		"a result of an earlier call":          {`{"previous_response_id":"resp_1","input":[{"type":"function_call_output","call_id":"a","output":"1"}]}`, nil},
		"no input":                             {`{"model":"m"}`, []string{"/input"}},
		"an unknown role":                      {`{"input":[{"role":"tool","content":"Hello."}]}`, []string{"/input/0/role"}},
		"an item of no type":                   {`{"input":[{"content":"Hello."}]}`, []string{"/input/0/type"}},
		"an item of an unknown type":           {`{"input":[{"type":"hologram"}]}`, []string{"/input/0/type"}},
		"the user with output":                 {`{"input":[{"role":"user","content":[{"type":"output_text","text":"a"}]}]}`, []string{"/input/0/content/0/type"}},
		"the model with input":                 {`{"input":[{"role":"assistant","content":[{"type":"input_text","text":"a"}]}]}`, []string{"/input/0/content/0/type"}},
		"a call without a result":              {`{"input":[{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}]}`, []string{"/input/0/call_id"}},
		"a result without a call":              {`{"input":[{"type":"function_call_output","call_id":"a","output":"1"}]}`, []string{"/input/0/call_id"}},
		"a call that is not whole":             {`{"input":[{"type":"function_call"},{"type":"function_call_output","output":"1"}]}`, []string{"/input/0/call_id", "/input/0/name", "/input/0/arguments", "/input/1/call_id"}},
		"tools without names":                  {`{"input":"a","tools":[{"type":"function"},{"type":"namespace","name":"n","tools":[{"type":"custom","name":"x y"}]},{"type":"mcp"},{}]}`, []string{"/tools/0/name", "/tools/1/tools/0/name", "/tools/2/server_label", "/tools/3/type"}},
		"an unknown mode":                      {`{"input":"a","tool_choice":"perhaps"}`, []string{"/tool_choice"}},
		"a schema without name":                {`{"input":"a","text":{"format":{"type":"json_schema"}}}`, []string{"/text/format/name", "/text/format/schema"}},
		"numbers out of their range":           {`{"input":"a","temperature":3,"top_p":-1,"top_logprobs":21,"max_output_tokens":1}`, []string{"/temperature", "/top_p", "/top_logprobs", "/max_output_tokens"}},
		"options of a stream without a stream": {`{"input":"a","stream_options":{"include_obfuscation":false}}`, []string{"/stream_options"}},
		"two conversations":                    {`{"input":"a","previous_response_id":"r","conversation":"c"}`, []string{"/conversation"}},
		"metadata that are too long":           {`{"input":"a","metadata":{"` + strings.Repeat("k", 65) + `":"v"}}`, []string{"/metadata/" + strings.Repeat("k", 65)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in, err := responses.DecodeRequest([]byte(test.request))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			if found, ok := errors.AsType[*validation.Error](responses.ValidateRequest(in)); ok {
				for _, v := range found.Violations {
					got = append(got, v.Pointer)
				}
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	if err := responses.ValidateRequest(nil); !errors.Is(err, validation.ErrNotStruct) {
		t.Errorf("nil: %v", err)
	}
}

// Requests that OpenAI's server answered are valid. Other servers accept more.
func TestRequestsThatOpenAIHasAnsweredAreValid(t *testing.T) {
	t.Parallel()
	answered := map[string]bool{}
	for _, kind := range []corpustest.Kind{corpustest.Response, corpustest.Stream} {
		for _, p := range corpustest.ClientPayloads(t, "responses", kind) {
			answered[p.Pair] = answered[p.Pair] ||
				p.HTTPStatus == "200" && p.Host == "api.openai.com"
		}
	}
	checked := 0
	for _, p := range corpustest.ClientPayloads(t, "responses", corpustest.Request) {
		if !answered[p.Name] {
			continue
		}
		in, err := responses.DecodeRequest(p.Read(t))
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		checked++
		if err := responses.ValidateRequest(in); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
	if checked < corpustest.AtLeast(150) {
		t.Errorf("only %d requests", checked)
	}
}
