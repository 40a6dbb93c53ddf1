// Package anthropictest checks payloads of Anthropic's Messages API in tests: fixtures that people
// write, recordings, and answers of your own server.
//
//	func TestFixtureIsWhatTheServerSends(t *testing.T) {
//		body, err := os.ReadFile("testdata/answer.json")
//		if err != nil {
//			t.Fatal(err)
//		}
//		anthropictest.CheckResponse(t, body)
//	}
//
// Each check fails the test with one line for each error: its JSON pointer, what would be right and
// what was found. No recorded answer of Anthropic breaks a rule. Anything that the description does
// not know, such as a misspelt member, fails the test too; see [AllowUnknown].
package anthropictest

import (
	"testing"

	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/internal/test/checkreport"
	"github.com/gemwire/gemwire/pkg/anthropic"
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

// CheckRequest fails the test for a request that Anthropic would refuse in a version of the API:
// see [anthropic.ValidateRequest].
func CheckRequest(t testing.TB, body []byte, version anthropic.Version) {
	t.Helper()
	request, err := anthropic.DecodeRequest(body)
	if err != nil {
		t.Error(err)
		return
	}
	checkreport.ReportError(t, anthropic.ValidateRequest(request, version))
}

// CheckResponse fails the test for a whole answer that Anthropic would not send: see
// [anthropic.CheckResponse].
func CheckResponse(t testing.TB, body []byte, opts ...CheckOption) {
	t.Helper()
	checkreport.Report(t, anthropic.CheckResponse(body), listed(opts)...)
}

// CheckStream fails the test for a stream that Anthropic would not send: see
// [anthropic.CheckStream].
func CheckStream(t testing.TB, body []byte, opts ...CheckOption) {
	t.Helper()
	checkreport.Report(t, anthropic.CheckStream(body), listed(opts)...)
}

// listed returns the options in the form of package checkreport.
func listed(opts []CheckOption) []checkreport.Option {
	var o checkOptions
	option.Apply(&o, opts)
	return o.list
}
