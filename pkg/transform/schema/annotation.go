package schema

import (
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/go-json-experiment/json/jsontext"
)

// annotation is a keyword that a result has once. Of several, the one nearest to the use of the
// schema counts.
type annotation struct {
	at    *value
	level int
}

func (c *converter) readTitle(s *shape, v *value, _ *jump) { c.readText(s, &s.title, v) }
func (c *converter) readDescription(s *shape, v *value,
	_ *jump) {
	c.readText(s, &s.description, v)
}
func (c *converter) readDefault(s *shape, v *value, _ *jump) { c.annotateWith(s, &s.preset, v) }
func (c *converter) readExample(s *shape, v *value,
	_ *jump) {
	c.annotateWith(s, &s.example, v)
}

// readFormat reads a rule for the value. Gemini's form has one format.
func (c *converter) readFormat(s *shape, v *value, _ *jump) { c.readRule(&s.format, v) }

// readPattern is like readFormat.
func (c *converter) readPattern(s *shape, v *value, _ *jump) { c.readRule(&s.pattern, v) }

func (c *converter) readRule(rule **value, v *value) {
	switch {
	case !v.isString():
		c.report(report.Lost, v, "not a string")
	case *rule == nil:
		*rule = v
		c.charge(v, len(v.raw)/64)
	case (*rule).raw != v.raw:
		c.report(report.Lost, v, "Gemini's schema can have only one, and another one applies too")
	}
}

// readExamples reads the first element of a list, unless there is an example already.
func (c *converter) readExamples(s *shape, v *value, _ *jump) {
	if !v.isList() {
		c.report(report.Lost, v, "not a list")
		return
	}
	if v.first == nil {
		return
	}
	if v.parent.member("example") != nil {
		c.report(report.Lost, v, "Gemini's schema can have only one example, and example is set")
		return
	}
	c.annotateWith(s, &s.example, v.first)
	for e := v.first.next; e != nil; e = e.next {
		c.report(report.Lost, e, "Gemini's schema can have only one example, and the first is used")
	}
}

func (c *converter) readText(s *shape, a *annotation, v *value) {
	if !v.isString() {
		c.report(report.Lost, v, "not a string")
		return
	}
	c.annotateWith(s, a, v)
}

func (c *converter) annotateWith(s *shape, a *annotation, v *value) {
	c.charge(v, len(v.raw)/64)
	out := v
	switch {
	case a.at == nil:
		out = nil
		a.at, a.level = v, s.level
	case s.level < a.level:
		out = a.at
		a.at, a.level = v, s.level
	}
	if out != nil && out.raw != a.at.raw {
		c.report(report.Approximated, out,
			"replaced by the same keyword of a schema that refers to this one or is next to it")
	}
}

// annotate adds the annotations of the common shape to the alternatives of a result.
func (c *converter) annotate(list []geminiapi.Schema, s *shape) {
	if s.description.at != nil {
		c.describe(list, s.description.at)
	}
	if s.title.at != nil {
		c.entitle(list, s.title.at)
	}
	if v := s.preset.at; v != nil {
		assign(c, list, v, func(out *geminiapi.Schema) *jsontext.Value { return &out.Default })
	}
	if v := s.example.at; v != nil {
		assign(c, list, v, func(out *geminiapi.Schema) *jsontext.Value { return &out.Example })
	}
}

// describe puts a description before the descriptions of the alternatives.
func (c *converter) describe(list []geminiapi.Schema, v *value) {
	text := v.textPointer()
	for i := range list {
		c.chargeText(v, *text)
		list[i].Description = joined(text, list[i].Description)
	}
}

// joined returns two descriptions as two paragraphs.
func joined(first, second *string) *string {
	switch {
	case second == nil:
		return first
	case first == nil || *first == *second:
		return second
	default:
		return new(*first + "\n\n" + *second)
	}
}

// entitle sets the title of the alternatives that have none.
func (c *converter) entitle(list []geminiapi.Schema, v *value) {
	text := v.textPointer()
	for i := range list {
		if list[i].Title != nil && *list[i].Title != *text {
			c.report(report.Approximated, v,
				"used only for alternatives without a title of their own")
			continue
		}
		c.chargeText(v, *text)
		list[i].Title = text
	}
}

// assign puts a value into a member of the first alternative with its type. If there is only one
// alternative, the type does not matter.
func assign(c *converter, list []geminiapi.Schema, v *value,
	member func(*geminiapi.Schema) *jsontext.Value) {
	at := 0
	if len(list) > 1 {
		at = slices.IndexFunc(list, func(out geminiapi.Schema) bool { return admits(&out, v) })
	}
	switch {
	case at < 0:
		c.report(report.Lost, v, "no alternative has its type")
	case *member(&list[at]) != nil:
		c.report(report.Lost, v, "the alternative with its type has another value")
	default:
		c.charge(v, len(v.raw)/64)
		*member(&list[at]) = jsontext.Value(v.raw)
	}
}

func admits(out *geminiapi.Schema, v *value) bool {
	if out.Type == nil {
		return false
	}
	t := typeByName(string(*out.Type))
	if v.isNull() {
		return t == typeNull || out.Nullable != nil && *out.Nullable
	}
	return withValues(t, typeOf(v)) != 0
}

// numericFormats maps the formats of numbers to their types.
var numericFormats = map[string]typeSet{
	"int8": typeInteger, "int16": typeInteger, "int32": typeInteger, "int64": typeInteger,
	"uint8": typeInteger, "uint16": typeInteger, "uint32": typeInteger, "uint64": typeInteger,
	"float": typeNumber, "double": typeNumber, "float32": typeNumber, "float64": typeNumber,
}

// formatTypes returns the types that a format applies to.
func formatTypes(format string) typeSet {
	if t := numericFormats[strings.ToLower(format)]; t != 0 {
		return t
	}
	return typeString
}

// formatFits reports whether a format applies to a type among others. If it applies to none of
// them, it stays with all.
func formatFits(s *shape, t, all typeSet) bool {
	if s.format == nil {
		return false
	}
	about := formatTypes(s.format.text())
	return common(all, about) == 0 || common(t, about) != 0
}
