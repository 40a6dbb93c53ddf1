// Package aisdk turns Gemini streams into AI SDK stream parts. [FromGemini] maps the chunks of a
// streamGenerateContent answer as they come, and [WriteStream] writes the parts as lines of JSON;
// [Stream] is the same chunk by chunk:
//
//	reader := gemini.NewStreamReader(body)
//	report, err := aisdk.WriteStream(out, reader.All())
//
// The parts are those that the SDK's own provider for Google makes, and more: signatures are kept
// wherever they come, text stays in its order around calls, results find their calls, and what
// Gemini says beyond what the SDK knows is in the metadata of the provider "google". [Stream] has
// the rules and what the stream of parts promises. What no part has is in the report.
package aisdk
