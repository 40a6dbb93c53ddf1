package merge

import (
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// The functions here add the members of one chunk to the members of the earlier chunks, by the
// rules in the documentation of normalize.MergeChunks. They report the replaced values with
// pointers relative to the location of p. No function changes a value of a chunk.

// override replaces an optional member by a later one, unless the later one is absent.
func override[T any](p *provenance, pointer string, member **T, later *T) {
	if later != nil {
		replaceJSON(p, pointer, later)
		*member = later
	}
}

// overrideList replaces a list by a later one, unless the later one is empty.
func overrideList[T any](p *provenance, pointer string, list *[]T, later []T) {
	if len(later) > 0 {
		*list = later
		replaceJSON(p, pointer, list)
	}
}

// keepText sets a text if it is absent or empty.
func keepText(p *provenance, pointer string, member **string, later *string) {
	switch {
	case jsonx.Deref(later) == "" || *member == later:
	case jsonx.Deref(*member) == "":
		*member = later
	case **member != *later:
		p.report(pointer, detailNotFirst)
	}
}

// mergeUnknown adds the members of a later object. They replace members with the same name.
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
