package openai_test

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"math"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/google/go-cmp/cmp"
)

func TestRequestsAreDecodedAndEncodedWithoutLoss(t *testing.T) {
	t.Parallel()
	for name, wire := range openaitest.Requests(t) {
		data := openaitest.EncodeRequest(t, openaitest.DecodeRequest(t, string(wire)))
		if diff := cmp.Diff(withoutNulls(openaitest.Tree(t, wire)),
			openaitest.Tree(t, data)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// withoutNulls removes members that are null, because null means absent.
func withoutNulls(value any) any {
	switch v := value.(type) {
	case map[string]any:
		maps.DeleteFunc(v, func(_ string, member any) bool { return member == nil })
		for _, member := range v {
			withoutNulls(member)
		}
	case []any:
		for _, element := range v {
			withoutNulls(element)
		}
	}
	return value
}

func TestRequestsAreReadAsTheyWereMeant(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ in, want string }{
		"whole numbers": {`{"max_tokens":100.0,"n":1e0,"top_logprobs":"3","seed":"7"}`, `{"max_tokens":100,"n":1,"top_logprobs":3,"seed":7}`},
		"fractions":     {`{"temperature":"0.5","top_p":1}`, `{"temperature":0.5,"top_p":1}`},
		"an image's address": {
			`{"messages":[{"role":"user","content":[{"type":"image_url","image_url":"https://example.com/a.png"}]}]}`,
			`{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://example.com/a.png"}}]}]}`,
		},
		"arguments": {
			`{"messages":[{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":{"b": 1.50,"a":[]},"more":1}},
				{"id":"b","type":"function","function":{"name":"g","arguments":"{}"}}],"function_call":{"name":"h","arguments":{}}}]}`,
			`{"messages":[{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"b\": 1.50,\"a\":[]}","more":1}},
				{"id":"b","type":"function","function":{"name":"g","arguments":"{}"}}],"function_call":{"name":"h","arguments":"{}"}}]}`,
		},
		"lone elements": {
			`{"messages":{"role":"user","content":{"type":"text","text":"Hi."}},"modalities":"text","tools":{"type":"function","function":{"name":"f"}},"functions":{"name":"g"}}`,
			`{"messages":[{"role":"user","content":[{"type":"text","text":"Hi."}]}],"modalities":["text"],"tools":[{"type":"function","function":{"name":"f"}}],"functions":[{"name":"g"}]}`,
		},
		"a lone call": {
			`{"messages":[{"role":"assistant","content":null,"tool_calls":{"id":"1","type":"function","function":{"name":"f","arguments":""}}}]}`,
			`{"messages":[{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":""}}]}]}`,
		},
		"a lone stop":     {`{"stop":"END","n":1.0}`, `{"stop":"END","n":1}`},
		"unknown names":   {`{"service_tier":"gold","messages":[{"role":"narrator"}],"n":1.0}`, `{"service_tier":"gold","messages":[{"role":"narrator"}],"n":1}`},
		"nothing at all":  {`{"messages":null,"n":null,"stop":null,"tools":null,"extra_body":null}`, `{}`},
		"unknown members": {`{"top_k":40,"n":1.0}`, `{"n":1,"top_k":40}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := string(openaitest.EncodeRequest(t, openaitest.DecodeRequest(t, test.in)))
			if diff := cmp.Diff(openaitest.Tree(t, []byte(test.want)),
				openaitest.Tree(t, []byte(got))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A returned answer may have numbers that JSON cannot express, as Google writes them.
func TestNonFiniteNumbersOfAnAnswerComeBack(t *testing.T) {
	t.Parallel()
	const wire = `{"messages":[{"role":"assistant","content":"a","extra_content":{"google":{"avg_logprobs":"-Infinity"}}}]}`
	in := openaitest.DecodeRequest(t, wire)
	if got := *in.Messages[0].ExtraContent.Google.AvgLogprobs; !math.IsInf(got, -1) {
		t.Errorf("got %v", got)
	}
	if got := string(openaitest.EncodeRequest(t, in)); got != wire {
		t.Errorf("got %s", got)
	}
}

func TestMalformedRequests(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ in, want string }{
		"nothing":            {``, "openai: request: offset 0: the input is empty"},
		"null":               {`null`, "openai: request: offset 0: an object was expected, found null"},
		"a list":             {`[]`, "openai: request: offset 0: an object was expected, found a list"},
		"a string":           {`"x"`, "openai: request: offset 0: an object was expected, found a string"},
		"cut off":            {`{"messages":[{"role":"us`, "openai: request: /messages/0/role: offset 24: the input ends too early"},
		"a member twice":     {`{"n":1,"n":2}`, "openai: request: /n: offset 7: the member occurs twice"},
		"a fraction":         {`{"n":1.5}`, "openai: request: /n: offset 5: a whole number was expected, found a fraction"},
		"a flag of text":     {`{"logprobs":"true"}`, "openai: request: /logprobs: offset 12: a boolean was expected, found a string"},
		"a number of words":  {`{"temperature":"warm"}`, "openai: request: /temperature: offset 15: a number was expected, found a string"},
		"a hexadecimal text": {`{"temperature":"0x10"}`, "openai: request: /temperature: offset 15: a number was expected, found a string"},
		"a seed too long":    {`{"seed":9223372036854775808}`, "openai: request: /seed: offset 8: a whole number was expected, found a number out of range"},
		"more after the end": {`{} {}`, "openai: request: offset 3: data after the end of the payload"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, err := openai.DecodeRequest([]byte(test.in))
			fault, ok := errors.AsType[*wire.MalformedError](err)
			if !ok || out != nil {
				t.Fatalf("got %v, %v", out, err)
			}
			if fault.Error() != test.want {
				t.Errorf("got %q, want %q", fault, test.want)
			}
			if fault.Payload != "request" {
				t.Errorf("the payload is %q", fault.Payload)
			}
		})
	}
	if _, err := openai.DecodeRequest(nil); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v", err)
	}
}

func TestARequestSharesNoMemoryWithItsBytes(t *testing.T) {
	t.Parallel()
	for _, form := range []string{`1`, `1.0`} { // the quick way and the slow one
		data := []byte(`{"n":` + form +
			`,"tools":[{"type":"function","function":{"name":"f","parameters":{"a":1}}}],"top_k":1,"extra_body":{"google":{"tools":[{}]}}}`)
		in := openaitest.DecodeRequest(t, string(data))
		kept, err := openai.DecodeRequest(data)
		if err != nil {
			t.Fatal(err)
		}
		copy(data, bytes.Repeat([]byte("?"), len(data)))
		if diff := cmp.Diff(string(openaitest.EncodeRequest(t, in)),
			string(openaitest.EncodeRequest(t, kept))); diff != "" {
			t.Error(diff)
		}
	}
}

func TestRequestsThatCannotBeEncoded(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		in   *openaiapi.CreateChatCompletionRequest
		want string
	}{
		"nothing":        {nil, "openai: request: nothing to encode"},
		"no JSON":        {&openaiapi.CreateChatCompletionRequest{Functions: []openaiapi.FunctionObject{{Parameters: []byte(`{`)}}}, "openai: request: /functions/0/parameters: not JSON"},
		"no valid UTF-8": {&openaiapi.CreateChatCompletionRequest{Model: "\xff"}, "openai: request: /model: invalid UTF-8"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := []byte("before")
			out, err := openai.AppendRequest(before, test.in)
			fault, ok := errors.AsType[*wire.EncodeError](err)
			if !ok || fault.Error() != test.want || string(out) != "before" {
				t.Errorf("got %q, %v", out, err)
			}
		})
	}
}

func TestARequestIsAppended(t *testing.T) {
	t.Parallel()
	out, err := openai.AppendRequest([]byte("x"),
		&openaiapi.CreateChatCompletionRequest{Model: "m"})
	if err != nil || string(out) != `x{"model":"m"}` {
		t.Errorf("got %s, %v", out, err)
	}
}

// A missing type, id or name stays missing, because servers refuse an empty one but accept a
// missing one.
func TestMembersThatAreAbsentAreNotWrittenAsEmpty(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"messages":[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]}]}`,
		`{"messages":[{"role":"assistant","tool_calls":[{"function":{"arguments":"{}"}}]}]}`,
		`{"messages":[{"role":"assistant","function_call":{"arguments":""},"tool_calls":[{"custom":{"input":"a"}}]}]}`,
		`{"messages":[{"role":"user","content":[{"text":"a"},{"input_audio":{"data":"AAAA"}},{"file":{"file_id":"f"}}]}]}`,
		`{"messages":[{"role":"assistant","annotations":[{"url_citation":{"start_index":0,"end_index":1,"url":"u","title":""}}]}]}`,
	} {
		if got := string(openaitest.EncodeRequest(t,
			openaitest.DecodeRequest(t, body))); got != body {
			t.Errorf("%s became\n%s", body, got)
		}
	}
	const answer = `{"id":"a","object":"","created":0,"model":"m","choices":[{"index":0,"message":{"content":null,"refusal":null,"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]},"logprobs":null,"finish_reason":"stop"}]}`
	completion, err := openai.DecodeResponse([]byte(answer))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := openai.EncodeResponse(completion); err != nil || string(got) != answer {
		t.Errorf("%s became\n%s: %v", answer, got, err)
	}
}
