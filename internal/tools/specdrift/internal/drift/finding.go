package drift

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/openapi"
	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/shape"
)

// Direction tells which way the JSON travels.
type Direction string

// The directions; an operation as a whole has none.
const (
	// Request is the client's body, and the parameters.
	Request Direction = "request"
	// Response is the body of a success.
	Response Direction = "response"
)

// Place is where in an operation something was first seen.
type Place struct {
	// Operation is our operationId.
	Operation string
	// Direction is the body's.
	Direction Direction
	// Path is a JSON pointer from the body's root, where * stands for any element of a list and
	// {*} for any member of a map; "/" is the root itself. A parameter's path begins with its
	// place and name: query:pageSize.
	Path string
}

func (p Place) child(token string) Place {
	if p.Path == "/" {
		p.Path = ""
	}
	p.Path += "/" + openapi.EscapePointer(token)
	return p
}

func (p Place) compare(q Place) int {
	return cmp.Or(
		cmp.Compare(p.Operation, q.Operation),
		cmp.Compare(p.Direction, q.Direction),
		cmp.Compare(p.Path, q.Path),
	)
}

// Kind is what a finding is about.
type Kind string

// The kinds of findings.
const (
	// Operation is a whole operation.
	Operation Kind = "operation"
	// Body is the JSON body of a request or response.
	Body Kind = "body"
	// Parameter is a query, header or cookie parameter.
	Parameter Kind = "parameter"
	// Property is a named member of an object.
	Property Kind = "property"
	// MapValues are members of any name (additionalProperties).
	MapValues Kind = "map values"
	// EnumValue is one listed value.
	EnumValue Kind = "enum value"
	// Type is a JSON type of a value.
	Type Kind = "type"
	// Format is the width of an integer.
	Format Kind = "format"
)

// Finding is one difference between the two documents.
type Finding struct {
	Place
	// Kind is what differs.
	Kind Kind
	// Name tells which: the value of an enum, the type, the format; "" where Path says it.
	Name string
	// Detail says more in words: the type of a property, what the other side has.
	Detail string
	// Schema names our schema which the finding is about.
	Schema string

	// Ours are the places in our document that are to change: the schemas that lack something; the
	// operation that lacks a parameter; the operation that lacks a body, and after it the request body
	// or response object if there is one; for a [Type], each use of the schema.
	Ours []*openapi.Value
	// Theirs are the schemas, in their document, of what is missing. For an [EnumValue] they are the
	// listed values.
	Theirs []*openapi.Value
	// Parameter is the missing parameter.
	Parameter openapi.Parameter
	// Value is the missing enum value.
	Value shape.EnumValue
	// Type is the missing type; "" with Kind Type when anything is to be admitted.
	Type shape.Type
}

// String is the finding's line in the report:
//
//	generateContent response /candidates/*/finishReason: enum value ESCALATION (FinishReason)
func (f Finding) String() string {
	var b strings.Builder
	for _, word := range []string{f.Operation, string(f.Direction), f.Path} {
		if word != "" {
			b.WriteString(word + " ")
		}
	}
	line := strings.TrimSuffix(b.String(), " ") + ": " + string(f.Kind)
	if f.Name != "" {
		line += " " + f.Name
	}
	if f.Detail != "" {
		line += ", " + f.Detail
	}
	if f.Schema != "" {
		line += fmt.Sprintf(" (%s)", f.Schema)
	}
	return printable(line)
}

// Subject names what a finding is about within its owner.
func (f Finding) Subject() string {
	switch f.Kind {
	case Property, MapValues:
		return openapi.UnescapePointer(f.Path[strings.LastIndex(f.Path, "/")+1:])
	case Parameter:
		return f.Parameter.Name
	default:
		return f.Name
	}
}

func compareFindings(a, b Finding) int {
	return cmp.Or(
		a.Place.compare(b.Place),
		cmp.Compare(a.Kind, b.Kind),
		cmp.Compare(a.Name, b.Name),
		cmp.Compare(a.Detail, b.Detail),
		cmp.Compare(a.Schema, b.Schema),
	)
}

// Note is something worth knowing that counts on neither side.
type Note struct {
	Place
	// Text says what.
	Text string
}

// String is the note's line in the report.
func (n Note) String() string {
	return printable(fmt.Sprintf("%s %s %s: %s", n.Operation, n.Direction, n.Path, n.Text))
}

// printable keeps names out of a foreign document from breaking a line or the terminal.
func printable(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strconv.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
	}
	return b.String()
}
