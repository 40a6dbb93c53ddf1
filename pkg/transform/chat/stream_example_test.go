package chat_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform/chat"
)

const aBody = `data: {"candidates": [{"content": {"parts": [{"text": "High tide "}]}}], "modelVersion": "gemini-3.6-flash", "responseId": "r1"}

data: {"candidates": [{"content": {"parts": [{"text": "at nine."}]}, "finishReason": "STOP"}], "modelVersion": "gemini-3.6-flash", "responseId": "r1"}

`

func ExampleWriteStream() {
	in := gemini.NewStreamReader(strings.NewReader(aBody))
	report, err := chat.WriteStream(os.Stdout, in.All())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report)
	// Output:
	// data: {"id":"r1","object":"chat.completion.chunk","created":0,"model":"gemini-3.6-flash","choices":[{"index":0,"delta":{"role":"assistant","content":"High tide "},"finish_reason":null}]}
	//
	// data: {"id":"r1","object":"chat.completion.chunk","created":0,"model":"gemini-3.6-flash","choices":[{"index":0,"delta":{"content":"at nine."},"finish_reason":null}]}
	//
	// data: {"id":"r1","object":"chat.completion.chunk","created":0,"model":"gemini-3.6-flash","choices":[{"index":0,"delta":{},"finish_reason":"stop","native_finish_reason":"STOP"}]}
	//
	// data: [DONE]
	//
	// [added /0/createTime: the response has no time]
}

func ExampleStream_Chunks() {
	in := gemini.NewStreamReader(strings.NewReader(aBody))
	for chunk, err := range chat.NewStream().Chunks(in.All()) {
		if err != nil {
			fmt.Println(err)
			return
		}
		choice := chunk.Choices[0]
		if choice.Delta.Content != nil {
			fmt.Print(*choice.Delta.Content)
		}
		if choice.FinishReason != nil {
			fmt.Printf(" [%s]\n", *choice.FinishReason)
		}
	}
	// Output: High tide at nine. [stop]
}

// A caller that cannot loop over a stream pushes its chunks as they arrive.
func ExampleStream_Push() {
	in := gemini.NewStreamReader(strings.NewReader(aBody))
	s := chat.NewStream(chat.WithUsage())
	for {
		chunk, err := in.Next()
		if err != nil { // the end, or why there is no more
			out, err := s.Close(err)
			fmt.Println(len(out), "chunks at the end,", err)
			break
		}
		out, err := s.Push(chunk)
		if err != nil {
			fmt.Println(err)
			return
		}
		for i := range out {
			fmt.Printf("%q\n", *out[i].Choices[0].Delta.Content)
		}
	}
	// Output:
	// "High tide "
	// "at nine."
	// 2 chunks at the end, <nil>
}
