package gemini_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/google/go-cmp/cmp"
)

// The chunks in most bodies here.
const (
	hello   = `{"candidates":[{"content":{"parts":[{"text":"Grüße, 世界 "}],"role":"model"}}],"modelVersion":"gemini-2.5-flash"}`
	more    = `{"candidates":[{"content":{"parts":[{"text":"a \"}\" and a \\ {"}],"role":"model"}}]}`
	goOn    = `{"candidates":[{"content":{"parts":[{"text":"more"}]}}],"usageMetadata":{"totalTokenCount":9}}`
	stop    = `{"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"totalTokenCount":7}}`
	goOnEnd = `{"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"totalTokenCount":9}}`
	failed  = `{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}`

	// The layout of an API error in the middle of a stream.
	failedList   = "[{\n  \"error\": {\n    \"code\": 503,\n    \"message\": \"The model is overloaded.\",\n    \"status\": \"UNAVAILABLE\"\n  }\n}]\n"
	failedPretty = "{\n  \"error\": {\n    \"code\": 503,\n    \"message\": \"The model is overloaded.\",\n    \"status\": \"UNAVAILABLE\"\n  }\n}\n"
	failedStatus = `{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}`
	stopPretty   = "{\n  \"candidates\": [\n    {\n      \"finishReason\": \"STOP\"\n    }\n  ]\n}"

	overloaded = "gemini: 503 UNAVAILABLE: The model is overloaded."
	ended      = "EOF"
)

// bodies are streams of every framing, with the JSON of their chunks and the text of the error that
// ends them.
var bodies = []struct {
	name string
	body string
	want []string
	end  string
}{
	// The standard.
	{"LF", "data: " + hello + "\n\ndata: " + stop + "\n\n", []string{hello, stop}, ended},
	{"CRLF", "data: " + hello + "\r\n\r\ndata: " + stop + "\r\n\r\n", []string{hello, stop}, ended},
	{"CR", "data: " + hello + "\r\rdata: " + stop + "\r\r", []string{hello, stop}, ended},
	{"mixed line ends", "data: " + hello + "\r\n\rdata: " + more + "\n\r\ndata: " + stop + "\r\n\n", []string{hello, more, stop}, ended},
	{"byte order mark", "\uFEFFdata: " + stop + "\n\n", []string{stop}, ended},
	{"comments", ": hi\n\ndata: " + hello + "\n: ping\n\n:\n\n: " + stop + "\ndata: " + stop + "\n\n", []string{hello, stop}, ended},
	{"event, id and retry", "event: message\nid: 7\nretry: 100\ndata: " + hello + "\nid\n\nretry\n\ndata: " + stop + "\nevent\n\n", []string{hello, stop}, ended},
	{"unknown fields", "foo: bar\ndata: " + hello + "\ndatum: {}\ndata-x: {}\nDATA: {}\n\ndata: " + stop + "\n\n", []string{hello, stop}, ended},
	{"no space after the colon", "data:" + hello + "\n\ndata:" + stop + "\n\n", []string{hello, stop}, ended},
	{"two spaces after the colon", "data:  " + stop + "\n\n", []string{stop}, ended},
	{"a tab after the colon", "data:\t" + stop + "\n\n", []string{stop}, ended},
	{"several data lines", "data: {\"candidates\":\ndata:\ndata: [{\"finishReason\":\r\ndata: \"STOP\"}]\ndata\ndata:}\n\n", []string{"{\"candidates\":\n\n[{\"finishReason\":\n\"STOP\"}]\n\n}"}, ended},
	{"lines between data lines", "data: {\"candidates\":\n: ping\nid: 1\ndata: [{\"finishReason\":\"STOP\"}]}\n\n", []string{"{\"candidates\":\n[{\"finishReason\":\"STOP\"}]}"}, ended},
	{"indented JSON in data lines", "data: " + strings.ReplaceAll(stopPretty, "\n", "\ndata: ") + "\n\n", []string{stopPretty}, ended},
	{"events without data", "data:\n\ndata\n\ndata:  \n\nevent: ping\n\ndata: " + stop + "\n\n", []string{stop}, ended},
	{"many blank lines", "\n\r\n\r\r\ndata: " + hello + "\n\n\n\n\r\n\r\ndata: " + stop + "\n\n\n", []string{hello, stop}, ended},

	// Other properties of real streams.
	{"last event without a blank line", "data: " + hello + "\n\ndata: " + stop + "\n", []string{hello, stop}, ended},
	{"last event without a line end", "data: " + hello + "\n\ndata: " + stop, []string{hello, stop}, ended},
	{"only CR after the last event", "data: " + stop + "\r", []string{stop}, ended},
	{"no blank lines between events", "data: " + hello + "\ndata: " + more + "\r\ndata: " + stop + "\n", []string{hello, more, stop}, ended},
	{"DONE", "data: " + stop + "\n\ndata: [DONE]\n\n", []string{stop}, ended},
	{"DONE without a blank line before it", "data: " + stop + "\ndata:[DONE]", []string{stop}, ended},
	{"nothing is read after DONE", "data: " + stop + "\n\ndata: [DONE]\n\ndata: " + failed + "\n\n", []string{stop}, ended},
	{"chunks after the finish reason", "data: " + stop + "\n\ndata: " + goOn + "\n\ndata: " + goOnEnd + "\n\n", []string{stop, goOn, goOnEnd}, ended},
	{"unknown finish reason", `data: {"candidates":[{"finishReason":"TIRED"}]}` + "\n\n", []string{`{"candidates":[{"finishReason":"TIRED"}]}`}, ended},
	{"finish reason of another candidate", `data: {"candidates":[{},{"finishReason":"STOP"}]}` + "\n\n", []string{`{"candidates":[{},{"finishReason":"STOP"}]}`}, ended},
	{"blocked prompt", `data: {"promptFeedback":{"blockReason":"SAFETY"}}` + "\n\n", []string{`{"promptFeedback":{"blockReason":"SAFETY"}}`}, ended},
	{"members in snake case", `data: {"candidates":[{"finish_reason":"STOP"}]}` + "\n\n", []string{`{"candidates":[{"finish_reason":"STOP"}]}`}, ended},

	// Arrays.
	{"array", "[" + hello + "," + stop + "]", []string{hello, stop}, ended},
	{"array as the API writes it", "[" + stopPretty + "\n,\r\n" + stopPretty + "\n]\n", []string{stopPretty, stopPretty}, ended},
	{"array after a byte order mark and white space", "\uFEFF\r\n \t[ " + stop + " ]", []string{stop}, ended},
	{"array without an end", "[" + hello + ",\r\n" + stop + "\n", []string{hello, stop}, ended},
	{"array that ends with a comma", "[" + stop + ",]", []string{stop}, ended},
	{"array with an error", "[" + hello + ",\r\n" + failedPretty + "]", []string{hello}, overloaded},
	{"array with only an error", "[" + failedPretty + "]\n", nil, overloaded},
	{"error after an array", "[" + stop + "]\n" + failedPretty, []string{stop}, overloaded},

	// JSON objects in a row.
	{"JSON lines", hello + "\n" + more + "\r\n" + stop + "\n", []string{hello, more, stop}, ended},
	{"JSON lines without the last line end", hello + "\n" + stop, []string{hello, stop}, ended},
	{"concatenated JSON", hello + stop, []string{hello, stop}, ended},
	{"concatenated JSON with spaces and commas", " " + hello + " \t" + more + "," + stop + ",\n", []string{hello, more, stop}, ended},
	{"indented JSON in a row", stopPretty + "\n" + stopPretty + "\n", []string{stopPretty, stopPretty}, ended},
	{"JSON lines, then an event stream", hello + "\ndata: " + stop + "\n\n", []string{hello, stop}, ended},
	{"JSON lines, then an event stream that begins with another field", hello + "\nid\nretry: 1\n\nx\ndata: " + stop + "\n\n", []string{hello, stop}, ended},
	{"JSON lines, then half a field", hello + "\n" + stop + "\nretr", []string{hello, stop}, ended},
	{"JSON lines with comments", hello + "\n: ping\n\n" + stop + "\n: ping\n", []string{hello, stop}, ended},
	{"JSON lines with commas before them", hello + "\n," + more + "\n , \t" + stop + "\n,", []string{hello, more, stop}, ended},
	{"array without its start", hello + ",\n" + more + "\n,\r\n" + stop + "\n]\n", []string{hello, more, stop}, ended},
	{"JSON lines in arrays", "[" + hello + "]\n\t[" + more + "] [ ]\n[\r\n" + stop + "]", []string{hello, more, stop}, ended},
	{"JSON lines, then DONE", hello + "\n" + stop + "\n[DONE]\n", []string{hello, stop}, ended},
	{"JSON lines with DONE on the line", hello + stop + "[DONE] ", []string{hello, stop}, ended},
	{"JSON lines, then half of DONE", hello + "\n" + stop + "\n[DON", []string{hello, stop}, ended},
	{"JSON lines around DONE", hello + "\n[DONE]\n" + stop + "\n", []string{hello, stop}, ended},

	// Errors that the server reports.
	{"bare error between events", "data: " + hello + "\r\n\r\n" + failedPretty + "data: " + stop + "\r\n\r\n", []string{hello}, overloaded},
	{"bare error after the finish reason", "data: " + stop + "\r\n\r\n" + failedPretty, []string{stop}, overloaded},
	{"bare error right after a data line", "data: " + hello + "\n" + failedPretty, []string{hello}, overloaded},
	{"bare error without a line end", "data: " + hello + "\n\n" + strings.TrimSpace(failedPretty), []string{hello}, overloaded},
	{"error as data", "data: " + hello + "\n\ndata: " + failed + "\n\ndata: " + stop + "\n\n", []string{hello}, overloaded},
	{"error as data at the end", "data: " + hello + "\n\ndata: " + failed, []string{hello}, overloaded},
	{"error as data in a list", "data: " + hello + "\n\ndata: [" + failed + "]\n\n", []string{hello}, overloaded},
	{"error as several data lines", "data: " + strings.ReplaceAll(strings.TrimSpace(failedPretty), "\n", "\ndata: ") + "\n\n", nil, overloaded},
	{"error in a line of JSON", hello + "\n" + failed + "\n", []string{hello}, overloaded},
	{"error instead of the stream", failedPretty, nil, overloaded},
	{"error after a byte order mark", "\uFEFF" + failedPretty, nil, overloaded},
	{"error without members", "data: {\"error\":{}}\n\n", nil, "gemini: error without a message"},
	{"error that is a text", "data: {\"error\":\"no such model\"}\n\n", nil, "gemini: no such model"},
	{"error with a member twice", `data: {"error":{"code":500,"code":500,"message":"Internal."}}` + "\n\n", nil, "gemini: 500: Internal."},
	{"null is no error", `data: {"error":null,"candidates":[{"finishReason":"STOP"}]}` + "\n\n", []string{`{"error":null,"candidates":[{"finishReason":"STOP"}]}`}, ended},
	{"HTML page", "\n<!doctype html>\n<html><head><title>502 Bad Gateway</title><style>\nbody\n{\n}\n</style></head>\ndata: x\n\n</html>\n", nil, "gemini: 502 Bad Gateway"},
	{"text", "Service Unavailable\n", nil, "gemini: Service Unavailable"},
	{"text of several lines", "  upstream connect error\r\nor reset\n\nbefore headers", nil, "gemini: upstream connect error\nor reset\nbefore headers"},

	{"bare list with an error after the finish reason", "data: " + hello + "\n\ndata: " + stop + "\n\n" + failedList, []string{hello, stop}, overloaded},
	{"bare list with an error on lines of its own", "data: " + stop + "\r\n\r\n[\r\n  " + failed + "\r\n]", []string{stop}, overloaded},
	{"bare list with an error right after a data line", "data: " + hello + "\n" + failedList, []string{hello}, overloaded},
	{"bare list with an error after a comment", ": hi\n\n" + failedList, nil, overloaded},
	{"bare list with an error after spaces", "data: " + stop + "\n\n \t[ \t" + failed + "]", []string{stop}, overloaded},
	{"bare list with an error far after its bracket", "data: " + stop + "\n\n[" + strings.Repeat(" ", 100) + "\n" + failed + "]", []string{stop}, overloaded},
	{"bare list of chunks between events", "data: " + hello + "\n\n[" + hello + ",\n" + more + "]\ndata: " + stop + "\n\n", []string{hello, hello, more, stop}, ended},
	{"bare error after spaces", "data: " + hello + "\n\ndata: " + stop + "\n\n  " + failed, []string{hello, stop}, overloaded},
	{"bare error after a tab and a data line", "data: " + hello + "\n\t" + failed, []string{hello}, overloaded},
	{"list with an error after JSON lines", hello + "\n" + stop + "\n" + failedList, []string{hello, stop}, overloaded},
	{"list with an error after an array", "[" + stop + "]\n" + failedList, []string{stop}, overloaded},
	{"fields that begin with a bracket", "data: {\"candidates\":\n[1]\n[DONE]\n[]\n [\n[\"a\"\ndata: [{\"finishReason\":\"STOP\"}]}\n\n[DONE]\n[", []string{"{\"candidates\":\n[{\"finishReason\":\"STOP\"}]}"}, ended},
	{"fields that begin with spaces", "data: {\"candidates\":\n data: 7\n \n\t: ]\n  [x\ndata: [{\"finishReason\":\"STOP\"}]}\n\n", []string{"{\"candidates\":\n[{\"finishReason\":\"STOP\"}]}"}, ended},
	{"only DONE without data", ": hi\n[DONE]\n", nil, "gemini: stream: truncated at byte 12 after 0 events: the body has no event"},
	{"text with braces", "bad gateway\n  { code }\n[{ x }]\n\t[DONE]\n", nil, "gemini: bad gateway\n  { code }\n[{ x }]\n\t[DONE]"},
	{"event of the type error", "data: " + stop + "\n\nevent: error\ndata: " + failedStatus + "\n\n", []string{stop}, overloaded},
	{"event of the type error, in other ways", "data: " + stop + "\r\rid: 7\revent: message\revent:error\r: hi\rdata:" + failedStatus, []string{stop}, overloaded},
	{"event of the type error, named after its data", "data: " + stop + "\n\ndata: " + failedStatus + "\nevent: error\n\n", []string{stop}, overloaded},
	{"event of the type error, in a list", "event: error\ndata: [" + failedStatus + "]\n\n", nil, overloaded},
	{"event of the type error without a blank line before it", "data: " + stop + "\nevent: error\ndata: " + failedStatus + "\n", []string{stop}, overloaded},
	{"event of the type error without data lines", "data: " + stop + "\n\nevent: error\n" + failedStatus, []string{stop}, overloaded},
	{"event of the type error with only a code", "event: error\ndata: {\"code\":503}\n\n", nil, "gemini: 503 service unavailable"},
	{"event of the type error with only a message", "event: error\ndata: {\"message\":\"m\"}\n\n", nil, "gemini: m"},
	{"event of the type error with a detail", "data: " + stop + "\n\nevent: error\ndata: {\"detail\":\"Internal Server Error\"}\n\n", []string{stop}, "gemini: Internal Server Error"},
	{"event of the type error with a text", "data: " + stop + "\n\nevent: error\ndata: upstream timeout\n\n", []string{stop}, "gemini: upstream timeout"},
	{"event of the type error that says nothing", "data: " + stop + "\n\nevent: error\ndata: {}\n\n", []string{stop}, "gemini: error without a message"},
	{"event of the type error with an envelope", "event: error\ndata: " + failed + "\n\n", nil, overloaded},
	{"event of the type error with a member twice", "event: error\ndata: {\"message\":\"l\",\"message\":\"m\"}\n\n", nil, "gemini: m"},
	{"event of the type error that is a chunk", "event: error\ndata: " + stop + "\n\n", []string{stop}, ended},
	{"event of the type error with a chunk and a code", "event: error\ndata: {\"code\":0,\"candidates\":[{\"finishReason\":\"STOP\"}]}\n\n", []string{`{"code":0,"candidates":[{"finishReason":"STOP"}]}`}, ended},
	{"event of another type with a code",
		"event: errors\ndata: {\"code\":1}\n\nevent: error\nevent\ndata: {\"code\":2}\n\nevent: error\n\ndata: {\"code\":3}\n\nevents: error\ndata: {\"code\":4}\n\ndata: " +
			stop + "\n\n",
		[]string{`{"code":1}`, `{"code":2}`, `{"code":3}`, `{"code":4}`, stop}, ended},
	{"error members that say nothing",
		"data: {\"error\":false," + hello[1:] + "\n\ndata: {\"error\":\"\"," + hello[1:] +
			"\n\ndata: {\"error\":0," + hello[1:] + "\n\ndata: {\"error\":{ }," + hello[1:] +
			"\n\ndata: {\"error\":[]," + hello[1:] + "\n\ndata: " + stop + "\n\n",
		[]string{`{"error":false,` + hello[1:], `{"error":"",` + hello[1:],
			`{"error":0,` + hello[1:], `{"error":{ },` + hello[1:], `{"error":[],` + hello[1:],
			stop}, ended},
	{"error members that say nothing, without candidates",
		"data: {\"error\":false,\"promptFeedback\":{\"blockReason\":\"SAFETY\"}}\n\ndata: {\"error\":false,\"usageMetadata\":{}}\n\n",
		[]string{`{"error":false,"promptFeedback":{"blockReason":"SAFETY"}}`,
			`{"error":false,"usageMetadata":{}}`}, ended},
	{"error that is false, alone", "data: {\"error\":false}\n\n", nil, "gemini: error without a message"},
	{"error that is true with candidates", "data: {\"error\":true," + hello[1:] + "\n\n", nil, "gemini: error without a message"},
	{"error with a code and candidates", "data: {\"error\":{\"code\":503}," + hello[1:] + "\n\n", nil, "gemini: 503 service unavailable"},

	// Other ends of a stream.
	{"empty body", "", nil, "gemini: stream: truncated at byte 0 after 0 events: the body is empty"},
	{"white space", " \r\n\t\n", nil, "gemini: stream: truncated at byte 5 after 0 events: the body has no event"},
	{"only a byte order mark", "\uFEFF", nil, "gemini: stream: truncated at byte 3 after 0 events: the body has no event"},
	{"only comments and fields", "event: ping\nid: 1\n\n: hi\n\n", nil, "gemini: stream: truncated at byte 25 after 0 events: the body has no event"},
	{"only DONE", "data: [DONE]\n\n", nil, "gemini: stream: truncated at byte 14 after 0 events: the body has no event"},
	{"empty array", "[]", nil, "gemini: stream: truncated at byte 2 after 0 events: the body has no event"},
	{"no finish reason", "data: " + hello + "\n\n", []string{hello}, fmt.Sprintf("gemini: stream: truncated at byte %d after 1 event: no finish reason", len(hello)+8)},
	{"no finish reason before DONE", "data: {}\n\ndata: {}\n\ndata: [DONE]\n\n", []string{"{}", "{}"}, "gemini: stream: truncated at byte 34 after 2 events: no finish reason"},
	{"unspecified finish reason", `data: {"candidates":[{"finishReason":"FINISH_REASON_UNSPECIFIED"}]}` + "\n\n", []string{`{"candidates":[{"finishReason":"FINISH_REASON_UNSPECIFIED"}]}`}, "gemini: stream: truncated at byte 69 after 1 event: no finish reason"},
	{"unspecified block reason", `data: {"promptFeedback":{"blockReason":"BLOCKED_REASON_UNSPECIFIED"}}` + "\n\n", []string{`{"promptFeedback":{"blockReason":"BLOCKED_REASON_UNSPECIFIED"}}`}, ended},
	{"cut within a data line", "data: {}\n\ndata: {\"candi", []string{"{}"}, "gemini: stream: truncated at byte 23 after 1 event: the last event is incomplete"},
	{"cut after a data line", "data: {}\n\ndata: {\"candidates\":\n", []string{"{}"}, "gemini: stream: truncated at byte 31 after 1 event: the last event is incomplete"},
	{"cut after the finish reason", `data: {"candidates":[{"finishReason":"STOP"}]}` + "\n\ndata: {", []string{`{"candidates":[{"finishReason":"STOP"}]}`}, "gemini: stream: truncated at byte 55 after 1 event: the last event is incomplete"},
	{"cut within an element", "[{},{\"candi", []string{"{}"}, "gemini: stream: truncated at byte 11 after 1 event: the last event is incomplete"},
	{"cut within a bare error", "data: {}\n\n{\n  \"error\": {", []string{"{}"}, "gemini: stream: truncated at byte 24 after 1 event: the last event is incomplete"},
	{"cut within a bare list with an error", "data: {}\n\n[{\n  \"error\": {", []string{"{}"}, "gemini: stream: truncated at byte 25 after 1 event: the last event is incomplete"},
	{"cut within an event of the type error", "data: " + stop + "\n\nevent: error\ndata: {\"code\":503,\"mess", []string{stop}, fmt.Sprintf("gemini: stream: truncated at byte %d after 1 event: the last event is incomplete", len(stop)+44)},
	{"cut within a string", `{"candidates":[{"finishReason":"STOP"}]}{"a":"}\`, []string{`{"candidates":[{"finishReason":"STOP"}]}`}, "gemini: stream: truncated at byte 48 after 1 event: the last event is incomplete"},
	{"no JSON", "data: {}\n\ndata: pong\n\ndata: {}\n\n", []string{"{}"}, "gemini: stream: /1: offset 16: not JSON"},
	{"wrong type", "data: {}\n\nid: 2\ndata: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":7}]}}]}\n\n", []string{"{}"}, "gemini: stream: /1/candidates/0/content/parts/0/text: offset 66: a string was expected, found a number"},
	{"event that is not an object", "data: null\n\n", nil, "gemini: stream: /0: offset 6: an object was expected, found null"},
	{"element that is not an object", "[{}, null]", []string{"{}"}, "gemini: stream: /1: offset 5: an object was expected"},
	{"element that begins like null", "[{}, nonsense]", []string{"{}"}, "gemini: stream: /1: offset 5: an object was expected"},
	{"event that begins like null", "data: nonsense\n\n", nil, "gemini: stream: /0: offset 6: not JSON"},
	{"element that is a list", "[[{}]]", nil, "gemini: stream: /0: offset 1: an object was expected, found a list"},
	{"element that is not JSON", "[{}, oops]", []string{"{}"}, "gemini: stream: /1: offset 5: not JSON"},
	{"JSON line without its first byte", "{}\n" + hello[1:] + "\n" + stop + "\n", []string{"{}"}, "gemini: stream: /1: offset 3: an object was expected, found a string"},
	{"JSON line after a text", "{}\nxx" + hello + "\n" + stop + "\n", []string{"{}"}, "gemini: stream: /1: offset 3: not JSON"},
	{"JSON line that is a brace too long", "{}\n{}}\n" + stop + "\n", []string{"{}", "{}"}, "gemini: stream: /2: offset 5: an object was expected"},
	{"JSON line that begins like a field", "{}\n  idx: 7\n" + stop + "\n", []string{"{}"}, "gemini: stream: /1: offset 5: not JSON"},
	{"JSON line that is a list of no objects", "{}\n[7]\n" + stop + "\n", []string{"{}"}, "gemini: stream: /1: offset 4: an object was expected, found a number"},
	{"JSON line after DONE", "{}\n[DONE]x\n" + stop + "\n", []string{"{}"}, "gemini: stream: /1: offset 9: not JSON"},
	{"page after JSON lines", "{}\n<html>\n" + stop + "\n", []string{"{}"}, "gemini: stream: /1: offset 3: not JSON"},
	{"text after an array", "[" + stop + "]xxxx", []string{stop}, fmt.Sprintf("gemini: stream: /1: offset %d: not JSON", len(stop)+2)},
	{"text after an empty array", "[]\nxxxx", nil, "gemini: stream: /0: offset 3: not JSON"},
	{"element of a bare list that is not JSON", "data: {}\n\n[{}, oops]", []string{"{}", "{}"}, "gemini: stream: /2: offset 15: not JSON"},
	{"brackets that do not match", `{"candidates":[}` + "\n", nil, "gemini: stream: /0/candidates/0: offset 15: not JSON"},
}

func TestStreamReaderReadsEveryFraming(t *testing.T) {
	t.Parallel()
	for _, tt := range bodies {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			chunks, end := readAll(gemini.NewStreamReader(strings.NewReader(tt.body)))
			var got []string
			for _, chunk := range chunks {
				got = append(got, chunk.json)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("chunks (-want +got):\n%s", diff)
			}
			if end.Error() != tt.end {
				t.Errorf("ended with\n%v, want\n%v", end, tt.end)
			}
		})
	}
}

func TestStreamReaderReadsTheSameHoweverTheBytesAreSplit(t *testing.T) {
	t.Parallel()
	for _, tt := range bodies {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			want, wantEnd := readAll(gemini.NewStreamReader(strings.NewReader(tt.body)))
			check := func(split string, r io.Reader) {
				t.Helper()
				got, end := readAll(gemini.NewStreamReader(r))
				if diff := cmp.Diff(want, got, cmp.AllowUnexported(readChunk{})); diff != "" {
					t.Errorf("%s: chunks (-want +got):\n%s", split, diff)
				}
				if end.Error() != wantEnd.Error() {
					t.Errorf("%s: ended with\n%v, want\n%v", split, end, wantEnd)
				}
			}
			for at := range len(tt.body) {
				check(fmt.Sprintf("split at %d", at),
					io.MultiReader(strings.NewReader(tt.body[:at]),
						strings.NewReader(tt.body[at:])))
			}
			check("bytes", iotest.OneByteReader(strings.NewReader(tt.body)))
			check("halves", iotest.HalfReader(strings.NewReader(tt.body)))
			check("EOF with data", iotest.DataErrReader(strings.NewReader(tt.body)))
			check("EOF with each byte",
				iotest.DataErrReader(iotest.OneByteReader(strings.NewReader(tt.body))))
		})
	}
}

// readChunk is the reader's data about a chunk.
type readChunk struct {
	json   string
	event  int
	offset int64
	usage  *geminiapi.UsageMetadata
}

// readAll reads a stream to its end, and checks that the end is final.
func readAll(stream *gemini.StreamReader) ([]readChunk, error) {
	var chunks []readChunk
	for {
		chunk, err := stream.Next()
		if err == nil {
			chunks = append(chunks,
				readChunk{string(stream.Bytes()), stream.Count(), stream.Offset(),
					chunk.UsageMetadata})
			continue
		}
		if _, again := stream.Next(); again != err || chunk != nil || stream.Bytes() != nil ||
			stream.Count() != len(chunks) {
			return chunks, errors.New("the end is not the end")
		}
		return chunks, err
	}
}

// A body is written in parts that end where a chunk is complete.
func TestStreamReaderDeliversAChunkWithItsLastByte(t *testing.T) {
	t.Parallel()
	tests := map[string][]string{
		"LF":                       {"data: " + hello + "\n\n", "data: " + more + "\n\n"},
		"CRLF":                     {"data: " + hello + "\r\n\r", "\ndata: " + more + "\r\n\r"},
		"CRLF and LF":              {"data: " + hello + "\r\n\n", "data: " + more + "\r\n\n"},
		"CR":                       {"data: " + hello + "\r\r", "data: " + more + "\r\r"},
		"array":                    {"[" + hello, "\n,\r\n" + more},
		"JSON lines":               {hello, "\n" + more},
		"bare JSON between events": {"data: " + hello + "\n\n", more, "\ndata: {}\n\n"},
		"indented JSON":            {"data: " + hello + "\n\n", "  " + more, "\n\t{}"},
		"list between events":      {"data: " + hello + "\n\n", "[" + more, ",{}", "]\ndata: {}\n\n"},
		"list right after data":    {"data: " + hello + "\n[ {", "}", ",{}"},
		"list after JSON lines":    {hello, "\n[" + more, "]\n{}"},
		"missing blank line":       {"data: " + hello + "\n{", "}"},
		"missing blank line twice": {"data: " + hello + "\ndata: {", "}\ndata:{"},
	}
	for name, parts := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body := strings.NewReader(strings.Join(parts, ""))
			stream := gemini.NewStreamReader(iotest.OneByteReader(body))
			want := int64(0)
			for _, part := range parts {
				want += int64(len(part))
				if _, err := stream.Next(); err != nil {
					t.Fatal(err)
				}
				if got := body.Size() - int64(body.Len()); got != want {
					t.Errorf("chunk %d came after %d bytes, want %d", stream.Count(), got, want)
				}
			}
		})
	}
}

func TestStreamReaderKnowsWhereAChunkIs(t *testing.T) {
	t.Parallel()
	stream := gemini.NewStreamReader(strings.NewReader(": hi\n\ndata: " + hello + "\n\n[]\n" +
		stop + "\n"))
	if stream.Count() != 0 || stream.Offset() != 0 || stream.Bytes() != nil {
		t.Error("there is a chunk before the first")
	}
	got, _ := readAll(stream)
	want := []readChunk{
		{json: hello, event: 1, offset: 12},
		{json: stop, event: 2, offset: int64(12 + len(hello) + 5), usage: &geminiapi.UsageMetadata{TotalTokenCount: new(7)}},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(readChunk{})); diff != "" {
		t.Error(diff)
	}
}

func TestAllYieldsTheChunksAndThenTheError(t *testing.T) {
	t.Parallel()
	stream := gemini.NewStreamReader(strings.NewReader("data: {}\n\ndata: {}\n\ndata: " + failed +
		"\n\n"))
	for chunk, err := range stream.All() {
		if chunk == nil || err != nil {
			t.Fatalf("the first pair is %v, %v", chunk, err)
		}
		break
	}
	var got []string
	for chunk, err := range stream.All() { // continues where the loop was left
		got = append(got, fmt.Sprint(chunk != nil, " ", err))
	}
	want := []string{"true <nil>", "false " + overloaded}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAllYieldsNothingForTheProperEnd(t *testing.T) {
	t.Parallel()
	stream := gemini.NewStreamReader(strings.NewReader("data: " + stop + "\n\n"))
	pairs := 0
	for _, err := range stream.All() {
		pairs++
		if err != nil {
			t.Error(err)
		}
	}
	if _, err := stream.Next(); pairs != 1 || err != io.EOF {
		t.Errorf("got %d pairs and %v at the end", pairs, err)
	}
}

func TestErrorsOfAStreamCanBeTakenApart(t *testing.T) {
	t.Parallel()
	_, err := readAll(gemini.NewStreamReader(strings.NewReader("data: {}\n\ndata: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":7}]}}]}\n\n")))
	var fault *wire.StreamError
	var malformed *wire.MalformedError
	if !errors.As(err, &fault) || !errors.As(err, &malformed) || errors.Is(err, wire.ErrTruncated) {
		t.Fatalf("got %#v", err)
	}
	if fault.Event != 2 || fault.Offset != 16 ||
		malformed.Pointer != "/candidates/0/content/parts/0/text" || malformed.Offset != 44 {
		t.Errorf("got event %d at %d, %s at %d", fault.Event, fault.Offset, malformed.Pointer,
			malformed.Offset)
	}

	_, err = readAll(gemini.NewStreamReader(strings.NewReader("data: {}\n\n")))
	if !errors.As(err, &fault) || !errors.Is(err, wire.ErrTruncated) || fault.Event != 2 ||
		fault.Offset != 10 {
		t.Errorf("got %#v", err)
	}
}

func TestAnErrorInTheStreamIsWholeAndOutlivesIt(t *testing.T) {
	t.Parallel()
	body := `{"error":{"code":429,"message":"Quota.","status":"RESOURCE_EXHAUSTED","details":[` +
		`{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.5s"}]}}`
	_, err := readAll(gemini.NewStreamReader(iotest.OneByteReader(strings.NewReader("data: " +
		hello + "\n\ndata: " + body + "\n\n" + strings.Repeat("x", 10_000)))))
	var reported *gemini.Error
	if !errors.As(err, &reported) {
		t.Fatalf("got %v", err)
	}
	if reported.HTTPStatus != http.StatusTooManyRequests || reported.RetryAfter.Seconds() != 34.5 ||
		!reported.FromAPI() {
		t.Errorf("got %#v", reported)
	}
	if got := string(reported.RawBody()); got != body {
		t.Errorf("the body is %q", got)
	}
}

func TestWordsAboutABlockEndAStreamThatHasNoCandidates(t *testing.T) {
	t.Parallel()
	const words = `data: {"promptFeedback":{"blockReasonMessage":"no"}}` + "\n\n"
	for body, truncated := range map[string]bool{
		words: false,
		`data: {"candidates":[]}` + "\n\n" + words:                                       false,
		words + `data: {"candidates":[{"content":{"parts":[{"text":"a"}]}}]}` + "\n\n":   true,
		`data: {"candidates":[{}]}` + "\n\n" + words:                                     true,
		`data: {"promptFeedback":{"blockReasonMessage":"","safetyRatings":[]}}` + "\n\n": true,
		`data: {"promptFeedback":{"safetyRatings":[{"probability":"HIGH"}]}}` + "\n\n":   true,
		words + `data: {"candidates":[{"content":{},"finishReason":"STOP"}]}` + "\n\n":   false,
	} {
		_, err := readAll(gemini.NewStreamReader(strings.NewReader(body)))
		if errors.Is(err, wire.ErrTruncated) != truncated || !truncated && err != io.EOF {
			t.Errorf("%s ends with %v", body, err)
		}
	}
}

func TestTheReadersOwnErrorIsPassedOn(t *testing.T) {
	t.Parallel()
	broken := errors.New("cable cut")
	tests := map[string]struct {
		err       error
		want      error
		truncated bool
		text      string
	}{
		"cancelled":       {context.Canceled, context.Canceled, false, "gemini: stream: /1: offset 16: context canceled"},
		"other":           {broken, broken, false, "gemini: stream: /1: offset 16: cable cut"},
		"connection lost": {io.ErrUnexpectedEOF, io.ErrUnexpectedEOF, true, "gemini: stream: truncated at byte 18 after 1 event: the body was cut off"},
		"wrapped EOF":     {fmt.Errorf("tunnel: %w", io.EOF), io.ErrUnexpectedEOF, true, "gemini: stream: truncated at byte 18 after 1 event: the body was cut off"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body := "data: {}\n\ndata: {}" // what may be incomplete is not delivered
			stream := gemini.NewStreamReader(io.MultiReader(strings.NewReader(body),
				iotest.ErrReader(tt.err)))
			chunks, err := readAll(stream)
			if len(chunks) != 1 || !errors.Is(err, tt.want) || errors.Is(err, io.EOF) {
				t.Errorf("got %d chunks and %v", len(chunks), err)
			}
			if errors.Is(err, wire.ErrTruncated) != tt.truncated {
				t.Errorf("truncated is %v", !tt.truncated)
			}
			if err.Error() != tt.text {
				t.Errorf("got  %s\nwant %s", err, tt.text)
			}
		})
	}
}

func TestAnErrorOfTheReaderIsNotHiddenByAFinishReason(t *testing.T) {
	t.Parallel()
	stream := gemini.NewStreamReader(io.MultiReader(strings.NewReader("data: "+stop+"\n\n"),
		iotest.ErrReader(io.ErrUnexpectedEOF)))
	if _, err := readAll(stream); !errors.Is(err, wire.ErrTruncated) {
		t.Errorf("got %v", err)
	}
}

func TestAReaderThatReturnsNothingIsGivenUp(t *testing.T) {
	t.Parallel()
	_, err := readAll(gemini.NewStreamReader(nothing{}))
	if !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("got %v", err)
	}
}

type nothing struct{}

func (nothing) Read([]byte) (int, error) { return 0, nil }

func TestClosingTheBodyEndsAWaitingNext(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	stream := gemini.NewStreamReader(r)
	go w.Write([]byte("data: {}\n\ndata: {"))
	if _, err := stream.Next(); err != nil {
		t.Fatal(err)
	}
	go r.Close()
	if _, err := stream.Next(); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("got %v", err)
	}
}

func TestAnEventAboveTheLimitEndsTheStream(t *testing.T) {
	t.Parallel()
	event := `{"candidates":[{"finishReason":"STOP"}]}` // 40 bytes
	tests := map[string]struct{ body, want string }{
		"data line":              {"data: " + event + "\n\n", "gemini: stream: /0: offset 6: larger than the limit of 39 bytes"},
		"data lines":             {"data: {}\n\ndata: {\"candidates\":[{\ndata: \"finishReason\":\"STOP\"}]}\n\n", "gemini: stream: /1: offset 16: larger than the limit of 39 bytes"},
		"element":                {"[{}," + event + "]", "gemini: stream: /1: offset 4: larger than the limit of 39 bytes"},
		"JSON line":              {"{}\n" + event + "\n", "gemini: stream: /1: offset 3: larger than the limit of 39 bytes"},
		"unfinished":             {"data: " + strings.Repeat("x", 1000), "gemini: stream: /0: offset 6: larger than the limit of 39 bytes"},
		"white space":            {"data: " + strings.Repeat(" ", 1000), "gemini: stream: /0: offset 6: larger than the limit of 39 bytes"},
		"empty lines":            {"data: {\n" + strings.Repeat("data\n", 1000), "gemini: stream: /0: offset 6: larger than the limit of 39 bytes"},
		"comments are free":      {": " + strings.Repeat("x", 1000) + "\ndata: {}\n\n", "gemini: stream: truncated at byte 1013 after 1 event: no finish reason"},
		"other fields, too":      {"id: " + strings.Repeat("x", 1000) + "\ndata: {}\n\n", "gemini: stream: truncated at byte 1015 after 1 event: no finish reason"},
		"a page is not an event": {"<title>" + strings.Repeat("x", 40) + "</title>", "gemini: " + strings.Repeat("x", 40)},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, r := range []io.Reader{strings.NewReader(tt.body),
				iotest.OneByteReader(strings.NewReader(tt.body))} {
				_, err := readAll(gemini.NewStreamReader(r, gemini.WithMaxEventSize(39)))
				if err.Error() != tt.want {
					t.Errorf("got  %v\nwant %v", err, tt.want)
				}
				if strings.Contains(tt.want, "limit") != errors.Is(err, wire.ErrEventTooLarge) {
					t.Errorf("got %#v", err)
				}
			}
		})
	}
	for _, limit := range []int64{40, 0, -1} {
		stream := gemini.NewStreamReader(strings.NewReader("data: "+event+"\n\n"),
			gemini.WithMaxEventSize(limit))
		if _, err := readAll(stream); err != io.EOF {
			t.Errorf("limit %d: got %v", limit, err)
		}
	}
}

// There is no limit of 64 KB, as in bufio.Scanner.
func TestNoLineIsTooLong(t *testing.T) {
	t.Parallel()
	for _, size := range []int{4095, 4096, 4097, 16 << 10, 16<<10 + 1, 64 << 10, 1 << 20, 5 << 20} {
		text := strings.Repeat("word ", size/5)
		event := `{"candidates":[{"content":{"parts":[{"text":"` + text +
			`"}]},"finishReason":"STOP"}]}`
		for _, body := range []string{"data: " + event + "\r\n\r\n", "[" + event + "]", event,
			":" + text + "\ndata:" + event} {
			stream := gemini.NewStreamReader(strings.NewReader(body))
			chunk, err := stream.Next()
			if err != nil {
				t.Fatalf("%d bytes: %v", size, err)
			}
			if got := *chunk.Candidates[0].Content.Parts[0].Text; got != text ||
				string(stream.Bytes()) != event {
				t.Errorf("%d bytes: the text is damaged", size)
			}
			if _, err := stream.Next(); err != io.EOF {
				t.Errorf("%d bytes: ended with %v", size, err)
			}
		}
	}
}

// The reader moves and copies events depending on their size and on the boundaries of reads. So
// each size is tested at each place of its buffer.
func TestEventsOfEverySizeAreReadWhole(t *testing.T) {
	t.Parallel()
	type form struct{ start, before, within, after, end string }
	for name, form := range map[string]form{
		"one data line":             {before: "data: ", after: "\r\n\r\n"},
		"two data lines":            {before: "data: ", within: "\ndata: ", after: "\n\n"},
		"comments and other fields": {before: ": c\nid: 1\ndata: ", within: "\r:" + strings.Repeat("c", 700) + "\revent: e\rdata:", after: "\r\r"},
		"objects on a line":         {after: "\n"},
		"an array":                  {start: "[", after: ",\r\n", end: "]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var body strings.Builder
			var want []readChunk
			body.WriteString(form.start)
			for i, size := range eventSizes() {
				half := strings.Repeat("x", size/2)
				head, tail := `{"candidates":[{"finishReason":"STOP","finishMessage":"`+half+`"}],`,
					`"newMember":"`+half+`"}`
				body.WriteString(form.before)
				offset := int64(body.Len())
				body.WriteString(head + form.within + tail + form.after)
				joint := ""
				if form.within != "" {
					joint = "\n" // the lines of an event are joined by one
				}
				want = append(want,
					readChunk{json: head + joint + tail, event: i + 1, offset: offset})
			}
			body.WriteString(form.end)
			for _, most := range []int{1, 7, 490, 1023, 1025, 4096, 1 << 20} {
				got, end := readAll(gemini.NewStreamReader(&limitedReads{strings.NewReader(body.String()),
					most}))
				if diff := cmp.Diff(want, got, cmp.AllowUnexported(readChunk{})); diff != "" ||
					end != io.EOF {
					t.Fatalf("reads of %d bytes end with %v: %.2000s", most, end, diff)
				}
			}
		})
	}
}

// eventSizes returns sizes on both sides of the limits of the reader's buffers, and between them
// small ones, which move later events.
func eventSizes() []int {
	var out []int
	for _, around := range []int{0, 512, 1 << 10, 2 << 10, 4 << 10, 16 << 10} {
		for size := max(around-90, 0); size < around+40; size += 13 {
			out = append(out, size, len(out)%97)
		}
	}
	return out
}

// limitedReads limits the bytes of one read.
type limitedReads struct {
	r    io.Reader
	most int
}

func (l *limitedReads) Read(p []byte) (int, error) { return l.r.Read(p[:min(len(p), l.most)]) }

// A reader with a timeout may return while the underlying Read still runs and writes into the
// buffer later.
func TestAReadThatWasGivenUpWritesIntoNoOtherStream(t *testing.T) {
	t.Parallel()
	for range 20 { // one goroutine need not get the windows of the previous one
		late := &lateReader{body: "data: " + hello + "\n\n"}
		if _, err := readAll(gemini.NewStreamReader(late)); !errors.Is(err, errIdle) {
			t.Fatal(err)
		}
		other := gemini.NewStreamReader(strings.NewReader("data: " + stop + "\n\n"))
		if _, err := other.Next(); err != nil {
			t.Fatal(err)
		}
		copy(late.room, strings.Repeat("late", len(late.room)/4))
		if got := string(other.Bytes()); got != stop {
			t.Fatalf("the chunk has become %q", got)
		}
	}
}

type lateReader struct {
	body string
	room []byte // of the read that was given up
}

var errIdle = errors.New("idle timeout")

func (r *lateReader) Read(p []byte) (int, error) {
	if r.body == "" {
		r.room = p
		return 0, errIdle
	}
	n := copy(p, r.body)
	r.body = r.body[n:]
	return n, nil
}

func TestAStreamErrorHasALocationAndAReason(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]struct {
		pointer, reason string
		offset          int64
	}{
		"":                                {"/0", "the stream is truncated: the body is empty", 0},
		"data: {\"candidates\":[{}]}\n\n": {"/1", "the stream is truncated: no finish reason", 27},
		"data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":7}]}}]}\n\n": {"/0/candidates/0/content/parts/0/text",
			"a string was expected, found a number", 50},
	} {
		var err error
		for s := gemini.NewStreamReader(strings.NewReader(body)); err == nil; {
			_, err = s.Next()
		}
		failure, ok := errors.AsType[*wire.StreamError](err)
		if !ok {
			t.Fatalf("%q: %v", body, err)
		}
		pointer, offset := failure.Location()
		if pointer != want.pointer || offset != want.offset || failure.Reason() != want.reason {
			t.Errorf("%q: %s, %d, %s", body, pointer, offset, failure.Reason())
		}
	}
}
