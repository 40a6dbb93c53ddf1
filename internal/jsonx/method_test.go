package jsonx_test

import (
	"bytes"
	stdjson "encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/test/plainjsontest"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// The expected results in this file are the library's results for a type with its struct tags, with
// the options for JSON that is not plain. The tests of package plainjson compare the generated
// codecs with the same results.

func TestEveryTypeIsReadAndWrittenTheSameByAllLibraries(t *testing.T) {
	t.Parallel()
	enums := plainjsontest.Enums(t, geminiSource, openaiSource, anthropicSource)
	for _, typ := range wireTypes() {
		t.Run(typ.String(), func(t *testing.T) {
			t.Parallel()
			for _, document := range documents(typ, enums) {
				want := readByMember(t, typ, document)
				checkRead(t, want, document)
				checkWritten(t, want)
			}
		})
	}
}

// documents returns JSON of a type: unknown members, each member alone with each of its samples,
// and all members at once.
func documents(typ reflect.Type, enums map[string][]string) []string {
	out := []string{`{}`, `{"unheardOf":[1,{"a":null}],"unheardOf_too":null,"b":1.50}`}
	var all []string
	for field := range typ.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" {
			continue
		}
		samples := plainjsontest.Samples(field.Type, enums)
		for _, value := range samples {
			out = append(out, `{"`+name+`":`+value+`}`)
		}
		all = append(all, `"`+name+`":`+samples[0])
	}
	return append(out, "{"+strings.Join(all, ",")+"}")
}

// readByMember returns a pointer to a value of the type.
func readByMember(t *testing.T, typ reflect.Type, document string) any {
	t.Helper()
	v := reflect.New(typ).Interface()
	if err := json.Unmarshal([]byte(document), v, jsonx.ReadByMember); err != nil {
		t.Fatalf("%s: %v", document, err)
	}
	return v
}

// checkRead reads a document with all libraries into a value that is not empty.
func checkRead(t *testing.T, want any, document string) {
	t.Helper()
	for name, unmarshal := range map[string]func([]byte, any) error{
		"encoding/json": stdjson.Unmarshal,
		"v2":            func(data []byte, v any) error { return json.Unmarshal(data, v) },
	} {
		got := reflect.New(reflect.TypeOf(want).Elem())
		got.Elem().FieldByName("Unknown").SetBytes([]byte(`{"before":1}`))
		if err := unmarshal([]byte(document), got.Interface()); err != nil {
			t.Errorf("%s: %s: %v", name, document, err)
		} else if !reflect.DeepEqual(want, got.Interface()) {
			t.Errorf("%s: %s is read otherwise:\n%s", name, document,
				cmp.Diff(want, got.Interface(), exportAll))
		}
	}
}

var exportAll = cmp.Exporter(func(reflect.Type) bool { return true })

// checkWritten writes a value with all libraries, alone and within values that are not addressable.
func checkWritten(t *testing.T, v any) {
	t.Helper()
	want, err := json.Marshal(v, jsonx.Canonical)
	if err != nil {
		t.Fatal(err)
	}
	value := reflect.ValueOf(v).Elem().Interface()
	for _, tt := range []struct {
		in   any
		want string
	}{
		{v, string(want)},
		{value, string(want)},
		{map[string]any{"k": value}, `{"k":` + string(want) + `}`},
		{struct{ V any }{v}, `{"V":` + string(want) + `}`},
	} {
		out, err := json.Marshal(tt.in, jsontext.PreserveRawStrings(true))
		if err != nil || string(out) != tt.want {
			t.Errorf("v2: %s and error %v, want %s", out, err, tt.want)
		}
		var escaped bytes.Buffer
		stdjson.HTMLEscape(&escaped, []byte(tt.want))
		out, err = stdjson.Marshal(tt.in)
		if err != nil || string(out) != escaped.String() {
			t.Errorf("encoding/json: %s and error %v, want %s", out, err, tt.want)
		}
	}
}

func TestEveryMemberOfGeminiIsReadInSnakeCase(t *testing.T) {
	t.Parallel()
	enums := plainjsontest.Enums(t, geminiSource)
	for _, typ := range wireTypes() {
		if !strings.HasPrefix(typ.String(), "geminiapi.") {
			continue
		}
		for field := range typ.Fields() {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if name == "" {
				continue
			}
			for _, value := range plainjsontest.Samples(field.Type, enums) {
				want := readByMember(t, typ, `{"`+name+`":`+value+`}`)
				checkRead(t, want, `{"`+snakeCase(name)+`":`+value+`}`)
			}
		}
	}
}

func snakeCase(name string) string {
	var out strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}

func TestATypeIsEmptyWhenNoMemberIsSet(t *testing.T) {
	t.Parallel()
	enums := plainjsontest.Enums(t, geminiSource, openaiSource, anthropicSource)
	for _, typ := range wireTypes() {
		for _, document := range documents(typ, enums) {
			v := readByMember(t, typ, document)
			want := reflect.ValueOf(v).Elem().IsZero()
			if got := v.(interface{ IsEmpty() bool }).IsEmpty(); got != want {
				t.Errorf("%v: %s: %v", typ, document, got)
			}
		}
	}
}
