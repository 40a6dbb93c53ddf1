package merge_test

import (
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/google/go-cmp/cmp"
)

func TestAPartOfAnEventDoesNotSayThatItsCallCameInPieces(t *testing.T) {
	t.Parallel()
	pieces := []geminiapi.PartialArg{{JSONPath: new("$.a")}}
	for name, tt := range map[string]struct{ call, want geminiapi.FunctionCall }{
		"a call":          {geminiapi.FunctionCall{Name: new("f")}, geminiapi.FunctionCall{Name: new("f")}},
		"that is whole":   {geminiapi.FunctionCall{Name: new("f"), WillContinue: new(false)}, geminiapi.FunctionCall{Name: new("f"), WillContinue: new(false)}},
		"that continues":  {geminiapi.FunctionCall{Name: new("f"), WillContinue: new(true)}, geminiapi.FunctionCall{Name: new("f")}},
		"with pieces":     {geminiapi.FunctionCall{Name: new("f"), WillContinue: new(false), PartialArgs: pieces}, geminiapi.FunctionCall{Name: new("f")}},
		"the last piece":  {geminiapi.FunctionCall{ID: new("1"), WillContinue: new(false)}, geminiapi.FunctionCall{ID: new("1")}},
		"an unnamed call": {geminiapi.FunctionCall{Name: new(""), WillContinue: new(false)}, geminiapi.FunctionCall{Name: new("")}},
	} {
		before := tt.call
		got := merge.WithoutPieces(&geminiapi.Part{FunctionCall: &tt.call,
			ThoughtSignature: new("s")})
		if diff := cmp.Diff(&geminiapi.Part{FunctionCall: &tt.want, ThoughtSignature: new("s")},
			got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if diff := cmp.Diff(before, tt.call); diff != "" {
			t.Errorf("%s was changed: %s", name, diff)
		}
	}
	if merge.WithoutPieces(nil) != nil {
		t.Error("a part is made of nothing")
	}
	text := &geminiapi.Part{Text: new("a")}
	if merge.WithoutPieces(text) != text {
		t.Error("a text is copied")
	}
}
