package mediafetch

import "errors"

// ErrTooLarge is in the chain of the error for media beyond the limit of [WithMaxBodySize].
var ErrTooLarge = errors.New("the media is too large")

// ErrForbiddenType is in the chain of the error for media of a type that is not taken.
var ErrForbiddenType = errors.New("media of this type is not taken")

// Error reports why media could not be got. Its text names the host and nothing else of the
// address.
type Error struct {
	// Host is the host of the address that was asked for; "" when there is none.
	Host string
	// Reason is the fault in words.
	Reason string
	// Err is the cause, for [errors.Is]; nil where Reason says it all. Its own text may hold more
	// of the address than is good to show.
	Err error
}

// Error returns one line such as "mediafetch: example.com: the server answered 404 Not Found".
func (e *Error) Error() string {
	if e.Host == "" {
		return "mediafetch: " + e.Reason
	}
	return "mediafetch: " + e.Host + ": " + e.Reason
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }
