package cli

import (
	"bytes"
	"strconv"

	"github.com/gemwire/gemwire/internal/rawobject"
	"github.com/go-json-experiment/json/jsontext"
)

// spelling finds values in a JSON value as it was written. Decoding takes usage_metadata for usageMetadata, and a
// lone element for a list; reports and errors name values as if all were written by the description.
type spelling struct {
	value jsontext.Value
	// children are the members or elements by name or index, nil until one is asked for.
	children map[string]*spelling
	// names are those of the members by their folded form.
	names map[string]string
}

// keep adds a child of which the text is copied.
func (s *spelling) keep(token string, text []byte) {
	if s.children == nil {
		s.children = map[string]*spelling{}
	}
	s.children[token] = &spelling{value: bytes.Clone(text)}
}

// pointer returns the pointer of a value as it was written. From where there is no such value, as there is none
// where one was added, it is unchanged.
func (s *spelling) pointer(described string) string {
	var written jsontext.Pointer
	for token := range jsontext.Pointer(described).Tokens() {
		if s != nil {
			var isElement bool
			if token, s, isElement = s.child(token); isElement {
				continue
			}
		}
		written = written.AppendToken(token)
	}
	return string(written)
}

// child returns the child that a token names and the token that it was written with, nil and the same token if
// there is none. isLone is set for the value itself when it stands for a list of one.
func (s *spelling) child(token string) (written string, child *spelling, isLone bool) {
	if s.children == nil {
		s.split()
	}
	if child := s.children[token]; child != nil {
		return token, child, false
	}
	if name, ok := s.names[folded(token)]; ok {
		return name, s.children[name], false
	}
	if kind := s.value.Kind(); token == "0" && kind != jsontext.KindBeginArray && kind != jsontext.KindNull && kind != jsontext.KindInvalid {
		return token, s, true
	}
	return token, nil, false
}

// split sets the children.
func (s *spelling) split() {
	s.children, s.names = map[string]*spelling{}, map[string]string{}
	switch s.value.Kind() {
	case jsontext.KindBeginObject:
		for name, value := range rawobject.Members(s.value) {
			s.children[name] = &spelling{value: value}
			s.names[folded(name)] = name
		}
	case jsontext.KindBeginArray:
		d := jsontext.NewDecoder(bytes.NewReader(s.value), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
		_, _ = d.ReadToken()
		for i := 0; ; i++ {
			value, err := d.ReadValue()
			if err != nil {
				return // the end of the list
			}
			s.children[strconv.Itoa(i)] = &spelling{value: value.Clone()}
		}
	}
}

// writtenError is an error about a payload, with the places as the input has them.
type writtenError struct {
	err error
	in  *spelling
}

func (e *writtenError) Error() string { return e.err.Error() }
func (e *writtenError) Unwrap() error { return e.err }

func (e *writtenError) locate() []finding {
	found := findings(e.err)
	for i := range found {
		found[i].pointer = e.in.pointer(found[i].pointer)
	}
	return found
}
