package gemini_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// field is a member that a payload can have, with the path to it from the root.
type field struct {
	payload string
	path    []reflect.StructField
	trip    func([]byte) ([]byte, error)
}

func (f field) last() reflect.StructField { return f.path[len(f.path)-1] }

func (f field) String() string {
	names := []string{f.payload}
	for _, step := range f.path {
		names = append(names, memberName(step))
	}
	return strings.Join(names, ".")
}

// document returns a payload in which the field, by the given name, has the given JSON. It has only
// the objects, lists and maps on the path to the field.
func (f field) document(name func(reflect.StructField) string, value string) string {
	out := fmt.Sprintf(`{%q:%s}`, name(f.last()), value)
	for _, step := range slices.Backward(f.path[:len(f.path)-1]) {
		switch step.Type.Kind() {
		case reflect.Slice:
			out = "[" + out + "]"
		case reflect.Map:
			out = `{"k":` + out + `}`
		}
		out = fmt.Sprintf(`{%q:%s}`, name(step), out)
	}
	return out
}

// fields returns every field that can be reached from the payloads, each type visited once.
func fields() []field {
	var out []field
	collect := func(payload string, root reflect.Type, trip func([]byte) ([]byte, error)) {
		seen := map[reflect.Type]bool{}
		var visit func(t reflect.Type, path []reflect.StructField)
		visit = func(t reflect.Type, path []reflect.StructField) {
			if seen[t] {
				return
			}
			seen[t] = true
			for step := range t.Fields() {
				if step.Name == "Unknown" {
					continue
				}
				here := append(slices.Clone(path), step)
				out = append(out, field{payload, here, trip})
				if element := message(step.Type); element != nil {
					visit(element, here)
				}
			}
		}
		visit(root, nil)
	}
	collect("request", reflect.TypeFor[geminiapi.GenerateContentRequest](),
		func(b []byte) ([]byte, error) {
			return roundTrip(b, gemini.DecodeRequest, gemini.EncodeRequest)
		})
	collect("response", reflect.TypeFor[geminiapi.GenerateContentResponse](),
		func(b []byte) ([]byte, error) {
			return roundTrip(b, gemini.DecodeResponse, gemini.EncodeResponse)
		})
	collect("countTokensRequest", reflect.TypeFor[geminiapi.CountTokensRequest](),
		func(b []byte) ([]byte, error) {
			return roundTrip(b, gemini.DecodeCountTokensRequest, gemini.EncodeCountTokensRequest)
		})
	collect("countTokensResponse", reflect.TypeFor[geminiapi.CountTokensResponse](),
		func(b []byte) ([]byte, error) {
			return roundTrip(b, gemini.DecodeCountTokensResponse, gemini.EncodeCountTokensResponse)
		})
	collect("modelList", reflect.TypeFor[geminiapi.ListModelsResponse](),
		roundTripOf[geminiapi.ListModelsResponse])
	collect("embedContentRequest", reflect.TypeFor[geminiapi.EmbedContentRequest](),
		roundTripOf[geminiapi.EmbedContentRequest])
	collect("embedContentResponse", reflect.TypeFor[geminiapi.EmbedContentResponse](),
		roundTripOf[geminiapi.EmbedContentResponse])
	collect("predictRequest", reflect.TypeFor[geminiapi.PredictRequest](),
		roundTripOf[geminiapi.PredictRequest])
	collect("predictResponse", reflect.TypeFor[geminiapi.PredictResponse](),
		roundTripOf[geminiapi.PredictResponse])
	collect("cachedContentList", reflect.TypeFor[geminiapi.ListCachedContentsResponse](),
		roundTripOf[geminiapi.ListCachedContentsResponse])
	collect("fileList", reflect.TypeFor[geminiapi.ListFilesResponse](),
		roundTripOf[geminiapi.ListFilesResponse])
	collect("batchList", reflect.TypeFor[geminiapi.ListBatchesResponse](),
		roundTripOf[geminiapi.ListBatchesResponse])
	collect("error", reflect.TypeFor[geminiapi.ErrorResponse](), func(b []byte) ([]byte, error) {
		var response geminiapi.ErrorResponse
		if err := json.Unmarshal(b, &response); err != nil {
			return nil, err
		}
		return json.Marshal(response)
	})
	return out
}

// message returns the struct type that t leads to through a pointer, a list or a map, or nil.
func message(t reflect.Type) reflect.Type {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		t = t.Elem()
	}
	if t.Kind() == reflect.Struct && t != reflect.TypeFor[wiretype.Int64]() {
		return t
	}
	return nil
}

func memberName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

