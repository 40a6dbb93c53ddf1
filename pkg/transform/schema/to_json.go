package schema

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ToJSON converts a Gemini schema to JSON Schema. It is the inverse of [FromJSON]:
//
//   - types are in lower case;
//   - nullable is null among the types, and in an enum or as an alternative;
//   - limits that Gemini writes as strings are numbers;
//   - properties are in the order of propertyOrdering, the others sorted by name;
//   - an example is the first of examples;
//   - ref and defs refer to $defs;
//   - members that Gemini does not describe stay unchanged.
//
// The report lists what JSON Schema cannot express, with JSON pointers into s. nil is a schema that
// allows anything.
func ToJSON(s *geminiapi.Schema) (jsontext.Value, report.Report) {
	w := jsonWriter{}
	if s == nil {
		s = &geminiapi.Schema{}
	}
	w.schema(s, "")
	return jsontext.Value(w.out.Bytes()), w.report
}

// jsonWriter writes one document.
type jsonWriter struct {
	out    bytes.Buffer
	report report.Report
}

// schema writes the schema at a pointer.
func (w *jsonWriter) schema(s *geminiapi.Schema, at string) {
	o := objectWriter{jsonWriter: w}
	o.open()
	nullable := jsonx.Deref(s.Nullable)
	o.types(s, nullable, at)
	o.text("title", s.Title)
	o.text("description", s.Description)
	o.format(s, at)
	o.enum(s, nullable)
	o.limits(s)
	o.object(s, at)
	if s.Items != nil {
		o.name("items")
		w.schema(s.Items, at+"/items")
	}
	o.alternatives(s, nullable, at)
	o.raw("default", s.Default)
	if example := jsonx.NonNull(s.Example); example != nil {
		o.raw("examples", jsontext.Value("["+string(example)+"]"))
	}
	o.references(s, at)
	o.unknown(s.Unknown)
	o.close()
}

// objectWriter writes the members of one schema.
type objectWriter struct {
	*jsonWriter
	members int
}

func (o *objectWriter) open()  { o.out.WriteByte('{') }
func (o *objectWriter) close() { o.out.WriteByte('}') }

// name writes the name of the next member.
func (o *objectWriter) name(name string) {
	if o.members > 0 {
		o.out.WriteByte(',')
	}
	o.members++
	o.quoted(name)
	o.out.WriteByte(':')
}

func (o *objectWriter) quoted(text string) {
	// invalid UTF-8 becomes the replacement character
	quoted, _ := jsontext.AppendQuote(o.out.AvailableBuffer(), text)
	o.out.Write(quoted)
}

func (o *objectWriter) raw(name string, value jsontext.Value) {
	if value = jsonx.NonNull(value); value != nil {
		o.name(name)
		o.out.Write(value)
	}
}

func (o *objectWriter) text(name string, text *string) {
	if text != nil {
		o.name(name)
		o.quoted(*text)
	}
}

// types writes the type, and null if it is allowed.
func (o *objectWriter) types(s *geminiapi.Schema, nullable bool, at string) {
	if s.Nullable != nil && !nullable {
		o.report.Add(report.Approximated, at+"/nullable",
			"omitted, because null can be allowed only next to a type")
	}
	wire := jsonx.Deref(s.Type)
	if wire == geminiapi.SchemaTypeUnspecified {
		o.report.Add(report.Approximated, at+"/type", "omitted, because it names no type")
		return
	}
	if wire == "" {
		return
	}
	name := strings.ToLower(string(wire))
	o.name("type")
	if !nullable || wire == geminiapi.SchemaTypeNull {
		o.quoted(name)
		return
	}
	o.out.WriteByte('[')
	o.quoted(name)
	o.out.WriteString(`,"null"]`)
}

// format writes the format. Gemini's own format enum only says that there is a list of values.
func (o *objectWriter) format(s *geminiapi.Schema, at string) {
	if jsonx.Deref(s.Format) == "enum" {
		o.report.Add(report.Approximated, at+"/format", "omitted, because the list of values expresses it")
		return
	}
	o.text("format", s.Format)
}

// enum writes the values. Gemini writes numbers as strings too.
func (o *objectWriter) enum(s *geminiapi.Schema, nullable bool) {
	if len(s.Enum) == 0 {
		return
	}
	o.name("enum")
	o.out.WriteByte('[')
	for i, value := range s.Enum {
		if i > 0 {
			o.out.WriteByte(',')
		}
		if isNumeric(jsonx.Deref(s.Type)) && isJSONNumber(value) {
			o.out.WriteString(value)
		} else {
			o.quoted(value)
		}
	}
	if nullable {
		o.out.WriteString(",null")
	}
	o.out.WriteByte(']')
}

func isNumeric(t geminiapi.SchemaType) bool {
	return t == geminiapi.SchemaTypeInteger || t == geminiapi.SchemaTypeNumber
}

