// Package chat converts Gemini's responses and streams to OpenAI's chat completions. Package
// request, a subpackage, converts requests. Package pkg/openai reads and writes the JSON of the
// API.
//
//	in, err := gemini.DecodeResponse(body)
//	...
//	completion, report, err := chat.FromGemini(in)
//	...
//	out, err := openai.EncodeResponse(completion)
//
// # What a completion contains
//
// Each candidate becomes a choice:
//
//   - content is the joined text, or null without text; reasoning_content is the joined thoughts.
//   - tool_calls are the function calls, with the arguments byte for byte.
//   - images are data URLs.
//   - audio is the first sound, joined with the sounds after it that continue it.
//   - annotations are the sources, as url_citation; positions count characters of content.
//   - logprobs has the bytes of each token.
//   - refusal says why the prompt was refused.
//
// The finish reason is always stop, length, tool_calls or content_filter. A normal end with calls
// is tool_calls, or length if a call is incomplete. In usage, prompt_tokens and completion_tokens
// always add up to total_tokens. completion_tokens includes thinking.
//
// # Streams
//
// [WriteStream] converts a stream as it arrives. [Stream] does the same for callers that have
// chunks or events of their own. [openai.StreamWriter] writes the body.
//
//	in := gemini.NewStreamReader(body)
//	report, err := chat.WriteStream(w, in.All(), chat.WithUsage())
//
// The chunks of a stream, joined as clients join them, equal the completion of the whole response.
// The same code converts responses and ends streams. Annotations and the rest of a choice's
// extension are known only at its end. They are in the last delta before the finish reason.
//
// # What has no member in chat completions
//
// Such values are in extra_content.google of the message, the call or the completion. They have the
// names of Google's own endpoint and Gemini's form. These are thought signatures, grounding,
// citations, URL context, ratings, token counts by modality, and members that no description knows.
// extra_content.google.parts lists the parts of the model's turn if the message does not show them.
// It includes all parts that no other member holds, so a turn that comes back can be restored
// exactly. choice.native_finish_reason has Gemini's own reason.
//
// [WithoutExtensions] omits all of this. It also omits reasoning_content and images, which are not
// in OpenAI's description either.
//
// # What is reported
//
// Every conversion returns a [transform.Report]. It lists three kinds of change:
//
//   - added: for example an id where the response had none.
//   - approximated: for example a finish reason without a counterpart, or the wrong position of a
//     citation.
//   - lost.
//
// With extensions nothing that Gemini sends is lost. Each input value is visible in the output, or
// the report has an entry at its pointer or above it.
//
// All functions are safe for concurrent use and do not change their arguments. A [Stream] must not
// be used by several goroutines.
package chat
