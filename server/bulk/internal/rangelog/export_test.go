package rangelog

import (
	"errors"
	"math"
	"slices"

	"github.com/nats-io/nats.go/jetstream"
)

// Entry is an entry of a log, as texts.
type Entry struct{ Kind, Large, Discarded, Data string }

// Replay returns a log with the given entries. It encodes and decodes each entry as a message. It
// stops at the first refused entry, and returns the number of accepted entries. With visit it works
// like [Read], and without it like [Open].
func Replay(entries []Entry, visit func(Result)) (*Log, int, error) {
	l := &Log{done: map[int]struct{}{}}
	for i, e := range entries {
		written := entry{kind: e.Kind, large: e.Large, discarded: e.Discarded, most: math.MaxInt,
			data: []byte(e.Data)}
		message := &jetstream.RawStreamMsg{Header: written.header(), Data: written.data}
		if err := l.apply(entryOf(message), visit); err != nil {
			return l, i, err
		}
	}
	return l, len(entries), nil
}

// Same reports whether two logs are in the same state.
func (l *Log) Same(other *Log) error {
	switch {
	case !slices.Equal(l.claims, other.claims):
		return errors.New("the claims differ")
	case l.sealed != other.sealed:
		return errors.New("one is closed")
	case string(l.note) != string(other.note):
		return errors.New("the notes differ")
	case len(l.done) != len(other.done):
		return errors.New("the lines differ")
	}
	return nil
}
