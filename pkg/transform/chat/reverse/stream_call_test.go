package reverse_test

import (
	"fmt"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
)

// Some servers send function names late. Calls with other ids or indexes are different calls.
func TestCallsThatAreNamedLateAreCallsOfTheirOwn(t *testing.T) {
	t.Parallel()
	piece := func(place, name, arguments string) string {
		return delta(fmt.Sprintf(`"tool_calls":[{%s,"function":{"name":"%s","arguments":"%s"}}]`,
			place, name, arguments))
	}
	const a, b = `"index":0,"id":"a"`, `"index":1,"id":"b"`
	const bAt0, bAlone = `"index":0,"id":"b"`, `"id":"b"`
	for name, pieces := range map[string][]string{
		"both":                    {piece(a, "", `{\"x\"`), piece(b, "", `{\"y\"`), piece(`"index":0`, "f", `:1}`), piece(`"index":1`, "g", `:2}`)},
		"both, without arguments": {piece(a, "", ``), piece(b, "", ``), piece(a, "f", `{\"x\":1}`), piece(b, "g", `{\"y\":2}`)},
		"both, at one index":      {piece(a, "", ``), piece(bAt0, "", ``), piece(a, "f", `{\"x\":1}`), piece(bAt0, "g", `{\"y\":2}`)},
		"with whole arguments":    {piece(a, "", `{\"x\":1}`), piece(b, "", `{\"y\":2}`), piece(a, "f", ``), piece(b, "g", ``)},
		"the second":              {piece(a, "f", ``), piece(b, "", `{\"y\"`), piece(`"index":0`, "", `{\"x\":1}`), piece(`"index":1`, "g", `:2}`)},
		"the second, cut":         {piece(a, "f", `{\"x\"`), piece(b, "", `{\"y\":2}`), piece(`"index":0`, "", `:1}`), piece(`"index":1`, "g", ``)},
		"the second by its id":    {piece(a, "f", `{\"x\":1}`), piece(bAlone, "", `{\"y\":`), piece(bAlone, "g", `2}`)},
	} {
		s := streamed(t, append(pieces, finish("tool_calls"))...)
		if got := partsOf(t, s.merged()); got != partsOf(t,
			partsFrom(t,
				`{"functionCall":{"args":{"x":1},"id":"a","name":"f"}},{"functionCall":{"args":{"y":2},"id":"b","name":"g"}}`)) {
			t.Errorf("%s: %s", name, written(t, s.merged()))
		}
		if reason := s.merged().Candidates[0].FinishReason; *reason != geminiapi.FinishReasonStop {
			t.Errorf("%s: %s", name, *reason)
		}
	}
	s := streamed(t, piece(a, "f", `{\"x\":1}`), piece(b, "", `{\"y\":2}`), finish("tool_calls"))
	checkParts(t, s.merged(), `{"functionCall":{"args":{"x":1},"id":"a","name":"f"}}`)
	if reason := *s.merged().Candidates[0].FinishReason; reason != geminiapi.FinishReasonMalformedFunctionCall {
		t.Errorf("a call that is never named: %s", reason)
	}
}

// Some servers make a new id for each piece of a call.
func TestPiecesOfNewIDsAtOneIndexContinueWithTheirCall(t *testing.T) {
	t.Parallel()
	s := streamed(t, delta(`"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":""}}]`),
		delta(`"tool_calls":[{"index":0,"id":"b","function":{"arguments":"{\"x\":"}}]`),
		delta(`"tool_calls":[{"index":0,"id":"c","function":{"arguments":"1}"}}]`),
		finish("tool_calls"))
	checkParts(t, s.merged(), `{"functionCall":{"args":{"x":1},"id":"a","name":"f"}}`)
}
