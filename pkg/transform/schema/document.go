package schema

import (
	"errors"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// value is a JSON value of the document, which knows where it stands.
type value struct {
	raw  string // JSON.
	name string // As a member; "" in a list.

	parent *value
	first  *value // The first element or member; nil for none.
	next   *value // The one after it in the same list or object.

	index   int32 // In a list.
	kind    jsontext.Kind
	meaning uint8 // The position in keywords, plus 1; 0 before it was looked up.

	hasIdentifier bool // It has one of its own, so that references within it start from it.
	isUsed        bool // It was converted, or a reference was found by it.
	isUsedPart    bool // Something within it was converted.
	isDeferred    bool // What becomes of it is decided in the end.
}

// readDocument parses a document. An error is an *Error.
func readDocument(document jsontext.Value) (*value, error) {
	if !document.IsValid() {
		return nil, notJSON(document)
	}
	p := parser{data: string(document)}
	p.pool = make([]value, min(p.countValues(), maxPool))
	root := p.newValue(nil)
	p.read(root)
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

// parser reads JSON that is known to be valid, of which it has to see no more than where a value
// begins and ends.
type parser struct {
	data string
	pos  int
	pool []value // New values are taken from it.
}

// maxPool is how many values are made at a time, at most.
const maxPool = 1024

// countValues returns how many values there are, or somewhat more, since strings are not told apart.
func (p *parser) countValues() int {
	return strings.Count(p.data, ",") + strings.Count(p.data, "{") + strings.Count(p.data, "[") + 1
}

func (p *parser) newValue(parent *value) *value {
	if len(p.pool) == 0 {
		p.pool = make([]value, maxPool)
	}
	v := &p.pool[0]
	p.pool = p.pool[1:]
	v.parent = parent
	return v
}

// read reads the next value.
func (p *parser) read(v *value) {
	p.skipSpace()
	start := p.pos
	v.kind = kindOf(p.data[start])
	switch v.kind {
	case jsontext.KindBeginObject:
		p.readMembers(v)
	case jsontext.KindBeginArray:
		p.readElements(v)
	case jsontext.KindString:
		p.skipString()
	default:
		p.skipLiteral()
	}
	v.raw = p.data[start:p.pos]
}

func (p *parser) readMembers(object *value) {
	end := &object.first
	for p.more('}') {
		m := p.newValue(object)
		m.name = p.readName()
		p.read(m)
		*end, end = m, &m.next
		if m.isString() && (m.name == "$id" || m.name == "id") && m.raw[1] != '#' {
			object.hasIdentifier = true
		}
	}
}

func (p *parser) readElements(list *value) {
	end := &list.first
	for index := int32(0); p.more(']'); index++ {
		e := p.newValue(list)
		e.index = index
		p.read(e)
		*end, end = e, &e.next
	}
}

// more goes past a bracket or comma to the next member or element, or past the bracket that ends the
// object or list.
func (p *parser) more(end byte) bool {
	p.skipSpace()
	if p.data[p.pos] == end {
		p.pos++
		return false
	}
	p.pos++
	p.skipSpace()
	if p.data[p.pos] == end { // there are none at all
		p.pos++
		return false
	}
	return true
}

// readName reads a member's name with the colon behind it.
func (p *parser) readName() string {
	start := p.pos
	p.skipString()
	name := unquote(p.data[start:p.pos])
	p.skipSpace()
	p.pos++
	return name
}

func (p *parser) skipSpace() {
	for p.pos < len(p.data) && p.data[p.pos] <= ' ' {
		p.pos++
	}
}

func (p *parser) skipString() {
	start := p.pos + 1
	p.pos = start + strings.IndexByte(p.data[start:], '"') + 1
	if p.data[p.pos-2] != '\\' {
		return // A quotation mark without a backslash before it ends every string.
	}
	for p.pos = start; p.data[p.pos] != '"'; p.pos++ {
		if p.data[p.pos] == '\\' {
			p.pos++
		}
	}
	p.pos++
}

func (p *parser) skipLiteral() {
	for p.pos < len(p.data) && strings.IndexByte(" \t\r\n,]}", p.data[p.pos]) < 0 {
		p.pos++
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

// kindOf returns the kind of the JSON value that begins with a byte.
func kindOf(first byte) jsontext.Kind {
	if first == '-' || '0' <= first && first <= '9' {
		return jsontext.KindNumber
	}
	return jsontext.Kind(first)
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

// text returns the text of a string, "" for all else.
func (v *value) text() string {
	if !v.isString() {
		return ""
	}
	return unquote(v.raw)
}

// member returns the member of an object with a name, nil for none.
func (v *value) member(name string) *value {
	for m := v.first; m != nil; m = m.next {
		if m.name == name {
			return m
		}
	}
	return nil
}

// count returns how many elements or members there are.
func (v *value) count() int {
	count := 0
	for e := v.first; e != nil; e = e.next {
		count++
	}
	return count
}

// pointer returns where the value stands in the document, as a JSON pointer.
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

// escapeToken writes the escapes of JSON pointers (RFC 6901).
var escapeToken = strings.NewReplacer("~", "~0", "/", "~1")
