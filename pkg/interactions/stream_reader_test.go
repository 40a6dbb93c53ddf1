package interactions_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/google/go-cmp/cmp"
)

// done is the mark at the end of a stream.
const done = "event: done\ndata: [DONE]\n\n"

// named writes events with their names, each line ended by the given text.
func named(newline string, events ...string) string {
	var out strings.Builder
	for _, data := range events {
		_, rest, _ := strings.Cut(data, `"event_type":"`)
		name, _, _ := strings.Cut(rest, `"`)
		out.WriteString("event: " + name + newline + "data: " + data + newline + newline)
	}
	return out.String()
}

// small are the events of a stream with thoughts, a call and a text of several bytes a character.
func small() []string {
	return stream(step(0, thought, summary, signed), step(1, call, fragment(`{"a":"`),
		fragment(`é\u00`), fragment(`e9"}`)), step(2, output, `{"text":"😀 \ud83d","type":"text"}`,
		`{"text":"\ude00","type":"text"}`))
}

func readAll(r *interactions.StreamReader) (events []interactionsapi.StreamEvent, err error) {
	for event, err := range r.All() {
		if err != nil {
			return events, err
		}
		events = append(events, *event)
	}
	return events, nil
}

func readBody(body io.Reader) (types []interactionsapi.EventType, err error) {
	events, err := readAll(interactions.NewStreamReader(body))
	for i := range events {
		types = append(types, events[i].EventType)
	}
	return types, err
}

func encodeAll(t testing.TB, events []interactionsapi.StreamEvent) (out []string) {
	t.Helper()
	for i := range events {
		data, err := interactions.EncodeEvent(&events[i])
		if err != nil {
			data = []byte(err.Error()) // raw values that are not JSON by themselves
		}
		out = append(out, string(data))
	}
	return out
}

// A stream is the same with LF, CRLF and CR, and wherever the network cuts it.
func TestAStreamIsTheSameInAnyFraming(t *testing.T) {
	t.Parallel()
	events := small()
	whole := named("\n", events...) + done
	want, err := readAll(interactions.NewStreamReader(strings.NewReader(whole)))
	if err != nil || len(want) != len(events) {
		t.Fatalf("%d events, %v", len(want), err)
	}
	for name, body := range map[string]string{
		"LF":                       whole,
		"CRLF":                     named("\r\n", events...) + strings.ReplaceAll(done, "\n", "\r\n"),
		"CR":                       named("\r", events...) + strings.ReplaceAll(done, "\n", "\r"),
		"a byte order mark":        "\ufeff" + whole,
		"comments":                 ": hello\n\n" + strings.ReplaceAll(whole, "event: step", ": beat\n\nevent: step"),
		"no names":                 "data: " + strings.Join(events, "\n\ndata: ") + "\n\ndata: [DONE]\n\n",
		"no space":                 strings.ReplaceAll(whole, "data: ", "data:"),
		"two data lines":           strings.ReplaceAll(whole, `"event_type"`, "\ndata: \"event_type\""),
		"no blank line at the end": strings.TrimRight(whole, "\n"),
		"no mark":                  named("\n", events...),
		"a line for each event":    strings.Join(events, "\n") + "\n",
		"more fields":              strings.ReplaceAll(whole, "data: {", "id: 7\nretry: 100\ndata: {"),
	} {
		stride := 1
		if len(name) > len("CRLF") {
			stride = 7 // at each byte only for the kinds of lines
		}
		got, err := readAll(interactions.NewStreamReader(strings.NewReader(body)))
		if diff := cmp.Diff(encodeAll(t, want), encodeAll(t, got)); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got)\n%s", name, err, diff)
		}
		for cut := 0; cut < len(body); cut += stride {
			r := io.MultiReader(strings.NewReader(body[:cut]), strings.NewReader(body[cut:]))
			cutEvents, err := readAll(interactions.NewStreamReader(r))
			if diff := cmp.Diff(encodeAll(t, got), encodeAll(t, cutEvents)); err != nil || diff != "" {
				t.Fatalf("%s, cut at %d: %v %s", name, cut, err, diff)
			}
		}
		byByte, err := readAll(interactions.NewStreamReader(
			iotest.OneByteReader(strings.NewReader(body))))
		if diff := cmp.Diff(encodeAll(t, got), encodeAll(t, byByte)); err != nil || diff != "" {
			t.Errorf("%s, byte by byte: %v %s", name, err, diff)
		}
	}
}

