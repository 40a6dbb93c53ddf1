package validation

import "fmt"

// Severity says how certain a violation is. The zero value is SeverityError.
type Severity uint8

const (
	// SeverityError is a violation of a rule that holds for everything that a server sends or
	// accepts.
	SeverityError Severity = iota
	// SeverityWarning is a member or enum value that the API description does not know, or
	// something that no recorded payload has. It may be new, or a mistake in a payload that was
	// written by hand.
	SeverityWarning
)

// severityNames are the names of the severities in messages and in JSON.
var severityNames = [...]string{SeverityError: "error", SeverityWarning: "warning"}

// String returns "error" or "warning".
func (s Severity) String() string {
	if int(s) < len(severityNames) {
		return severityNames[s]
	}
	return fmt.Sprintf("Severity(%d)", uint8(s))
}

// MarshalText returns the name.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a name that MarshalText wrote.
func (s *Severity) UnmarshalText(text []byte) error {
	for severity, name := range severityNames {
		if name == string(text) {
			*s = Severity(severity)
			return nil
		}
	}
	return fmt.Errorf("validation: %q is not a severity; use error or warning", text)
}

// IsZero reports whether the severity is SeverityError, which JSON leaves out.
func (s Severity) IsZero() bool { return s == SeverityError }

// Errors returns the violations of SeverityError.
func Errors(violations []Violation) []Violation {
	var out []Violation
	for _, v := range violations {
		if v.Severity == SeverityError {
			out = append(out, v)
		}
	}
	return out
}
