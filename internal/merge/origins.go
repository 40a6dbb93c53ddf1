package merge

import (
	"strconv"

	"github.com/gemwire/gemwire/internal/jsonx"
)

// The records of a candidate that have lists that grow.
const (
	memberGrounding  = "/groundingMetadata"
	memberCitation   = "/citationMetadata"
	memberURLContext = "/urlContextMetadata"
	memberLogprobs   = "/logprobsResult"
)

// origins are where the elements of the lists stood that grow, by the pointers of the lists. A
// record with such lists has one for each time that it came.
type origins struct {
	lists      map[string][]origin
	isUnwanted bool // The origins are not needed, as in a stream of events.
}

// origin is where an element stood first.
type origin struct {
	Location     // of the candidate; none for an element that no chunk has
	position int // in the list of that candidate
}

// add notes the origin of the element at a position of a list, unless it has one. Without a
// location it notes nothing.
func (o *origins) add(at Location, list string, position, from int) {
	known := o.lists[list]
	if o.isUnwanted || at.IsZero() || position < len(known) {
		return
	}
	if o.lists == nil {
		o.lists = map[string][]origin{}
	}
	o.lists[list] = append(append(known, make([]origin, position-len(known))...), origin{at, from})
}

// addRecord notes where a record came.
func (o *origins) addRecord(at Location,
	record string) {
	o.add(at, record, len(o.lists[record]), 0)
}

// addList notes the origins of elements that follow each other, from a position on.
func (o *origins) addList(at Location, list string, position, size int) {
	for i := range size {
		o.add(at, list, position+i, i)
	}
}

// sources returns where the element stood that a pointer leads to or into; nil if that is not
// known. A list stands where its elements do, and the rest of a record where the record does.
func (o *origins) sources(pointer string) ([]Location, string) {
	for list := pointer; list != ""; list = parentPointer(list) {
		known := o.lists[list]
		if len(known) == 0 {
			continue
		}
		position, member := 0, ""
		if list != pointer {
			position, member = cutPosition(pointer[len(list)+1:])
		}
		switch {
		case position < 0 || position >= len(known) || list == pointer:
			return locationsOf(known), list
		case !known[position].IsZero():
			return []Location{known[position].Location},
				list + "/" + strconv.Itoa(known[position].position) + member
		}
	}
	return nil, pointer
}

// locationsOf returns the locations of some origins, each once.
func locationsOf(known []origin) []Location {
	var out Locations
	for _, o := range known {
		if !o.IsZero() {
			out.Add(o.Location)
		}
	}
	return out.List()
}

// joinLists adds what a list does not have yet of some more elements, and returns what
// [jsonx.UniqueList.Add] does.
func joinLists[T any](l *grownLists, p *provenance, pointer string, list *jsonx.UniqueList[T],
	more []T) []int {
	positions := list.Add(more)
	if positions == nil {
		l.origins.addList(p.at, pointer, 0, len(more))
	}
	for i, position := range positions {
		l.origins.add(p.at, pointer, position, i)
	}
	return positions
}
