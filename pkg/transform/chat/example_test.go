package chat_test

import (
	"errors"
	"fmt"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat"
)

func ExampleFromGemini() {
	body := []byte(`{
		"candidates": [{
			"content": {"role": "model", "parts": [
				{"functionCall": {"name": "get_tide", "args": {"port": "Husum"}}, "thoughtSignature": "c2ln"}
			]},
			"finishReason": "STOP"
		}],
		"usageMetadata": {"promptTokenCount": 20, "candidatesTokenCount": 9, "thoughtsTokenCount": 40, "totalTokenCount": 69},
		"modelVersion": "gemini-3.6-flash",
		"responseId": "r1",
		"createTime": "2026-11-20T10:00:00Z"
	}`)
	in, err := gemini.DecodeResponse(body)
	if err != nil {
		fmt.Println(err)
		return
	}
	completion, report, err := chat.FromGemini(in)
	if err != nil {
		fmt.Println(err)
		return
	}
	choice := completion.Choices[0]
	call := choice.Message.ToolCalls[0]
	fmt.Println(choice.FinishReason, call.ID, call.Function.Name, call.Function.Arguments)
	fmt.Println("signature:", *call.ExtraContent.Google.ThoughtSignature)
	fmt.Println("tokens:", completion.Usage.PromptTokens, completion.Usage.CompletionTokens,
		completion.Usage.TotalTokens)
	for _, entry := range report {
		fmt.Println(entry)
	}
	// Output:
	// tool_calls gemini-call-r1-0-0 get_tide {"port":"Husum"}
	// signature: c2ln
	// tokens: 20 49 69
	// added /candidates/0/content/parts/0/functionCall/id: the call has no id
}

// Clients that validate every member against OpenAI's description get a plain completion. The
// report lists what this loses.
func ExampleWithoutExtensions() {
	in, err := gemini.DecodeResponse([]byte(`{
		"candidates": [{
			"content": {"parts": [{"text": "Let me think.", "thought": true}, {"text": "Hello"}]},
			"finishReason": "STOP",
			"avgLogprobs": -0.1
		}],
		"responseId": "r1", "modelVersion": "gemini-3.6-flash", "createTime": "2026-11-20T10:00:00Z",
		"usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 1, "totalTokenCount": 4}
	}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	completion, report, err := chat.FromGemini(in, chat.WithoutExtensions())
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := openai.EncodeResponse(completion)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(out))
	fmt.Println(report.Strict())
	// Output:
	// {"id":"r1","object":"chat.completion","created":1795168800,"model":"gemini-3.6-flash","choices":[{"index":0,"message":{"role":"assistant","content":"Hello","refusal":null},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":1,"total_tokens":4}}
	// transform: the conversion would lose /candidates/0/content/parts/0: chat_completions has no member for it (and 1 more)
}

func ExampleFromGemini_refusal() {
	in, err := gemini.DecodeResponse([]byte(`{"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	completion, _, err := chat.FromGemini(in)
	if err != nil {
		fmt.Println(err)
		return
	}
	choice := completion.Choices[0]
	fmt.Println(choice.FinishReason, *choice.Message.Refusal)
	// Output: content_filter The prompt was blocked: PROHIBITED_CONTENT.
}

func ExampleFromError() {
	err := gemini.DecodeError(429, nil,
		[]byte(`{"error": {"code": 429, "message": "Quota exceeded.", "status": "RESOURCE_EXHAUSTED"}}`))
	status, body := chat.FromError(err)
	fmt.Println(status, body.Error.Type, *body.Error.Code, body.Error.Message)
	// Output: 429 rate_limit_error rate_limit_exceeded Quota exceeded.
}

func ExampleWithModel() {
	in, err := gemini.DecodeResponse([]byte(`{"modelVersion": "gemini-3.6-flash", "responseId": "r1", "candidates": [{"finishReason": "STOP"}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	completion, entries, err := chat.FromGemini(in, chat.WithModelName("gpt-4o"),
		chat.WithoutExtensions())
	if err != nil {
		fmt.Println(err)
		return
	}
	loss, _ := errors.AsType[*report.LossError](entries.Strict())
	fmt.Println(completion.Model, loss.Lost[0].Pointer)
	// Output: gpt-4o /modelVersion
}
