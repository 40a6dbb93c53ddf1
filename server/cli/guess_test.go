package cli_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"bytes"

	"github.com/gemwire/gemwire/server/cli"
	"github.com/google/go-cmp/cmp"
)

// formatOf maps the beginning of an example's name to the example's format.
func formatOf(path string) string {
	base := filepath.Base(path)
	for prefix, format := range map[string]string{
		"request-": "gemini-request", "invalid-request": "gemini-request",
		"response-": "gemini-response", "error-": "gemini-response",
		"stream-": "gemini-stream", "openai-request-": "openai-request", "agent-": "agent-ndjson",
	} {
		if strings.HasPrefix(base, prefix) {
			return format
		}
	}
	return ""
}

func TestTheContentDecidesTheFormatOfEveryExample(t *testing.T) {
	t.Parallel()
	targets := map[string][]string{
		"gemini-request":  {"gemini-request"},
		"openai-request":  {"openai-request", "gemini-request"},
		"gemini-response": {"gemini-response", "normalized", "openai-response"},
		"gemini-stream":   {"gemini-stream", "gemini-response", "normalized", "normalized-stream", "openai-response", "openai-stream", "aisdk-stream"},
		"agent-ndjson":    {"aisdk-stream"},
	}
	paths, _ := filepath.Glob(payload("*"))
	paths = slices.DeleteFunc(paths,
		func(path string) bool { return strings.HasSuffix(path, ".md") })
	if len(paths) < 25 {
		t.Fatalf("only %d examples", len(paths))
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			from := formatOf(path)
			for _, to := range targets[from] {
				checkGuess(t, path, from, to)
			}
		})
	}
}

// checkGuess compares a conversion with and without --from. It does the same for converting the
// output to its own format.
func checkGuess(t *testing.T, path, from, to string) {
	t.Helper()
	want := convert(t, "", from, to, path)
	if diff := cmp.Diff(want, gemwire(t, "", "convert", "--to", to, path),
		allowUnexported); diff != "" {
		t.Errorf("to %s (- with --from, + without):\n%s", to, diff)
	}
	if want.code != 0 || strings.Contains(want.stdout, `{"type":"start"}`+"\n"+`{"type":"error"`) {
		return
	}
	again := gemwire(t, want.stdout, "convert", "--to", to)
	if diff := cmp.Diff(result{0, want.stdout, ""}, again, allowUnexported); diff != "" {
		t.Errorf("%s to itself without --from:\n%s", to, diff)
	}
}

func TestTheContentDecidesTheFormatInEverySpelling(t *testing.T) {
	t.Parallel()
	chunk := `{"candidates":[{"content":{"parts":[{"text":"Hi"}]},"finishReason":"STOP"}]}`
	tests := map[string]struct{ input, to, from string }{
		"snake_case":                       {`{"usage_metadata":{},"candidates":[]}`, "gemini-response", "gemini-response"},
		"a prompt that was refused":        {`{"prompt_feedback":{"block_reason":"SAFETY"}}`, "openai-response", "gemini-response"},
		"an error":                         {`{"error":{"code":503,"message":"no","status":"UNAVAILABLE"}}`, "gemini-response", "gemini-response"},
		"a byte order mark":                {"\ufeff \n" + chunk, "openai-response", "gemini-response"},
		"one chunk":                        {chunk, "openai-stream", "gemini-stream"},
		"chunks on lines, as one":          {chunk + "\n" + chunk, "openai-response", "gemini-stream"},
		"chunks on lines":                  {chunk + "\n" + chunk, "openai-stream", "gemini-stream"},
		"an array":                         {"[" + chunk + "\n,\n" + chunk + "]", "gemini-response", "gemini-stream"},
		"events after comments and fields": {": hello\nevent: message\nid: 7\n\ndata:" + chunk + "\n\n", "normalized", "gemini-stream"},
		"a damaged event after a good one": {"data: " + chunk + "\n\ndata: {\"cand\n\n", "gemini-stream", "gemini-stream"},
		"a response that is cut off":       {chunk[:len(chunk)-9], "gemini-response", "gemini-response"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := convert(t, test.input, test.from, test.to)
			var stdout, stderr bytes.Buffer
			code := cli.Run(t.Context(), []string{"convert", "--to", test.to},
				iotest.OneByteReader(strings.NewReader(test.input)), &stdout, &stderr)
			if diff := cmp.Diff(want, result{code, stdout.String(), stderr.String()},
				allowUnexported); diff != "" {
				t.Errorf("- with --from, + without:\n%s", diff)
			}
		})
	}
}

func TestContentOfAnUnclearFormatIsAnErrorThatNamesTheFormats(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ input, to, want string }{
		"nothing":        {"", "openai-response", "the format cannot be detected; set --from to one of gemini-response, gemini-stream, openai-response or normalized"},
		"no JSON":        {"Hello, world: this is text", "openai-stream", "the format cannot be detected; set --from to one of gemini-stream or openai-stream"},
		"another object": {`{"name":"Ada"}`, "normalized-stream", "the format cannot be detected; set --from to one of gemini-stream or normalized-stream"},
		"no conversion": {
			`{"contents":[]}`, "openai-response",
			"the content is gemini-request, which cannot be converted to openai-response; that can be made from gemini-response, gemini-stream, openai-response or normalized",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := gemwire(t, test.input, "convert", "--to", test.to)
			if diff := cmp.Diff(result{1, "", "gemwire: -: " + test.want + "\n"}, got,
				allowUnexported); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestInputsOfDifferentFormatsAreConvertedInOneCall(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	got := gemwire(t, "", "convert", "--to", "openai-response", "--out", dir,
		payload("response-text.json"), payload("stream-text.sse"), payload("stream-array.json"))
	if diff := cmp.Diff(result{}, got, allowUnexported); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"response-text.json", "stream-array.json", "stream-text.json"},
		fileNames(t, dir)); diff != "" {
		t.Error(diff)
	}
}
