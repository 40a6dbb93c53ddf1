// Package aisdk writes streams in the form that the AI SDK's core reads from a language model:
// LanguageModelV3StreamPart of the npm package @ai-sdk/provider 3, and, on request, its successor
// LanguageModelV4StreamPart of @ai-sdk/provider 4.
//
// # Parts
//
// A [Part] is one element of such a stream: [TextDelta], [ToolCall], [Finish] and so on, one Go type
// for each variant of the union. [EncodePart] writes a part as one line of JSON with its type in
// front, [DecodePart] reads it back. What is undefined in JavaScript is absent in the JSON; a Date
// is a string by RFC 3339, and a URL is a string; the input of a tool call is a string that holds
// JSON.
//
// # Gemini streams
//
// [MapGemini] turns the chunks of a streamGenerateContent answer into parts as they come, and
// [WriteGemini] writes these as lines; [GeminiStream] is the same chunk by chunk:
//
//	reader := gemini.NewStreamReader(body)
//	if err := aisdk.WriteGemini(out, reader.All()); err != nil {
//		return err
//	}
//
// The parts are those that the SDK's own provider for Google makes, and more: signatures are kept
// wherever they come, text stays in its order around calls, results find their calls, and what Gemini
// says beyond what the SDK knows is in the metadata of the provider "google". [GeminiStream] has the
// rules and what the stream of parts promises.
//
// # Agent NDJSON
//
// Agents that run in a sandbox, such as the one behind giselle-provider, print their events as JSON
// objects, mostly one to a line. [MapNDJSON] turns those bytes into parts as they arrive:
//
//	for part, err := range aisdk.MapNDJSON(body) {
//		if err != nil {
//			return err
//		}
//		if err := aisdk.WritePart(out, part); err != nil {
//			return err
//		}
//	}
//
// [AgentStream] is the same with what a host of such an agent needs besides the parts: the session
// data, the request that the agent waits for, and to go on with the stream after the answer to it.
// Below it are its layers, each of use alone:
//
//   - [Extractor], and [ExtractJSONObjects] for a string, cut the objects out of the bytes,
//   - [MapNDJSONEvent] and [FinishStream] map one event with the state of a [MapperContext].
//
// The stream of an agent's parts keeps these promises: each text block has a start, any number of deltas and
// one end, all by the same id, and blocks do not overlap; there is one finish, and it is the last
// part. Objects that are not JSON and events that have no part are left out, never silently:
// [WithReport] lists them with their byte offsets, and [Result] tells for each event.
package aisdk
