package gemini_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
)

// requestFields are the fields that a request can have.
func requestFields() []field {
	var out []field
	for _, f := range fields() {
		if f.payload == "request" {
			out = append(out, f)
		}
	}
	return out
}

// wrapped puts a value into the list or map of a field, and returns the path to it.
func wrapped(f field, value string) (document, pointer string) {
	switch t := f.last().Type; {
	case t == reflect.TypeFor[jsontext.Value]():
		return value, ""
	case t.Kind() == reflect.Slice:
		return "[" + value + "]", "/0"
	case t.Kind() == reflect.Map:
		return `{"k":` + value + `}`, "/k"
	}
	return value, ""
}

// pointer is the path to a field in its document.
func (f field) pointer() string {
	var out strings.Builder
	for i, step := range f.path {
		out.WriteString("/" + memberName(step))
		if i == len(f.path)-1 {
			break
		}
		switch step.Type.Kind() {
		case reflect.Slice:
			out.WriteString("/0")
		case reflect.Map:
			out.WriteString("/k")
		}
	}
	return out.String()
}

// problemsOf validates a request given as JSON.
func problemsOf(t *testing.T, document string,
	opts ...gemini.ValidateOption) []validation.Violation {
	t.Helper()
	request, err := gemini.DecodeRequest([]byte(document))
	if err != nil {
		t.Fatalf("%s: %v", document, err)
	}
	err = gemini.ValidateRequest(request, opts...)
	if err == nil {
		return nil
	}
	invalid, ok := errors.AsType[*validation.Error](err)
	if !ok || len(invalid.Violations) == 0 {
		t.Fatalf("%s: the error is %#v", document, err)
	}
	for _, violation := range invalid.Violations {
		if violation.Rule == "" || violation.Want == "" {
			t.Errorf("%s: a rule without a name: %#v", document, violation)
		}
	}
	return invalid.Violations
}

// problemAt returns the first problem at a location.
func problemAt(problems []validation.Violation, pointer string) (validation.Violation, bool) {
	i := slices.IndexFunc(problems,
		func(p validation.Violation) bool { return p.Pointer == pointer })
	if i < 0 {
		return validation.Violation{}, false
	}
	return problems[i], true
}

func TestAnUnknownMemberIsFoundInEveryMessage(t *testing.T) {
	t.Parallel()
	found := 0
	for _, f := range requestFields() {
		if message(f.last().Type) == nil {
			continue
		}
		value, inside := wrapped(f, `{"noSuch/Member":7}`)
		document := f.document(memberName, value)
		problem, ok := problemAt(problemsOf(t, document), f.pointer()+inside+"/noSuch~1Member")
		if !ok {
			t.Errorf("%s is not refused", document)
			continue
		}
		found++
		if problem.Value != "7" || !strings.Contains(problem.Want, "no such member") {
			t.Errorf("%s: %#v", document, problem)
		}
	}
	if _, ok := problemAt(problemsOf(t, `{"noSuchMember":7}`), "/noSuchMember"); !ok {
		t.Error("an unknown member of the request itself is not refused")
	}
	if found < 100 {
		t.Errorf("only %d messages found", found)
	}
}

func TestEveryEnumObeysItsValues(t *testing.T) {
	t.Parallel()
	described := enumValues(t)
	found := 0
	for _, f := range requestFields() {
		enum := f.last().Type
		if enum.Kind() == reflect.Pointer || enum.Kind() == reflect.Slice {
			enum = enum.Elem()
		}
		if _, ok := enum.MethodByName("Valid"); !ok {
			continue
		}
		found++
		value, inside := wrapped(f, `"NO_SUCH_VALUE"`)
		document := f.document(memberName, value)
		problem, ok := problemAt(problemsOf(t, document), f.pointer()+inside)
		if !ok || problem.Value != `"NO_SUCH_VALUE"` {
			t.Errorf("%s is not refused: %#v", document, problem)
			continue
		}
		_, text, _ := strings.Cut(problem.Want, "must be one of ")
		values := strings.Split(text, ", ")
		checkValuesAreTaken(t, f, values)
		if diff := cmp.Diff(meaningfulValues(described[enum.Name()]),
			slices.Sorted(slices.Values(values))); diff != "" {
			t.Errorf("%s: -described +named:\n%s", enum.Name(), diff)
		}
	}
	if found < 40 {
		t.Errorf("only %d enums found", found)
	}
}

