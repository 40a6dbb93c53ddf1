// Package jsonx adds functions to the JSON library that the wire types need.
//
//   - Generated methods (forms.go, method.go): what a wire type does with a value that the fast
//     codec of package plainjson does not take.
//   - Raw JSON (members.go, object.go, find.go, set.go, ...): members that no schema knows, read
//     and written in place.
//   - Optional members, JSON pointers in messages, and numbers that are not finite.
//   - Lists and texts that grow while a stream goes on (indexed_list.go, unique_list.go,
//     pieced_text.go).
//
// A wire type is written and read in one way, whatever options its caller has: encoding/json, the
// library and the packages gemini and openai give the same bytes. When a value is not plain, its
// methods call the library again with an option that only this package has, [ReadByMember] or
// [WriteByMember]. This option makes the methods of the value, and of all values in it, leave the
// members to the library and to the options at hand, so that no method calls itself again.
package jsonx
