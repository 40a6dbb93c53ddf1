// Package modelid compares the ids of models.
package modelid

import "strings"

// IsVersionOf reports whether an id is a model's name, alone or with what only says which version
// of it is meant: -001, @001, -preview, -latest, -preview-09-2025, or the verb of a call, such as
// :generateContent. Any other word makes another model: gemini-3.8-flash-tts is no version of
// gemini-3.8-flash.
func IsVersionOf(id, name string) bool {
	rest, ok := afterName(id, name)
	if !ok {
		return false
	}
	rest, _, _ = strings.Cut(rest, ":")
	for word := range strings.FieldsFuncSeq(rest,
		func(r rune) bool { return r == '-' || r == '@' }) {
		if !versionWords[word] && strings.Trim(word, "0123456789") != "" {
			return false
		}
	}
	return true
}

// IsOfFamily reports whether an id begins with a family's name. What follows a name directly, such
// as the .1 of gemini-3.1, makes another name.
func IsOfFamily(id, name string) bool {
	_, ok := afterName(id, name)
	return ok
}

func afterName(id, name string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(id, name)
	return rest, ok && (rest == "" || strings.IndexByte("-@:", rest[0]) >= 0)
}

// versionWords stand in versions besides numbers. It is never written to.
var versionWords = map[string]bool{"preview": true, "exp": true, "latest": true}
