package transform

import (
	"io"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/validation"
)

// Document is a kind of payload of a form, as a command names it.
type Document struct {
	// Name names the document, for example "openai-request".
	Name string
	// About says what it is, and CheckAbout what a valid one holds. Both are for lists in a
	// command's help.
	About, CheckAbout string
	// Is reports whether an object is one, or the first chunk of one, by the names of its members,
	// and the text of its member type. Names are in lower case without underscores.
	Is func(names map[string]bool, kind string) bool
	// Mark is the member that every answer has, and Kinds are the values of its members object or
	// type that mark one. They are empty but for answers.
	Mark  string
	Kinds []string

	// Recode decodes a request or an answer and encodes it again. It is nil for a stream.
	Recode func(data []byte) ([]byte, error)
	// Copy decodes the events of a stream and encodes them again. In strict mode it stops before
	// what would be lost. It is nil but for streams.
	Copy func(w io.Writer, r io.Reader, strict bool) (report.Report, error)
	// Check returns what is wrong with an answer or a stream. It is nil for a request, see
	// [Request].Validate.
	Check func(data []byte) []validation.Violation
}
