package batch_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/cli"
)

func TestAnInputMayBeStandardInputCompressedOrAPart(t *testing.T) {
	t.Parallel()
	requests, err := os.ReadFile(example(t))
	if err != nil {
		t.Fatal(err)
	}
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	if _, err := w.Write(requests); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	packed := filepath.Join(t.TempDir(), "questions.jsonl.gz")
	if err := os.WriteFile(packed, zipped.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	table := write(t, "t.csv", "review", `"a`, `b"`, "second", "third")
	template := write(t, "t.json", `{"url":"/v1/chat/completions","body":{"model":"gemini-3.6-flash",`+
		`"messages":[{"role":"user","content":"{{review}}"}]}}`)
	for name, tt := range map[string]struct {
		args  []string
		stdin []byte
		want  int
	}{
		"standard input":            {[]string{"-"}, requests, 100},
		"compressed standard input": {[]string{"-"}, zipped.Bytes(), 100},
		"a compressed file":         {[]string{packed}, nil, 100},
		"the first lines":           {[]string{example(t), "--limit", "7"}, nil, 7},
		"a sample":                  {[]string{packed, "--sample", "9"}, nil, 9},
		"more than there are":       {[]string{example(t), "--limit", "700"}, nil, 100},
		"the first rows of a table": {[]string{"--template", template, "--variables", table,
			"--limit", "2"}, nil, 2},
	} {
		out := filepath.Join(t.TempDir(), "answers.jsonl")
		store := t.TempDir()
		run := func() (int, string) {
			var stderr bytes.Buffer
			code := cli.Run(t.Context(), append([]string{"batch", "run", "--out", out, "--store",
				store}, tt.args...), bytes.NewReader(tt.stdin), &stderr, &stderr)
			return code, stderr.String()
		}
		if code, text := run(); code != 0 || strings.Count(readFile(t, out), "\n") != tt.want {
			t.Errorf("%s: %d, %s", name, code, text)
		}
		if code, text := run(); code != 0 || !strings.Contains(text, "has ended already") {
			t.Errorf("%s: the same command is another job: %d, %s", name, code, text)
		}
	}
}
