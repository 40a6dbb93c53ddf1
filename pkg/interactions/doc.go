// Package interactions reads and writes the JSON of Google's Interactions API: requests,
// interactions, errors, and the events of a stream. It is for the Gemini API and Vertex AI. To
// convert them to the format of generateContent, use package transform/interactions.
//
//	interaction, err := interactions.DecodeResponse(body)
//	...
//	for event, err := range interactions.NewStreamReader(body).All() {
//		...
//	}
//
// Decoding keeps unknown members, types and enum values, and the bytes of arguments and results.
// Encoding is canonical: equal bytes for equal values, in the order in which Google writes the
// members. The Validate functions check a payload against Google's documentation and what its
// servers were seen to refuse; decoding does not. A [Sequence] checks the events of a stream
// together, and an [Accumulator] builds an interaction from them.
//
// # The revision before May 2026
//
// Until May 2026 interactions had outputs instead of steps. Decoding keeps outputs as an unknown
// member, so that an interaction of that revision looks empty. [OldRevision] reports it. A
// [StreamReader] refuses events of that revision with [ErrOldRevision].
//
// # Errors
//
// Errors have the types of package wire. Decoding returns a *[wire.MalformedError], encoding an
// *[wire.EncodeError], and a [StreamReader] a *[wire.StreamError]. The last one wraps
// [wire.ErrTruncated], [wire.ErrEventTooLarge], [wire.ErrSecondStream] or [ErrOldRevision]. An
// error that the server reports is an *[Error].
//
// All functions are safe for concurrent use. A [StreamReader], [StreamWriter], [Sequence] or
// [Accumulator] must be used by one goroutine.
package interactions
