// Command user is a program of somebody who uses the SDK: it converts an answer of Gemini.
package main

import (
	"fmt"
	"os"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform/chat"
)

func main() {
	const body = `{"candidates":[{"content":{"role":"model","parts":[{"text":"Hello"}]},"finishReason":"STOP"}]}`
	answer, err := gemini.DecodeResponse([]byte(body))
	if err != nil {
		fail(err)
	}
	response, err := normalize.FromResponse(answer)
	if err != nil {
		fail(err)
	}
	completion, _, err := chat.FromGemini(answer)
	if err != nil {
		fail(err)
	}
	out, err := openai.EncodeResponse(completion)
	if err != nil {
		fail(err)
	}
	fmt.Println(response.Text(), string(out))
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
