// Package callargs joins the arguments of a function call to one JSON text. Vertex AI streams the
// arguments in pieces.
package callargs

import (
	"cmp"
	"math"
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// Writer writes the arguments of a function call as JSON while they arrive. Vertex AI streams them
// as values with paths, in the order of the JSON text. Strings arrive in pieces. The written text
// never changes, so every piece of it can be forwarded at once:
//
//	$.dish.name    "Lab"   more        {"dish":{"name":"Lab
//	$.dish.name    "skaus"             skaus"
//	$.dish.steps[0] "Boil"             ,"steps":["Boil"
//	$.serves       4                   ]},"serves":4
//	(end)                              }
//
// A container is open until a value outside it arrives. A path without a value is an empty
// container. The next path shows whether it is an object or an array. If no path does, it is an
// object, unless the path itself ends in [], which means an array.
//
// An argument that arrives too early is held until it can be written, or until the end. It is too
// early if a string is open, or if it is an element of an array and earlier elements are missing.
//
// An argument that can never be written is set aside: a value for a member that already has another
// value, a value in a closed container, or a value without a path. Then the arguments are
// incomplete, and the call must not be run.
//
// The zero value is ready for use.
type Writer struct {
	// Text is the JSON so far. It is complete after [Writer.Finish].
	Text []byte
	// Aside contains the values that could not be written, in the order in which they arrived. It
	// is set by [Writer.Finish], and omits values that the text contains.
	Aside []geminiapi.PartialArg
	// Broken has the received arguments that are not JSON, or nil.
	Broken jsontext.Value

	sent int // how much of the text has been taken

	open     []container // from the root to the innermost
	openText []segment   // the path of the string that is open, nil if none is
	openPath string      // the same as it came

	pending []*argument
	aside   []*argument
	added   int                   // arguments so far
	cut     *geminiapi.PartialArg // a mark of a string that was cut, see [Writer.Cut]
}

// container is an object or an array that is still open.
type container struct {
	at    segment // its place in the container around it
	kind  jsontext.Kind
	names map[string]bool // of an object's members
	size  int
}

// kindOpen is the kind of a container whose kind is not yet known. Its bracket is not written yet.
const kindOpen = jsontext.KindInvalid

// argument is a value with its path.
type argument struct {
	path    []segment
	value   jsontext.Value // nil for a piece of a string, and for an empty container
	text    *string        // a piece of a string
	more    bool           // the string continues
	isArray bool           // the empty container is an array
	wire    geminiapi.PartialArg
	// the same without the value, if it has others: as a rule an entry has one
	rest  *geminiapi.PartialArg
	order int // among all that came
}

// isCutMark reports whether an argument is the mark of [Writer.Cut] for an existing string.
func (a *argument) isCutMark() bool { return a.value == nil && a.text == nil && a.more }

// Take returns the text that was written since the last call of Take.
func (w *Writer) Take() string {
	delta := string(w.Text[w.sent:])
	w.sent = len(w.Text)
	return delta
}

// IsInText reports whether a string is open or was cut. An open string can only continue, or close
// at the end.
func (w *Writer) IsInText() bool { return w.openText != nil || w.cut != nil }

// Cut returns a mark for a string that is incomplete: the string's path without a value, with the
// flag that more is expected. Callers add it to arguments with a closed string, to show that they
// are incomplete. Cut returns nil if no string is open. Call it before [Writer.Finish].
func (w *Writer) Cut() *geminiapi.PartialArg {
	if w.openText == nil {
		return w.cut
	}
	return &geminiapi.PartialArg{JSONPath: new(w.openPath), WillContinue: new(true)}
}

// IsCut reports whether a partial argument is a mark of Cut and not a value.
func IsCut(p *geminiapi.PartialArg) bool {
	rest := *p
	rest.JSONPath, rest.WillContinue = nil, nil
	return jsonx.Deref(p.WillContinue) && p.JSONPath != nil && rest.IsEmpty()
}

// AddPartial writes a partial argument.
func (w *Writer) AddPartial(p *geminiapi.PartialArg) {
	if w.openText != nil && p.StringValue != nil && jsonx.Deref(p.JSONPath) == w.openPath &&
		len(p.Unknown) == 0 {
		w.continueText(*p.StringValue, jsonx.Deref(p.WillContinue))
		w.retry()
		return
	}
	path, isArray, ok := parsePath(jsonx.Deref(p.JSONPath))
	a := &argument{path: path, text: p.StringValue, more: jsonx.Deref(p.WillContinue),
		isArray: isArray, wire: *p}
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
		w.keep(a)
		return
	}
	if rest.NumberValue != nil || rest.BoolValue != nil || rest.NullValue != nil ||
		len(rest.Unknown) > 0 {
		a.rest = &rest
	}
	w.add(a)
}

