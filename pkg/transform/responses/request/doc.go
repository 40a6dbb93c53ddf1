// Package request makes of a request to the Responses API one that Gemini takes, by what the model
// is known to take:
//
//	in, err := responses.DecodeRequest(body)
//	...
//	out, report, err := request.ToGemini(in)
//	...
//	data, err := gemini.EncodeRequest(out)
//
// Instructions, and all messages of the system and of developers, become the one instruction. Items
// of the model that follow one another (reasoning, messages, calls, code, images) are one turn of
// it, in their order. Results of calls stand directly behind the calls, in one turn and in their
// order; one that is missing, or is there twice, is an error that names its id. The user tells a
// result whose call was cut off with the beginning of the input.
//
// A thought signature comes back in encrypted_content of a reasoning item in front of the part that
// it signs. It needs no ids and no other members; one that was damaged, is another vendor's, or
// whose part is missing is left out and reported, and a call without a signature gets the
// documented word in its place where the model insists on one.
//
// Functions are declared in the form of this API and in that of chat_completions. A tool of a
// namespace is a function under both names, and a custom tool one with a text; package responses
// turns their calls back into what they were declared as. Web search, code interpreter, file
// search, MCP servers and images are the tools of Gemini that are the same. Other tools of OpenAI's
// are reported and left out, as agents declare all that they know. A call that OpenAI made of an
// MCP server, and its result, become texts of the model.
//
// Nothing is kept: previous_response_id, conversation, background and references to items are
// errors that say what to send instead, unless [WithStore] says that the caller has seen to them.
//
// Media at addresses are passed on; [InlineMedia] puts them into the request before, or refuses
// them. extra_body.google says what this API has no member for, as in chat_completions.
//
// The result is valid for [gemini.ValidateRequest], or there is an error. The report says what was
// added, approximated or lost: each value of the request is visible in the result, or there is an
// entry at its place or above it. What the response repeats, such as metadata, is reported as
// approximated.
package request
