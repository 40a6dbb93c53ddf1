package schema

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/go-json-experiment/json/jsontext"
)

// FromJSON converts a JSON Schema document. The report lists what was added, approximated or lost,
// with JSON pointers into the document. The package comment describes the conversion of each
// keyword.
//
// An error is an *[Error]: the document is not JSON or not a schema, a reference cannot be
// resolved, or the result exceeds the limits. The result shares no memory with the document, but
// its schemas may share strings with each other.
func FromJSON(document jsontext.Value, opts ...Option) (*geminiapi.Schema, report.Report, error) {
	root, err := readDocument(document)
	if err != nil {
		return nil, nil, err
	}
	if !root.isObject() && !root.isBoolean() {
		return nil, nil, &Error{Err: ErrNotSchema}
	}
	c := converter{root: root}
	option.Apply(&c.options, opts)
	out := c.document()
	if c.err != nil {
		return nil, nil, c.err
	}
	return out, withoutRepetitions(c.entries), nil
}

// converter holds what the steps of one conversion share.
type converter struct {
	options
	root *value

	size  int // what was read so far; see maxSize
	depth int // depth of the converter; see maxDepth
	err   error

	entries  report.Report
	deferred []*value // possible targets of a $ref; reported at the end if unused
	unfit    []*value // keywords that did not fit the type of their shape

	free        []*shape     // released shapes
	identifiers *identifiers // made for the first reference that needs them
}

func (c *converter) document() *geminiapi.Schema {
	var out *geminiapi.Schema
	if s := c.shapeOf(source{value: c.root}); c.parameters {
		out = c.parametersOf(s)
	} else {
		out = one(c.schemas(nil, s))
	}
	c.reportUnfit()
	for _, v := range c.deferred {
		c.reportUnusedParts(v, v.keyword().why)
	}
	return out
}

// schema converts several schemas of the document that apply together.
func (c *converter) schema(sources []source) *geminiapi.Schema {
	s := c.shapeOf(sources[0], sources[1:]...)
	defer c.release(s)
	return one(c.schemas(nil, s))
}

// schemas appends the alternatives of a shape, at least one. Each has all of the shape's keywords,
// because the API allows nothing next to anyOf.
func (c *converter) schemas(list []geminiapi.Schema, s *shape) []geminiapi.Schema {
	if s.never != nil {
		c.report(report.Lost, s.never, "Gemini's schema cannot say that no value is allowed")
	}
	before := len(list)
	for list = c.possible(list, s); len(list) == before &&
		len(s.choices) > 0; list = c.possible(list, s) {
		c.report(report.Lost, s.choices[0].at, "none of the alternatives is possible")
		s.choices = s.choices[1:]
	}
	if c.err != nil {
		return append(list[:before], geminiapi.Schema{})
	}
	return list
}

// possible appends the alternatives of a shape. It appends none if the shape requires one of
// several schemas that all contradict it.
func (c *converter) possible(list []geminiapi.Schema, s *shape) []geminiapi.Schema {
	if !c.enter(s.at) {
		return list
	}
	defer c.leave()
	before := len(list)
	if len(s.choices) > 0 {
		list = c.alternatives(list, s)
	} else {
		list = c.byType(list, s)
	}
	if len(list) > before {
		c.annotate(list[before:], s)
	}
	return list
}

// byType appends a schema for each type of a shape, because a schema of the API has one type.
func (c *converter) byType(list []geminiapi.Schema, s *shape) []geminiapi.Schema {
	d := c.decideTypes(s)
	rest := d.set
	if rest == 0 {
		rest = typeNull
	}
	for rest != 0 {
		t := firstType(rest, s.typeOrder)
		rest &^= t
		c.charge(s.at, 1)
		c.sortOut(s, t)
		list = append(list, geminiapi.Schema{})
		c.ofType(&list[len(list)-1], s, t, d)
	}
	return list
}

// ofType makes the result for one type of a shape. Its annotations are added later.
func (c *converter) ofType(out *geminiapi.Schema, s *shape, t typeSet, d decision) {
	out.Type = t.wire()
	c.setNullable(out, s, t, d)
	listed := c.listed(s, t, d.set)
	switch t {
	case typeString:
		out.Enum = c.strings(listed)
		out.Pattern = s.pattern.textPointer()
	case typeNumber, typeInteger:
		c.number(out, s, t, listed)
	case typeBoolean:
		c.constant(out, s, listed)
	case typeArray:
		c.list(out, s)
	case typeObject:
		c.object(out, s)
	}
	measure(out, s, t)
	if formatFits(s, t, d.set) {
		out.Format = s.format.textPointer()
	}
}

func (c *converter) setNullable(out *geminiapi.Schema, s *shape, t typeSet, d decision) {
	switch {
	case s.isParameters:
		if s.nullable != nil {
			c.report(report.Lost, s.nullable, whyNoNull)
		}
	case t == typeNull:
		if s.nullable != nil {
			c.report(report.Approximated, s.nullable, "no effect, because only null is allowed anyway")
		}
	case d.nullable:
		out.Nullable = new(true)
		if s.nullable != nil && s.nullable.isFalse() {
			c.report(report.Approximated, s.nullable,
				"another keyword allows null")
		}
	case s.nullable != nil:
		out.Nullable = new(false)
	}
}

// one returns a single schema for alternatives.
func one(list []geminiapi.Schema) *geminiapi.Schema {
	if len(list) == 1 {
		return &list[0]
	}
	return &geminiapi.Schema{AnyOf: list}
}
