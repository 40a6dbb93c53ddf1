package openai_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/transform/openai"
)

func TestS4_IDsCarrySignaturesOnlyWhenAsked(t *testing.T) {
	t.Parallel()
	const call = `{"functionCall":{"id":"call_1","name":"f"},"thoughtSignature":"CiQ+/w=="}`
	choice, _ := part(t, call)
	if id := choice.Message.ToolCalls[0].ID; id != "call_1" {
		t.Errorf("id %q", id)
	}
	choice, report := part(t, call+`,{"functionCall":{"id":"call_2","name":"f"}}`, openai.WithSignaturesInIDs())
	calls := choice.Message.ToolCalls
	if calls[0].ID != "call_1__gw1_8_a73130a1_Q2lRKy93PT0" || calls[1].ID != "call_2" || *calls[0].ExtraContent.Google.ThoughtSignature != "CiQ+/w==" {
		t.Errorf("got %+v", calls)
	}
	reports(t, report)
}

func TestS4_ACarriedSignatureIsNotLostWithoutExtensions(t *testing.T) {
	t.Parallel()
	choice, report := part(t, `{"text":"a","thoughtSignature":"bG9zdA=="},{"functionCall":{"id":"call_1","name":"f"},"thoughtSignature":"c2ln"}`,
		openai.WithSignaturesInIDs(), openai.WithoutExtensions())
	if call := choice.Message.ToolCalls[0]; call.ExtraContent != nil || !strings.HasPrefix(call.ID, "call_1__gw1_4_") {
		t.Errorf("got %+v", call)
	}
	reports(t, report, "lost /candidates/0/content/parts/0/thoughtSignature")
}

func TestS4_AMadeIDCarriesASignatureToo(t *testing.T) {
	t.Parallel()
	choice, _ := part(t, `{"functionCall":{"name":"f"},"thoughtSignature":"c2ln"}`, openai.WithSignaturesInIDs())
	id := choice.Message.ToolCalls[0].ID
	if got := openai.StripSignature(id); got != "gemini-call-r1-0-0" || got == id {
		t.Errorf("%q is %q without its signature", id, got)
	}
}

func TestS4_StripSignatureLeavesOtherIDsAlone(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{"": "", "call_1": "call_1", "call_ts_1": "call_ts_1", "a__gw1": "a__gw1", "a__gw1_": "a", "a__gw1_4_00000000_c2ln": "a"} {
		if got := openai.StripSignature(id); got != want {
			t.Errorf("%q became %q", id, got)
		}
	}
}

func TestAnIDThatHoldsTheMarkCarriesNothing(t *testing.T) {
	t.Parallel()
	choice, _ := part(t, `{"functionCall":{"id":"a__gw1_b","name":"f"},"thoughtSignature":"c2ln"}`, openai.WithSignaturesInIDs())
	if id := choice.Message.ToolCalls[0].ID; id != "a__gw1_b" {
		t.Errorf("id %q", id)
	}
}
