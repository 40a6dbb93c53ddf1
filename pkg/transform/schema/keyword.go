package schema

// keyword is a member that a schema may have.
type keyword struct {
	name string
	// about are the types that the keyword applies to, or 0 if it does not depend on the type.
	about typeSet
	// treatment is how the keyword is converted.
	treatment treatment
	// read reads a value of the keyword into a shape.
	read func(c *converter, s *shape, v *value, jumps *jump)
	// takesNull is true if null is a valid value. For other keywords null counts as absent.
	takesNull bool
	// isData is true if the value is not a schema and contains none.
	isData bool
	// why explains a loss; it is the detail of the report's entry.
	why string
}

// treatment is how a keyword is converted.
type treatment int

const (
	taken    treatment = iota // Its function reads it into the shape.
	merged                    // It is a list of schemas that all apply.
	followed                  // It refers to a schema that applies too.
	deferred                  // It is lost, unless a reference refers to it.
	lost                      // Gemini's form cannot express it.
)

// These are the reasons why keywords are lost that Gemini's form cannot express.
const (
	whyUnreferenced = "no reference uses it"
	whyUnknown      = "unknown keyword, which the API would refuse"
	whyDialect      = "it says how to read the document, and Gemini's schema has no such keyword"
	whyRemark       = "it is a remark, and Gemini's schema has no such keyword"
	whyAccess       = "it is a remark about the use of the value, and Gemini's schema has no such keyword"
	whyCondition    = "Gemini's schema has no conditions"
	whyNot          = "Gemini's schema cannot exclude values"
	whyNames        = "Gemini's schema has no rules for property names"
	whyElements     = "Gemini's schema has no such rule for the elements of a list"
	whyMultiple     = "Gemini's schema limits only the size of numbers"
	whyContent      = "Gemini's schema cannot describe the content of a string"
)

// keywords are all known members of a schema. They come from JSON Schema 2020-12, its older drafts,
// OpenAPI 3.0 and Gemini's form.
var keywords = []keyword{
	{treatment: deferred, why: whyUnknown}, // all unknown keywords
	{name: "type", read: (*converter).readType},
	{name: "nullable", read: (*converter).readNullable},
	{name: "enum", isData: true, read: (*converter).readEnum},
	{name: "const", isData: true, read: (*converter).readConst, takesNull: true},

	{name: "title", read: (*converter).readTitle},
	{name: "description", read: (*converter).readDescription},
	{name: "default", isData: true, read: (*converter).readDefault, takesNull: true},
	{name: "example", isData: true, read: (*converter).readExample, takesNull: true},
	{name: "examples", isData: true, read: (*converter).readExamples},
	{name: "format", read: (*converter).readFormat},

	{name: "pattern", about: typeString, read: (*converter).readPattern},
	{name: "minLength", about: typeString, read: readLength(minLength)},
	{name: "maxLength", about: typeString, read: readLength(maxLength)},
	{name: "contentEncoding", about: typeString, treatment: lost, why: whyContent},
	{name: "contentMediaType", about: typeString, treatment: lost, why: whyContent},
	{name: "contentSchema", about: typeString, treatment: lost, why: whyContent},

	{name: "minimum", about: typeNumeric, read: (*converter).readMinimum},
	{name: "maximum", about: typeNumeric, read: (*converter).readMaximum},
	{name: "exclusiveMinimum", about: typeNumeric, read: (*converter).readExclusiveMinimum},
	{name: "exclusiveMaximum", about: typeNumeric, read: (*converter).readExclusiveMaximum},
	{name: "multipleOf", about: typeNumeric, treatment: lost, why: whyMultiple},

	{name: "properties", about: typeObject, read: (*converter).readProperties},
	{name: "required", about: typeObject, read: (*converter).readRequired},
	{name: "propertyOrdering", about: typeObject, read: (*converter).readOrdering},
	{name: "minProperties", about: typeObject, read: readLength(minProperties)},
	{name: "maxProperties", about: typeObject, read: readLength(maxProperties)},
	{name: "additionalProperties", about: typeObject, read: (*converter).readAdditional},
	{name: "patternProperties", about: typeObject, treatment: lost, why: whyNames},
	{name: "propertyNames", about: typeObject, treatment: lost, why: whyNames},
	{name: "unevaluatedProperties", about: typeObject, treatment: lost, why: whyNames},
	{name: "dependentRequired", about: typeObject, treatment: lost, why: whyCondition},
	{name: "dependentSchemas", about: typeObject, treatment: lost, why: whyCondition},
	{name: "dependencies", about: typeObject, treatment: lost, why: whyCondition},

	{name: "items", about: typeArray, read: (*converter).readItems},
	{name: "prefixItems", about: typeArray, read: (*converter).readPrefix},
	{name: "additionalItems", about: typeArray, read: (*converter).readAdditionalItems},
	{name: "minItems", about: typeArray, read: readLength(minItems)},
	{name: "maxItems", about: typeArray, read: readLength(maxItems)},
	{name: "uniqueItems", about: typeArray, treatment: lost, why: whyElements},
	{name: "contains", about: typeArray, treatment: lost, why: whyElements},
	{name: "minContains", about: typeArray, treatment: lost, why: whyElements},
	{name: "maxContains", about: typeArray, treatment: lost, why: whyElements},
	{name: "unevaluatedItems", about: typeArray, treatment: lost, why: whyElements},

	{name: "anyOf", read: (*converter).readChoice},
	{name: "oneOf", read: (*converter).readChoice},
	{name: "allOf", treatment: merged},
	{name: "not", treatment: lost, why: whyNot},
	{name: "if", treatment: lost, why: whyCondition},
	{name: "then", treatment: lost, why: whyCondition},
	{name: "else", treatment: lost, why: whyCondition},

	{name: "$ref", treatment: followed},
	{name: "$dynamicRef", treatment: followed},
	{name: "$recursiveRef", treatment: followed},
	{name: "$defs", treatment: deferred, why: whyUnreferenced},
	{name: "definitions", treatment: deferred, why: whyUnreferenced},
	{name: "$id", treatment: deferred, why: whyDialect},
	{name: "id", treatment: deferred, why: whyDialect},
	{name: "$anchor", treatment: deferred, why: whyDialect},
	{name: "$dynamicAnchor", treatment: deferred, why: whyDialect},
	{name: "$recursiveAnchor", treatment: lost, why: whyDialect},
	{name: "$schema", treatment: lost, why: whyDialect},
	{name: "$vocabulary", treatment: lost, why: whyDialect},

	{name: "$comment", treatment: lost, why: whyRemark},
	{name: "deprecated", treatment: lost, why: whyRemark},
	{name: "readOnly", treatment: lost, why: whyAccess},
	{name: "writeOnly", treatment: lost, why: whyAccess},
}

// positions maps names to keywords. All other names map to the unknown keyword.
var positions = positionsOf(keywords)

func positionsOf(list []keyword) map[string]uint8 {
	out := make(map[string]uint8, len(list))
	for i := range list {
		out[list[i].name] = uint8(i)
	}
	return out
}

// keyword returns the keyword of a schema's member.
func (v *value) keyword() *keyword {
	if v.meaning == 0 {
		v.meaning = positions[v.name] + 1
	}
	return &keywords[v.meaning-1]
}
