package main

import (
	"errors"
	"testing"

	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/drift"
	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/openapi"
	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/stub"
)

// Whatever two documents hold: errors are typed, a document has no drift from itself, and a stub that
// is pasted leaves nothing missing.
func FuzzCompare(f *testing.F) {
	for _, tc := range driftCases {
		f.Add([]byte(document(tc.ours)), []byte(document(tc.theirs)))
	}
	f.Fuzz(func(t *testing.T, ourText, theirText []byte) {
		ours, ok := fuzzed(t, ourText)
		if !ok {
			return
		}
		theirs, ok := fuzzed(t, theirText)
		if !ok {
			return
		}
		r, err := drift.Compare(ours, theirs)
		if err != nil {
			expectTyped(t, err)
			return
		}
		if self, err := drift.Compare(ours, ours); err == nil && len(self.Missing)+len(self.OnlyOurs) > 0 {
			t.Errorf("drift from itself: %q, %q", findingLines(self.Missing), findingLines(self.OnlyOurs))
		}
		if _, err := stub.Render(r, ours, theirs); err != nil {
			expectTyped(t, err)
			return
		}
		after := compareDocuments(t, parse(t, "pasted.yaml", pasteStub(t, r, string(ourText), ours, theirs)), theirs)
		if len(after.Missing) > 0 {
			t.Errorf("still missing: %q", findingLines(after.Missing))
		}
	})
}

// fuzzed reads a document as YAML, in which it is pasted.
func fuzzed(t *testing.T, text []byte) (*openapi.Document, bool) {
	d, err := openapi.Parse("fuzz.yaml", text)
	if err != nil {
		expectTyped(t, err)
	}
	return d, err == nil
}

func expectTyped(t *testing.T, err error) {
	t.Helper()
	if _, ok := errors.AsType[*openapi.Error](err); !ok {
		t.Errorf("untyped error %T: %v", err, err)
	}
}

// Whatever a file holds, reading it gives a document or a typed error.
func FuzzParse(f *testing.F) {
	for _, tc := range driftCases {
		f.Add("a.yaml", []byte(document(tc.theirs)))
	}
	f.Add("a.json", []byte(`{"openapi":"3.1.0","paths":{"/a":{"get":{"responses":{"200":{"$ref":"#/components/responses/a"}}}}}}`))
	f.Fuzz(func(t *testing.T, file string, text []byte) {
		d, err := openapi.Parse(file, text)
		if err == nil {
			_, err = drift.Compare(d, d)
		}
		if err != nil {
			expectTyped(t, err)
		}
	})
}
