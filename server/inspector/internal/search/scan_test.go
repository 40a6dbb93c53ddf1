package search

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

func TestALongRunIsReadOnce(t *testing.T) {
	t.Parallel()
	const many = 1 << 18
	for query, text := range map[string]string{
		`"n e"`:     strings.Repeat(`\n`, many),
		`"n x"`:     strings.Repeat(`\\n`, many),
		`"n z"`:     strings.Repeat(`\n`, many) + strings.Repeat(`\`, many),
		`"n 😀"`:     strings.Repeat(`\n`, many) + `\ud83d` + strings.Repeat(`\`, many),
		`"\\é"`:     strings.Repeat(`\`, many),
		`"\\\" \\"`: strings.Repeat(`\"`, many) + strings.Repeat(`\`, many),
	} {
		q, err := Parse(query, noon)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := q.Run(ctx, []Exchange{{Texts: one(text)}}, 1); err != nil {
			t.Errorf("%s: %v", query, err)
		}
	}
}

func TestASearchEndsWithItsContext(t *testing.T) {
	t.Parallel()
	q, err := Parse("needle", noon)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	read := 0
	texts := func(yield func(Text) bool) {
		cancel()
		read++
		yield(Text{Text: strings.Repeat("d", 1<<13) + "needle"})
	}
	result, err := q.Run(ctx, []Exchange{{Texts: texts}}, 1)
	if !errors.Is(err, context.Canceled) || len(result.Found) > 0 || read != 1 {
		t.Errorf("%v after %d texts: %+v", err, read, result)
	}
}