// checkValuesAreTaken checks that the validator accepts the values that it suggested, in upper and
// lower case, and numbers, which it cannot check.
func checkValuesAreTaken(t *testing.T, f field, values []string) {
	t.Helper()
	if values[0] == "" {
		t.Errorf("%v: the message names no value", f)
	}
	for _, value := range slices.Concat(values,
		[]string{strings.ToLower(values[0]), strings.ToUpper(values[0]), "4711"}) {
		given, inside := wrapped(f, strconv.Quote(value))
		document := f.document(memberName, given)
		problem, ok := problemAt(problemsOf(t, document), f.pointer()+inside)
		if ok && strings.Contains(problem.Want, "enum") {
			t.Errorf("%s is refused: %v", document, problem)
		}
	}
}

// enumValues are the values in our own description, by the name of the enum.
func enumValues(t *testing.T) map[string][]string {
	t.Helper()
	values := map[string][]string{}
	inspect(t, "../../gen/geminiapi/gemini.gen.go", func(node ast.Node) {
		spec, ok := node.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return
		}
		if text, ok := spec.Values[0].(*ast.BasicLit); ok && text.Kind == token.STRING {
			value, _ := strconv.Unquote(text.Value)
			values[typeName(spec.Type)] = append(values[typeName(spec.Type)], value)
		}
	})
	return values
}

// meaningfulValues are the values that a message names: without unspecified values, and without the
// values of PaLM.
func meaningfulValues(values []string) []string {
	palm := []string{"HARM_CATEGORY_DEROGATORY", "HARM_CATEGORY_TOXICITY", "HARM_CATEGORY_VIOLENCE",
		"HARM_CATEGORY_SEXUAL", "HARM_CATEGORY_MEDICAL", "HARM_CATEGORY_DANGEROUS"}
	return slices.Sorted(slices.Values(slices.DeleteFunc(slices.Clone(values),
		func(value string) bool {
			return strings.HasSuffix(strings.ToUpper(value), "UNSPECIFIED") ||
				slices.Contains(palm, value)
		})))
}

// markedMember is a member that only one backend has, by our own description.
type markedMember struct{ message, member string }

// markedMembers reads the marks from the comments of the generated types; true is Vertex AI.
func markedMembers(t *testing.T) map[markedMember]bool {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../../gen/geminiapi/gemini.gen.go", nil,
		parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	marks := map[markedMember]bool{}
	ast.Inspect(file, func(node ast.Node) bool {
		spec, ok := node.(*ast.TypeSpec)
		if !ok {
			return true
		}
		body, ok := spec.Type.(*ast.StructType)
		if !ok {
			return false
		}
		for _, f := range body.Fields.List {
			tag, _ := strconv.Unquote(f.Tag.Value)
			name, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
			doc := f.Doc.Text()
			if strings.Contains(doc, "Vertex AI only.") ||
				strings.Contains(doc, "Gemini API only.") {
				marks[markedMember{spec.Name.Name, name}] = strings.Contains(doc, "Vertex AI only.")
			}
		}
		return false
	})
	return marks
}

// exclusiveMembers reads x-only from our own description; true is Vertex AI.
func exclusiveMembers(t *testing.T) map[markedMember]bool {
	t.Helper()
	data, err := os.ReadFile("../../api/openapi/gemini.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var description struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]struct {
					Only string `yaml:"x-only"`
				}
			}
		}
	}
	if err := yaml.Unmarshal(data, &description); err != nil {
		t.Fatal(err)
	}
	members := map[markedMember]bool{}
	for message, schema := range description.Components.Schemas {
		for name, property := range schema.Properties {
			if property.Only != "" {
				members[markedMember{message, name}] = property.Only == "VertexAI"
			}
		}
	}
	return members
}

// owner is the message that contains a field.
func (f field) owner() string {
	if len(f.path) == 1 {
		return "GenerateContentRequest"
	}
	return message(f.path[len(f.path)-2].Type).Name()
}

