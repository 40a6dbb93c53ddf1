// Package messages converts Gemini's answers and streams to Anthropic's Messages API. Package
// request, inside, is the way of the requests; package pkg/anthropic reads and writes the wire.
//
//	in, err := gemini.DecodeResponse(body)
//	...
//	message, report, err := messages.FromGemini(in, messages.WithRequest(request))
//	...
//	out, err := anthropic.EncodeResponse(message)
//
// # What a message holds
//
// The first candidate becomes the message; others are lost. Its parts become blocks in their order:
// texts next to one another are one block, summaries of thoughts are blocks of type thinking,
// function calls are blocks of type tool_use with the arguments byte for byte. Code that Google
// ran, and searches of the web, are blocks of Anthropic's own server tools if the request declared
// these ([WithRequest]); else code is text between fences. The message has the name of the model
// that was asked for: Claude Code drops the thinking blocks of a message with another name.
//
// The stop reason is only ever one that Anthropic documents. A refused prompt is a message without
// blocks that ends in refusal and says why in stop_details. All members of usage are there;
// input_tokens, the two counts of the cache and output_tokens, thinking included, always add up to
// all tokens.
//
// # Thought signatures
//
// Gemini signs parts and wants the signatures back on the same parts. Anthropic's clients keep the
// signatures of thinking blocks and the ids of calls, and some keep members that they do not know.
//
// The signature of a call travels as the signature of a thinking block directly before it, which is
// empty where the model showed no thoughts there, as Anthropic's own are when they are not shown.
// The token says what it signs: its kind, and the number of the block it stands before among those
// that are no thinking. A thinking block that signs nothing has a token too, as clients drop a
// block without one. Where the request does not allow thinking, or does not mention it, and with
// [WithSignaturesInIDs] in any case, the token of a call is at the end of its id: a client that did
// not ask for thinking gets no empty block.
//
// The signature of a text never adds a block, so that the text stays the first one, and streams,
// which have the signature last, have the same order. It travels with thoughts that the model
// showed directly before the text, or else in an extension of the block, which package request
// reads; a stream has it in content_block_stop:
//
//	{"type":"text","text":"Hi.","extra_content":{"google":{"thought_signature":"EjQ...","checksum":"1ad514ba"}}}
//
// Clients that drop unknown members lose it, which Gemini allows; package gateway keeps it for
// them. What comes after the last call, such as the signature of an empty part at the end of a
// stream, has no place and is reported as lost: clients show a message that ends in thinking as
// empty.
//
// # Streams
//
// [WriteStream] converts a stream as it comes; [Stream] is the same for callers with chunks of
// their own, and [anthropic.StreamWriter] writes the body.
//
//	in := gemini.NewStreamReader(body)
//	report, err := messages.WriteStream(w, in.All(), messages.WithRequest(request))
//
// The events of a stream, put together as Anthropic's clients do ([anthropic.Accumulator]), are the
// message of the whole: the same code makes both. They pass [anthropic.Sequence]. Two things cannot
// be the same, since a stream cannot take back what was sent: its identity is that of the first
// chunk, and a second signature of a call is lost, and reported at its place. The first call waits
// for its signature where that comes with a later piece; a call behind a signed one does not, as
// Gemini signs the first of several calls alone, and loses one that comes late.
//
// # What is reported
//
// Every conversion returns a [transform.Report]: what was added, such as an id where there is none;
// what was approximated, such as a finish reason without a counterpart; and what was lost. Each
// value of the input is visible in the output, or there is an entry at its place or above it.
//
// All functions are safe for concurrent use and change nothing that they are given; a [Stream]
// belongs to one goroutine.
package messages
