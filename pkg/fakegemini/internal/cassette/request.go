package cassette

import (
	"bytes"
	"net/http"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/redact"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/received"
	"github.com/go-json-experiment/json/jsontext"
)

// shownHeaders are the headers of a request that a cassette contains.
var shownHeaders = []string{"Content-Type", "X-Goog-Upload-Command", "X-Goog-Upload-Offset",
	"X-Goog-Upload-Protocol"}

// requestOf returns a request in the form of a cassette. It omits keys in the address, because a
// client may also send its key in a header.
func requestOf(r *http.Request, body []byte, secrets []string) Request {
	request := Request{
		Method: r.Method,
		URL:    redact.Text(received.AddressWithoutKeys(r.URL), secrets...),
		Body:   Bytes(redact.Text(string(readable(body)), secrets...)),
	}
	for _, name := range shownHeaders {
		if value := r.Header.Get(name); value != "" {
			if request.Header == nil {
				request.Header = make(map[string]string)
			}
			request.Header[name] = redact.Text(value, secrets...)
		}
	}
	return request
}

// readable returns JSON on several lines, and any other text unchanged.
func readable(body []byte) []byte {
	value := jsontext.Value(bytes.Clone(body))
	if value.Format(jsontext.WithIndent("  "), jsontext.PreserveRawStrings(true)) != nil {
		return body
	}
	return append(value, '\n')
}

// key is the same for equal requests. It ignores the order of JSON members. It also ignores whether
// the server stores the request, because that does not change the reply.
func (q Request) key() string {
	return q.Method + " " + q.URL + "\n" + string(q.Body.withoutStore().sorted())
}

// withoutStore returns a request for a model without its member store, and any other body
// unchanged.
func (b Bytes) withoutStore() Bytes {
	if jsonx.Member(jsontext.Value(b), "store") == nil {
		return b
	}
	out := []byte{'{'}
	for name, value := range jsonx.Members(jsontext.Value(b)) {
		if name == "store" {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		quoted, err := jsontext.AppendQuote(out, name)
		if err != nil { // The name is not UTF-8.
			return b
		}
		out = append(append(quoted, ':'), value...)
	}
	return append(out, '}')
}

// sorted returns JSON with the members of each object sorted by name, and any other text unchanged.
func (b Bytes) sorted() []byte {
	value := jsontext.Value(bytes.Clone(b))
	if value.Format(jsontext.ReorderRawObjects(true), jsontext.WithIndent("  ")) != nil {
		return b
	}
	return value
}

// distance is the rough number of lines that differ, to find the nearest request.
func (q Request) distance(other Request) int {
	n := 0
	if q.Method != other.Method || q.URL != other.URL {
		n += 1_000
	}
	count := make(map[string]int)
	for line := range bytes.Lines(q.Body.sorted()) {
		count[string(line)]++
	}
	for line := range bytes.Lines(other.Body.sorted()) {
		count[string(line)]--
	}
	for _, c := range count {
		n += max(c, -c)
	}
	return n
}
