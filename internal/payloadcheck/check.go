package payloadcheck

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/nearest"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json/jsontext"
)

// maxFindings limits the number of findings, so that a hostile payload cannot fill the memory.
const maxFindings = 1000

// The names of the rules.
const (
	ruleSyntax   = "json"     // the payload is not JSON
	ruleType     = "type"     // the value has another JSON type
	ruleRequired = "required" // a member is missing
	ruleRange    = "range"    // a number is too small or too large
	ruleOneOf    = "oneof"    // the value of an enum is not known
	ruleFormat   = "format"   // a text has another form
	ruleUnique   = "unique"   // a member stands twice
	ruleUnknown  = "unknown"  // a member is not known
	ruleLimit    = "limit"    // too many findings stand before
	ruleSpelling = "spelling" // a member is known, in other letter case or with other separators
)

// Check returns the errors in a payload, which should be an object of the description. The
// positions are positions in data.
func Check(d Description, object string, data []byte) []validation.Violation {
	c := checker{description: d, data: data, lines: positions{data: data},
		decoder: jsontext.NewDecoder(bytes.NewReader(data), options)}
	root := Value{Kinds: KindObject, Object: d.object(object)}
	var at codec.Location
	err := c.value(&at, &root)
	if err == nil {
		_, err = c.decoder.ReadToken()
		if err == nil {
			err = errors.New("something follows the JSON value")
		}
	}
	if err != io.EOF {
		c.syntax(err)
	}
	return c.found
}

// options are the options of the decoders of all APIs. A member that occurs twice is a finding, not
// a syntax error.
var options = jsontext.AllowDuplicateNames(true)

// checker is one check of a payload.
type checker struct {
	description Description
	data        []byte
	lines       positions
	decoder     *jsontext.Decoder
	found       []validation.Violation
}

// syntax reports why the payload cannot be read.
func (c *checker) syntax(err error) {
	offset := min(c.decoder.InputOffset(), int64(len(c.data)))
	pointer, reason := "", "is not JSON"
	if fault, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		offset, pointer, reason = fault.ByteOffset, string(fault.JSONPointer), fault.Err.Error()
	} else if err != nil {
		reason = err.Error()
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		reason = "the JSON ends too early"
	}
	c.report(validation.Violation{Pointer: pointer, Position: PositionAt(c.data, int(offset)),
		Rule: ruleSyntax, Want: reason})
}

func (c *checker) report(v validation.Violation) {
	switch {
	case len(c.found) < maxFindings:
		c.found = append(c.found, v)
	case len(c.found) == maxFindings:
		c.found = append(c.found, limit(v.Pointer, v.Position))
	}
}

// limit is the last finding if there are too many. It has the location of the next finding.
func limit(pointer string, at validation.Position) validation.Violation {
	return validation.Violation{Pointer: pointer, Position: at, Rule: ruleLimit,
		Want: fmt.Sprintf("is not checked, after %d findings before it", maxFindings)}
}

// at reports a finding about the value at an offset.
func (c *checker) at(in *codec.Location, offset int, severity validation.Severity, rule, value,
	want string) {
	c.report(validation.Violation{
		Pointer: in.Pointer(), Position: c.lines.at(offset),
		Severity: severity, Rule: rule, Value: value, Want: want,
	})
}

// next returns the offset of the next value.
func (c *checker) next() int { return valueAt(c.data, int(c.decoder.InputOffset())) }

// value checks the next value.
func (c *checker) value(at *codec.Location, v *Value) error {
	kind := c.decoder.PeekKind()
	offset := c.next()
	if v == nil || v.Kinds == 0 {
		return c.decoder.SkipValue()
	}
	switch {
	case kind == jsontext.KindBeginObject && v.Kinds&KindObject != 0 && v.Object >= 0:
		return c.object(at, offset, &c.description[v.Object])
	case kind == jsontext.KindBeginObject && v.Kinds&KindMap != 0:
		return c.members(at, v.Map)
	case kind == jsontext.KindBeginArray && v.Kinds&KindList != 0:
		return c.list(at, v.Items)
	case kind == jsontext.KindString && v.Kinds&KindString != 0:
		return c.text(at, offset, v)
	case kind == jsontext.KindNumber && v.Kinds&(KindNumber|KindInteger) != 0:
		return c.number(at, offset, v)
	}
	raw, err := c.decoder.ReadValue()
	if err != nil {
		return err
	}
	if v.Kinds&kinds[kind] == 0 {
		c.at(at, offset, validation.SeverityError, ruleType, shown(raw), "must be "+v.Kinds.text())
	}
	return nil
}

// kinds are the JSON types that need no further check.
var kinds = map[jsontext.Kind]Kind{
	jsontext.KindNull: KindNull, jsontext.KindTrue: KindBoolean, jsontext.KindFalse: KindBoolean,
}

// text returns the kinds as text, for example "a text or a list".
func (k Kind) text() string {
	var words []string
	for _, row := range kindWords {
		if k&row.kind != 0 {
			words = append(words, row.word)
		}
	}
	switch len(words) {
	case 0:
		return "absent"
	case 1:
		return words[0]
	default:
		return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
	}
}

var kindWords = []struct {
	kind Kind
	word string
}{
	{KindString, "a string"}, {KindInteger, "an integer"}, {KindNumber, "a number"},
	{KindBoolean, "a boolean"},
	{KindList, "a list"}, {KindObject | KindMap, "an object"}, {KindNull, "null"},
}

