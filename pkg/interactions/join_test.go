package interactions_test

import (
	"math/rand/v2"
	"testing"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/test/continuationtest"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/google/go-cmp/cmp"
)

// joined joins replies and returns the answer as JSON.
func joined(t *testing.T, replies ...string) string {
	t.Helper()
	var list []*interactionsapi.Interaction
	for _, body := range replies {
		r, err := interactions.DecodeResponse([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	before := make([]string, len(list))
	for i, r := range list {
		before[i] = encoded(t, r)
	}
	out := encoded(t, interactions.Join(list...))
	for i, r := range list {
		if got := encoded(t, r); got != before[i] {
			t.Errorf("reply %d became %s", i, got)
		}
	}
	return out
}

// The answer has the id and the status of the last reply, and the time and the input of the first.
// Tokens are added up, count by count.
func TestRepliesOfAContinuedAnswerAreOneAnswer(t *testing.T) {
	t.Parallel()
	const (
		first  = `{"id":"v1_a","status":"requires_continuation","usage":{"total_tokens":13,"total_input_tokens":10,"input_tokens_by_modality":[{"modality":"text","tokens":10}],"total_output_tokens":2,"total_thought_tokens":1,"grounding_tool_count":[{"type":"google_search","count":1}]},"created":"2026-10-01T00:00:00Z","updated":"2026-10-01T00:00:01Z","steps":[{"content":[{"text":"a","type":"text"}],"type":"model_output"}],"object":"interaction","model":"m","continuation_token":"t","previous_interaction_id":"v1_0","input":"Hi"}`
		middle = `{"id":"v1_b","status":"requires_continuation","usage":{"total_tokens":25,"total_input_tokens":20,"input_tokens_by_modality":[{"modality":"text","tokens":18},{"modality":"image","tokens":2}],"total_output_tokens":5,"grounding_tool_count":[{"type":"google_search","count":2},{"type":"google_maps","count":1}]},"created":"2026-10-01T00:01:00Z","updated":"2026-10-01T00:01:01Z","steps":[{"content":"Hi","type":"user_input"},{"type":"thought"}],"object":"interaction","model":"m","continuation_token":"u","previous_interaction_id":"v1_a"}`
		last   = `{"id":"v1_c","status":"completed","usage":{"total_tokens":31,"total_input_tokens":30,"total_output_tokens":1},"created":"2026-10-01T00:02:00Z","updated":"2026-10-01T00:02:01Z","steps":[{"content":[{"text":"b","type":"text"}],"type":"model_output"}],"object":"interaction","model":"m","previous_interaction_id":"v1_b"}`
		want   = `{"id":"v1_c","status":"completed","usage":{"total_tokens":69,"total_input_tokens":60,"input_tokens_by_modality":[{"modality":"text","tokens":28},{"modality":"image","tokens":2}],"total_output_tokens":8,"total_thought_tokens":1,"grounding_tool_count":[{"type":"google_search","count":3},{"type":"google_maps","count":1}],"initial_input_tokens":10},"created":"2026-10-01T00:00:00Z","updated":"2026-10-01T00:02:01Z","steps":[{"content":[{"text":"a","type":"text"}],"type":"model_output"},{"type":"thought"},{"content":[{"text":"b","type":"text"}],"type":"model_output"}],"object":"interaction","model":"m","previous_interaction_id":"v1_0","input":"Hi"}`
	)
	if diff := cmp.Diff(want, joined(t, first, middle, last)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(first, joined(t, first)); diff != "" {
		t.Errorf("one reply: (-want +got)\n%s", diff)
	}
	if found := interactions.CheckResponse([]byte(joined(t, first, middle, last))); found != nil {
		t.Errorf("found %v", found)
	}
	if interactions.Join() != nil {
		t.Error("no replies are an answer")
	}
}

func TestTokensOfRepliesWithoutCountsAreThoseOfTheOthers(t *testing.T) {
	t.Parallel()
	const counted = `{"status":"completed","usage":{"total_tokens":3,"total_input_tokens":1,"total_output_tokens":2}}`
	for name, tt := range map[string]struct{ first, last, want string }{
		"neither":   {`{"status":"completed"}`, `{"status":"failed"}`, `{"status":"failed"}`},
		"the first": {counted, `{"status":"completed"}`, counted},
		"the last":  {`{"status":"completed"}`, counted, counted},
	} {
		if diff := cmp.Diff(tt.want, joined(t, tt.first, tt.last)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}

// A server stops at a limit of tokens: between two steps, within an output or within a thought.
func TestTheRepliesOfAContinuedAnswerAreTheWholeAnswer(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2000) {
		random := rand.New(rand.NewPCG(seed, 5))
		whole := continuationtest.Whole(random)
		pieces := continuationtest.Cut(random, whole)
		var sent []string
		for _, piece := range pieces {
			sent = append(sent, encoded(t, piece))
		}
		if diff := cmp.Diff(encoded(t, whole), joined(t, sent...)); diff != "" {
			t.Fatalf("seed %d: %q (-want +got)\n%s", seed, sent, diff)
		}
	}
}

func TestAStepThatHasEndedIsNotContinued(t *testing.T) {
	t.Parallel()
	const (
		head = `{"status":"completed","steps":[`
		tail = `]}`
	)
	for name, steps := range map[string][2]string{
		"a signed thought": {
			`{"summary":[{"text":"a","type":"text"}],"signature":"c2ln","type":"thought"}`,
			`{"summary":[{"text":"b","type":"text"}],"type":"thought"}`},
		"an output with an error": {
			`{"content":[{"text":"a","type":"text"}],"error":{"code":3},"type":"model_output"}`,
			`{"content":[{"text":"b","type":"text"}],"type":"model_output"}`},
		"a call": {
			`{"id":"1","name":"f","arguments":{},"type":"function_call"}`,
			`{"id":"2","name":"f","arguments":{},"type":"function_call"}`},
		"a thought before an output": {
			`{"summary":[{"text":"a","type":"text"}],"type":"thought"}`,
			`{"content":[{"text":"b","type":"text"}],"type":"model_output"}`},
	} {
		got := joined(t, head+steps[0]+tail, head+steps[1]+tail)
		r, err := interactions.DecodeResponse([]byte(got))
		if err != nil || len(r.Steps) != 2 {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
}
