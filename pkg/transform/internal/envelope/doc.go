// Package envelope writes thought signatures as one printable token, for forms that have a place
// for an opaque text but none for what Gemini signs: the signature of a thinking block in the
// Messages API, encrypted_content of a reasoning item in the Responses API, or the end of a tool
// call's id.
//
// A token needs no ids and no store: it says of each signature which kind of part it signs and
// which part of the model's turn that was. A part that the form has no place for can travel with it
// as a copy.
//
//	token := envelope.Append(nil, envelope.Entry{Kind: envelope.Call, Ordinal: 1, Signature: "CiQB+A=="})
//	entries, ok := envelope.Parse(string(token))
//
// A token is
//
//	gemwire1_CHECKSUM_ENTRY...
//
// of the letters, digits, "_" and "-" alone, which Anthropic requires of ids. A signature of
// Gemini, Anthropic or OpenAI never begins like one: the first two are standard base64, which has
// no "_", and the last begins with "gAAAA". CHECKSUM is the CRC-32 (IEEE) of all that follows the
// "_" behind it, in base64url, six characters. An ENTRY has a letter for its kind, the ordinal, a
// letter for the form of the signature, the length of what was made of it, "_" and that; then, of
// an entry with a copy of a part, "p", its length, "_" and the copy's JSON in base64url:
//
//	c1s6_CiQB-A
//
// The form "s" is standard base64 with its padding, as which Gemini writes signatures: it travels
// with "-" for "+", "_" for "/" and without the padding, so that it does not grow and comes back
// byte for byte. Any other text has the form "x" and travels as base64url of its bytes.
package envelope
