package leaftest

import "slices"

// ChunkLeaf is a leaf of one of several documents, such as the chunks of a stream.
type ChunkLeaf struct {
	// Chunk is the position of the document.
	Chunk int
	Leaf
}

// AllOfChunks returns the leaves of several documents, like [All].
func AllOfChunks(chunks []string) ([]ChunkLeaf, error) {
	var out []ChunkLeaf
	for i, chunk := range chunks {
		leaves, err := All([]byte(chunk))
		if err != nil {
			return nil, err
		}
		for _, l := range leaves {
			out = append(out, ChunkLeaf{i, l})
		}
	}
	return out, nil
}

// ChangeIn returns a copy of the documents with another value in the leaf's place, as [Leaf.Change] has it.
func (l ChunkLeaf) ChangeIn(chunks []string) []string {
	out := slices.Clone(chunks)
	out[l.Chunk] = string(l.Change([]byte(chunks[l.Chunk])))
	return out
}
