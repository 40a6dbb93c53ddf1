package eventstream

import (
	"bytes"
	"slices"
)

// maxText is the number of bytes that an error keeps of a body that is not a stream.
const maxText = 64 << 10

// readPage reads an HTML page to its end, or up to a limit.
func (s *Scanner) readPage(b []byte) outcome {
	s.keepText(b)
	s.in.consume(len(b))
	if len(s.text) == maxText {
		return s.fail(&TextError{Text: s.text})
	}
	return goOn
}

// keepText keeps text that may be the whole content of the body.
func (s *Scanner) keepText(b []byte) {
	if s.events == 0 {
		s.text = append(s.text, b[:min(len(b), maxText-len(s.text))]...)
	}
}

// isText reports whether a body without an event is a text of any kind. An event stream may have
// fields that gemwire does not use.
func (s *Scanner) isText() bool {
	if s.events > 0 || len(bytes.TrimSpace(s.text)) == 0 {
		return false
	}
	line := s.text[:lineLength(s.text)]
	name, _, _ := bytes.Cut(line, []byte(":"))
	return !slices.Contains(fields, string(name))
}
