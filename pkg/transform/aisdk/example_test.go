package aisdk_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform/aisdk"
)

// body is a response of streamGenerateContent with alt=sse.
const body = `data: {"candidates":[{"content":{"parts":[{"text":"Let me look.","thought":true}],"role":"model"}}],"responseId":"r1"}

data: {"candidates":[{"content":{"parts":[{"functionCall":{"id":"f1","name":"weather","args":{"city":"Bern"}},"thoughtSignature":"c2ln"}],"role":"model"},"finishReason":"STOP"}],"responseId":"r1"}

`

func ExampleWriteStream() {
	reader := gemini.NewStreamReader(strings.NewReader(body))
	if _, err := aisdk.WriteStream(os.Stdout, reader.All()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"type":"stream-start","warnings":[]}
	// {"type":"response-metadata","id":"r1"}
	// {"type":"reasoning-start","id":"0"}
	// {"type":"reasoning-delta","id":"0","delta":"Let me look."}
	// {"type":"reasoning-end","id":"0"}
	// {"type":"tool-input-start","id":"f1","toolName":"weather","providerMetadata":{"google":{"thoughtSignature":"c2ln"}}}
	// {"type":"tool-input-delta","id":"f1","delta":"{\"city\":\"Bern\"}"}
	// {"type":"tool-input-end","id":"f1"}
	// {"type":"tool-call","toolCallId":"f1","toolName":"weather","input":"{\"city\":\"Bern\"}","providerMetadata":{"google":{"thoughtSignature":"c2ln"}}}
	// {"type":"finish","usage":{"inputTokens":{},"outputTokens":{}},"finishReason":{"unified":"tool-calls","raw":"STOP"}}
}

func ExampleFromGemini() {
	broken := strings.NewReader(strings.Split(body, "\n\n")[0] + "\n\n")
	for part, err := range aisdk.FromGemini(gemini.NewStreamReader(broken).All()) {
		if err != nil {
			fmt.Println(err)
			return
		}
		switch p := part.(type) {
		case aisdkapi.ReasoningDelta:
			fmt.Println(p.Delta)
		case aisdkapi.Finish:
			fmt.Println(p.FinishReason.Unified)
		}
	}
	// Output:
	// Let me look.
	// error
	// normalize: network: stream: truncated at byte 120 after 1 event: no finish reason
}

func ExampleStream() {
	s := aisdk.NewStream()
	for _, event := range []string{
		`{"candidates":[{"content":{"parts":[{"text":"Hi"}]}},{"index":1,"content":{"parts":[{"text":"Hello"}]}}]}`,
		`{"candidates":[{"finishReason":"STOP"},{"index":1,"finishReason":"STOP"}]}`,
	} {
		chunk, err := gemini.DecodeResponse([]byte(event))
		if err != nil {
			fmt.Println(err)
			return
		}
		parts, err := s.Push(chunk)
		for _, part := range parts {
			fmt.Println(part.PartType())
		}
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	parts, err := s.Close(nil)
	for _, part := range parts {
		fmt.Println(part.PartType())
	}
	fmt.Println(err, s.Report())
	// Output:
	// stream-start
	// text-start
	// text-delta
	// text-end
	// finish
	// <nil> [lost /0/candidates/1: only the first candidate is streamed lost /1/candidates/1: only the first candidate is streamed]
}
