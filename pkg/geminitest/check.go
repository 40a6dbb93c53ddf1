package geminitest

import (
	"errors"
	"testing"

	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/internal/test/checkreport"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// CheckRequest fails the test when the API would refuse a request to generate, and says of each
// fault where it is and what would be right: gemini.ValidateRequest, for the body as it is sent.
// model is the one that the request is for, "" for the rules of all models; options say which
// service it is for.
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

// CheckOption changes what fails a test.
type CheckOption func(*checkOptions)

// checkOptions are the options of a check.
type checkOptions struct{ list []checkreport.Option }

// AllowUnknown logs members and enum values that the description does not know, and does not fail
// the test with them. It is for recordings, as the API says new things before the description knows
// them.
func AllowUnknown() CheckOption {
	return func(o *checkOptions) { o.list = append(o.list, checkreport.AllowUnknown()) }
}

// CheckResponse fails the test for a whole answer that the API would not give, with one line for
// each fault: its JSON pointer, what would be right and what was found. It looks at the bytes as
// they came; see [gemini.CheckResponse]. A refused prompt is an answer; an error is not. What the
// description does not know fails the test too, unless [AllowUnknown] is given.
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

// CheckStream fails the test for a stream that the API would not write, in either framing: what
// CheckResponse says of each chunk and of the whole, and that all chunks are of one answer, that
// nothing stands between the events, and that the stream ends. Pointers begin with the number of
// the chunk; see [gemini.CheckStream].
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
