package normalize

import (
	"math"
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/rawobject"
	"github.com/go-json-experiment/json/jsontext"
)

// argumentWriter writes the arguments of a function call as JSON while they come in, the way that
// Vertex AI streams them: as values with their paths, in the order of the JSON text, strings in
// pieces. What is written never changes, so that every piece of it can be passed on at once:
//
//	$.dish.name    "Lab"   more        {"dish":{"name":"Lab
//	$.dish.name    "skaus"             skaus"
//	$.dish.steps[0] "Boil"             ,"steps":["Boil"
//	$.serves       4                   ]},"serves":4
//	(end)                              }
//
// A container is open until a value stands outside of it. A path without a value is an empty
// container, of which the next path tells whether it is an object or an array; where none does, it
// is an object, unless the path itself says with [] that it is an array.
//
// What comes before its turn is held until it can be written, or until the end: anything else while
// a string is open, and an element of an array before those in front of it. What cannot be written
// at all is kept aside: a value for a member that has one, in a container that is closed, or without
// a path. The zero value is ready for use.
type argumentWriter struct {
	text []byte // the JSON so far
	sent int    // how much of it has been taken

	open     []container // from the root to the innermost
	openText []segment   // the path of the string that is open, nil if none is
	openPath string      // the same as it came

	held   []*argument
	aside  []geminiapi.PartialArg // what could not be written
	broken jsontext.Value         // what came as arguments and is not JSON
}

// container is an object or an array that is not closed yet.
type container struct {
	at    segment // its place in the container around it
	kind  jsontext.Kind
	names map[string]bool // of an object's members
	size  int
}

// kindOpen is the kind of a container that nothing has told yet; its bracket is not written.
const kindOpen = jsontext.KindInvalid

// argument is a value with its place.
type argument struct {
	path    []segment
	value   jsontext.Value // nil for a piece of a string, and for an empty container
	text    *string        // a piece of a string
	more    bool           // the string goes on
	isArray bool           // the empty container is an array
	wire    geminiapi.PartialArg
}

// take returns what has been written since it was called last.
func (w *argumentWriter) take() string {
	delta := string(w.text[w.sent:])
	w.sent = len(w.text)
	return delta
}

// addPartial writes a partial argument.
func (w *argumentWriter) addPartial(p *geminiapi.PartialArg) {
	if w.openText != nil && p.StringValue != nil && deref(p.JSONPath) == w.openPath && len(p.Unknown) == 0 {
		w.continueText(*p.StringValue, deref(p.WillContinue))
		w.retry()
		return
	}
	path, isArray, ok := parsePath(deref(p.JSONPath))
	a := &argument{path: path, text: p.StringValue, more: deref(p.WillContinue), isArray: isArray, wire: *p}
	rest := *p
	switch {
	case p.StringValue != nil:
		rest.StringValue = nil
	case p.NumberValue != nil:
		a.value, rest.NumberValue = numberText(*p.NumberValue), nil
	case p.BoolValue != nil:
		a.value, rest.BoolValue = jsontext.Value(jsontext.Bool(*p.BoolValue).String()), nil
	case p.NullValue != nil:
		a.value, rest.NullValue = jsontext.Value("null"), nil
	case len(p.Unknown) > 0: // a kind of value that is newer than this package
		ok = false
	}
	if !ok {
		w.aside = append(w.aside, *p)
		return
	}
	if rest.NumberValue != nil || rest.BoolValue != nil || rest.NullValue != nil || len(rest.Unknown) > 0 {
		w.aside = append(w.aside, rest) // an entry has one value, as a rule
	}
	w.add(a)
}

// numberText writes a number, and as a string what JSON has no number for.
func numberText(n float64) jsontext.Value {
	text := jsontext.Float(n).String()
	if math.IsNaN(n) || math.IsInf(n, 0) {
		return jsontext.Value(`"` + text + `"`)
	}
	return jsontext.Value(text)
}

// addObject writes arguments that came as one object, member by member.
func (w *argumentWriter) addObject(args jsontext.Value) {
	if args = present(args); args == nil {
		return
	}
	compact, err := arguments(args)
	if err != nil {
		w.broken = args
		return
	}
	if compact == nil { // no object
		w.aside = append(w.aside, geminiapi.PartialArg{Unknown: rawobject.Of("args", args)})
		return
	}
	for name, value := range rawobject.Members(compact) {
		path := "$[" + string(quoted(name)) + "]"
		w.add(&argument{
			path:  []segment{{name: name, index: -1}},
			value: value,
			wire:  geminiapi.PartialArg{JSONPath: &path, Unknown: rawobject.Of("value", value)},
		})
	}
}

// finish writes what is missing to make the text a JSON object.
func (w *argumentWriter) finish() {
	w.endText()
	for w.retry() {
		w.endText()
	}
	for _, a := range w.held {
		w.aside = append(w.aside, a.wire)
	}
	w.held = nil
	w.root()
	w.closeTo(0)
	w.text = append(w.text, '}')
}

// maxHeld bounds what is held, each of which costs time whenever something is written.
const maxHeld = 1000

func (w *argumentWriter) add(a *argument) {
	switch {
	case w.try(a):
		w.retry()
	case len(w.held) < maxHeld:
		w.held = append(w.held, a)
	default:
		w.aside = append(w.aside, a.wire)
	}
}

// retry writes what has been held and can be written now, always the first of it. It reports whether
// there was any.
func (w *argumentWriter) retry() (progress bool) {
	for i := 0; i < len(w.held); {
		if !w.try(w.held[i]) {
			i++
			continue
		}
		copy(w.held[1:i+1], w.held[:i])
		w.held = w.held[1:]
		i, progress = 0, true
	}
	return progress
}

