// Package aisdk reads and writes the stream parts of language models in the AI SDK:
// LanguageModelV3StreamPart of the npm package @ai-sdk/provider 3, and, on request, its successor
// LanguageModelV4StreamPart of @ai-sdk/provider 4.
//
// A [Part] is one element of such a stream: [TextDelta], [ToolCall], [Finish] and so on, one Go
// type for each variant of the union. [EncodePart] writes a part as one line of JSON with its type
// first, and [DecodePart] reads it:
//
//	for part, err := range aisdk.ReadParts(body) {
//		if err != nil {
//			return err
//		}
//		if err := aisdk.WritePart(out, part); err != nil {
//			return err
//		}
//	}
//
// Undefined JavaScript values are absent in the JSON. A Date is a string by RFC 3339, a URL is a
// string, and the input of a tool call is a string that holds JSON.
package aisdk
