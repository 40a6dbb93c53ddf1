// Package schema converts JSON Schema, as tools and response formats of other APIs use it, to
// Gemini's own schemas. It reports what those cannot express.
//
//	parameters, report, err := schema.FromJSON(tool.Parameters, schema.ForParameters())
//	if errors.Is(err, schema.ErrCycle) {
//		// Only parametersJsonSchema can express it.
//	}
//
// # Gemini's form
//
// The API's parameters and responseSchema use a reduced OpenAPI 3.0 dialect with 22 keys. The API
// answers HTTP 400 to any other key. It also refuses:
//
//   - a list of types;
//   - a list of values for a type other than string, or with an empty string in it;
//   - an ARRAY without items;
//   - a required property that is not declared;
//   - on Vertex AI, any key next to anyOf.
//
// The results of this package have none of these. They have a type everywhere except next to anyOf,
// only keys that fit the type, and at least two alternatives in each anyOf, which are not nested.
//
// # What is read
//
// A document is a JSON object or a boolean. It may be in any draft of JSON Schema from 4 to
// 2020-12, in OpenAPI 3.0, or already in Gemini's form; a result converts to itself. Types are read
// in any letter case. A keyword that is null counts as absent, unless null is one of its values. A
// keyword with an invalid value is lost, with an entry in the report.
//
// # How each keyword is converted
//
//	type               one type stays; with null it is nullable; of several, each becomes an alternative;
//	                   a missing one is inferred from the other keywords: added
//	nullable           stays
//	enum, const        strings: a list; null in it: nullable; numbers: minimum and maximum; if other values
//	                   lie between, approximated, and the description lists the values; one boolean:
//	                   in the description, approximated; next to the type string, others become strings:
//	                   approximated; lists and objects: lost
//	title, description stay; before the one of an alternative, a description is a paragraph of its own
//	default, example   stay; among alternatives, in the first one of their type, or else lost
//	examples           the first is the example, others are lost
//	format             stays, also if Gemini does not know it
//	pattern            stays
//	minLength, maxLength, minItems, maxItems, minProperties, maxProperties
//	                   stay
//	minimum, maximum   stay; approximated if no float64 equals the number
//	exclusiveMinimum, exclusiveMaximum
//	                   for integers the next one; for numbers inclusive: approximated; also the booleans of
//	                   draft 4
//	properties         stay, in the order of propertyOrdering; one that is false is omitted: lost
//	propertyOrdering   stays; if it is missing, the order in the document, for two or more properties
//	required           stays; a property that is not declared: lost
//	additionalProperties
//	                   lost, but kept for Vertex AI (ForVertexAI)
//	items              stays; a missing one is a scalar: added; a list is like prefixItems
//	prefixItems, additionalItems
//	                   items that allow what any of the schemas does: approximated; false after them: maxItems
//	anyOf              stays; see below
//	oneOf              like anyOf: approximated
//	allOf              merged; see below
//	$ref               replaced by its target; see below
//	$dynamicRef, $recursiveRef
//	                   like $ref: approximated
//	$defs, definitions inlined by references; lost without a reference
//	$id, id, $anchor, $dynamicAnchor
//	                   lost, unless a $ref refers to it
//	not, if, then, else, dependentRequired, dependentSchemas, dependencies, patternProperties,
//	propertyNames, unevaluatedProperties, unevaluatedItems, uniqueItems, contains, minContains,
//	maxContains, multipleOf, contentEncoding, contentMediaType, contentSchema, deprecated, readOnly,
//	writeOnly, $schema, $vocabulary, $recursiveAnchor, $comment
//	                   lost
//	all others         lost
//
// A keyword for a type that the schema does not have is lost as well.
//
// A schema that allows any value, such as true or {}, becomes a choice between a string, a number
// and a boolean, all nullable: approximated. An object without declared properties stays such an
// object: approximated, because Gemini's models write only declared properties. Older models refuse
// it. An object with empty properties is empty on purpose, and so is the result. If it describes
// the parameters of a function, the caller should omit it.
//
// # Alternatives
//
// Nothing may be next to anyOf, so keywords next to it in the document are repeated in each
// alternative. This is exact. For example, an object that has two properties and requires one of
// them becomes two objects. Each has both properties and requires one. An alternative of null makes
// the others nullable. An alternative that contradicts the schema around it is lost. A single
// remaining alternative is the schema itself. Several anyOf or oneOf that all apply are multiplied.
//
// Parameters cannot be alternatives, because they are one object: see [ForParameters].
//
// # Schemas that all apply
//
// The schemas of an allOf become one schema. So do a $ref and the keywords next to it, even in
// drafts that ignored those keywords. The result has the types, values and bounds that all of them
// allow, and the properties and required names that any of them has. Of title, description, default
// and example, the one nearest to the use counts; others are approximated. Pattern and format can
// have one value; others are lost. If two schemas contradict each other, the first counts and the
// other is lost.
//
// # References
//
// A $ref may be a JSON pointer, an anchor, or a $id followed by either. A pointer may have both
// kinds of escapes. A $id is the exact text in the document. The target is inlined. A reference
// to a schema that contains the reference is refused with [ErrCycle]. A reference without a target
// in the document is refused with [ErrUnresolved]. Inlining can make a small document grow without
// bounds. So the size and depth of the result are limited, far above what Gemini accepts:
// [ErrTooLarge].
//
// # What is reported
//
// Every value of the document is visible in the result, or the report has an entry at its pointer
// or above it, with the kinds of package transform. There is no entry if the result expresses the
// same in another form, such as enum for const, nullable for null, or propertyOrdering for the
// order. A definition that is inlined several times is reported once.
package schema
