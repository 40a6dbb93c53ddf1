package agent

import (
	"bytes"
)

// objectScanner finds where objects start and end.
//
//	outside ─{─► opened ─"─► name ─"─► named ─:─► inside
//
// Outside, only an opening brace counts; quotes there say nothing about the next object. Up to the
// colon, the brace may still be text. Inside, braces are counted. There a backslash escapes the
// next byte even outside of a string, so that the quotes of escaped JSON balance. All significant
// bytes are ASCII, so none is part of another UTF-8 character.
type objectScanner struct {
	phase    phase
	depth    int // how many objects are open, when inside
	inString bool
	escaped  bool
	looks    int // number of looks at bytes, for tests
}

// phase is the part of an object that has been scanned.
type phase int

const (
	phaseOutside phase = iota
	phaseOpened        // after its brace
	phaseName          // in its first name
	phaseNamed         // after its first name
	phaseInside        // after the colon of its first name
)

// boundary is the meaning of a scan's last byte for the top-level objects.
type boundary int

const (
	noBoundary boundary = iota
	objectBegins
	objectEnds
	objectBroken // the brace did not start an object
)

// open reports whether an object has started and not ended.
func (s *objectScanner) open() bool { return s.phase != phaseOutside }

// scan continues at buf[at] up to the next boundary, and returns the position after it. Without a
// boundary, it returns the end of buf. An open object starts at buf[start].
func (s *objectScanner) scan(buf []byte, start, at int) (next int, found boundary) {
	if s.phase == phaseOutside {
		return s.begin(buf, at)
	}
	for ; at < len(buf) && s.phase != phaseInside; at++ {
		s.looks++
		if found := s.head(buf[at]); found != noBoundary {
			*s = objectScanner{looks: s.looks}
			if found == objectBroken {
				return start + 1, found
			}
			return at + 1, found
		}
	}
	return s.body(buf, at)
}

// begin searches for a brace.
func (s *objectScanner) begin(buf []byte, at int) (next int, found boundary) {
	n := bytes.IndexByte(buf[at:], '{') + 1
	if n == 0 {
		s.looks += len(buf) - at
		return len(buf), noBoundary
	}
	s.looks += n
	s.phase = phaseOpened
	return at + n, objectBegins
}

// head processes a byte between the brace of an object and the colon of its first name.
//
// If the object breaks, the search returns to its brace. It does not scan bytes often: the quote
// after the next brace that may start an object ends the name. So two such objects share hardly
// more than that quote.
func (s *objectScanner) head(b byte) boundary {
	switch {
	case s.phase == phaseName:
		return s.nameByte(b)
	case isSpace(b):
	case s.phase == phaseOpened && b == '}':
		return objectEnds
	case s.phase == phaseOpened && b == '"':
		s.phase = phaseName
	case s.phase == phaseNamed && b == ':':
		s.phase, s.depth = phaseInside, 1
	default:
		return objectBroken
	}
	return noBoundary
}

func (s *objectScanner) nameByte(b byte) boundary {
	switch {
	case b < ' ':
		return objectBroken
	case s.escaped:
		s.escaped = false
	case b == '\\':
		s.escaped = true
	case b == '"':
		s.phase = phaseNamed
	}
	return noBoundary
}

// body searches for the end of an object after the colon of its first name. If the object breaks,
// the search continues with the byte that broke it. The bytes before it belonged to the object.
func (s *objectScanner) body(buf []byte, at int) (next int, found boundary) {
	from := at
	for ; at < len(buf); at++ {
		if !s.escaped && !special[buf[at]] {
			continue
		}
		intact := s.inside(buf, at)
		if intact && s.depth > 0 {
			continue
		}
		*s = objectScanner{looks: s.looks + at + 1 - from}
		if !intact {
			return at, objectBroken
		}
		return at + 1, objectEnds
	}
	s.looks += at - from
	return at, noBoundary
}

// special are the bytes with a meaning inside of an object.
var special = [256]bool{'{': true, '}': true, '"': true, '\\': true, '\n': true}

// inside processes one byte of an object, and reports whether it is allowed there.
func (s *objectScanner) inside(buf []byte, at int) bool {
	switch b := buf[at]; {
	case b == '\n' && s.inString:
		return false
	case s.escaped:
		s.escaped = false
	case b == '\\':
		s.escaped = true
	case s.inString:
		s.inString = b != '"'
	case b == '"':
		s.inString = true
		return bytes.IndexByte([]byte("{[:,"), s.before(buf, at)) >= 0
	case b == '{':
		s.depth++
		return bytes.IndexByte([]byte("[:,"), s.before(buf, at)) >= 0
	case b == '}':
		s.depth--
	}
	return true
}

// before returns the byte before a byte inside of an object, without white space.
func (s *objectScanner) before(buf []byte, at int) byte {
	for {
		at--
		s.looks++
		if !isSpace(buf[at]) {
			return buf[at]
		}
	}
}

// isSpace reports whether JSON allows the byte between values.
func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }
