package interactionstest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/interactionstest"
	"github.com/google/go-cmp/cmp"
)

// witness is a test that records its failures.
type witness struct {
	testing.TB
	errors []string
}

func (w *witness) Helper()           {}
func (w *witness) Log(...any)        {}
func (w *witness) Error(args ...any) { w.errors = append(w.errors, fmt.Sprint(args...)) }

const (
	request     = `{"model":"gemini-3.5-flash","input":"Hi"}`
	interaction = `{"id":"v1_a","status":"completed","usage":{"total_tokens":3,"total_input_tokens":1,"total_output_tokens":2},"steps":[{"content":[{"text":"Hi","type":"text"}],"type":"model_output"}],"object":"interaction","model":"m"}`
	stream      = `event: interaction.created
data: {"interaction":{"id":"v1_a","status":"in_progress","object":"interaction","model":"m"},"event_type":"interaction.created"}

event: step.start
data: {"index":0,"step":{"type":"model_output"},"event_type":"step.start"}

event: step.delta
data: {"index":0,"delta":{"text":"Hi","type":"text"},"event_type":"step.delta"}

event: step.stop
data: {"index":0,"event_type":"step.stop"}

event: interaction.completed
data: {"interaction":{"id":"v1_a","status":"completed","object":"interaction","model":"m"},"event_type":"interaction.completed"}

event: done
data: [DONE]

`
)

func TestChecksSayWhereAndWhatWouldBeRight(t *testing.T) {
	t.Parallel()
	requests := func(t testing.TB, body []byte) { interactionstest.CheckRequest(t, body) }
	vertex := func(t testing.TB, body []byte) {
		interactionstest.CheckRequest(t, body, interactions.ForVertexAI())
	}
	responses := func(t testing.TB, body []byte) { interactionstest.CheckResponse(t, body) }
	lenient := func(t testing.TB, body []byte) {
		interactionstest.CheckResponse(t, body, interactionstest.AllowUnknown())
	}
	streams := func(t testing.TB, body []byte) { interactionstest.CheckStream(t, body) }
	lenientStreams := func(t testing.TB, body []byte) {
		interactionstest.CheckStream(t, body, interactionstest.AllowUnknown())
	}
	unknown := strings.Replace(interaction, `"model":"m"`, `"model":"m","modle":1`, 1)
	labelled := strings.Replace(request, `"input"`, `"labels":{"a":"b"},"input"`, 1)
	untyped := strings.Replace(stream, `,"type":"text"`, "", 1)
	for name, test := range map[string]struct {
		check func(testing.TB, []byte)
		body  string
		want  string // the beginning of the first failure; none if empty
	}{
		"a request":                    {requests, request, ""},
		"a request without an input":   {requests, `{"model":"m"}`, "/input: must be set and not empty"},
		"a request that is not JSON":   {requests, `{`, "interactions: "},
		"labels on the Gemini API":     {requests, labelled, "/labels: must be absent on the Gemini API"},
		"labels on Vertex AI":          {vertex, labelled, ""},
		"an interaction":               {responses, interaction, ""},
		"a wrong sum":                  {responses, strings.Replace(interaction, `"total_tokens":3`, `"total_tokens":2`, 1), "/usage/total_tokens: must be 3, the sum"},
		"an unknown member":            {responses, unknown, "/modle: is not a known member of Interaction"},
		"an unknown member, allowed":   {lenient, unknown, ""},
		"a member of an SDK, anyway":   {lenient, strings.Replace(unknown, "modle", "output_text", 1), "/output_text: must be absent"},
		"a stream":                     {streams, stream, ""},
		"a stream that is cut":         {streams, stream[:len(stream)/3], "/1/step: the input ends too early"},
		"a stream without an end":      {streams, strings.Split(stream, "event: interaction.completed")[0], "/4: the stream is truncated"},
		"a stream that ends in a step": {streams, strings.Replace(stream, "step.stop\"", "unheard_of\"", 1), "/3/event_type: is not a known value"},
		"a delta without a type":       {streams, untyped, "/2/delta/type: must be set"},
		"a delta without, allowed":     {lenientStreams, untyped, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := &witness{TB: t}
			test.check(w, []byte(test.body))
			if (len(w.errors) > 0) != (test.want != "") ||
				test.want != "" && !strings.HasPrefix(w.errors[0], test.want) {
				t.Error(cmp.Diff(test.want, w.errors))
			}
		})
	}
}
