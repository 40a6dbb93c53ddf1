package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// report is the difference between two documents. It is printed in the order of its fields.
type report struct {
	missing  []finding // what they have and we lack
	onlyOurs []finding
	notes    []finding // differences that are not counted, in words

	// components has our component for each of their schemas, by the pointer of their canonical
	// schema.
	components map[string]string
}

// print writes a section for each kind of difference that occurs, and a line with the totals.
func (r *report) print(w io.Writer) error {
	var b bytes.Buffer
	printSection(&b, "missing", r.missing)
	printSection(&b, "only ours", r.onlyOurs)
	printSection(&b, "notes", r.notes)
	fmt.Fprintf(&b, "%d missing, %d only ours\n", len(r.missing), len(r.onlyOurs))
	_, err := w.Write(b.Bytes())
	return err
}

func printSection(w io.Writer, title string, lines []finding) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(w, "%s:\n", title)
	for _, line := range lines {
		fmt.Fprintf(w, "  %s\n", line)
	}
	fmt.Fprintln(w)
}

// direction is the direction in which the JSON is sent. An operation as a whole has no direction.
type direction string

const (
	request  direction = "request" // the client's body, and the parameters
	response direction = "response"
)

// location is the first place of a finding in an operation.
type location struct {
	operation string // our operationId
	direction direction
	// path is a JSON pointer from the root of the body. In it * means any element of a list, and
	// {*} any member of a map. "/" is the root itself. The path of a parameter begins with its
	// kind: query:pageSize.
	path string
}

func (l location) child(token string) location {
	if l.path == "/" {
		l.path = ""
	}
	l.path += "/" + escapePointer(token)
	return l
}

func (l location) compare(m location) int {
	return cmp.Or(
		cmp.Compare(l.operation, m.operation),
		cmp.Compare(l.direction, m.direction),
		cmp.Compare(l.path, m.path),
	)
}

// kind is the kind of a finding, or of a note.
type kind string

const (
	wholeOperation   kind = "operation"
	wholeBody        kind = "body"
	missingParameter kind = "parameter"
	namedProperty    kind = "property"
	mapValues        kind = "map values" // members of any name (additionalProperties)
	listedValue      kind = "enum value"
	valueType        kind = "type"   // a JSON type of a value
	integerWidth     kind = "format" // the width of an integer
)

// finding is one difference between the two documents.
type finding struct {
	location
	kind   kind
	name   string // which: the value of an enum, the type, the format; "" where the path says it
	detail string // more in words: the type of a property, what the other side has
	schema string // names our schema which the finding is about

	ours   []*value // our schemas that lack something
	theirs []*value // their schemas of the missing thing, or the places that list the missing value
	of     jsonType // of a missing enum value
	ids    []string // of a thing that only ours has: it is theirs too when any of these is shared
}

// String is the finding's line in the report:
//
//	generateContent response /candidates/*/finishReason: enum value ESCALATION (FinishReason)
func (f finding) String() string {
	at := strings.Join(slices.DeleteFunc([]string{f.operation, string(f.direction), f.path},
		isEmpty), " ")
	return printable(at + ": " + f.what())
}

func isEmpty(s string) bool { return s == "" }

// what returns the finding without its location.
func (f finding) what() string {
	text := string(f.kind)
	if f.name != "" {
		text += " " + f.name
	}
	if f.detail != "" {
		text += ", " + f.detail
	}
	if f.schema != "" {
		text += fmt.Sprintf(" (%s)", f.schema)
	}
	return text
}

// subject names what a finding is about within the schema or operation that lacks it.
func (f finding) subject() string {
	switch f.kind {
	case namedProperty, mapValues:
		_, token := splitPointer(f.path)
		return token
	case missingParameter:
		_, name, _ := strings.Cut(f.path, ":")
		return name
	}
	return f.name
}

func (f finding) compare(g finding) int {
	return cmp.Or(
		f.location.compare(g.location),
		cmp.Compare(f.kind, g.kind),
		cmp.Compare(f.name, g.name),
		cmp.Compare(f.detail, g.detail),
		cmp.Compare(f.schema, g.schema),
	)
}

// printable escapes names from a foreign document, so that they cannot break a line or the
// terminal.
func printable(s string) string {
	quoted := strconv.Quote(s)
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(quoted[1 : len(quoted)-1])
}
