// Package request converts OpenAI's chat completion requests to requests for Gemini. It considers
// what the requested model is known to accept.
//
//	in, err := openai.DecodeRequest(body)
//	...
//	out, report, err := request.ToGemini(in)
//	...
//	data, err := gemini.EncodeRequest(out)
//
// # Messages
//
// All system messages become the one instruction. Messages of the model become turns again, with
// their thought signatures and all parts that extra_content.google.parts lists. If the model
// requires signatures, a call without one gets the documented placeholder. Function results follow
// their calls directly, in one turn and in the order of the calls. A missing or duplicate result is
// an error that names its id. If the beginning of a conversation was cut off, a result without its
// call becomes text of the user.
//
// Empty messages are omitted. Gemini needs a turn of the user before a call, or if there is nothing
// else to answer. In these places an empty turn is sent.
//
// # Media
//
// Addresses of media are passed on. [InlineMedia] first downloads the media into the request, or
// refuses them. Data URLs are accepted in any spelling. Their data are never decoded as a whole.
//
// # Settings
//
// Reasoning efforts become budgets or levels. Schemas stay JSON Schema or become Gemini's Schema.
// extra_body.google has the settings that chat completions have no member for. Members of other
// servers are accepted if their meaning is clear: OpenRouter's reasoning and reasoning_details,
// thinking and enable_thinking, random_seed, and tool choices in the forms of other APIs.
//
// The result passes [gemini.ValidateRequest], or there is an error. The report lists what was
// added, approximated or lost. Each value of the request is visible in the result, or the report
// has an entry at its pointer or above it.
package request
