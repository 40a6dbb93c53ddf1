package plainjsontest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strconv"
	"testing"
)

// Samples returns plain JSON values for a type. The values of enums come from [Enums].
func Samples(t reflect.Type, enums map[string][]string) []string {
	switch f := formOf(t); f {
	case formPointer:
		return Samples(t.Elem(), enums)
	case formEnum:
		var out []string
		for _, value := range enums[t.String()] {
			out = append(out, strconv.Quote(value))
		}
		return out
	case formList, formNullableList:
		return lists(Samples(elem(t), enums))
	case formMap:
		values := Samples(t.Elem(), enums)
		return []string{`{}`, `{"b":` + values[0] + `,"a\"é":` + values[len(values)-1] + `}`}
	case formStringOr:
		return append(Samples(elem(t), enums), samples[formString]...)
	case formOneOrList:
		return append(Samples(elem(t), enums), lists(Samples(elem(t), enums))...)
	case formNullable:
		return append(Samples(elem(t), enums), "null")
	default:
		return samples[f]
	}
}

func lists(elements []string) []string {
	all := ""
	for _, element := range elements {
		all += "," + element
	}
	return []string{`[]`, `[` + elements[0] + `]`, `[` + all[1:] + `]`}
}

// samples is never modified.
var samples = map[form][]string{
	formString: {`"text"`, `""`,
		`"a \"quoted\" \\ \n\t\b\f\r\u0001 \u00e9\ud83d\ude00 / é – 灯台 🗼 <&>"`, `"model"`},
	formBool:        {`true`, `false`},
	formInt:         {`0`, `-1`, `40`, `123456789012345678`},
	formFloat:       {`0`, `-0`, `0.5`, `-1e-7`, `1E+21`, `0.1234567890123456789`, `40`},
	formValue:       {`{"b":[1.50,{"c":null}],"a":"\u003c"}`, `[]`, `"text"`, `-1e400`, `true`},
	formObject:      {`{}`, `{"unheardOf":[1,{"a":null}],"unheardOfToo":null}`},
	formQuotedInt64: {`"40"`, `3`, `3.0`, `"-9223372036854775808"`},
	formMediaURL:    {`"data:image/png;base64,AAAA"`, `"https://example.com/é"`, `""`},
}

// Enums returns the values of the enums in generated files, by package and type.
func Enums(t testing.TB, paths ...string) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		collectEnums(file, out)
	}
	return out
}

func collectEnums(file *ast.File, out map[string][]string) {
	ast.Inspect(file, func(node ast.Node) bool {
		spec, ok := node.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		name, isNamed := spec.Type.(*ast.Ident)
		literal, isLiteral := spec.Values[0].(*ast.BasicLit)
		if isNamed && isLiteral {
			if value, err := strconv.Unquote(literal.Value); err == nil {
				enum := file.Name.Name + "." + name.Name
				out[enum] = append(out[enum], value)
			}
		}
		return true
	})
}
