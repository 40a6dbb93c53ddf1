package main

import (
	"context"
	"errors"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/structured"
	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

// agent answers with what a test wants, and remembers what it was asked.
type agent struct {
	answer string
	err    error
	prompt string
}

func (a *agent) Invoke(_ context.Context, prompt string) (string, error) {
	a.prompt = prompt
	return a.answer, a.err
}

var prds = []PRD{
	{ID: "auth", Title: "User accounts", Content: "People sign in.\n"},
	{ID: "dashboard", Title: "Dashboard", DependsOn: []string{"auth", "charts"}, Content: "An overview."},
}

// five is an answer with five recommendations.
func five(t *testing.T) string {
	t.Helper()
	var result PriorityResult
	for i, id := range []string{"a", "b", "c", "d", "e"} {
		result.Recommendations = append(result.Recommendations,
			Recommendation{PRDID: id, Priority: i + 1})
	}
	data, err := json.Marshal(result)
	if err != nil {
		t.Fatal(err)
	}
	return "Gladly!\n" + string(data)
}

func TestPrioritizeKeepsTheFirstRecommendations(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		opts PrioritizeOptions
		want []string
	}{
		"two":         {PrioritizeOptions{TopN: 2}, []string{"a", "b"}},
		"by default":  {PrioritizeOptions{}, []string{"a", "b", "c"}},
		"the default": {DefaultOptions(), []string{"a", "b", "c"}},
		"more":        {PrioritizeOptions{TopN: 9}, []string{"a", "b", "c", "d", "e"}},
		"none":        {PrioritizeOptions{TopN: -1}, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result, err := Prioritize(t.Context(), &agent{answer: five(t)}, prds, nil, test.opts)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, r := range result.Recommendations {
				got = append(got, r.PRDID)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPrioritizeWrapsWhatFails(t *testing.T) {
	t.Parallel()
	broken := errors.New("the agent is asleep")
	_, err := Prioritize(t.Context(), &agent{err: broken}, prds, nil, DefaultOptions())
	if wantText(t, err, "agent invocation failed: the agent is asleep"); !errors.Is(err, broken) {
		t.Error("the cause is lost")
	}
	_, err = Prioritize(t.Context(), &agent{answer: "Hm."}, prds, nil, DefaultOptions())
	wantText(t, err, "failed to parse agent response: failed to extract JSON: no JSON content found in response")
	_, err = Prioritize(t.Context(), &agent{answer: "Hm."}, nil, nil, DefaultOptions())
	wantText(t, err, "no PRDs to prioritize")
}

func TestThePromptHasItsSectionsInOrder(t *testing.T) {
	t.Parallel()
	plain := prompt(t, nil, DefaultOptions())
	inOrder(t, plain,
		"You plan the work", "Foundation:", "Refactoring enablers:", "Technical debt fixes:",
		"Independent:",
		"ID: auth\nTitle: User accounts\nContent:\nPeople sign in.\n---\n",
		"ID: dashboard\nTitle: Dashboard\nDepends On: auth, charts\nContent:\nAn overview.\n---\n",
		`"recommendations"`, `"prd_id"`, `"title"`, `"priority"`, `"reasoning"`, `"depends_on"`,
		`"enables_for"`,
		`"dependency_graph"`, "Write nothing but the JSON object.\n",
	)
	for _, absent := range []string{"Existing Completed Specs:", `"analysis"`} {
		if strings.Contains(plain, absent) {
			t.Errorf("the prompt has %q:\n%s", absent, plain)
		}
	}
	inOrder(t, prompt(t, []string{"Search", "Export"}, PrioritizeOptions{ShowReason: true}),
		"ID: dashboard", "Existing Completed Specs:\n- Search\n- Export\n", `"dependency_graph"`,
		`"analysis"`,
		"Explain each place",
	)
}

func prompt(t *testing.T, completed []string, opts PrioritizeOptions) string {
	t.Helper()
	asked := &agent{answer: five(t)}
	if _, err := Prioritize(t.Context(), asked, prds, completed, opts); err != nil {
		t.Fatal(err)
	}
	return asked.prompt
}

func inOrder(t *testing.T, text string, parts ...string) {
	t.Helper()
	rest := text
	for _, part := range parts {
		_, after, found := strings.Cut(rest, part)
		if !found {
			t.Fatalf("%q is missing or out of order in:\n%s", part, text)
		}
		rest = after
	}
}

func TestTheFormInThePromptIsAPriorityResult(t *testing.T) {
	t.Parallel()
	for _, opts := range []PrioritizeOptions{{}, {ShowReason: true}} {
		text := prompt(t, nil, opts)
		result, err := structured.Parse[PriorityResult](text, structured.WithRejectUnknown())
		if err != nil || len(result.Recommendations) != 1 ||
			(result.Analysis != "") != opts.ShowReason {
			t.Errorf("%+v: %+v, %v", opts, result, err)
		}
	}
}

func TestValidate(t *testing.T) {
	t.Parallel()
	result := func(r ...Recommendation) *PriorityResult { return &PriorityResult{Recommendations: r} }
	valid := Recommendation{PRDID: "a", Priority: 1}
	wantText(t, result(valid).Validate(), "")
	wantText(t, result().Validate(), "priority result must have at least one recommendation")
	wantText(t, result(valid, Recommendation{Priority: 1}).Validate(),
		"recommendation at index 1 has empty PRDID")
	wantText(t, result(Recommendation{PRDID: "a", Priority: -2}).Validate(),
		"recommendation at index 0 has invalid priority -2 (must be > 0)")
}

func TestTruncate(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]int{-1: 0, 0: 0, 1: 1, 2: 2, 3: 2} {
		result := PriorityResult{Recommendations: make([]Recommendation, 2)}
		if result.Truncate(n); len(result.Recommendations) != want {
			t.Errorf("Truncate(%d) keeps %d, want %d", n, len(result.Recommendations), want)
		}
	}
}

var update = flag.Bool("update", false, "write schema.json anew")

// TestTheSchemaFileIsThatOfTheType keeps schema.json, which the README hands to the command, in
// step.
func TestTheSchemaFileIsThatOfTheType(t *testing.T) {
	schema, err := structured.SchemaOf[PriorityResult]()
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Indent(); err != nil {
		t.Fatal(err)
	}
	want := string(schema) + "\n"
	if *update {
		if err := os.WriteFile("schema.json", []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("run the test with -update (-type +file):\n%s", diff)
	}
}

func TestTheAnswerFileIsRead(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("answer.md")
	if err != nil {
		t.Fatal(err)
	}
	if result := parse(t, string(data)); len(result.Recommendations) != 2 ||
		result.Validate() != nil {
		t.Errorf("%+v", result)
	}
}
