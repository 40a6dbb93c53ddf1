package plainjsontest

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Spoil changes some strings, numbers and free-form values in v to values that are hard or
// impossible to write. It sets some lists, maps and pointers to nil. v must be a pointer to a
// struct.
func Spoil(r *rand.Rand, v any) {
	spoil(r, reflect.ValueOf(v).Elem())
}

func spoil(r *rand.Rand, v reflect.Value) {
	if !v.CanSet() || slices.Contains(unchangeable, formOf(v.Type())) {
		return
	}
	hit := r.IntN(16) == 0
	switch {
	case v.Type() == reflect.TypeFor[jsontext.Value]():
		if hit {
			v.SetBytes([]byte(spoiltValues[r.IntN(len(spoiltValues))]))
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			spoil(r, v.Field(i))
		}
	case hit && v.Kind() == reflect.String:
		v.SetString(spoiltStrings[r.IntN(len(spoiltStrings))])
	case hit && v.Kind() == reflect.Float64:
		v.SetFloat(spoiltFloats[r.IntN(len(spoiltFloats))])
	case hit && (v.Kind() == reflect.Slice || v.Kind() == reflect.Map ||
		v.Kind() == reflect.Pointer):
		v.SetZero()
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			spoil(r, v.Index(i))
		}
	case v.Kind() == reflect.Pointer && !v.IsNil():
		spoil(r, v.Elem())
	}
}

// These tables are never modified.
var (
	unchangeable = []form{formQuotedInt64, formMediaURL, formStringOr, formOneOrList, formNullable}

	spoiltStrings = []string{"", "\xff", "a\xc3", "\x00\x1f\x7f", "<>&\u2028", "\"\\/", "🗼",
		"\xed\xa0\x80", "é"}
	spoiltFloats = []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 1e21,
		1e-7, math.MaxFloat64, math.SmallestNonzeroFloat64, 100000}
	spoiltValues = []string{
		``, ` `, `{}`, ` { } `, `null`, `{"a" : [ 1 , "b c" ] }`, `{"a":1,"a":2}`,
		`{"a":1,"\u0061":2}`, `{"a":"\ud800"}`, `{"a":1}x`, `{"a"`, `[1,]`, `01`, `1.`, `"`,
		`{"text":"known"}`, `{"unheardOf":{"x":1},"unheardOf2":" "}`, "{\"a\":\"\xff\"}",
		"\"\x01\"", `nul`, `-`,
		`{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1,"k":1,"l":1,"m":1,"n":1,"o":1,"p":1,"q":1,"r":1}`,
		`{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1,"k":1,"l":1,"m":1,"n":1,"o":1,"p":1,"q":1,"q":1}`,
	}
)
