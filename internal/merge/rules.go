package merge

import (
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// The functions here add the members of one chunk to the members of the chunks before it, by the
// rules that normalize.MergeChunks documents, and report what they replace, with a pointer from the
// location that p has. No function changes a value of a chunk.

// override replaces an optional member by a later one, unless that is absent.
func override[T any](p *provenance, pointer string, member **T, later *T) {
	if later != nil {
		replaceJSON(p, pointer, later)
		*member = later
	}
}

// overrideList replaces a list by a later one, unless that is empty.
func overrideList[T any](p *provenance, pointer string, list *[]T, later []T) {
	if len(later) > 0 {
		*list = later
		replaceJSON(p, pointer, list)
	}
}

// keepText sets a text that is still absent or empty.
func keepText(p *provenance, pointer string, member **string, later *string) {
	switch {
	case jsonx.Deref(later) == "" || *member == later:
	case jsonx.Deref(*member) == "":
		*member = later
	case **member != *later:
		p.report(pointer, detailNotFirst)
	}
}

// mergeUnknown adds the members of a later object, which win.
func mergeUnknown(p *provenance, pointer string, members *jsontext.Value, later jsontext.Value) {
	if len(later) > 0 {
		p.replaceMembers(pointer, later)
		*members = jsonx.MergeObjects(*members, later)
	}
}

// either returns the first of two optional members that is not nil.
func either[T any](a, b *T) *T {
	if a == nil {
		return b
	}
	return a
}

// eitherList returns the first of two lists that is not empty.
func eitherList[T any](a, b []T) []T {
	if len(a) == 0 {
		return b
	}
	return a
}
