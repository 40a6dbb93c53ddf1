package mediafetch

import "errors"

// ErrTooLarge is wrapped by the error for media above the limit of [WithMaxBodySize].
var ErrTooLarge = errors.New("the media is too large")

// ErrForbiddenType is wrapped by the error for media of a type that is not allowed.
var ErrForbiddenType = errors.New("media of this type is not accepted")

// Error reports why media could not be downloaded. Its text names the host and no other part of the
// address.
type Error struct {
	// Host is the host of the requested address, "" if the address has none.
	Host string
	// Reason describes the fault.
	Reason string
	// Err is the cause, for [errors.Is], nil if the error has none. Its own text may contain more
	// of the address than should be shown.
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
