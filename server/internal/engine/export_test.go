package engine

// FailServer makes the engine assume that its server failed to write.
func (e *Engine) FailServer() { e.host.fail() }

// StreamFiles is the stream of files.
const StreamFiles = streamFiles

// AddChecksum and VerifyChecksum write and read every message.
var (
	AddChecksum    = addChecksum
	VerifyChecksum = verifyChecksum
)
