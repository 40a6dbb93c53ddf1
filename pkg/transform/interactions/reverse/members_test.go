package reverse_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/transform/interactions/reverse"
	"github.com/go-json-experiment/json"
)

// filled returns documents with every member of the description: an interaction with each member
// alone and without each member, and the same of steps of each type, of content and of annotations.
func filled(t *testing.T) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	add := func(name string, in interactionsapi.Interaction) {
		data, err := interactions.EncodeResponse(&in)
		if err == nil { // not every union can be written with all members
			out[name] = data
		}
	}
	text := interactions.TextContent("Some text that is long enough for any offset of a test.")
	for name, in := range leaftest.FillEach[interactionsapi.Interaction]() {
		in.Status = interactionsapi.InteractionStatusCompleted
		in.Steps = []interactionsapi.Step{outputOf(text)}
		add("interaction "+name, in)
	}
	for name, u := range leaftest.FillEach[interactionsapi.Usage]() {
		add("usage "+name, interactionsapi.Interaction{Usage: &u,
			Steps: []interactionsapi.Step{outputOf(text)}})
	}
	for _, kind := range stepTypes {
		for name, s := range leaftest.FillEach[interactionsapi.Step]() {
			s.Type = kind
			add(string(kind)+" "+name, interactionsapi.Interaction{
				Status: interactionsapi.InteractionStatusCompleted, Steps: []interactionsapi.Step{s}})
		}
	}
	for _, kind := range []interactionsapi.ContentType{"text", "image", "audio", "video", "document", "x"} {
		for name, c := range leaftest.FillEach[interactionsapi.Content]() {
			c.Type = kind
			add("content "+string(kind)+" "+name, interactionsapi.Interaction{
				Status: interactionsapi.InteractionStatusCompleted,
				Steps:  []interactionsapi.Step{outputOf(c)}})
		}
	}
	for _, kind := range []interactionsapi.AnnotationType{"url_citation", "file_citation",
		"place_citation", "word_info", "speech_metadata", "x"} {
		for name, a := range leaftest.FillEach[interactionsapi.Annotation]() {
			a.Type = kind
			cited := text
			cited.Annotations = []interactionsapi.Annotation{a}
			add("annotation "+string(kind)+" "+name, interactionsapi.Interaction{
				Status: interactionsapi.InteractionStatusCompleted,
				Steps:  []interactionsapi.Step{outputOf(cited)}})
		}
	}
	return out
}

// stepTypes are the types of steps that the description has, and one that it does not have.
var stepTypes = strings2types("user_input model_output thought function_call function_result " +
	"code_execution_call code_execution_result google_search_call google_search_result " +
	"url_context_call url_context_result google_maps_call google_maps_result file_search_call " +
	"file_search_result retrieval_call retrieval_result mcp_server_tool_call " +
	"mcp_server_tool_result processing_call processing_result tool_call x")

func strings2types(words string) (out []interactionsapi.StepType) {
	for _, word := range strings.Fields(words) {
		out = append(out, interactionsapi.StepType(word))
	}
	return out
}

func outputOf(content ...interactionsapi.Content) interactionsapi.Step {
	var out interactionsapi.Step
	data, err := json.Marshal(map[string]any{"type": "model_output", "content": content})
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		return interactionsapi.Step{Type: interactionsapi.StepTypeModelOutput}
	}
	return out
}

func TestNoMemberOfTheDescriptionIsLostSilently(t *testing.T) {
	t.Parallel()
	documents := filled(t)
	if len(documents) < 500 {
		t.Errorf("only %d documents", len(documents))
	}
	most, changed := leaftest.Enough(4), 0
	for name, document := range documents {
		changed += checkLeaves(t, name, document, most)
		changed += checkLeaves(t, name+" without extensions", document, most,
			reverse.WithoutExtensions())
	}
	if t.Logf("%d leaves changed", changed); changed < 10_000 && !testing.Short() {
		t.Errorf("only %d leaves were changed", changed)
	}
}

func TestNoMemberOfTheDescriptionIsLostSilentlyInAStream(t *testing.T) {
	t.Parallel()
	documents := filled(t)
	documents[allSteps] = read(t, allSteps)
	most, changed := leaftest.Enough(4), 0
	for name, document := range documents {
		in, err := interactions.DecodeResponse(document)
		if err != nil {
			t.Fatal(err)
		}
		events := eventsOf(t, in)
		if isEqualInStreams(name) && in.Status != "" {
			checkEqual(t, name, events)
		}
		changed += checkEventLeaves(t, name, events, most)
		changed += checkEventLeaves(t, name+" without extensions", events, most,
			reverse.WithoutExtensions())
	}
	if t.Logf("%d leaves changed", changed); changed < 10_000 && !testing.Short() {
		t.Errorf("only %d leaves were changed", changed)
	}
}

// eventsOf returns the events of a stream with an interaction.
func eventsOf(t *testing.T, in *interactionsapi.Interaction) (out []string) {
	t.Helper()
	for _, e := range interactions.Events(in) {
		data, err := interactions.EncodeEvent(&e)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(data))
	}
	return out
}

// isEqualInStreams reports whether a stream with a document has the chunks of the whole answer. A
// text in pieces cannot have members of other blocks, nor can a thought.
func isEqualInStreams(name string) bool {
	return name != allSteps && !strings.HasPrefix(name, "content text") &&
		!strings.HasPrefix(name, "thought")
}

func TestAStreamWithEveryStepComesBackAsItWas(t *testing.T) {
	t.Parallel()
	in, err := interactions.DecodeResponse(read(t, allSteps))
	if err != nil {
		t.Fatal(err)
	}
	events := eventsOf(t, in)
	out := convertStream(events)
	if out.err != nil {
		t.Fatal(out.err)
	}
	checkSame(t, allSteps, accumulated(t, events), out.merged())
}
