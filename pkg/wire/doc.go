// Package wire defines the errors that gemwire returns if it cannot read or write the JSON of an
// API. The packages gemini, openai, responses and anthropic return them, and so does normalize for
// its own JSON forms.
//
//   - [MalformedError]: bytes are not the payload that they were decoded as.
//   - [EncodeError]: a value cannot be written as JSON.
//   - [StreamError]: a stream cannot be read any further. It wraps [ErrTruncated],
//     [ErrEventTooLarge], [ErrSecondStream], a *[MalformedError], or the error of the underlying
//     reader.
//
// Each type has Location, which returns a JSON pointer (RFC 6901) and a byte offset, and Reason,
// which returns the fault without its location:
//
//	response, err := gemini.DecodeResponse(body)
//	if malformed, ok := errors.AsType[*wire.MalformedError](err); ok {
//		log.Printf("byte %d, %s: %s", malformed.Offset, malformed.Pointer, malformed.Message)
//	}
//
// Errors that a server reports itself have another type, such as *gemini.Error.
package wire
