package transform

import (
	"io"
	"iter"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/report"
)

// Back has the conversions of a form in the other direction: Gemini's requests to the form, and
// answers of the form to Gemini's. It is for servers of the form that replace Gemini. Its functions
// use the options ID, Model, WithoutExtensions and LossesOnly.
type Back struct {
	// Request returns Gemini's request in the form. An error that a model is missing has the
	// location /model.
	Request func(r *geminiapi.GenerateContentRequest, o *Options) ([]byte, report.Report, error)
	// Answer decodes an answer of the form and returns it as Gemini's. The report is returned with
	// an error too.
	Answer func(data []byte, o *Options) (*geminiapi.GenerateContentResponse, report.Report, error)
	// Stream begins to read a stream of the form.
	Stream func(r io.Reader, o *Options) BackStream
}

// BackStream is a stream of a form that is read as Gemini's.
type BackStream interface {
	// Chunks yields Gemini's chunks. An error is the last pair, with a nil chunk. A body that ends
	// too early is such an error.
	Chunks() iter.Seq2[*geminiapi.GenerateContentResponse, error]
	// Report returns the report so far, and Lost its losses.
	Report() report.Report
	Lost() report.Report
	// ErrorBody returns an error of the stream as Gemini's API reports it.
	ErrorBody(err error) *geminiapi.ErrorResponse
}
