// Package reverse converts the answers of servers that speak OpenAI's chat completions to Gemini's
// responses and streams. Package request, a subpackage, converts the requests.
//
//	in, _, err := openai.DecodeForeignResponse(body)
//	...
//	answer, report, err := reverse.ToGemini(in)
//	...
//	out, err := gemini.EncodeResponse(answer)
//
// # What an answer contains
//
// Each choice becomes a candidate with these parts, in this order:
//
//   - thoughts, from reasoning_content or the members of other servers;
//   - text;
//   - a refusal;
//   - images and sound;
//   - calls, in the order of their index. Arguments are passed on byte for byte. Arguments that are
//     not a JSON object end the candidate in MALFORMED_FUNCTION_CALL, as with Gemini itself.
//
// Sources of annotations become groundingMetadata, whose segments count bytes. Servers such as
// Perplexity list sources next to the choices; these are included. Token counts always add up as
// Gemini's do, whether or not completion_tokens includes reasoning. Counts of cached tokens and
// reasoning are read from the members of several servers. There are no empty parts.
//
// A thought signature is used only if it is marked as Gemini's, in extra_content.google or in
// reasoning_details with a format of Google. Signatures of other providers are lost, because Gemini
// would refuse them.
//
// # Streams
//
// [Stream] converts chunks as they arrive, and [WriteStream] writes the body.
//
//	in := openai.NewStreamReader(body, openai.WithForeignChunks())
//	report, err := reverse.WriteStream(w, in.All())
//
// Each text is passed on at once. A call is one part, sent when its arguments are complete. The
// finish reason of a candidate is held back for the last chunk, with the token counts, because
// Gemini's clients expect both there. The chunks, joined by [normalize.MergeChunks], equal the
// whole answer.
//
// # Answers that came from Gemini
//
// What package openai put into extra_content is restored: the original parts with their signatures,
// sources, ratings and counts. A whole answer is restored exactly. In a stream, parts that only the
// extension has come after the parts that were sent before.
//
// # What is reported
//
// Each value of the input is visible in the output, or the report has an entry at its pointer or
// above it. Pointers refer to the completion. For a stream they refer to the list of its chunks,
// for example /3/choices/0/delta/refusal.
//
// All functions are safe for concurrent use and do not change their arguments. A [Stream] must not
// be used by several goroutines.
package reverse
