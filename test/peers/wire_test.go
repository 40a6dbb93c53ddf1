package peers_test

import (
	"fmt"
	"strings"
)

// greeting is the text of each streamed answer.
const greeting = "Grüße, 世界"

// complaint is the message of the error in a stream.
const complaint = "All workers are busy."

// format is how an API writes a streamed answer that says the greeting.
type format struct {
	// begin are the events before the text.
	begin []event
	hello event
	// end says why the answer ended.
	end []event
	// done are the events after the answer, for an API that marks its end.
	done []event
	// failed is an error in the middle of an answer, error one in place of it.
	failed event
	error  string
	// odd are payloads that are JSON and no part of an answer.
	odd map[string]event
}

// event is one event: its name, "" for none, and its data.
type event struct{ name, data string }

var geminiWire = format{
	hello:  event{data: candidate(greeting)},
	end:    []event{{data: `{"candidates":[{"finishReason":"STOP"}]}`}},
	failed: event{data: geminiError},
	error:  geminiError,
	odd: map[string]event{
		"null":           {data: "null"},
		"null in a list": {data: `{"candidates":[null]}`},
		"object":         {data: `{"candidates":{}}`},
		"null part":      {data: `{"candidates":[{"content":{"parts":[null]}}]}`},
	},
}

const geminiError = `{"error":{"code":503,"message":"` + complaint + `","status":"UNAVAILABLE"}}`

func candidate(text string) string {
	return fmt.Sprintf(`{"candidates":[{"content":{"parts":[{"text":%q}],"role":"model"}}]}`, text)
}

var openaiWire = format{
	hello: event{data: chunk(fmt.Sprintf(`{"index":0,"delta":{"role":"assistant","content":%q},"finish_reason":null}`,
		greeting))},
	end:    []event{{data: chunk(`{"index":0,"delta":{},"finish_reason":"stop"}`)}},
	done:   []event{{data: "[DONE]"}},
	failed: event{data: openaiError},
	error:  openaiError,
	odd: map[string]event{
		"null":           {data: "null"},
		"null in a list": {data: `{"choices":[null]}`},
		"object":         {data: `{"choices":{}}`},
	},
}

const openaiError = `{"error":{"message":"` + complaint +
	`","type":"server_error","param":null,"code":null}}`

func chunk(choice string) string {
	return `{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[` +
		choice + `]}`
}

var anthropicWire = format{
	begin: []event{
		named(`{"type":"message_start","message":{"id":"m1","type":"message","role":"assistant","content":[],"model":"m","stop_reason":null,"usage":{"input_tokens":1,"output_tokens":1}}}`),
		named(`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`),
	},
	hello: named(fmt.Sprintf(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":%q}}`,
		greeting)),
	end: []event{
		named(`{"type":"content_block_stop","index":0}`),
		named(`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":3}}`),
		named(`{"type":"message_stop"}`),
	},
	failed: named(anthropicError),
	error:  anthropicError,
	odd: map[string]event{
		"null":           {"content_block_delta", "null"},
		"null in a list": {"message_start", `{"type":"message_start","message":{"content":[null]}}`},
		"object":         {"message_start", `{"type":"message_start","message":{"content":{}}}`},
	},
}

const anthropicError = `{"type":"error","error":{"type":"overloaded_error","message":"` +
	complaint + `"}}`

// named is an event of the Messages API, which has its type as its name, too.
func named(data string) event {
	_, kind, _ := strings.Cut(data, `"type":"`)
	kind, _, _ = strings.Cut(kind, `"`)
	return event{kind, data}
}

// answer returns the events of a whole answer.
func (w format) answer() []event { return append(w.finished(), w.done...) }

// finished returns the events up to the one that says why the answer ended.
func (w format) finished() []event { return append(w.begun(), w.end...) }

// begun returns the events up to the text.
func (w format) begun() []event { return append(append([]event(nil), w.begin...), w.hello) }

// lines returns the lines of an event without what ends them.
func (e event) lines() []string {
	if e.name == "" {
		return []string{"data: " + e.data}
	}
	return []string{"event: " + e.name, "data: " + e.data}
}

// written writes events with what ends a line.
func written(events []event, lineEnd string) string {
	var b strings.Builder
	for _, e := range events {
		b.WriteString(strings.Join(e.lines(), lineEnd) + lineEnd + lineEnd)
	}
	return b.String()
}
