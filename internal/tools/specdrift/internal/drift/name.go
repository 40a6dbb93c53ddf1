package drift

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/openapi"
	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/shape"
)

const componentPrefix = "/components/schemas/"

// Component returns the key of the component schema at a pointer, and whether there is one: the
// pointer must be the component's own, not of something inside.
func Component(pointer string) (string, bool) {
	key, found := strings.CutPrefix(pointer, componentPrefix)
	if !found || strings.Contains(key, "/") {
		return "", false
	}
	return openapi.UnescapePointer(key), true
}

// shownNames is how many alternatives a name spells out.
const shownNames = 3

// SchemaName says where in the document schemas stand, as a reader would: the component and the
// members below it, as in Candidate.finishReason, Tool.functionDeclarations[] and Schema.properties{}.
func SchemaName(schemas ...*openapi.Value) string {
	var names []string
	for _, v := range schemas {
		if name := schemaName(v.Pointer); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if more := len(names) - shownNames; more > 0 {
		names = append(names[:shownNames], fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, " | ")
}

func schemaName(pointer string) string {
	path, inComponent := strings.CutPrefix(pointer, componentPrefix)
	if !inComponent {
		return pointer
	}
	tokens := openapi.Tokens("/" + path)
	var b strings.Builder
	b.WriteString(tokens[0])
	for i := 1; i < len(tokens); i++ {
		switch tokens[i] {
		case "properties":
			if i++; i < len(tokens) {
				b.WriteString("." + tokens[i])
			}
		case "items":
			b.WriteString("[]")
		case "additionalProperties":
			b.WriteString("{}")
		case "oneOf", "anyOf", "allOf", "prefixItems", "patternProperties":
			i++ // which of the alternatives matters little
		}
	}
	return b.String()
}

// describedDepth is how many lists and maps inside each other a description follows.
const describedDepth = 3

// describe says in a few words what schemas admit. A schema that cannot be read is not described; the
// walk or the stub meets its error.
func (s side) describe(schemas ...*openapi.Value) string {
	return s.describeTo(describedDepth, schemas)
}

func (s side) describeTo(depth int, schemas []*openapi.Value) string {
	canonical, err := s.CanonicalSet(schemas)
	if err != nil || depth == 0 {
		return "..."
	}
	if len(canonical) == 1 {
		if name, ok := Component(canonical[0].Pointer); ok {
			return name
		}
	}
	sh, err := s.Of(canonical...)
	switch {
	case err != nil:
		return "..."
	case sh.Any:
		return "anything"
	}
	words := make([]string, len(sh.Types))
	for i, t := range sh.Types {
		words[i] = s.describeType(depth, sh, t)
	}
	return strings.Join(words, " or ")
}

func (s side) describeType(depth int, sh *shape.Shape, t shape.Type) string {
	switch {
	case t == shape.Array && len(sh.Items) > 0:
		return "list of " + s.describeTo(depth-1, sh.Items)
	case t == shape.Object && len(sh.MapValues) > 0 && len(sh.Properties) == 0:
		return "map of " + s.describeTo(depth-1, sh.MapValues)
	case sh.Lists(t) && !sh.IsOpen(t):
		return fmt.Sprintf("enum of %d", len(sh.Values(t)))
	case len(sh.Formats[t]) > 0:
		return string(t) + " " + sh.Formats[t][0]
	}
	return string(t)
}
