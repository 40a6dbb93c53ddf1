package agent_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/pkg/aisdk"
	"github.com/gemwire/gemwire/pkg/transform/agent"
	"github.com/go-json-experiment/json/jsontext"
)

func ExampleMapNDJSON() {
	input := strings.NewReader(`{"type":"init","session_id":"s1","modelId":"gemini-3.6-flash"}
{"type":"message","role":"assistant","content":"Hello ","delta":true}
{"type":"message","role":"assistant","content":"world!","delta":true}
`)
	options := []agent.Option{
		agent.WithTextIDs(func() string { return "text-1" }), // by default a random UUID
		// unknown; by default all counts are 0
		agent.WithFinishUsage(aisdkapi.Usage{}),
	}
	for part, err := range agent.MapNDJSON(input, options...) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if err := aisdk.WritePart(os.Stdout, part); err != nil {
			fmt.Println(err)
			return
		}
	}
	// Output:
	// {"type":"response-metadata","modelId":"gemini-3.6-flash"}
	// {"type":"text-start","id":"text-1"}
	// {"type":"text-delta","id":"text-1","delta":"Hello "}
	// {"type":"text-delta","id":"text-1","delta":"world!"}
	// {"type":"text-end","id":"text-1"}
	// {"type":"finish","usage":{"inputTokens":{},"outputTokens":{}},"finishReason":{"unified":"stop"}}
}

// A turn ends when the agent waits for the client. The next turn continues with the same input.
func ExampleStream() {
	input := strings.NewReader(`
{"type":"relay.session","sessionId":"rs-1","token":"secret","relayUrl":"https://relay.example"}
{"type":"snapshot_request","requestId":"req-1","instruction":"Fill the form"}
{"type":"message","role":"assistant","content":"Filled.","delta":false}`)
	stream := agent.NewStream(input)
	var session agent.SessionUpdate
	for turn := 1; turn == 1 || stream.RelayRequest() != nil; turn++ {
		for result, err := range stream.Results() {
			if err != nil {
				fmt.Println(err)
				return
			}
			session.Merge(result.SessionUpdate) // before the parts
			for _, part := range result.Parts {
				fmt.Println("turn", turn, part.PartType())
			}
		}
		fmt.Println("pending:", session.PendingRequestID, "at", session.RelayURL)
	}
	// Output:
	// turn 1 tool-call
	// turn 1 finish
	// pending: req-1 at https://relay.example
	// turn 2 text-start
	// turn 2 text-delta
	// turn 2 text-end
	// turn 2 finish
	// pending: req-1 at https://relay.example
}

func ExampleStream_Report() {
	input := strings.NewReader(`{"type":"tool_use","tool_name":"shell"} {"type":"init",} bye`)
	stream := agent.NewStream(input)
	for range stream.Parts() {
		continue
	}
	for _, entry := range stream.Report() {
		fmt.Println(entry)
	}
	// Output:
	// lost /0: event at byte 0: a call of one of the agent's own tools
	// lost /1: event at byte 40: not a JSON object, at its byte 14: not JSON
	// lost /-: byte 57: skipped 3 bytes of text outside of objects
}

func ExampleExtractJSONObjects() {
	objects, rest := agent.ExtractJSONObjects("{\"a\":1}\n[{\"b\":\"}\"}] 5\" {\"c\":")
	fmt.Println(objects, rest)
	objects, rest = agent.ExtractJSONObjects(rest + "3}")
	fmt.Printf("%s %q\n", objects, rest)
	// Output:
	// [{"a":1} {"b":"}"}] {"c":
	// [{"c":3}] ""
}

func ExampleMapNDJSONEvent() {
	var c agent.MapperContext
	event := jsontext.Value(`{"type":"execute_request","requestId":"req-2","actions":[{"click":"#ok"}]}`)
	result := agent.MapNDJSONEvent(event, &c)
	call := result.Parts[0].(aisdkapi.ToolCall)
	fmt.Println(call.ToolCallID, call.ToolName, call.Input)
	fmt.Println(result.SessionUpdate.PendingRequestID)
	// Output:
	// req-2 executeFormActions {"actions":[{"click":"#ok"}]}
	// req-2
}