func isJSONNumber(text string) bool {
	value := jsontext.Value(text)
	return value.Kind() == jsontext.KindNumber && value.IsValid() && strings.TrimSpace(text) == text
}

// limits writes the limits of texts, numbers, lists and objects.
func (o *objectWriter) limits(s *geminiapi.Schema) {
	o.text("pattern", s.Pattern)
	for _, limit := range []struct {
		name  string
		value *wiretype.Int64
	}{
		{"minLength", s.MinLength},
		{"maxLength", s.MaxLength},
		{"minItems", s.MinItems},
		{"maxItems", s.MaxItems},
		{"minProperties", s.MinProperties},
		{"maxProperties", s.MaxProperties},
	} {
		if limit.value != nil {
			o.name(limit.name)
			o.out.WriteString(limit.value.String())
		}
	}
	o.number("minimum", s.Minimum)
	o.number("maximum", s.Maximum)
}

func (o *objectWriter) number(name string, number *float64) {
	if number == nil {
		return
	}
	// else it is not a JSON number; no decoder returns such a value
	if data, err := json.Marshal(*number); err == nil {
		o.name(name)
		o.out.Write(data)
	}
}

// object writes the keywords of an object.
func (o *objectWriter) object(s *geminiapi.Schema, at string) {
	if s.Properties != nil {
		o.name("properties")
		o.schemas(s.Properties, s.PropertyOrdering, at+"/properties")
	}
	for i, name := range s.PropertyOrdering {
		if _, declared := s.Properties[name]; !declared {
			o.report.Add(report.Approximated, at+"/propertyOrdering/"+strconv.Itoa(i),
				"omitted, because no such property is declared")
		}
	}
	if len(s.Required) > 0 {
		o.name("required")
		data, _ := json.Marshal(s.Required, jsonx.Canonical)
		o.out.Write(data)
	}
	if more := jsonx.NonNull(s.AdditionalProperties); more != nil {
		o.name("additionalProperties")
		o.nested(more, at+"/additionalProperties")
	}
}

// nested writes a raw schema, in Gemini's form or as a boolean.
func (o *objectWriter) nested(value jsontext.Value, at string) {
	var s geminiapi.Schema
	if value.Kind() != jsontext.KindBeginObject || json.Unmarshal(value, &s) != nil {
		o.out.Write(value)
		return
	}
	o.schema(&s, at)
}

// schemas writes named schemas: first the names in order, then the others sorted by name.
func (o *objectWriter) schemas(list map[string]geminiapi.Schema, order []string, at string) {
	names := make([]string, 0, len(list))
	for _, name := range order {
		if _, declared := list[name]; declared && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	ordered := len(names)
	for name := range list {
		if !slices.Contains(names[:ordered], name) {
			names = append(names, name)
		}
	}
	slices.Sort(names[ordered:])
	inner := objectWriter{jsonWriter: o.jsonWriter}
	inner.open()
	for _, name := range names {
		inner.name(name)
		s := list[name]
		o.schema(&s, jsonx.MemberPointer(at, name))
	}
	inner.close()
}

// alternatives writes the alternatives of anyOf. It adds null as one of them if the schema has no
// type of its own.
func (o *objectWriter) alternatives(s *geminiapi.Schema, nullable bool, at string) {
	if len(s.AnyOf) == 0 {
		return
	}
	o.name("anyOf")
	o.out.WriteByte('[')
	for i := range s.AnyOf {
		if i > 0 {
			o.out.WriteByte(',')
		}
		o.schema(&s.AnyOf[i], at+"/anyOf/"+strconv.Itoa(i))
	}
	if nullable {
		o.out.WriteString(`,{"type":"null"}`)
	}
	o.out.WriteByte(']')
}

// These are the pointers of named schemas in Gemini's form and in JSON Schema.
const (
	ownDefinitions = "#/defs/"
	definitions    = "#/$defs/"
)

// references writes ref and defs.
func (o *objectWriter) references(s *geminiapi.Schema, at string) {
	if s.Ref != nil {
		o.name("$ref")
		if name, found := strings.CutPrefix(*s.Ref, ownDefinitions); found {
			o.quoted(definitions + name)
		} else {
			o.quoted(*s.Ref)
		}
	}
	if s.Defs != nil {
		o.name("$defs")
		o.schemas(s.Defs, nil, at+"/defs")
	}
}

// unknown writes the members that Gemini does not describe, unless that name was already written.
func (o *objectWriter) unknown(members jsontext.Value) {
	if inner, found := bytes.CutPrefix(members, []byte("{")); found {
		inner = bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimSpace(inner), []byte("}")))
		if len(inner) > 0 {
			if o.members > 0 {
				o.out.WriteByte(',')
			}
			o.members++
			o.out.Write(inner)
		}
	}
}
