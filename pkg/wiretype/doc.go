// Package wiretype holds the values that a wire has and Go has no type for: a string or something
// else ([StringOr]), a list or one of its elements ([OneOrList]), a list or null ([NullableList]),
// a value, null or nothing ([Nullable]), a 64-bit integer as a string or as a number ([Int64]),
// media at an address or inline ([MediaURL], [FileData]).
//
// The generated packages use these types where the description says "one of". Each of them reads
// every form, remembers which one it was, and writes the same one again. A value is parsed once,
// when it is decoded, and not again when it is read.
//
//	var content wiretype.StringOr[[]Part]
//	err := json.Unmarshal(data, &content)
//	if text, ok := content.AsString(); ok { ... }
//	if parts, ok := content.AsValue(); ok { ... }
//
// The types read and write the same through encoding/json, encoding/json/v2 and this library. What
// they hold follows the options of the decoder and the encoder that call them. All types are plain
// values: safe to copy, and to read from several goroutines at once.
package wiretype
