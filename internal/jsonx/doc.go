// Package jsonx has what the wire types need in addition to the JSON library:
//
//   - [MarshalTo], [UnmarshalFrom] and [Forms] encode and decode a value that the fast codec of
//     package plainjson does not take. Generated methods call them.
//   - [Members], [Find], [Set] and [MergeObjects] read and change raw JSON, such as members that no
//     schema knows.
//   - [Deref], [CopyOf], [NonEmpty] and [Keep] read and set optional members.
//   - [MemberPointer], [ElementPointer] and [ParamOf] make JSON pointers and names for messages.
//   - [IndexedList], [UniqueList] and [PiecedText] hold lists and texts that grow during a stream.
//
// A wire type has the same JSON with every caller and its options: encoding/json, the library, and
// the packages gemini and openai produce the same bytes. If a value is not plain, its methods call
// the library again with an option of this package, [ReadByMember] or [WriteByMember]. With this
// option the methods of the value, and of all values in it, leave the members to the library and
// the current options. So no method calls itself again.
package jsonx
