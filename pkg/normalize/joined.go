package normalize

// joinedPositions finds the position of each block's part in the content that [MergeChunks] would make of it:
// texts that belong together are one part there, and empty ones none. The zero value is before the first block.
type joinedPositions struct {
	count int
	run   BlockType // of the text that the next one continues, "" for none
}

// take returns the position of the next block. It follows the rules of [merge.Joiner].
func (j *joinedPositions) take(b *Block) int {
	isRun := (b.Type == BlockText || b.Type == BlockThinking) && b.Signature == "" && b.Extra == nil
	switch {
	case isRun && b.Text == "", isRun && b.Type == j.run:
		return max(j.count-1, 0)
	case isRun:
		j.run = b.Type
	default:
		j.run = ""
	}
	j.count++
	return j.count - 1
}

// JoinedParts returns for each of a candidate's blocks, by its Part, the position of the part in the content
// that [MergeChunks] makes of the response: texts that belong together are one part there, and empty ones none.
// It is what an id is made of, lest a stream has another one.
func (c *Candidate) JoinedParts() map[int]int {
	var joined joinedPositions
	out := make(map[int]int, len(c.Blocks))
	for i := range c.Blocks {
		out[c.Blocks[i].Part] = joined.take(&c.Blocks[i])
	}
	return out
}
