package openai_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/wire"
)

func TestUnknownMembersSurvive(t *testing.T) {
	t.Parallel()
	const wire = `{"id":"a","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"a","refusal":null,` +
		`"extra_content":{"other":{"b":1.50}},"newer":"\u00e9"},"logprobs":null,"finish_reason":"stop"}],"x":{"y":[9007199254740993]}}`
	out, err := openai.DecodeResponse([]byte(wire))
	if err != nil {
		t.Fatal(err)
	}
	if got := openaitest.Encode(t, out); got != wire {
		t.Errorf("got  %s\nwant %s", got, wire)
	}
}

func TestNullIsAbsent(t *testing.T) {
	t.Parallel()
	out, err := openai.DecodeResponse([]byte(`{"id":null,"choices":[{"index":null,"message":{"content":null,"tool_calls":null,"annotations":null,"extra_content":null}}],"usage":null}`))
	if err != nil {
		t.Fatal(err)
	}
	if m := out.Choices[0].Message; m.Content != nil || m.ToolCalls != nil ||
		m.Annotations != nil || m.ExtraContent != nil || out.Usage != nil {
		t.Errorf("got %+v", out)
	}
}

func TestAnInvalidCompletionIsRefusedWithItsLocation(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ wire, want string }{
		"null":           {`null`, "openai: completion: offset 0: an object was expected, found null"},
		"a list":         {`[]`, "openai: completion: offset 0: an object was expected, found a list"},
		"nothing":        {``, "openai: completion: offset 0: the input is empty"},
		"cut short":      {`{"id":"a","choices":[{`, "openai: completion: /choices/0: offset 22: the input ends too early"},
		"no JSON":        {`{"id":secret}`, "openai: completion: /id: offset 6: not JSON"},
		"twice":          {`{"id":"a","id":"b"}`, "openai: completion: /id: offset 10: the member occurs twice"},
		"a number":       {`{"id":4711}`, "openai: completion: /id: offset 6: a string was expected, found a number"},
		"text":           {`{"created":"secret"}`, "openai: completion: /created: offset 11: a whole number was expected, found a string"},
		"a bad logprob":  {`{"choices":[{"logprobs":{"content":[{"logprob":"secret"}]}}]}`, "openai: completion: /choices/0/logprobs/content/0/logprob: offset 47: a number was expected, found a string"},
		"a truth":        {`{"choices":true}`, "openai: completion: /choices: offset 11: a list was expected, found a boolean"},
		"another object": {`{"model":{}}`, "openai: completion: /model: offset 9: a string was expected, found an object"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := openai.DecodeResponse([]byte(test.wire))
			e, ok := errors.AsType[*wire.MalformedError](err)
			if !ok || e.Unwrap() == nil {
				t.Fatalf("got %v", err)
			}
			if e.Error() != test.want {
				t.Errorf("got  %v\nwant %s", e, test.want)
			}
			if strings.Contains(e.Error(), "secret") || strings.Contains(e.Error(), "4711") {
				t.Error("the error quotes the payload")
			}
		})
	}
	if _, err := openai.DecodeResponse([]byte(`{"id":`)); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v", err)
	}
}

func TestNumbersWithoutAFormInJSONAreRead(t *testing.T) {
	t.Parallel()
	out, err := openai.DecodeResponse([]byte(`{"choices":[{"message":{"extra_content":{"google":{"avg_logprobs":"-Infinity"}}}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := *out.Choices[0].Message.ExtraContent.Google.AvgLogprobs; got != openaitest.Inf {
		t.Errorf("got %v", got)
	}
}

func TestACompletionHasNoOtherForms(t *testing.T) {
	t.Parallel()
	for _, wire := range []string{`{"choices":{}}`, `{"created":"1"}`,
		`{"choices":[{"index":1.0}]}`} {
		if out, err := openai.DecodeResponse([]byte(wire)); err == nil {
			t.Errorf("%s is read as %+v", wire, out)
		}
	}
}
