package reverse_test

import (
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/interactions"
	forward "github.com/gemwire/gemwire/pkg/transform/interactions"
	"github.com/gemwire/gemwire/pkg/transform/interactions/reverse"
	"github.com/google/go-cmp/cmp"
)

func TestRecordedInteractionsComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	for name, data := range recorded(t, responses) {
		checkComesBack(t, name, data)
	}
	for name, data := range recorded(t, streams) {
		in := accumulated(t, lines(data))
		out := convertStream(lines(data))
		checkSame(t, name, in, out.merged())
	}
}

func TestInteractionsComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	checkComesBack(t, allSteps, read(t, allSteps))
	for _, tt := range facts {
		if tt.hasNoTwin {
			continue
		}
		checkComesBack(t, tt.name, []byte(tt.in))
	}
}

func TestStreamsComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	for _, tt := range streamed {
		out := convertStream(tt.events)
		checkSame(t, tt.name, accumulated(t, tt.events), out.merged())
	}
}

func TestAnInteractionThatRunsKeepsItsStatus(t *testing.T) {
	t.Parallel()
	for _, status := range []string{"in_progress", "queued"} {
		for name, steps := range map[string]string{
			"a step":        `,"steps":[{"type":"model_output","content":[{"type":"text","text":"So far."}]}]`,
			"no steps":      ``,
			"an empty list": `,"steps":[]`,
		} {
			checkComesBack(t, status+", "+name, []byte(`{"id":"v1_a","object":"interaction","status":"`+
				status+`"`+steps+`}`))
		}
	}
}

func TestAnIDComesBackInEachForm(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"i1", "v1_", "v1_a", "interactions/7", interactions.NewID("a", "b")} {
		const rest = `"object":"interaction","status":"completed"`
		checkComesBack(t, id, []byte(`{"id":"`+id+`",`+rest+
			`,"steps":[{"type":"model_output","content":[{"type":"text","text":"Yes."}]}]}`))
		out := convertStream([]string{
			`{"event_type":"interaction.created","interaction":{"id":"` + id + `",` + rest + `}}`,
			`{"event_type":"interaction.completed","interaction":{"id":"` + id + `",` + rest + `}}`,
		})
		checkSame(t, id+" of a stream", &interactionsapi.Interaction{ID: &id, Status: "completed"},
			out.merged())
	}
}

// checkComesBack converts an interaction to Gemini's format and back.
func checkComesBack(t *testing.T, name string, data []byte) {
	t.Helper()
	in, err := interactions.DecodeResponse(data)
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := reverse.ToGemini(in)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	checkSame(t, name, in, out)
}

// checkSame checks that an answer has the same steps, id and status again.
func checkSame(t *testing.T, name string, in *interactionsapi.Interaction,
	out *geminiapi.GenerateContentResponse) {
	t.Helper()
	data, err := gemini.EncodeResponse(out)
	if err != nil {
		t.Fatal(err)
	}
	received, err := gemini.DecodeResponse(data)
	if err != nil {
		t.Fatal(err)
	}
	back, _, err := forward.FromGemini(received)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if diff := cmp.Diff(encode(t, in.Steps), encode(t, back.Steps)); diff != "" {
		t.Errorf("%s: other steps: -want +got: %s", name, diff)
	}
	if want, got := jsonx.Deref(in.ID), jsonx.Deref(back.ID); got != want {
		t.Errorf("%s: the id is %q, expected %q", name, got, want)
	}
	if in.Status != back.Status {
		t.Errorf("%s: the status is %s, expected %s", name, back.Status, in.Status)
	}
}