func TestMembersOfOneBackendAreRefusedForTheOther(t *testing.T) {
	t.Parallel()
	marks := markedMembers(t)
	for m, vertex := range exclusiveMembers(t) {
		if said, marked := marks[m]; !marked || said != vertex {
			t.Errorf("the text of %s.%s does not say what its x-only says", m.message, m.member)
		}
	}
	for _, f := range requestFields() {
		vertex, marked := marks[markedMember{f.owner(), memberName(f.last())}]
		if !marked {
			continue
		}
		document := f.document(memberName, sample(f.last().Type))
		own, other := gemini.ForGeminiAPI(), gemini.ForVertexAI()
		if vertex {
			own, other = other, own
		}
		if !refusedAsExclusive(t, document, f.pointer(), other) {
			t.Errorf("%s is not refused", document)
		}
		if f.owner() != "ToolCall" && refusedAsExclusive(t, document, f.pointer(), own) {
			t.Errorf("%s is refused for its own backend", document)
		}
		if refusedAsExclusive(t, document, f.pointer()) {
			t.Errorf("%s is refused without a backend", document)
		}
	}
}

// refusedAsExclusive reports whether a member, or one above it, is refused because the backend does
// not have it.
func refusedAsExclusive(t *testing.T, document, pointer string,
	opts ...gemini.ValidateOption) bool {
	t.Helper()
	return slices.ContainsFunc(problemsOf(t, document, opts...), func(p validation.Violation) bool {
		return strings.HasPrefix(pointer+"/", p.Pointer+"/") && strings.HasPrefix(p.Want, "only ")
	})
}

// sentToBoth are members that only one of Google's descriptions has, but that its SDKs send to both
// backends.
var sentToBoth = map[string]string{
	"GenerateContentRequest.labels":      "newer SDKs send it to the Gemini API too",
	"GenerateContentRequest.serviceTier": "newer SDKs send it to Vertex AI too",
	"Part.audioTranscription":            "the SDKs know no restriction",
	"Part.speechMetadata":                "the SDKs know no restriction",
	"Part.mediaProcessing":               "the SDKs know no restriction",
	"VoiceConfig.replicatedVoiceConfig":  "the SDKs know no restriction",
	"FunctionResponsePart.fileData":      "a file of the Files API was answered by the Gemini API",
}

// The table is compared with Google's own descriptions of both backends.
func TestTheTableOfExclusiveMembersIsGooglesOwn(t *testing.T) {
	t.Parallel()
	matrix := readMatrix(t)
	table := map[string]bool{}
	for m, vertex := range exclusiveMembers(t) {
		name := m.message + "." + m.member
		table[name] = true
		if has, known := matrix[name]; known && (vertex && has.gemini || !vertex && has.vertex) {
			t.Errorf("%s: the other backend describes it", name)
		}
	}
	for _, f := range requestFields() {
		name := f.owner() + "." + memberName(f.last())
		has := matrix[name]
		if has.gemini == has.vertex || table[name] {
			continue
		}
		if sentToBoth[name] == "" &&
			!slices.ContainsFunc(f.parents(),
				func(parent string) bool { return table[parent] || sentToBoth[parent] != "" }) {
			t.Errorf("%s is described by one backend alone, and not in the table", name)
		}
	}
}

// parents are the members that contain a field.
func (f field) parents() []string {
	var out []string
	for i := 1; i < len(f.path); i++ {
		parent := field{path: f.path[:i]}
		out = append(out, parent.owner()+"."+memberName(parent.last()))
	}
	return out
}

type described struct{ gemini, vertex bool }

// readMatrix returns for each member which backend's descriptions or protocol buffers have it.
func readMatrix(t *testing.T) map[string]described {
	t.Helper()
	matrix := map[string]described{}
	for _, row := range readTable(t, "discovery/field_matrix.csv") {
		message := row["schema"]
		if message == "ResponseFormat" {
			message = "ResponseFormatConfig" // as all descriptions but this table call it
		}
		matrix[message+"."+row["field"]] = described{
			gemini: row["gemini_v1beta_disc_20260822"]+row["gemini_v1beta_proto"] != "",
			vertex: row["vertex_v1_disc_20261012"]+row["vertex_v1beta1_proto"] != "",
		}
	}
	return matrix
}
