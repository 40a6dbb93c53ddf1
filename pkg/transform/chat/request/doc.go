// Package request makes of a request for chat_completions one that Gemini takes, by what the model
// is known to take:
//
//	in, err := openai.DecodeRequest(body)
//	...
//	out, report, err := request.ToGemini(in)
//	...
//	data, err := gemini.EncodeRequest(out)
//
// All messages of the system become the one instruction. Messages of the model become its turns
// again, with their thought signatures and all parts that extra_content.google.parts names; a call
// that has no signature gets the documented word in its place where the model insists on one.
// Results of functions stand directly behind the calls, in one turn and in their order; one that is
// missing, or is there twice, is an error that names its id. The user tells a result whose call was
// cut off with the beginning of a conversation.
//
// Empty messages are left out. Where Gemini needs a turn of the user, in front of a call or where
// there is nothing else to answer, an empty one is sent.
//
// Media at addresses are passed on; [InlineMedia] puts them into the request before, or refuses
// them. Data URLs are read in any spelling, and what they hold is never decoded as a whole.
//
// Efforts are budgets or levels, schemas stay JSON Schema or become Gemini's own. extra_body.google
// says what chat_completions has no member for. What clients of other servers send on this wire is
// understood where its meaning is clear: OpenRouter's reasoning and reasoning_details, thinking and
// enable_thinking, random_seed, and tool choices in the forms of other APIs.
//
// The result is valid for [gemini.ValidateRequest], or there is an error. The report says what was
// added, approximated or lost: each value of the request is visible in the result, or there is an
// entry at its place or above it.
package request
