// Package schemafile validates values against a JSON Schema in a file.
package valueschema

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// Schema is a JSON Schema for validating values.
type Schema struct {
	// Document is the schema as it was given.
	Document jsontext.Value

	compiled *jsonschema.Schema
}

// Parse compiles the JSON of a schema. The schema must be complete: a reference to a file or to a
// URL is an error. Parse reads nothing else.
func Parse(text jsontext.Value) (*Schema, error) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	if err := checkSize(document); err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	compiler.UseLoader(noLoader{})
	if err := compiler.AddResource(location, document); err != nil {
		return nil, err
	}
	compiled, err := compiler.Compile(location)
	if refused, ok := errors.AsType[*jsonschema.LoadURLError](err); ok {
		return nil, outside(refused.URL)
	}
	if invalid, ok := errors.AsType[*jsonschema.SchemaValidationError](err); ok {
		return nil, noSchema(invalid)
	}
	if err != nil {
		return nil, err
	}
	return &Schema{Document: text, compiled: compiled}, nil
}

// The URL of the schema, against which it resolves its references.
const (
	folder   = "gemwire:///"
	location = folder + "schema.json"
)

// noLoader refuses to load documents that a schema refers to.
type noLoader struct{}

var errOutside = errors.New("outside of the schema's file")

func (noLoader) Load(string) (any, error) { return nil, errOutside }

// outside returns the error for a reference to another document.
func outside(url string) error {
	target := cutText(strings.TrimPrefix(url, folder))
	return fmt.Errorf("%q is not in the schema's file; put it under $defs and refer to it with #/$defs/NAME",
		target)
}

// noSchema returns the error for a file without a valid schema.
func noSchema(err *jsonschema.SchemaValidationError) error {
	violations := schemaViolations(err.Err)
	for i := range violations {
		violations[i].Want = "not a JSON Schema: " + violations[i].Want
	}
	return &validation.Error{Prefix: "extract", Violations: violations}
}

// Violations returns where a value violates the schema.
func (s *Schema) Violations(value jsontext.Value) []validation.Violation {
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(value))
	if err != nil {
		return []validation.Violation{{Rule: "json", Want: "must be JSON"}}
	}
	if exceeds(s.compiled, instance) {
		return tooManySteps()
	}
	return schemaViolations(s.compiled.Validate(instance))
}

// schemaViolations converts an error of the library. The leaves of the error are the violations.
// There is at least one.
func schemaViolations(err error) []validation.Violation {
	if err == nil {
		return nil
	}
	e, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		return []validation.Violation{{Rule: "schema", Want: err.Error()}}
	}
	return unique(brokenBy(e))
}

// unique removes repeated violations, and keeps the order.
func unique(all []validation.Violation) []validation.Violation {
	seen := make(map[validation.Violation]bool, len(all))
	return slices.DeleteFunc(all, func(v validation.Violation) bool {
		isKnown := seen[v]
		seen[v] = true
		return isKnown
	})
}

func brokenBy(e *jsonschema.ValidationError) []validation.Violation {
	causes := e.Causes
	switch e.ErrorKind.(type) {
	case *kind.AnyOf, *kind.OneOf:
		causes = slices.DeleteFunc(slices.Clone(causes),
			func(c *jsonschema.ValidationError) bool { return isOtherType(c, e) })
		if len(causes) != 1 {
			causes = nil // which form was meant is not known
		}
	}
	if len(causes) == 0 {
		return leaf(e)
	}
	var all []validation.Violation
	for _, cause := range causes {
		all = append(all, brokenBy(cause)...)
	}
	return all
}

// isOtherType reports whether an alternative is for another type of value and so was not meant.
func isOtherType(alternative, all *jsonschema.ValidationError) bool {
	if _, ok := alternative.ErrorKind.(*kind.Type); ok {
		return len(alternative.InstanceLocation) == len(all.InstanceLocation)
	}
	return slices.ContainsFunc(alternative.Causes,
		func(c *jsonschema.ValidationError) bool { return isOtherType(c, all) })
}

// leaf describes what a value violates. Each missing or unexpected member is a violation of its
// own.
func leaf(e *jsonschema.ValidationError) []validation.Violation {
	path := e.ErrorKind.KeywordPath()
	at := validation.Violation{Pointer: pointerOf(e.InstanceLocation), Rule: "schema"}
	if len(path) > 0 {
		at.Rule = path[len(path)-1]
	}
	var all []validation.Violation
	member := func(name, want string) {
		v := at
		v.Pointer, v.Want = at.Pointer+pointerOf([]string{name}), want
		all = append(all, v)
	}
	switch broken := e.ErrorKind.(type) {
	case *kind.Required:
		for _, name := range broken.Missing {
			member(name, "must be set")
		}
	case *kind.AdditionalProperties:
		for _, name := range broken.Properties {
			member(name, "must not be set")
		}
	default:
		at.Want = wantOfSchema(e)
		all = append(all, at)
	}
	return all
}

func pointerOf(tokens []string) string {
	var pointer jsontext.Pointer
	for _, token := range tokens {
		pointer = pointer.AppendToken(token)
	}
	return string(pointer)
}

// wantOfSchema describes what a schema expects. For rare keywords it uses the library's own text,
// which also says what was found.
func wantOfSchema(e *jsonschema.ValidationError) string {
	switch broken := e.ErrorKind.(type) {
	case *kind.Type:
		return "must be of type " + strings.Join(broken.Want, " or ")
	case *kind.Enum:
		return "must be one of " + listChoices(broken.Want)
	case *kind.Const:
		return "must be " + listChoices([]any{broken.Want})
	case *kind.Minimum:
		return "must be at least " + numberText(broken.Want)
	case *kind.Maximum:
		return "must be at most " + numberText(broken.Want)
	case *kind.MinLength:
		return fmt.Sprintf("must have at least %d characters", broken.Want)
	case *kind.MaxLength:
		return fmt.Sprintf("must have at most %d characters", broken.Want)
	case *kind.MinItems:
		return fmt.Sprintf("must have at least %d elements", broken.Want)
	case *kind.MaxItems:
		return fmt.Sprintf("must have at most %d elements", broken.Want)
	case *kind.Pattern:
		return "must match " + broken.Want
	case *kind.Format:
		return "must have the format " + broken.Want
	case *kind.AnyOf, *kind.OneOf:
		return "must be one of the forms that the schema lists"
	default:
		return cutText(e.BasicOutput().Error.String())
	}
}

func numberText(n *big.Rat) string {
	if n.IsInt() {
		return n.RatString()
	}
	fraction, _ := n.Float64()
	return strconv.FormatFloat(fraction, 'g', -1, 64)
}

// listChoices writes values of a schema as JSON. Numbers keep their spelling.
func listChoices(choices []any) string {
	var texts []string
	for _, choice := range choices {
		if number, ok := choice.(fmt.Stringer); ok {
			texts = append(texts, number.String())
		} else if text, err := json.Marshal(choice, json.Deterministic(true)); err == nil {
			texts = append(texts, string(text))
		}
	}
	return cutText(strings.Join(texts, ", "))
}

// cutText cuts a text that is too long for a message.
func cutText(text string) string {
	const limit = 200
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + "..."
}
