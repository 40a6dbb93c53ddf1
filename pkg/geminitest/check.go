package geminitest

import (
	"errors"
	"testing"

	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/internal/test/checkreport"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// CheckRequest fails the test if the API would refuse a request to generate content. It reports the
// location of each error and what would be right, by gemini.ValidateRequest, for the body as it is
// sent. model is the model of the request, or "" for the rules of all models. The options select
// the service.
func CheckRequest(t testing.TB, body []byte, model string, opts ...gemini.ValidateOption) {
	t.Helper()
	request, err := gemini.DecodeRequest(body)
	if err != nil {
		t.Error(err)
		return
	}
	checkreport.ReportError(t,
		gemini.ValidateRequest(request,
			append([]gemini.ValidateOption{gemini.ForModel(model)}, opts...)...))
}

// CheckOption sets what fails a test.
type CheckOption func(*checkOptions)

// checkOptions are the options of a check.
type checkOptions struct{ list []checkreport.Option }

// AllowUnknown logs members and enum values that the description does not know, and does not fail
// the test. Use it for recordings, because the API adds members before the description lists them.
func AllowUnknown() CheckOption {
	return func(o *checkOptions) { o.list = append(o.list, checkreport.AllowUnknown()) }
}

// CheckResponse fails the test for a whole answer that the API would not send. It prints one line
// for each error: its JSON pointer, what would be right and what was found. It checks the original
// bytes; see [gemini.CheckResponse]. A refused prompt is an answer; an error is not. Anything that
// the description does not know fails the test too, unless [AllowUnknown] is given.
func CheckResponse(t testing.TB, body []byte, opts ...CheckOption) {
	t.Helper()
	found := gemini.CheckResponse(body)
	checkreport.Report(t, found, listed(opts)...)
	if len(found) > 0 {
		return
	}
	response, err := gemini.DecodeResponse(body)
	if err == nil {
		_, err = normalize.FromResponse(response)
	}
	if _, isRefused := errors.AsType[*normalize.BlockedError](err); err != nil && !isRefused {
		t.Error(err)
	}
}

// CheckStream fails the test for a stream that the API would not send, in either framing. It
// applies the rules of CheckResponse to each chunk and to the whole. It also checks that all chunks
// belong to one answer, that nothing is between the events, and that the stream ends.
// Pointers begin with the index of the chunk; see [gemini.CheckStream].
func CheckStream(t testing.TB, body []byte, opts ...CheckOption) {
	t.Helper()
	checkreport.Report(t, gemini.CheckStream(body), listed(opts)...)
}

// listed returns the options in the form of package checkreport.
func listed(opts []CheckOption) []checkreport.Option {
	var o checkOptions
	option.Apply(&o, opts)
	return o.list
}
