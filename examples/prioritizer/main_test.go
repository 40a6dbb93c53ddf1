package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/pkg/structured"
	"github.com/google/go-cmp/cmp"
)

func TestTheProgramRunsWithoutAKey(t *testing.T) {
	t.Setenv("GEMINI_API_KEY", "")
	t.Setenv("GOOGLE_API_KEY", "")
	var stdout, stderr strings.Builder
	if err := run(t.Context(), nil, &stdout, &stderr); err != nil {
		t.Fatal(err)
	}
	want := "1. User accounts (auth): Every page needs to know {who} is there.\n" +
		"2. Dashboard (dashboard): It shows what belongs to an account.\n"
	if diff := cmp.Diff(want, stdout.String()); diff != "" {
		t.Error(diff)
	}
	want = "no key in GEMINI_API_KEY: a fake server answers\n" +
		"answer 1: structured: invalid: /recommendations/0/priority: line 1, column 53 (offset 52): must be greater than 0, found 0\n"
	if diff := cmp.Diff(want, stderr.String()); diff != "" {
		t.Error(diff)
	}
}

func TestTheProgramReadsDocuments(t *testing.T) {
	t.Setenv("GEMINI_API_KEY", "")
	t.Setenv("GOOGLE_API_KEY", "")
	file := filepath.Join(t.TempDir(), "search.md")
	if err := os.WriteFile(file, []byte("# Search\n\nFind everything.\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr strings.Builder
	if err := run(t.Context(), []string{"-n", "1", "-why", file}, &stdout, &stderr); err != nil {
		t.Fatal(err, stderr.String())
	}
	if !strings.Contains(stdout.String(), ". ") {
		t.Errorf("%q", stdout.String())
	}
	if err := run(t.Context(), []string{file + ".absent"}, &stdout, &stderr); !errors.Is(err,
		os.ErrNotExist) {
		t.Error(err)
	}
}

func TestADocumentHasATitleAndWhatItNeeds(t *testing.T) {
	t.Parallel()
	text := "# Dashboard\n\nDepends on: auth, charts\n\n# More\n"
	want := PRD{ID: "dashboard", Title: "Dashboard", DependsOn: []string{"auth", "charts"},
		Content: text}
	if diff := cmp.Diff(want, parsePRD("dashboard", text)); diff != "" {
		t.Error(diff)
	}
	if got := parsePRD("x", "No heading."); got.Title != "x" || got.DependsOn != nil {
		t.Errorf("%+v", got)
	}
}

func TestGeminiIsAskedWithTheSchemaUntilTheAnswerIsOne(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t, geminitest.WithScript(forSample))
	client := server.Client()
	var tries []structured.Try
	agent := &Gemini{Client: client, Model: "gemini-3.6-flash",
		OnTry: func(try structured.Try) { tries = append(tries, try) }}
	prds, err := features(nil)
	if err != nil {
		t.Fatal(err)
	}
	result, err := Prioritize(t.Context(), agent, prds, nil, DefaultOptions())
	if err != nil || len(result.Recommendations) != 2 || len(tries) != 2 {
		t.Fatalf("%+v, %v, %d tries", result, err, len(tries))
	}
	requests := server.Requests()
	schema, err := structured.SchemaOf[PriorityResult]()
	if err != nil {
		t.Fatal(err)
	}
	var asked geminiapi.GenerateContentRequest
	if err := asked.UnmarshalJSON(requests[1].Body); err != nil {
		t.Fatal(err)
	}
	if len(requests) != 2 || len(asked.Contents) != 3 ||
		string(asked.GenerationConfig.ResponseJSONSchema) != string(schema) {
		t.Errorf("%d requests, the last one has %s", len(requests), requests[1].Body)
	}
}

var _ AgentInvoker = (*Gemini)(nil)

func TestWhatGeminiFailsWithIsAnErrorOfTheAgent(t *testing.T) {
	t.Parallel()
	client := geminitest.NewServer(t).Client()
	_, err := Prioritize(context.Background(), &Gemini{Client: client, Model: "no-such-model"},
		prds, nil, DefaultOptions())
	if !errors.Is(err, &gemini.Error{HTTPStatus: 404}) ||
		!strings.HasPrefix(err.Error(), "agent invocation failed: ") {
		t.Error(err)
	}
}
