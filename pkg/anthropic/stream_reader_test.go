package anthropic_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/google/go-cmp/cmp"
)

// Events of a small stream.
const (
	start = `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":3,"output_tokens":1}}}`
	begin = `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`
	more  = `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}`
	end   = `{"type":"content_block_stop","index":0}`
	delta = `{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":2}}`
	stop  = `{"type":"message_stop"}`
	ping  = `{"type":"ping"}`
	fault = `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_1"}`
)

// named writes events with their names, each line ended by the given text.
func named(newline string, events ...string) string {
	var out strings.Builder
	for _, data := range events {
		name, _, _ := strings.Cut(strings.TrimPrefix(data, `{"type":"`), `"`)
		out.WriteString("event: " + name + newline + "data: " + data + newline + newline)
	}
	return out.String()
}

func read(body io.Reader) (types []anthropicapi.EventType, err error) {
	for event, err := range anthropic.NewStreamReader(body).All() {
		if err != nil {
			return types, err
		}
		types = append(types, event.Type)
	}
	return types, nil
}

func TestTheReaderTakesWhatServersAndProxiesSend(t *testing.T) {
	t.Parallel()
	all := []string{start, begin, more, end, delta, stop}
	whole := named("\n", all...)
	want := []anthropicapi.EventType{"message_start", "content_block_start", "content_block_delta",
		"content_block_stop", "message_delta", "message_stop"}
	for name, body := range map[string]string{
		"named events": whole,
		"CRLF":         named("\r\n", all...),
		"CR":           named("\r", all...),
		"a byte order mark and comments": "\ufeff: hello\n\n" +
			strings.ReplaceAll(whole, "event: content", ": beat\n\nevent: content"),
		"no names": "data: " + strings.Join(all, "\n\ndata: ") + "\n\n",
		"other names": strings.ReplaceAll(whole, "event: message_delta",
			"event: message"),
		"no blank line at the end": strings.TrimRight(whole, "\n"),
		"[DONE] after the end":     whole + "data: [DONE]\n\n",
		"a line for each event":    strings.Join(all, "\n"),
	} {
		for reader, r := range map[string]io.Reader{
			"whole":  strings.NewReader(body),
			"bytes":  iotest.OneByteReader(strings.NewReader(body)),
			"halves": iotest.HalfReader(strings.NewReader(body)),
		} {
			got, err := read(r)
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("%s, %s: %v %s", name, reader, err, diff)
			}
		}
	}
}

func TestPingsAndUnknownEventsAreEvents(t *testing.T) {
	t.Parallel()
	got, err := read(strings.NewReader(named("\n", ping, start, `{"type":"unheard_of","more":1}`,
		delta, stop)))
	want := []anthropicapi.EventType{"ping", "message_start", "unheard_of", "message_delta",
		"message_stop"}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
}

func TestTheReaderSaysWhyThereAreNoMoreEvents(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		body   string
		events int
		is     error
	}{
		"an empty body":               {"", 0, wire.ErrTruncated},
		"no end":                      {named("\n", start, begin, more), 3, wire.ErrTruncated},
		"no message_stop":             {named("\n", start, begin, more, end, delta), 5, wire.ErrTruncated},
		"[DONE] in place of it":       {named("\n", start) + "data: [DONE]\n\n", 1, wire.ErrTruncated},
		"cut within an event":         {named("\n", start, begin)[:250], 1, wire.ErrTruncated},
		"a second message":            {named("\n", start, begin, start), 2, wire.ErrSecondStream},
		"an event above the limit":    {named("\n", start, strings.Replace(more, "Hi", strings.Repeat("x", 400), 1)), 1, wire.ErrEventTooLarge},
		"a page in place of a stream": {"<html>502</html>", 0, wire.ErrTruncated},
		"the word DONE as an event":   {named("\n", start) + "event: message_stop\ndata: DONE\n\n", 1, nil},
		"a member of the wrong type":  {named("\n", start, strings.Replace(begin, `"index":0`, `"index":"a"`, 1)), 1, nil},
		"bytes that are not JSON":     {named("\n", start) + "data: {]\n\n", 1, nil},
		"after a failure, still that": {"data: {\"type\":7}\n\n" + named("\n", start), 0, nil},
	} {
		r := anthropic.NewStreamReader(strings.NewReader(tt.body), anthropic.WithMaxEventSize(300))
		events, last := 0, error(nil)
		for {
			if _, last = r.Next(); last != nil {
				break
			}
			events++
		}
		streamError, isStreamError := errors.AsType[*wire.StreamError](last)
		if events != tt.events || !isStreamError || tt.is != nil && !errors.Is(last, tt.is) {
			t.Errorf("%s: %d events, then %v", name, events, last)
			continue
		}
		if _, again := r.Next(); again != last || streamError.Wire != "anthropic" {
			t.Errorf("%s: then %v", name, again)
		}
	}
}

