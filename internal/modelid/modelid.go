// Package modelid compares model ids: whether an id is a version of a model, and whether it belongs
// to a family.
package modelid

import "strings"

// IsVersionOf reports whether an id is a model's name, alone or with words that only name a
// version: -001, @001, -preview, -latest, -preview-09-2025, or the verb of a call, such as
// :generateContent. An id with any other word is another model: gemini-3.8-flash-tts is not a
// version of gemini-3.8-flash.
func IsVersionOf(id, name string) bool {
	rest, ok := afterName(id, name)
	if !ok {
		return false
	}
	rest, _, _ = strings.Cut(rest, ":")
	for word := range strings.FieldsFuncSeq(rest,
		func(r rune) bool { return r == '-' || r == '@' }) {
		if !IsVersionWord(word) {
			return false
		}
	}
	return true
}

// IsVersionWord reports whether a word of an id only says which version of a model is meant: a
// number, preview, exp or latest.
func IsVersionWord(word string) bool {
	return versionWords[word] || strings.Trim(word, "0123456789") == ""
}

// IsOfFamily reports whether an id begins with a family's name. If the name continues directly, as
// in the .1 of gemini-3.1, it is another name.
func IsOfFamily(id, name string) bool {
	_, ok := afterName(id, name)
	return ok
}

func afterName(id, name string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(id, name)
	return rest, ok && (rest == "" || strings.IndexByte("-@:", rest[0]) >= 0)
}

// versionWords are the words of versions that are not numbers. It is never modified.
var versionWords = map[string]bool{"preview": true, "exp": true, "latest": true}
