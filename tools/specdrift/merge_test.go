package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

func TestMergedDescriptionLacksOnlyWhatIsLeftToAPerson(t *testing.T) {
	t.Parallel()
	for _, tc := range driftCases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			theirs := parse(t, "theirs", fullDocument(tc.theirs))
			for _, text := range []string{fullDocument(tc.ours),
				inBlockStyle(t, fullDocument(tc.ours))} {
				expectMerged(t, parse(t, "ours", text), theirs)
			}
		})
	}
}

// expectMerged merges theirs into ours and expects that all lines of ours are still there, that
// nothing is missing then but what cannot be merged, and that a second merge changes nothing. It
// returns whether anything was added.
func expectMerged(t *testing.T, ours, theirs *document) bool {
	t.Helper()
	merged, left, err := merge(ours, theirs)
	if err != nil { // what is merged may be broken where it is not compared
		expectKnown(t, err)
		return false
	}
	for _, f := range left {
		mergeable := f.kind == namedProperty ||
			f.kind == listedValue && f.detail == "" && !strings.Contains(string(ours.text), "const")
		if mergeable {
			t.Errorf("still missing: %s\n%s", f, merged.text)
		}
	}
	again, _, err := merge(merged, theirs)
	if err != nil || !bytes.Equal(again.text, merged.text) {
		t.Errorf("a second merge fails or changes something: %v\n%s", err,
			cmp.Diff(string(merged.text), string(again.text)))
	}
	if onlyThere := removeAdditions(string(merged.text), string(ours.text)); onlyThere != "" {
		t.Errorf("the merge changed %q\n%s", onlyThere, merged.text)
	}
	return !bytes.Equal(merged.text, ours.text)
}

// removeAdditions returns what of before is not in after, in that order: "" when after is before
// with additions.
func removeAdditions(after, before string) string {
	left := []rune(before)
	for _, r := range after {
		if len(left) > 0 && left[0] == r {
			left = left[1:]
		}
	}
	return string(left)
}

// inBlockStyle writes a document without any value in flow style.
func inBlockStyle(t testing.TB, text string) string {
	t.Helper()
	var node yaml.Node
	if err := yaml.Unmarshal([]byte(text), &node); err != nil {
		t.Fatal(err)
	}
	clearStyle(&node)
	out, err := yaml.Marshal(&node)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func clearStyle(n *yaml.Node) {
	n.Style &^= yaml.FlowStyle
	for _, child := range n.Content {
		clearStyle(child)
	}
}
