package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/drift"
	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/openapi"
	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/stub"
)

// Documents of random schemas: no document has drift from itself, and stubs that are pasted leave
// nothing missing. One schema of ours may stand for several of theirs in random documents, so that what
// one of them needs is at first too narrow for another; that takes a second round, seldom a third.
func TestRandomDocuments(t *testing.T) {
	t.Parallel()
	const pairs = 600
	compared, again := 0, 0
	for seed := range uint64(pairs) {
		ourText, theirText := randomDocument(seed*2), randomDocument(seed*2+1)
		ours, theirs := parse(t, "ours.yaml", ourText), parse(t, "theirs.yaml", theirText)
		rounds, err := pasteUntilNothingIsMissing(t, ourText, theirs)
		if err != nil { // schemas that are only themselves again, lists of themselves without a name
			expectTyped(t, err)
			continue
		}
		compared++
		if rounds > 1 {
			again++
		}
		if rounds > 3 {
			t.Errorf("seed %d: %d rounds\n%s\n%s", seed, rounds, ourText, theirText)
		}
		switch self, err := drift.Compare(ours, ours); {
		case err != nil:
			expectTyped(t, err)
		case len(self.Missing)+len(self.OnlyOurs) > 0:
			t.Errorf("seed %d: drift from itself: %q, %q\n%s", seed, findingLines(self.Missing), findingLines(self.OnlyOurs), ourText)
		}
		if t.Failed() {
			return
		}
	}
	if compared < pairs/2 {
		t.Errorf("only %d of %d pairs could be compared", compared, pairs)
	}
	if again > pairs/200 {
		t.Errorf("%d of %d stubs needed a second round", again, compared)
	}
}

// pasteUntilNothingIsMissing returns how often a stub had to be pasted; at most 10.
func pasteUntilNothingIsMissing(t *testing.T, text string, theirs *openapi.Document) (int, error) {
	for round := range 10 {
		ours := parse(t, "ours.yaml", text)
		r, err := drift.Compare(ours, theirs)
		if err != nil || len(r.Missing) == 0 {
			return round, err
		}
		if _, err := stub.Render(r, ours, theirs); err != nil {
			return round, err
		}
		text = pasteStub(t, r, text, ours, theirs)
	}
	return 10, nil
}

// components are the names that random schemas refer to.
var components = []string{"Root", "A", "B", "C"}

func randomDocument(seed uint64) string {
	g := generator{rand.New(rand.NewPCG(seed, 1))}
	var b strings.Builder
	for _, name := range components {
		fmt.Fprintf(&b, "%s: %s\n", name, g.schema(2))
	}
	return document(b.String())
}

type generator struct{ *rand.Rand }

func (g generator) pick(words ...string) string { return words[g.IntN(len(words))] }

// schema writes a random schema of at most the given depth.
func (g generator) schema(depth int) string {
	if depth == 0 || g.IntN(4) == 0 {
		return g.flat()
	}
	switch g.IntN(6) {
	case 0:
		return fmt.Sprintf("{ type: array, items: %s }", g.schema(depth-1))
	case 1:
		return fmt.Sprintf("{ type: object, additionalProperties: %s }", g.pick("true", "false", g.schema(depth-1)))
	case 2:
		return fmt.Sprintf("{ %s: [%s, %s] }", g.pick("oneOf", "anyOf"), g.schema(depth-1), g.schema(depth-1))
	case 3:
		return fmt.Sprintf("{ allOf: [%s, %s] }", g.object(depth-1, "p", "q"), g.object(depth-1, "r", "s"))
	default:
		return g.object(depth-1, "p", "q", "r")
	}
}

func (g generator) object(depth int, names ...string) string {
	var members []string
	for _, name := range names {
		if g.IntN(2) == 0 {
			members = append(members, fmt.Sprintf("%s: %s", name, g.schema(depth)))
		}
	}
	return fmt.Sprintf("{ type: object, properties: { %s } }", strings.Join(members, ", "))
}

func (g generator) flat() string {
	reference := fmt.Sprintf("{ $ref: '#/components/schemas/%s' }", g.pick(components...))
	return g.pick(
		reference, reference,
		fmt.Sprintf("{ description: Words., allOf: [%s] }", reference),
		fmt.Sprintf("{ anyOf: [%s, { type: 'null' }] }", reference),
		"{ type: string }", "{ type: string, format: int64 }", "{ type: number }", "{ type: boolean }",
		"{ type: integer }", "{ type: integer, format: int32 }", "{ type: integer, format: int64 }",
		"{ type: [string, 'null'] }", "{ type: [integer, string] }",
		"{ type: string, enum: [a, b] }", "{ type: string, enum: [b, c] }", "{ type: integer, enum: [1] }", "{ const: d }",
		"{ type: string, x-open-enum: true, x-known-values: [a] }",
		"{ anyOf: [{ type: string }, { type: string, enum: [a, e] }] }",
		"{}", "{ type: object }",
	)
}
