package structured

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/validation"
)

// correction returns the turn that describes to a model what is wrong with its answer.
func correction(err error) geminiapi.Content {
	var b strings.Builder
	b.WriteString("The answer is not the JSON that was asked for:\n")
	for _, fault := range faults(err) {
		b.WriteString("- " + fault + "\n")
	}
	b.WriteString("Answer again with the whole JSON, and with nothing else.")
	return geminiapi.Content{Role: new("user"), Parts: []geminiapi.Part{{Text: new(b.String())}}}
}

// maxFaults is the number of faults that one correction names.
const maxFaults = 20

// faults describes what is wrong with an answer, without the names of this package.
func faults(err error) []string {
	invalid, isInvalid := errors.AsType[*InvalidError](err)
	truncated, isTruncated := errors.AsType[*TruncatedError](err)
	switch {
	case isTruncated:
		return []string{fmt.Sprintf("it is cut off after %d bytes; make it shorter",
			truncated.Offset)}
	case !isInvalid:
		return []string{strings.TrimPrefix(err.Error(), "structured: ")}
	}
	var out []string
	for i, violation := range invalid.Violations {
		if i == maxFaults {
			return append(out, fmt.Sprintf("and %d more", len(invalid.Violations)-maxFaults))
		}
		out = append(out, fault(violation))
	}
	return out
}

// fault describes what is wrong with a part of a value, for example "/reasons: must have at least 1
// elements, found a list".
func fault(v validation.Violation) string {
	text := v.Want
	if v.Pointer != "" {
		text = v.Pointer + ": " + text
	}
	if v.Value != "" {
		text += ", found " + v.Value
	}
	return text
}
