// Package jsonx adds functions to the JSON library that the wire types need.
//
//   - Generated methods (forms.go, method.go): what a wire type does with a value that the fast
//     codec of package plainjson does not take.
//   - Raw JSON (members.go, object.go, find.go, set.go, ...): members that no schema knows, read
//     and written in place.
//   - Optional members, JSON pointers in messages, and numbers that are not finite.
//   - Lists and texts that grow during a stream (indexed_list.go, unique_list.go, pieced_text.go).
//
// A wire type has the same JSON with every caller and its options: encoding/json, the library, and
// the packages gemini and openai produce the same bytes. If a value is not plain, its methods call
// the library again with an option of this package, [ReadByMember] or [WriteByMember]. With this
// option the methods of the value, and of all values in it, leave the members to the library and
// the current options. So no method calls itself again.
package jsonx
