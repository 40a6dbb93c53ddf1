// Package structured reads typed values from the text that a model writes. It finds the JSON in the
// prose, decodes it into a Go type, and checks it by the type's validate tags. From the same type
// it makes the schema for the request.
//
//	type Review struct {
//		Verdict string   `json:"verdict" validate:"oneof=accept revise"`
//		Reasons []string `json:"reasons" validate:"min=1"`
//	}
//
//	schema, err := structured.SchemaOf[Review]()    // for responseJsonSchema
//	review, err := structured.Parse[Review](answer) // an error says where, what, and what is expected
//
// [Generate] does all of it. It asks a model with the schema and parses the answer. If the answer
// is wrong, it asks again and says what is wrong. Its result has the usage of all tries.
//
//	review, err := structured.Generate[Review](ctx, client, request)
//
// # What is found
//
// [Candidates] are the JSON values in a text:
//
//   - Objects and lists anywhere: as the whole text, before and after prose, within a line, in
//     fenced code blocks with any info string, closed or not. The search goes from left to right. At
//     each bracket it takes the complete value that begins there, and continues after the value, so
//     values within values are not candidates. Braces, brackets, quotes and backslashes in the prose
//     do not hide values, and those within strings do not mislead the search.
//   - Strings, numbers, true, false and null as the whole text or the whole content of a fence.
//     Words and numbers in prose are not candidates.
//   - Truncated values: objects and lists that the end of the text cuts off.
//
// A leading byte order mark, CR LF, white space around values, and the marks of quoted lines (>)
// make no difference. The brackets of <![CDATA[ and ]]> belong to XML and are not lists.
//
// Thoughts before the answer are skipped, including drafts in them: the text between <think> and
// </think> (or <thinking>, <thought>, <reasoning> or [THINK]) if the first of these begins a line.
// If the opening tag is missing, the text before the closing tag is skipped. If the closing tag is
// missing, the text after the opening tag is skipped.
//
// A value is malformed if it is not valid JSON but has brackets and a colon or comma like JSON,
// such as an object with a comma too many. It is also malformed if it begins like JSON5, JavaScript
// or Python: with comments, with unquoted names, or with names or strings in other quotes. A part
// of a truncated or malformed value is not a candidate, even if the part is complete: a part of an
// answer is not an answer.
//
// # Which one is taken
//
// The order of preference is
//
//  1. a value at the beginning of the text,
//  2. values in fences whose info string names JSON (json, JSON, jsonc, json5 and so on),
//  3. values in other fences,
//  4. values in prose,
//  5. values in prose without any string, such as {} and [] and [1]; these are mostly symbols and
//     references,
//  6. truncated values, and with [WithRepair] malformed values that can be repaired.
//
// Equal candidates are tried in the order of the text. [Parse] takes the first candidate that fits:
// it decodes, it breaks no rule, and if it is an object with members, T knows one of them. If none
// fits, Parse accepts an object that breaks no rule and that T knows no member of, unless something
// else in the text looks like an answer. Such an object decodes into an empty T, as in package
// json.
//
// If a truncated value decodes up to its end, Parse returns a *[TruncatedError].
//
// # What is repaired
//
// [WithRepair] closes a truncated value, and repairs typical slips of models if they have only one
// meaning: trailing and missing commas, comments, True, False and None, single and typographic
// quotes, unquoted names, line breaks within strings, and JSON that was encoded twice
// ([RepairKind]). Each repair is reported. Everything else stays an error, such as quotes within a
// string, numbers that JSON does not have, and meaningless backslashes. No repair changes, adds or
// removes a value, except the unfinished value at the end of a truncated text.
//
// # Decoding
//
// The decoder is github.com/go-json-experiment/json: names match in their exact spelling; duplicate
// members, invalid UTF-8 and nesting beyond 10,000 levels are errors; null leaves the zero value;
// and unknown members are ignored unless [WithRejectUnknown] is given.
//
// # Rules
//
// Rules are validate tags of github.com/go-playground/validator/v10. They apply to structs anywhere
// in T. Elements of a list or map are checked if T itself is that list or map, or if the field's
// tag has dive. The tag required works on structs, too. Pointers of violations use the JSON names.
//
// # Errors
//
// [NotFoundError], [DecodeError], [InvalidError] and [TruncatedError] describe the candidate that
// came closest, in this order: it is truncated or breaks rules; the same, and T knows none of its
// members; a part of it does not fit T; it begins like JSON but is not; it is of another kind, such
// as a list for an object. Among equal candidates it is the first by preference. Among malformed
// candidates it is the one with the longest valid beginning. Error texts quote at most 40
// characters of a value. Pointers contain names of members.
//
// All functions are safe for concurrent use.
package structured
