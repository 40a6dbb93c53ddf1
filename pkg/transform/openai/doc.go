// Package openai converts between Gemini's wire format and OpenAI's chat_completions.
//
//	in, err := gemini.DecodeResponse(body)
//	...
//	completion, report, err := openai.Response(in)
//	...
//	out, err := openai.EncodeResponse(completion)
//
// # What a completion holds
//
// Each candidate becomes a choice. Its text is joined in content, its thoughts in reasoning_content;
// its function calls are tool_calls, with the arguments byte for byte; images are in images as data
// URLs; the first sound is in audio, joined with those behind it that go on with it. Content is null
// without any text. Finish reasons are only ever stop, length, tool_calls and content_filter, and a normal
// end with calls is tool_calls.
// Sources of the answer are annotations of the type url_citation, whose positions count characters
// of the content. Log probabilities come with the bytes of each token. A refused prompt is a choice
// with a refusal. In usage, prompt_tokens and completion_tokens (thinking included) always add up to
// total_tokens.
//
// # Streams
//
// [WriteStream] converts a stream as it comes; [Stream] is the same for callers with chunks or events
// of their own, and [StreamWriter] writes the body.
//
//	in := gemini.NewStreamReader(body)
//	report, err := openai.WriteStream(w, in.All(), openai.WithUsage(true))
//
// The chunks of a stream, joined as clients do, are the completion of the whole: the code that ends a
// stream is the one that converts responses. What is known only at the end of a choice, annotations
// and the rest of its extension, is in the last delta before the finish reason.
//
// # What chat_completions has no place for
//
// It is in extra_content.google of the message, of the call or of the completion, by the names that
// Google's own endpoint uses, and in Gemini's own form: thought signatures, grounding, citations,
// URL context, ratings, token counts by modality, and what no description knows. Where the message
// does not tell how the model's turn was made of parts, extra_content.google.parts does, with all
// parts that have no place elsewhere, so that a turn which comes back can be restored exactly.
// choice.native_finish_reason has Gemini's own reason.
//
// [WithoutExtensions] leaves all that out, and reasoning_content and images too, which OpenAI's
// description does not have either.
//
// # Requests
//
// [Request] makes of a client's request one that Gemini takes, by what the model is known to take:
//
//	in, err := openai.DecodeRequest(body)
//	out, report, err := openai.Request(in)
//
// All messages of the system become the one instruction. Messages of the model become its turns again,
// with their thought signatures and all parts that extra_content.google.parts names; a call that has no
// signature gets the documented word in its place where the model insists on one. Results of functions
// stand directly behind the calls, in one turn and in their order; one that is missing, is there twice
// or answers nothing is an error that names its id. Media are passed on, inlined or refused, see
// [WithRemoteMedia] and [WithInlineMedia]; data URLs are forgiven their spelling, and what they hold is
// never decoded as a whole. Efforts are budgets or levels, schemas stay JSON Schema or become Gemini's
// own. extra_body.google says what chat_completions has no member for.
//
// The result is valid for [gemini.ValidateRequest], or there is an error.
//
// # What is reported
//
// Every conversion returns a [transform.Report]: what was added, such as an id where there is none;
// what was approximated, such as a finish reason without a counterpart or a citation's position that
// was off; and what was lost. With extensions nothing of what Gemini sends is lost. Each value of the
// input is visible in the output, or there is an entry at its place or above it.
//
// All functions are safe for concurrent use and change nothing that they are given; a [Stream] and a
// [StreamWriter] belong to one goroutine.
package openai
