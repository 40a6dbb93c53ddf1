package anthropic_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/google/go-cmp/cmp"
)

// FuzzStream reads any body, whole and byte by byte, with the same outcome. It writes the events
// and reads them again. A sequence and an accumulator accept them in any order.
func FuzzStream(f *testing.F) {
	for _, body := range []string{
		named("\n", message(block(0, thoughts, thinkMore, signed), block(1, call, input),
			block(2, text, textMore))...),
		named("\r\n", start, ping, begin, fault), "data: " + start + "\n\ndata: [DONE]\n\n", fault,
		"<html>", "{]", start + "\n" + start,
		strings.ReplaceAll(named("\n", message(block(0, text, textMore))...), `"index":0,`, ""),
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		events, err := readAll(anthropic.NewStreamReader(bytes.NewReader(body)))
		again, errAgain := readAll(anthropic.NewStreamReader(iotest.OneByteReader(bytes.NewReader(body))))
		if diff := cmp.Diff(encodeAll(t, events), encodeAll(t, again)); diff != "" ||
			(err == nil) != (errAgain == nil) {
			t.Errorf("%v, byte by byte %v: %s", err, errAgain, diff)
		}
		var out bytes.Buffer
		if writeErr := anthropic.NewStreamWriter(&out).Write(events...); writeErr == nil {
			written, _ := readAll(anthropic.NewStreamReader(&out))
			if diff := cmp.Diff(encodeAll(t, events), encodeAll(t, written)); diff != "" {
				t.Errorf("written and read again: %s", diff)
			}
		}
		isInOrder := anthropic.CheckSequence(events) == nil
		var a anthropic.Accumulator
		for i := range events {
			if err := a.Push(&events[i]); err != nil && isInOrder {
				t.Errorf("a stream in order is refused: %v", err)
			}
		}
		a.Message()
	})
}

func readAll(r *anthropic.StreamReader) (events []anthropicapi.StreamEvent, err error) {
	for event, err := range r.All() {
		if err != nil {
			return events, err
		}
		events = append(events, *event)
	}
	return events, nil
}

func encodeAll(t *testing.T, events []anthropicapi.StreamEvent) (out []string) {
	t.Helper()
	for i := range events {
		data, err := anthropic.EncodeEvent(&events[i])
		if err != nil {
			data = []byte(err.Error()) // raw values that hold a member twice
		}
		out = append(out, string(data))
	}
	return out
}
