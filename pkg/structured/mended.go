package structured

import "slices"

// mended is the JSON that was meant by a value that is not valid JSON.
type mended struct {
	end   int    // of the value in the text
	json  string // what was meant
	edits []edit // what was changed for that, in the order of the text
	// shorter closes a value without the string that is cut off. Its kind is "" if no string is cut
	// off.
	shorter edit
}

// withoutString returns the value without the string that is cut off, nil if none is.
func (m *mended) withoutString() *mended {
	if m.shorter.kind == "" {
		return nil
	}
	last := len(m.edits) - 1
	before := slices.DeleteFunc(slices.Clone(m.edits[:last]),
		func(e edit) bool { return e.start >= m.shorter.start })
	return &mended{end: m.end, json: m.json[:m.shorter.out] + m.shorter.added,
		edits: append(before, m.shorter)}
}

// edit is a part of the text that was replaced.
type edit struct {
	span
	added string
	out   int        // where that stands in the JSON
	kind  RepairKind // "" for one that belongs to the one before it
}

// origin returns the offset in the text that an offset in the JSON came from. start is the start of
// the value in the text.
func (m *mended) origin(out, start int) int {
	i, found := slices.BinarySearchFunc(m.edits, out,
		func(e edit, out int) int { return e.out - out })
	for found && i+1 < len(m.edits) && m.edits[i+1].out == out {
		i++ // an addition may follow a removal
	}
	if !found {
		i--
	}
	if i < 0 {
		return start + out
	}
	e := &m.edits[i]
	if after := out - e.out - len(e.added); after >= 0 {
		return e.end + after
	}
	return e.start
}
