package chat_test

import (
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform/chat"
)

func TestAnEndWithCallsIsToolCallsOnlyWhenItIsANormalOne(t *testing.T) {
	t.Parallel()
	for native, want := range map[string]openaiapi.FinishReason{
		"STOP": "tool_calls", "MAX_TOKENS": "length", "SAFETY": "content_filter",
		"MALFORMED_FUNCTION_CALL": "stop",
	} {
		choice, _ := openaitest.Candidate(t,
			`{"content":{"parts":[`+openaitest.ACall+`]},"finishReason":"`+native+`"}`)
		if choice.FinishReason != want {
			t.Errorf("%s becomes %s, want %s", native, choice.FinishReason, want)
		}
	}
}

func TestACallInACandidateWithoutAFinishReasonIsToBeMade(t *testing.T) {
	t.Parallel()
	choice, report := openaitest.Candidate(t, `{"content":{"parts":[`+openaitest.ACall+`]}}`)
	if choice.FinishReason != openaiapi.FinishReasonToolCalls {
		t.Errorf("finish reason %s", choice.FinishReason)
	}
	openaitest.Reports(t, report, "added /candidates/0/finishReason")
}

func TestOnlyReasonsThatClientsKnowAreSent(t *testing.T) {
	t.Parallel()
	tests := []struct {
		native  string
		want    openaiapi.FinishReason
		inexact bool // also with the native reason next to it
	}{
		{"STOP", "stop", false},
		{"MAX_TOKENS", "length", false},
		{"CONTINUATION", "length", false},
		{"SAFETY", "content_filter", false},
		{"RECITATION", "content_filter", false},
		{"BLOCKLIST", "content_filter", false},
		{"PROHIBITED_CONTENT", "content_filter", false},
		{"SPII", "content_filter", false},
		{"MODEL_ARMOR", "content_filter", false},
		{"IMAGE_SAFETY", "content_filter", false},
		{"IMAGE_PROHIBITED_CONTENT", "content_filter", false},
		{"IMAGE_RECITATION", "content_filter", false},
		{"MALFORMED_FUNCTION_CALL", "stop", true},
		{"UNEXPECTED_TOOL_CALL", "stop", true},
		{"NO_IMAGE", "stop", true},
		{"OTHER", "stop", true},
		{"LANGUAGE", "stop", true},
		{"SOMETHING_NEW", "stop", true},
	}
	for _, test := range tests {
		t.Run(test.native, func(t *testing.T) {
			t.Parallel()
			wire := `{"content":{"parts":[{"text":"a"}]},"finishReason":"` + test.native + `"}`
			choice, report := openaitest.Candidate(t, wire)
			if choice.FinishReason != test.want || *choice.NativeFinishReason != test.native {
				t.Errorf("got %s and %s", choice.FinishReason, *choice.NativeFinishReason)
			}
			var want []string
			if test.inexact {
				want = []string{"approximated /candidates/0/finishReason"}
			}
			openaitest.Reports(t, report, want...)

			choice, report = openaitest.Candidate(t, wire, chat.WithoutExtensions())
			if choice.FinishReason != test.want || choice.NativeFinishReason != nil {
				t.Errorf("without extensions: got %s and %v", choice.FinishReason,
					choice.NativeFinishReason)
			}
			if exact := test.native == "STOP" ||
				test.native == "MAX_TOKENS"; report.Covers("/candidates/0/finishReason") == exact {
				t.Errorf("without extensions: the report is %v", report)
			}
		})
	}
}

func TestEveryFinishReasonOfTheModelHasOneThatClientsKnow(t *testing.T) {
	t.Parallel()
	for _, reason := range []normalize.FinishReason{
		normalize.FinishStop, normalize.FinishLength, normalize.FinishToolUse,
		normalize.FinishContentFilter,
		normalize.FinishError, normalize.FinishUnknown,
	} {
		c := normalize.Candidate{FinishReason: reason}
		if reason == normalize.FinishToolUse {
			c.Blocks = []normalize.Block{{Type: normalize.BlockToolCall,
				ToolCall: &normalize.ToolCall{ID: "a", Name: "f", Arguments: []byte("{}")}}}
		}
		out, _, err := chat.FromNormalized(
			&normalize.Response{Candidates: []normalize.Candidate{c}})
		if err != nil {
			t.Fatal(err)
		}
		if err := openai.ValidateResponse(out); err != nil {
			t.Errorf("%s: %v", reason, err)
		}
	}
}

func TestACandidateWithoutContentIsAChoice(t *testing.T) {
	t.Parallel()
	for native, want := range map[string]openaiapi.FinishReason{
		"MAX_TOKENS": "length", "NO_IMAGE": "stop", "MALFORMED_FUNCTION_CALL": "stop",
		"SAFETY": "content_filter", "RECITATION": "content_filter",
	} {
		for _, content := range []string{``, `"content":{},`, `"content":{"role":"model"},`,
			`"content":{"parts":[]},`} {
			choice, _ := openaitest.Candidate(t, `{`+content+`"finishReason":"`+native+`"}`)
			if choice.Message.Content != nil || choice.FinishReason != want {
				t.Errorf("%s with %q: content %v, finish reason %s", native, content,
					choice.Message.Content, choice.FinishReason)
			}
		}
	}
}

func TestAnAbsentReasonIsAdded(t *testing.T) {
	t.Parallel()
	choice, report := openaitest.Candidate(t, `{"content":{"parts":[{"text":"a"}]}}`)
	if choice.FinishReason != openaiapi.FinishReasonStop || choice.NativeFinishReason != nil {
		t.Errorf("got %s and %v", choice.FinishReason, choice.NativeFinishReason)
	}
	openaitest.Reports(t, report, "added /candidates/0/finishReason")
}
