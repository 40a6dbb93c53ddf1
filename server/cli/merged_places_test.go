package cli_test

import (
	"bytes"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/go-json-experiment/json/jsontext"
)

func TestEveryPlaceInTheReportOfAMergedStreamIsInTheInput(t *testing.T) {
	t.Parallel()
	entries := filepath.Join(t.TempDir(), "report.json")
	places := 0
	for i, p := range corpustest.Payloads(t, corpustest.Stream) {
		body := string(p.Read(t))
		chunks := writtenChunks(body)
		form := mergedForms[i%len(mergedForms)] // a form for each stream, in turn
		for _, flags := range [][]string{nil, {"--no-extensions"}} {
			if convert(t, body, "gemini-stream", form,
				append(slices.Clone(flags), "--report", entries)...).code != 0 {
				continue
			}
			for _, e := range readReport(t, readFile(t, entries)) {
				if e.Kind == report.Added {
					continue // it may stand nowhere
				}
				places++
				if !isInChunks(chunks, e.Pointer) {
					t.Errorf("%s to %s %v: no %s in the input: %s", p.Name, form, flags, e.Pointer,
						e.Detail)
				}
			}
		}
	}
	if places < corpustest.AtLeast(1000) {
		t.Errorf("only %d places", places)
	}
}

// writtenChunks returns the chunks of a stream as they were written.
func writtenChunks(body string) []jsontext.Value {
	var out []jsontext.Value
	r := gemini.NewStreamReader(strings.NewReader(body))
	for _, err := range r.All() {
		if err != nil {
			break
		}
		out = append(out, bytes.Clone(r.Bytes()))
	}
	return out
}

// isInChunks reports whether a pointer leads to a value of a list of chunks.
func isInChunks(chunks []jsontext.Value, pointer string) bool {
	number, _, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	chunk, err := strconv.Atoi(number)
	return err == nil && chunk < len(chunks) &&
		resolves(chunks[chunk], pointer[len("/")+len(number):])
}
