package openai_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/google/go-cmp/cmp"
)

func TestMembersOfOtherServersAreKeptInAnyForm(t *testing.T) {
	t.Parallel()
	tests := []string{
		`{"reasoning":"high","model":"m"}`,
		`{"model":"m","reasoning":true,"thinking":false,"enable_thinking":"yes","thinking_budget":{},"random_seed":7.5}`,
		`{"reasoning":{"effort":"low"},"thinking":1}`,
		`{"thinking":{"type":7},"more":{"thinking":8}}`,
		`{"messages":[{"role":"user","content":"Hi."},{"role":"assistant","reasoning":{"text":"So."},"content":"Yes."}]}`,
		`{"messages":[{"role":"assistant","reasoning_details":"So.","more":1},{"role":"assistant","reasoning":["So."],"reasoning_details":[{"type":"reasoning.text","text":"So."}]}]}`,
		`{"messages":[{"role":"assistant","reasoning_details":[{"type":"reasoning.summary","summary":[{"text":"So."}]}]}]}`,
	}
	for _, in := range tests {
		got := openaitest.EncodeRequest(t, openaitest.DecodeRequest(t, in))
		if diff := cmp.Diff(openaitest.Tree(t, []byte(in)), openaitest.Tree(t, got)); diff != "" {
			t.Errorf("%s: %s", in, diff)
		}
	}
}

func TestMembersOfOtherServersHideNoOtherMistake(t *testing.T) {
	t.Parallel()
	_, err := openai.DecodeRequest([]byte(`{"messages":[{"role":1,"reasoning":{}}]}`))
	if err == nil || !strings.Contains(err.Error(), "/messages/0/") {
		t.Errorf("got %v", err)
	}
}
