package jsonx

import (
	"cmp"
	"iter"
	"slices"
)

// IndexedList has values by index, for example one for each candidate of a stream. The values are
// in the order of their indexes. A stream nearly always has one candidate, but each chunk may
// belong to any of several. The zero value is empty and ready for use. A list with values must not
// be copied. It is not safe for concurrent use.
type IndexedList[T any] struct {
	entries []*entry[T]
	first   [1]*entry[T] // what entries points to as long as it is enough
}

type entry[T any] struct {
	index int
	value T
}

// At returns the value of an index. For a new index it adds a zero value. The pointer stays valid.
func (l *IndexedList[T]) At(index int) *T {
	at, found := l.find(index)
	switch {
	case found:
		return &l.entries[at].value
	case l.entries == nil:
		l.entries = l.first[:0]
	}
	l.entries = slices.Insert(l.entries, at, &entry[T]{index: index})
	return &l.entries[at].value
}

// Find returns the value of an index, or nil.
func (l *IndexedList[T]) Find(index int) *T {
	if at, found := l.find(index); found {
		return &l.entries[at].value
	}
	return nil
}

func (l *IndexedList[T]) find(index int) (at int, found bool) {
	if len(l.entries) == 1 && l.entries[0].index == index {
		return 0, true
	}
	return slices.BinarySearchFunc(l.entries, index, func(e *entry[T], index int) int {
		return cmp.Compare(e.index, index)
	})
}

// Len returns the number of values.
func (l *IndexedList[T]) Len() int { return len(l.entries) }

// All returns an iterator over the indexes and their values, in order. No value may be added during
// the iteration.
func (l *IndexedList[T]) All() iter.Seq2[int, *T] {
	return func(yield func(int, *T) bool) {
		for _, e := range l.entries {
			if !yield(e.index, &e.value) {
				return
			}
		}
	}
}

// Values returns an iterator over the positions and the values, in the order of the indexes. No
// value may be added during the iteration.
func (l *IndexedList[T]) Values() iter.Seq2[int, *T] {
	return func(yield func(int, *T) bool) {
		for i, e := range l.entries {
			if !yield(i, &e.value) {
				return
			}
		}
	}
}
