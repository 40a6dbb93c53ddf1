package cli_test

import (
	"strings"
	"testing"
)

// The chunks of a short answer.
const (
	oneChunk = `data: {"candidates":[{"content":{"parts":[{"text":"one"}]}}],"responseId":"a"}` +
		"\n\n"
	stopChunk = `data: {"candidates":[{"finishReason":"STOP"}],"responseId":"a","modelVersion":"m"}` +
		"\n\n"
	doneMark = "data: [DONE]\n\n"
)

// damagedStreams are Gemini streams with a part that the reader ignores, and the pointer of that
// part.
var damagedStreams = map[string]struct{ body, pointer string }{
	"a damaged line":         {oneChunk + "dta: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"two\"}]}}]}\n\n" + stopChunk, "/1"},
	"a text after the end":   {oneChunk + stopChunk + "bye\n", "/2"},
	"a chunk after the mark": {oneChunk + stopChunk + doneMark + "data: {\"usageMetadata\":{\"totalTokenCount\":7}}\n\n", "/2"},
}

func TestLinesThatAStreamReaderSkipsAreReportedInEveryForm(t *testing.T) {
	t.Parallel()
	for name, test := range damagedStreams {
		for _, output := range streamOutputs {
			got := convert(t, test.body, "gemini-stream", output.format, "--report", "/dev/stderr")
			entry := `"pointer":"` + test.pointer + `","kind":"lost"`
			if got.code != 0 ||
				!strings.Contains(strings.Join(strings.Fields(got.stderr), ""), entry) {
				t.Errorf("%s to %s: %+v", name, output.format, got)
			}
			got = convert(t, test.body, "gemini-stream", output.format, "--strict")
			if got.code != 1 ||
				!strings.Contains(got.stderr, "gemwire: -: "+test.pointer+": lost: ") ||
				output.document && got.stdout != "" {
				t.Errorf("%s to %s, strictly: %+v", name, output.format, got)
			}
		}
		if got := gemwire(t, test.body, "validate", "--as", "gemini-stream"); got.code != 1 ||
			!strings.HasPrefix(got.stdout, "-: "+test.pointer+": ") {
			t.Errorf("validate %s: %+v", name, got)
		}
	}
}

func TestASecondStreamFailsInEveryForm(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"the same again": oneChunk + stopChunk + oneChunk + stopChunk,
		"after the mark": oneChunk + stopChunk + doneMark + oneChunk + stopChunk + doneMark,
		"after one cut off": oneChunk + oneChunk +
			strings.ReplaceAll(oneChunk+stopChunk, `"a"`, `"b"`),
		"of another answer": oneChunk + stopChunk +
			strings.ReplaceAll(oneChunk+stopChunk, `"a"`, `"b"`),
		"in lines, once again": strings.ReplaceAll(strings.ReplaceAll(oneChunk+stopChunk+oneChunk+
			stopChunk, "data: ", ""), "\n\n", "\n"),
	} {
		for _, output := range streamOutputs {
			got := convert(t, body, "gemini-stream", output.format)
			if got.code != 1 || !strings.Contains(got.stderr, "gemwire: -: /2: ") ||
				!strings.HasSuffix(got.stderr, ": a second stream begins after the first\n") {
				t.Errorf("%s to %s: %+v", name, output.format, got)
			}
			if strings.Contains(got.stdout, "[DONE]") || output.document && got.stdout != "" {
				t.Errorf("%s to %s ends as if it were whole: %s", name, output.format, got.stdout)
			}
		}
		if got := gemwire(t, body, "validate", "--as", "gemini-stream"); got.code != 1 {
			t.Errorf("validate %s: %+v", name, got)
		}
	}
}

func TestADamagedStreamOfCompletionsIsReported(t *testing.T) {
	t.Parallel()
	chunk := "data: " + completionChunk + "\n\n"
	body := chunk + "dta: {}\n\n" + doneMark
	if got := convert(t, body, "openai-stream", "openai-stream"); got.code != 0 ||
		strings.Contains(got.stdout, "dta") {
		t.Errorf("got %+v", got)
	}
	if got := convert(t, body, "openai-stream", "openai-stream", "--strict"); got.code != 1 ||
		!strings.Contains(got.stderr, "/1: lost: ") {
		t.Errorf("strictly: %+v", got)
	}
	if got := gemwire(t, body, "validate", "--as", "openai-stream"); got.code != 1 ||
		!strings.Contains(got.stdout, "-: /1: ") {
		t.Errorf("validate: %+v", got)
	}
	if got := convert(t, chunk+doneMark+chunk+doneMark, "openai-stream",
		"openai-stream"); got.code != 1 {
		t.Errorf("a second stream: %+v", got)
	}
}

func TestNoFormatOfLinesTakesADamagedLineOrASecondStream(t *testing.T) {
	t.Parallel()
	for format, from := range map[string]string{"normalized-stream": "gemini-stream",
		"aisdk-stream": "gemini-stream"} {
		body := convert(t, oneChunk+stopChunk, from, format).stdout
		first, rest, _ := strings.Cut(body, "\n")
		for name, damaged := range map[string]string{
			"a line cut at its start": first[1:] + "\n" + rest,
			"a text":                  first + "\nxy\n" + rest,
			"a second stream":         body + body,
			"a text after the end":    body + "xy\n",
		} {
			if got := convert(t, damaged, format, format); got.code != 1 {
				t.Errorf("%s: %s: %+v", format, name, got)
			}
			if got := gemwire(t, damaged, "validate", "--as", format); got.code != 1 {
				t.Errorf("validate %s: %s: %+v", format, name, got)
			}
		}
	}
}
