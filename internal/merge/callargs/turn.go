package callargs

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// turn is the time at which an argument can be written.
type turn int

const (
	turnNow turn = iota
	turnLater
	turnNever
)

// maxPath is the maximum nesting of arguments. A JSON decoder accepts much more.
const maxPath = 512

func (w *Writer) turn(a *argument) turn {
	n := len(a.path)
	if w.openText != nil {
		if a.value == nil && slices.Equal(a.path, w.openText) {
			return turnNow
		}
		return turnLater
	}
	if n > maxPath || n > 0 && a.path[0].isIndex() {
		return turnNever
	}
	depth := w.common(a.path)
	if depth == n {
		return w.turnOpen(a)
	}
	when := turnNow
	if depth < len(w.open) {
		when = w.open[depth].turn(a.path[depth])
	}
	for _, s := range a.path[min(depth+1, n):] { // in containers that do not exist yet
		if s.isIndex() && s.index > 0 && when == turnNow {
			when = turnLater
		}
	}
	return when
}

// turnOpen returns the time at which a value can be written whose path is the path of an open
// container.
func (w *Writer) turnOpen(a *argument) turn {
	isEmpty := a.value == nil && a.text == nil
	if isEmpty || len(w.open) == len(a.path)+1 && len(a.path) > 0 &&
		w.open[len(a.path)].kind == kindOpen {
		return turnNow
	}
	return turnNever
}

// turn returns the time at which a member or an element can be written into the container.
func (c *container) turn(s segment) turn {
	switch {
	case c.kind == jsontext.KindBeginObject && s.isIndex(),
		c.kind == jsontext.KindBeginArray && !s.isIndex():
		return turnNever
	case !s.isIndex() && c.names[s.name], s.isIndex() && s.index < c.size:
		return turnNever
	case s.isIndex() && s.index > c.size:
		return turnLater
	default:
		return turnNow
	}
}

// common returns the number of segments of a path that lead through open containers.
func (w *Writer) common(path []segment) int {
	n := 0
	for n < len(path) && n+1 < len(w.open) && w.open[n+1].at == path[n] {
		n++
	}
	return n
}
