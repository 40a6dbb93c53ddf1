// Package aisdk converts Gemini streams to AI SDK stream parts. [FromGemini] maps the chunks of a
// streamGenerateContent response as they arrive, and [WriteStream] writes the parts as lines of
// JSON. [Stream] does the same chunk by chunk:
//
//	reader := gemini.NewStreamReader(body)
//	report, err := aisdk.WriteStream(out, reader.All())
//
// The SDK's own Google provider makes the same parts. This package adds:
//
//   - all signatures;
//   - text in order around calls;
//   - results matched to their calls;
//   - values that the SDK has no member for, in the metadata of the provider "google".
//
// [Stream] describes the rules and guarantees. The report lists what no part has.
package aisdk
