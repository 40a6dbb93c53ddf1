package main

import (
	"strings"
	"unicode/utf8"
)

// document is the text that vale reads in place of a source file. It has one paragraph per line, so
// that a phrase or a sentence is found even if the source breaks it into several lines.
type document struct {
	path  string // relative to the root of the repository, with slashes
	ext   string // the extension by which vale chooses its parser: .txt, .md or .html
	lines []line
}

// line is one line of a document: pieces of the lines of the source, joined by spaces.
type line struct {
	text   strings.Builder
	length int // of text, in runes
	pieces []piece
}

// piece maps the rest of a line, from a column on, to a line of the source.
type piece struct {
	column int // counted in runes from 0
	source int // counted from 1
}

// begin starts a new line of the document.
func (d *document) begin() { d.lines = append(d.lines, line{}) }

// add appends text, which is on a line of the source, to the last line of the document.
func (d *document) add(text string, source int) {
	if len(d.lines) == 0 {
		d.begin()
	}
	last := &d.lines[len(d.lines)-1]
	if last.length > 0 {
		last.text.WriteByte(' ')
		last.length++
	}
	last.pieces = append(last.pieces, piece{last.length, source})
	last.text.WriteString(text)
	last.length += utf8.RuneCountInString(text)
}

// end starts a new line unless the last one is still empty.
func (d *document) end() {
	if len(d.lines) > 0 && d.lines[len(d.lines)-1].length > 0 {
		d.begin()
	}
}

// source returns the line of the source for a position of the document, as vale counts: both from
// 1.
func (d *document) source(number, column int) int {
	if d.ext == ".txt" {
		number = (number + 1) / 2 // a blank line follows each line
	}
	if number < 1 || number > len(d.lines) {
		return 1
	}
	source := 1
	for _, p := range d.lines[number-1].pieces {
		if p.column >= column {
			break
		}
		source = p.source
	}
	return source
}

// write returns the text of the document.
func (d *document) write() string {
	var b strings.Builder
	for i := range d.lines {
		b.WriteString(d.lines[i].text.String())
		b.WriteByte('\n')
		if d.ext == ".txt" {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// paragraphs splits text that a person reads into paragraphs: at blank lines, at list items and at
// headings. Lines that are indented outside of a list are code and are left out.
type paragraphs struct {
	document *document
	blank    bool // before the first line, and after a blank line
	list     bool // the last paragraph is an item of a list
	code     bool // the last line was code
}

func (p *paragraphs) line(text string, source int) {
	trimmed := strings.TrimSpace(text)
	indented := strings.HasPrefix(text, "\t") || strings.HasPrefix(text, "  ")
	switch {
	case trimmed == "":
		p.blank = true
		p.document.end()
	case isListItem(trimmed):
		p.document.end()
		p.document.add(trimmed, source)
		p.blank, p.list, p.code = false, true, false
	case indented && (p.code || p.blank && !p.list || strings.HasPrefix(text, "\t")):
		p.document.end()
		p.blank, p.list, p.code = false, false, true
	default:
		if p.blank || p.code || strings.HasPrefix(trimmed, "# ") || p.list && !indented {
			p.document.end()
		}
		p.document.add(trimmed, source)
		p.blank, p.code = false, false
		p.list = p.list && indented
	}
}

// isListItem reports whether a line without indentation begins with a bullet or a number.
func isListItem(text string) bool {
	marker, _, found := strings.Cut(text, " ")
	switch {
	case !found:
		return false
	case marker == "-" || marker == "*" || marker == "+" || marker == "•":
		return true
	}
	digits := strings.TrimRight(marker, ".)")
	return len(digits) == len(marker)-1 && digits != "" && strings.Trim(digits, "0123456789") == ""
}
