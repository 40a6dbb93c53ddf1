package descriptiontest

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// Event is an event of a stream in which events have names.
type Event struct{ Name, Data string }

// NamedEvents fails a test if a body is not a stream of named events. Each event has a line with
// its name and one data line. The type in the data must equal the name. Only comments may be
// between events. NamedEvents returns the events.
func NamedEvents(t testing.TB, body []byte) (events []Event) {
	t.Helper()
	if !bytes.HasSuffix(body, []byte("\n\n")) {
		t.Errorf("the stream ends within an event: %q",
			body[bytes.LastIndex(body, []byte("\n\n"))+1:])
	}
	for block := range strings.SplitSeq(strings.TrimSuffix(string(body), "\n\n"), "\n\n") {
		if strings.HasPrefix(block, ":") && !strings.Contains(block, "\n") {
			continue
		}
		event, err := NamedEvent(block)
		if err != nil {
			t.Error(err)
			continue
		}
		events = append(events, event)
	}
	return events
}

// NamedEvent parses the text of an event before its blank line.
func NamedEvent(block string) (Event, error) {
	head, data, _ := strings.Cut(block, "\ndata: ")
	name, hasName := strings.CutPrefix(head, "event: ")
	if !hasName || data == "" || strings.Contains(name+data, "\n") {
		return Event{}, fmt.Errorf("an event is not a line with its name and a data line: %q",
			block)
	}
	var document struct {
		Type      string `json:"type"`
		EventType string `json:"event_type"` // in the Interactions API
	}
	err := json.Unmarshal([]byte(data), &document)
	if kind := cmp.Or(document.Type, document.EventType); err != nil || kind != name {
		return Event{}, fmt.Errorf("the event %s is of the type %q: %w", name, kind, err)
	}
	return Event{name, data}, nil
}
