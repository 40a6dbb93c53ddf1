package search

import (
	"context"
	"slices"
	"strings"
	"time"
)

// Query is a parsed query. Its zero value matches everything. It is safe for concurrent use.
type Query struct {
	terms []term
}

// term is one condition.
type term struct {
	isNot bool
	// field is the name of a filter, or "" for a text. The duration of a request has the name
	// "duration", which is not written.
	field string
	op    string // ":" for a filter with a text, or a comparison
	value string
	// isExact marks a value that was written as "", which stands for exchanges without one.
	isExact bool

	text   *needle   // of a text
	number float64   // of a comparison, in the unit of its filter
	time   time.Time // of since and until
}

// IsEmpty reports whether the query matches everything.
func (q *Query) IsEmpty() bool { return len(q.terms) == 0 }

// String returns the query in a uniform layout. Parsing it again gives the same query.
func (q *Query) String() string {
	words := make([]string, len(q.terms))
	for i := range q.terms {
		words[i] = q.terms[i].String()
	}
	return strings.Join(words, " ")
}

// String returns the term as a user writes it.
func (t *term) String() string {
	minus := ""
	if t.isNot {
		minus = "-"
	}
	switch {
	case t.field == "" && isPlain(t.value):
		return minus + t.value
	case t.field == "":
		return minus + quoted(t.value)
	case t.field == fieldDuration:
		return minus + t.op + t.value
	case t.value == "" || strings.ContainsFunc(t.value, isSpace) ||
		strings.HasPrefix(t.value, `"`):
		return minus + t.field + t.op + quoted(t.value)
	default:
		return minus + t.field + t.op + t.value
	}
}

// isPlain reports whether a text can be written without quotes.
func isPlain(text string) bool {
	if text == "" || strings.ContainsFunc(text, isSpace) || strings.ContainsAny(text[:1], `"-<>`) {
		return false
	}
	name, op, _ := splitFilter(text)
	return op == "" || name == ""
}

// quoted returns a text as a phrase.
func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// texts returns the texts that must be in an exchange.
func (q *Query) texts() (out []*needle) {
	for i := range q.terms {
		if t := &q.terms[i]; t.text != nil && !t.isNot {
			out = append(out, t.text)
		}
	}
	return out
}

// Matches reports whether an exchange matches the query.
func (q *Query) Matches(ctx context.Context, e *Exchange) bool {
	// Filters are faster than texts.
	return !slices.ContainsFunc(q.terms, func(t term) bool {
		return t.text == nil && t.matches(e) == t.isNot
	}) && !slices.ContainsFunc(q.terms, func(t term) bool {
		return t.text != nil && e.contains(ctx, t.text) == t.isNot
	})
}
