package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/gemwire/gemwire/server/cli/listing"
	"github.com/gemwire/gemwire/server/cli/message"
)

// row is one finding about a file.
type row struct {
	file string
	message.Finding
}

// findings is a form in which validate prints what it finds: a line for each finding, or a document
// at the end.
type findings struct {
	name  string
	line  func(row) string
	atEnd func(out io.Writer, found []row) error
}

// reports are the forms, the default first.
var reports = []findings{
	{name: "text", line: func(r row) string { return r.file + ": " + r.Finding.String() }},
	{name: "json", atEnd: writeWrongs},
	{name: "github", line: annotation},
}

// findReport returns the form that --format names. Its errors are errors of usage.
func findReport(name string) (findings, error) {
	for _, r := range reports {
		if r.name == name {
			return r, nil
		}
	}
	return findings{}, fmt.Errorf("--format: unknown form %q; the forms are %s", name,
		message.List(reportNames(), "and"))
}

func reportNames() (names []string) {
	for _, r := range reports {
		names = append(names, r.name)
	}
	return names
}

// wrong is one thing that is wrong with an input as --format json shows it.
type wrong struct {
	File     string              `json:"file"`
	Pointer  string              `json:"pointer"`
	Severity validation.Severity `json:"severity"`
	// Rule is left out when the payload does not decode.
	Rule string `json:"rule,omitzero"`
	// Offset, Line and Column are left out when they are not known.
	Offset  *int64 `json:"offset,omitzero"`
	Line    int    `json:"line,omitzero"`
	Column  int    `json:"column,omitzero"`
	Message string `json:"message"`
}

// writeWrongs writes the findings as one list.
func writeWrongs(out io.Writer, found []row) error {
	var rows []wrong
	for _, r := range found {
		w := wrong{
			File: r.file, Pointer: r.Pointer, Severity: r.Severity, Rule: r.Rule,
			Line: r.Line, Column: r.Column, Message: r.Reason,
		}
		if r.Offset >= 0 {
			w.Offset = &r.Offset
		}
		rows = append(rows, w)
	}
	return listing.WriteJSON(out, rows)
}

// annotation returns a finding as a command of GitHub's runners, which shows it at the line of the
// file in a pull request.
func annotation(r row) string {
	properties := "file=" + propertyEscapes.Replace(r.file)
	if r.Line > 0 {
		properties += fmt.Sprintf(",line=%d,col=%d", r.Line, r.Column)
	}
	text := r.Reason
	if r.Pointer != "" {
		text = r.Pointer + ": " + text
	}
	return fmt.Sprintf("::%s %s::%s", r.Severity, properties, messageEscapes.Replace(text))
}

// The escapes of GitHub's commands.
var (
	messageEscapes  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",",
		"%2C")
)
