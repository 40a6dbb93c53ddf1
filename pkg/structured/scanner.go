package structured

import (
	"regexp"
	"strings"
)

// scanner reads one JSON value, byte by byte. It follows the grammar of RFC 8259 and builds
// nothing. At every byte it knows whether the text so far can still become a value, and what is
// open.
type scanner struct {
	start  int
	state  state
	open   []bracket // outermost first
	closed int       // where the object or list begins that was closed last
	token  int       // where the string, number or word begins that is being read
	isName bool      // the string is the name of a member
	scalar []byte    // the number or word that is being read
	digits int       // how many hexadecimal digits have to follow
	code   int       // what those say that came
	whole  int       // where the last escape or byte of the string ends that can stand by itself

	// hasToken reports that a name, a scalar or an inner bracket was read.
	hasToken bool
	// kept is the end of what remains if the text stops here: after the last complete value, or
	// after an opening bracket.
	kept int
	// over is set by the finder once the value is complete or has become impossible.
	over bool
}

// bracket is an object or a list that is being read.
type bracket struct {
	start     int
	object    bool
	separated bool // there was a colon or a comma, which a bracket in prose does not have
}

// state is the token that a scanner expects next, or reads now.
type state uint8

const (
	wantValue state = iota
	wantValueOrEnd
	wantName
	wantNameOrEnd
	wantColon
	wantCommaOrEnd
	wantNothing
	inString
	inEscape
	inHex
	inScalar // a number, true, false or null
)

// event is the effect of a byte.
type event uint8

const (
	nothing event = iota
	opens         // it opens an object or a list
	closes        // it closes the object or list that begins at closed
	fails         // it cannot stand here; the state stays as it was
)

// step reads the byte at an offset. All bytes before it must have been read.
func (s *scanner) step(at int, c byte) event {
	switch s.state {
	case inString:
		return s.stringByte(at, c)
	case inEscape:
		return s.escape(at, c)
	case inHex:
		return s.hex(at, c)
	case inScalar:
		return s.scalarByte(at, c)
	default:
		return s.structure(at, c)
	}
}

// pass changes to the next state if the grammar allows it.
func (s *scanner) pass(allowed bool, next state) event {
	if !allowed {
		return fails
	}
	s.state = next
	return nothing
}

// structure reads a byte outside of strings, numbers and words.
func (s *scanner) structure(at int, c byte) event {
	switch c {
	case ' ', '\t', '\n', '\r':
		return nothing
	case ':':
		return s.separate(s.state == wantColon, wantValue)
	case ',':
		return s.comma()
	case '{', '[':
		return s.openBracket(at, c == '{')
	case '}', ']':
		return s.closeBracket(at, c == '}')
	case '"':
		s.isName = s.wantsName()
		s.token, s.whole = at, at+1
		return s.pass(s.isName || s.wantsValue(), inString)
	default:
		s.token, s.scalar = at, append(s.scalar[:0], c)
		return s.pass(s.wantsValue() &&
			(c == '-' || isDigit(c) || c == 't' || c == 'f' || c == 'n'), inScalar)
	}
}

func (s *scanner) wantsName() bool { return s.state == wantName || s.state == wantNameOrEnd }

func (s *scanner) wantsValue() bool { return s.state == wantValue || s.state == wantValueOrEnd }

func (s *scanner) comma() event {
	next := wantValue
	if s.inObject() {
		next = wantName
	}
	return s.separate(s.state == wantCommaOrEnd, next)
}

// separate continues after a colon or a comma.
func (s *scanner) separate(allowed bool, next state) event {
	if allowed {
		s.open[len(s.open)-1].separated = true
	}
	return s.pass(allowed, next)
}

// inObject reports whether the innermost open bracket is an object.
func (s *scanner) inObject() bool { return len(s.open) > 0 && s.open[len(s.open)-1].object }

func (s *scanner) openBracket(at int, object bool) event {
	if !s.wantsValue() {
		return fails
	}
	s.hasToken = s.hasToken || len(s.open) > 0
	s.open = append(s.open, bracket{start: at, object: object})
	s.kept = at + 1
	s.state = wantValueOrEnd
	if object {
		s.state = wantNameOrEnd
	}
	return opens
}

func (s *scanner) closeBracket(at int, object bool) event {
	mayEnd := s.state == wantCommaOrEnd || s.state == wantValueOrEnd || s.state == wantNameOrEnd
	if !mayEnd || s.inObject() != object {
		return fails
	}
	last := len(s.open) - 1
	s.closed, s.open = s.open[last].start, s.open[:last]
	s.endValue(at + 1)
	return closes
}

// endValue continues after a value.
func (s *scanner) endValue(end int) {
	s.hasToken = true
	s.kept = end
	s.state = wantCommaOrEnd
	if len(s.open) == 0 {
		s.state = wantNothing
	}
}

func (s *scanner) stringByte(at int, c byte) event {
	switch {
	case c == '\\':
		s.state = inEscape
	case c < ' ':
		return fails
	case c != '"':
		s.whole = at + 1
	case s.isName:
		s.hasToken = true
		s.state = wantColon
	default:
		s.endValue(at + 1)
	}
	return nothing
}

func (s *scanner) escape(at int, c byte) event {
	if c == 'u' {
		s.digits, s.code = 4, 0
		return s.pass(true, inHex)
	}
	s.whole = at + 1
	return s.pass(strings.IndexByte(`"\/bfnrt`, c) >= 0, inString)
}

func (s *scanner) hex(at int, c byte) event {
	digit := strings.IndexByte("0123456789abcdefABCDEF", c)
	if digit > 0xf {
		digit -= 6
	}
	s.code = s.code<<4 | digit
	if s.digits--; s.digits > 0 {
		return s.pass(digit >= 0, inHex)
	}
	if !isHighSurrogate(s.code) { // the other half has to follow
		s.whole = at + 1
	}
	return s.pass(digit >= 0, inString)
}

// isHighSurrogate reports whether a code is the first half of a surrogate pair.
func isHighSurrogate(code int) bool { return 0xD800 <= code && code <= 0xDBFF }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// scalarByte reads a byte of a number or a word, or the first one after it.
func (s *scanner) scalarByte(at int, c byte) event {
	if isDigit(c) || isLetter(c) || c == '.' || c == '+' || c == '-' {
		s.scalar = append(s.scalar, c)
		return nothing
	}
	if !scalarPattern.Match(s.scalar) {
		return fails
	}
	s.endValue(at)
	return s.structure(at, c)
}

var scalarPattern = regexp.MustCompile(`^(?:true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)$`)

// inText reports whether the text stops inside a string that is a value (not a name).
func (s *scanner) inText() bool { return s.inQuotes() && !s.isName }

func (s *scanner) inQuotes() bool {
	return s.state == inString || s.state == inEscape || s.state == inHex
}
