// Package cassette records the replies of a server and replays them. A cassette is a file that
// people can read and review: a list of requests and replies, with the bytes of the replies and the
// time of each, and without keys.
package cassette

import (
	"fmt"
	"net/http"
	"time"

	"github.com/gemwire/gemwire/internal/document"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/duration"
)

// Cassette is a recording.
type Cassette struct {
	// Upstream is the server that answered.
	Upstream string `json:"upstream,omitzero" yaml:"upstream,omitempty"`
	// Exchanges are in the order of the requests.
	Exchanges []Exchange `json:"exchanges" yaml:"exchanges"`
}

// Exchange is a request and its reply.
type Exchange struct {
	Request Request `json:"request" yaml:"request"`
	Reply   Reply   `json:"reply" yaml:"reply"`
}

// Request has the compared parts of a request, and some headers for readers.
type Request struct {
	Method string `json:"method" yaml:"method"`
	// URL is the path and the query.
	URL    string            `json:"url" yaml:"url"`
	Header map[string]string `json:"header,omitzero" yaml:"header,omitempty"`
	Body   Bytes             `json:"body,omitzero" yaml:"body,omitempty"`
}

// Reply is the reply of the server.
type Reply struct {
	Status int         `json:"status" yaml:"status"`
	Header http.Header `json:"header,omitzero" yaml:"header,omitempty"`
	Chunks []Chunk     `json:"chunks,omitzero" yaml:"chunks,omitempty"`
	// Incomplete is true if the body was interrupted.
	Incomplete bool `json:"incomplete,omitzero" yaml:"incomplete,omitempty"`
}

// Chunk is data that arrived together.
type Chunk struct {
	// After is the time since the previous chunk, or since the request.
	After duration.Duration `json:"after,omitzero" yaml:"after,omitempty"`
	Body  Bytes             `json:"body" yaml:"body"`
}

// add adds bytes that arrived some time after the previous ones. Bytes of the same millisecond are
// one chunk.
func (r *Reply) add(after time.Duration, data []byte) {
	after = after.Round(time.Millisecond)
	if last := len(r.Chunks) - 1; after == 0 && last >= 0 {
		r.Chunks[last].Body = append(r.Chunks[last].Body, data...)
		return
	}
	r.Chunks = append(r.Chunks, Chunk{duration.Duration(after), append(Bytes(nil), data...)})
}

// Read parses a file. An error wraps a [*document.Error], which has the line.
func Read(data []byte) (*Cassette, error) {
	c := new(Cassette)
	noSuchName := func(string) string { return "a cassette has no such name" }
	lines, err := document.Read(data, c, document.Form{Unknown: noSuchName})
	if err != nil {
		return nil, fmt.Errorf("cassette: %w", err)
	}
	for i, exchange := range c.Exchanges {
		if status := exchange.Reply.Status; status < http.StatusOK || status > 599 {
			pointer := fmt.Sprintf("/exchanges/%d/reply/status", i)
			return nil, fmt.Errorf("cassette: %w",
				lines.Error(pointer, "an HTTP status must be between 200 and 599"))
		}
	}
	return c, nil
}
