// Package payloadcheck checks whether a JSON payload conforms to its API's OpenAPI description. It
// reads the bytes, because a decoder may already have corrected errors. The descriptions are tables
// that tools/codecgen makes from api/openapi/*.yaml:
//
//	found := payloadcheck.Check(&described, "GenerateContentResponse", body)
//
// It reports as errors: members with another JSON type, numbers out of range, missing required
// members, members that occur twice, and texts in another format. Unknown members and enum values
// are warnings, because a server may send new ones before the description has them. It does not
// check rules about several members. The packages that have a table check those.
package payloadcheck

import (
	"slices"
	"strings"
)

// Description is the table of all objects of one API. It is never modified.
type Description []Object

// Object is one object schema.
type Object struct {
	// Name is the schema's name in the description.
	Name string
	// Members are sorted by name.
	Members []Member
}

// Member is a property of an object.
type Member struct {
	Name string
	// Required members are in every answer.
	Required bool
	Value    Value
}

// Value describes the values that a property, an element of a list or a value of a map may have.
type Value struct {
	// Kinds are the JSON types that the value may have. No kinds means any JSON.
	Kinds Kind
	// Object is the position of the value's object in the description, if Kinds has KindObject.
	Object int
	// Items describes the elements of a list. nil means any JSON.
	Items *Value
	// Map describes all members of an object that has no known members.
	Map *Value
	// Enum lists the values of a text.
	Enum []string
	// Range bounds a number.
	Range *Range
	// Format is the format of a text.
	Format Format
	// NotEmpty refuses "".
	NotEmpty bool
}

// Kind is a set of JSON types.
type Kind uint8

// The JSON types. An integer is a number without a fraction.
const (
	KindString Kind = 1 << iota
	KindNumber
	KindInteger
	KindBoolean
	KindList
	KindObject
	KindMap
	KindNull
)

// Range has the bounds of a number, both included. A nil bound sets no limit.
type Range struct{ Least, Most *float64 }

// Format is the format of a text.
type Format string

// The formats that are checked.
const (
	FormatAny      Format = ""
	FormatTime     Format = "google-datetime"
	FormatDuration Format = "google-duration"
	FormatBase64   Format = "byte"
	FormatInt64    Format = "int64"
)

// object returns the position of an object by its name, or -1.
func (d Description) object(name string) int {
	return slices.IndexFunc(d, func(o Object) bool { return o.Name == name })
}

// member returns the position of a member by its name, or -1.
func (o *Object) member(name string) int {
	low, high := 0, len(o.Members)
	for low < high {
		middle := (low + high) / 2
		if o.Members[middle].Name < name {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low < len(o.Members) && o.Members[low].Name == name {
		return low
	}
	return -1
}

// respelt returns the position of the member whose name differs only in letter case, "_" and "-".
// Without such a member it returns -1. Decoders accept such names, but no server writes them.
func (o *Object) respelt(name string) int {
	plain := strings.NewReplacer("_", "", "-", "")
	for i := range o.Members {
		if strings.EqualFold(plain.Replace(o.Members[i].Name), plain.Replace(name)) {
			return i
		}
	}
	return -1
}

// names returns the names of the members.
func (o *Object) names() []string {
	out := make([]string, len(o.Members))
	for i := range o.Members {
		out[i] = o.Members[i].Name
	}
	return out
}
