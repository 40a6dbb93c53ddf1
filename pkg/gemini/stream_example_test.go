package gemini_test

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/wire"
)

func ExampleStreamReader() {
	body := io.NopCloser(strings.NewReader( // the Body of an *http.Response
		`data: {"candidates": [{"content": {"parts": [{"text": "The kettle"}],"role": "model"}}]}` +
			"\r\n\r\n" +
			`data: {"candidates": [{"content": {"parts": [{"text": " is on."}]},"finishReason": "STOP"}]}` +
			"\r\n\r\n"))
	defer body.Close()

	for chunk, err := range gemini.NewStreamReader(body).All() {
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, part := range chunk.Candidates[0].Content.Parts {
			fmt.Print(*part.Text)
		}
	}
	// Output: The kettle is on.
}

// A stream may fail after it began. The chunks before the error are not lost.
func ExampleStreamReader_Next() {
	body := strings.NewReader(`data: {"candidates": [{"content": {"parts": [{"text": "The kettle"}]}}]}` +
		"\r\n\r\n" +
		`{
  "error": {
    "code": 503,
    "message": "The model is overloaded.",
    "status": "UNAVAILABLE"
  }
}
`)
	stream := gemini.NewStreamReader(body)
	for {
		chunk, err := stream.Next()
		if err == io.EOF {
			fmt.Println("done")
			return
		}
		var reported *gemini.Error
		switch {
		case errors.As(err, &reported):
			fmt.Println("the server says:", reported.HTTPStatus, reported.Message)
			return
		case errors.Is(err, wire.ErrTruncated):
			fmt.Println("something is missing:", err)
			return
		case err != nil:
			fmt.Println(err)
			return
		}
		fmt.Println(*chunk.Candidates[0].Content.Parts[0].Text)
	}
	// Output:
	// The kettle
	// the server says: 503 The model is overloaded.
}

// Without alt=sse the API writes a JSON array.
func ExampleStreamReader_Bytes() {
	body := strings.NewReader(`[{"candidates": [{"content": {"parts": [{"text": "One"}]}}]}` +
		"\n,\r\n" + `{"candidates": [{"content": {},"finishReason": "STOP"}]}` + "\n]")
	stream := gemini.NewStreamReader(body, gemini.WithMaxEventSize(1<<20))
	for _, err := range stream.All() {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("chunk %d at byte %d: %s\n", stream.Count(), stream.Offset(), stream.Bytes())
	}
	// Output:
	// chunk 1 at byte 1: {"candidates": [{"content": {"parts": [{"text": "One"}]}}]}
	// chunk 2 at byte 64: {"candidates": [{"content": {},"finishReason": "STOP"}]}
}
