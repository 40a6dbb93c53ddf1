package aisdk

import "bytes"

// ExtractJSONObjects cuts the JSON objects out of a buffer that is still being filled. objects are
// the complete ones at the top level, in their order and exactly as they stand in the buffer; rest is
// the buffer from the start of an object that has not ended yet, "" if there is none. To go on, call
// it again with rest and what has come since: however the bytes are split, the objects are the same.
// [Extractor] does that for a reader, without looking at any byte twice.
//
// An object begins at a brace and ends where its braces balance, braces within strings not counted.
// Line breaks mean nothing, and what stands between objects is skipped, whatever it is: line feeds,
// the brackets and commas of a list, log lines with quotes, backslashes or closing braces in them.
// Objects need not be valid JSON. An opening brace in a text between objects does begin an object,
// which then ends late or never.
func ExtractJSONObjects(buffer string) (objects []string, rest string) {
	var s objectScanner
	data := []byte(buffer)
	start := 0
	for at := 0; at < len(data); {
		n, found := s.scan(data[at:])
		at += n
		switch found {
		case objectBegins:
			start = at - 1
		case objectEnds:
			objects = append(objects, buffer[start:at])
		}
	}
	if s.depth > 0 {
		rest = buffer[start:]
	}
	return objects, rest
}

// objectScanner finds where objects begin and end.
//
//	outside ─{─► inside ─"─► string ─\─► escaped
//	        ◄─}─        ◄─"─        ◄any─
//
// Outside only an opening brace counts: quotes there say nothing about the next object. Inside, a
// backslash takes the meaning of the next byte also where there is no string, so that the quotes of
// escaped JSON in a log line balance. All these bytes are ASCII, so none is a part of another
// character of UTF-8.
type objectScanner struct {
	depth    int // how many objects are open; 0 is outside
	inString bool
	escaped  bool
}

// boundary is what the last byte of a scan is to the objects at the top level.
type boundary int

const (
	noBoundary boundary = iota
	objectBegins
	objectEnds
)

// scan goes on with data up to the next boundary, and returns how many bytes that took; without a
// boundary, all of them.
func (s *objectScanner) scan(data []byte) (n int, found boundary) {
	if s.depth == 0 {
		n = bytes.IndexByte(data, '{') + 1
		if n == 0 {
			return len(data), noBoundary
		}
		s.depth = 1
		return n, objectBegins
	}
	for {
		for !s.escaped && n < len(data) && !special[data[n]] {
			n++
		}
		if n == len(data) {
			return n, noBoundary
		}
		s.inside(data[n])
		n++
		if s.depth == 0 {
			return n, objectEnds
		}
	}
}

// special are the bytes that mean something inside of an object.
var special = [256]bool{'{': true, '}': true, '"': true, '\\': true}

// inside takes one byte of an object.
func (s *objectScanner) inside(b byte) {
	switch {
	case s.escaped:
		s.escaped = false
	case b == '\\':
		s.escaped = true
	case b == '"':
		s.inString = !s.inString
	case s.inString:
	case b == '{':
		s.depth++
	case b == '}':
		s.depth--
	}
}
