package main

import (
	"regexp"
	"strings"
)

// script returns the prose of a TypeScript or JavaScript file: its comments and its strings that
// have words. In a template, "…" stands for each expression.
func script(path string, content []byte) *document {
	s := &scanner{document: &document{path: path, ext: ".txt"}, text: string(content), line: 1}
	s.begin()
	s.code(false)
	return s.document
}

type scanner struct {
	document *document
	text     string
	at       int
	line     int
	operand  bool       // the last token ends an operand, so that a slash divides
	comment  paragraphs // the comment that is being read
	last     int        // the line of the last // comment
}

// code scans to the end of the text or, inside of a template, to the brace that ends the
// expression.
func (s *scanner) code(nested bool) {
	depth := 0
	for s.at < len(s.text) {
		c := s.text[s.at]
		rest := s.text[s.at:]
		switch {
		case c == '\n':
			s.line++
			s.at++
		case c == ' ' || c == '\t' || c == '\r':
			s.at++
		case strings.HasPrefix(rest, "//"):
			text, _, _ := strings.Cut(rest, "\n")
			s.at += len(text)
			if s.last != s.line-1 {
				s.begin()
			}
			s.comment.line(strings.TrimPrefix(text[2:], " "), s.line)
			s.last = s.line
		case strings.HasPrefix(rest, "/*"):
			text, _, _ := strings.Cut(rest[2:], "*/")
			s.at += min(len(text)+4, len(rest))
			s.begin()
			for i, l := range strings.Split(text, "\n") {
				if i > 0 {
					s.line++
				}
				s.comment.line(strings.TrimLeft(l, " \t*"), s.line)
			}
		case c == '/' && !s.operand:
			s.regexp()
			s.operand = true
		case c == '\'' || c == '"':
			s.quoted(c)
			s.operand = true
		case c == '`':
			s.template()
			s.operand = true
		case c == '{':
			depth++
			s.at++
			s.operand = false
		case c == '}':
			if nested && depth == 0 {
				return
			}
			depth--
			s.at++
			s.operand = false
		case isWord(c):
			start := s.at
			for s.at < len(s.text) && isWord(s.text[s.at]) {
				s.at++
			}
			switch s.text[start:s.at] {
			case "return", "case", "typeof", "in", "of":
				s.operand = false
			default:
				s.operand = true
			}
		default:
			s.operand = c == ')' || c == ']'
			s.at++
		}
	}
}

func (s *scanner) begin() {
	s.document.end()
	s.comment = paragraphs{document: s.document, blank: true}
}

func (s *scanner) regexp() {
	class := false
	for s.at++; s.at < len(s.text) && s.text[s.at] != '\n'; s.at++ {
		switch s.text[s.at] {
		case '\\':
			s.at++
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if !class {
				s.at++
				return
			}
		}
	}
}

var escape = regexp.MustCompile(`\\(u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|.)`)

func (s *scanner) quoted(quote byte) {
	start := s.at + 1
	for s.at++; s.at < len(s.text) && s.text[s.at] != quote && s.text[s.at] != '\n'; s.at++ {
		if s.text[s.at] == '\\' {
			s.at++
		}
	}
	end := min(s.at, len(s.text))
	s.at++
	s.string(s.text[start:end], s.line)
}

func (s *scanner) template() {
	var text strings.Builder
	first := s.line
	for s.at++; s.at < len(s.text) && s.text[s.at] != '`'; s.at++ {
		switch {
		case s.text[s.at] == '\\':
			s.at++
		case strings.HasPrefix(s.text[s.at:], "${"):
			text.WriteString("…")
			s.at += 2
			s.operand = false
			s.code(true)
		case s.text[s.at] == '\n':
			s.line++
			text.WriteByte(' ')
		default:
			text.WriteByte(s.text[s.at])
		}
	}
	s.at++
	s.string(text.String(), first)
}

func (s *scanner) string(text string, source int) {
	text = strings.TrimSpace(escape.ReplaceAllString(text, " "))
	if text == "" || !isProse(text) {
		return
	}
	s.document.end()
	s.document.add(text, source)
	s.document.end()
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// attribute matches the attributes of HTML that a person reads. vale reads the text of elements
// itself.
var attribute = regexp.MustCompile(`\b(?:title|alt|placeholder|aria-label)="([^"]+)"`)

// htmlFile returns an HTML file as it is, with the values of the attributes that a person reads as
// paragraphs at its end.
func htmlFile(path string, content []byte) *document {
	d := &document{path: path, ext: ".html"}
	var attributes []sourceLine
	for i, l := range strings.Split(string(content), "\n") {
		d.begin()
		d.add(l, i+1)
		for _, m := range attribute.FindAllStringSubmatch(l, -1) {
			attributes = append(attributes, sourceLine{text: m[1], source: i + 1})
		}
	}
	for _, a := range attributes {
		d.begin()
		d.add("<p>"+a.text+"</p>", a.source)
	}
	return d
}
