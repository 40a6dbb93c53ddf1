// Package responses converts Gemini's responses and streams to OpenAI's Responses API. Package
// request, a subpackage, converts requests. Package pkg/openai/responses reads and writes the JSON
// of the API.
//
//	in, err := gemini.DecodeResponse(body)
//	...
//	response, report, err := toresponses.FromGemini(in, toresponses.WithRequest(request))
//	...
//	out, err := responses.EncodeResponse(response)
//
// # What a response contains
//
// The first candidate becomes the output; other candidates are lost. Its parts become items in
// their order:
//
//	consecutive texts      a message with one output_text
//	thoughts               a reasoning item, with a summary part for each thought
//	function calls         function_call, with the arguments byte for byte; custom_tool_call and members namespace
//	                       if the request declared the tool so ([WithRequest])
//	code and its results   one code_interpreter_call
//	images                 image_generation_call
//	searches               web_search_call and file_search_call, after the answer, because a stream has them last
//	pages that were read   web_search_call with the action open_page, after the answer
//
// Sources of the answer are annotations of the last message: url_citation, whose positions count
// characters, and file_citation. All members that clients rely on are set, to OpenAI's defaults or
// the settings of the request. In usage, input_tokens and output_tokens always add up to
// total_tokens. output_tokens includes thinking.
//
// # How a response ends
//
//	normal end             completed
//	token limit            incomplete, with max_output_tokens
//	filter                 incomplete, with content_filter
//	refused prompt         failed, with invalid_prompt, because clients retry a prompt after incomplete
//	malformed answer       failed, with server_error and Gemini's own reason
//	any other reason       completed if there is an output
//
// If the response is incomplete, the open item is incomplete too.
//
// # Thought signatures
//
// Gemini signs parts and requires each signature back on the same part. Clients keep the
// encrypted_content of reasoning items and little else: no ids, no unknown members, no status. So a
// reasoning item directly before an item carries the item's signature, together with the thoughts
// there. The signature of a text is in the reasoning item after it, because streams have it last.
// So an answer that starts with a text starts with the message, in a response and in a stream.
//
// encrypted_content is a token that says what it signs, and the position of the signed part. Parts
// that have no item in the Responses API are in such a token as a whole, and are restored from it.
// These are a signed empty text, calls of Google's tools and their results, and parts that no
// description knows. Every reasoning item has a token, because some clients drop items without one.
//
// # Streams
//
// [WriteStream] converts a stream as it arrives. [Stream] does the same for callers that have
// chunks of their own. [responses.StreamWriter] writes the body.
//
//	in := gemini.NewStreamReader(body)
//	report, err := toresponses.WriteStream(w, in.All(), toresponses.WithRequest(request))
//
// The events of a stream add up ([responses.Accumulator]) to the output of the whole response. The
// same code makes both.
//
// # What has no member in the Responses API
//
// Such values are in extra_content.google of the response. They have the same names as in chat
// completions and Gemini's form. These are grounding, citations, URL context, ratings, token counts
// by modality, Gemini's own finish reason, sounds and other media, and members that no description
// knows. [WithoutExtensions] omits them.
//
// # What is reported
//
// Every conversion returns a [transform.Report]. It lists added values, such as a missing id, and
// approximated values, such as a part that is only in a token. It also lists lost values. With
// extensions nothing of the first candidate is lost. Each input value is visible in the output, or
// the report has an entry at its pointer or above it.
//
// All functions are safe for concurrent use and do not change their arguments. A [Stream] must not
// be used by several goroutines.
package responses
