package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// Documents of random schemas: no document has drift from itself, and what is merged is missing no
// longer.
func TestRandomDocuments(t *testing.T) {
	t.Parallel()
	const pairs = 600
	compared, merged := 0, 0
	for seed := range uint64(pairs) {
		ourText, theirText := randomDocument(seed*2), randomDocument(seed*2+1)
		ours, theirs := parse(t, "ours.yaml", ourText), parse(t, "theirs.yaml", theirText)
		self, err := compare(ours, ours)
		if err == nil {
			_, err = compare(ours, theirs)
		}
		if err != nil { // schemas that are only themselves again
			expectKnown(t, err)
			continue
		}
		compared++
		if len(self.missing)+len(self.onlyOurs) > 0 {
			t.Errorf("seed %d: drift from itself: %q, %q\n%s", seed, findingLines(self.missing),
				findingLines(self.onlyOurs), ourText)
		}
		for _, text := range []string{ourText, inBlockStyle(t, ourText)} {
			if expectMerged(t, parse(t, "ours.yaml", text), theirs) {
				merged++
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d:\n%s\n%s", seed, ourText, theirText)
		}
	}
	if compared < pairs/2 || merged < pairs/3 {
		t.Errorf("only %d of %d pairs could be compared, %d merged", compared, pairs, merged)
	}
}

// components are the names that random schemas refer to.
var components = []string{"Root", "A", "B", "C"}

func randomDocument(seed uint64) string {
	g := generator{rand.New(rand.NewPCG(seed, 1))}
	var b strings.Builder
	for _, name := range components {
		fmt.Fprintf(&b, "%s: %s\n", name, g.schema(2))
	}
	return fullDocument(b.String())
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
		return fmt.Sprintf("{ type: object, additionalProperties: %s }",
			g.pick("true", "false", g.schema(depth-1)))
	case 2:
		return fmt.Sprintf("{ %s: [%s, %s] }", g.pick("oneOf", "anyOf"), g.schema(depth-1),
			g.schema(depth-1))
	case 3:
		return fmt.Sprintf("{ allOf: [%s, %s] }", g.object(depth-1, "p", "q"),
			g.object(depth-1, "r", "s"))
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
		"{ type: string }", "{ type: string, format: int64 }", "{ type: number }",
		"{ type: boolean }",
		"{ type: integer }", "{ type: integer, format: int32 }", "{ type: integer, format: int64 }",
		"{ type: [string, 'null'] }", "{ type: [integer, string] }",
		"{ type: string, enum: [a, b] }", "{ type: string, enum: [b, c] }",
		"{ type: integer, enum: [1] }", "{ const: d }",
		"{ anyOf: [{ type: string }, { type: string, enum: [a, e] }] }",
		"{}", "{ type: object }",
	)
}
