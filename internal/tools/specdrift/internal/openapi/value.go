package openapi

import "strings"

// Kind is the kind of a [Value], in JSON's terms.
type Kind uint8

// The kinds of values.
const (
	// Null is a null, and what a missing value counts as.
	Null Kind = iota
	// Bool is true or false.
	Bool
	// Number is any number.
	Number
	// String is a string, also a YAML scalar of a type that JSON does not have.
	String
	// List is a sequence of values.
	List
	// Mapping is an object, with its members in the order of the document.
	Mapping
)

// Value is one value of a document and where it stands. A nil *Value stands for a missing one and
// answers every method.
type Value struct {
	// Kind tells which of the next three fields counts.
	Kind Kind
	// Text is the text of a scalar: the string itself, "true", "1.5", "null".
	Text string
	// Items are the elements of a list.
	Items []*Value
	// Members are the members of a mapping; no key occurs twice.
	Members []Member
	// Pointer is the JSON pointer of the value, unique in its document: "" for the root.
	Pointer string
	// Line is the line on which the value begins, from 1.
	Line int
}

// Member is a key of a mapping and its value.
type Member struct {
	// Key is the member's name, unescaped.
	Key string
	// Value is never nil.
	Value *Value
}

// KindOf is the value's kind; [Null] for a missing one.
func (v *Value) KindOf() Kind {
	if v == nil {
		return Null
	}
	return v.Kind
}

// Get returns a member of a mapping; nil when there is none or v is not a mapping.
func (v *Value) Get(key string) *Value {
	if v == nil {
		return nil
	}
	for _, m := range v.Members {
		if m.Key == key {
			return m.Value
		}
	}
	return nil
}

// String returns the text of a scalar, "" for anything else and for a missing value.
func (v *Value) String() string {
	if v == nil {
		return ""
	}
	return v.Text
}

// IsTrue reports whether the value is the boolean true.
func (v *Value) IsTrue() bool { return v.KindOf() == Bool && v.Text == "true" }

// IsFalse reports whether the value is the boolean false.
func (v *Value) IsFalse() bool { return v.KindOf() == Bool && v.Text == "false" }

// child is the value that one token of a JSON pointer selects, nil when there is none.
func (v *Value) child(token string) *Value {
	if v.KindOf() != List {
		return v.Get(token)
	}
	for i, item := range v.Items {
		if indexToken(i) == token {
			return item
		}
	}
	return nil
}

// Tokens returns the unescaped tokens of a JSON pointer, none for "".
func Tokens(pointer string) []string {
	tokens := strings.Split(pointer, "/")[1:]
	for i, t := range tokens {
		tokens[i] = UnescapePointer(t)
	}
	return tokens
}

var (
	pointerEscaper   = strings.NewReplacer("~", "~0", "/", "~1")
	pointerUnescaper = strings.NewReplacer("~1", "/", "~0", "~")
)

// EscapePointer makes one token of a JSON pointer of a key (RFC 6901).
func EscapePointer(key string) string { return pointerEscaper.Replace(key) }

// UnescapePointer makes a key of one token of a JSON pointer.
func UnescapePointer(token string) string { return pointerUnescaper.Replace(token) }
