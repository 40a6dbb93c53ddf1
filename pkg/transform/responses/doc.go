// Package responses converts Gemini's answers and streams to OpenAI's Responses API. Package
// request, inside, is the way of the requests; package pkg/openai/responses reads and writes the
// wire.
//
//	in, err := gemini.DecodeResponse(body)
//	...
//	response, report, err := toresponses.FromGemini(in, toresponses.WithRequest(request))
//	...
//	out, err := responses.EncodeResponse(response)
//
// # What a response holds
//
// The first candidate becomes the output; others are lost. Its parts become items in their order:
//
//	texts in a row         a message with one output_text
//	thoughts               a reasoning item, with a part of its summary for each thought
//	function calls         function_call, with the arguments byte for byte; custom_tool_call and members namespace
//	                       where the request declared the tool so ([WithRequest])
//	code and its results   one code_interpreter_call
//	images                 image_generation_call
//	searches               web_search_call and file_search_call, behind the answer, since a stream learns of them last
//	pages that were read   web_search_call with the action open_page, behind the answer
//
// Sources of the answer are annotations of the last message: url_citation, whose positions count
// characters, and file_citation. All members that clients rely on are there, with OpenAI's defaults
// or the settings of the request, and in usage input_tokens and output_tokens (thinking included)
// always add up to total_tokens.
//
// # How a response ends
//
// A normal end is completed. The limit of tokens is incomplete with max_output_tokens, a filter is
// incomplete with content_filter, and the item that was open is incomplete too. A refused prompt is
// failed with invalid_prompt, as clients send a prompt again after incomplete. What Gemini calls a
// malformed answer is failed with server_error and Gemini's own word for it; any other reason is
// completed if there is an output.
//
// # Thought signatures
//
// Gemini signs parts and wants the signatures back on the same parts. Clients keep
// encrypted_content of reasoning items, and little else: no ids, no unknown members, no status. So
// a signature travels in a reasoning item directly before the item that it signs, which also has
// the thoughts that come there. That of a text travels in the reasoning item after it, as streams
// have it last: an answer that is a text begins with the message, whole and streamed. The token
// says what it signs and where the part stood. Parts that the Responses API has no item for are in
// such a token whole, so that they come back: an empty text that is signed, calls of Google's tools
// and their results, and what no description knows. Every reasoning item has a token, as some
// clients drop those without.
//
// # Streams
//
// [WriteStream] converts a stream as it comes; [Stream] is the same for callers with chunks of
// their own, and [responses.StreamWriter] writes the body.
//
//	in := gemini.NewStreamReader(body)
//	report, err := toresponses.WriteStream(w, in.All(), toresponses.WithRequest(request))
//
// The items that the events of a stream make ([responses.Accumulator]) are the output of the whole:
// the same code makes both.
//
// # What the Responses API has no place for
//
// It is in extra_content.google of the response, by the names that chat_completions has for it, in
// Gemini's own form: grounding, citations, URL context, ratings, token counts by modality, Gemini's
// own finish reason, sounds and other media, and what no description knows. [WithoutExtensions]
// leaves it out.
//
// # What is reported
//
// Every conversion returns a [transform.Report]: what was added, such as an id where there is none;
// what was approximated, such as a part that is only in a token; and what was lost. With extensions
// nothing of the first candidate is lost. Each value of the input is visible in the output, or
// there is an entry at its place or above it.
//
// All functions are safe for concurrent use and change nothing that they are given; a [Stream]
// belongs to one goroutine.
package responses
