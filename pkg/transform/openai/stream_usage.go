package openai

import (
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/object"
	"github.com/go-json-experiment/json/jsontext"
)

// usageNotes are the notes about the usage of a stream, of which nearly every chunk tells a new one.
type usageNotes struct {
	told     []chunkUsage // of which something is in the usage of the whole response
	replaced []int        // the chunks of which something is not
}

type chunkUsage struct {
	chunk    int
	wire     *geminiapi.UsageMetadata
	replaced bool
}

// chunk notes the usage that a chunk tells, by the rules of package normalize: a record with counts
// replaces all counts, everything else is replaced member by member.
func (n *usageNotes) chunk(at int, wire *geminiapi.UsageMetadata) {
	if wire == nil {
		return
	}
	kept := n.told[:0]
	for _, u := range n.told {
		replaced, outlasts := compareUsage(u.wire, wire)
		if replaced && !u.replaced {
			u.replaced = true
			if n.replaced == nil {
				n.replaced = make([]int, 0, 8) // nearly every chunk will be one
			}
			n.replaced = append(n.replaced, u.chunk)
		}
		if outlasts {
			kept = append(kept, u)
		}
	}
	n.told = append(kept, chunkUsage{chunk: at, wire: wire})
}

// of returns the chunk that told what stands at a pointer of the usage, or would have told it: the
// last one.
func (n *usageNotes) of(pointer string, chunks int) int {
	for _, u := range slices.Backward(n.told) {
		for name := range object.Members(encoded(u.wire)) {
			member := jsontext.Pointer(usagePointer).AppendToken(name)
			if member.Contains(jsontext.Pointer(pointer)) || pointer == usagePointer {
				return u.chunk
			}
		}
	}
	return max(chunks-1, 0)
}

// compareUsage reports whether something of a record is not in the usage any more once a later one was
// added, and whether something of it still is.
func compareUsage(earlier, later *geminiapi.UsageMetadata) (replaced, outlasts bool) {
	counts := hasCounts(later)
	if counts && earlier.ServiceTier == nil && earlier.TrafficType == nil && len(earlier.Unknown) == 0 &&
		deref(earlier.TotalTokenCount) != deref(later.TotalTokenCount) {
		return true, false // as in nearly every chunk
	}
	news := map[string]string{}
	for name, value := range object.Members(encoded(later)) {
		news[name] = string(value)
	}
	for name, value := range object.Members(encoded(earlier)) {
		replacement, told := news[name]
		switch {
		case told:
			replaced = replaced || replacement != string(value)
		case counts && isCount(earlier, name):
			replaced = true
		default:
			outlasts = true
		}
	}
	return replaced, outlasts
}

// hasCounts reports whether a record counts tokens, and does not only say how they are paid for.
func hasCounts(u *geminiapi.UsageMetadata) bool {
	return u.PromptTokenCount != nil || u.CandidatesTokenCount != nil || u.ThoughtsTokenCount != nil ||
		u.TotalTokenCount != nil || u.CachedContentTokenCount != nil || u.ToolUsePromptTokenCount != nil ||
		u.ResponseTokenCount != nil || u.InitialPromptTokenCount != nil
}

// isCount reports whether a member of a record is a count or one's details.
func isCount(u *geminiapi.UsageMetadata, name string) bool {
	return name != "serviceTier" && name != "trafficType" && !hasMember(u.Unknown, name)
}
