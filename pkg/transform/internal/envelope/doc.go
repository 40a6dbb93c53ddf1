// Package envelope writes thought signatures as one printable token. It is for forms that can carry
// an opaque text, but have no member for Gemini's signatures. The token is the signature of a
// thinking block in the Messages API, encrypted_content of a reasoning item in the Responses API,
// or the end of a tool call's id.
//
// A token needs no ids and no store. For each signature it has the kind of the signed part and its
// position in the model's turn. A part that the form cannot express can be in the token as a copy.
//
//	token := envelope.Append(nil, envelope.Entry{Kind: envelope.Call, Ordinal: 1, Signature: "CiQB+A=="})
//	entries, ok := envelope.Parse(string(token))
//
// A token is
//
//	gemwire1_CHECKSUM_ENTRY...
//
// It consists of letters, digits, "_" and "-", as Anthropic requires of ids. A signature of Gemini,
// Anthropic or OpenAI never starts like a token. The first two are standard base64, which has no
// "_". OpenAI's start with "gAAAA". CHECKSUM is the CRC-32 (IEEE) of everything after its "_", in
// base64url, six characters.
//
// An ENTRY has a letter for its kind, the ordinal, a letter for the encoding of the signature, the
// length of the encoded signature, "_" and the encoded signature. An entry with a copy of a part
// then has "p", the length, "_" and the copy's JSON in base64url:
//
//	c1s6_CiQB-A
//
// The encoding "s" is for standard base64 with padding, which Gemini uses for signatures. It has
// "-" for "+", "_" for "/" and no padding, so it does not grow and is restored byte for byte. Any
// other text has the encoding "x": base64url of its bytes.
package envelope
