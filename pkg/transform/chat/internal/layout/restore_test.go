package layout_test

import (
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/transform/chat/internal/layout"
	"github.com/google/go-cmp/cmp"
)

// A stream sends members before their layout arrives. The remainder of a part is the signature of a
// text, or the whole part if no member has it.
func TestTheRemainderOfAPartWhoseMemberWasSent(t *testing.T) {
	t.Parallel()
	signed := geminiapi.Part{ThoughtSignature: new("s")}
	code := geminiapi.Part{ExecutableCode: &geminiapi.ExecutableCode{Code: new("1")}}
	for name, tt := range map[string]struct {
		entry openaiapi.PreservedPart
		want  *geminiapi.Part // nil for nothing
	}{
		"a part that no member has":     {openaiapi.PreservedPart{Part: &code}, &code},
		"an empty entry":                {openaiapi.PreservedPart{}, nil},
		"a signed text":                 {openaiapi.PreservedPart{In: new(openaiapi.PartMemberContent), Part: &signed}, &geminiapi.Part{Text: new(""), ThoughtSignature: new("s")}},
		"a text":                        {openaiapi.PreservedPart{In: new(openaiapi.PartMemberContent)}, nil},
		"a signed thought":              {openaiapi.PreservedPart{In: new(openaiapi.PartMemberReasoningContent), Part: &signed}, &geminiapi.Part{Text: new(""), Thought: new(true), ThoughtSignature: new("s")}},
		"a thought":                     {openaiapi.PreservedPart{In: new(openaiapi.PartMemberReasoningContent)}, nil},
		"a call that has its signature": {openaiapi.PreservedPart{In: new(openaiapi.PartMemberToolCalls), Part: &signed}, nil},
	} {
		part, ok := layout.After(&tt.entry)
		if ok != (tt.want != nil) {
			t.Errorf("%s: %v", name, ok)
		} else if ok {
			if diff := cmp.Diff(*tt.want, part); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
	}
}
