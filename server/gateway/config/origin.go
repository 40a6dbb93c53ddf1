package config

import (
	"fmt"
	"strings"

	"github.com/gemwire/gemwire/internal/document"
	"github.com/go-json-experiment/json/jsontext"
)

// origin is the source of a setting or of an entry of a table.
type origin struct {
	// where is a variable, a flag as the user typed it, or a line of a file.
	where string
	// line is the line in the file, or 0 for another source.
	line int
}

// origins are the sources by JSON pointers, such as "/alias/fast". A setting without an entry has
// its default.
type origins map[string]origin

// addFile records the lines of a file.
func (o origins) addFile(path string, lines document.Lines) {
	for pointer, line := range lines {
		o[pointer] = origin{fmt.Sprintf("%s:%d", path, line), line}
	}
}

// add records that a variable or a flag has set a setting. A table gets entries, and keeps others.
func (o origins) add(s Setting, c *Config, text, where string) {
	switch s.value(c).(type) {
	case *table, *chains:
		for pair := range strings.SplitSeq(text, ",") {
			name, _, _ := strings.Cut(pair, "=")
			o[pointerTo(s.Name, strings.TrimSpace(name))] = origin{where: where}
		}
	default:
		o[pointerTo(s.Name)] = origin{where: where}
	}
}

// of returns the source of a setting or of an entry of a table.
func (o origins) of(pointer string) origin {
	for pointer != "" {
		if found, ok := o[pointer]; ok {
			return found
		}
		pointer = pointer[:strings.LastIndexByte(pointer, '/')]
	}
	return origin{}
}

// pointerTo returns the location of names.
func pointerTo(names ...string) string {
	var pointer jsontext.Pointer
	for _, name := range names {
		pointer = pointer.AppendToken(name)
	}
	return string(pointer)
}

// wrong returns the error of an invalid setting with its source. names are the setting, and
// possibly an entry of its table.
func (c *Config) wrong(reason string, names ...string) *Error {
	setting, from := names[0], c.origins.of(pointerTo(names...))
	e := &Error{Where: from.where, Setting: setting, line: from.line, reason: reason}
	if from.line > 0 { // which does not name the setting
		e.reason = setting + ": " + reason
	}
	if e.Where == "" {
		e.Where = setting
	}
	return e
}
