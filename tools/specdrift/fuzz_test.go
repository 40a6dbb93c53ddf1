package main

import (
	"errors"
	"testing"
)

// Whatever two documents hold: errors are known, a document has no drift from itself, and what is
// merged is missing no longer.
func FuzzCompare(f *testing.F) {
	for _, tc := range driftCases {
		f.Add([]byte(fullDocument(tc.ours)), []byte(fullDocument(tc.theirs)))
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
		if _, err := compare(ours, theirs); err != nil {
			expectKnown(t, err)
			return
		}
		self, err := compare(ours, ours)
		if err != nil {
			expectKnown(t, err)
			return
		}
		if len(self.missing)+len(self.onlyOurs) > 0 {
			t.Errorf("drift from itself: %q, %q", findingLines(self.missing),
				findingLines(self.onlyOurs))
		}
		expectMerged(t, ours, theirs)
	})
}

// fuzzed reads a document as YAML, which can be merged into.
func fuzzed(t *testing.T, text []byte) (*document, bool) {
	d, err := parseDocument("fuzz.yaml", text)
	if err != nil {
		expectKnown(t, err)
	}
	return d, err == nil
}

func expectKnown(t *testing.T, err error) {
	t.Helper()
	for _, known := range []error{errSyntax, errNotOpenAPI, errReference, errStructure, errKeyword,
		errMerge} {
		if errors.Is(err, known) {
			return
		}
	}
	t.Errorf("unknown error %T: %v", err, err)
}

// Whatever a file holds, reading it gives a document or a known error.
func FuzzParse(f *testing.F) {
	for _, tc := range driftCases {
		f.Add("a.yaml", []byte(fullDocument(tc.theirs)))
	}
	f.Add("a.json", []byte(`{"openapi":"3.1.0","paths":{"/a":{"get":{"responses":{"200":{"$ref":"#/components/responses/a"}}}}}}`))
	f.Fuzz(func(t *testing.T, file string, text []byte) {
		d, err := parseDocument(file, text)
		if err == nil {
			_, err = compare(d, d)
		}
		if err != nil {
			expectKnown(t, err)
		}
	})
}