// snakeName returns the name in the other spelling.
func snakeName(f reflect.StructField) string {
	var out strings.Builder
	for _, r := range memberName(f) {
		if unicode.IsUpper(r) {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}

// sample returns one canonical JSON value that a field of type t can hold.
func sample(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[jsontext.Value]():
		return `{"a_b":null}`
	case t == reflect.TypeFor[wiretype.Int64]():
		return `"40"`
	}
	switch t.Kind() {
	case reflect.Pointer:
		return sample(t.Elem())
	case reflect.Slice:
		return "[" + sample(t.Elem()) + "]"
	case reflect.Map:
		return `{"a_b":` + sample(t.Elem()) + "}"
	case reflect.Struct:
		return "{}"
	case reflect.String:
		return `"A_B"`
	case reflect.Int:
		return "40"
	case reflect.Float64:
		return "0.5"
	case reflect.Bool:
		return "true"
	default:
		panic("no sample for " + t.String())
	}
}

func tree(t *testing.T, data string) any {
	t.Helper()
	var out any
	if err := json.Unmarshal([]byte(data), &out); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	return out
}

// checkField decodes and encodes a document and compares the result.
func checkField(t *testing.T, f field, in, want string) {
	t.Helper()
	out, err := f.trip([]byte(in))
	if err != nil {
		t.Errorf("%v: %s: %v", f, in, err)
		return
	}
	if diff := cmp.Diff(tree(t, want), tree(t, string(out))); diff != "" {
		t.Errorf("%v: %s\n%s", f, in, diff)
	}
}

func TestEveryFieldSurvivesARoundTripInBothSpellings(t *testing.T) {
	t.Parallel()
	for _, f := range fields() {
		value := sample(f.last().Type)
		canonical := f.document(memberName, value)
		checkField(t, f, canonical, canonical)
		checkField(t, f, f.document(snakeName, value), canonical)
	}
}

func TestEveryFieldGivenAsNullIsAbsent(t *testing.T) {
	t.Parallel()
	empty := map[reflect.Kind]string{reflect.Pointer: `{}`, reflect.Slice: `[{}]`,
		reflect.Map: `{"k":{}}`}
	for _, f := range fields() {
		if f.last().Type == reflect.TypeFor[*geminiapi.NullValue]() {
			continue // the one null that is a value
		}
		if f.last().Name == "BlockReason" {
			continue // its presence says that the prompt was refused
		}
		want := "{}"
		if parents := f.path[:len(f.path)-1]; len(parents) > 0 {
			parent := field{f.payload, parents, f.trip}
			want = parent.document(memberName, empty[parent.last().Type.Kind()])
		}
		checkField(t, f, f.document(memberName, "null"), want)
	}
}

func TestUnknownMembersGivenAsNullStay(t *testing.T) {
	t.Parallel()
	for _, f := range fields() {
		misspelt := func(step reflect.StructField) string {
			if step.Name == f.last().Name {
				return memberName(step) + "X"
			}
			return memberName(step)
		}
		in := f.document(misspelt, "null")
		checkField(t, f, in, in)
	}
}

func TestEveryListAcceptsItsOnlyElementAlone(t *testing.T) {
	t.Parallel()
	lists := 0
	for _, f := range fields() {
		list := f.last().Type
		if list.Kind() != reflect.Slice || list == reflect.TypeFor[jsontext.Value]() {
			continue
		}
		lists++
		checkField(t, f, f.document(memberName, sample(list.Elem())),
			f.document(memberName, sample(list)))
	}
	if lists < 50 {
		t.Errorf("only %d lists found", lists)
	}
}

func TestEveryNumberAcceptsItsOtherForms(t *testing.T) {
	t.Parallel()
	forms := map[reflect.Kind][]string{
		reflect.Int:     {`40`, `40.0`, `4e1`, `"40"`, `"40.0"`},
		reflect.Float64: {`0.5`, `5e-1`, `"0.5"`, `"5E-1"`},
	}
	numbers := 0
	for _, f := range fields() {
		kind, wrap := f.last().Type, "%s"
		if kind.Kind() == reflect.Slice {
			wrap = "[%s]"
		}
		if kind.Kind() == reflect.Slice || kind.Kind() == reflect.Pointer {
			kind = kind.Elem()
		}
		for _, form := range forms[kind.Kind()] {
			numbers++
			checkField(t, f, f.document(memberName, fmt.Sprintf(wrap, form)),
				f.document(memberName, fmt.Sprintf(wrap, sample(kind))))
		}
	}
	if numbers < 200 {
		t.Errorf("only %d numbers found", numbers)
	}
}

func inspect(t *testing.T, path string, visit func(ast.Node)) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(node ast.Node) bool {
		visit(node)
		return true
	})
}

// typeName returns the name of a type without its package.
func typeName(expr ast.Expr) string {
	switch e := expr.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	default:
		return fmt.Sprintf("%T", expr)
	}
}
