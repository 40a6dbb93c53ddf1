package request_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/interactions/request"
)

// modes are ways to convert a request.
var modes = map[string][]request.Option{
	"Gemini API":    {request.ForModel(flash25)},
	"Vertex AI":     {request.ForModel(pro3), request.ForVertexAI(), request.WithStore()},
	"a later model": {request.ForModel(flash36), request.WithTrailingModelTurn(request.TrailingTurnTrimmed)},
}

// fixtures returns the requests of testdata by file.
func fixtures(t testing.TB) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.json")
	if err != nil || len(paths) < 5 {
		t.Fatalf("%d requests: %v", len(paths), err)
	}
	out := map[string][]byte{}
	for _, path := range paths {
		if out[path], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// hasMCPServer reports whether a fixture cannot be converted in a mode, because it has an MCP
// server.
func hasMCPServer(path, mode string) bool {
	return path == "testdata/server.json" && mode == "Vertex AI"
}

// Each value of our own requests is changed in turn. The converted request or a report must show
// the change.
func TestNoRequestIsConvertedWithSilentLoss(t *testing.T) {
	t.Parallel()
	for path, document := range fixtures(t) {
		for mode, opts := range modes {
			opts := append(slices.Clone(opts), request.WithoutValidation())
			checkLeaves(t, path+": "+mode, document, hasMCPServer(path, mode), opts)
		}
	}
}

// checkLeaves changes each leaf of a request. The converted request or a report must show the
// change.
func checkLeaves(t *testing.T, name string, document []byte, isRefused bool,
	opts []request.Option) (changed int) {
	t.Helper()
	before, report, err := geminiRequest(document, opts...)
	if err != nil {
		if !isRefused {
			t.Errorf("%s: %v", name, err)
		}
		return 0
	}
	leaves, err := leaftest.All(document)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range leaftest.Sample(leaves, leaftest.Enough(len(leaves))) {
		changed++
		after, reportAfter, err := geminiRequest(l.Change(document), opts...)
		if err == nil && bytes.Equal(before, after) && !loses(report, l.Pointer) &&
			!loses(reportAfter, l.Pointer) {
			t.Errorf("%s: %s is lost silently", name, l.Pointer)
		}
	}
	return changed
}

// loses reports whether an entry says that a value, or a value around it, is lost or approximated.
func loses(entries report.Report, pointer string) bool {
	return entries.Of(report.Lost).Covers(pointer) ||
		entries.Of(report.Approximated).Covers(pointer)
}

// Members of a later revision are reported, not lost silently.
func TestWhatALaterRevisionHasIsReported(t *testing.T) {
	t.Parallel()
	for path, document := range fixtures(t) {
		for mode, opts := range modes {
			opts := append(slices.Clone(opts), request.WithoutValidation())
			before, entries, err := geminiRequest(document, opts...)
			if err != nil {
				continue // which TestNoRequestIsConvertedWithSilentLoss allows or not
			}
			inventions, err := leaftest.Inventions(document)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range leaftest.Sample(inventions, leaftest.Enough(len(inventions))) {
				after, entriesAfter, err := geminiRequest(
					leaftest.Invent(document, []leaftest.Leaf{l}), opts...)
				isCovered := l.Pointer != "" && loses(entries, l.Pointer)
				if err == nil && bytes.Equal(before, after) &&
					len(entries) == len(entriesAfter) && !isCovered {
					t.Errorf("%s: %s: an invention at %q is lost silently", path, mode, l.Pointer)
				}
			}
		}
	}
}

func TestEntriesPointAtValuesOfTheRequest(t *testing.T) {
	t.Parallel()
	for path, document := range fixtures(t) {
		tree := openaitest.Tree(t, document)
		for mode, opts := range modes {
			opts := append(slices.Clone(opts), request.WithoutValidation())
			_, entries, _ := geminiRequest(document, opts...)
			for _, e := range entries {
				if e.Kind != report.Added && !openaitest.Exists(tree, e.Pointer) {
					t.Errorf("%s: %s: %v", path, mode, e)
				}
			}
		}
	}
}

// Many goroutines convert one request, which must stay unchanged.
func TestConversionsShareARequest(t *testing.T) {
	t.Parallel()
	for path, document := range fixtures(t) {
		in := mustDecode(t, string(document))
		before, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		opts := []request.Option{request.ForModel(flash36), request.WithoutValidation()}
		done := make(chan error, 8)
		for range cap(done) {
			go func() {
				_, _, err := request.ToGemini(in, opts...)
				done <- err
			}()
		}
		for range cap(done) {
			if err := <-done; err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
		if after, err := json.Marshal(in); err != nil || !bytes.Equal(before, after) {
			t.Errorf("%s: the request was changed: %s, was %s (%v)", path, after, before, err)
		}
	}
}

func TestErrorsNameTheirPlaceAndNoSecret(t *testing.T) {
	t.Parallel()
	_, _, err := geminiRequest([]byte(inputOf(asked, signed)))
	if err == nil || !strings.HasPrefix(err.Error(), "interactions: request: /input/1: ") ||
		strings.Contains(err.Error(), "AAA=") {
		t.Errorf("got %v", err)
	}
	if out, _, err := request.ToGemini(nil); out != nil || err == nil {
		t.Errorf("got %v, %v", out, err)
	}
}
