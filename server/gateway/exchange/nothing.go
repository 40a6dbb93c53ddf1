package exchange

import "github.com/gemwire/gemwire/pkg/report"

// Nothing is a Recorder that wants no bodies and does nothing. Embed it in a recorder that needs
// only some of the methods.
type Nothing struct{}

// WantsBodies returns false.
func (Nothing) WantsBodies() bool { return false }

// Request implements [Recorder]. It does nothing, like the methods below.
func (Nothing) Request(Side, Request) {}

// Response implements [Recorder].
func (Nothing) Response(Side, Response) {}

// Chunk implements [Recorder].
func (Nothing) Chunk(Side, []byte) {}

// Signature implements [Recorder].
func (Nothing) Signature(Signature) {}

// Attempt implements [Recorder].
func (Nothing) Attempt(Attempt) {}

// Report implements [Recorder].
func (Nothing) Report(Side, report.Report) {}

// End implements [Recorder].
func (Nothing) End(End) {}
