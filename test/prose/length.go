package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"strings"
	"unicode/utf8"
)

const (
	maxColumn = 100
	tabWidth  = 4
)

// longLines returns a finding for each line of prose that ends after column 100: lines of Markdown
// outside of tables, code and headings, and lines of Go with a comment. A line that cannot be
// broken, or that has a URL, may be longer.
func longLines(path string, content []byte) []finding {
	switch {
	case strings.HasSuffix(path, ".md"):
		return longMarkdown(path, content)
	case strings.HasSuffix(path, ".go"):
		return longComments(path, content)
	}
	return nil
}

func longMarkdown(path string, content []byte) []finding {
	var found []finding
	fence := ""
	for i, l := range strings.Split(string(content), "\n") {
		trimmed := strings.TrimSpace(l)
		switch {
		case fence != "":
			if strings.HasPrefix(trimmed, fence) {
				fence = ""
			}
		case strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~"):
			fence = trimmed[:3]
		case trimmed == "" || strings.ContainsAny(trimmed[:1], "|#<") || strings.HasPrefix(trimmed, "!["):
		case isLong(l, trimmed):
			found = append(found, tooLong(path, i+1, width(l)))
		}
	}
	return found
}

func longComments(path string, content []byte) []finding {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, content, parser.ParseComments)
	if err != nil {
		return nil // goFile reports the error
	}
	lines := strings.Split(string(content), "\n")
	var found []finding
	for _, group := range file.Comments {
		for _, c := range commentLines(files, group) {
			if strings.HasSuffix(path, "_test.go") && isOutput(c.text) {
				break
			}
			if strings.HasPrefix(c.text, "\t") || strings.HasPrefix(c.text, "    ") {
				continue // code
			}
			l := lines[c.source-1]
			if strings.TrimSpace(c.text) == "" || !isLong(l, strings.TrimSpace(c.text)) {
				continue
			}
			found = append(found, tooLong(path, c.source, width(l)))
		}
	}
	return found
}

// isLong reports whether a line ends after column 100 and can be broken before it.
func isLong(l, text string) bool {
	return width(l) > maxColumn && strings.Contains(text, " ") && !strings.Contains(text, "://")
}

// width returns the column in which a line ends.
func width(l string) int {
	tabs := strings.Count(l, "\t")
	return utf8.RuneCountInString(l) + tabs*(tabWidth-1)
}

func tooLong(path string, source, width int) finding {
	return finding{
		Path: path, Line: source, Rule: "gemwire.LineLength", Severity: levelError,
		Message: fmt.Sprintf("the line ends at column %d; break it at column %d", width, maxColumn),
	}
}
