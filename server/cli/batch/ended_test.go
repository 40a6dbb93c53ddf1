package batch_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// All of it is paid again, so the command says why.
func TestAChangedInputOfAnEndedJobIsSentWithANote(t *testing.T) {
	t.Parallel()
	store, out := t.TempDir(), filepath.Join(t.TempDir(), "answers.jsonl")
	run := func(text string, further ...string) result {
		in := write(t, "in.jsonl", chat("a", text, ""))
		return gemwire(t.Context(), append([]string{"batch", "run", in, "--out", out, "--store",
			store}, further...)...)
	}
	const note = "has ended; the input or the settings have changed since, so all requests are sent"
	if got := run("one"); got.code != 0 || strings.Contains(got.stderr, note) {
		t.Fatalf("%+v", got)
	}
	for _, further := range [][]string{nil, {"--reuse"}} {
		if got := run("two"+strings.Join(further, ""), further...); got.code != 0 ||
			!strings.Contains(got.stderr, note) {
			t.Errorf("%v: %+v", further, got)
		}
	}
	if got := run("three", "--new"); got.code != 0 || strings.Contains(got.stderr, note) {
		t.Errorf("%+v", got)
	}
}
