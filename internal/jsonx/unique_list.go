package jsonx

import (
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// UniqueList is a growing list without repetitions. It is for streams in which a chunk may repeat,
// complete or continue the lists of earlier chunks. The time to add elements depends on their
// number, not on the list's length. Elements are compared by their JSON. An element that has no
// JSON equals no other element.
//
// The zero value is empty and ready for use. It is not safe for use by several goroutines.
type UniqueList[T any] struct {
	values    []T            // the first of them belong to the caller until one is appended
	positions map[string]int // of the elements by their JSON; nil before the second addition
}

// Add appends those elements of more that the list does not have yet. It returns the positions of
// all elements of more in the list, or nil if these are the positions in more. The list takes the
// first elements without a copy.
func (l *UniqueList[T]) Add(more []T) []int {
	if len(more) == 0 {
		return nil
	}
	if len(l.values) == 0 {
		l.values = slices.Clip(more)
		return nil
	}
	l.index()
	positions, moved := make([]int, len(more)), false
	for i := range more {
		positions[i] = l.add(&more[i])
		moved = moved || positions[i] != i
	}
	if !moved {
		return nil
	}
	return positions
}

// index encodes the first elements. It is delayed, because most lists are never extended.
func (l *UniqueList[T]) index() {
	if l.positions != nil {
		return
	}
	l.positions = make(map[string]int, 2*len(l.values))
	for i := range l.values {
		l.positions[key(&l.values[i])] = i
	}
}

func (l *UniqueList[T]) add(value *T) int {
	k := key(value)
	if at, found := l.positions[k]; found && k != "" {
		return at
	}
	at := len(l.values)
	l.values = append(l.values, *value)
	l.positions[k] = at
	return at
}

// Values returns the elements in the order in which they were added. Later additions do not change
// the returned slice, and appending to the slice does not change the list.
func (l *UniqueList[T]) Values() []T { return slices.Clip(l.values) }

var (
	encoding = json.JoinOptions(WriteByMember, json.Deterministic(true),
		jsontext.PreserveRawStrings(true))
	encodingNonFinite = json.JoinOptions(encoding, json.WithMarshalers(NonFiniteMarshalers))
)

// key returns the JSON of a value, or "" if the value has no JSON.
func key[T any](value *T) string {
	data, err := json.Marshal(value, encoding)
	if err != nil {
		data, err = json.Marshal(value, encodingNonFinite)
	}
	if err != nil {
		return ""
	}
	return string(data)
}
