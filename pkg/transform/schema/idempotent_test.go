package schema_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/google/go-cmp/cmp"
)

func TestAResultConvertsToItself(t *testing.T) {
	t.Parallel()
	for name, document := range schemas {
		for mode, opts := range modes {
			t.Run(name+" for "+mode, func(t *testing.T) {
				t.Parallel()
				first, report := visible(t, document, opts...)
				if report == nil && strings.HasPrefix(first, "schema: ") {
					return
				}
				again, report := visible(t, withSmallTypes(first), opts...)
				if diff := cmp.Diff(first, again); diff != "" {
					t.Errorf("another result (-first +again):\n%s", diff)
				}
				for _, e := range report {
					if !isFreeObject(e) {
						t.Errorf("not as it is: %s", e)
					}
				}
			})
		}
	}
}

// withSmallTypes writes the types of a result in lower case, as in JSON Schema.
func withSmallTypes(result string) string {
	for name := range keysOf {
		result = strings.ReplaceAll(result, `"type":"`+name+`"`,
			`"type":"`+strings.ToLower(name)+`"`)
	}
	return result
}

// isFreeObject reports whether an entry is about an object without any keywords. Its result has the
// same meaning in JSON Schema, and a different one in Gemini's form.
func isFreeObject(e report.Entry) bool {
	return e.Kind == report.Approximated &&
		strings.HasPrefix(e.Detail, "all properties are allowed")
}
