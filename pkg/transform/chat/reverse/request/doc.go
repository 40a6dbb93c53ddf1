// Package request converts Gemini requests to OpenAI's chat completion requests. With it, programs
// that speak Gemini's API work with any server that speaks OpenAI's:
//
//	in, err := gemini.DecodeRequest(body)
//	...
//	out, report, err := request.FromGemini(in, request.ForModel("gpt-5.1"))
//	...
//	data, err := openai.EncodeRequest(out)
//
// # How a request is converted
//
// The instruction is the first message. Its role is system, or developer for OpenAI's o-series.
// Consecutive contents of one role become one message. A turn of the model becomes the message that
// package openai makes from an answer: texts are content, calls are tool_calls with their arguments
// byte for byte.
//
// Function results follow the message with their calls directly, each as a message of role tool. A
// result finds its call by id, or by name and order. A call without an id gets one, which is the
// same each time the request is converted. Media of a result go into a user message after all
// results.
//
// Images become data URLs or addresses, WAV and MP3 become input_audio, other documents become
// files. Schemas in Gemini's form become JSON Schema. Gemini allows dots, colons and 128 letters in
// function names. Names that OpenAI does not accept are replaced; [OriginalNames] maps the names in
// the answer back.
//
// # What has no member in chat completions
//
// By default such values go where [request.ToGemini] of package chat/request reads them:
//
//   - members of the request and of its generationConfig go into extra_body.google;
//   - other members of a message's parts go into extra_content.google;
//   - thoughts go into reasoning_content.
//
// A server that knows these members, such as gemwire serve, gets the whole request, and function
// names stay unchanged. A conversion back gives the original request, except for what the report
// lists.
//
// [WithoutExtensions] omits all of this, for servers that refuse unknown members. The report lists
// what this loses. What would change the meaning of the question is an error: media that cannot be
// sent, addresses that only Google can read, contents in a cache, and a fifth stop sequence.
//
// # Functions and reasoning
//
// OpenAI's chat completions accept functions from GPT-5.6 on only with the reasoning effort none.
// For these models the effort is set to none, and reported as a loss. [WithEffortDespiteTools]
// keeps the effort, for servers that accept both.
//
// # What is reported
//
// Each value of the request is visible in the result, or the report has an entry at its pointer or
// above it. The result passes [openai.ValidateRequest], or there is an error. All functions are
// safe for concurrent use and do not change their arguments.
package request
