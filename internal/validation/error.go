package validation

import (
	"fmt"
	"strings"
)

// Error lists all that is wrong with a value.
type Error struct {
	// Prefix is what the text begins with, see [WithPrefix].
	Prefix string
	// Violations are in the order of the struct's members, those of a struct's own rule after
	// those of its tags, those of a map's entries in no order. There is at least one.
	Violations []Violation
}

// Violation is one broken rule. It never holds the value that broke it.
type Violation struct {
	// Pointer is the place in the value's JSON form, a JSON pointer (RFC 6901); "" is the whole.
	Pointer string `json:"pointer"`
	// Rule is the name of the rule: a validate tag such as required, or a name that the rule gave.
	Rule string `json:"rule"`
	// Want says in words what would be right, for example "must be at least 0".
	Want string `json:"want"`
}

// String returns the violation as one line, such as "/usage/input_tokens: must be at least 0".
func (v Violation) String() string {
	if v.Pointer == "" {
		return v.Want
	}
	return v.Pointer + ": " + v.Want
}

// Error names the first violations, and counts the others.
func (e *Error) Error() string {
	const limit = 10
	var b strings.Builder
	b.WriteString(e.Prefix)
	for i, violation := range e.Violations {
		if i == limit {
			fmt.Fprintf(&b, "; and %d more", len(e.Violations)-limit)
			break
		}
		if i == 0 {
			b.WriteString(": ")
		} else {
			b.WriteString("; ")
		}
		b.WriteString(violation.String())
	}
	return b.String()
}
