package jsonx

import (
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// UniqueList is a list without repetitions that grows, for streams whose chunks may repeat,
// complete or continue what the chunks before them listed. The time to add to it depends on what is
// added, not on the list's length. Elements are compared by their JSON, and those that have none
// are equal to no other.
//
// The zero value is empty and ready for use. It is not safe for use by several goroutines.
type UniqueList[T any] struct {
	values    []T            // the first of them belong to the caller until one is appended
	positions map[string]int // of the elements by their JSON; nil before the second addition
}

// Add appends what the list does not have yet of some more elements, and returns the positions of
// these in the list, nil if they are the same as in more. What is added first is taken as it is.
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

// index encodes what was added first, which most often stays all there is.
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

// Values returns the elements in the order in which they came. What is added later does not change
// it, nor does appending to it change the list.
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
