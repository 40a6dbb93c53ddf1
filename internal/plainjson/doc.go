// Package plainjson reads and writes plain JSON quickly, for the codecs that codecgen generates.
// Nearly every payload is plain JSON: it uses only the common features. For any other payload the
// codec calls the JSON library, which decides what the bytes mean or why they are invalid.
//
// So a [Decoder] and an [Encoder] return no errors. They only fail, and then the JSON library reads
// or writes the same payload from its beginning. If they do not fail, their result must be the same
// as the library's. The tests of the packages with generated codecs check this.
//
// Plain to a Decoder is: exact member names without escapes, each known member at most once, and
// values of the described type. A value may be null if null makes its member absent. Enum values
// must be known. Whole numbers must have at most 18 digits, without fraction and exponent. Strings
// must be valid UTF-8. The nesting must be at most 200 levels, and nothing may follow the end. An
// unknown member is kept if its name does not resemble a known name. Plain to an Encoder is: finite
// numbers, valid UTF-8, and free-form values that are JSON.
//
// Types of described packages, see codecgen, do not use the JSON library. Their [Decoder] and
// [Encoder] are lenient: they read and write all JSON with the same functions. A [Fault] says what
// is wrong with other input, and where.
//
// Decoders and encoders use no reflection, no package unsafe, and no memory that outlives a call.
package plainjson

// maxDepth is far above the needs of payloads, which have at most some dozens of levels. It is far
// below the 10,000 levels that the JSON library allows.
const maxDepth = 200
