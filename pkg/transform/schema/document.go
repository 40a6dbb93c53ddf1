package schema

import (
	"bytes"
	"errors"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// value is a JSON value of the document with its location.
type value struct {
	raw  string // as JSON
	name string // name of a member, "" in a list

	parent *value
	first  *value // first element or member, or nil
	next   *value // next one in the same list or object

	index   int32 // index in a list
	kind    jsontext.Kind
	meaning uint8 // position in keywords plus 1; 0 before the lookup

	hasIdentifier bool // It has an identifier, so references within it are relative to it.
	isUsed        bool // It was converted, or a reference was resolved by it.
	isUsedPart    bool // A part of it was converted.
	isDeferred    bool // It is reported at the end.
}

// readDocument parses a document. An error is an *Error.
func readDocument(document jsontext.Value) (*value, error) {
	if !document.IsValid() {
		return nil, notJSON(document)
	}
	r := reader{
		text: string(document),
		// There are no duplicates: the document was checked.
		dec: jsontext.NewDecoder(bytes.NewBuffer(document), jsontext.AllowDuplicateNames(true)),
	}
	root := r.newValue(nil)
	r.read(root)
	return root, nil
}

func notJSON(document jsontext.Value) error {
	var all jsontext.Value
	out := &Error{Err: json.Unmarshal(document, &all)}
	if syntactic, ok := errors.AsType[*jsontext.SyntacticError](out.Err); ok {
		out.Pointer, out.Err = string(syntactic.JSONPointer), syntactic
	}
	return out
}

// reader reads valid JSON. Its values are slices of the text, so nothing is copied.
type reader struct {
	text string
	dec  *jsontext.Decoder
	pool []value // New values are taken from it.
}

func (r *reader) newValue(parent *value) *value {
	if len(r.pool) == 0 {
		const most, bytesPerValue = 1024, 12
		r.pool = make([]value, min(len(r.text)/bytesPerValue+1, most))
	}
	v := &r.pool[0]
	r.pool = r.pool[1:]
	v.parent = parent
	return v
}

func (r *reader) read(v *value) {
	v.kind = r.dec.PeekKind()
	if !v.isObject() && !v.isList() {
		v.raw = r.scalar()
		return
	}
	_, _ = r.dec.ReadToken()
	start := r.dec.InputOffset() - 1
	last := &v.first
	for index := int32(0); r.dec.PeekKind() != jsontext.KindEndObject &&
		r.dec.PeekKind() != jsontext.KindEndArray; index++ {
		part := r.newValue(v)
		r.readPart(part, index)
		*last, last = part, &part.next
	}
	_, _ = r.dec.ReadToken()
	v.raw = r.text[start:r.dec.InputOffset()]
}

// scalar reads a value without parts, or a member's name.
func (r *reader) scalar() string {
	raw, _ := r.dec.ReadValue()
	end := r.dec.InputOffset()
	return r.text[end-int64(len(raw)) : end]
}

// readPart reads a member or an element.
func (r *reader) readPart(part *value, index int32) {
	if part.parent.isList() {
		part.index = index
	} else {
		part.name = unquote(r.scalar())
	}
	r.read(part)
	if part.isString() && (part.name == "$id" || part.name == "id") && part.raw[1] != '#' {
		part.parent.hasIdentifier = true
	}
}

// unquote returns the text of a valid JSON string.
func unquote(raw string) string {
	if strings.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1]
	}
	text, _ := jsontext.AppendUnquote(nil, raw) // it is valid
	return string(text)
}

func (v *value) isString() bool { return v.kind == jsontext.KindString }
func (v *value) isNumber() bool { return v.kind == jsontext.KindNumber }
func (v *value) isObject() bool { return v.kind == jsontext.KindBeginObject }
func (v *value) isList() bool   { return v.kind == jsontext.KindBeginArray }
func (v *value) isNull() bool   { return v.kind == jsontext.KindNull }
func (v *value) isTrue() bool   { return v.kind == jsontext.KindTrue }
func (v *value) isFalse() bool  { return v.kind == jsontext.KindFalse }
func (v *value) isBoolean() bool {
	return v.isTrue() || v.isFalse()
}

// text returns the text of a string, or "" for any other value.
func (v *value) text() string {
	if !v.isString() {
		return ""
	}
	return unquote(v.raw)
}

// textPointer returns a pointer to the text of a value, or nil for nil.
func (v *value) textPointer() *string {
	if v == nil {
		return nil
	}
	return new(v.text())
}

// member returns the member of an object with a name, or nil.
func (v *value) member(name string) *value {
	for m := v.first; m != nil; m = m.next {
		if m.name == name {
			return m
		}
	}
	return nil
}

// count returns the number of elements or members.
func (v *value) count() int {
	count := 0
	for e := v.first; e != nil; e = e.next {
		count++
	}
	return count
}

// pointer returns the JSON pointer of the value in the document.
func (v *value) pointer() string { return string(v.appendPointer(nil)) }

func (v *value) appendPointer(dst []byte) []byte {
	if v.parent == nil {
		return dst
	}
	dst = append(v.parent.appendPointer(dst), '/')
	if v.parent.isList() {
		return strconv.AppendInt(dst, int64(v.index), 10)
	}
	return append(dst, escapeToken.Replace(v.name)...)
}

// escapeToken escapes a token of a JSON pointer (RFC 6901).
var escapeToken = strings.NewReplacer("~", "~0", "/", "~1")
