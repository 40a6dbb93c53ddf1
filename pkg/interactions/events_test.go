package interactions_test

import (
	"testing"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/interactions"
)

func TestTheEventsOfAnInteractionMakeTheSameInteraction(t *testing.T) {
	t.Parallel()
	bodies := map[string]string{
		"two texts after each other":        `{"id":"v1_a","status":"completed","steps":[{"content":[{"text":"a","type":"text"},{"text":"b","type":"text"}],"type":"model_output"}]}`,
		"a text, an image and a cited text": `{"id":"v1_a","status":"completed","steps":[{"content":[{"text":"é","type":"text"},{"data":"AA==","mime_type":"image/png","type":"image"},{"text":"b","annotations":[{"start_index":0,"end_index":1,"url":"https://a.example","type":"url_citation"}],"type":"text"}],"type":"model_output"}]}`,
		"calls and results":                 `{"status":"requires_action","usage":{"total_tokens":3},"steps":[{"summary":[{"text":"Hm","type":"text"}],"signature":"AA==","type":"thought"},{"id":"1","signature":"AA==","type":"function_call","name":"f","arguments":{"a":1.0}},{"id":"2","type":"google_search_call","arguments":{"queries":["x"]},"search_type":"web_search"},{"call_id":"2","type":"google_search_result","result":[],"is_error":false},{"id":"3","type":"dream_call","depth":2}]}`,
		"a running interaction":             `{"id":"v1_a","status":"in_progress"}`,
		"a failed interaction":              `{"id":"v1_a","status":"failed","errors":[{"message":"no","code":"internal"}]}`,
	}
	for name, body := range bodies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkEvents(t, []byte(body))
		})
	}
}

func TestTheEventsOfRecordedInteractionsMakeTheSameInteractions(t *testing.T) {
	t.Parallel()
	for _, payload := range corpustest.InteractionPayloads(t, corpustest.Response) {
		checkEvents(t, payload.Read(t))
	}
}

// checkEvents makes an interaction of the events of a body.
func checkEvents(t *testing.T, body []byte) {
	t.Helper()
	in, err := interactions.DecodeResponse(body)
	if err != nil {
		t.Fatal(err)
	}
	var answer interactions.Accumulator
	for _, event := range interactions.Events(in) {
		if err := answer.Push(&event); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := encoded(t, answer.Interaction()), encoded(t, in); got != want {
		t.Errorf("other interaction:\n%s\nwant:\n%s", got, want)
	}
}

func encoded(t testing.TB, r *interactionsapi.Interaction) string {
	t.Helper()
	data, err := interactions.EncodeResponse(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
