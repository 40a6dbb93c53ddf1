package envelope

import "strings"

// mark is the start of a token after an id.
const mark = "_" + Prefix

// AppendToID appends a token of the entries to the id of a call, for clients that keep nothing
// else: "call_1_gemwire1_...". If the id already has a token, it returns the id unchanged and
// false, because the two could not be separated again.
func AppendToID(id string, entries ...Entry) (carrying string, ok bool) {
	if strings.Contains(id, mark) {
		return id, false
	}
	return string(Append(append([]byte(id), '_'), entries...)), true
}

// CutFromID splits an id into the bare id and the entries of its token. A damaged token is removed
// too, without entries, because only readers of tokens need it. An id without a token stays
// unchanged.
func CutFromID(id string) (bare string, entries []Entry, isIntact bool) {
	bare, rest, found := strings.Cut(id, mark)
	if !found {
		return id, nil, true
	}
	entries, isIntact = Parse(Prefix + rest)
	return bare, entries, isIntact
}
