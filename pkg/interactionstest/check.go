// Package interactionstest checks payloads of Google's Interactions API in tests: fixtures that
// people write, recordings, and answers of your own server.
//
//	func TestFixtureIsWhatTheServerSends(t *testing.T) {
//		body, err := os.ReadFile("testdata/interaction.json")
//		if err != nil {
//			t.Fatal(err)
//		}
//		interactionstest.CheckResponse(t, body)
//	}
//
// Each check fails the test with one line for each error: its JSON pointer, what would be right and
// what was found. No recorded interaction of Google's breaks a rule. Anything that the description
// does not know, such as a misspelt member, fails the test too; see [AllowUnknown].
package interactionstest

import (
	"testing"

	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/internal/test/checkreport"
	"github.com/gemwire/gemwire/pkg/interactions"
)

// CheckOption sets what fails a test.
type CheckOption func(*checkOptions)

// checkOptions are the options of a check.
type checkOptions struct{ list []checkreport.Option }

// AllowUnknown logs warnings and does not fail the test with them: members and enum values that the
// description does not know, and what no recording has. Use it for recordings, because servers add
// members before the description lists them.
func AllowUnknown() CheckOption {
	return func(o *checkOptions) { o.list = append(o.list, checkreport.AllowUnknown()) }
}

// CheckRequest fails the test for a request that Google would refuse: see
// [interactions.ValidateRequest].
func CheckRequest(t testing.TB, body []byte, opts ...interactions.ValidateOption) {
	t.Helper()
	request, err := interactions.DecodeRequest(body)
	if err != nil {
		t.Error(err)
		return
	}
	checkreport.ReportError(t, interactions.ValidateRequest(request, opts...))
}

// CheckResponse fails the test for a whole interaction that Google would not send: see
// [interactions.CheckResponse].
func CheckResponse(t testing.TB, body []byte, opts ...CheckOption) {
	t.Helper()
	checkreport.Report(t, interactions.CheckResponse(body), listed(opts)...)
}

// CheckStream fails the test for a stream that Google would not send: see
// [interactions.CheckStream].
func CheckStream(t testing.TB, body []byte, opts ...CheckOption) {
	t.Helper()
	checkreport.Report(t, interactions.CheckStream(body), listed(opts)...)
}

// listed returns the options in the form of package checkreport.
func listed(opts []CheckOption) []checkreport.Option {
	var o checkOptions
	option.Apply(&o, opts)
	return o.list
}
