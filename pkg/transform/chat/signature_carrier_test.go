package chat_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat"
)

func TestIDsCarrySignaturesOnlyWhenAsked(t *testing.T) {
	t.Parallel()
	const call = `{"functionCall":{"id":"call_1","name":"f"},"thoughtSignature":"CiQ+/w=="}`
	choice, _ := openaitest.Part(t, call)
	if id := choice.Message.ToolCalls[0].ID; id != "call_1" {
		t.Errorf("id %q", id)
	}
	choice, report := openaitest.Part(t, call+`,{"functionCall":{"id":"call_2","name":"f"}}`,
		chat.WithSignaturesInIDs())
	calls := choice.Message.ToolCalls
	if calls[0].ID != "call_1__gw1_8_a73130a1_Q2lRKy93PT0" || calls[1].ID != "call_2" ||
		*calls[0].ExtraContent.Google.ThoughtSignature != "CiQ+/w==" {
		t.Errorf("got %+v", calls)
	}
	openaitest.Reports(t, report)
}

func TestACarriedSignatureIsNotLostWithoutExtensions(t *testing.T) {
	t.Parallel()
	choice, report := openaitest.Part(t,
		`{"text":"a","thoughtSignature":"bG9zdA=="},{"functionCall":{"id":"call_1","name":"f"},"thoughtSignature":"c2ln"}`,
		chat.WithSignaturesInIDs(), chat.WithoutExtensions())
	if call := choice.Message.ToolCalls[0]; call.ExtraContent != nil ||
		!strings.HasPrefix(call.ID, "call_1__gw1_4_") {
		t.Errorf("got %+v", call)
	}
	openaitest.Reports(t, report, "lost /candidates/0/content/parts/0/thoughtSignature")
}

func TestAMadeIDCarriesASignatureToo(t *testing.T) {
	t.Parallel()
	choice, _ := openaitest.Part(t, `{"functionCall":{"name":"f"},"thoughtSignature":"c2ln"}`,
		chat.WithSignaturesInIDs())
	id := choice.Message.ToolCalls[0].ID
	if got := chat.StripSignature(id); got != "gemini-call-r1-0-0" || got == id {
		t.Errorf("%q is %q without its signature", id, got)
	}
}

func TestStripSignatureLeavesOtherIDsAlone(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{"": "", "call_1": "call_1", "call_ts_1": "call_ts_1",
		"a__gw1": "a__gw1", "a__gw1_": "a", "a__gw1_4_00000000_c2ln": "a"} {
		if got := chat.StripSignature(id); got != want {
			t.Errorf("%q became %q", id, got)
		}
	}
}

func TestAnIDThatHoldsTheMarkCarriesNothing(t *testing.T) {
	t.Parallel()
	choice, report := openaitest.Part(t,
		`{"functionCall":{"id":"a__gw1_b","name":"f"},"thoughtSignature":"c2ln"}`,
		chat.WithSignaturesInIDs(), chat.WithoutExtensions())
	if id := choice.Message.ToolCalls[0].ID; id != "a__gw1_b" {
		t.Errorf("id %q", id)
	}
	openaitest.Reports(t, report, "lost /candidates/0/content/parts/0/thoughtSignature")
}

func TestIDsOfAStreamCarrySignaturesToo(t *testing.T) {
	t.Parallel()
	const first = `{"candidates":[{"content":{"parts":[{"functionCall":{"id":"a","name":"f","args":{}},"thoughtSignature":"c2ln"}]}}]}`
	const begun = `{"candidates":[{"content":{"parts":[{"functionCall":{"id":"b","name":"g","willContinue":true}}]}}]}`
	const ended = `{"candidates":[{"content":{"parts":[{"functionCall":{},"thoughtSignature":"bGF0ZQ=="}]},"finishReason":"STOP"}]}`
	s := chat.NewStream(chat.WithSignaturesInIDs(), chat.WithoutExtensions())
	var ids []string
	for _, wire := range []string{first, begun, ended} {
		out, err := s.Push(openaitest.Decode(t, wire))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range out {
			for _, call := range c.Choices[0].Delta.ToolCalls {
				if call.ID != nil {
					ids = append(ids, *call.ID)
				}
			}
		}
	}
	if _, err := s.Close(nil); err != nil {
		t.Fatal(err)
	}
	if len(ids) != 2 || !strings.HasPrefix(ids[0], "a__gw1_4_") || ids[1] != "b" {
		t.Errorf("ids %q", ids)
	}
	var lost []string
	for _, e := range s.Report().Of(report.Lost) {
		lost = append(lost, e.Pointer)
	}
	if len(lost) != 1 || lost[0] != "/2/candidates/0/content/parts/0/thoughtSignature" {
		t.Errorf("lost %q", lost)
	}
}
