package structured

import (
	"strconv"
	"unicode/utf8"
)

// syntaxError returns the fault of the text that is valid JSON for longest. It returns nil if there
// is no such text.
func (s *search) syntaxError() *DecodeError {
	if s.broken == (span{}) {
		return nil
	}
	var scanner scanner
	for at := s.broken.start; at < s.broken.end; at++ {
		scanner.step(at, s.text[at])
	}
	fault, value := s.broken.end, foundByte(s.text[s.broken.end:])
	switch {
	case scanner.state != inScalar:
	case scalarPattern.Match(scanner.scalar): // It is complete; the byte after it is invalid.
		scanner.endValue(fault)
	default:
		fault, value = scanner.token, found(s.text[scanner.token:])
	}
	return &DecodeError{
		Position: newRuler(s.text).at(fault),
		Pointer:  cutPointer(s.text[s.broken.start:]),
		Value:    value,
		Want:     scanner.want(),
	}
}

// foundByte describes the invalid beginning of a text.
func foundByte(text string) string {
	switch r, size := utf8.DecodeRuneInString(text); {
	case r == '\n' || r == '\r':
		return "the end of the line"
	default:
		return strconv.Quote(text[:size])
	}
}

// want returns what the scanner expects next.
func (s *scanner) want() string {
	switch {
	case s.state != wantCommaOrEnd:
		return wanted[s.state]
	case s.inObject():
		return "a comma or }"
	default:
		return "a comma or ]"
	}
}

// wanted lists what each state of a scanner expects.
var wanted = map[state]string{
	wantValue:      "a value",
	wantValueOrEnd: "a value or ]",
	wantName:       "a member name in double quotes",
	wantNameOrEnd:  "a member name in double quotes or }",
	wantColon:      "a colon",
	inString:       "a closing quote on the same line",
	inEscape:       `an escape such as \n or \"`,
	inHex:          "four hexadecimal digits",
	inScalar:       "a number, true, false or null",
}
