package cli_test

import (
	"os"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

func TestValidateTakesWarningsForErrorsWhenItIsStrict(t *testing.T) {
	t.Parallel()
	const unknown = `{"candidates":[{"content":{"parts":[{"text":"a","new":1}]},"finishReason":"STOPPED"}]}`
	const first = "-: /candidates/0/content/parts/0/new: offset 48: "
	const message = "is not a known member of Part, found 1\n"
	lenient := gemwire(t, unknown, "validate", "--as", "gemini-response")
	if lenient.code != 0 || lenient.stderr != "" ||
		!strings.HasPrefix(lenient.stdout, first+"warning: "+message) ||
		strings.Count(lenient.stdout, "\n") != 2 {
		t.Errorf("%+v", lenient)
	}
	strict := gemwire(t, unknown, "validate", "--as", "gemini-response", "--strict")
	if strict.code != 1 || strict.stderr != "" || !strings.HasPrefix(strict.stdout, first+message) {
		t.Errorf("%+v", strict)
	}
}

// These inputs are from a user's issue. Each of them was accepted by mistake.
func TestValidateRefusesAnswersThatNoServerSends(t *testing.T) {
	t.Parallel()
	const good = `{"candidates":[{"content":{"role":"model","parts":[{"text":"a"}]},"finishReason":"STOP","index":0}],` +
		`"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":2,"totalTokenCount":3}}`
	for name, test := range map[string]struct{ before, after, pointer string }{
		"a part with txt":             {`"text"`, `"txt"`, "/candidates/0/content/parts/0/txt"},
		"finishReason STOPPED":        {"STOP", "STOPPED", "/candidates/0/finishReason"},
		"total 9 = 1 + 2":             {`"totalTokenCount":3`, `"totalTokenCount":9`, "/usageMetadata/totalTokenCount"},
		"promptTokenCount -1":         {`"promptTokenCount":1`, `"promptTokenCount":-1`, "/usageMetadata/promptTokenCount"},
		"index -1":                    {`"index":0`, `"index":-1`, "/candidates/0/index"},
		"role user":                   {`"model"`, `"user"`, "/candidates/0/content/role"},
		"avgLogprobs 3":               {`"index":0`, `"avgLogprobs":3`, "/candidates/0/avgLogprobs"},
		"two candidates of one index": {`"index":0}`, `"index":0},{"finishReason":"STOP"}`, "/candidates/1/index"},
	} {
		if got := gemwire(t, good, "validate", "--as", "gemini-response",
			"--strict"); got != (result{}) {
			t.Fatalf("the good one: %+v", got)
		}
		body := strings.Replace(good, test.before, test.after, 1)
		for as, input := range map[string]string{"gemini-response": body,
			"gemini-stream": "data: " + body + "\n\n"} {
			pointer := test.pointer
			if as == "gemini-stream" {
				pointer = "/0" + pointer
			}
			got := gemwire(t, input, "validate", "--as", as, "--strict")
			if got.code != 1 || got.stderr != "" ||
				!strings.Contains(got.stdout, "-: "+pointer+": ") {
				t.Errorf("%s as %s: %+v", name, as, got)
			}
		}
	}
}

// An error alone is valid output of the API. An error together with an answer is not.
func TestValidateRefusesAnErrorWithAnAnswer(t *testing.T) {
	t.Parallel()
	const failure = `"error":{"code":500,"message":"no","status":"INTERNAL"}`
	if got := gemwire(t, "{"+failure+"}", "validate", "--as",
		"gemini-response"); got != (result{}) {
		t.Errorf("an error: %+v", got)
	}
	got := gemwire(t, `{"candidates":[{"finishReason":"STOP"}],`+failure+"}", "validate", "--as",
		"gemini-response")
	if got.code != 1 || !strings.HasPrefix(got.stdout,
		"-: must be an answer, not an error of the API") {
		t.Errorf("with an answer: %+v", got)
	}
}

func TestValidatePrintsAnnotationsForWorkflows(t *testing.T) {
	t.Parallel()
	name := t.TempDir() + "/a,b:c%.json"
	if err := os.WriteFile(name,
		[]byte("{\n  \"candidates\": [{\"index\": -1, \"finishReason\": \"STOP\", \"new\": 1}]\n}\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	got := gemwire(t, "", "validate", "--as", "gemini-response", "--format", "github", name)
	file := strings.NewReplacer("%", "%25", ":", "%3A", ",", "%2C").Replace(name)
	want := "::error file=" + file +
		",line=2,col=28::/candidates/0/index: must be at least 0, found -1\n" +
		"::warning file=" + file +
		",line=2,col=56::/candidates/0/new: is not a known member of Candidate, found 1\n"
	if diff := cmp.Diff(result{1, want, ""}, got, allowUnexported); diff != "" {
		t.Error(diff)
	}
}

func TestValidatePrintsFindingsForPrograms(t *testing.T) {
	t.Parallel()
	const body = "{\"candidates\": [{\"index\": -1, \"finishReason\": \"STOP\"}]}"
	got := gemwire(t, body, "validate", "--as", "gemini-response", "--format", "json")
	var rows []map[string]any
	if err := json.Unmarshal([]byte(got.stdout), &rows); err != nil || got.code != 1 {
		t.Fatalf("%v: %+v", err, got)
	}
	want := []map[string]any{{
		"file": "-", "pointer": "/candidates/0/index", "severity": "error", "rule": "range",
		"offset": 26.0, "line": 1.0, "column": 27.0, "message": "must be at least 0, found -1",
	}}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Error(diff)
	}
	if wrong := gemwire(t, body, "validate", "--as", "gemini-response", "--format",
		"xml"); wrong.code != 2 ||
		!strings.Contains(wrong.stderr, "the forms are text, json and github") {
		t.Errorf("%+v", wrong)
	}
}
