package peers_test

import (
	"errors"
	"io"
	"net/http"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/launchdarkly/eventsource"
	"github.com/openai/openai-go/v3/packages/ssestream"
	r3labs "github.com/r3labs/sse/v2"
	tmaxmax "github.com/tmaxmax/go-sse"
	"gopkg.in/cenkalti/backoff.v1"
)

// maxEventSize is set wherever a library lets its user choose, as large as our own default.
const maxEventSize = gemini.DefaultMaxEventSize

// reader cuts a body into events. It calls f with the data of each, and stops when f returns false.
type reader func(t *testing.T, body io.Reader, f func(data string) bool) error

// libraries are the candidates, under their module paths.
var libraries = map[string]reader{
	"github.com/tmaxmax/go-sse":                         readTmaxmax,
	"github.com/launchdarkly/eventsource":               readLaunchDarkly,
	"github.com/r3labs/sse/v2":                          readR3labs,
	"github.com/openai/openai-go/v3/packages/ssestream": readOpenAI,
}

func readTmaxmax(_ *testing.T, body io.Reader, f func(string) bool) error {
	for event, err := range tmaxmax.Read(body, &tmaxmax.ReadConfig{MaxEventSize: maxEventSize}) {
		if errors.Is(err, tmaxmax.ErrUnexpectedEOF) {
			return io.ErrUnexpectedEOF
		}
		if err != nil {
			return err
		}
		if !f(event.Data) {
			return nil
		}
	}
	return nil
}

func readLaunchDarkly(_ *testing.T, body io.Reader, f func(string) bool) error {
	decoder := eventsource.NewDecoder(body)
	for {
		event, err := decoder.Decode()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if !f(event.Data()) {
			return nil
		}
	}
}

// readR3labs goes through a client, the only part of that library that reads fields.
func readR3labs(t *testing.T, body io.Reader, f func(string) bool) error {
	client := r3labs.NewClient("http://localhost/", r3labs.ClientMaxBufferSize(maxEventSize))
	client.Connection = &http.Client{Transport: answer{body}}
	client.ReconnectStrategy = &backoff.StopBackOff{}
	stopped := false
	return client.SubscribeRawWithContext(t.Context(), func(event *r3labs.Event) {
		stopped = stopped || !f(string(event.Data))
	})
}

type answer struct{ body io.Reader }

func (a answer) RoundTrip(*http.Request) (*http.Response, error) {
	return response(a.body), nil
}

func response(body io.Reader) *http.Response {
	return &http.Response{
		StatusCode: http.StatusOK,
		Header:     http.Header{"Content-Type": {"text/event-stream"}},
		Body:       io.NopCloser(body),
	}
}

func readOpenAI(_ *testing.T, body io.Reader, f func(string) bool) error {
	decoder := ssestream.NewDecoder(response(body))
	defer decoder.Close()
	for decoder.Next() {
		if !f(string(decoder.Event().Data)) {
			return nil
		}
	}
	return decoder.Err()
}
