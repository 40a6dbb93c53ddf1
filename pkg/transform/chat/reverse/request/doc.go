// Package request makes of a request for Gemini one for chat_completions, so that programs that
// speak Gemini's API work on any server that speaks OpenAI's:
//
//	in, err := gemini.DecodeRequest(body)
//	...
//	out, report, err := request.FromGemini(in, request.ForModel("gpt-5.1"))
//	...
//	data, err := openai.EncodeRequest(out)
//
// # What becomes of a request
//
// The instruction is the first message, of the role system, or developer for OpenAI's o-series.
// Contents of one role that follow one another are one message. A turn of the model is the message
// that package openai makes of an answer: texts are content, calls are tool_calls with their
// arguments byte for byte. Results of functions follow the message with their calls at once, each
// as a message of the role tool. They find their calls by id, or by name and order; calls that have
// no id get one that is the same whenever the same request is converted. Media in a result are in a
// message of the user behind all results.
//
// Images are data URLs or addresses, WAV and MP3 are input_audio, other documents are files.
// Schemas in Gemini's form are JSON Schema. Names of functions that OpenAI does not take, as Gemini
// allows dots, colons and 128 letters, are replaced; [OriginalNames] finds them again in the
// answer.
//
// # What chat_completions has no place for
//
// It goes, by default, where [request.ToGemini] of package openai/request reads it: members of the
// request and of its generationConfig in extra_body.google, what a message's parts have in its
// extra_content.google, thoughts in reasoning_content. A server that knows these members, such as
// gemwire serve, gets the whole request, and names of functions stay as they are. A conversion back
// gives the request that it was, but for what the report says.
//
// [WithoutExtensions] leaves all that out, for servers that refuse members that they do not know.
// What is lost by that is in the report; what would change the meaning of the question is an error:
// media that cannot be sent, addresses that only Google can reach, contents in a cache, a fifth
// text at which the answer ends.
//
// # Functions and reasoning
//
// OpenAI's chat_completions takes functions from GPT-5.6 on with the reasoning effort none alone.
// That is sent there, and reported as a loss. [WithEffortBesideTools] keeps the effort, for servers
// that take both.
//
// # What is reported
//
// Each value of the request is visible in the result, or the report has an entry at its place or
// above it. What is returned is valid for [openai.ValidateRequest], or there is an error. All
// functions are safe for concurrent use and change nothing that they are given.
package request
