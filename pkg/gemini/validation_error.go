package gemini

import "fmt"

// ValidationError is the refusal of a request by [ValidateRequest], with everything that is wrong.
type ValidationError struct {
	// Problems are in the order of the checks: the turns of the conversation, how they follow each
	// other, the system instruction, the tools, the configuration, the rest. There is at least one,
	// and no more than 1,000 are collected.
	Problems []Problem
}

// Error names the first problem and counts the others, for example
// `gemini: /contents/2/parts/0: functionResponse "get_weather" answers no earlier call; expected one of
// "get_time" (and 2 more)`, in one line. A long pointer is cut short.
func (e *ValidationError) Error() string {
	if len(e.Problems) == 0 {
		return "gemini: the request is not valid"
	}
	first := e.Problems[0]
	first.Pointer = shorten(first.Pointer)
	if len(e.Problems) == 1 {
		return "gemini: " + first.Error()
	}
	return fmt.Sprintf("gemini: %s (and %d more)", first.Error(), len(e.Problems)-1)
}

// Unwrap returns the problems, each of which is an error, so that errors.AsType finds the first one.
func (e *ValidationError) Unwrap() []error {
	errs := make([]error, len(e.Problems))
	for i, problem := range e.Problems {
		errs[i] = problem
	}
	return errs
}

// Problem is one reason why the API would refuse a request. It never holds media, signatures, texts of
// the conversation, or the values of members that nobody knows.
type Problem struct {
	// Pointer is the place in the request, a JSON pointer (RFC 6901) with the names that
	// [EncodeRequest] writes. Where a member is missing it points at where that would be.
	Pointer string `json:"pointer"`
	// Value is the value there as short JSON, cut after 40 characters: a number, a boolean, a name.
	// It is "" when there is none, or none that should be shown.
	Value string `json:"value,omitzero"`
	// Message says in words what is wrong and what would be right.
	Message string `json:"message"`
}

// Error returns the problem as one line, such as
// "/generationConfig/temperature: 3 is out of range; must be from 0 to 2".
func (p Problem) Error() string {
	return p.Pointer + ": " + p.Message
}
