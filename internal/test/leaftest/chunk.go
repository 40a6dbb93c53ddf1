package leaftest

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

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

// ChangeIn returns a copy of the documents in which the leaf has another value, as in
// [Leaf.Change].
func (l ChunkLeaf) ChangeIn(chunks []string) []string {
	out := slices.Clone(chunks)
	out[l.Chunk] = string(l.Change([]byte(chunks[l.Chunk])))
	return out
}

// IsRunningTotal reports whether a leaf of a stream is a token count that the usage of a later
// chunk replaces. The output does not show such a leaf. The stream is a list of chunks, and the
// pointer points into the list.
func IsRunningTotal(stream []byte, pointer string) bool {
	index, member, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	at, err := strconv.Atoi(index)
	if err != nil || !strings.HasPrefix(member, "usageMetadata/") ||
		!strings.HasSuffix(strings.ToLower(member), "tokencount") {
		return false
	}
	var chunks []struct {
		Usage jsontext.Value `json:"usageMetadata"`
	}
	if json.Unmarshal(stream, &chunks) != nil || at >= len(chunks) {
		return false
	}
	for _, later := range chunks[at+1:] {
		if bytes.Contains(later.Usage, []byte("okenCount")) {
			return true
		}
	}
	return false
}