// A proxy may rename an event or drop its name. The event_type in the data decides.
func TestTheTypeInTheDataDecidesAndNotTheName(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"another name":    strings.ReplaceAll(named("\n", small()...), "event: step.delta", "event: step.start"),
		"message":         strings.ReplaceAll(named("\n", small()...), "event: interaction.completed", "event: message"),
		"an end too soon": strings.ReplaceAll(named("\n", small()...), "event: step.start", "event: interaction.completed"),
		"a done too soon": strings.ReplaceAll(named("\n", small()...), "event: step.start", "event: done"),
	} {
		types, err := readBody(strings.NewReader(body))
		if err != nil || len(types) != len(small()) || types[2] != "step.start" ||
			types[3] != "step.delta" || types[len(types)-1] != "interaction.completed" {
			t.Errorf("%s: %v, %v", name, types, err)
		}
	}
}

// A stream ends with interaction.completed or [DONE]. Anything else is not a success.
func TestAStreamWithoutItsEndIsTruncated(t *testing.T) {
	t.Parallel()
	begun := []string{created, running, begin(0, output), more(0, hi)}
	for name, tt := range map[string]struct {
		body   string
		events int
		is     error
	}{
		"an empty body":            {"", 0, wire.ErrTruncated},
		"no end":                   {named("\n", begun...), 4, wire.ErrTruncated},
		"no interaction.completed": {named("\n", append(begun, end(0))...), 5, wire.ErrTruncated},
		"cut within an event":      {named("\n", begun...)[:300], 2, wire.ErrTruncated},
		"a page":                   {"<html>502</html>", 0, wire.ErrTruncated},
		"an empty object":          {named("\n", begun...) + "data: {}\n\n", 5, wire.ErrTruncated},
		"another interaction":      {named("\n", created, strings.Replace(created, "v1_a", "v1_b", 1)), 1, wire.ErrSecondStream},
		"two that are not stored":  {named("\n", strings.Replace(created, "v1_a", "", 1), strings.Replace(created, "v1_a", "", 1)), 1, wire.ErrSecondStream},
		"an event above the limit": {named("\n", created, more(0, `{"text":"`+strings.Repeat("x", 400)+`","type":"text"}`)), 1, wire.ErrEventTooLarge},
		"the old revision":         {named("\n", strings.Replace(created, "interaction.created", "interaction.start", 1)), 0, interactions.ErrOldRevision},
		"old content":              {named("\n", created, `{"index":0,"delta":{"text":"Hi","type":"text"},"event_type":"content.delta"}`), 1, interactions.ErrOldRevision},
		"an old end":               {named("\n", created, `{"interaction":{},"event_type":"interaction.complete"}`), 1, interactions.ErrOldRevision},
		"bytes that are not JSON":  {named("\n", created) + "data: {]\n\n", 1, nil},
		"a wrong type":             {named("\n", created, `{"index":"a","event_type":"step.stop"}`), 1, nil},
	} {
		r := interactions.NewStreamReader(strings.NewReader(tt.body), interactions.WithMaxEventSize(300))
		events, err := readAll(r)
		streamError, isStreamError := errors.AsType[*wire.StreamError](err)
		if len(events) != tt.events || !isStreamError || tt.is != nil && !errors.Is(err, tt.is) {
			t.Errorf("%s: %d events, then %v", name, len(events), err)
			continue
		}
		if _, again := r.Next(); again != err || streamError.Wire != "interactions" {
			t.Errorf("%s: then %v", name, again)
		}
	}
}

