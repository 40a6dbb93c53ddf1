// Package request makes of a request for Anthropic's Messages API one that Gemini takes, by what
// the model is known to take:
//
//	in, err := anthropic.DecodeRequest(body)
//	...
//	out, report, err := request.ToGemini(in)
//	...
//	data, err := gemini.EncodeRequest(out)
//
// The system is the instruction. A message of the role system, which stands somewhere in the
// conversation, is said by the user at its place, between tags that tell who speaks. Messages of
// the model become its turns again, with their thought signatures: those that package messages put
// into a block of thinking or behind the id of a call stand on their part, byte for byte. Thinking
// of other models is left out. A call without a signature gets the documented word in its place
// where the model insists on one. Results of tools stand directly behind their calls, in one turn
// and in the order of the calls; one that is missing, or is there twice, is an error that names its
// id.
//
// Tools of the client are functions, also those that Anthropic knows by their type alone, such as
// bash and the text editor. Web search, web fetch and code execution are Gemini's own tools of that
// kind.
//
// Media at addresses are passed on. [InlineMedia] puts them into the request before, or refuses
// them.
//
// Everything else is in the report: each value of the request is visible in the result, or there is
// an entry at its place or above it. The result is valid for gemini.ValidateRequest, or there is an
// error.
//
// A request without max_tokens is converted, though Anthropic refuses it: Gemini needs no limit,
// and writes as much as it likes. anthropic.ValidateRequest names it.
//
// Both versions of the API are read alike, 2023-06-01 and 2026-10-21, and so are requests to count
// tokens.
package request
