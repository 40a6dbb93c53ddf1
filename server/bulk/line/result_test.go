package line_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files")

// results has a result of each kind.
var results = []line.Result{
	{
		Number: 1, CustomID: "answered", Attempts: 1,
		Response: &line.Response{Status: 200, RequestID: "req_1",
			Body: []byte(`{"id":"x","text":"\u003cé\u003e","signature":"\ud800"}`)},
		Usage: line.Usage{InputTokens: 3, CachedTokens: 1, OutputTokens: 5, ThinkingTokens: 2,
			Cost: 0.25, Currency: "USD"},
	},
	{
		Number: 3, CustomID: "refused \"so\"", Attempts: 4,
		Response: &line.Response{Status: 400, RequestID: "req_2",
			Body: []byte(`{"error":{"code":400,"message":"no","status":"INVALID_ARGUMENT"}}`)},
	},
	{Number: 4, CustomID: "odd", Response: &line.Response{Status: 500, Body: []byte(`"out of order"`)}, Usage: line.Usage{Unpriced: 1}},
	line.Expired(&line.Line{Number: 5, CustomID: "late"}),
	line.Cancelled(&line.Line{Number: 9, CustomID: "unwanted"}),
}

func TestResultsAreWrittenInTheFormOfTheirInput(t *testing.T) {
	t.Parallel()
	for _, form := range []line.Format{line.OpenAI, line.Gemini} {
		var got []byte
		for i := range results {
			var err error
			if got, err = line.AppendResult(got, form, "batch_1", &results[i]); err != nil {
				t.Fatal(err)
			}
		}
		golden := filepath.Join("testdata", "results."+string(form)+".jsonl")
		if *update {
			if err := os.WriteFile(golden, got, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s: %s", form, diff)
		}
	}
}

func TestARefusalInGeminisFormHasAnErrorForAnyAnswer(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"error":{"code":7,"message":"no"}}`: `{"code":7,"message":"no"}`,
		`{"error":"no"}`:                      `{"code":400,"message":"{\"error\":\"no\"}"}`,
		`{"message":"no"}`:                    `{"code":400,"message":"{\"message\":\"no\"}"}`,
		`[]`:                                  `{"code":400,"message":"[]"}`,
	} {
		result := &line.Result{Number: 1, CustomID: "a",
			Response: &line.Response{Status: 400, Body: []byte(body)}}
		got, err := line.AppendResult(nil, line.Gemini, "batch_1", result)
		if err != nil || string(got) != `{"key":"a","error":`+want+"}\n" {
			t.Errorf("%s: %s, %v; want %s", body, got, err, want)
		}
	}
}

func TestFailedLinesAreInTheFileOfErrors(t *testing.T) {
	t.Parallel()
	for i, want := range []bool{false, true, true, true, true} {
		if got := results[i].Failed(); got != want {
			t.Errorf("%s: %t", results[i].CustomID, got)
		}
	}
}

func TestResultsAreKeptAsTheyAre(t *testing.T) {
	t.Parallel()
	var kept []byte
	for i := range results {
		var err error
		if kept, err = line.AppendStored(kept, &results[i]); err != nil {
			t.Fatal(err)
		}
	}
	if n := bytes.Count(kept, []byte("\n")); n != len(results) {
		t.Errorf("%d lines", n)
	}
	back, err := line.ParseStored(kept)
	if diff := cmp.Diff(results, back); diff != "" || err != nil {
		t.Error(diff, err)
	}
	for cut := range len(kept) {
		back, err := line.ParseStored(kept[:cut])
		isWhole := cut == 0 || kept[cut] == '\n' || kept[cut-1] == '\n'
		if isWhole != (err == nil) || len(back) > len(results) {
			t.Fatalf("cut at %d: %d results, %v", cut, len(back), err)
		}
	}
}

func TestLinesAreKeptAsTheyAre(t *testing.T) {
	t.Parallel()
	lines := []line.Line{
		{Number: 1, CustomID: "a", URL: "/v1/responses", Body: []byte(`{"input":"\u003c\ud800\u003e","n":1.50}`)},
		{Number: 70_000, CustomID: "b\n\"", URL: "/v1beta/models/m:generateContent", Body: []byte(`{}`)},
	}
	var kept []byte
	for i := range lines {
		var err error
		if kept, err = line.AppendLine(kept, &lines[i]); err != nil {
			t.Fatal(err)
		}
	}
	var back []line.Line
	for l, err := range line.ReadLines(bytes.NewReader(kept)) {
		if err != nil {
			t.Fatal(err)
		}
		back = append(back, l)
	}
	if diff := cmp.Diff(lines, back); diff != "" {
		t.Error(diff)
	}
	var failed error
	for _, err := range line.ReadLines(strings.NewReader(string(kept[:len(kept)-5]))) {
		failed = err
	}
	if failed == nil {
		t.Error("lines that were cut are read")
	}
	if out, err := line.AppendLine([]byte("x"), &line.Line{Body: []byte("oops")}); err == nil ||
		string(out) != "x" {
		t.Errorf("%s, %v", out, err)
	}
}

func TestUsageAddsUp(t *testing.T) {
	t.Parallel()
	var sum line.Usage
	for i := range results {
		sum.Add(results[i].Usage)
		sum.Add(results[i].Usage)
	}
	want := line.Usage{InputTokens: 6, CachedTokens: 2, OutputTokens: 10, ThinkingTokens: 4,
		Cost: 0.5, Currency: "USD", Unpriced: 2}
	if diff := cmp.Diff(want, sum); diff != "" {
		t.Error(diff)
	}
}