// [DONE] ends a stream by itself: some servers send no interaction.completed.
func TestTheMarkAloneEndsAStream(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"after a step":   named("\n", created, begin(0, output), more(0, hi), end(0)) + done,
		"without a name": named("\n", created) + "data: [DONE]\n\n",
		"at once":        done,
		"cut after it":   named("\n", created) + "data: [DONE]",
	} {
		if _, err := readBody(strings.NewReader(body)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Events after the end are no part of the answer. CheckEnd reports them.
func TestWhatComesAfterTheEndIsIgnoredAndReported(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		tail    string
		isOther bool
		entries int
	}{
		"the mark":            {done, false, 0},
		"nothing":             {"", false, 0},
		"comments":            {done + ": bye\n\n", false, 0},
		"an unknown event":    {named("\n", `{"event_type":"unheard_of"}`) + done, false, 1},
		"another interaction": {named("\n", created), true, 1},
		"a delta":             {done + named("\n", more(0, hi)), true, 1},
	} {
		r := interactions.NewStreamReader(strings.NewReader(named("\n", stream()...) + tt.tail))
		events, err := readAll(r)
		if err != nil || len(events) != 3 {
			t.Errorf("%s: %d events, %v", name, len(events), err)
		}
		err = r.CheckEnd()
		if errors.Is(err, wire.ErrSecondStream) != tt.isOther || (err != nil) != tt.isOther {
			t.Errorf("%s: %v", name, err)
		}
		if got := len(r.Report()); !tt.isOther && got != tt.entries {
			t.Errorf("%s: %v", name, r.Report())
		}
	}
	body := named("\n", created) + done + "data: {]\n\nevent: x\ndata: garbage\n\n"
	if _, err := readBody(strings.NewReader(body)); err != nil {
		t.Errorf("garbage after the mark: %v", err)
	}
}

// An error is reported in any framing and in both envelopes. After 600 seconds Google ends a stream
// with a JSON list of errors that is not an event.
func TestAnErrorInTheStreamEndsIt(t *testing.T) {
	t.Parallel()
	const plain = `{"error":{"message":"too slow","code":"gateway_timeout"}}`
	const google = `{"error":{"code":504,"message":"too slow","status":"DEADLINE_EXCEEDED"}}`
	for name, tail := range map[string]string{
		"an event":                   named("\n", failure),
		"an event, then the mark":    named("\n", failure) + done,
		"an event without a name":    "data: " + failure + "\n\n",
		"an event without a type":    "event: error\ndata: " + plain + "\n\n",
		"data alone":                 "data: " + plain + "\n\n",
		"a list at the end":          "[" + plain + "\n]\n",
		"a list of several lines":    "[{\n  \"error\": {\n    \"code\": 504,\n    \"message\": \"too slow\",\n    \"status\": \"DEADLINE_EXCEEDED\"\n  }\n}\n]",
		"a list in an event":         "data: [" + google + "]\n\n",
		"generateContent's envelope": "data: " + google + "\n\n",
		"a body that is no stream":   plain,
		"no blank line":              strings.TrimRight(named("\n", failure), "\n"),
	} {
		for cut, body := range map[string]string{"": named("\n", created, running) + tail, "alone": tail} {
			for size, r := range map[string]io.Reader{"whole": strings.NewReader(body),
				"bytes": iotest.OneByteReader(strings.NewReader(body))} {
				types, err := readBody(r)
				reported, ok := errors.AsType[*interactions.Error](err)
				if wantTypes := map[string]int{"": 2, "alone": 0}[cut]; len(types) != wantTypes || !ok ||
					reported.Code() != "gateway_timeout" || *reported.Response.Error.Message != "too slow" {
					t.Errorf("%s %s, %s: %v, %v", name, cut, size, types, err)
				}
			}
		}
	}
}

// After a resume without the id of an event, a server sends the events again from the beginning.
func TestAReplayOfTheSameInteractionIsRead(t *testing.T) {
	t.Parallel()
	body := named("\n", append([]string{created, begin(0, output), more(0, hi)}, stream(step(0, output, hi))...)...)
	events, err := readAll(interactions.NewStreamReader(strings.NewReader(body)))
	if err != nil {
		t.Fatal(err)
	}
	var a interactions.Accumulator
	for i := range events {
		if err := a.Push(&events[i]); err != nil {
			t.Fatal(err)
		}
	}
	if got := interactions.Text(a.Interaction()); got != "Hi" {
		t.Errorf("the text is %q", got)
	}
}

// A text that was cut by UTF-16 units has U+FFFD for each half, and the report has the locations.
func TestHalvesOfSurrogatePairsAreReplacedAndReported(t *testing.T) {
	t.Parallel()
	r := interactions.NewStreamReader(strings.NewReader(named("\n", stream(step(0, output,
		`{"text":"a\ud83d","type":"text"}`, `{"text":"\ude00b","type":"text"}`))...)))
	events, err := readAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if got := fold(t, events); interactions.Text(got) != "a\ufffd\ufffdb" {
		t.Errorf("%q", interactions.Text(got))
	}
	if report := r.Report(); len(report) != 2 || !report.Covers("/3/delta/text") ||
		!report.Covers("/4/delta/text") {
		t.Error(report)
	}
}

func TestTheWriterNamesEachEventAndEndsTheStream(t *testing.T) {
	t.Parallel()
	events := decodeAll(t, stream(step(0, thought, signed), step(1, output, hi)))
	var out flushed
	w := interactions.NewStreamWriter(&out)
	if err := errors.Join(w.Write(events[:2]...), w.Write(events[2:]...)); err != nil {
		t.Fatal(err)
	}
	want := named("\n", stream(step(0, thought, signed), step(1, output, hi))...) + done
	if diff := cmp.Diff(want, out.String()); diff != "" || out.flushes != 2 {
		t.Errorf("%d flushes, %s", out.flushes, diff)
	}
	if w.Write(events[0]) == nil || w.Fail(nil) == nil {
		t.Error("more is written after the end")
	}
	if found := interactions.CheckStream(out.Bytes()); found != nil {
		t.Errorf("found %v", found)
	}
}

func TestTheWriterEndsAStreamThatFailed(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := interactions.NewStreamWriter(&out)
	if err := w.Fail(interactions.ErrorBody(interactions.CodeGatewayTimeout, "too slow\xff")); err != nil {
		t.Fatal(err)
	}
	want := "event: error\ndata: {\"error\":{\"message\":\"too slow\ufffd\",\"code\":\"gateway_timeout\"},\"event_type\":\"error\"}\n\n"
	if out.String() != want || w.Write() == nil {
		t.Errorf("wrote %q", out.String())
	}
	out.Reset()
	w = interactions.NewStreamWriter(&out)
	if err := w.Write(decodeAll(t, []string{failure, created})...); err != nil ||
		out.String() != named("\n", failure) {
		t.Errorf("wrote %q, %v", out.String(), err)
	}
	out.Reset()
	w = interactions.NewStreamWriter(&out)
	err := w.Write(interactionsapi.StreamEvent{EventType: "x"}, interactionsapi.StreamEvent{
		EventType: "y", Delta: &interactionsapi.StepDelta{Arguments: []byte("{")}})
	if _, ok := errors.AsType[*wire.EncodeError](err); !ok ||
		out.String() != named("\n", `{"event_type":"x"}`) {
		t.Errorf("wrote %q, %v", out.String(), err)
	}
}

func TestTheWriterStopsAtAnErrorBelow(t *testing.T) {
	t.Parallel()
	events := decodeAll(t, stream())
	w := interactions.NewStreamWriter(broken{})
	if err := w.Write(events[0]); !errors.Is(err, io.ErrClosedPipe) || w.Write(events[1]) == nil {
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

// fold returns the interaction of events.
func fold(t testing.TB, events []interactionsapi.StreamEvent) *interactionsapi.Interaction {
	t.Helper()
	var a interactions.Accumulator
	for i := range events {
		if err := a.Push(&events[i]); err != nil {
			t.Fatal(err)
		}
	}
	return a.Interaction()
}
