package turn

import "time"

// Request is a request of a client, as far as all forms read it.
type Request struct {
	Body []byte
	// ID is by what logs know it.
	ID string
	// At is when it came.
	At time.Time
	// Conversion is what the client wants to hear of.
	Conversion
	// IsRecorded is whether somebody keeps all of it.
	IsRecorded bool
}
