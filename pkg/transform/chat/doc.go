// Package chat converts Gemini's answers and streams to OpenAI's chat_completions. Package request,
// inside, is the way of the requests; package pkg/openai reads and writes the wire.
//
//	in, err := gemini.DecodeResponse(body)
//	...
//	completion, report, err := chat.FromGemini(in)
//	...
//	out, err := openai.EncodeResponse(completion)
//
// # What a completion holds
//
// Each candidate becomes a choice. Its text is joined in content, its thoughts in
// reasoning_content; its function calls are tool_calls, with the arguments byte for byte; images
// are in images as data URLs; the first sound is in audio, joined with those behind it that go on
// with it. Content is null without any text. Finish reasons are only ever stop, length, tool_calls
// and content_filter, and a normal end with calls is tool_calls, or length when one of them is not
// complete. Sources of the answer are annotations of the type url_citation, whose positions count
// characters of the content. Log probabilities come with the bytes of each token. A refused prompt
// is a choice with a refusal. In usage, prompt_tokens and completion_tokens (thinking included)
// always add up to total_tokens.
//
// # Streams
//
// [WriteStream] converts a stream as it comes; [Stream] is the same for callers with chunks or
// events of their own, and [openai.StreamWriter] writes the body.
//
//	in := gemini.NewStreamReader(body)
//	report, err := chat.WriteStream(w, in.All(), chat.WithUsage())
//
// The chunks of a stream, joined as clients do, are the completion of the whole: the code that ends
// a stream is the one that converts responses. What is known only at the end of a choice,
// annotations and the rest of its extension, is in the last delta before the finish reason.
//
// # What chat_completions has no place for
//
// It is in extra_content.google of the message, of the call or of the completion, by the names that
// Google's own endpoint uses, and in Gemini's own form: thought signatures, grounding, citations,
// URL context, ratings, token counts by modality, and what no description knows. Where the message
// does not have how the model's turn was made of parts, extra_content.google.parts does, with all
// parts that have no place elsewhere, so that a turn which comes back can be restored exactly.
// choice.native_finish_reason has Gemini's own reason.
//
// [WithoutExtensions] leaves all that out, and reasoning_content and images too, which OpenAI's
// description does not have either.
//
// # What is reported
//
// Every conversion returns a [transform.Report]: what was added, such as an id where there is none;
// what was approximated, such as a finish reason without a counterpart or a citation's position
// that was off; and what was lost. With extensions nothing of what Gemini sends is lost. Each value
// of the input is visible in the output, or there is an entry at its place or above it.
//
// All functions are safe for concurrent use and change nothing that they are given; a [Stream]
// belongs to one goroutine.
package chat
