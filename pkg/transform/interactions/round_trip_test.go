package interactions_test

import (
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/gemini"
	wire "github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/transform/interactions"
	"github.com/gemwire/gemwire/pkg/transform/interactions/reverse"
	"github.com/google/go-cmp/cmp"
)

func TestEveryRecordedInteractionIsTheSameAfterGemini(t *testing.T) {
	t.Parallel()
	for _, p := range corpustest.InteractionPayloads(t, corpustest.Response) {
		in, err := wire.DecodeResponse(p.Read(t))
		if err != nil {
			t.Fatal(err)
		}
		sameAfterGemini(t, p.Name, in)
	}
}

// sameAfterGemini checks that an interaction that becomes an answer of Gemini is the same again.
func sameAfterGemini(t *testing.T, name string, in *interactionsapi.Interaction) {
	t.Helper()
	want := encode(t, in)
	answer, _, err := reverse.ToGemini(in)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	body, err := gemini.EncodeResponse(answer)
	if err != nil {
		t.Fatal(err)
	}
	again, err := gemini.DecodeResponse(body)
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := interactions.FromGemini(again)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if diff := cmp.Diff(want, encode(t, out)); diff != "" {
		t.Errorf("%s (-before +after):\n%s", name, diff)
	}
	all, _, err := events(t, []*geminiapi.GenerateContentResponse{again}, nil)
	if err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if diff := cmp.Diff(encode(t, out), encode(t, accumulated(t, all))); diff != "" {
		t.Errorf("%s (-whole +stream of one chunk):\n%s", name, diff)
	}
}
