package gemini_test

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/wire"
)

func ExampleDecodeResponse() {
	response, err := gemini.DecodeResponse([]byte(`{
	  "candidates": [{"content": {"role": "model", "parts": [{"text": "Good morning!"}]}, "finishReason": "STOP"}],
	  "usageMetadata": {"totalTokenCount": 7},
	  "modelVersion": "gemini-3.6-flash"
	}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	candidate := response.Candidates[0]
	fmt.Println(*candidate.Content.Parts[0].Text)
	fmt.Println(*candidate.FinishReason == geminiapi.FinishReasonStop,
		*response.UsageMetadata.TotalTokenCount)
	// Output:
	// Good morning!
	// true 7
}

// A request in snake_case and without lists, as people write it, becomes canonical.
func ExampleDecodeRequest() {
	request, err := gemini.DecodeRequest([]byte(`{
	  "contents": {"parts": {"inline_data": {"mime_type": "image/png", "data": "iVBORw0"}}},
	  "generation_config": {"max_output_tokens": "64", "thinking_config": {"thinking_level": "low"}}
	}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	canonical, err := gemini.EncodeRequest(request)
	fmt.Println(string(canonical), err)
	// Output:
	// {"contents":[{"parts":[{"inlineData":{"mimeType":"image/png","data":"iVBORw0"}}]}],"generationConfig":{"maxOutputTokens":64,"thinkingConfig":{"thinkingLevel":"LOW"}}} <nil>
}

// Unknown members and the arguments of a call keep their bytes.
func ExampleEncodeResponse() {
	response, err := gemini.DecodeResponse([]byte(`{"candidates": [{"content": {"parts": [
	  {"functionCall": {"name": "transfer", "args": {"to": "x", "amount": 9007199254740993}}}
	]}}], "newMember": {"since": 2031}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	encoded, err := gemini.EncodeResponse(response)
	fmt.Println(string(encoded), err)
	// Output:
	// {"candidates":[{"content":{"parts":[{"functionCall":{"args":{"to":"x","amount":9007199254740993},"name":"transfer"}}]}}],"newMember":{"since":2031}} <nil>
}

func ExampleMalformedError() {
	_, err := gemini.DecodeResponse([]byte(`{"candidates": [{"content": "Good morning!"}]}`))
	fmt.Println(err)
	if malformed, ok := errors.AsType[*wire.MalformedError](err); ok {
		fmt.Println(malformed.Pointer, malformed.Offset)
	}
	// Output:
	// gemini: response: /candidates/0/content: offset 28: an object was expected, found a string
	// /candidates/0/content 28
}

func ExampleDecodeError() {
	err := gemini.DecodeError(http.StatusTooManyRequests, nil, []byte(`{"error": {
	  "code": 429, "status": "RESOURCE_EXHAUSTED", "message": "The daily limit is reached.",
	  "details": [
	    {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaId": "RequestsPerDay-FreeTier"}]},
	    {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s"}
	  ]
	}}`))
	fmt.Println(err)
	fmt.Println(err.RetryAfter, err.QuotaIDs())
	fmt.Println(errors.Is(err, &gemini.Error{Status: geminiapi.ErrorStatusResourceExhausted}))
	// Output:
	// gemini: 429 RESOURCE_EXHAUSTED: The daily limit is reached.
	// 34.5s [RequestsPerDay-FreeTier]
	// true
}
