// Package wiretype has Go types for JSON values that Go has no type for: a string or something else
// ([StringOr]), a list or one of its elements ([OneOrList]), a list or null ([NullableList]), a
// value, null or nothing ([Nullable]), a 64-bit integer as a string or as a number ([Int64]), and
// media at an address or inline ([MediaURL], [FileData]).
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
