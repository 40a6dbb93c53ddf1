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
		"two summaries":                     answer(`{"summary":[],"type":"thought"},{"summary":[{"text":"a","type":"text"},{"text":"b","type":"text"}],"signature":"s","type":"thought"}`),
		"a summary with annotations":        answer(`{"summary":[{"text":"a","annotations":[{"end_index":1,"type":"url_citation"}],"type":"text"},{"uri":"u","type":"image"}],"type":"thought"}`),
		"annotations without offsets":       answer(`{"content":[{"text":"a","type":"text"},{"uri":"u","type":"image"},{"text":"b","annotations":[{"text":"b","start_offset":"1s","type":"word_info"}],"type":"text"}],"type":"model_output"}`),
		"an annotation of the end":          answer(`{"content":[{"text":"a","annotations":[{"start_index":1,"end_index":1,"type":"url_citation"}],"type":"text"},{"uri":"u","type":"image"},{"text":"b","type":"text"}],"type":"model_output"}`),
		"media with members of a text":      answer(`{"content":[{"text":"a","annotations":[],"uri":"u","type":"image"}],"type":"model_output"}`),
		"a text with members of media":      answer(`{"content":[{"text":"a","uri":"u","channels":1,"type":"text"}],"type":"model_output"}`),
		"two pieces of raw audio":           answer(`{"content":[{"data":"AAAA","mime_type":"audio/l16","type":"audio"},{"data":"BBBB","mime_type":"audio/l16","type":"audio"}],"type":"model_output"}`),
		"content that is a text":            answer(`{"content":"Hi","type":"user_input"},{"content":"Hi","type":"model_output"}`),
		"an empty list of annotations":      answer(`{"content":[{"text":"a","annotations":[],"type":"text"}],"type":"model_output"}`),
		"a result in content":               answer(`{"content":[{"call_id":"c","type":"function_result","result":1.0}],"type":"model_output"}`),
		"content of an unknown type":        answer(`{"content":[{"type":"scent","more":1},{"text":"a","type":"text","more":2}],"type":"model_output"}`),
		"no steps":                          answer(""),
		"an empty text":                     answer(`{"content":[{"text":"","type":"text"}],"type":"model_output"}`),
		"media with unknown members":        answer(`{"content":[{"uri":"u","type":"video","more":{"b":1.0}}],"type":"model_output"}`),
		"a failed step":                     answer(`{"type":"model_output","error":{"code":8,"message":"m"}}`),
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

// The events of each type of step are in order, and each one is valid.
func TestTheEventsOfEachStepAreInOrder(t *testing.T) {
	t.Parallel()
	for kind, step := range steps {
		r, err := interactions.DecodeResponse([]byte(answer(step)))
		if err != nil {
			t.Fatal(err)
		}
		events := interactions.Events(r)
		if got := sequenceFindings(events); got != nil {
			t.Errorf("%s: %q", kind, got)
		}
		for i := range events {
			if err := interactions.ValidateEvent(&events[i]); err != nil {
				t.Errorf("%s: %v", kind, err)
			}
		}
		checkEvents(t, []byte(answer(step)))
	}
}
