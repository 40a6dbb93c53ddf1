package reverse

import "hash/maphash"

// textSoFar is what was said of a text, of which later deltas or messages may repeat all so far. It
// keeps a hash in place of the text, which is sent and gone.
type textSoFar struct {
	size     int
	hash     maphash.Hash
	ofDeltas bool // Deltas said it, or a part of it.
}

// add adds a piece.
func (t *textSoFar) add(piece string) {
	t.size += len(piece)
	_, _ = t.hash.WriteString(piece)
}

// addDelta adds a piece that a delta has.
func (t *textSoFar) addDelta(piece string) {
	if piece != "" {
		t.add(piece)
		t.ofDeltas = true
	}
}

// begins reports whether a text begins with all so far.
func (t *textSoFar) begins(text string) bool {
	if len(text) < t.size {
		return false
	}
	var hash maphash.Hash
	hash.SetSeed(t.hash.Seed())
	_, _ = hash.WriteString(text[:t.size])
	return hash.Sum64() == t.hash.Sum64()
}

// news adds a delta of a server that sends all so far in each, and returns what is new in it.
func (t *textSoFar) news(delta string) string {
	if t.begins(delta) {
		delta = delta[t.size:]
	}
	t.addDelta(delta)
	return delta
}
