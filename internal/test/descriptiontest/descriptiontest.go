// Package descriptiontest checks in tests whether the JSON that a server sends conforms to its
// API's OpenAPI description.
package descriptiontest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// The descriptions in api/openapi.
var (
	openAI       = description("openai.yaml")
	anthropic    = description("anthropic.yaml")
	interactions = description("interactions.yaml")
)

// description returns a function that reads a description once.
func description(name string) func() (*openapi3.T, error) {
	return sync.OnceValues(func() (*openapi3.T, error) {
		_, file, _, _ := runtime.Caller(0)
		return openapi3.NewLoader().LoadFromFile(filepath.Join(filepath.Dir(file),
			"../../../api/openapi", name))
	})
}

// OpenAI fails a test if a body does not conform to a schema of OpenAI's description, such as
// "CreateChatCompletionResponse".
func OpenAI(t testing.TB, schema string, body []byte) {
	t.Helper()
	if err := CheckOpenAI(schema, body); err != nil {
		t.Error(err)
	}
}

// Anthropic fails a test if a body does not conform to a schema of Anthropic's description, such as
// "Message".
func Anthropic(t testing.TB, schema string, body []byte) {
	t.Helper()
	if err := CheckAnthropic(schema, body); err != nil {
		t.Error(err)
	}
}

// CheckOpenAI returns why a body does not conform to a schema of OpenAI's description.
func CheckOpenAI(schema string, body []byte) error { return check(openAI, schema, body) }

// CheckAnthropic returns why a body does not conform to a schema of Anthropic's description.
func CheckAnthropic(schema string, body []byte) error { return check(anthropic, schema, body) }

// CheckInteractions returns why a body does not conform to a schema of the description of Google's
// Interactions API.
func CheckInteractions(schema string, body []byte) error {
	return check(interactions, schema, body)
}

func check(read func() (*openapi3.T, error), schema string, body []byte) error {
	description, err := read()
	if err != nil {
		return err
	}
	ref, ok := description.Components.Schemas[schema]
	if !ok {
		return fmt.Errorf("the description has no %s", schema)
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return fmt.Errorf("not JSON: %w: %s", err, body)
	}
	if err := ref.Value.VisitJSON(value, openapi3.VisitAsResponse(),
		openapi3.MultiErrors()); err != nil {
		return fmt.Errorf("not a %s: %w\n%s", schema, err, body)
	}
	return nil
}

// OpenAIStream fails a test if a body is not the stream of a chat completion. A stream consists of
// chunks, and ends with [DONE] or an error. Each is an event with one data line, and only comments
// may be between them. OpenAIStream returns the data of the events.
func OpenAIStream(t testing.TB, body []byte) (events []string) {
	t.Helper()
	events, faults := CheckOpenAIStream(body)
	for _, fault := range faults {
		t.Error(fault)
	}
	return events
}

// CheckOpenAIStream returns the data of the events of a stream. The error says why the body is not
// the stream of a chat completion.
func CheckOpenAIStream(body []byte) (events []string, faults []error) {
	events, faults = CheckOpenAIEvents(body)
	if last := body[bytes.LastIndex(body, []byte("\n\n"))+1:]; len(bytes.TrimSpace(last)) > 0 {
		faults = append(faults, fmt.Errorf("the stream ends within an event: %q", last))
	}
	if len(events) == 0 || !isLast(events[len(events)-1]) {
		faults = append(faults, errors.New("the stream ends without [DONE] or an error"))
	}
	return events, faults
}

// CheckOpenAIEvents does the same for the beginning of a stream. If a client disconnects in the
// middle, the stream has no end.
func CheckOpenAIEvents(body []byte) (events []string, faults []error) {
	blocks := strings.Split(string(body), "\n\n")
	for i, block := range blocks[:len(blocks)-1] {
		if strings.HasPrefix(block, ":") && !strings.Contains(block, "\n") {
			continue
		}
		data, ok := strings.CutPrefix(block, "data: ")
		if !ok || strings.Contains(data, "\n") {
			faults = append(faults, fmt.Errorf("event %d is not one data line: %q", i, block))
			continue
		}
		if len(events) > 0 && isLast(events[len(events)-1]) {
			faults = append(faults, fmt.Errorf("%s follows the last event", data))
		}
		if err := checkEvent(data); err != nil {
			faults = append(faults, err)
		}
		events = append(events, data)
	}
	return events, faults
}

// isLast reports whether an event must be the last one.
func isLast(data string) bool { return data == "[DONE]" || strings.HasPrefix(data, `{"error"`) }

func checkEvent(data string) error {
	switch {
	case data == "[DONE]":
		return nil
	case isLast(data):
		return CheckOpenAI("ErrorResponse", []byte(data))
	case strings.Contains(data, `"error":`):
		return fmt.Errorf("a chunk has a member that some clients take for a failure: %s", data)
	default:
		return CheckOpenAI("CreateChatCompletionStreamResponse", []byte(data))
	}
}
