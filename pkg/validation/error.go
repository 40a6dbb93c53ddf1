package validation

import (
	"errors"
	"fmt"
	"strings"
)

// Error lists all that is wrong with a value.
type Error struct {
	// Prefix is what the text begins with, the name of the package that checked: "normalize".
	Prefix string
	// Violations are in the order in which they were found. There is at least one.
	Violations []Violation
}

// Error names the first violations and counts the others, for example
// "normalize: /usage/input_tokens: must be at least 0; /model: must be set".
func (e *Error) Error() string {
	const limit = 10
	shown := make([]string, 0, limit+1)
	for i, violation := range e.Violations {
		if i == limit {
			shown = append(shown, fmt.Sprintf("and %d more", len(e.Violations)-limit))
			break
		}
		shown = append(shown, violation.Error())
	}
	return e.Prefix + ": " + strings.Join(shown, "; ")
}

// Unwrap returns the violations, each of which is a [Violation], so that errors.AsType finds the
// first.
func (e *Error) Unwrap() []error {
	errs := make([]error, len(e.Violations))
	for i, violation := range e.Violations {
		errs[i] = violation
	}
	return errs
}

// ErrNotStruct reports that there was nothing to check: nil, or a value that is no struct.
var ErrNotStruct = errors.New("nothing to validate: not a struct, or nil")
