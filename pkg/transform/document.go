package transform

import (
	"io"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/validation"
)

// Document is a kind of payload of a form, under the name that a command uses for it.
type Document struct {
	// Name names the document, for example "openai-request".
	Name string
	// About describes the document, and CheckAbout a valid one. Both are for lists in a command's
	// help.
	About, CheckAbout string
	// Is reports whether an object is such a document, or its first chunk. It decides from the
	// member names and the value of the member type. Names are in lower case without underscores.
	Is func(names map[string]bool, kind string) bool
	// Mark is a member that every answer has. Kinds are the values of the member object or type
	// that identify an answer. Both are empty for other documents.
	Mark  string
	Kinds []string

	// Recode decodes a request or an answer and encodes it again. It is nil for a stream.
	Recode func(data []byte) ([]byte, error)
	// Copy decodes the events of a stream and encodes them again. In strict mode it stops before a
	// loss. It is nil for documents that are not streams.
	Copy func(w io.Writer, r io.Reader, strict bool) (report.Report, error)
	// Check returns the violations of an answer or a stream. It is nil for a request; see
	// [Request].Validate.
	Check func(data []byte) []validation.Violation
}
