package request

// Error says why a request cannot be converted, and where. Its text never quotes media, thought
// signatures or texts of messages.
type Error struct {
	// Pointer is the place in the OpenAI request as a JSON pointer (RFC 6901); "" is the whole request,
	// as for what only the converted request shows.
	Pointer string
	// Reason says what is wrong and what would be right.
	Reason string
	// Err is the cause, such as a *[validation.Error]; nil where Reason says it all.
	Err error
}

// Error returns one line such as
// `openai: request: /messages/3: a result for "call_2" is missing`.
func (e *Error) Error() string {
	text := "openai: request: "
	if e.Pointer != "" {
		text += e.Pointer + ": "
	}
	text += e.Reason
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }
