package peers_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/wire"
)

// What ends a stream.
const (
	finished  = "finished"
	truncated = "truncated"
	reported  = "error of the server"
	unusable  = "error of the reader"
)

const (
	hello  = `{"candidates":[{"content":{"parts":[{"text":"Grüße, 世界"}],"role":"model"}}]}`
	stop   = `{"candidates":[{"finishReason":"STOP"}]}`
	failed = `{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}`
	pretty = "{\n  \"error\": {\n    \"code\": 503,\n    \"message\": \"The model is overloaded.\",\n    \"status\": \"UNAVAILABLE\"\n  }\n}\n"
)

type framing struct {
	name   string
	body   string
	chunks []string
	end    string
}

// framings are the bodies that a reader of Gemini's streams meets, the chunks in them, and what
// ends them.
var framings = []framing{
	{"LF", "data: " + hello + "\n\ndata: " + stop + "\n\n", []string{hello, stop}, finished},
	{"CRLF", "data: " + hello + "\r\n\r\ndata: " + stop + "\r\n\r\n", []string{hello, stop}, finished},
	{"CR", "data: " + hello + "\r\rdata: " + stop + "\r\r", []string{hello, stop}, finished},
	{"mixed line ends", "data: " + hello + "\r\n\rdata: " + hello + "\n\r\ndata: " + stop + "\r\r\n", []string{hello, hello, stop}, finished},
	{"byte order mark", "\uFEFFdata: " + hello + "\n\ndata: " + stop + "\n\n", []string{hello, stop}, finished},
	{"comments", ": hi\n\ndata: " + hello + "\n: ping\n\n:\n\ndata: " + stop + "\n\n", []string{hello, stop}, finished},
	{"event, id and retry", "event: message\nid: 7\nretry: 100\ndata: " + hello + "\n\nid\nretry: soon\n\ndata: " + stop + "\nevent\n\n", []string{hello, stop}, finished},
	{"no space after the colon", "data:" + hello + "\n\ndata:" + stop + "\n\n", []string{hello, stop}, finished},
	{"several data lines", "data: {\"candidates\":\ndata\ndata: [{\"finishReason\":\"STOP\"}]}\n\n", []string{"{\"candidates\":\n\n[{\"finishReason\":\"STOP\"}]}"}, finished},
	{"events without data", "event: ping\n\ndata: " + hello + "\n\ndata\n\nid: 1\n\ndata: " + stop + "\n\n", []string{hello, stop}, finished},
	{"DONE", "data: " + stop + "\n\ndata: [DONE]\n\n", []string{stop}, finished},
	{"event of 33 MB", "data: " + large + "\r\n\r\n", []string{large}, finished},
	{"last event without a blank line", "data: " + hello + "\n\ndata: " + stop + "\n", []string{hello, stop}, finished},
	{"last event without a line end", "data: " + hello + "\n\ndata: " + stop, []string{hello, stop}, finished},
	{"no blank lines", "data: " + hello + "\ndata: " + stop + "\n", []string{hello, stop}, finished},
	{"JSON array", "[" + hello + "\n,\r\n" + stop + "\n]\n", []string{hello, stop}, finished},
	{"JSON array with an error", "[" + hello + "\n,\r\n" + failed + "\n]\n", []string{hello}, reported},
	{"JSON lines", hello + "\n" + stop + "\n", []string{hello, stop}, finished},
	{"error as data", "data: " + hello + "\n\ndata: " + failed + "\n\n", []string{hello}, reported},
	{"bare error after an event", "data: " + hello + "\r\n\r\n" + pretty, []string{hello}, reported},
	{"bare error after the last event", "data: " + stop + "\r\n\r\n" + pretty, []string{stop}, reported},
	{"bare error after a data line", "data: " + hello + "\n" + pretty, []string{hello}, reported},
	{"error instead of a stream", pretty, nil, reported},
	{"HTML page", "<html><title>502 Bad Gateway</title></html>\n", nil, reported},
	{"text", "upstream connect error\n", nil, reported},
	{"no finish reason", "data: " + hello + "\n\n", []string{hello}, truncated},
	{"cut within an event", "data: " + hello + "\n\ndata: {\"candi", []string{hello}, truncated},
	{"cut after the finish reason", "data: " + stop + "\n\ndata: {\"usageMeta", []string{stop}, truncated},
	{"empty body", "", nil, truncated},
}

// large is more than some readers have room for.
var large = `{"candidates":[{"content":{"parts":[{"inlineData":{"data":"` +
	strings.Repeat("A", 33<<20) + `"}}]},"finishReason":"STOP"}]}`

