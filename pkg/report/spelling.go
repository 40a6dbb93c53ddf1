package report

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// Spelling converts pointers to the spelling of a JSON document. Decoders accept usage_metadata for
// usageMetadata, and a single element for a list; reports and errors always use the spelling of the
// API description.
//
//	out, report, err := openai.FromGemini(in)
//	report = report.SpellingOf(body).Report(report)
//
// The zero value has no document and leaves pointers unchanged. A Spelling is not safe for
// concurrent use.
type Spelling struct {
	value jsontext.Value
	// children are the members or elements by name or index, nil until one is requested.
	children map[string]*Spelling
	// names are the members' names by their folded form. A name that begins with an underscore is
	// also stored under that underscore and its folded form, because _responseJsonSchema is another
	// member than responseJsonSchema.
	names map[string]string
}

// SpellingOf returns the spelling of a document, which must not change during use.
func SpellingOf(document []byte) *Spelling { return &Spelling{value: document} }

// Keep adds a document that is a child of this one under a token of pointers, such as "2" for the
// third chunk of a stream. Keep copies the text.
func (s *Spelling) Keep(token string, text []byte) {
	if s.children == nil {
		s.split()
	}
	s.children[token] = &Spelling{value: bytes.Clone(text)}
}

// Report returns a copy of a report with pointers in the spelling of the document.
func (s *Spelling) Report(r Report) Report {
	out := slices.Clone(r)
	for i := range out {
		out[i].Pointer = s.Pointer(out[i].Pointer)
	}
	return out
}

// Pointer returns a pointer in the spelling of the document. Tokens that the document does not have
// stay unchanged, such as the tokens of added values.
func (s *Spelling) Pointer(described string) string {
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

// child returns the child that a token names and the token in the document's spelling. For a
// missing child it returns nil and the same token. isLone is set for a value that stands for a list
// with one element.
func (s *Spelling) child(token string) (written string, child *Spelling, isLone bool) {
	if s.children == nil {
		s.split()
	}
	if child := s.children[token]; child != nil {
		return token, child, false
	}
	for _, folded := range []string{foldedName(token), jsonx.FoldName(token)} {
		if name, ok := s.names[folded]; ok {
			return name, s.children[name], false
		}
	}
	if kind := s.value.Kind(); token == "0" && kind != jsontext.KindBeginArray &&
		kind != jsontext.KindNull && kind != jsontext.KindInvalid {
		return token, s, true
	}
	return token, nil, false
}

// split fills in the children.
func (s *Spelling) split() {
	s.children, s.names = map[string]*Spelling{}, map[string]string{}
	switch s.value.Kind() {
	case jsontext.KindBeginObject:
		for name, value := range jsonx.Members(s.value) {
			s.children[name] = &Spelling{value: value}
			folded := foldedName(name)
			s.names[folded] = name
			if plain := jsonx.FoldName(name); s.names[plain] == "" {
				s.names[plain] = name
			}
		}
	case jsontext.KindBeginArray:
		d := jsontext.NewDecoder(bytes.NewReader(s.value), jsontext.AllowDuplicateNames(true),
			jsontext.AllowInvalidUTF8(true))
		_, _ = d.ReadToken()
		for i := 0; ; i++ {
			value, err := d.ReadValue()
			if err != nil {
				return // the end of the list
			}
			s.children[strconv.Itoa(i)] = &Spelling{value: value.Clone()}
		}
	}
}

// foldedName returns a name without letter case and underscores, except a leading underscore.
func foldedName(name string) string {
	folded := jsonx.FoldName(name)
	if strings.HasPrefix(name, "_") {
		return "_" + folded
	}
	return folded
}
