package clients_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/responses"
)

// testResponses has openai-go read all streams as responses, and leaves them for the tests in
// ../node.
func (w *work) testResponses(t *testing.T) {
	streams := w.convertStreams(t, "responses-stream", "responses-stream")
	wholes := w.convertResponses(t, "responses-whole", "responses-response")
	w.list(t, "responses", streams, wholes)
	server := newServer(t)
	whole, failing := 0, 0
	for _, s := range w.streams {
		t.Run(s.name, func(t *testing.T) {
			if w.plain[s.name].Failure != "" {
				failing++
				if streams[s.name].path == "" {
					return // the command wrote nothing
				}
				last, err := readResponse(t,
					server.play(t.Name(), recorded{stream: streams[s.name].read(t)}))
				if err == nil && last.Status != "failed" {
					t.Errorf("it is taken for a complete one: %s", last.RawJSON())
				}
				return
			}
			whole++
			last, err := readResponse(t,
				server.play(t.Name(), recorded{stream: streams[s.name].read(t)}))
			if err != nil {
				t.Fatal(err)
			}
			var want responses.Response
			if err := json.Unmarshal(wholes[s.name].read(t), &want); err != nil {
				t.Fatal(err)
			}
			if last == nil || last.OutputText() != want.OutputText() ||
				len(last.Output) != len(want.Output) ||
				last.Usage.TotalTokens != want.Usage.TotalTokens {
				t.Errorf("the stream ends in %+v, the whole is %s", last, want.RawJSON())
			}
		})
	}
	w.report(t, "responses: %d streams read by openai-go, %d with an error in them", whole, failing)
}

// readResponse returns the response that a stream ends in. Each event has to be one that the client
// knows.
func readResponse(t *testing.T, baseURL string) (last *responses.Response, err error) {
	t.Helper()
	client := openaiClient(baseURL)
	stream := client.Responses.NewStreaming(t.Context(), responses.ResponseNewParams{
		Model: "any", Input: responses.ResponseNewParamsInputUnion{OfString: openai.String("?")},
	})
	defer stream.Close()
	for stream.Next() {
		event := stream.Current()
		if event.AsAny() == nil {
			return last, fmt.Errorf("an event that is unknown: %s", event.RawJSON())
		}
		switch event.Type {
		case "response.completed", "response.incomplete", "response.failed":
			last = &event.Response
		}
	}
	return last, stream.Err()
}