// An error in the stream is reported in any framing.
func TestAnErrorInTheStreamEndsIt(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"an event of its type": named("\n", start, fault),
		"without a name":       named("\n", start) + "data: " + fault + "\n\n",
		"by its name alone": named("\n", start) + "event: error\ndata: " +
			strings.Replace(fault, `"type":"error",`, "", 1) + "\n\n",
		"a body that is not a stream":    named("\n", start) + fault,
		"no blank line at the end of it": strings.TrimRight(named("\n", start, fault), "\n"),
	} {
		types, err := read(strings.NewReader(body))
		reported, ok := errors.AsType[*anthropic.Error](err)
		if len(types) != 1 || !ok || reported.Response.Error.Type != "overloaded_error" ||
			*reported.Response.RequestID != "req_1" {
			t.Errorf("%s: %v, %v", name, types, err)
		}
	}
}

func TestBytesAfterTheEndAreReported(t *testing.T) {
	t.Parallel()
	r := anthropic.NewStreamReader(strings.NewReader(named("\n", start, delta, stop, ping)))
	for range r.All() {
	}
	if err := r.CheckEnd(); err != nil || len(r.Report()) != 1 || r.Report()[0].Pointer != "/3" {
		t.Errorf("%v, %v", err, r.Report())
	}
	r = anthropic.NewStreamReader(strings.NewReader(named("\n", start, delta, stop, start)))
	for range r.All() {
	}
	if err := r.CheckEnd(); !errors.Is(err, wire.ErrSecondStream) {
		t.Error(err)
	}
}

func TestTheWriterNamesEachEventAndEndsTheStream(t *testing.T) {
	t.Parallel()
	body := named("\n", start, begin, more, end, delta, stop)
	var events []anthropicapi.StreamEvent
	for event, err := range anthropic.NewStreamReader(strings.NewReader(body)).All() {
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, *event)
	}
	var out flushed
	w := anthropic.NewStreamWriter(&out)
	if err := errors.Join(w.Write(events[:2]...), w.Ping(), w.Write(events[2:]...)); err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(body, "event: content_block_delta",
		named("\n", ping)+"event: content_block_delta", 1)
	if diff := cmp.Diff(want, out.String()); diff != "" || out.flushes != 3 {
		t.Errorf("%d flushes, %s", out.flushes, diff)
	}
	if w.Ping() == nil || w.Fail(nil) == nil {
		t.Error("more is written after the end")
	}
}

func TestTheWriterEndsAStreamThatFailed(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := anthropic.NewStreamWriter(&out)
	if err := w.Fail(anthropic.ErrorBody(anthropicapi.ErrorTypeOverloadedError, "Overloaded",
		"req_1")); err != nil {
		t.Fatal(err)
	}
	if out.String() != named("\n", fault) || w.Ping() == nil {
		t.Errorf("wrote %q", out.String())
	}
	out.Reset()
	w = anthropic.NewStreamWriter(&out)
	err := w.Write(anthropicapi.StreamEvent{Type: "ping"},
		anthropicapi.StreamEvent{Type: "x",
			ContentBlock: &anthropicapi.ContentBlock{Input: []byte("{")}})
	if _, ok := errors.AsType[*wire.EncodeError](err); !ok || out.String() != named("\n", ping) {
		t.Errorf("wrote %q, %v", out.String(), err)
	}
}

func TestTheWriterStopsAtAnErrorBelow(t *testing.T) {
	t.Parallel()
	w := anthropic.NewStreamWriter(broken{})
	if err := w.Ping(); !errors.Is(err, io.ErrClosedPipe) || w.Ping() == nil ||
		errors.Is(w.Ping(), io.ErrClosedPipe) {
		t.Error(err)
	}
}

type flushed struct {
	bytes.Buffer
	flushes int
}

func (f *flushed) Flush() error { f.flushes++; return nil }

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// A text that was cut by UTF-16 units has U+FFFD for each half, and the report has the locations.
func TestHalvesOfSurrogatePairsAreReplacedAndReported(t *testing.T) {
	t.Parallel()
	textDelta := func(text string) string { return strings.Replace(more, "Hi", text, 1) }
	r := anthropic.NewStreamReader(strings.NewReader(named("\n", start, begin, textDelta(`a\ud83d`),
		textDelta(`\ude00b`), end, delta, stop)))
	var a anthropic.Accumulator
	for event, err := range r.All() {
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Push(event); err != nil {
			t.Fatal(err)
		}
	}
	if text := *a.Message().Content[0].Text; text != "a\ufffd\ufffdb" {
		t.Errorf("%q", text)
	}
	if report := r.Report(); len(report) != 2 || !report.Covers("/2/delta/text") ||
		!report.Covers("/3/delta/text") {
		t.Error(report)
	}
}