// object checks an object with known members.
func (c *checker) object(at *codec.Location, offset int, o *Object) error {
	if _, err := c.decoder.ReadToken(); err != nil {
		return err
	}
	seen := make([]bool, len(o.Members))
	in := at.Member("")
	for c.decoder.PeekKind() != jsontext.KindEndObject {
		begin := c.next()
		name, err := c.decoder.ReadToken()
		if err != nil {
			return err
		}
		in.Name = name.String()
		i := o.member(in.Name)
		if i < 0 {
			if err := c.unknown(&in, begin, o, seen); err != nil {
				return err
			}
			continue
		}
		if seen[i] {
			c.at(&in, begin, validation.SeverityError, ruleUnique, "",
				"must stand once in its object")
		}
		seen[i] = true
		if err := c.value(&in, &o.Members[i].Value); err != nil {
			return err
		}
	}
	if _, err := c.decoder.ReadToken(); err != nil {
		return err
	}
	for i := range o.Members {
		if o.Members[i].Required && !seen[i] {
			in.Name = o.Members[i].Name
			c.at(&in, offset, validation.SeverityError, ruleRequired, "", "must be set")
		}
	}
	return nil
}

// unknown reports a member that is not in the description.
func (c *checker) unknown(at *codec.Location, offset int, o *Object, seen []bool) error {
	value, err := c.decoder.ReadValue()
	if err != nil {
		return err
	}
	if i := o.respelt(at.Name); i >= 0 {
		c.at(at, offset, validation.SeverityError, ruleSpelling, "",
			"must be spelled "+o.Members[i].Name)
		return nil
	}
	want := "is not a known member of " + o.Name
	if name := nearest.Name(at.Name, o.names()); name != "" && !seen[o.member(name)] {
		want += `; did you mean "` + name + `"?`
	}
	c.at(at, offset, validation.SeverityWarning, ruleUnknown, scalar(value), want)
	return nil
}

// members checks an object whose members all have the same kind.
func (c *checker) members(at *codec.Location, v *Value) error {
	if _, err := c.decoder.ReadToken(); err != nil {
		return err
	}
	in := at.Member("")
	for c.decoder.PeekKind() != jsontext.KindEndObject {
		name, err := c.decoder.ReadToken()
		if err != nil {
			return err
		}
		in.Name = name.String()
		if err := c.value(&in, v); err != nil {
			return err
		}
	}
	_, err := c.decoder.ReadToken()
	return err
}

// list checks the elements of a list.
func (c *checker) list(at *codec.Location, items *Value) error {
	if _, err := c.decoder.ReadToken(); err != nil {
		return err
	}
	in := at.Element(0)
	for ; c.decoder.PeekKind() != jsontext.KindEndArray; in.Index++ {
		if err := c.value(&in, items); err != nil {
			return err
		}
	}
	_, err := c.decoder.ReadToken()
	return err
}

// text checks a string.
func (c *checker) text(at *codec.Location, offset int, v *Value) error {
	raw, err := c.decoder.ReadValue()
	if err != nil || len(v.Enum) == 0 && v.Format == FormatAny && !v.NotEmpty {
		return err
	}
	unquoted, err := jsontext.AppendUnquote(nil, raw)
	if err != nil {
		return err
	}
	text := string(unquoted)
	switch {
	case v.NotEmpty && text == "":
		c.at(at, offset, validation.SeverityError, ruleRequired, "", "must not be empty")
	case len(v.Enum) > 0 && !slices.Contains(v.Enum, text):
		c.at(at, offset, validation.SeverityWarning, ruleOneOf, shown(raw),
			"is not a known value; known are "+listed(v.Enum))
	default:
		if want, severity, ok := v.Format.check(text); !ok {
			c.at(at, offset, severity, ruleFormat, shown(raw), want)
		}
	}
	return nil
}

// listed returns the first values of an enum as text.
func listed(values []string) string {
	const most = 8
	if len(values) <= most {
		return strings.Join(values, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(values[:most], ", "), len(values)-most)
}

// number checks a number.
func (c *checker) number(at *codec.Location, offset int, v *Value) error {
	raw, err := c.decoder.ReadValue()
	if err != nil {
		return err
	}
	if v.Kinds&KindNumber == 0 && bytes.ContainsAny(raw, ".eE") {
		c.at(at, offset, validation.SeverityError, ruleType, shown(raw), "must be an integer")
		return nil
	}
	number, err := strconv.ParseFloat(string(raw), 64)
	if err != nil {
		c.at(at, offset, validation.SeverityError, ruleRange, shown(raw),
			"must be a number of 64 bits")
		return nil
	}
	if want := v.Range.refuses(number); want != "" {
		c.at(at, offset, validation.SeverityError, ruleRange, shown(raw), want)
	}
	return nil
}

// refuses returns the expected range for a number out of range, or "" for a valid number.
func (r *Range) refuses(number float64) string {
	switch {
	case r == nil:
	case r.Least != nil && r.Most != nil && (number < *r.Least || number > *r.Most):
		return fmt.Sprintf("must be from %v to %v", *r.Least, *r.Most)
	case r.Least != nil && number < *r.Least:
		return fmt.Sprintf("must be at least %v", *r.Least)
	case r.Most != nil && number > *r.Most:
		return fmt.Sprintf("must be at most %v", *r.Most)
	}
	return ""
}
