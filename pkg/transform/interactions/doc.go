// Package interactions converts Gemini's answers and streams to those of the Interactions API.
// Package request, a subpackage, converts requests. Package reverse converts in the other
// direction. Package pkg/interactions reads and writes the JSON of the API.
//
//	in, err := gemini.DecodeResponse(body)
//	...
//	interaction, report, err := interactions.FromGemini(in)
//	...
//	out, err := wire.EncodeResponse(interaction) // wire is package pkg/interactions
//
// # Steps
//
// The parts of the first candidate become steps, in their order:
//
//   - Texts and media are the content of a model_output. In a whole answer each part is a block.
//   - Thoughts are the summary of a thought.
//   - A function call has the arguments byte for byte. A call without an id gets one.
//   - Code that Google ran, and calls and results of its other tools, are steps of their types.
//
// The signature of a text or a call is on a thought before it, and on the call too. The signature
// of a part without content is on a thought at its place. A step has either one signed part or
// unsigned ones, so that each signature comes back on the part that had it.
//
// # Sources
//
// Each source of a span of text is an annotation of the text. The offsets count bytes, from the
// start of the block, and in a stream from the start of the step. Searches, pages and places that
// only the metadata of the candidate name become steps after the answer, as in Google's own
// interactions. Their extension has the member derived, because a request must not send them to
// Gemini.
//
// # The status
//
// STOP is completed, or requires_action if the candidate has function calls. MAX_TOKENS is
// incomplete, and CONTINUATION is requires_continuation. Any other reason is failed, with an error
// whose code is content_blocked for a filter, else the reason in lower case. A refused prompt is
// failed, too. The counts obey the rule that the total is the sum of input, output, thought and
// tool use.
//
// # Streams
//
// [WriteStream] converts a stream as it arrives. [Stream] does the same for callers that have
// chunks or events of their own. The events, joined as clients join them, equal the interaction of
// the whole answer. A source that arrives after the end of its text is the only difference, and
// the report has it.
//
// # The extension
//
// What an interaction has no member for is in its unknown member extra_content.google, in Gemini's
// form: finish reasons by name, safety ratings, log probabilities, sources that are not shown
// completely, and parts that no step has. [WithoutExtensions] omits it. An answer that package
// reverse made of an interaction has the members of the interaction in its own extension, which is
// restored.
//
// # What is reported
//
// Every conversion returns a [report.Report] of what was added, approximated or lost. Each value of
// the input is visible in the output, or the report has an entry at its pointer or above it. With
// extensions, other candidates and late signatures are lost.
//
// All functions are safe for concurrent use and do not change their arguments. A [Stream] must not
// be used by several goroutines.
package interactions
