package jsonx_test

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"gopkg.in/yaml.v3"
)

// TestANumberOfAnEnumBecomesItsNameOrStaysANumber compares every enum member of Gemini's types with
// the numbers in the description.
func TestANumberOfAnEnumBecomesItsNameOrStaysANumber(t *testing.T) {
	t.Parallel()
	numbers, named := enumNumbers(t), 0
	for _, typ := range wireTypes() {
		if !strings.HasPrefix(typ.String(), "geminiapi.") {
			continue
		}
		for field := range typ.Fields() {
			enum := field.Type
			for enum.Kind() == reflect.Pointer ||
				enum.Kind() == reflect.Slice && enum.Name() == "" {
				enum = enum.Elem()
			}
			if !reflect.PointerTo(enum).Implements(reflect.TypeFor[json.UnmarshalerFrom]()) ||
				enum.Kind() != reflect.String {
				continue
			}
			form := `{%q:%s}`
			if field.Type.Kind() == reflect.Slice {
				form = `{%q:[%s]}`
			}
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			for value, number := range numbers[enum.Name()] {
				named++
				checkRewritten(t, typ, fmt.Sprintf(form, name, fmt.Sprint(number)),
					fmt.Sprintf(form, name, `"`+value+`"`))
				checkRewritten(t, typ, fmt.Sprintf(form, name, fmt.Sprintf(`"%d"`, number)),
					fmt.Sprintf(form, name, `"`+value+`"`))
			}
			for _, number := range []string{"987654", "-1"} {
				checkRewritten(t, typ, fmt.Sprintf(form, name, number),
					fmt.Sprintf(form, name, number))
			}
		}
	}
	if named < 150 {
		t.Errorf("only %d numbers have names", named)
	}
}

// checkRewritten reads and writes a document by all libraries.
func checkRewritten(t *testing.T, typ reflect.Type, document, want string) {
	t.Helper()
	v := readByMember(t, typ, document)
	checkRead(t, v, document)
	checkWritten(t, v)
	if got, err := json.Marshal(v, jsonx.Canonical); err != nil || string(got) != want {
		t.Errorf("%v: %s becomes %s, %v; want %s", typ, document, jsontext.Value(got), err, want)
	}
}

// enumNumbers returns the protocol numbers of the values of each enum of Gemini's description.
func enumNumbers(t *testing.T) map[string]map[string]int {
	t.Helper()
	data, err := os.ReadFile("../../api/openapi/gemini.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Components struct {
			Schemas map[string]struct {
				Enum    []string       `yaml:"enum"`
				Numbers map[string]int `yaml:"x-enum-numbers"`
			} `yaml:"schemas"`
		} `yaml:"components"`
	}
	if err := yaml.Unmarshal(data, &document); err != nil {
		t.Fatal(err)
	}
	out := map[string]map[string]int{}
	for name, schema := range document.Components.Schemas {
		out[name] = schema.Numbers
	}
	return out
}
