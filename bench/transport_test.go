package bench_test

import (
	"bytes"
	"io"
	"net/http"
)

// fromMemory is a transport that answers every request with the same stream. It reads the request
// to its end, as a connection would.
type fromMemory []byte

func (body fromMemory) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Body != nil {
		if _, err := io.Copy(io.Discard, request.Body); err != nil {
			return nil, err
		}
		if err := request.Body.Close(); err != nil {
			return nil, err
		}
	}
	return &http.Response{
		Status:        "200 OK",
		StatusCode:    http.StatusOK,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        http.Header{"Content-Type": {"text/event-stream"}},
		Body:          io.NopCloser(readerOf(body)),
		ContentLength: -1,
		Request:       request,
	}, nil
}

// readerOf reads bytes as from a connection: there is nothing but Read.
func readerOf(body []byte) io.Reader {
	return struct{ io.Reader }{bytes.NewReader(body)}
}

func clientOf(body []byte) *http.Client {
	return &http.Client{Transport: fromMemory(body)}
}
