package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/corpustest"
)

// The vendors' own documents.
const (
	googleApril     = "generativelanguage-v1beta.openapi3.rev20260410.json"
	googleAugust    = "generativelanguage-v1beta.openapi.2026-08-22.json"
	openAI          = "openai-chat.openapi.2026-08-21.json"
	openAIResponses = "openai-responses.openapi.2026-08-21.json"
	interactions    = "interactions.derived-js-3.1.0.json"
)

// vendorDocument is the path of a vendor's document, which is no part of the repository; without it
// the test is skipped.
func vendorDocument(t testing.TB, name string) string {
	t.Helper()
	return corpustest.Shared(t, "discovery/"+name)
}

func TestOurDescriptionsLackNothingThatTheVendorsDescribe(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ ours, theirs string }{
		{"gemini.yaml", googleApril},
		{"gemini.yaml", googleAugust},
		{"openai.yaml", openAI},
		{"openai.yaml", openAIResponses},
		{"interactions.yaml", interactions},
	} {
		t.Run(tc.ours+" and "+tc.theirs, func(t *testing.T) {
			t.Parallel()
			ours := read(t, "../../api/openapi/"+tc.ours)
			r := compareDocuments(t, ours, read(t, vendorDocument(t, tc.theirs)))
			for _, f := range r.missing {
				t.Error(f)
			}
			compared := operationCount(t, ours) - onlyOurOperations(r)
			if compared == 0 {
				t.Error("no operation was compared")
			}
		})
	}
}

func TestVendorDocumentsDoNotDriftFromThemselves(t *testing.T) {
	t.Parallel()
	for _, name := range []string{googleApril, googleAugust, openAI, openAIResponses, interactions} {
		d := read(t, vendorDocument(t, name))
		r := compareDocuments(t, d, d)
		if len(r.missing)+len(r.onlyOurs) > 0 {
			t.Errorf("%s: missing %q, only ours %q", name, findingLines(r.missing),
				findingLines(r.onlyOurs))
		}
	}
}

func TestMergeBringsOneVendorDocumentUpToTheOther(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ old, current string }{
		{googleApril, googleAugust},
		{googleAugust, googleApril},
	} {
		text, err := os.ReadFile(vendorDocument(t, tc.old))
		if err != nil {
			t.Fatal(err)
		}
		old, current := parse(t, "old.yaml", inBlockStyle(t, string(text))),
			read(t, vendorDocument(t, tc.current))
		if r := compareDocuments(t, old, current); len(r.missing) == 0 {
			t.Fatalf("%s lacks nothing of %s: nothing to try", tc.old, tc.current)
		}
		expectMerged(t, old, current)
	}
}

// Every property and enum value that a plain walk over the references finds is taken out of our
// side in turn. Google's document has no unions in which another branch could make up for it.
func TestNothingThatAVendorDescribesCanBeLeftOutUnnoticed(t *testing.T) {
	t.Parallel()
	file := vendorDocument(t, googleAugust)
	ours, theirs := read(t, file), read(t, file)
	paths := ours.root.get("paths")
	paths.members = slices.DeleteFunc(paths.members, func(m member) bool {
		return m.key.Value != "/models/{modelsId}:generateContent"
	})
	schemas := map[*value]bool{}
	for _, name := range []string{"GenerateContentRequest", "GenerateContentResponse"} {
		reach(ours, ours.at("/components/schemas/"+name), schemas)
	}
	tried := 0
	for schema := range schemas {
		if properties := schema.get("properties"); properties != nil {
			full := properties.members
			for i, m := range full {
				properties.members = slices.Delete(slices.Clone(full), i, i+1)
				expectMissing(t, ours, theirs, m.value.pointer, func(f finding) bool {
					return f.kind == namedProperty && strings.HasSuffix(f.path, "/"+m.key.Value)
				})
			}
			properties.members = full
			tried += len(full)
		}
		if enum := schema.get("enum"); enum != nil {
			full := enum.items
			for i, value := range full {
				enum.items = slices.Delete(slices.Clone(full), i, i+1)
				expectMissing(t, ours, theirs, value.pointer, func(f finding) bool {
					return f.kind == listedValue && f.name == value.Value
				})
			}
			enum.items = full
			tried += len(full)
		}
	}
	if tried < 400 {
		t.Errorf("only %d properties and values were reached", tried)
	}
}

// reach collects the schemas below a schema, also through references.
func reach(d *document, schema *value, reached map[*value]bool) {
	if schema == nil || reached[schema] {
		return
	}
	reached[schema] = true
	if properties := schema.get("properties"); properties != nil {
		for _, m := range properties.members {
			reach(d, m.value, reached)
		}
	}
	reach(d, schema.get("items"), reached)
	reach(d, schema.get("additionalProperties"), reached)
	if ref := schema.get("$ref"); ref != nil {
		reach(d, d.at(strings.TrimPrefix(ref.Value, "#")), reached)
	}
}

func expectMissing(t *testing.T, ours, theirs *document, left string, reported func(finding) bool) {
	t.Helper()
	if r := compareDocuments(t, ours, theirs); !slices.ContainsFunc(r.missing, reported) {
		t.Errorf("%s was left out and not missed; missing %q", left, findingLines(r.missing))
	}
}

func operationCount(t testing.TB, d *document) int {
	t.Helper()
	count := len(d.operations())
	if d.err != nil {
		t.Fatal(d.err)
	}
	return count
}

func onlyOurOperations(r *report) int {
	n := 0
	for _, f := range r.onlyOurs {
		if f.kind == wholeOperation {
			n++
		}
	}
	return n
}

func read(t testing.TB, file string) *document {
	t.Helper()
	d, err := readDocument(file)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
