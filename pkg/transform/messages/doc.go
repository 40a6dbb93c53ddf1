// Package messages converts Gemini's responses and streams to Anthropic's Messages API. Package
// request, a subpackage, converts requests. Package pkg/anthropic reads and writes the JSON of the
// API.
//
//	in, err := gemini.DecodeResponse(body)
//	...
//	message, report, err := messages.FromGemini(in, messages.WithRequest(request))
//	...
//	out, err := anthropic.EncodeResponse(message)
//
// # What a message contains
//
// The first candidate becomes the message; other candidates are lost. Its parts become blocks in
// their order:
//
//   - consecutive texts become one text block;
//   - thought summaries become thinking blocks;
//   - function calls become tool_use blocks, with the arguments byte for byte;
//   - code that Google ran and web searches become blocks of Anthropic's server tools, if the
//     request declared these tools ([WithRequest]). Otherwise code becomes text between fences.
//
// The message has the model name of the request, because Claude Code drops the thinking blocks of a
// message with another name.
//
// The stop reason is always one that Anthropic documents. A refused prompt is a message without
// blocks. It ends in refusal and gives the reason in stop_details. usage always has all members:
// input_tokens, the two cache counts and output_tokens add up to the total. output_tokens includes
// thinking.
//
// # Thought signatures
//
// Gemini signs parts and requires each signature back on the same part. Anthropic's clients keep
// the signatures of thinking blocks and the ids of calls. Some clients also keep unknown members.
//
// The signature of a call is carried by a thinking block directly before it. The block is empty if
// the model showed no thoughts there, like Anthropic's own hidden thoughts. The block's signature
// is a token. It has the kind of the signed block and its number among the blocks that are not
// thinking. A thinking block that signs nothing has a token too, because clients drop a block
// without one.
//
// If the request disables thinking or does not mention it, the token of a call is at the end of the
// call's id. So a client that did not ask for thinking gets no empty block. With
// [WithSignaturesInIDs] the token is always in the id too.
//
// The signature of a text never adds a block. So the text stays the first block, and a stream,
// which has the signature last, has the same order. The signature is carried by thoughts that the
// model showed directly before the text. Otherwise it is in an extension of the block, which
// package request reads. A stream has the extension in content_block_stop:
//
//	{"type":"text","text":"Hi.","extra_content":{"google":{"thought_signature":"EjQ...","checksum":"1ad514ba"}}}
//
// A client that drops unknown members loses this signature, which Gemini allows. Package gateway
// keeps it for such clients. A signature after the last call is reported as lost, for example of an
// empty part at the end of a stream: clients show a message that ends in thinking as empty.
//
// # Streams
//
// [WriteStream] converts a stream as it arrives. [Stream] does the same for callers that have
// chunks of their own. [anthropic.StreamWriter] writes the body.
//
//	in := gemini.NewStreamReader(body)
//	report, err := messages.WriteStream(w, in.All(), messages.WithRequest(request))
//
// The events of a stream, accumulated as Anthropic's clients do ([anthropic.Accumulator]), equal
// the message of the whole response. The same code makes both. The events pass
// [anthropic.Sequence]. Two things can differ, because a stream cannot take back what was sent:
//
//   - The id and model come from the first chunk.
//   - A second signature of a call is lost and reported.
//
// The first call waits for a signature that arrives with a later piece. A call after a signed one
// does not wait, because Gemini signs only the first of several calls. Its late signature is lost.
//
// # What is reported
//
// Every conversion returns a [transform.Report]. It lists added values, such as a missing id, and
// approximated values, such as a finish reason without a counterpart. It also lists lost values.
// Each input value is visible in the output, or the report has an entry at its pointer or above it.
//
// All functions are safe for concurrent use and do not change their arguments. A [Stream] must not
// be used by several goroutines.
package messages
