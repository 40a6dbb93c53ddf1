package messages_test

import (
	"testing"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/messages"
	"github.com/google/go-cmp/cmp"
)

// declared is a request that declares both of Anthropic's server tools that Gemini has too.
var declared = &anthropicapi.CreateMessageRequest{Model: "claude-sonnet-5",
	Tools: []anthropicapi.Tool{
		{Type: "web_search_20260318", Name: "web_search"}, {Type: "code_execution_20260521", Name: "code_execution"},
	}}

// modes are the forms of the output.
var modes = map[string][]messages.Option{
	"plain":             nil,
	"server tools":      {messages.WithRequest(declared)},
	"without thinking":  {messages.WithoutThinking()},
	"signatures in ids": {messages.WithSignaturesInIDs()},
}

// convert converts a response and checks what must hold for every message.
func convert(t testing.TB, wire string, opts ...messages.Option) (*anthropicapi.Message,
	report.Report) {
	t.Helper()
	out, report, err := messages.FromGemini(openaitest.Decode(t, wire), opts...)
	if err != nil {
		t.Fatal(err)
	}
	checkMessage(t, "", out)
	return out, report
}

// parts converts a response that ends normally and has these parts.
func parts(t testing.TB, list string, opts ...messages.Option) (*anthropicapi.Message,
	report.Report) {
	t.Helper()
	return convert(t, `{"candidates":[{"content":{"role":"model","parts":[`+list+
		`]},"finishReason":"STOP"}],"responseId":"r1","modelVersion":"m",`+
		`"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":2,"totalTokenCount":5}}`,
		opts...)
}

// checkMessage checks what must hold for every message.
func checkMessage(t testing.TB, name string, out *anthropicapi.Message) {
	t.Helper()
	if err := anthropic.ValidateResponse(out); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	data := encode(t, out)
	again, err := anthropic.DecodeResponse([]byte(data))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if diff := cmp.Diff(data, encode(t, again)); diff != "" {
		t.Errorf("%s: the bytes say something else: %s", name, diff)
	}
}

func encode(t testing.TB, out *anthropicapi.Message) string {
	t.Helper()
	data, err := anthropic.EncodeResponse(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// streamed is the result of a stream.
type streamed struct {
	events []anthropicapi.StreamEvent
	report report.Report
	err    error
}

// convertStream converts chunks, and checks the order of the events.
func convertStream(t testing.TB, wire []*geminiapi.GenerateContentResponse, failure error,
	opts ...messages.Option) (out streamed) {
	t.Helper()
	s := messages.NewStream(opts...)
	for e, err := range s.Events(openaitest.Pairs(wire, failure)) {
		if err != nil {
			out.err = err
			break
		}
		out.events = append(out.events, e)
	}
	out.report = s.Report()
	checked := out.events
	if out.err != nil {
		_, body := messages.FromError(out.err)
		checked = append(checked[:len(checked):len(checked)],
			anthropicapi.StreamEvent{Type: anthropicapi.EventTypeError, Error: &body.Error})
	}
	if err := anthropic.CheckSequence(checked); err != nil {
		t.Errorf("%v", err)
	}
	for i := range out.events {
		if err := anthropic.ValidateEvent(&out.events[i]); err != nil {
			t.Errorf("event %d: %v", i, err)
		}
	}
	return out
}

// chunks converts a stream of chunks that completes.
func chunks(t testing.TB, wire []string, opts ...messages.Option) streamed {
	t.Helper()
	return convertStream(t, openaitest.DecodeAll(t, wire), nil, opts...)
}

// accumulate returns the message of a stream, as clients build it.
func accumulate(t testing.TB, events []anthropicapi.StreamEvent) *anthropicapi.Message {
	t.Helper()
	var a anthropic.Accumulator
	for i := range events {
		if err := a.Push(&events[i]); err != nil {
			t.Fatal(err)
		}
	}
	return a.Message()
}

// unary returns the message of the merged chunks.
func unary(t testing.TB, wire []*geminiapi.GenerateContentResponse,
	opts ...messages.Option) *anthropicapi.Message {
	t.Helper()
	merged, _ := normalize.MergeChunks(wire...)
	out, _, err := messages.FromGemini(merged, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
