package cli_test

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestAConversionThatLosesSomethingSaysSoInOneLine(t *testing.T) {
	t.Parallel()
	whole, stream := payload("response-image.json"), payload("stream-code-execution.sse")
	report := filepath.Join(t.TempDir(), "report.json")
	plain := []string{"--no-extensions"}
	tests := map[string]struct {
		from, to string
		args     []string
		want     string
	}{
		"a whole answer": {"gemini-response", "openai-response", append(plain, whole), "gemwire: " + whole + ": 3 values lost; --report lists them, --strict refuses\n"},
		"a stream":       {"gemini-stream", "openai-stream", append(plain, stream), "gemwire: " + stream + ": 6 values lost; --report lists them, --strict refuses\n"},
		"a merged stream": {
			"gemini-stream", "openai-response", append(plain, stream),
			"gemwire: " + stream + ": 6 values lost; --report lists them, --strict refuses\n",
		},
		"one value": {
			"gemini-response", "openai-response", append(plain, "-"),
			"gemwire: -: 1 value lost; --report lists it, --strict refuses\n",
		},
		"with a report": {
			"gemini-response", "openai-response", append(plain, "--report", report, whole),
			"gemwire: " + whole + ": 3 values lost; the report lists them, --strict refuses\n",
		},
		"several inputs": {
			"gemini-response", "openai-response",
			append(plain, whole, payload("response-text.json"), "-"),
			"gemwire: " + whole + ": 3 values lost; --report lists them, --strict refuses\n" +
				"gemwire: " + payload("response-text.json") +
				": 2 values lost; --report lists them, --strict refuses\n" +
				"gemwire: -: 1 value lost; --report lists it, --strict refuses\n",
		},
		"nothing is lost":         {"gemini-response", "openai-response", []string{whole}, ""},
		"something is only added": {"gemini-response", "openai-response", []string{"-"}, ""},
		"--quiet":                 {"gemini-response", "openai-response", append(plain, "--quiet", whole), ""},
	}
	input := `{"candidates":[{"content":{"parts":[{"text":"Hi","thoughtSignature":"AAAA"}],"role":"model"},"finishReason":"STOP"}]}`
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := convert(t, input, test.from, test.to, test.args...)
			if got.code != 0 || got.stderr != test.want {
				t.Errorf("exit code %d, standard error\n%swant\n%s", got.code, got.stderr,
					test.want)
			}
		})
	}
	request := `{"model":"gemini-2.5-flash","messages":[{"role":"user","content":"Hi"}],"n":1,"logit_bias":{"50256":-100}}`
	got := convert(t, request, "openai-request", "gemini-request")
	if want := "gemwire: -: 1 value lost; --report lists it, --strict refuses\n"; got.code != 0 ||
		got.stderr != want {
		t.Errorf("a request: %+v, want %s", got, want)
	}
	if got := convert(t, input, "gemini-response", "openai-response", "--no-extensions", "--report",
		"/dev/stderr"); !strings.HasPrefix(got.stderr, "[\n") {
		t.Errorf("a report on standard error is no longer JSON: %s", got.stderr)
	}
}

func TestARequestForAModelThatIsNotGooglesSaysSo(t *testing.T) {
	t.Parallel()
	const named = `{"model":"gpt-4o","messages":[{"role":"user","content":"Hi"}]}`
	const want = "gemwire: -: /model: sent unchanged, although it is not a known model of Google; --model sets another\n"
	report := filepath.Join(t.TempDir(), "report.json")
	tests := map[string]struct {
		input string
		args  []string
		want  string
	}{
		"another model":                 {named, nil, want},
		"another model, and a report":   {named, []string{"--report", report}, want},
		"another model, strictly":       {named, []string{"--strict"}, want},
		"--quiet":                       {named, []string{"--quiet"}, ""},
		"--model":                       {named, []string{"--model", "gemini-2.5-flash"}, ""},
		"on Vertex AI, without a name":  {named, []string{"--vertex"}, ""},
		"a model of Google's":           {strings.Replace(named, "gpt-4o", "gemini-2.5-flash", 1), nil, ""},
		"a model of Google's, prefixed": {strings.Replace(named, "gpt-4o", "google/gemini-2.5-flash", 1), nil, ""},
		"no model":                      {strings.Replace(named, `"model":"gpt-4o",`, "", 1), nil, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := convert(t, test.input, "openai-request", "gemini-request", test.args...)
			if got.code != 0 || got.stderr != test.want {
				t.Errorf("exit code %d, standard error\n%swant\n%s", got.code, got.stderr,
					test.want)
			}
		})
	}
}
