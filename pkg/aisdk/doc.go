// Package aisdk reads and writes the parts that the AI SDK's core takes from a language model:
// LanguageModelV3StreamPart of the npm package @ai-sdk/provider 3, and, on request, its successor
// LanguageModelV4StreamPart of @ai-sdk/provider 4.
//
// A [Part] is one element of such a stream: [TextDelta], [ToolCall], [Finish] and so on, one Go
// type for each variant of the union. [EncodePart] writes a part as one line of JSON with its type
// in front, [DecodePart] reads it back:
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
// What is undefined in JavaScript is absent in the JSON; a Date is a string by RFC 3339, and a URL
// is a string; the input of a tool call is a string that holds JSON.
package aisdk
