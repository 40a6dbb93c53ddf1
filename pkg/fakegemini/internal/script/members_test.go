package script

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/fakegemini/internal/fault"
)

// types are the Go types of the kinds of objects.
var types = map[object]reflect.Type{
	scriptObject:     reflect.TypeFor[Script](),
	fixtureObject:    reflect.TypeFor[Fixture](),
	matchObject:      reflect.TypeFor[Match](),
	toolResultObject: reflect.TypeFor[ToolResult](),
	textObject:       reflect.TypeFor[Text](),
	answerObject:     reflect.TypeFor[Answer](),
	blockObject:      reflect.TypeFor[Block](),
	callObject:       reflect.TypeFor[Call](),
	dataObject:       reflect.TypeFor[Data](),
	faultObject:      reflect.TypeFor[fault.Fault](),
}

func TestSuggestionsKnowTheNamesOfEveryObject(t *testing.T) {
	t.Parallel()
	for _, kind := range objects {
		var names []string
		for field := range types[kind].Fields() {
			if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "-" {
				names = append(names, name)
			}
		}
		if !slices.Equal(names, members[kind]) {
			t.Errorf("%s has %q, and the table %q", kind, names, members[kind])
		}
	}
	if len(types) != len(objects) || len(members) != len(objects) {
		t.Errorf("%d objects, %d types, %d lists of members", len(objects), len(types),
			len(members))
	}
}

func TestEveryFaultIsAnErrorOrHasAFailure(t *testing.T) {
	t.Parallel()
	for _, kind := range fault.Kinds() {
		f := fault.Fault{Kind: kind}
		if failures[kind] == nil && !f.IsError() && kind != fault.Large {
			t.Errorf("%s does nothing", kind)
		}
	}
}
