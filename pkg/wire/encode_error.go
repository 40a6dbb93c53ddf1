package wire

// EncodeError reports why a payload cannot be written as JSON, and where.
type EncodeError struct {
	// Wire is the format that the payload belongs to, as in [MalformedError].
	Wire string
	// Payload names the encoded payload, as in [MalformedError].
	Payload string
	// Pointer is the JSON pointer (RFC 6901) of the faulty value. "" is the whole payload.
	Pointer string
	// Message describes the fault, for example "not JSON".
	Message string
	// Err is the cause.
	Err error
}

// Error returns one line such as
// "gemini: request: /contents/0/parts/0/functionCall/args: not JSON".
func (e *EncodeError) Error() string { return prefix(e.Wire, e.Payload, e.Pointer) + e.Message }

// Unwrap returns Err.
func (e *EncodeError) Unwrap() error { return e.Err }

// Location returns Pointer, and -1 for the offset, because a value has no bytes yet.
func (e *EncodeError) Location() (pointer string, offset int64) { return e.Pointer, -1 }

// Reason returns Message, which describes the fault without its location.
func (e *EncodeError) Reason() string { return e.Message }
