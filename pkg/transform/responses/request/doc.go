// Package request converts requests of OpenAI's Responses API to requests for Gemini. It considers
// what the requested model is known to accept.
//
//	in, err := responses.DecodeRequest(body)
//	...
//	out, report, err := request.ToGemini(in)
//	...
//	data, err := gemini.EncodeRequest(out)
//
// # Input
//
// The instructions and all messages of the system and of developers become the one instruction.
// Consecutive items of the model become one turn in their order: reasoning, messages, calls, code
// and images. Results of calls follow the calls directly, in one turn and in the order of the
// calls. A missing or duplicate result is an error that names its id. If the beginning of the input
// was cut off, a result without its call becomes text of the user.
//
// A thought signature comes back in encrypted_content of a reasoning item before the signed part.
// It needs no ids and no other members. A signature is omitted and reported if it is damaged, comes
// from another provider or has lost its part. If the model requires signatures, a call without one
// gets the documented placeholder.
//
// # Tools
//
// Functions are accepted in the form of this API and of chat completions. A tool of a namespace
// becomes a function whose name has both names. A custom tool becomes a function with one text.
// Package responses converts their calls back to the declared form. Web search, code interpreter,
// file search, MCP servers and image generation become Gemini's equivalent tools. Other tools of
// OpenAI are reported and omitted, because agents declare all tools that they know. An MCP call by
// OpenAI and its result become texts of the model.
//
// # State and media
//
// Nothing is stored. previous_response_id, conversation, background and references to items are
// errors that say what to send instead. With [WithStore] the caller has resolved them.
//
// Addresses of media are passed on. [InlineMedia] first downloads the media into the request, or
// refuses them. extra_body.google has the settings that this API has no member for, as in chat
// completions.
//
// The result passes [gemini.ValidateRequest], or there is an error. The report lists what was
// added, approximated or lost. Each value of the request is visible in the result, or the report
// has an entry at its pointer or above it. Values that the response repeats, such as metadata, are
// reported as approximated.
package request
