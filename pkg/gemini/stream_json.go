package gemini

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
		f.event.offset = f.in.consumed()
		_, err := DecodeResponse(b[:1])
		return f.fail(err)
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
