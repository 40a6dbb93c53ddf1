package cassette_test

import (
	"bytes"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/internal/document"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/cassette"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/duration"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// with returns a cassette of one exchange with a body.
func with(body []byte) *cassette.Cassette {
	return &cassette.Cassette{Upstream: "https://gemini.example", Exchanges: []cassette.Exchange{{
		Request: cassette.Request{Method: "POST", URL: "/v1beta/models/m:generateContent",
			Body: body},
		Reply: cassette.Reply{
			Status: 200,
			Header: http.Header{"Content-Type": {"text/plain"}},
			Chunks: []cassette.Chunk{{duration.Duration(1500 * time.Millisecond), body},
				{Body: cassette.Bytes("end")}},
		},
	}}}
}

func TestAnyBytesComeBackFromTheFile(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"JSON on lines":           "{\n  \"a\": 1\n}\n",
		"events":                  "data: {\"a\": 1}\r\n\r\n",
		"half an event":           "data: {\"a\": 1}\r",
		"mixed ends of lines":     "a\r\nb\nc\rd",
		"no text":                 "\xff\xfe\x00",
		"control characters":      "a\x00b\x1b\n",
		"only blanks":             " \n  \n\t\n",
		"a blank at the end":      "a \nb ",
		"a line feed in front":    "\n\n  a\n",
		"many at the end":         "a\n\n\n\n",
		"marks of YAML":           "---\n- a: b # c\n...\n%YAML 1.2\n",
		"a byte order mark":       "\uFEFFa\nb",
		"separators":              "a\u2028b\u0085c\nd",
		"a number":                "42",
		"nothing but a line feed": "\n",
		"other scripts":           "日本語\n😀",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first := with([]byte(body))
			data, err := first.Write()
			if err != nil {
				t.Fatal(err)
			}
			second, err := cassette.Read(data)
			if err != nil {
				t.Fatalf("%v in\n%s", err, data)
			}
			if diff := cmp.Diff(first, second, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s\n%s", diff, data)
			}
		})
	}
}

func TestTheFileIsForPeopleToRead(t *testing.T) {
	t.Parallel()
	data, err := with([]byte("{\n  \"text\": \"Hi\"\n}\n")).Write()
	if err != nil {
		t.Fatal(err)
	}
	want := `# Recorded by fakegemini; keys are removed. Texts are exact, without the carriage returns where crlf says so.
upstream: https://gemini.example
exchanges:
- request:
    method: POST
    url: /v1beta/models/m:generateContent
    body: |
      {
        "text": "Hi"
      }
  reply:
    status: 200
    header:
      Content-Type: [text/plain]
    chunks:
      - after: 1.5s
        body: |
          {
            "text": "Hi"
          }
      - body: "end"
`
	if diff := cmp.Diff(want, string(data)); diff != "" {
		t.Error(diff)
	}
	events, err := with([]byte("data: {}\r\n\r\n")).Write()
	if err != nil || !strings.Contains(string(events),
		"        body:\n          crlf: |+\n            data: {}\n\n") {
		t.Errorf("%v\n%s", err, events)
	}
}

func TestAMistakeInTheFileIsReportedWithItsLine(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ file, want string }{
		"an unknown name":       {"exchanges:\n- request: {methd: POST}", `cassette: line 2: /exchanges/0/request/methd: a cassette has no such name`},
		"no status":             {"exchanges:\n- request: {method: POST}\n  reply: {header: {}}", `line 3: /exchanges/0/reply/status: an HTTP status must be between 200 and 599`},
		"bytes in two forms":    {"exchanges:\n- reply:\n    status: 200\n    chunks:\n    - body: {crlf: a, base64: b}", `line 5: /exchanges/0/reply/chunks/0/body: want a text, or one of crlf and base64`},
		"invalid base64":        {"exchanges:\n- reply:\n    status: 200\n    chunks:\n    - body: {base64: '*'}", `line 5: /exchanges/0/reply/chunks/0/body: illegal base64 data`},
		"a file of null":        {"null", `line 1: a null is not valid here`},
		"no exchanges":          {"exchanges:\n", `line 1: /exchanges: a null is not valid here`},
		"two documents":         {"exchanges: []\n---\nexchanges: []\n", `line 2: a second document begins`},
		"a file that is empty":  {"# nothing", `line 1: the file is empty`},
		"a time that goes back": {"exchanges:\n- reply:\n    chunks:\n    - after: -1s", `line 4: /exchanges/0/reply/chunks/0/after: a duration must not be negative`},
	} {
		_, err := cassette.Read([]byte(test.file))
		if _, ok := errors.AsType[*document.Error](err); !ok ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", name, err, test.want)
		}
	}
}

func FuzzBytes(f *testing.F) {
	f.Add([]byte("data: {}\r\n\r\n"))
	f.Add([]byte(" \n\t\n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		first := with(body)
		data, err := first.Write()
		if err != nil {
			t.Fatal(err)
		}
		second, err := cassette.Read(data)
		if err != nil || !bytes.Equal(second.Exchanges[0].Reply.Chunks[0].Body, body) ||
			!bytes.Equal(second.Exchanges[0].Request.Body, body) {
			t.Fatalf("%v\n%s", err, data)
		}
	})
}

func FuzzRead(f *testing.F) {
	data, err := with([]byte("{\n}\n")).Write()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"exchanges": [{"request": {"method": "GET", "url": "/"}, "reply": {"status": 200, "incomplete": true}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		first, err := cassette.Read(data)
		if err != nil {
			return
		}
		written, err := first.Write()
		if err != nil {
			t.Fatal(err)
		}
		second, err := cassette.Read(written)
		if err != nil {
			t.Fatalf("%v in\n%s", err, written)
		}
		if diff := cmp.Diff(first, second, cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
	})
}
