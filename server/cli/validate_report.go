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

// findings is an output format of validate: a line for each finding, or one document at the end.
type findings struct {
	name  string
	line  func(row) string
	atEnd func(out io.Writer, found []row) error
}

// reports are the output formats, the default first.
var reports = []findings{
	{name: "text", line: func(r row) string { return r.file + ": " + r.Finding.String() }},
	{name: "json", atEnd: writeWrongs},
	{name: "github", line: annotation},
}

// findReport returns the output format in --format. Its errors are usage errors.
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

// wrong is one finding about an input in the output of --format json.
type wrong struct {
	File     string              `json:"file"`
	Pointer  string              `json:"pointer"`
	Severity validation.Severity `json:"severity"`
	// Rule is omitted if the payload does not decode.
	Rule string `json:"rule,omitzero"`
	// Offset, Line and Column are omitted if they are not known.
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

// annotation returns a finding as a workflow command of GitHub Actions. GitHub shows it at the line
// of the file in a pull request.
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

// Escapes in GitHub's workflow commands.
var (
	messageEscapes  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",",
		"%2C")
)
