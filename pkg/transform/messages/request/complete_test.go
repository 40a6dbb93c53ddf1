package request_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/pkg/transform/messages/request"
)

// fixtures returns the requests of testdata by file.
func fixtures(t testing.TB) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.json")
	if err != nil || len(paths) < 4 {
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

// Each value of our own requests is changed in turn. The converted request or a report must show
// the change.
func TestNoRequestIsConvertedWithSilentLoss(t *testing.T) {
	t.Parallel()
	for path, document := range fixtures(t) {
		for mode, opts := range modes {
			opts := append(slices.Clone(opts), request.WithoutValidation())
			before, report, err := geminiRequest(document, opts...)
			if err != nil {
				// which has no MCP servers
				if mode != "Vertex AI" || path != "testdata/server_tools.json" {
					t.Errorf("%s: %s: %v", path, mode, err)
				}
				continue
			}
			leaves, err := leaftest.All(document)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range leaves {
				after, reportAfter, err := geminiRequest(l.Change(document), opts...)
				if err == nil && bytes.Equal(before, after) && !loses(report, l.Pointer) &&
					!loses(reportAfter, l.Pointer) {
					t.Errorf("%s: %s: %s is lost silently", path, mode, l.Pointer)
				}
			}
		}
	}
}

// A request that is valid for Anthropic converts to a valid one for Gemini, for any model.
func TestTheRequestsOfTestdataAreConverted(t *testing.T) {
	t.Parallel()
	for path, document := range fixtures(t) {
		for _, model := range []string{flash25, pro3, flash36} {
			if _, _, err := geminiRequest(document, request.ForModel(model)); err != nil {
				t.Errorf("%s: %s: %v", path, model, err)
			}
		}
	}
}

// Many goroutines convert one request, which must stay unchanged.
func TestConversionsShareARequest(t *testing.T) {
	t.Parallel()
	for path, document := range fixtures(t) {
		want, _, err := geminiRequest(document, request.ForModel(pro3))
		if err != nil {
			t.Fatal(err)
		}
		in := mustDecode(t, string(document))
		results := make(chan []byte, 8)
		for range cap(results) {
			go func() { results <- encoded(in, request.ForModel(pro3)) }()
		}
		for range cap(results) {
			if got := <-results; !bytes.Equal(got, want) {
				t.Errorf("%s: %s, want %s", path, got, want)
			}
		}
	}
}
