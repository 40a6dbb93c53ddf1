package merge

import (
	"strconv"

	"github.com/gemwire/gemwire/internal/jsonx"
)

// The records of a candidate that have growing lists.
const (
	memberGrounding  = "/groundingMetadata"
	memberCitation   = "/citationMetadata"
	memberURLContext = "/urlContextMetadata"
	memberLogprobs   = "/logprobsResult"
)

// origins has the locations of the elements of growing lists, by the pointers of the lists. A
// record with such lists has one location for each time that it arrived.
type origins struct {
	lists      map[string][]origin
	isUnwanted bool // The origins are not needed, as in a stream of events.
}

// origin is the first location of an element.
type origin struct {
	Location     // of the candidate; none for an element that no chunk has
	position int // in the list of that candidate
}

// add stores the origin of the element at a position of a list, unless it already has one. Without
// a location it stores nothing.
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

// addRecord stores the location of a record.
func (o *origins) addRecord(at Location,
	record string) {
	o.add(at, record, len(o.lists[record]), 0)
}

// addList stores the origins of consecutive elements, beginning at a position.
func (o *origins) addList(at Location, list string, position, size int) {
	for i := range size {
		o.add(at, list, position+i, i)
	}
}

// sources returns the locations of the element at or around a pointer, or nil if they are unknown.
// A list has the locations of its elements, and the other members have the location of the record.
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

// locationsOf returns the locations of some origins without repetitions.
func locationsOf(known []origin) []Location {
	var out Locations
	for _, o := range known {
		if !o.IsZero() {
			out.Add(o.Location)
		}
	}
	return out.List()
}

// joinLists adds those elements of more that a list does not have yet. It returns the result of
// [jsonx.UniqueList.Add].
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
