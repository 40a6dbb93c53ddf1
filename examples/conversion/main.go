// Command conversion decodes an answer of generateContent, prints what it means, and converts it to
// a chat completion. It is the second program of the README.
package main

import (
	"errors"
	"fmt"
	"log"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform/chat"
)

// body is an answer of generateContent.
const body = `{
  "candidates": [{
    "content": {
      "role": "model",
      "parts": [
        {"text": "The user wants the weather in Porto.", "thought": true},
        {"functionCall": {"name": "get_weather", "args": {"city": "Porto"}}, "thoughtSignature": "ErkBpZ=="}
      ]
    },
    "finishReason": "STOP"
  }],
  "usageMetadata": {"promptTokenCount": 21, "candidatesTokenCount": 9, "thoughtsTokenCount": 30, "totalTokenCount": 60},
  "modelVersion": "gemini-3.6-flash",
  "responseId": "r7"
}`

func main() {
	// The wire: typed, forgiving about spelling, complete.
	decoded, err := gemini.DecodeResponse([]byte(body))
	if err != nil {
		log.Fatal(err) // a *wire.MalformedError has the JSON pointer and the offset
	}

	// The meaning: content blocks, why it ended, what it cost.
	response, err := normalize.FromResponse(decoded)
	if blocked, ok := errors.AsType[*normalize.BlockedError](err); ok {
		log.Fatal("refused: ", blocked.Reason)
	} else if err != nil {
		log.Fatal(err)
	}
	answer := response.Candidates[0]
	fmt.Println("thinking:", answer.Thinking())
	for _, call := range answer.ToolCalls() {
		fmt.Printf("%s: %s(%s)\n", answer.FinishReason, call.Name, call.Arguments)
	}
	fmt.Println("tokens:", response.Usage.InputTokens, "in,", response.Usage.OutputTokens, "out")

	// The same for clients that speak chat_completions, and what was changed on the way.
	completion, report, err := chat.FromGemini(decoded)
	if err != nil {
		log.Fatal(err)
	}
	out, err := openai.EncodeResponse(completion)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(out))
	for _, entry := range report {
		fmt.Println(entry)
	}
}
