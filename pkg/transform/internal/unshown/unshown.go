// Package unshown reports the values of an input that the converted output does not contain.
package unshown

import (
	"bytes"
	"strconv"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Shown reports whether an output shows a scalar of a record of the wire. path holds the names and
// positions that lead to the scalar; value is its text. path is valid during the call only.
type Shown func(path []string, value string) bool

// Nothing is the [Shown] of a record without a counterpart in the output.
func Nothing([]string, string) bool { return false }

// Add reports the values of a wire record at a pointer that an output does not show. It adds an
// entry of the kind Lost for each topmost value that is completely missing. The record itself is
// never reported, because other members of it may be shown. Empty lists and objects have no
// scalars, so they lose nothing.
func Add(entries *report.Report, pointer string, record any, shows Shown, detail string) {
	data, err := json.Marshal(record, jsonx.Canonical)
	if err != nil {
		entries.Add(report.Lost, pointer, "it is no JSON")
		return
	}
	w := unshownWalk{
		dec: jsontext.NewDecoder(bytes.NewReader(data)), at: jsontext.Pointer(pointer),
		shows: shows, detail: detail, report: entries,
	}
	w.value()
}

// unshownWalk reads a record that was just written, so errors cannot occur.
type unshownWalk struct {
	dec    *jsontext.Decoder
	at     jsontext.Pointer
	path   []string
	shows  Shown
	detail string
	report *report.Report
}

// value reads a value. lost and kept report whether it contains scalars of either kind.
func (w *unshownWalk) value() (lost, kept bool) {
	switch w.dec.PeekKind() {
	case jsontext.KindBeginObject, jsontext.KindBeginArray:
		return w.children()
	case jsontext.KindNull:
		_ = w.dec.SkipValue()
		return false, false
	default:
		token, _ := w.dec.ReadToken()
		kept = w.shows(w.path, token.String())
		return !kept, kept
	}
}

// children reads a list or an object. If the whole value is lost, the entries of its parts are
// removed, and the caller adds one entry instead.
func (w *unshownWalk) children() (lost, kept bool) {
	opening, _ := w.dec.ReadToken()
	before := len(*w.report)
	for i := 0; w.more(); i++ {
		name := strconv.Itoa(i)
		if opening.Kind() == jsontext.KindBeginObject {
			token, _ := w.dec.ReadToken()
			name = token.String()
		}
		w.path = append(w.path, name)
		l, k := w.value()
		if l && !k {
			w.add()
		}
		lost, kept = lost || l, kept || k
		w.path = w.path[:len(w.path)-1]
	}
	_, _ = w.dec.ReadToken()
	if !kept && len(w.path) > 0 {
		*w.report = (*w.report)[:before]
	}
	return lost, kept
}

// more reports whether another element or member follows.
func (w *unshownWalk) more() bool {
	switch w.dec.PeekKind() {
	case jsontext.KindEndObject, jsontext.KindEndArray, jsontext.KindInvalid:
		return false
	default:
		return true
	}
}

func (w *unshownWalk) add() {
	at := w.at
	for _, name := range w.path {
		at = at.AppendToken(name)
	}
	w.report.Add(report.Lost, string(at), w.detail)
}