// try disposes of an argument, unless it came before its turn.
func (w *argumentWriter) try(a *argument) bool {
	switch w.turn(a) {
	case turnNow:
		w.write(a)
	case turnNever:
		w.aside = append(w.aside, a.wire)
	case turnLater:
		return false
	}
	return true
}

// turn says when an argument can be written.
type turn int

const (
	turnNow turn = iota
	turnLater
	turnNever
)

// maxPath is how deep arguments may be nested, far less than a JSON decoder accepts.
const maxPath = 512

func (w *argumentWriter) turn(a *argument) turn {
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

// turnOpen returns when a value can be written whose path is that of an open container.
func (w *argumentWriter) turnOpen(a *argument) turn {
	isEmpty := a.value == nil && a.text == nil
	if isEmpty || len(w.open) == len(a.path)+1 && len(a.path) > 0 && w.open[len(a.path)].kind == kindOpen {
		return turnNow
	}
	return turnNever
}

// turn returns when a member or an element can be written into the container.
func (c *container) turn(s segment) turn {
	switch {
	case c.kind == jsontext.KindBeginObject && s.isIndex(), c.kind == jsontext.KindBeginArray && !s.isIndex():
		return turnNever
	case !s.isIndex() && c.names[s.name], s.isIndex() && s.index < c.size:
		return turnNever
	case s.isIndex() && s.index > c.size:
		return turnLater
	default:
		return turnNow
	}
}

// common returns how many segments of a path lead through open containers.
func (w *argumentWriter) common(path []segment) int {
	n := 0
	for n < len(path) && n+1 < len(w.open) && w.open[n+1].at == path[n] {
		n++
	}
	return n
}

// write writes an argument whose turn it is.
func (w *argumentWriter) write(a *argument) {
	if w.openText != nil {
		w.continueText(deref(a.text), a.text != nil && a.more)
		return
	}
	w.root()
	n, depth := len(a.path), w.common(a.path)
	if depth == n {
		w.writeOpen(a)
		return
	}
	w.closeTo(depth)
	for i := depth; i < n-1; i++ {
		w.openAt(a.path[i])
	}
	if a.value == nil && a.text == nil {
		w.openAt(a.path[n-1])
		w.writeOpen(a)
		return
	}
	w.beginChild(a.path[n-1])
	w.writeValue(a)
}

// writeOpen writes a value whose path is that of an open container.
func (w *argumentWriter) writeOpen(a *argument) {
	at := len(a.path)
	switch {
	case a.value != nil || a.text != nil: // it is none
		w.open = w.open[:at]
		w.writeValue(a)
	case a.isArray && w.open[at].kind == kindOpen:
		w.become(&w.open[at], jsontext.KindBeginArray)
	}
}

func (w *argumentWriter) writeValue(a *argument) {
	if a.text == nil {
		w.text = append(w.text, a.value...)
		return
	}
	w.text = append(w.text, '"')
	w.openText, w.openPath = a.path, deref(a.wire.JSONPath)
	w.continueText(*a.text, a.more)
}

func (w *argumentWriter) continueText(text string, more bool) {
	start := len(w.text)
	w.text, _ = jsontext.AppendQuote(w.text, text) // puts U+FFFD for what is not UTF-8
	w.text = slices.Delete(w.text, start, start+1)
	w.text = w.text[:len(w.text)-1]
	if !more {
		w.endText()
	}
}

func (w *argumentWriter) endText() {
	if w.openText != nil {
		w.openText = nil
		w.text = append(w.text, '"')
	}
}

// root opens the outermost object.
func (w *argumentWriter) root() {
	if w.open == nil {
		w.open = make([]container, 1, 4)
		w.become(&w.open[0], jsontext.KindBeginObject)
	}
}

// openAt opens a container, whose kind will show, in the innermost one.
func (w *argumentWriter) openAt(s segment) {
	w.beginChild(s)
	w.open = append(w.open, container{at: s})
}

// beginChild writes what stands in front of a value in the innermost container.
func (w *argumentWriter) beginChild(s segment) {
	c := &w.open[len(w.open)-1]
	switch {
	case c.kind == kindOpen && s.isIndex():
		w.become(c, jsontext.KindBeginArray)
	case c.kind == kindOpen:
		w.become(c, jsontext.KindBeginObject)
	}
	if c.size > 0 {
		w.text = append(w.text, ',')
	}
	c.size++
	if !s.isIndex() {
		c.names[s.name] = true
		w.text = append(append(w.text, quoted(s.name)...), ':')
	}
}

func (w *argumentWriter) become(c *container, kind jsontext.Kind) {
	c.kind = kind
	if kind == jsontext.KindBeginObject {
		c.names = map[string]bool{}
	}
	w.text = append(w.text, byte(kind))
}

// closeTo closes containers until so many are open within the root.
func (w *argumentWriter) closeTo(depth int) {
	for len(w.open) > depth+1 {
		last := len(w.open) - 1
		switch w.open[last].kind {
		case jsontext.KindBeginArray:
			w.text = append(w.text, ']')
		case jsontext.KindBeginObject:
			w.text = append(w.text, '}')
		default:
			w.text = append(w.text, "{}"...)
		}
		w.open = w.open[:last]
	}
}

// quoted returns a text as a JSON string, in which U+FFFD stands for what is not UTF-8.
func quoted(text string) jsontext.Value {
	out, _ := jsontext.AppendQuote(nil, text)
	return out
}
