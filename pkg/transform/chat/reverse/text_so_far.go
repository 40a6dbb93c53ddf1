package reverse

import "hash/maphash"

// textSoFar is the text that was sent so far. Later deltas or messages may repeat it. It keeps a
// hash, because the text was sent and is not kept.
type textSoFar struct {
	size     int
	hash     maphash.Hash
	ofDeltas bool // Deltas have sent it, or a part of it.
}

// add adds a piece.
func (t *textSoFar) add(piece string) {
	t.size += len(piece)
	_, _ = t.hash.WriteString(piece)
}

// addDelta adds a piece of a delta.
func (t *textSoFar) addDelta(piece string) {
	if piece != "" {
		t.add(piece)
		t.ofDeltas = true
	}
}

// begins reports whether a text starts with the text so far.
func (t *textSoFar) begins(text string) bool {
	if len(text) < t.size {
		return false
	}
	var hash maphash.Hash
	hash.SetSeed(t.hash.Seed())
	_, _ = hash.WriteString(text[:t.size])
	return hash.Sum64() == t.hash.Sum64()
}

// news adds a delta that repeats the text so far, and returns its new part.
func (t *textSoFar) news(delta string) string {
	if t.begins(delta) {
		delta = delta[t.size:]
	}
	t.addDelta(delta)
	return delta
}
