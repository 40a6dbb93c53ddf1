package batch_test

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestLinesOfOneFileMayHaveDifferentModels(t *testing.T) {
	t.Parallel()
	other := strings.Replace(chat("b", "hi", ""), "gemini-3.6-flash", "gemini-2.5-pro", 1)
	in, store := write(t, "in.jsonl", chat("a", "hi", ""), other, chat("c", "hi", "")), t.TempDir()
	out := filepath.Join(t.TempDir(), "answers.jsonl")
	if got := gemwire(t.Context(), "batch", "run", in, "--out", out, "--store",
		store); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	var models []string
	for _, l := range linesOf(t, readFile(t, out)) {
		_, model, _ := strings.Cut(string(l.Response.Body), `"model":"`)
		model, _, _ = strings.Cut(model, `"`)
		models = append(models, l.CustomID+" "+model)
	}
	const want = "a gemini-3.6-flash b gemini-2.5-pro c gemini-3.6-flash"
	if strings.Join(models, " ") != want {
		t.Errorf("%v; want %s", models, want)
	}
	listed := gemwire(t.Context(), "batch", "list", "--store", store)
	if !strings.Contains(listed.stdout, "gemini-3.6-flash and 1 more") {
		t.Errorf("%+v", listed)
	}
}
