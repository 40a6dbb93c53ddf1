package eventstream

import (
	"bytes"
	"strings"

	"github.com/gemwire/gemwire/internal/codec"
)

// startList distinguishes a list from a line that only begins like a list. In an event stream such
// a line is an unknown field, unless an object comes next. After JSON it is always a list.
func (s *Scanner) startList(b []byte) outcome {
	ahead := b[:min(len(b), maxLookAhead)]
	next := bytes.TrimLeft(ahead[1:], codec.Space)
	mayBeDone := strings.HasPrefix(DoneMark, string(b))
	switch {
	case (len(next) == 0 || mayBeDone) && len(ahead) < maxLookAhead && s.in.err == nil:
		return needMore
	case s.isText():
		return s.skipLine()
	case mayBeDone || bytes.HasPrefix(b, []byte(DoneMark)):
		s.skipDone(b)
	case !s.bare && (len(next) == 0 || next[0] != '{'):
		return s.skipLine()
	case s.hasData: // the blank line between them is missing
		return ready
	default:
		s.in.consume(1)
		s.array, s.state = true, inArray
	}
	return goOn
}

// maxLookAhead is the maximum number of bytes after a bracket in which an object may begin.
const maxLookAhead = 64

// skipDone skips an end mark that is not an event. The stream does not end at it.
func (s *Scanner) skipDone(b []byte) {
	s.in.consume(min(len(b), len(DoneMark)))
	s.state = inText
	if s.bare {
		s.state = afterObject
	}
}

// startBare continues in a body that began with JSON, where neither an object nor a list begins. If
// the text is not a line of an event stream either, it is the rest of a damaged object. Skipping it
// would hide that a chunk is missing. Commas and the end of a list are no damage: its start may
// have been cut off.
func (s *Scanner) startBare(b []byte) outcome {
	if b[0] == ',' || b[0] == ']' {
		s.in.consume(1)
		return goOn
	}
	isField, known := s.startsField(b)
	if !known {
		return needMore
	}
	if !isField {
		return s.failAt(b)
	}
	s.bare = false
	return goOn
}

// failAt returns the error for a byte that cannot begin an event.
func (s *Scanner) failAt(b []byte) outcome {
	s.Event.Offset = s.in.consumed()
	return s.fail(&ByteError{b[0]})
}

// readObject reads to the end of a JSON object, alone or in an array.
func (s *Scanner) readObject(b []byte) outcome {
	n, complete := s.object.scan(b)
	if got := s.take(n); got == failed || !complete {
		return got
	}
	s.state = afterObject
	if s.array {
		s.state = inArray
	}
	return ready
}

// skipSeparator accepts another object on the same line. It treats anything else as the beginning
// of a line.
func (s *Scanner) skipSeparator(b []byte) outcome {
	if n := runLength(b, " \t,"); n > 0 {
		s.in.consume(n)
	} else {
		s.state = atLine
	}
	return goOn
}

// readArray finds the next element of an array. The API writes the comma before the element that it
// separates, so an element is ready before its next byte is read. The array may be followed by
// everything that an event stream may have.
func (s *Scanner) readArray(b []byte) outcome {
	switch c := b[0]; {
	case isSpace(c), c == ',':
		s.in.consume(runLength(b, codec.Space+","))
	case c == '{':
		s.state = inObject
	case c == ']':
		s.in.consume(1)
		s.array, s.state = false, afterObject
	default:
		return s.failAt(b)
	}
	return goOn
}

// objectScanner finds the end of a JSON object. It counts braces outside strings. The decoder
// checks whether the bytes between them are JSON.
type objectScanner struct {
	depth    int
	inString bool
	escaped  bool
}

// scan returns the number of bytes of b that belong to the object. It also reports whether the
// object is complete. Then the scanner is ready for the next object.
func (s *objectScanner) scan(b []byte) (n int, complete bool) {
	for i, c := range b {
		switch {
		case s.escaped:
			s.escaped = false
		case s.inString:
			s.escaped = c == '\\'
			s.inString = c != '"'
		case c == '"':
			s.inString = true
		case c == '{':
			s.depth++
		case c == '}':
			s.depth--
			if s.depth == 0 {
				return i + 1, true
			}
		}
	}
	return len(b), false
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }
