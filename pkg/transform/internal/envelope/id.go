package envelope

import "strings"

// mark is how a token behind an id begins.
const mark = "_" + Prefix

// AppendToID returns the id of a call with a token of the entries behind it, for clients that keep
// nothing else: "call_1_gemwire1_...". An id that has a token already is returned as it is, not ok,
// as the two could not be told apart again.
func AppendToID(id string, entries ...Entry) (carrying string, ok bool) {
	if strings.Contains(id, mark) {
		return id, false
	}
	return string(Append(append([]byte(id), '_'), entries...)), true
}

// CutFromID returns an id without the token behind it, and its entries. An id whose token is no
// longer intact loses it as well, without entries: nobody but a reader of tokens has a use for it.
// An id without a token comes back as it is.
func CutFromID(id string) (bare string, entries []Entry, isIntact bool) {
	bare, rest, found := strings.Cut(id, mark)
	if !found {
		return id, nil, true
	}
	entries, isIntact = Parse(Prefix + rest)
	return bare, entries, isIntact
}