// failures names, for each library, the bodies that it does not read as it should, whole or in
// pieces, although all that can be done with its events is done for it.
var failures = map[string][]string{
	"github.com/tmaxmax/go-sse": slices.Concat(notEvents, []string{
		"last event without a line end", "no blank lines",
	}),
	"github.com/launchdarkly/eventsource": slices.Concat(notEvents, []string{
		"byte order mark", "last event without a blank line", "last event without a line end",
		"no blank lines",
		"cut after the finish reason",
	}),
	"github.com/r3labs/sse/v2": slices.Concat(notEvents, []string{
		"mixed line ends", "byte order mark", "no blank lines",
	}),
	"github.com/openai/openai-go/v3/packages/ssestream": slices.Concat(notEvents, []string{
		"CR", "mixed line ends", "byte order mark", "event of 33 MB",
		"last event without a blank line",
		"last event without a line end", "no blank lines", "cut after the finish reason",
	}),
}

// notEvents are the bodies with content outside of the events, which no library returns.
var notEvents = []string{
	"JSON array", "JSON array with an error", "JSON lines", "bare error after an event",
	"bare error after the last event", "bare error after a data line",
	"error instead of a stream",
	"HTML page", "text",
}

func TestEachLibraryFailsAsTheTableSays(t *testing.T) {
	t.Parallel()
	for library, read := range libraries {
		for _, tt := range framings {
			t.Run(library+"/"+tt.name, func(t *testing.T) {
				t.Parallel()
				problem := ""
				for _, split := range splits(tt.body) {
					chunks, end := over(t, read, split)
					if !slices.Equal(chunks, tt.chunks) || end != tt.end {
						problem = describe(chunks, end)
					}
				}
				switch listed := slices.Contains(failures[library], tt.name); {
				case listed && problem == "":
					t.Error("the library reads this now; take it off the table")
				case !listed && problem != "":
					t.Errorf("the library gives %s; put it on the table", problem)
				case listed:
					t.Log(problem)
				}
			})
		}
	}
}

func TestOurReaderReadsAllOfThem(t *testing.T) {
	t.Parallel()
	for _, tt := range framings {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, split := range splits(tt.body) {
				chunks, end := ours(split)
				if !slices.Equal(chunks, tt.chunks) || end != tt.end {
					t.Errorf("got %s", describe(chunks, end))
				}
			}
		})
	}
}

func TestTheTableNamesOnlyWhatThereIs(t *testing.T) {
	t.Parallel()
	for library, names := range failures {
		if libraries[library] == nil {
			t.Errorf("there is no library %s", library)
		}
		for _, name := range names {
			if !slices.ContainsFunc(framings, func(f framing) bool { return f.name == name }) {
				t.Errorf("there is no framing %q", name)
			}
		}
	}
}

// splits returns the body whole, byte by byte, and with the end reported together with the last
// bytes.
func splits(body string) []io.Reader {
	whole := strings.NewReader(body)
	if len(body) > 1<<20 {
		return []io.Reader{whole}
	}
	return []io.Reader{
		whole,
		iotest.OneByteReader(strings.NewReader(body)),
		iotest.DataErrReader(strings.NewReader(body)),
	}
}

// ours reads a body with the reader of this project.
func ours(body io.Reader) (chunks []string, end string) {
	stream := gemini.NewStreamReader(body)
	for {
		_, err := stream.Next()
		if err != nil {
			return chunks, classify(err)
		}
		chunks = append(chunks, string(stream.Bytes()))
	}
}

// over reads a body with a library and does on top of it what can be done with its events: it
// passes over blank ones, decodes the others, looks for errors and finish reasons, and stops at
// [DONE].
func over(t *testing.T, read reader, body io.Reader) (chunks []string, end string) {
	end = truncated
	err := read(t, body, func(data string) bool {
		data = strings.TrimSpace(data)
		if data == "" {
			return true
		}
		if data == "[DONE]" {
			return false
		}
		chunk, err := gemini.DecodeResponse([]byte(data))
		if end = judge(chunk, err, end); err != nil || end == reported {
			return false
		}
		chunks = append(chunks, data)
		return true
	})
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return chunks, truncated
	case err != nil:
		return chunks, unusable
	default:
		return chunks, end
	}
}

// judge returns the end of a stream whose last chunk is this one.
func judge(chunk *geminiapi.GenerateContentResponse, err error, before string) string {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return truncated
	case err != nil:
		return unusable
	case strings.Contains(string(chunk.Unknown), `"error"`):
		return reported
	case len(chunk.Candidates) > 0 && chunk.Candidates[0].FinishReason != nil:
		return finished
	default:
		return before
	}
}

func classify(err error) string {
	var fromServer *gemini.Error
	switch {
	case err == io.EOF:
		return finished
	case errors.Is(err, wire.ErrTruncated):
		return truncated
	case errors.As(err, &fromServer):
		return reported
	default:
		return unusable
	}
}

func describe(chunks []string, end string) string {
	text := fmt.Sprintf("%d chunks, %s", len(chunks), end)
	for _, chunk := range chunks {
		text += fmt.Sprintf("; %.60q", chunk)
	}
	return text
}
