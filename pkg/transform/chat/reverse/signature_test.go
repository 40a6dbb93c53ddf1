package reverse_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/report"
)

// A signature of a call belongs to its call. A signature that names no call belongs to the first
// call, else to a text.
func TestSignaturesGoToTheirParts(t *testing.T) {
	t.Parallel()
	signature := func(data, id string) string {
		return `{"type":"reasoning.encrypted","data":"` + data + `","id":` + id +
			`,"format":"google-gemini-v1"}`
	}
	const calls = `"content":"Hi","tool_calls":[{"index":0,"id":"1","type":"function","function":{"name":"f","arguments":"{}"}},{"index":1,"id":"2","type":"function","function":{"name":"g","arguments":"{}"}}]`
	call := func(name, id, signature string) string {
		if signature != "" {
			signature = `,"thoughtSignature":"` + signature + `"`
		}
		return `{"functionCall":{"args":{},"id":"` + id + `","name":"` + name + `"}` + signature +
			`}`
	}
	const hi, signedHi, alone = `{"text":"Hi"},`, `{"text":"Hi","thoughtSignature":"dA=="},`,
		`,{"text":"","thoughtSignature":"dA=="}`
	for name, tt := range map[string]struct{ details, whole, streamed string }{
		"the text's and the first call's": {signature("dA==", "null") + "," + signature("MQ==", `"1"`), signedHi + call("f", "1", "MQ==") + "," + call("g", "2", ""), hi + call("f", "1", "MQ==") + "," + call("g", "2", "") + alone},
		"each call's":                     {signature("Mg==", `"2"`) + "," + signature("MQ==", `"1"`), hi + call("f", "1", "MQ==") + "," + call("g", "2", "Mg=="), hi + call("f", "1", "MQ==") + "," + call("g", "2", "Mg==")},
		"one of no call":                  {signature("MQ==", "null"), hi + call("f", "1", "MQ==") + "," + call("g", "2", ""), hi + call("f", "1", "MQ==") + "," + call("g", "2", "")},
		"two of no call":                  {signature("MQ==", "null") + "," + signature("dA==", "null"), signedHi + call("f", "1", "MQ==") + "," + call("g", "2", ""), hi + call("f", "1", "MQ==") + "," + call("g", "2", "") + alone},
		"the second call's and a text's":  {signature("MQ==", "null") + "," + signature("Mg==", `"2"`), hi + call("f", "1", "MQ==") + "," + call("g", "2", "Mg=="), hi + call("f", "1", "MQ==") + "," + call("g", "2", "Mg==")},
	} {
		details := `"reasoning_details":[` + tt.details + `]`
		out, entries := whole(t,
			`{"index":0,"message":{"role":"assistant",`+calls+`,`+details+
				`},"finish_reason":"tool_calls"}`, "")
		if got := partsOf(t, out); got != partsOf(t, partsFrom(t, tt.whole)) ||
			len(entries.Of(report.Lost)) > 0 {
			t.Errorf("%s: %s, %v", name, got, entries)
		}
		s := streamed(t, delta(details), delta(calls), finish("tool_calls"))
		if got := partsOf(t, s.merged()); got != partsOf(t, partsFrom(t, tt.streamed)) ||
			len(s.report.Of(report.Lost)) > 0 {
			t.Errorf("streamed: %s: %s, %v", name, got, s.report)
		}
	}
}

// In a stream a signature is reported if it names a call that may not arrive, or if it was sent
// before.
func TestASignatureThatNamesACallOrCameBeforeIsReported(t *testing.T) {
	t.Parallel()
	const call = `"tool_calls":[{"index":0,"id":"1","type":"function","function":{"name":"f","arguments":"{}"}}]`
	signature := func(id string) string {
		return delta(`"reasoning_details":[{"type":"reasoning.encrypted","data":"MQ==","format":"google-gemini-v1"` +
			id + `}]`)
	}
	for name, tt := range map[string]struct{ first, second, want string }{
		"without an id":       {"", "", "approximated /1/choices/0/delta/reasoning_details/0"},
		"of an id":            {`,"id":"1"`, `,"id":"1"`, "approximated /0/choices/0/delta/reasoning_details/0/id approximated /1/choices/0/delta/reasoning_details/0"},
		"first without an id": {"", `,"id":"1"`, "approximated /1/choices/0/delta/reasoning_details/0/id"},
	} {
		s := streamed(t, signature(tt.first), signature(tt.second), delta(call),
			finish("tool_calls"))
		if got := entriesOf(s.report); strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
