package drift

import (
	"slices"
	"strings"

	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/openapi"
)

// bodies pairs the schemas of a request or a response by media type. What one side only describes as
// JSON and the other only as an event stream is the same message in another frame.
func (c *comparison) bodies(o openapi.Operation, direction Direction, ours, theirs openapi.Content) {
	at := Place{Operation: o.Name, Direction: direction, Path: "/"}
	lacking := []*openapi.Value{o.Value}
	if ours.Value != nil {
		lacking = append(lacking, ours.Value)
	}
	c.body(at, lacking, firstOf(ours.JSON, ours.EventStream), theirs.JSON)
	c.body(at, lacking, firstOf(ours.EventStream, ours.JSON), theirs.EventStream)
	if own := firstOf(ours.JSON, ours.EventStream); own != nil && theirs.JSON == nil && theirs.EventStream == nil {
		c.addOurs(Finding{Place: at, Kind: Body, Schema: SchemaName(own)}, own.Pointer)
	}
}

// body compares one body with ours. Without one, lacking is what is to get it: our operation and, where
// there is one of another media type, the request body or response object.
func (c *comparison) body(at Place, lacking []*openapi.Value, ours, theirs *openapi.Value) {
	switch {
	case theirs == nil:
	case ours == nil:
		c.addMissing(owner{key: lacking[0].Pointer + " " + string(at.Direction)}, Finding{
			Place: at, Kind: Body, Detail: c.theirs.describe(theirs),
			Ours: lacking, Theirs: []*openapi.Value{theirs},
		})
	default:
		c.enqueue(at, []*openapi.Value{ours}, []*openapi.Value{theirs})
	}
}

func firstOf(a, b *openapi.Value) *openapi.Value {
	if a != nil {
		return a
	}
	return b
}

// parameters compares path parameters by their position, whatever their names, and all others by
// place and name.
func (c *comparison) parameters(o, t openapi.Operation) error {
	ours, err := o.Parameters()
	if err != nil {
		return err
	}
	theirs, err := t.Parameters()
	if err != nil {
		return err
	}
	left := ours
	for _, p := range theirs {
		var own *openapi.Parameter
		own, left = take(left, p)
		c.parameter(o, own, p)
	}
	for _, p := range left {
		f := Finding{Place: parameterPlace(o, p), Kind: Parameter}
		c.addOurs(f, o.Value.Pointer+" "+f.Path)
	}
	return nil
}

// take returns the first of our parameters that matches one of theirs, and the rest.
func take(ours []openapi.Parameter, p openapi.Parameter) (*openapi.Parameter, []openapi.Parameter) {
	for i, own := range ours {
		if own.In == p.In && (p.In == "path" || sameName(own, p)) {
			rest := append(append([]openapi.Parameter(nil), ours[:i]...), ours[i+1:]...)
			return &own, rest
		}
	}
	return nil, ours
}

func sameName(a, b openapi.Parameter) bool {
	if a.In == "header" {
		return strings.EqualFold(a.Name, b.Name)
	}
	return a.Name == b.Name
}

func (c *comparison) parameter(o openapi.Operation, own *openapi.Parameter, p openapi.Parameter) {
	at := parameterPlace(o, p)
	switch {
	case own != nil && own.Schema != nil && p.Schema != nil:
		c.enqueue(at, []*openapi.Value{own.Schema}, []*openapi.Value{p.Schema})
	case own != nil:
	case strings.HasPrefix(p.Name, "$"):
		// Google marks so what every one of its APIs takes (alt, callback, prettyPrint, .xgafv).
		c.note(at, "parameter of the vendor's whole platform, not demanded")
	default:
		f := Finding{Place: at, Kind: Parameter, Ours: []*openapi.Value{o.Value}, Parameter: p}
		if p.Schema != nil {
			f.Detail, f.Theirs = c.theirs.describe(p.Schema), []*openapi.Value{p.Schema}
		}
		c.addMissing(owner{key: o.Value.Pointer + " " + p.In, values: []*openapi.Value{o.Value}}, f)
	}
}

func parameterPlace(o openapi.Operation, p openapi.Parameter) Place {
	return Place{Operation: o.Name, Direction: Request, Path: p.In + ":" + p.Name}
}

// note adds a note unless another operation has the same at the same path.
func (c *comparison) note(at Place, text string) {
	same := func(n Note) bool { return n.Path == at.Path && n.Text == text }
	if !slices.ContainsFunc(c.notes, same) {
		c.notes = append(c.notes, Note{Place: at, Text: text})
	}
}
