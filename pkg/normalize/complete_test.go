package normalize_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/go-json-experiment/json/jsontext"
)

// The corpus holds what has been recorded so far; these responses hold every member that the
// description knows, so that one which is added there and forgotten here fails the test.
func TestNothingOfTheDescriptionIsLost(t *testing.T) {
	t.Parallel()
	f := filler{}
	blocked, everything, known := f.response(), f.response(), f.response()
	everything.PromptFeedback.BlockReason = nil
	known.PromptFeedback.BlockReason = nil
	withoutUnknown(reflect.ValueOf(known))
	tests := map[string]*geminiapi.GenerateContentResponse{"everything": everything, "blocked": blocked, "known members": known}
	for name, part := range f.parts() {
		tests[name] = &geminiapi.GenerateContentResponse{Candidates: []geminiapi.Candidate{{
			Content: &geminiapi.Content{Parts: []geminiapi.Part{part}},
		}}}
	}
	total := 0
	for name, r := range tests {
		data, err := gemini.EncodeResponse(r)
		if err != nil {
			t.Fatal(err)
		}
		total += everyLeafShows(t, name, data, 1<<40)
	}
	if total < 2000 {
		t.Errorf("only %d leaves: the responses are not filled", total)
	}
}

// filler gives every member of a value a content of its own.
type filler struct{ next int }

func (f *filler) response() *geminiapi.GenerateContentResponse {
	r := &geminiapi.GenerateContentResponse{}
	f.fill(reflect.ValueOf(r).Elem())
	return r
}

// parts returns, for every member of a part, a part with it alone and one with all others: a part
// of the wire has one payload, and which one it is decides what becomes of the rest.
func (f *filler) parts() map[string]geminiapi.Part {
	out := map[string]geminiapi.Part{}
	typ := reflect.TypeFor[geminiapi.Part]()
	for i := range typ.NumField() {
		alone, others := reflect.New(typ).Elem(), reflect.New(typ).Elem()
		f.fill(alone.Field(i))
		out["part with "+typ.Field(i).Name] = alone.Interface().(geminiapi.Part)
		f.fill(others)
		others.Field(i).SetZero()
		out["part without "+typ.Field(i).Name] = others.Interface().(geminiapi.Part)
	}
	return out
}

func (f *filler) fill(v reflect.Value) {
	f.next++
	switch {
	case v.Type() == reflect.TypeFor[jsontext.Value]():
		v.SetBytes(fmt.Appendf(nil, `{"free%d":%d}`, f.next, f.next))
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem())
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		f.fill(v.Index(0))
	case v.Kind() == reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		elem := reflect.New(v.Type().Elem()).Elem()
		f.fill(elem)
		v.SetMapIndex(reflect.ValueOf(fmt.Sprint("key", f.next)), elem)
	case v.Kind() == reflect.Struct && v.NumField() > 0 && v.Type().Field(0).IsExported():
		for i := range v.NumField() {
			f.fill(v.Field(i))
		}
	case v.Kind() == reflect.Struct: // an opaque value such as a 64-bit integer
	case v.Kind() == reflect.String:
		v.SetString(fmt.Sprint("text", f.next))
	case v.Kind() == reflect.Bool:
		v.SetBool(f.next%2 == 0)
	case v.CanInt():
		v.SetInt(int64(f.next))
	case v.CanFloat():
		v.SetFloat(float64(f.next) + 0.5)
	default:
		panic("no content for a " + v.Type().String())
	}
}

// withoutUnknown removes the unknown members everywhere, which keep copies in Extra alive.
func withoutUnknown(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			withoutUnknown(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			withoutUnknown(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Name == "Unknown" {
				v.Field(i).SetZero()
			} else if v.Type().Field(i).IsExported() {
				withoutUnknown(v.Field(i))
			}
		}
	}
}
