package chat_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/google/go-cmp/cmp"
)

// TestStreamGolden converts each NAME.gemini.sse of testdata. It compares the body with
// NAME.golden.sse and the report with NAME.report.txt, and without extensions with
// NAME.plain.golden.sse and NAME.plain.report.txt.
func TestStreamGolden(t *testing.T) {
	t.Parallel()
	inputs, err := filepath.Glob("testdata/*.gemini.sse")
	if err != nil || len(inputs) == 0 {
		t.Fatalf("no inputs: %v", err)
	}
	for _, input := range inputs {
		for suffix, opts := range map[string][]chat.Option{
			"":       {chat.WithUsage()},
			".plain": {chat.WithUsage(), chat.WithoutExtensions()},
		} {
			name := strings.TrimSuffix(input, ".gemini.sse") + suffix
			t.Run(filepath.Base(name), func(t *testing.T) {
				t.Parallel()
				recorded, err := os.Open(input)
				if err != nil {
					t.Fatal(err)
				}
				defer recorded.Close()
				var body, lines bytes.Buffer
				report, err := chat.WriteStream(&body, gemini.NewStreamReader(recorded).All(),
					opts...)
				if err != nil {
					t.Fatal(err)
				}
				for _, entry := range report {
					fmt.Fprintln(&lines, entry)
				}
				sameAsFile(t, name+".golden.sse", body.Bytes())
				sameAsFile(t, name+".report.txt", lines.Bytes())
			})
		}
	}
}

func sameAsFile(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Error(diff)
	}
}
