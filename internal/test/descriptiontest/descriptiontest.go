// Package descriptiontest holds what a server sends to its description, for tests.
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

// The descriptions of api/openapi.
var (
	openAI       = description("openai.yaml")
	anthropic    = description("anthropic.yaml")
	interactions = description("interactions.yaml")
)

// description returns what reads a description, once.
func description(name string) func() (*openapi3.T, error) {
	return sync.OnceValues(func() (*openapi3.T, error) {
		_, file, _, _ := runtime.Caller(0)
		return openapi3.NewLoader().LoadFromFile(filepath.Join(filepath.Dir(file),
			"../../../api/openapi", name))
	})
}

// OpenAI fails a test for a body that is not what OpenAI's description says of the schema, such as
// "CreateChatCompletionResponse".
func OpenAI(t testing.TB, schema string, body []byte) {
	t.Helper()
	if err := CheckOpenAI(schema, body); err != nil {
		t.Error(err)
	}
}

// Anthropic fails a test for a body that is not what Anthropic's description says of the schema,
// such as "Message".
func Anthropic(t testing.TB, schema string, body []byte) {
	t.Helper()
	if err := CheckAnthropic(schema, body); err != nil {
		t.Error(err)
	}
}

// CheckOpenAI says why a body is not what OpenAI's description says of the schema.
func CheckOpenAI(schema string, body []byte) error { return check(openAI, schema, body) }

// CheckAnthropic says why a body is not what Anthropic's description says of the schema.
func CheckAnthropic(schema string, body []byte) error { return check(anthropic, schema, body) }

// CheckInteractions says why a body is not what the description of Google's Interactions API says
// of the schema.
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

// OpenAIStream fails a test for a body that is no stream of a completion: chunks and, as the last,
// [DONE] or an error, each in an event of one data line, and between them nothing but comments. It
// returns the data of the events.
func OpenAIStream(t testing.TB, body []byte) (events []string) {
	t.Helper()
	events, faults := CheckOpenAIStream(body)
	for _, fault := range faults {
		t.Error(fault)
	}
	return events
}

// CheckOpenAIStream returns the data of the events of a stream, and why it is no stream of a
// completion.
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

// CheckOpenAIEvents does the same for the beginning of a stream: what its client left in the middle
// has no end.
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

// isLast reports whether nothing may follow an event.
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
