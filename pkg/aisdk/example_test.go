package aisdk_test

import (
	"fmt"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/pkg/aisdk"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

func ExampleDecodePart() {
	part, err := aisdk.DecodePart([]byte(`{"type":"tool-call","toolCallId":"c1","toolName":"weather","input":"{\"city\":\"Bern\"}"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	switch p := part.(type) {
	case aisdkapi.ToolCall:
		fmt.Println(p.ToolName, p.Input)
	case aisdkapi.TextDelta:
		fmt.Print(p.Delta)
	}
	_, err = aisdk.DecodePart([]byte(`{"type":"text-delta","text":"Hi"}`))
	fmt.Println(err)
	// Output:
	// weather {"city":"Bern"}
	// aisdk: text-delta: /id: a required member is missing
}

func ExampleForV4() {
	file := aisdkapi.File{MediaType: "image/png",
		Data: wiretype.FileData{URL: "https://example.com/cat.png"}}
	_, err := aisdk.EncodePart(file)
	fmt.Println(err)
	line, err := aisdk.EncodePart(file, aisdk.ForV4())
	fmt.Println(string(line), err)
	// Output:
	// aisdk: file: /data: only version 4 of the specification has this
	// {"type":"file","mediaType":"image/png","data":{"type":"url","url":"https://example.com/cat.png"}} <nil>
}
