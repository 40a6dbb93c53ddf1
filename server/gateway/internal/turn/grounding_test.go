package turn_test

import (
	"reflect"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/server/gateway/internal/turn"
	"github.com/go-json-experiment/json/jsontext"
)

// withValue returns a tool with one field set.
func withValue(t *testing.T, field int) geminiapi.Tool {
	t.Helper()
	var tool geminiapi.Tool
	f := reflect.ValueOf(&tool).Elem().Field(field)
	switch f.Kind() {
	case reflect.Pointer:
		f.Set(reflect.New(f.Type().Elem()))
	case reflect.Slice:
		f.Set(reflect.MakeSlice(f.Type(), 1, 1))
	default:
		t.Fatalf("a field of the kind %v", f.Kind())
	}
	return tool
}

// A new tool in the description fails this test until mayGround lists it.
func TestEachToolButThoseWithoutSourcesMayGroundAnAnswer(t *testing.T) {
	t.Parallel()
	withoutSources := map[string]bool{
		"FunctionDeclarations": true, "CodeExecution": true, "ComputerUse": true,
	}
	kind := reflect.TypeFor[geminiapi.Tool]()
	for i := range kind.NumField() {
		name := kind.Field(i).Name
		request := geminiapi.GenerateContentRequest{Tools: []geminiapi.Tool{{}, withValue(t, i)}}
		if got := turn.MayBeGrounded(&request); got == withoutSources[name] {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestCachedContentAndUnknownMembersMayGroundAnAnswer(t *testing.T) {
	t.Parallel()
	if turn.MayBeGrounded(&geminiapi.GenerateContentRequest{}) {
		t.Error("an empty request may be grounded")
	}
	for name, request := range map[string]geminiapi.GenerateContentRequest{
		"cached content": {CachedContent: new("cachedContents/a")},
		"unknown":        {Unknown: jsontext.Value(`{"grounding":true}`)},
	} {
		if !turn.MayBeGrounded(&request) {
			t.Errorf("%s: no", name)
		}
	}
}
