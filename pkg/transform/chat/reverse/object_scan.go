package reverse

import "strings"

// objectScan follows the text of a JSON object as it comes, so far as to know whether it has ended. It reads each byte
// once, however many pieces there are.
type objectScan struct {
	depth               int
	hasBegun, hasEnded  bool
	isBroken            bool // It is no object, or something follows it.
	inString, isEscaped bool
}

// isComplete reports whether all of an object has come, and nothing else.
func (s *objectScan) isComplete() bool { return s.hasEnded && !s.isBroken }

// read reads the next piece.
func (s *objectScan) read(piece string) {
	for i := 0; i < len(piece) && !s.isBroken; i++ {
		switch c := piece[i]; {
		case s.isEscaped:
			s.isEscaped = false
		case s.inString:
			s.isEscaped, s.inString = c == '\\', c != '"'
		case s.hasEnded || !s.hasBegun && c != '{':
			s.isBroken = strings.IndexByte(jsonSpace, c) < 0
		default:
			s.outside(c)
		}
	}
}

// outside reads a byte that is in the object and in no text.
func (s *objectScan) outside(c byte) {
	switch c {
	case '"':
		s.inString = true
	case '{', '[':
		s.depth++
		s.hasBegun = true
	case '}', ']':
		s.depth--
		s.hasEnded = s.depth == 0
	}
}
