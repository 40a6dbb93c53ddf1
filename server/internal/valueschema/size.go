package valueschema

import (
	"fmt"
	"slices"
	"strings"
)

// Bounds of a schema. The library's time grows with the cube of the nesting, and with the square of
// the number of schemas with their own URL. Within these bounds it takes a second or two.
const (
	maxDepth     = 256
	maxAddresses = 2000
)

// checkSize refuses a schema that takes too long to load.
func checkSize(document any) error {
	addresses := map[string]bool{}
	if !collect(document, maxDepth, addresses) {
		return fmt.Errorf("the schema must be nested at most %d levels deep", maxDepth)
	}
	if len(addresses) > maxAddresses {
		const format = "the schema must have at most %d different $id, $anchor and $ref to places outside of $defs"
		return fmt.Errorf(format, maxAddresses)
	}
	return nil
}

// collect collects the URLs in a value, except those under $defs, which are cheap. It reports false
// if the value has more levels than remain.
func collect(value any, levels int, addresses map[string]bool) bool {
	if levels < 0 {
		return false
	}
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			if text, isText := member.(string); isText && isAddress(name, text) {
				addresses[name+" "+text] = true
			}
			if !collect(member, levels-1, addresses) {
				return false
			}
		}
	case []any:
		return !slices.ContainsFunc(value,
			func(element any) bool { return !collect(element, levels-1, addresses) })
	}
	return true
}

// isAddress reports whether a member gives a schema a URL, or refers to a URL outside of $defs.
func isAddress(name, text string) bool {
	switch strings.TrimPrefix(name, "$") {
	case "id", "anchor", "dynamicAnchor":
		return true
	case "ref", "dynamicRef", "recursiveRef":
		_, rest, isLocal := strings.Cut(text, "#/")
		list, _, _ := strings.Cut(rest, "/")
		return !isLocal || list != "$defs" && list != "definitions"
	default:
		return false
	}
}
