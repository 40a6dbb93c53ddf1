package main

import (
	"go/scanner"
	"go/token"
	"html"
	"strings"
)

// highlight returns a block of code as HTML. It marks what a reader looks for: commands and their
// output, comments, and the strings and keywords of Go.
func highlight(language, code string) string {
	switch language {
	case "console":
		return highlightConsole(code)
	case "sh", "bash", "yaml", "toml":
		return highlightComments(code)
	case "go":
		return highlightGo(code)
	}
	return html.EscapeString(code)
}

func mark(class, text string) string {
	return `<span class="` + class + `">` + html.EscapeString(text) + `</span>`
}

// highlightConsole marks the output of commands. A command continued after a backslash.
func highlightConsole(code string) string {
	var b strings.Builder
	continued := false
	for line := range strings.Lines(code) {
		command, isCommand := strings.CutPrefix(line, "$ ")
		switch {
		case isCommand:
			b.WriteString(mark("prompt", "$ ") + html.EscapeString(command))
		case continued:
			b.WriteString(html.EscapeString(line))
		default:
			b.WriteString(mark("output", line))
		}
		continued = (isCommand || continued) && strings.HasSuffix(strings.TrimRight(line, "\n"), "\\")
	}
	return b.String()
}

// highlightComments marks comments that begin with # after a blank or at the start of a line.
func highlightComments(code string) string {
	var b strings.Builder
	for line := range strings.Lines(code) {
		at := -1
		if strings.HasPrefix(line, "#") {
			at = 0
		} else if i := strings.LastIndex(line, " # "); i >= 0 {
			at = i + 1
		}
		if at < 0 {
			b.WriteString(html.EscapeString(line))
			continue
		}
		comment := strings.TrimSuffix(line[at:], "\n")
		b.WriteString(html.EscapeString(line[:at]) + mark("comment", comment) + "\n")
	}
	return b.String()
}

// highlightGo marks keywords, strings and comments. Code that Go's scanner does not know stays as
// it is.
func highlightGo(code string) string {
	file := token.NewFileSet().AddFile("", 1, len(code))
	var s scanner.Scanner
	s.Init(file, []byte(code), func(token.Position, string) {}, scanner.ScanComments)
	var b strings.Builder
	done := 0
	for {
		pos, kind, literal := s.Scan()
		if kind == token.EOF {
			break
		}
		class := ""
		switch {
		case kind == token.COMMENT:
			class = "comment"
		case kind == token.STRING || kind == token.CHAR:
			class = "string"
		case kind.IsKeyword():
			class = "keyword"
		}
		start := int(pos) - 1
		if class == "" || start < done || !strings.HasPrefix(code[start:], literal) {
			continue
		}
		b.WriteString(html.EscapeString(code[done:start]) + mark(class, literal))
		done = start + len(literal)
	}
	b.WriteString(html.EscapeString(code[done:]))
	return b.String()
}
