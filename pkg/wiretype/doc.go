// Package wiretype provides Go types for JSON values that may have several forms, such as a string
// or a list.
//
//   - [StringOr]: a string or another type.
//   - [OneOrList]: a list or one of its elements.
//   - [NullableList]: a list or null.
//   - [Nullable]: a value, null or nothing.
//   - [Int64]: a 64-bit integer as a string or as a number.
//   - [MediaURL], [FileData]: media at an address or inline.
//
// The generated packages use these types where the API description says "one of". Each type reads
// every form, remembers which one it was, and writes the same form again. A value is parsed once,
// when it is decoded.
//
//	var content wiretype.StringOr[[]Part]
//	err := json.Unmarshal(data, &content)
//	if text, ok := content.AsString(); ok { ... }
//	if parts, ok := content.AsValue(); ok { ... }
//
// The types work in the same way with encoding/json, encoding/json/v2 and
// github.com/go-json-experiment/json. Their contents follow the options of the decoder or encoder.
// All types are plain values: they can be copied, and read concurrently.
package wiretype
