package cli

import "github.com/gemwire/gemwire/pkg/transform"

// writtenError is an error about a payload, with the places as the input has them.
type writtenError struct {
	err error
	in  *transform.Spelling
}

func (e *writtenError) Error() string { return e.err.Error() }
func (e *writtenError) Unwrap() error { return e.err }

func (e *writtenError) locate() []finding {
	found := findings(e.err)
	for i := range found {
		found[i].pointer = e.in.Pointer(found[i].pointer)
	}
	return found
}