// keep sets aside a value that can never be written.
func (w *Writer) keep(a *argument) {
	w.number(a)
	w.aside = append(w.aside, a)
}

// number numbers an argument in the order of arrival.
func (w *Writer) number(a *argument) {
	if a.order == 0 {
		w.added++
		a.order = w.added
	}
}

// numberText writes a number. It writes a number that JSON does not have as a string.
func numberText(n float64) jsontext.Value {
	text := jsontext.Float(n).String()
	if math.IsNaN(n) || math.IsInf(n, 0) {
		return jsontext.Value(`"` + text + `"`)
	}
	return jsontext.Value(text)
}

// AddObject writes arguments that arrived as one object, member by member.
func (w *Writer) AddObject(args jsontext.Value) {
	if args = jsonx.NonNull(args); args == nil {
		return
	}
	compact, err := Compact(args)
	if err != nil {
		w.Broken = args
		return
	}
	if compact == nil { // no object
		w.keep(&argument{wire: geminiapi.PartialArg{Unknown: jsonx.Object("args", args)}})
		return
	}
	for name, value := range jsonx.Members(compact) {
		path := "$[" + string(quoted(name)) + "]"
		w.add(&argument{
			path:  []segment{{name: name, index: -1}},
			value: value,
			wire: geminiapi.PartialArg{JSONPath: &path,
				Unknown: jsonx.Object(objectMember, value)},
		})
	}
}

// Finish completes the text to a JSON object.
func (w *Writer) Finish() {
	w.endText()
	for w.retry() {
		w.endText()
	}
	w.aside = append(w.aside, w.pending...)
	w.pending = nil
	slices.SortStableFunc(w.aside,
		func(a, b *argument) int { return cmp.Compare(a.order, b.order) })
	for _, a := range w.aside {
		w.Aside = append(w.Aside, a.wire)
	}
	w.root()
	w.closeTo(0)
	w.Text = append(w.Text, '}')
	w.dropRepeated()
}

// maxHeld limits the number of held arguments. Each of them costs time at every write.
const maxHeld = 1000

func (w *Writer) add(a *argument) {
	w.number(a)
	switch {
	case w.try(a):
		w.retry()
	case len(w.pending) < maxHeld:
		w.pending = append(w.pending, a)
	default:
		w.keep(a)
	}
}

// retry writes all held arguments that can be written now, always the first of them. It reports
// whether it wrote any.
func (w *Writer) retry() (progress bool) {
	for i := 0; i < len(w.pending); {
		if !w.try(w.pending[i]) {
			i++
			continue
		}
		copy(w.pending[1:i+1], w.pending[:i])
		w.pending = w.pending[1:]
		i, progress = 0, true
	}
	return progress
}

// try writes an argument or sets it aside, unless it arrived too early.
func (w *Writer) try(a *argument) bool {
	switch w.turn(a) {
	case turnNow:
		w.write(a)
		if a.rest != nil {
			w.keep(&argument{wire: *a.rest, order: a.order})
		}
	case turnNever:
		if a.isCutMark() {
			w.cut = &a.wire
			break
		}
		w.keep(a)
	case turnLater:
		return false
	}
	return true
}

