package rangelog

import "errors"

// Replay returns the log that has entries, each the kind, where a large result is, and the data. It stops at the first that
// is refused, and says how many were taken. With visit it does what [Read] does, and without what [Open] does.
func Replay(entries [][3]string, visit func(Result)) (*Log, int, error) {
	l := &Log{done: map[int]struct{}{}}
	for i, e := range entries {
		if err := l.apply(&entry{kind: e[0], large: e[1], data: []byte(e[2])}, visit); err != nil {
			return l, i, err
		}
	}
	return l, len(entries), nil
}

// Same reports whether two logs are in the same state.
func (l *Log) Same(other *Log) error {
	switch {
	case l.held != other.held:
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
