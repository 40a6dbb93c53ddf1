// Package wirejson has the part of the wire types' JSON that is the same for all of them: what their
// generated methods do when a value is not plain, as package plainjson means it, and the options under
// which they and the JSON library do the same.
//
// A wire type writes and reads itself as one value, whatever options its caller has: encoding/json, the
// library and the packages gemini and openai get the same. For a value that is not plain, the methods
// hand it to the library again, with an option that only this package has, [ReadByMember] or
// [WriteByMember]. It makes the methods of the value, and of all values in it, leave the members to the
// library and to the options at hand, so that no method calls itself again.
package wirejson
