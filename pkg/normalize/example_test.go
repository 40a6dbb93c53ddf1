package normalize_test

import (
	"errors"
	"fmt"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
)

const answer = `{
  "candidates": [{
    "content": {
      "parts": [
        {"text": "High water comes before dusk.", "thought": true},
        {"text": "Let me look at the tide table.", "thoughtSignature": "c2lnbmF0dXJl"},
        {"functionCall": {"name": "tide_table", "args": {"harbour": "Husum", "day": "2026-11-20"}}}
      ],
      "role": "model"
    },
    "finishReason": "STOP"
  }],
  "usageMetadata": {"promptTokenCount": 61, "candidatesTokenCount": 22, "thoughtsTokenCount": 70, "totalTokenCount": 153},
  "modelVersion": "gemini-3.6-flash",
  "responseId": "r-1"
}`

func ExampleParse() {
	out, err := normalize.Parse([]byte(answer))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(out.Model, out.FinishReason())
	for _, block := range out.Blocks() {
		switch block.Type {
		case normalize.BlockToolCall:
			fmt.Println(block.Type, block.ToolCall.Name, block.ToolCall.Arguments)
		default:
			fmt.Println(block.Type, block.Text)
		}
	}
	// Output:
	// gemini-3.6-flash tool_use
	// thinking High water comes before dusk.
	// text Let me look at the tide table.
	// tool_call tide_table {"harbour":"Husum","day":"2026-11-20"}
}

func ExampleFromResponse() {
	wire, err := gemini.DecodeResponse([]byte(answer))
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := normalize.FromResponse(wire)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(out.Usage.InputTokens, "in,", out.Usage.OutputTokens, "out,",
		out.Usage.ThinkingTokens, "thinking")
	// Output: 61 in, 22 out, 70 thinking
}

func ExampleResponse_Text() {
	out, err := normalize.Parse([]byte(answer))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(out.Text())
	fmt.Println(out.Candidates[0].Thinking())
	// Output:
	// Let me look at the tide table.
	// High water comes before dusk.
}

func ExampleWithToolCallIDs() {
	out, err := normalize.Parse([]byte(answer), normalize.WithToolCallIDs(
		func(responseID string, candidate, part int) string {
			return fmt.Sprintf("call-%s-%d-%d", responseID, candidate, part)
		}))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, call := range out.Candidates[0].ToolCalls() {
		fmt.Println(call.ID, call.MadeID)
	}
	// Output: call-r-1-0-2 true
}

func ExampleBlockedError() {
	_, err := normalize.Parse([]byte(`{
	  "promptFeedback": {"blockReason": "PROHIBITED_CONTENT"},
	  "usageMetadata": {"promptTokenCount": 12, "totalTokenCount": 12}
	}`))
	if blocked, ok := errors.AsType[*normalize.BlockedError](err); ok {
		fmt.Println(blocked.Reason, blocked.Response.Usage.InputTokens)
	}
	fmt.Println(err)
	// Output:
	// PROHIBITED_CONTENT 12
	// normalize: Prompt blocked: PROHIBITED_CONTENT
}

func ExampleParseError() {
	e := normalize.ParseError(429, nil,
		[]byte(`{"error": {"code": 429, "message": "Quota exceeded.", "status": "RESOURCE_EXHAUSTED",
	  "details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s"}]}}`))
	fmt.Println(e.Category, e.Retryable(), e.RetryAfter)
	fmt.Println(e.Message)
	// Output:
	// rate_limit true 34.5s
	// 429: Quota exceeded.
}

// Offsets are in bytes on the wire and in characters here.
func ExampleGrounding() {
	out, err := normalize.Parse([]byte(`{"candidates": [{
	  "content": {"parts": [{"text": "満潮は五時。干潮は十一時。"}]},
	  "groundingMetadata": {
	    "groundingChunks": [{"web": {"uri": "https://example.org/tides", "title": "Tides"}}],
	    "groundingSupports": [{"segment": {"startIndex": 18, "endIndex": 39}, "groundingChunkIndices": [0]}]
	  }
	}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	candidate := out.Candidates[0]
	text := []rune(candidate.Text())
	for _, support := range candidate.Grounding.Supports {
		for _, source := range support.Sources {
			fmt.Println(string(text[support.Start:support.End]),
				candidate.Grounding.Sources[source].URI)
		}
	}
	// Output: 干潮は十一時。 https://example.org/tides
}

func ExampleValidate() {
	err := normalize.Validate(&normalize.Response{Candidates: []normalize.Candidate{{
		FinishReason: normalize.FinishStop,
		Blocks:       []normalize.Block{{Type: normalize.BlockToolCall}},
	}}})
	fmt.Println(err)
	// Output: normalize: /candidates/0/content_blocks/0/tool_call: must be set in a block of type tool_call; /candidates/0/finish_reason: must be tool_use, because there is a tool call
}

func ExampleEncode() {
	out, err := normalize.Parse([]byte(`{"candidates": [{"content": {"parts": [{"text": "Ebb."}]}, "finishReason": "STOP"}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	data, err := normalize.Encode(out)
	fmt.Println(string(data), err)
	// Output: {"candidates":[{"index":0,"content_blocks":[{"type":"text","part":0,"text":"Ebb."}],"finish_reason":"stop","native_finish_reason":"STOP"}],"usage":{"input_tokens":0,"output_tokens":0,"thinking_tokens":0,"cached_tokens":0,"total_tokens":0}} <nil>
}
