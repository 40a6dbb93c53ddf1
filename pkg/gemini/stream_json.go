package gemini

import (
	"bytes"
	"strings"

	"github.com/gemwire/gemwire/internal/wire"
)

// startList tells a list from a line that only begins like one. In an event stream such a line is a
// field of no meaning unless an object is the next thing in it. Behind JSON it is a list in any case.
func (f *frames) startList(b []byte) outcome {
	ahead := b[:min(len(b), maxLookAhead)]
	next := bytes.TrimLeft(ahead[1:], wire.Space)
	mayBeDone := strings.HasPrefix(doneMark, string(b))
	switch {
	case (len(next) == 0 || mayBeDone) && len(ahead) < maxLookAhead && f.in.err == nil:
		return needMore
	case f.isText():
		f.state = inText
	case mayBeDone || bytes.HasPrefix(b, []byte(doneMark)):
		f.skipDone(b)
	case !f.bare && (len(next) == 0 || next[0] != '{'):
		f.state = inText
	case f.hasData: // the blank line between them is missing
		return ready
	default:
		f.in.consume(1)
		f.array, f.state = true, inArray
	}
	return goOn
}

// maxLookAhead is how far behind a bracket an object is looked for.
const maxLookAhead = 64

// skipDone passes over a mark of the end that is no event, and ends nothing for that reason.
func (f *frames) skipDone(b []byte) {
	f.in.consume(min(len(b), len(doneMark)))
	f.state = inText
	if f.bare {
		f.state = afterObject
	}
}

// startBare reads on in a body that began with JSON, where neither an object nor a list begins. What
// is no line of an event stream either is what is left of a damaged object. To skip it would hide that
// a chunk is missing. Commas and the end of a list are no damage: its start may have been cut off.
func (f *frames) startBare(b []byte) outcome {
	if b[0] == ',' || b[0] == ']' {
		f.in.consume(1)
		return goOn
	}
	isField, known := f.startsField(b)
	if !known {
		return needMore
	}
	if !isField {
		return f.failAt(b)
	}
	f.bare = false
	return goOn
}

// failAt makes an error of a byte that cannot begin an event.
func (f *frames) failAt(b []byte) outcome {
	f.event.offset = f.in.consumed()
	_, err := DecodeResponse(b[:1])
	return f.fail(err)
}

// readObject reads on to the end of a JSON object that stands by itself or in an array.
func (f *frames) readObject(b []byte) outcome {
	n, complete := f.object.scan(b)
	if got := f.take(n); got == failed || !complete {
		return got
	}
	f.state = afterObject
	if f.array {
		f.state = inArray
	}
	return ready
}

// skipSeparator lets an object be followed by another one on the same line. Anything else is read as
// the beginning of a line.
func (f *frames) skipSeparator(b []byte) outcome {
	switch b[0] {
	case ' ', '\t', ',':
		f.in.consume(1)
	default:
		f.state = atLine
	}
	return goOn
}

// readArray finds the next element of an array. The API writes the comma before the element that it
// separates, so an element is ready without a look behind it. Behind the array may be what an event
// stream may hold.
func (f *frames) readArray(b []byte) outcome {
	switch c := b[0]; {
	case isSpace(c), c == ',':
		f.in.consume(1)
	case c == '{':
		f.state = inObject
	case c == ']':
		f.in.consume(1)
		f.array, f.state = false, afterObject
	default:
		return f.failAt(b)
	}
	return goOn
}

// objectScanner finds the end of a JSON object. It counts braces outside strings; whether the bytes
// between them are JSON is for the decoder to tell.
type objectScanner struct {
	depth    int
	inString bool
	escaped  bool
}

// scan returns how many bytes of b belong to the object, and whether it is complete with them, after
// which the scanner is ready for the next object.
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
