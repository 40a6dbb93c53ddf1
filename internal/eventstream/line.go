package eventstream

import (
	"bytes"
	"strings"
)

// startLine decides by its first bytes how to read a line.
func (s *Scanner) startLine(b []byte) outcome {
	c, afterCR := b[0], s.afterCR
	s.afterCR = false
	switch {
	case c == '\n' && afterCR:
		s.in.consume(1)
	case c == '\n' || c == '\r':
		return s.endEvent(b)
	case c == '{' && s.hasData: // the blank line between them is missing
		return ready
	case c == '{':
		s.state = inObject
	case c == '[':
		return s.startList(b)
	case c == ' ' || c == '\t':
		s.state = inIndent
	case c == ':':
		s.bare, s.state = false, inComment
	case s.bare:
		return s.startBare(b)
	case c == 'e':
		return s.startType(b)
	default:
		return s.startField(b)
	}
	return goOn
}

const dataField = "data"

// fields are all fields of an event stream. Fields other than the data concern the connection,
// except for the type of an event.
var fields = []string{dataField, "event", "id", "retry"}

// startsField reports whether b begins with a field of an event stream. known is false if that
// depends on later bytes. A field that the end of the body cuts off counts as a field.
func (s *Scanner) startsField(b []byte) (is, known bool) {
	for _, name := range fields {
		switch {
		case len(b) <= len(name) && strings.HasPrefix(name, string(b)):
			return true, s.in.err != nil
		case len(b) > len(name) && string(b[:len(name)]) == name &&
			strings.IndexByte(":\r\n", b[len(name)]) >= 0:
			return true, true
		}
	}
	return false, true
}

// startType reads the type of the current event. Only one type is used here: servers of llama.cpp
// of 2025 write an error as a field with this name, not as an event of this type.
func (s *Scanner) startType(b []byte) outcome {
	const longest = len("event: error") + len("\n")
	b = b[:min(len(b), longest)]
	line := b[:lineLength(b)]
	if len(line) == len(b) && len(b) < longest && s.in.err == nil {
		return needMore
	}
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch {
	case string(name) == "event":
		s.isError = string(value) == "error"
		s.state = inText
	case string(name) == "error" && bytes.HasPrefix(value, []byte("{")):
		s.isError = true
		s.in.consume(len("error:"))
		s.state = atValue
	default:
		return s.skipLine()
	}
	return goOn
}

// skipLine skips a line that does not belong to an event stream, and records it.
func (s *Scanner) skipLine() outcome {
	s.state = inText
	if n := len(s.Skipped); n > 0 && (s.Skipped[n-1].Before == s.events || n == maxSkipped) {
		s.Skipped[n-1].Lines++
		return goOn
	}
	s.Skipped = append(s.Skipped, SkippedLines{Before: s.events, Offset: s.in.consumed(), Lines: 1})
	return goOn
}

// endEvent ends the event at a blank line. Without an event it skips all blank lines.
func (s *Scanner) endEvent(b []byte) outcome {
	n, got := 1, ready
	if !s.hasData {
		n, got = runLength(b, "\r\n"), goOn
	}
	s.in.consume(n)
	s.afterCR = b[n-1] == '\r'
	s.Event.IsError = s.hasData && s.isError
	s.isError = false
	return got
}

// startField recognises the data field, with or without a colon.
func (s *Scanner) startField(b []byte) outcome {
	switch isField, known := s.startsField(b); {
	case !known:
		return needMore
	case !isField:
		return s.skipLine()
	}
	s.state = inText
	if !bytes.HasPrefix(b, []byte(dataField)) {
		return goOn
	}
	switch after := b[len(dataField):]; {
	case len(after) > 0 && after[0] == ':':
		s.in.consume(len(dataField) + 1)
		s.state = atValue
	default:
		s.in.consume(len(dataField))
		s.state = atData
	}
	return goOn
}

// startData begins the value of a data line. It skips one space, and adds a line feed if the event
// has data already.
func (s *Scanner) startData(b []byte) outcome {
	if s.state == atValue && b[0] == ' ' {
		s.in.consume(1)
		s.state = atData
		return goOn
	}
	s.state = atData
	if s.hasData && s.Event.tail == '}' && (b[0] == '{' || b[0] == '[') {
		return ready // JSON cannot continue like this: the blank line between two events is missing
	}
	if s.Event.Size > 0 {
		s.Event.Joined = true
		s.Event.add([]byte("\n"), 0)
	}
	s.hasData = true
	s.state = inData
	return goOn
}

// skipIndent finds the first byte of a line that is not white space. The standard ignores such a
// line, but JSON may be indented. In a page or a text of a proxy a brace is only a character.
func (s *Scanner) skipIndent(b []byte) outcome {
	if n := runLength(b, " \t"); n > 0 {
		s.keepText(b[:n])
		s.in.consume(n)
		return goOn
	}
	switch {
	case s.bare, (b[0] == '{' || b[0] == '[') && !s.isText():
		s.state = atLine
	case b[0] == '\n', b[0] == '\r':
		s.state = inText
	default:
		return s.skipLine()
	}
	return goOn
}

// readLine reads to the end of a line.
func (s *Scanner) readLine(b []byte) outcome {
	n := lineLength(b)
	got := goOn
	switch s.state {
	case inData:
		got = s.take(n)
	case inText:
		s.keepText(b[:n])
		s.in.consume(n)
	default:
		s.in.consume(n)
	}
	if n < len(b) {
		s.endLine(b[n:])
	}
	return got
}

// endLine consumes the bytes of a line end that were read so far. An event must not wait for the LF
// of a CRLF.
func (s *Scanner) endLine(b []byte) {
	if s.state == inText {
		s.keepText([]byte("\n"))
	}
	s.state = atLine
	s.afterCR = b[0] == '\r'
	s.in.consume(1)
	if s.afterCR && len(b) > 1 && b[1] == '\n' {
		s.afterCR = false
		s.in.consume(1)
	}
}

// lineLength returns the length of the first line in b, or of b if b contains no line end.
func lineLength(b []byte) int {
	if n := bytes.IndexByte(b, '\n'); n >= 0 {
		b = b[:n]
	}
	if n := bytes.IndexByte(b, '\r'); n >= 0 {
		return n
	}
	return len(b)
}
