package aisdk

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// member is a member of a JSON object.
type member struct {
	name      []byte
	value     jsontext.Value
	used      bool // whether the value has gone into what is made of the object
	inSession bool // whether that is a session update
}

// isText reports whether the value is a string.
func (m *member) isText() bool { return m.value.Kind() == jsontext.KindString }

// text returns a value that is a string. It is not exact when U+FFFD stands for lone surrogates.
func (m *member) text() (text string, exact bool) {
	unquoted, exact := unquote(m.value)
	return string(unquoted), exact
}

// lookup returns the member by a name, the last one as in JavaScript where there are several, or nil.
func lookup(members []member, name string) *member {
	for i := len(members) - 1; i >= 0; i-- {
		if string(members[i].name) == name {
			return &members[i]
		}
	}
	return nil
}

// splitObject returns the members of a JSON object in their order. Names and values are slices of
// data, without white space around them.
func splitObject(data []byte) ([]member, error) {
	var s splitter
	return s.object(nil, data)
}

// splitList returns the elements of a JSON list. They are slices of data.
func splitList(data []byte) ([]jsontext.Value, error) {
	var s splitter
	var out []jsontext.Value
	err := s.split(data, jsontext.KindBeginArray, func() error {
		v, err := s.value(data)
		out = append(out, v)
		return err
	})
	return out, err
}

// splitter takes JSON apart without copying it. It is worth keeping: its decoder is.
type splitter struct {
	source  bytes.Buffer
	decoder *jsontext.Decoder
}

// object appends the members of the object in data to dst.
func (s *splitter) object(dst []member, data []byte) ([]member, error) {
	err := s.split(data, jsontext.KindBeginObject, func() error {
		name, err := s.value(data)
		if err != nil {
			return err
		}
		value, err := s.value(data)
		unquoted, _ := unquote(name)
		dst = append(dst, member{name: unquoted, value: value})
		return err
	})
	return dst, err
}

// split walks through the one value in data, which is of the given kind: next reads what is in it.
func (s *splitter) split(data []byte, kind jsontext.Kind, next func() error) error {
	s.source = *bytes.NewBuffer(data)
	if s.decoder == nil {
		s.decoder = jsontext.NewDecoder(&s.source, lenient)
	} else {
		s.decoder.Reset(&s.source, lenient)
	}
	if found := s.decoder.PeekKind(); found != kind && found != jsontext.KindInvalid {
		return errOtherKind
	}
	if _, err := s.decoder.ReadToken(); err != nil {
		return unexpectedEnd(err)
	}
	for s.decoder.PeekKind() != closing[kind] {
		if err := next(); err != nil {
			return unexpectedEnd(err)
		}
	}
	if _, err := s.decoder.ReadToken(); err != nil {
		return err
	}
	return s.atEnd()
}

// atEnd fails when something follows the value.
func (s *splitter) atEnd() error {
	switch _, err := s.decoder.ReadToken(); {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return err
	default:
		return errTrailing
	}
}

// value reads the next value, which is then found in data itself: the decoder's own slice is not to
// be kept.
func (s *splitter) value(data []byte) (jsontext.Value, error) {
	v, err := s.decoder.ReadValue()
	if err != nil {
		return nil, err
	}
	end := int(s.decoder.InputOffset())
	return jsontext.Value(data[end-len(v) : end : end]), nil
}

// unquote returns what a JSON string stands for; without escapes, a slice of it. It is not exact when
// U+FFFD stands for lone surrogates.
func unquote(raw []byte) (text []byte, exact bool) {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1], true
	}
	text, err := jsontext.AppendUnquote(nil, raw)
	return text, err == nil
}

var closing = map[jsontext.Kind]jsontext.Kind{
	jsontext.KindBeginObject: jsontext.KindEndObject,
	jsontext.KindBeginArray:  jsontext.KindEndArray,
}

// lenient takes what JSON.parse takes: the same member twice, and lone surrogates.
var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// validUTF8 returns data with U+FFFD in the place of each byte that is not UTF-8, and data itself
// when there are none.
func validUTF8(data []byte) []byte {
	if utf8.Valid(data) {
		return data
	}
	return []byte(string([]rune(string(data))))
}

var (
	errOtherKind = errors.New("aisdk: a JSON value of another kind")
	errTrailing  = errors.New("aisdk: data after the JSON value")
)

func unexpectedEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// newSyntaxError is the error for a part that is not a JSON object.
func newSyntaxError(err error) *PartError {
	out := &PartError{Reason: syntaxReason(err), Err: err}
	if syntactic, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		out.Pointer, out.Offset = string(syntactic.JSONPointer), syntactic.ByteOffset
	}
	return out
}

// syntaxReason says in words, and without quoting anything, why bytes are not one JSON object.
func syntaxReason(err error) string {
	syntactic, isSyntax := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "it ends too early"
	case errors.Is(err, errOtherKind):
		return reasonNoObject
	case errors.Is(err, errTrailing):
		return "something follows it"
	case isSyntax && strings.Count(string(syntactic.JSONPointer), "/") >= maxDepth:
		return "it is nested too deeply"
	default:
		return reasonNotJSON
	}
}

// maxDepth is how deeply the JSON library lets values nest.
const maxDepth = 10_000
