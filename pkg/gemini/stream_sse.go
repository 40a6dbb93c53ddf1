package gemini

import "bytes"

// startLine decides from its first bytes what a line is.
func (f *frames) startLine(b []byte) outcome {
	c := b[0]
	switch {
	case c == '\n' && f.afterCR:
		f.in.consume(1)
	case c == '\n' || c == '\r':
		f.in.consume(1)
		f.afterCR = c == '\r'
		return f.endEvent()
	case c == '{' && f.hasData: // the blank line between them is missing
		return ready
	case c == '{':
		f.state = inObject
	case c == ':':
		f.state = inComment
	case len(b) <= len(dataField) && f.in.err == nil && string(b) == dataField[:len(b)]:
		return needMore
	default:
		f.startField(b)
	}
	f.afterCR = false
	return goOn
}

const dataField = "data"

// endEvent acts on a blank line.
func (f *frames) endEvent() outcome {
	if f.hasData {
		return ready
	}
	return goOn
}

// startField tells the data field, with or without a colon, from all others.
func (f *frames) startField(b []byte) {
	f.state = inText
	if !bytes.HasPrefix(b, []byte(dataField)) {
		return
	}
	switch after := b[len(dataField):]; {
	case len(after) == 0, after[0] == '\n', after[0] == '\r':
		f.in.consume(len(dataField))
		f.state = atData
	case after[0] == ':':
		f.in.consume(len(dataField) + 1)
		f.state = atValue
	}
}

// startData begins the value of a data line: behind one space, on a line of its own if the event has
// data already.
func (f *frames) startData(b []byte) outcome {
	if f.state == atValue && b[0] == ' ' {
		f.in.consume(1)
		f.state = atData
		return goOn
	}
	f.state = atData
	if f.hasData && f.event.tail == '}' && (b[0] == '{' || b[0] == '[') {
		return ready // no JSON goes on like this: the blank line between two events is missing
	}
	if f.event.size > 0 {
		f.event.add([]byte("\n"), 0)
	}
	f.hasData = true
	f.state = inData
	return goOn
}

// readLine reads on to the end of a line.
func (f *frames) readLine(b []byte) outcome {
	n := lineLength(b)
	got := goOn
	switch f.state {
	case inData:
		got = f.take(n)
	case inText:
		f.noteText(b[:n])
		f.in.consume(n)
	default:
		f.in.consume(n)
	}
	if n < len(b) {
		f.endLine(b[n:])
	}
	return got
}

// endLine consumes the line end that b begins with, as far as it was read: an event need not wait for
// the LF of a CRLF.
func (f *frames) endLine(b []byte) {
	if f.state == inText {
		f.noteText([]byte("\n"))
	}
	f.state = atLine
	f.afterCR = b[0] == '\r'
	f.in.consume(1)
	if f.afterCR && len(b) > 1 && b[1] == '\n' {
		f.afterCR = false
		f.in.consume(1)
	}
}

// lineLength returns the length of the line that b begins with, or of b if the line does not end in it.
func lineLength(b []byte) int {
	if n := bytes.IndexByte(b, '\n'); n >= 0 {
		b = b[:n]
	}
	if n := bytes.IndexByte(b, '\r'); n >= 0 {
		return n
	}
	return len(b)
}
