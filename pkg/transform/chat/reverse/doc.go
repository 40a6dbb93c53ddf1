// Package reverse makes of the answers of servers that speak OpenAI's chat_completions answers of
// Gemini's, whole and streamed. Package request, inside, is the way of the requests.
//
//	in, _, err := openai.DecodeForeignResponse(body)
//	...
//	answer, report, err := reverse.ToGemini(in)
//	...
//	out, err := gemini.EncodeResponse(answer)
//
// # What an answer holds
//
// Each choice is a candidate. Its thoughts come first, from reasoning_content or the members of
// other servers that hold them, then its text, a refusal, images and sound, and at last its calls,
// in the order of their index. Arguments are passed on byte for byte; those that are no JSON object
// end the candidate in MALFORMED_FUNCTION_CALL, as Gemini itself does. Sources that annotations
// name are groundingMetadata, whose segments count bytes, and so are those that servers such as
// Perplexity's list beside the choices. Token counts always add up as Gemini's do, for servers that
// count reasoning in completion_tokens and for those that do not, whichever members they count
// cached tokens and reasoning in. There are no empty parts.
//
// A thought signature is one only where it is marked as Gemini's, in extra_content.google or in
// reasoning_details of a format of Google's. Those of other makers are lost, since Gemini would
// refuse them.
//
// # Streams
//
// [Stream] does the same with chunks as they come, and [WriteStream] writes the body.
//
//	in := openai.NewStreamReader(body, openai.WithForeignChunks())
//	report, err := reverse.WriteStream(w, in.All())
//
// Each text is passed on at once. A call is one part, as soon as its arguments are complete. Why a
// candidate ended is held back for the last chunk, which has the token counts as well: the clients
// of Gemini look for them there. The chunks of a stream, joined by [normalize.MergeChunks], say
// what the whole answer says.
//
// # Answers that came from Gemini
//
// What package openai put into extra_content comes back: the parts as they were, with their
// signatures, sources, ratings, counts. A whole answer is the one that it was. In a stream, parts
// that only the extension has come behind those that were sent before.
//
// # What is reported
//
// Each value of the input is visible in the output, or the report has an entry at its place or
// above it, with pointers into the completion, and for a stream into the list of its chunks:
// /3/choices/0/delta/refusal.
//
// All functions are safe for concurrent use and change nothing that they are given; a [Stream]
// belongs to one goroutine.
package reverse
