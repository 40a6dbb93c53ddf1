package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/corpustest"
	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/drift"
	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/openapi"
)

// The vendors' own documents.
const (
	googleApril  = "generativelanguage-v1beta.openapi3.rev20260410.json"
	googleAugust = "generativelanguage-v1beta.openapi.2026-08-22.json"
	openAI       = "openai-chat.openapi.2026-08-21.json"
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
	} {
		t.Run(tc.ours+" and "+tc.theirs, func(t *testing.T) {
			t.Parallel()
			ours := read(t, "../../../api/openapi/"+tc.ours)
			r := compareDocuments(t, ours, read(t, vendorDocument(t, tc.theirs)))
			for _, f := range r.Missing {
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
	for _, name := range []string{googleApril, googleAugust, openAI} {
		d := read(t, vendorDocument(t, name))
		r := compareDocuments(t, d, d)
		if len(r.Missing)+len(r.OnlyOurs) > 0 {
			t.Errorf("%s: missing %q, only ours %q", name, findingLines(r.Missing), findingLines(r.OnlyOurs))
		}
	}
}

func TestPastedStubBringsOneVendorDocumentUpToTheOther(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ old, current string }{
		{googleApril, googleAugust},
		{googleAugust, googleApril},
	} {
		oldFile := vendorDocument(t, tc.old)
		text, err := os.ReadFile(oldFile)
		if err != nil {
			t.Fatal(err)
		}
		old, current := read(t, oldFile), read(t, vendorDocument(t, tc.current))
		before := compareDocuments(t, old, current)
		if len(before.Missing) == 0 {
			t.Fatalf("%s lacks nothing of %s: nothing to try", tc.old, tc.current)
		}
		after := compareDocuments(t, parse(t, "pasted.yaml", pasteStub(t, before, string(text), old, current)), current)
		if len(after.Missing) > 0 {
			t.Errorf("%s still lacks of %s: %q", tc.old, tc.current, findingLines(after.Missing))
		}
	}
}

// Every property and enum value that a plain walk over the references finds is taken out of our side
// in turn. Google's document has no unions in which another branch could make up for it.
func TestNothingThatAVendorDescribesCanBeLeftOutUnnoticed(t *testing.T) {
	t.Parallel()
	file := vendorDocument(t, googleAugust)
	ours, theirs := read(t, file), read(t, file)
	paths := ours.Root.Get("paths")
	paths.Members = slices.DeleteFunc(paths.Members, func(m openapi.Member) bool {
		return m.Key != "/models/{modelsId}:generateContent"
	})
	schemas := map[*openapi.Value]bool{}
	for _, name := range []string{"GenerateContentRequest", "GenerateContentResponse"} {
		reach(ours, ours.At("/components/schemas/"+name), schemas)
	}
	tried := 0
	for schema := range schemas {
		if properties := schema.Get("properties"); properties != nil {
			full := properties.Members
			for i, m := range full {
				properties.Members = slices.Delete(slices.Clone(full), i, i+1)
				expectMissing(t, ours, theirs, m.Value.Pointer, func(f drift.Finding) bool {
					return f.Kind == drift.Property && strings.HasSuffix(f.Path, "/"+m.Key)
				})
			}
			properties.Members = full
			tried += len(full)
		}
		if enum := schema.Get("enum"); enum != nil {
			full := enum.Items
			for i, value := range full {
				enum.Items = slices.Delete(slices.Clone(full), i, i+1)
				expectMissing(t, ours, theirs, value.Pointer, func(f drift.Finding) bool {
					return f.Kind == drift.EnumValue && f.Name == value.Text
				})
			}
			enum.Items = full
			tried += len(full)
		}
	}
	if tried < 400 {
		t.Errorf("only %d properties and values were reached", tried)
	}
}

// reach collects the schemas below a schema, behind references too.
func reach(d *openapi.Document, schema *openapi.Value, reached map[*openapi.Value]bool) {
	if schema == nil || reached[schema] {
		return
	}
	reached[schema] = true
	if properties := schema.Get("properties"); properties != nil {
		for _, m := range properties.Members {
			reach(d, m.Value, reached)
		}
	}
	reach(d, schema.Get("items"), reached)
	reach(d, schema.Get("additionalProperties"), reached)
	if ref := schema.Get("$ref"); ref != nil {
		reach(d, d.At(strings.TrimPrefix(ref.Text, "#")), reached)
	}
}

func expectMissing(t *testing.T, ours, theirs *openapi.Document, left string, reported func(drift.Finding) bool) {
	t.Helper()
	if r := compareDocuments(t, ours, theirs); !slices.ContainsFunc(r.Missing, reported) {
		t.Errorf("%s was left out and not missed; missing %q", left, findingLines(r.Missing))
	}
}

func operationCount(t testing.TB, d *openapi.Document) int {
	t.Helper()
	operations, err := d.Operations()
	if err != nil {
		t.Fatal(err)
	}
	return len(operations)
}

func onlyOurOperations(r *drift.Report) int {
	n := 0
	for _, f := range r.OnlyOurs {
		if f.Kind == drift.Operation {
			n++
		}
	}
	return n
}

func read(t testing.TB, file string) *openapi.Document {
	t.Helper()
	d, err := openapi.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
