// Package steps converts the steps of an interaction to the parts of a turn in Gemini's format, and
// back. Requests and answers use it in both directions.
//
// # Signatures
//
// An interaction has a signature on a step of type thought, on a function call, or on both with the
// same value. Gemini has it on a part: on the first call of several, or on the last part of a text.
// [Parts] gives the signature of a thought to the next call or to the last part of the next output.
// If neither follows directly, an empty text has the signature at its place. [Steps] does the
// reverse. A signed call becomes a thought with the signature and a call with the same signature.
//
// # The extension
//
// Members that only an interaction has travel in the unknown member extraContent of a part:
//
//	"extraContent": {"interactions": {"step": {"server_name": "docs"}, "new_step": true}}
//
// With it, steps that become parts are the same steps again. Requests to Google must not have it,
// because Google refuses unknown members.
package steps
