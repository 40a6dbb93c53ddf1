// Package structured gets typed values out of what a model writes: it finds the JSON in the prose,
// decodes it into a Go type, and checks it by the type's validate tags. From the same type it makes
// the schema for the request.
//
//	type Review struct {
//		Verdict string   `json:"verdict" validate:"oneof=accept revise"`
//		Reasons []string `json:"reasons" validate:"min=1"`
//	}
//
//	schema, err := structured.SchemaOf[Review]()    // for responseJsonSchema
//	review, err := structured.Parse[Review](answer) // an error says where, what, and what would be right
//
// [Generate] does all of it: it asks a model with the schema, parses, and asks again with what is
// wrong. Its answer has what that has cost.
//
//	review, err := structured.Generate[Review](ctx, client, request)
//
// # What is found
//
// [Candidates] are the JSON values in a text:
//
//   - objects and lists anywhere: as the whole text, behind and in front of prose, within a line,
//     in fences of backticks with any info string, closed or not. At each bracket, from left to
//     right, the complete value that begins there counts, and the search goes on behind it: values
//     within values are no candidates. Braces, brackets, quotes and backslashes in the prose hide
//     nothing, and those in strings mislead nobody;
//   - strings, numbers, true, false and null as the whole text or the whole content of a fence.
//     Words and numbers of prose are no candidates;
//   - truncated values: objects and lists that the end of the text cuts off.
//
// A byte order mark at the front, CR LF, white space around values, and the marks of lines that are
// quoted (>) make no difference. The brackets of <![CDATA[ and ]]> are those of XML, and no list.
//
// What a model thinks before it answers is not looked at, nor what it drafts there: what stands
// between <think> and </think> (or <thinking>, <thought>, <reasoning> or [THINK]) where the first
// of these begins a line. Without a beginning that is all in front of the end, and without an end
// all behind the beginning.
//
// A value is malformed if it has the brackets and a colon or a comma of JSON and is none, such as
// an object with a comma too many, or if it begins like JSON5, JavaScript or Python: with comments,
// with names or strings in other quotes, with names in none. A part of a truncated or a malformed
// value is no candidate, even where it is complete: a part of an answer is no answer.
//
// # Which one is taken
//
// The order of preference is
//
//  1. a value that the text begins with,
//  2. values in fences whose info string names JSON (json, JSON, jsonc, json5 and so on),
//  3. values in other fences,
//  4. values in prose,
//  5. values among other text that hold no string at all, such as {} and [] and [1]: they are
//     mostly signs and references,
//  6. truncated values, and with [WithRepair] malformed ones that can be mended,
//
// and among equals the order of the text. [Parse] takes the first that fits: it decodes, T knows a
// member of it if it is an object that has any, and it breaks no rule. When none fits, an object
// that T knows no member of is taken after all, if nothing else in the text looks like an answer
// and it breaks no rule: it decodes into an empty T, as package json has it.
//
// For a truncated value that decodes as far as it goes Parse returns a *[TruncatedError].
//
// # What is mended
//
// By [WithRepair] a truncated value is closed, and one with slips that models make is mended where
// they have one meaning: trailing and missing commas, comments, True, False and None, single and
// typographic quotes, names in no quotes, line breaks within strings, and JSON that was encoded
// twice ([RepairKind]). Each repair is named. All else is left as the error that it is, such as
// quotes within a string, numbers that JSON does not have, and backslashes of no meaning: no repair
// changes or adds a value, and none leaves one out, but for what is unfinished where the text is
// cut off.
//
// # Decoding
//
// Decoding is that of github.com/go-json-experiment/json: names match in their exact spelling, a
// member that is there twice, invalid UTF-8, nesting beyond 10,000 levels are errors, null leaves
// the zero value, and unknown members are ignored unless [WithRejectUnknown] is given.
//
// # Rules
//
// Rules are validate tags of github.com/go-playground/validator/v10, for structs anywhere in T: in
// a list or map that is T itself without more, in one that is a field where its tag has dive. The
// tag required works on structs too, and pointers of violations are made of JSON names.
//
// # Errors
//
// [NotFoundError], [DecodeError], [InvalidError] and [TruncatedError] are about the candidate that
// came closest, in this order: it is truncated or breaks rules; the same, and T knows nothing of
// it; a part of it is not what T takes; it begins like JSON and is none; it is a list for an
// object, or the like. Among equals it is the first by preference; of what is no JSON it is what
// goes on like it for longest. Texts of errors quote at most 40 characters of a value; pointers
// have the names of members.
//
// All functions are safe for concurrent use.
package structured
