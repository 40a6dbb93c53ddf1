// Package responsestest checks payloads of OpenAI's Responses API in tests: fixtures that people
// write, recordings, and answers of your own server.
//
//	func TestFixtureIsWhatTheServerSends(t *testing.T) {
//		body, err := os.ReadFile("testdata/answer.json")
//		if err != nil {
//			t.Fatal(err)
//		}
//		responsestest.CheckResponse(t, body)
//	}
//
// Each check fails the test with one line for each error: its JSON pointer, what would be right and
// what was found. No recorded answer of OpenAI breaks a rule. Anything that the description does
// not know, such as a misspelt member, fails the test too; see [AllowUnknown].
package responsestest

import (
	"testing"

	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/internal/test/checkreport"
	"github.com/gemwire/gemwire/pkg/openai/responses"
)

// CheckOption sets what fails a test.
type CheckOption func(*checkOptions)

// checkOptions are the options of a check.
type checkOptions struct{ list []checkreport.Option }

// AllowUnknown logs members and enum values that the description does not know, and does not fail
// the test. Use it for recordings, because servers add members before the description lists them.
func AllowUnknown() CheckOption {
	return func(o *checkOptions) { o.list = append(o.list, checkreport.AllowUnknown()) }
}

// CheckRequest fails the test for a request that OpenAI would refuse: see
// [responses.ValidateRequest].
func CheckRequest(t testing.TB, body []byte) {
	t.Helper()
	request, err := responses.DecodeRequest(body)
	if err != nil {
		t.Error(err)
		return
	}
	checkreport.ReportError(t, responses.ValidateRequest(request))
}

// CheckResponse fails the test for a whole answer that OpenAI would not send: see
// [responses.CheckResponse].
func CheckResponse(t testing.TB, body []byte, opts ...CheckOption) {
	t.Helper()
	checkreport.Report(t, responses.CheckResponse(body), listed(opts)...)
}

// CheckStream fails the test for a stream that OpenAI would not send: see [responses.CheckStream].
func CheckStream(t testing.TB, body []byte, opts ...CheckOption) {
	t.Helper()
	checkreport.Report(t, responses.CheckStream(body), listed(opts)...)
}

// listed returns the options in the form of package checkreport.
func listed(opts []CheckOption) []checkreport.Option {
	var o checkOptions
	option.Apply(&o, opts)
	return o.list
}
