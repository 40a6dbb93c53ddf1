// Package descriptiontest holds what a server sends to its description, for tests.
package descriptiontest

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// openAI is api/openapi/openai.yaml.
var openAI = sync.OnceValues(func() (*openapi3.T, error) {
	_, file, _, _ := runtime.Caller(0)
	return openapi3.NewLoader().LoadFromFile(filepath.Join(filepath.Dir(file), "../../api/openapi/openai.yaml"))
})

// OpenAI fails a test for a body that is not what OpenAI's description says of the schema, such as
// "CreateChatCompletionResponse".
func OpenAI(t testing.TB, schema string, body []byte) {
	t.Helper()
	description, err := openAI()
	if err != nil {
		t.Fatal(err)
	}
	ref, ok := description.Components.Schemas[schema]
	if !ok {
		t.Fatalf("the description has no %s", schema)
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("not JSON: %v: %s", err, body)
	}
	if err := ref.Value.VisitJSON(value, openapi3.VisitAsResponse(), openapi3.MultiErrors()); err != nil {
		t.Errorf("not a %s: %v\n%s", schema, err, body)
	}
}

// OpenAIStream fails a test for a body that is no stream of a completion: chunks and, as the last, [DONE] or an error,
// each in an event of one data line, and between them nothing but comments. It returns the data of the events.
func OpenAIStream(t testing.TB, body []byte) (events []string) {
	t.Helper()
	blocks := strings.Split(string(body), "\n\n")
	if last := blocks[len(blocks)-1]; last != "" {
		t.Errorf("the stream ends within an event: %q", last)
	}
	for i, block := range blocks[:len(blocks)-1] {
		if strings.HasPrefix(block, ":") && !strings.Contains(block, "\n") {
			continue
		}
		data, ok := strings.CutPrefix(block, "data: ")
		if !ok || strings.Contains(data, "\n") {
			t.Errorf("event %d is not one data line: %q", i, block)
			continue
		}
		events = append(events, data)
	}
	for i, data := range events {
		isLast := i == len(events)-1
		switch {
		case data == "[DONE]":
			if !isLast {
				t.Error("something follows [DONE]")
			}
		case strings.HasPrefix(data, `{"error"`):
			if !isLast {
				t.Error("something follows the error")
			}
			OpenAI(t, "ErrorResponse", []byte(data))
		default:
			if isLast {
				t.Errorf("the stream ends without [DONE] or an error, in %s", data)
			}
			if strings.Contains(data, `"error":`) {
				t.Errorf("a chunk has a member that some clients take for a failure: %s", data)
			}
			OpenAI(t, "CreateChatCompletionStreamResponse", []byte(data))
		}
	}
	return events
}
