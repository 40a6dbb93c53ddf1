package validation

import (
	"errors"
	"fmt"
	"strings"
)

// Error lists the violations of a value.
type Error struct {
	// Prefix begins the text. It is the name of the package that checked, such as "normalize".
	Prefix string
	// Violations are in the order in which they were found. The list is never empty.
	Violations []Violation
}

// Error names the first violations and the number of the others, for example "normalize:
// /usage/input_tokens: must be at least 0; /model: must be set".
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

// Unwrap returns the violations, each as a [Violation], so that errors.AsType finds the first one.
func (e *Error) Unwrap() []error {
	errs := make([]error, len(e.Violations))
	for i, violation := range e.Violations {
		errs[i] = violation
	}
	return errs
}

// ErrNotStruct reports a value that cannot be checked: nil, or a value that is not a struct.
var ErrNotStruct = errors.New("nothing to validate: not a struct, or nil")
