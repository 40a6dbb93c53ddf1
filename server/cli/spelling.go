package cli

import (
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/server/cli/message"
)

// writtenError is an error about a payload, with locations in the input's own spelling.
type writtenError struct {
	err error
	in  *report.Spelling
}

func (e *writtenError) Error() string { return e.err.Error() }
func (e *writtenError) Unwrap() error { return e.err }

// Findings returns the locations of the error in the input's own spelling.
func (e *writtenError) Findings() []message.Finding {
	found := message.Findings(e.err)
	for i := range found {
		found[i].Pointer = e.in.Pointer(found[i].Pointer)
	}
	return found
}
