// Package schema converts JSON Schema, as the tools and response formats of other APIs hold it,
// into Gemini's own schemas, and reports what they cannot say.
//
//	parameters, report, err := schema.FromJSON(tool.Parameters, schema.ForParameters())
//	if errors.Is(err, schema.ErrCycle) {
//		// Only parametersJsonSchema can say it.
//	}
//
// # Gemini's form
//
// The API's parameters and responseSchema are of a reduced OpenAPI 3.0 dialect with 22 keys. Any
// other key is answered with HTTP 400, and so are a list of types, a list of values for anything
// but strings or with an empty string in it, an ARRAY without items, a required property that is
// not declared, and, by Vertex AI, anything beside anyOf. What this package returns has none of
// that. It has a type everywhere but beside anyOf, keys that fit the type, and at least two
// alternatives in each anyOf, which are not made of alternatives themselves.
//
// # What is read
//
// A document is a JSON object or a boolean. It may be of any draft of JSON Schema from 4 to
// 2020-12, or of OpenAPI 3.0, or already in Gemini's form; a result converts to itself. Types are
// read in any letter case. A keyword that is null is as good as absent, except where null is a
// value. A keyword whose value makes no sense is lost, with an entry in the report.
//
// # What becomes of each keyword
//
//	type               one type stays; with null it is nullable; of several, each becomes an alternative;
//	                   a missing one is inferred from the other keywords: added
//	nullable           stays
//	enum, const        strings: a list; null in it: nullable; numbers: minimum and maximum, and where other
//	                   values lie between, approximated, and the description lists the values; one boolean:
//	                   in the description, approximated; beside the type string, others become strings:
//	                   approximated; lists and objects: lost
//	title, description stay; before the one of an alternative, a description is a paragraph of its own
//	default, example   stay; among alternatives, in the first one of their type, or else lost
//	examples           the first is the example, others are lost
//	format             stays, also when it is one that Gemini does not know
//	pattern            stays
//	minLength, maxLength, minItems, maxItems, minProperties, maxProperties
//	                   stay
//	minimum, maximum   stay; approximated if a float64 is another number
//	exclusiveMinimum, exclusiveMaximum
//	                   for integers the next one; for numbers inclusive: approximated; also the booleans of
//	                   draft 4
//	properties         stay, in the order of propertyOrdering; one that is false is left out: lost
//	propertyOrdering   stays; where there is none, it is the order in the document, if there are two or more
//	required           stays; a property that is not declared: lost
//	additionalProperties
//	                   lost, but kept for Vertex AI (ForVertexAI)
//	items              stays; a missing one is a scalar: added; a list is like prefixItems
//	prefixItems, additionalItems
//	                   items that allow what any of the schemas does: approximated; false after them: maxItems
//	anyOf              stays; see below
//	oneOf              like anyOf: approximated
//	allOf              merged; see below
//	$ref               replaced by what it leads to; see below
//	$dynamicRef, $recursiveRef
//	                   like $ref: approximated
//	$defs, definitions by what leads to them; what nothing leads to is lost
//	$id, id, $anchor, $dynamicAnchor
//	                   lost, unless a $ref leads there
//	not, if, then, else, dependentRequired, dependentSchemas, dependencies, patternProperties,
//	propertyNames, unevaluatedProperties, unevaluatedItems, uniqueItems, contains, minContains,
//	maxContains, multipleOf, contentEncoding, contentMediaType, contentSchema, deprecated, readOnly,
//	writeOnly, $schema, $vocabulary, $recursiveAnchor, $comment
//	                   lost
//	all others         lost
//
// A keyword about values of a type that the schema does not have is lost as well.
//
// A schema that allows any value, such as true or {}, becomes a choice between a string, a number
// and a boolean, all nullable: approximated. An object without declared properties stays one:
// approximated, because Gemini's models write declared properties only. Older models refuse it.
// With properties that are there, but empty, an object is empty on purpose, and so is the result;
// what is to be the parameters of a function should be left out by the caller then.
//
// # Alternatives
//
// Nothing stands beside anyOf, so what does in the document is said in each alternative. This is
// exact: an object that has two properties and wants one of them becomes two objects, each with
// both of them, that want one each. Null as an alternative makes the others nullable. An
// alternative that contradicts the schema around it is lost. One alternative that is left is the
// schema itself. Several anyOf or oneOf that all hold are multiplied.
//
// Parameters cannot be alternatives, they are one object: see [ForParameters].
//
// # Schemas that all hold
//
// Those of an allOf, and those on both sides of a $ref with other keywords beside it, also in the
// drafts that ignored these, become one: the types, values and bounds that all of them allow, the
// properties and required names that any of them has. Of title, description, default and example
// the one nearest to where it is used counts, another is approximated. Of pattern and format there
// is only one, another is lost. Where two contradict each other the first holds and the other is
// lost.
//
// # References
//
// A $ref may be a JSON pointer into the document, with escapes of both kinds, an anchor, or the
// exact text of a $id in the document with any of these behind it. What it leads to is inlined. A
// reference to a schema that it is a part of is refused with [ErrCycle]; one that leads nowhere, or
// out of the document, with [ErrUnresolved]. Since inlining can let a small document grow beyond
// all bounds, the result is limited in size and depth, far above what Gemini takes: [ErrTooLarge].
//
// # What is reported
//
// Every value of the document is visible in the result, or the report has an entry at its place or
// above it, in the terms of package transform. There is no entry where the result says the same in
// other words, such as enum for const, nullable for null, or propertyOrdering for the order. A
// definition that is inlined several times is reported on once.
package schema
