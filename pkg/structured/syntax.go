package structured

import (
	"strconv"
	"unicode/utf8"
)

// syntaxError says where something stops being JSON that begins like it: the content of a fence that
// should be JSON rather than that of another, the text, or what goes on for longest. It returns nil
// when there is no such thing.
func (s *search) syntaxError() *DecodeError {
	var starts []int
	for _, named := range []bool{true, false} {
		for i := range s.fences {
			if f := &s.fences[i]; f.namesJSON() == named {
				starts = append(starts, f.content.start)
			}
		}
	}
	for _, start := range append(starts, s.whole.start) {
		if start < len(s.text) && isBracket(s.text[start]) {
			if e := s.syntaxErrorFrom(start); e != nil {
				return e
			}
		}
	}
	if s.broken != (span{}) {
		return s.syntaxErrorFrom(s.broken.start)
	}
	return nil
}

// syntaxErrorFrom reads a value and says why it is none; nil when it is.
func (s *search) syntaxErrorFrom(start int) *DecodeError {
	var a attempt
	for at := start; at < len(s.text) && a.state != wantNothing; at++ {
		if a.step(at, s.text[at]) == fails {
			return &DecodeError{
				Position: newRuler(s.text).at(at),
				Pointer:  cutPointer(s.text[start:]),
				Value:    foundByte(s.text[at:]),
				Want:     a.want(),
			}
		}
	}
	return nil
}

// foundByte describes what a text begins with that cannot stand there.
func foundByte(text string) string {
	switch r, size := utf8.DecodeRuneInString(text); {
	case r == '\n' || r == '\r':
		return "the end of the line"
	default:
		return strconv.Quote(text[:size])
	}
}

// want says what the attempt takes next.
func (a *attempt) want() string {
	if a.state != wantCommaOrEnd {
		return wanted[a.state]
	}
	if a.inObject() {
		return "a comma or }"
	}
	return "a comma or ]"
}

// wanted says what belongs in each state of an attempt.
var wanted = map[state]string{
	wantValue:      "a value",
	wantValueOrEnd: "a value or ]",
	wantName:       "a member name in double quotes",
	wantNameOrEnd:  "a member name in double quotes or }",
	wantColon:      "a colon",
	inString:       "a closing quote on the same line",
	inEscape:       `an escape such as \n or \"`,
	inHex:          "four hexadecimal digits",
	inWord:         "true, false or null",
	afterMinus:     "a digit",
	afterZero:      "a comma or a closing bracket",
	inInteger:      "a comma or a closing bracket",
	afterPoint:     "a digit",
	inFraction:     "a comma or a closing bracket",
	afterE:         "a digit",
	afterSign:      "a digit",
	inExponent:     "a comma or a closing bracket",
}
