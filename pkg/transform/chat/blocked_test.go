package chat_test

import (
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/transform/chat"
)

func TestARefusedPromptIsAChoice(t *testing.T) {
	t.Parallel()
	out, report := openaitest.Convert(t,
		`{"responseId":"r","modelVersion":"m","createTime":"2026-11-20T10:00:00Z","usageMetadata":{"promptTokenCount":8,"totalTokenCount":8},
		"promptFeedback":{"blockReason":"PROHIBITED_CONTENT","blockReasonMessage":"Not allowed.","safetyRatings":[{"category":"HARM_CATEGORY_HATE_SPEECH","probability":"HIGH","blocked":true}]}}`)
	openaitest.Subset(t, openaitest.Encode(t, out),
		`{"id":"r","model":"m","usage":{"prompt_tokens":8,"completion_tokens":0,"total_tokens":8},
		"choices":[{"index":0,"finish_reason":"content_filter","native_finish_reason":"PROHIBITED_CONTENT","logprobs":null,
			"message":{"role":"assistant","content":null,"refusal":"The prompt was blocked: PROHIBITED_CONTENT. Not allowed."}}],
		"extra_content":{"google":{"prompt_feedback":{"blockReason":"PROHIBITED_CONTENT","blockReasonMessage":"Not allowed.",
			"safetyRatings":[{"category":"HARM_CATEGORY_HATE_SPEECH","probability":"HIGH","blocked":true}]}}}}`)
	openaitest.Reports(t, report, "added /candidates")
}

func TestARefusalWithoutAReasonIsOneToo(t *testing.T) {
	t.Parallel()
	out, _ := openaitest.Convert(t, `{"promptFeedback":{"blockReason":""}}`)
	openaitest.Subset(t, openaitest.Encode(t, out),
		`{"choices":[{"finish_reason":"content_filter","message":{"content":null,"refusal":"The prompt was blocked."}}]}`)
	if out.Choices[0].NativeFinishReason != nil {
		t.Error("there is a native reason")
	}
}

func TestFeedbackWithoutAReasonRefusesNothing(t *testing.T) {
	t.Parallel()
	out, _ := openaitest.Convert(t,
		`{"promptFeedback":{"safetyRatings":[]},"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}]}`)
	openaitest.Subset(t, openaitest.Encode(t, out),
		`{"choices":[{"finish_reason":"stop","message":{"content":"a","refusal":null}}]}`)
}

func TestWithoutExtensionsTheRatingsAreLost(t *testing.T) {
	t.Parallel()
	out, report := openaitest.Convert(t,
		`{"responseId":"r","modelVersion":"m","createTime":"2026-11-20T10:00:00Z","usageMetadata":{},
		"promptFeedback":{"blockReason":"SAFETY","safetyRatings":[{"category":"HARM_CATEGORY_HATE_SPEECH","probability":"HIGH"}]}}`, chat.WithoutExtensions())
	if out.ExtraContent != nil || out.Choices[0].NativeFinishReason != nil {
		t.Error("there is an extension")
	}
	openaitest.Reports(t, report, "lost /promptFeedback/safetyRatings", "added /candidates")
}

func TestARefusalInWordsAloneIsOneToo(t *testing.T) {
	t.Parallel()
	const wire = `{"responseId":"r","modelVersion":"m","createTime":"2026-11-20T10:00:00Z","usageMetadata":{},"promptFeedback":{"blockReasonMessage":"Not allowed."}}`
	for _, opts := range modes {
		out, report := openaitest.Convert(t, wire, opts...)
		openaitest.Subset(t, openaitest.Encode(t, out),
			`{"choices":[{"finish_reason":"content_filter","message":{"content":null,"refusal":"The prompt was blocked. Not allowed."}}]}`)
		openaitest.Reports(t, report, "added /candidates")
	}
}

func TestWordsAboutAPromptThatWasAnsweredRefuseNothing(t *testing.T) {
	t.Parallel()
	const wire = `{"responseId":"r","modelVersion":"m","createTime":"2026-11-20T10:00:00Z","usageMetadata":{},"promptFeedback":{"blockReasonMessage":"Close."},
		"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}]}`
	out, report := openaitest.Convert(t, wire)
	openaitest.Subset(t, openaitest.Encode(t, out),
		`{"choices":[{"finish_reason":"stop","message":{"content":"a","refusal":null}}]}`)
	openaitest.Reports(t, report)
	_, report = openaitest.Convert(t, wire, chat.WithoutExtensions())
	openaitest.Reports(t, report, "lost /promptFeedback")
}

// A stream has sent the candidates before the refusal arrives.
func TestCandidatesNextToARefusalAreKept(t *testing.T) {
	t.Parallel()
	const wire = `{"responseId":"r","modelVersion":"m","createTime":"2026-11-20T10:00:00Z","promptFeedback":{"blockReason":"OTHER"},
		"usageMetadata":{},"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"},{"content":{"role":"user","parts":[{"text":"b"}]},"finishMessage":"m"}]}`
	out, report := openaitest.Convert(t, wire)
	openaitest.Subset(t, openaitest.Encode(t, out), `{"choices":[
		{"finish_reason":"content_filter","native_finish_reason":"OTHER","message":{"content":"a","refusal":"The prompt was blocked: OTHER.",
			"extra_content":{"google":{"candidate":{"finishReason":"STOP"}}}}},
		{"finish_reason":"content_filter","native_finish_reason":"OTHER","message":{"content":"b","refusal":null,
			"extra_content":{"google":{"finish_message":"m","candidate":{"content":{"role":"user"}}}}}}]}`)
	openaitest.Reports(t, report)
	_, report = openaitest.Convert(t, wire, chat.WithoutExtensions())
	openaitest.Reports(t, report, "lost /candidates/0/finishReason",
		"lost /candidates/1/finishMessage", "lost /candidates/1/content/role")
}
