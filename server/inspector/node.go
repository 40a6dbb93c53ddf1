package inspector

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// node is a JSON value. Only strings keep their content, because only they connect the two sides.
type node struct {
	text     string
	children []member
}

type member struct {
	name  string
	value *node
}

// parse parses a document. It returns nil for invalid JSON.
func parse(text string) *node {
	if text == "" {
		return nil
	}
	decoder := jsontext.NewDecoder(strings.NewReader(text), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true))
	value, err := read(decoder)
	if err != nil {
		return nil
	}
	return value
}

// read reads the next value of a document.
func read(decoder *jsontext.Decoder) (*node, error) {
	token, err := decoder.ReadToken()
	if err != nil {
		return nil, err
	}
	n := &node{}
	kind := token.Kind()
	switch kind {
	case jsontext.KindString:
		n.text = token.String()
	case jsontext.KindBeginObject, jsontext.KindBeginArray:
		for end := closing[kind]; decoder.PeekKind() != end; {
			m := member{name: strconv.Itoa(len(n.children))}
			if kind == jsontext.KindBeginObject {
				name, err := decoder.ReadToken()
				if err != nil {
					return nil, err
				}
				m.name = name.String()
			}
			if m.value, err = read(decoder); err != nil {
				return nil, err
			}
			n.children = append(n.children, m)
		}
		_, err = decoder.ReadToken()
	}
	return n, err
}

// closing are the end tokens of an object and a list.
var closing = map[jsontext.Kind]jsontext.Kind{
	jsontext.KindBeginObject: jsontext.KindEndObject,
	jsontext.KindBeginArray:  jsontext.KindEndArray,
}

func (n *node) child(name string) *node {
	if n == nil {
		return nil
	}
	for _, m := range n.children {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// at returns the value at a pointer, or nil.
func (n *node) at(pointer string) *node {
	for token := range jsontext.Pointer(pointer).Tokens() {
		n = n.child(token)
	}
	return n
}

// withTextOf returns the pointer of the value that shares a text with another document's value.
// That value is at a pointer, or around it, but not above a given depth.
func (n *node) withTextOf(from *node, pointer string, depth int) (string, bool) {
	for {
		// A string that is a whole member has no surrounding text, so the object around it is
		// shown.
		if texts := from.at(pointer).texts(nil); len(texts) > 0 {
			if at, ok := n.find(texts, ""); ok {
				return at, true
			}
		}
		cut := strings.LastIndexByte(pointer, '/')
		if cut < 0 || strings.Count(pointer[:cut], "/") <= depth {
			return "", false
		}
		pointer = pointer[:cut]
	}
}

// shortestLead is the minimum length of a text that connects the two sides. Roles and types are
// shorter, and occur everywhere.
const shortestLead = 4

// texts appends up to a number of sufficiently long texts of a value.
func (n *node) texts(texts []string) []string {
	const most = 64
	if n == nil || len(texts) >= most {
		return texts
	}
	if len(n.text) >= shortestLead && !everywhere[n.text] {
		texts = append(texts, n.text)
	}
	for _, m := range n.children {
		texts = m.value.texts(texts)
	}
	return texts
}

// everywhere are texts that occur in many places of a document.
var everywhere = map[string]bool{
	"user": true, "model": true, "system": true, "developer": true, "assistant": true, "tool": true,
	"text":     true,
	"function": true, "object": true, "string": true, "number": true, "integer": true,
	"boolean": true, "array": true,
	"image_url": true, "auto": true,
}

// find returns the pointer of the first object in the document that has one of the texts as a
// member.
func (n *node) find(texts []string, pointer string) (string, bool) {
	for _, m := range n.children {
		if m.value.text != "" && hasSame(texts, m.value.text) {
			return pointer, true
		}
		escaped := strings.NewReplacer("~", "~0", "/", "~1").Replace(m.name)
		if at, ok := m.value.find(texts, pointer+"/"+escaped); ok {
			return at, true
		}
	}
	return "", false
}

// hasSame reports whether a text equals one of the texts, or ends with it, as a data URL ends with
// its base64.
func hasSame(texts []string, text string) bool {
	const shortestEnd = 32
	for _, t := range texts {
		if t == text || len(text) >= shortestEnd && strings.HasSuffix(t, text) {
			return true
		}
	}
	return false
}
