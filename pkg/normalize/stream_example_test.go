package normalize_test

import (
	"fmt"
	"strings"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// body is the body of a streamGenerateContent answer.
const body = `data: {"candidates": [{"content": {"parts": [{"text": "High water is at 14:12"}], "role": "model"}}], "modelVersion": "gemini-3.6-flash", "responseId": "Hs1Waa"}

data: {"candidates": [{"content": {"parts": [{"text": ", then it falls."}], "role": "model"}}]}

data: {"candidates": [{"content": {"parts": [{"functionCall": {"id": "c1", "name": "set_alarm", "args": {"at": "14:00"}}}], "role": "model"}, "finishReason": "STOP"}], "usageMetadata": {"promptTokenCount": 9, "candidatesTokenCount": 21, "totalTokenCount": 30}}

`

func ExampleEvents() {
	reader := gemini.NewStreamReader(strings.NewReader(body))
	for event := range normalize.Events(reader.All()) {
		switch event.Type {
		case normalize.EventTextDelta:
			fmt.Printf("%q\n", event.Text)
		case normalize.EventToolCallDone:
			fmt.Printf("%s%s\n", event.ToolName, event.Arguments)
		case normalize.EventFinish:
			fmt.Println(event.FinishReason)
		case normalize.EventDone:
			fmt.Println(event.Usage.TotalTokens, "tokens")
		case normalize.EventError:
			fmt.Println("failed:", event.Error)
		}
	}
	// Output:
	// "High water is at 14:12"
	// ", then it falls."
	// set_alarm{"at":"14:00"}
	// tool_use
	// 30 tokens
}

func ExampleAccumulate() {
	reader := gemini.NewStreamReader(strings.NewReader(body))
	response, err := normalize.Accumulate(normalize.Events(reader.All()))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(response.Text())
	for _, call := range response.Candidates[0].ToolCalls() {
		fmt.Println(call.ID, call.Name, string(call.Arguments))
	}
	// Output:
	// High water is at 14:12, then it falls.
	// c1 set_alarm {"at":"14:00"}
}

func ExampleStream() {
	stream := normalize.NewStream()
	reader := gemini.NewStreamReader(strings.NewReader(body[:strings.LastIndex(body, "data:")]))
	for {
		chunk, err := reader.Next()
		if err != nil {
			last, _ := stream.Close(err)
			for _, event := range last {
				fmt.Println(event.Type, event.Error.Category, event.Error.Retryable())
			}
			return
		}
		events, err := stream.Push(chunk)
		for _, event := range events {
			fmt.Printf("%s %q\n", event.Type, event.Text)
		}
		if err != nil {
			return
		}
	}
	// Output:
	// start ""
	// text_delta "High water is at 14:12"
	// text_delta ", then it falls."
	// error network true
}

func ExampleMergeChunks() {
	first, _ := gemini.DecodeResponse([]byte(`{"candidates":[{"content":{"parts":[{"text":"High water "}],"role":"model"},"tokenCount":2}]}`))
	second, _ := gemini.DecodeResponse([]byte(`{"candidates":[{"content":{"parts":[{"text":"is at 14:12."}],"role":"model"},"tokenCount":9,"finishReason":"STOP"}]}`))
	merged, report := normalize.MergeChunks(first, second)
	whole, err := gemini.EncodeResponse(merged)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(whole))
	fmt.Println(report[0])
	// Output:
	// {"candidates":[{"content":{"parts":[{"text":"High water is at 14:12."}],"role":"model"},"finishReason":"STOP","tokenCount":9}]}
	// approximated /0/candidates/0/tokenCount: a later chunk has another value
}
