package exchange

import "github.com/gemwire/gemwire/pkg/report"

// Nothing is a Recorder that wants no bodies and does nothing. A recorder that looks at little
// embeds it.
type Nothing struct{}

// WantsBodies returns false.
func (Nothing) WantsBodies() bool { return false }

// Request does nothing. So do the methods below.
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
