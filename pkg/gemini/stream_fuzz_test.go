package gemini_test

import (
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/google/go-cmp/cmp"
)

// FuzzStreamReader reads any bytes, whole and split at any point. The chunks, their offsets and the
// final error must be the same.
func FuzzStreamReader(f *testing.F) {
	for i, tt := range bodies {
		f.Add([]byte(tt.body), []byte{byte(i)}, int16(i))
	}
	f.Fuzz(func(t *testing.T, body, sizes []byte, limit int16) {
		opts := []gemini.StreamOption{gemini.WithMaxEventSize(int64(limit))}
		want, wantEnd := readAll(gemini.NewStreamReader(strings.NewReader(string(body)), opts...))
		got, end := readAll(gemini.NewStreamReader(&splitReader{body, sizes}, opts...))
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(readChunk{})); diff != "" {
			t.Errorf("chunks (-whole +split):\n%s", diff)
		}
		if end.Error() != wantEnd.Error() {
			t.Errorf("whole, it ends with %v\nsplit, with        %v", wantEnd, end)
		}
	})
}

// splitReader returns reads of the given sizes plus one, in turn.
type splitReader struct {
	body  []byte
	sizes []byte
}

func (r *splitReader) Read(p []byte) (int, error) {
	if len(r.body) == 0 {
		return 0, io.EOF
	}
	size := 1
	if len(r.sizes) > 0 {
		size += int(r.sizes[0])
		r.sizes = append(r.sizes[1:len(r.sizes):len(r.sizes)], r.sizes[0])
	}
	n := copy(p[:min(size, len(p))], r.body)
	r.body = r.body[n:]
	return n, nil
}

// tokens are the pieces of the bodies in the following tests. None begins a line with a brace,
// which only this reader takes for an event.
var tokens = []string{
	"data: {\"a\":", "data:1}", "data: 2", "data", ":", " ", "x", "id:1", "\uFEFF", "\n", "\r",
	"\r\n", "[", "event: error\n",
}

func TestEventStreamsAreReadByTheStandard(t *testing.T) {
	t.Parallel()
	const event = "data: {\"a\":1}"
	for _, start := range []string{"", "data", event, event + "\n", event + "\r\n",
		"data: {\"a\":\ndata:1}", "data: {\r", "x: y\n" + event} {
		for _, end := range []string{"", "\n\n" + event} {
			eachSequence(3, func(middle string) { compareWithStandard(t, start+middle+end) })
		}
	}
}

// eachSequence calls f with every sequence of up to length tokens.
func eachSequence(length int, f func(string)) {
	f("")
	if length == 0 {
		return
	}
	for _, token := range tokens {
		eachSequence(length-1, func(rest string) { f(token + rest) })
	}
}

func FuzzEventStreamStandard(f *testing.F) {
	f.Add([]byte{0, 10, 1, 9, 9})
	f.Add([]byte{13, 0, 1, 9, 12, 6, 9, 5, 12, 9, 13, 9, 12})
	f.Add([]byte{8, 7, 11, 0, 11, 3, 4, 11, 1, 10, 10, 2})
	f.Fuzz(func(t *testing.T, picks []byte) {
		var body strings.Builder
		for _, pick := range picks {
			body.WriteString(tokens[int(pick)%len(tokens)])
		}
		compareWithStandard(t, body.String())
	})
}

// compareWithStandard compares the chunks of a body with the events that the standard finds in it,
// up to the first that is not an object.
func compareWithStandard(t *testing.T, body string) {
	t.Helper()
	if strings.HasPrefix(strings.TrimLeft(body, "\uFEFF \t\r\n"), "[") {
		return // no event stream but an array
	}
	var want, got []string
	for _, data := range standardEvents(body) {
		if data = strings.TrimSpace(data); data == "" {
			continue
		}
		if !json.Valid([]byte(data)) || !strings.Contains(data, "{") {
			break
		}
		want = append(want, data)
	}
	chunks, end := readAll(gemini.NewStreamReader(strings.NewReader(body)))
	for _, chunk := range chunks {
		got = append(got, chunk.json)
	}
	if !slices.Equal(want, got) {
		t.Errorf("%q holds %q, want %q; ended with %v", body, got, want, end)
	}
}

// standardEvents follows section 9.2.6 of the HTML standard word for word up to an event of the
// type "error". There are two exceptions that the reader promises: the end of the body is a blank
// line, and an object or a list after a complete object is a separate event.
func standardEvents(body string) []string {
	body = strings.TrimPrefix(body, "\uFEFF")
	body = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(body)
	var events []string
	data, typ, failed := "", "", false
	dispatch := func() {
		if failed = failed ||
			strings.TrimSpace(data) != "" && typ == "error"; data != "" && !failed {
			events = append(events, strings.TrimSuffix(data, "\n"))
		}
		data = ""
	}
	for line := range strings.SplitSeq(body, "\n") {
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case line == "":
			dispatch()
			typ = ""
		case name == "event":
			typ = value
		case name != "data":
			continue
		case (strings.HasPrefix(value, "{") || strings.HasPrefix(value, "[")) &&
			strings.HasSuffix(strings.TrimSpace(data), "}"):
			dispatch()
			data = value + "\n"
		default:
			data += value + "\n"
		}
	}
	dispatch()
	return events
}
