package cli

import (
	"fmt"

	"github.com/gemwire/gemwire/server/cli/message"
)

// elementError converts an error about one element of a stream, with a location in that element, to
// a location in the whole input.
type elementError struct {
	pointer string // of the element, "" if err has one of the whole input
	offset  int64  // of the element, -1 if it is not known
	err     error
}

func (e *elementError) Error() string { return e.err.Error() }
func (e *elementError) Unwrap() error { return e.err }

// Findings returns the locations of the error in the whole input.
func (e *elementError) Findings() []message.Finding {
	found := message.Findings(e.err)
	for i := range found {
		found[i].Pointer = e.pointer + found[i].Pointer
		if e.offset >= 0 {
			found[i].Offset = e.offset + max(found[i].Offset, 0)
		}
	}
	return found
}

// position returns the JSON pointer of a stream element by its index.
func position(before int) string { return fmt.Sprintf("/%d", before) }