// write writes an argument that is in its turn.
func (w *Writer) write(a *argument) {
	if w.openText != nil {
		w.continueText(jsonx.Deref(a.text), a.more)
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

// writeOpen writes a value whose path is the path of an open container.
func (w *Writer) writeOpen(a *argument) {
	at := len(a.path)
	switch {
	case a.value != nil || a.text != nil: // it is not a container
		w.open = w.open[:at]
		w.writeValue(a)
	case a.isArray && w.open[at].kind == kindOpen:
		w.become(&w.open[at], jsontext.KindBeginArray)
	}
}

func (w *Writer) writeValue(a *argument) {
	if a.text == nil {
		w.Text = append(w.Text, a.value...)
		return
	}
	w.Text = append(w.Text, '"')
	w.openText, w.openPath = a.path, jsonx.Deref(a.wire.JSONPath)
	w.continueText(*a.text, a.more)
}

func (w *Writer) continueText(text string, more bool) {
	start := len(w.Text)
	w.Text, _ = jsontext.AppendQuote(w.Text, text) // puts U+FFFD for invalid UTF-8
	w.Text = slices.Delete(w.Text, start, start+1)
	w.Text = w.Text[:len(w.Text)-1]
	if !more {
		w.endText()
	}
}

func (w *Writer) endText() {
	if w.openText != nil {
		w.openText = nil
		w.Text = append(w.Text, '"')
	}
}

// root opens the outermost object.
func (w *Writer) root() {
	if w.open == nil {
		w.open = make([]container, 1, 4)
		w.become(&w.open[0], jsontext.KindBeginObject)
	}
}

// openAt opens a container in the innermost one. Its kind is not known yet.
func (w *Writer) openAt(s segment) {
	w.beginChild(s)
	w.open = append(w.open, container{at: s})
}

// beginChild writes the text before a value in the innermost container.
func (w *Writer) beginChild(s segment) {
	c := &w.open[len(w.open)-1]
	switch {
	case c.kind == kindOpen && s.isIndex():
		w.become(c, jsontext.KindBeginArray)
	case c.kind == kindOpen:
		w.become(c, jsontext.KindBeginObject)
	}
	if c.size > 0 {
		w.Text = append(w.Text, ',')
	}
	c.size++
	if !s.isIndex() {
		c.names[s.name] = true
		w.Text = append(append(w.Text, quoted(s.name)...), ':')
	}
}

func (w *Writer) become(c *container, kind jsontext.Kind) {
	c.kind = kind
	if kind == jsontext.KindBeginObject {
		c.names = map[string]bool{}
	}
	w.Text = append(w.Text, byte(kind))
}

// closeTo closes containers until depth containers are open within the root.
func (w *Writer) closeTo(depth int) {
	for len(w.open) > depth+1 {
		last := len(w.open) - 1
		switch w.open[last].kind {
		case jsontext.KindBeginArray:
			w.Text = append(w.Text, ']')
		case jsontext.KindBeginObject:
			w.Text = append(w.Text, '}')
		default:
			w.Text = append(w.Text, "{}"...)
		}
		w.open = w.open[:last]
	}
}

// quoted returns a text as a JSON string. U+FFFD replaces invalid UTF-8.
func quoted(text string) jsontext.Value {
	out, _ := jsontext.AppendQuote(nil, text)
	return out
}

// Compact returns a call's arguments without white space. It returns "{}" for missing arguments,
// and nil for JSON that is not an object. It does not change the bytes of the wire.
func Compact(args jsontext.Value) (jsontext.Value, error) {
	if args = jsonx.NonNull(args); args == nil {
		return jsontext.Value("{}"), nil
	}
	args = args.Clone()
	if err := args.Compact(); err != nil {
		return nil, err
	}
	if args.Kind() != jsontext.KindBeginObject {
		return nil, nil
	}
	return args, nil
}
