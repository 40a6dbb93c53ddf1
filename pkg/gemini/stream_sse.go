package gemini

import (
	"bytes"
	"strings"
)

// startLine decides from its first bytes what a line is.
func (f *frames) startLine(b []byte) outcome {
	c, afterCR := b[0], f.afterCR
	f.afterCR = false
	switch {
	case c == '\n' && afterCR:
		f.in.consume(1)
	case c == '\n' || c == '\r':
		f.in.consume(1)
		f.afterCR = c == '\r'
		return f.endEvent()
	case c == '{' && f.hasData: // the blank line between them is missing
		return ready
	case c == '{':
		f.state = inObject
	case c == '[':
		return f.startList(b)
	case c == ' ' || c == '\t':
		f.state = inIndent
	case c == ':':
		f.bare, f.state = false, inComment
	case f.bare:
		return f.startBare(b)
	case c == 'e':
		return f.startType(b)
	case len(b) <= len(dataField) && f.in.err == nil && string(b) == dataField[:len(b)]:
		return needMore
	default:
		f.startField(b)
	}
	return goOn
}

const dataField = "data"

// fields are all that an event stream has. Besides the data they concern the connection, except for
// the type of an event.
var fields = []string{dataField, "event", "id", "retry"}

// startsField reports whether b begins with a field of an event stream, and false for known while that
// depends on the bytes to come. What the end of the body cuts off is given the benefit of the doubt.
func (f *frames) startsField(b []byte) (is, known bool) {
	for _, name := range fields {
		switch {
		case len(b) <= len(name) && strings.HasPrefix(name, string(b)):
			return true, f.in.err != nil
		case len(b) > len(name) && string(b[:len(name)]) == name && strings.IndexByte(":\r\n", b[len(name)]) >= 0:
			return true, true
		}
	}
	return false, true
}

// startType reads the type of the event at hand, of which only one means something here.
func (f *frames) startType(b []byte) outcome {
	const longest = len("event: error") + len("\n")
	b = b[:min(len(b), longest)]
	line := b[:lineLength(b)]
	if len(line) == len(b) && len(b) < longest && f.in.err == nil {
		return needMore
	}
	if name, value, _ := bytes.Cut(line, []byte(":")); string(name) == "event" {
		f.isError = string(bytes.TrimPrefix(value, []byte(" "))) == "error"
	}
	f.state = inText
	return goOn
}

// endEvent acts on a blank line.
func (f *frames) endEvent() outcome {
	isError := f.isError
	f.isError = false
	if !f.hasData {
		return goOn
	}
	f.event.isError = isError
	return ready
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
		f.event.joined = true
		f.event.add([]byte("\n"), 0)
	}
	f.hasData = true
	f.state = inData
	return goOn
}

// skipIndent finds what a line begins with behind white space. By the standard such a line says
// nothing, but JSON may be indented. In a page or a text of a proxy a brace is only a character.
func (f *frames) skipIndent(b []byte) outcome {
	if n := len(b) - len(bytes.TrimLeft(b, " \t")); n > 0 {
		f.noteText(b[:n])
		f.in.consume(n)
		return goOn
	}
	f.state = inText
	if f.bare || (b[0] == '{' || b[0] == '[') && !f.isText() {
		f.state = atLine
	}
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
