// Package plainjson reads and writes the plain JSON that nearly every payload is, for the codecs
// that codecgen generates. It is quick because it understands little: whatever is not plain it
// leaves, as a whole, to the JSON library, which decides what the bytes mean or why they are
// refused.
//
// So a [Decoder] and an [Encoder] have no errors. They fail, and then the JSON library reads or
// writes the same payload from its beginning. What they do not refuse, they must do exactly as the
// library does; the packages with generated codecs have the tests for that.
//
// Plain to a Decoder is: exact member names without escapes, each known member at most once, values
// of the described type (or null for a member that null makes absent), enum values that are known,
// whole numbers of at most 18 digits without fraction and exponent, strings of valid UTF-8, a
// nesting of at most 200 levels, and nothing after the end. An unknown member is kept, if its name
// does not resemble a known name. Plain to an Encoder is: finite numbers, valid UTF-8, free-form
// values that are JSON.
//
// Types of described packages, see codecgen, do without the JSON library: a [Decoder] and an
// [Encoder] that are lenient read and write all JSON by the same functions. A [Fault] says what is
// wrong with other input, and where.
//
// Neither uses reflection, unsafe or any memory that outlives a call.
package plainjson

// maxDepth is far from both what payloads need, at most some dozens of levels, and the 10,000
// levels that the JSON library allows.
const maxDepth = 200
