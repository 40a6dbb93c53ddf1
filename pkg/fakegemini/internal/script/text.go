package script

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Text is a condition on a text. In a file, a bare text means Contains.
type Text struct {
	// Exact is the whole text.
	Exact *string `json:"exact,omitzero"`
	// Contains is a part of it.
	Contains *string `json:"contains,omitzero"`
	// Regexp matches a part of it, in the syntax of package regexp.
	Regexp *Regexp `json:"regexp,omitzero"`
}

// Fits reports whether a text meets the condition.
func (t Text) Fits(text string) bool {
	switch {
	case t.Exact != nil:
		return text == *t.Exact
	case t.Contains != nil:
		return strings.Contains(text, *t.Contains)
	case t.Regexp != nil:
		return t.Regexp.MatchString(text)
	default:
		return true
	}
}

// String describes the condition.
func (t Text) String() string {
	switch {
	case t.Exact != nil:
		return fmt.Sprintf("exactly %q", *t.Exact)
	case t.Contains != nil:
		return fmt.Sprintf("a text with %q", *t.Contains)
	case t.Regexp != nil:
		return fmt.Sprintf("a text like %q", t.Regexp)
	default:
		return "any text"
	}
}

var errNotOneForm = errors.New("want one of exact, contains and regexp")

// MarshalJSONTo writes Contains as a text and any other condition as an object.
func (t Text) MarshalJSONTo(enc *jsontext.Encoder) error {
	if t.Contains != nil && t.Exact == nil && t.Regexp == nil {
		return enc.WriteToken(jsontext.String(*t.Contains))
	}
	type members Text
	return json.MarshalEncode(enc, members(t))
}

// UnmarshalJSONFrom reads a text or an object.
func (t *Text) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() == jsontext.KindString {
		return json.UnmarshalDecode(dec, &t.Contains)
	}
	type members Text
	if err := json.UnmarshalDecode(dec, (*members)(t)); err != nil {
		return err
	}
	set := 0
	for _, isSet := range []bool{t.Exact != nil, t.Contains != nil, t.Regexp != nil} {
		if isSet {
			set++
		}
	}
	if set != 1 {
		return errNotOneForm
	}
	return nil
}

// Texts are conditions that a text must all meet. In a file, a single one needs no list.
type Texts []Text

// MarshalJSONTo writes one condition or a list.
func (t Texts) MarshalJSONTo(enc *jsontext.Encoder) error { return marshalOneOrMany(enc, t) }

// UnmarshalJSONFrom reads one condition or a list.
func (t *Texts) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return unmarshalOneOrMany(dec, (*[]Text)(t))
}

// Regexp is a regular expression, which is a text in a file.
type Regexp struct{ *regexp.Regexp }

// MarshalText returns the expression.
func (r Regexp) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads an expression.
func (r *Regexp) UnmarshalText(text []byte) (err error) {
	r.Regexp, err = regexp.Compile(string(text))
	return err
}
