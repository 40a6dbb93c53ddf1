// Package request converts requests of Anthropic's Messages API to requests for Gemini. It
// considers what the requested model is known to accept.
//
//	in, err := anthropic.DecodeRequest(body)
//	...
//	out, report, err := request.ToGemini(in)
//	...
//	data, err := gemini.EncodeRequest(out)
//
// # Messages
//
// The system becomes the instruction. A system message within the conversation becomes text of the
// user at its place, between tags that name the speaker. Messages of the model become turns again.
// Package messages puts thought signatures into thinking blocks or call ids. They return to their
// parts byte for byte. Thinking of other models is omitted. If the model requires signatures, a
// call without one gets the documented placeholder. Tool results follow their calls directly, in
// one turn and in the order of the calls. A missing or duplicate result is an error that names its
// id.
//
// # Tools and media
//
// Client tools become functions. This includes tools that Anthropic defines by their type alone,
// such as bash and the text editor. Web search, web fetch and code execution become Gemini's own
// tools.
//
// Addresses of media are passed on. [InlineMedia] first downloads the media into the request, or
// refuses them.
//
// # What is reported
//
// The report lists everything else: each value of the request is visible in the result, or the
// report has an entry at its pointer or above it. The result passes gemini.ValidateRequest, or
// there is an error.
//
// A request without max_tokens is converted, although Anthropic refuses it. Gemini needs no limit,
// so the length of the answer is unlimited. anthropic.ValidateRequest reports the missing member.
//
// Requests of both API versions, 2023-06-01 and 2026-10-21, are read in the same way. So are
// requests to count tokens.
package request
