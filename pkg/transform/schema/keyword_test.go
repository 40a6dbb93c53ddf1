package schema_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/transform/schema"
)

// vocabulary lists the keywords of JSON Schema 2020-12, and those that only drafts 4, 6, 7 and
// 2019-09 have.
var vocabulary = strings.Fields(`
	$schema $vocabulary $id $ref $defs $anchor $dynamicRef $dynamicAnchor $comment
	allOf anyOf oneOf not if then else dependentSchemas prefixItems items contains properties
	patternProperties additionalProperties propertyNames unevaluatedItems unevaluatedProperties
	type const enum multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength
	pattern maxItems minItems uniqueItems maxContains minContains maxProperties minProperties required
	dependentRequired title description default deprecated readOnly writeOnly examples format
	contentEncoding contentMediaType contentSchema
	id definitions dependencies additionalItems $recursiveRef $recursiveAnchor`)

func TestEveryKeywordIsKnownAndDocumentedAndTested(t *testing.T) {
	t.Parallel()
	all := vocabulary
	for _, keys := range keysOf {
		all = slices.Concat(all, keys)
	}
	all = slices.Concat(all, keysOfAll)
	all = slices.DeleteFunc(all, func(name string) bool { return name == "" })
	known := schema.Keywords()
	for _, name := range all {
		if !slices.Contains(known, name) {
			t.Errorf("%s is not known", name)
		}
	}
	documentation, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	var tests strings.Builder
	for _, document := range schemas {
		tests.WriteString(document)
	}
	for _, test := range refused {
		tests.WriteString(test.document)
	}
	for _, name := range known {
		word := regexp.MustCompile(`(?m)(^//\t|, )` + regexp.QuoteMeta(name) + `(,| |$)`)
		if !word.Match(documentation) {
			t.Errorf("%s is not in the package comment", name)
		}
		if !strings.Contains(tests.String(), `"`+name+`":`) {
			t.Errorf("%s is in no test", name)
		}
	}
}
