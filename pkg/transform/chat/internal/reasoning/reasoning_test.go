package reasoning_test

import (
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/internal/reasoning"
	"github.com/google/go-cmp/cmp"
)

func block(kind, thinking string) reasoning.Block {
	return reasoning.Block{Type: kind, Thinking: &thinking}
}

func detail(text string) openaiapi.ReasoningDetail {
	return openaiapi.ReasoningDetail{Type: "reasoning.text", Text: &text}
}

// Servers that send thoughts in several members repeat the same thoughts. The first member with
// thoughts counts.
func TestThoughtsAreThoseOfTheFirstMember(t *testing.T) {
	t.Parallel()
	pieces := []openaiapi.ReasoningDetail{detail("c"),
		{Type: "reasoning.summary", Summary: new("d")}}
	blocks := []reasoning.Block{block("thinking", "e"), block("thinking", "f")}
	for name, tt := range map[string]struct {
		members      reasoning.Members
		text, member string
		report       []string
	}{
		"all, which differ": {
			reasoning.Members{Content: "a", Reasoning: "b", Details: pieces, Blocks: blocks}, "a",
			"/reasoning_content",
			[]string{"lost /reasoning", "lost /reasoning_details/0/text",
				"lost /reasoning_details/1/summary", "lost /thinking_blocks/0/thinking",
				"lost /thinking_blocks/1/thinking"},
		},
		"all, which are equal": {
			reasoning.Members{Content: "a", Reasoning: "a",
				Details: []openaiapi.ReasoningDetail{detail("a")},
				Blocks:  []reasoning.Block{block("thinking", "a")}},
			"a", "/reasoning_content", nil,
		},
		"a member of another name": {reasoning.Members{Content: "a", ContentMember: "reasoning_text"}, "a", "/reasoning_text", nil},
		"reasoning":                {reasoning.Members{Reasoning: "b"}, "b", "/reasoning", nil},
		"pieces":                   {reasoning.Members{Details: pieces}, "cd", "/reasoning_details", nil},
		"one piece":                {reasoning.Members{Details: pieces[:1]}, "c", "/reasoning_details", nil},
		"one summary":              {reasoning.Members{Details: pieces[1:]}, "d", "/reasoning_details", nil},
		"blocks":                   {reasoning.Members{Blocks: blocks}, "ef", "/thinking_blocks", nil},
	} {
		var entries []string
		tt.members.Report(func(kind report.Kind, pointer,
			_ string) {
			entries = append(entries, string(kind)+" "+pointer)
		})
		got := []string{tt.members.Text(), tt.members.Member()}
		if diff := cmp.Diff([]string{tt.text, tt.member}, got) +
			cmp.Diff(tt.report, entries); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// What only another model can read is lost. What only describes the thoughts is approximated.
func TestMembersThatAreNoThoughtsAreReported(t *testing.T) {
	t.Parallel()
	gemini := func(d openaiapi.ReasoningDetail) openaiapi.ReasoningDetail {
		d.Type, d.Data, d.Format = "reasoning.encrypted", new("cw=="), new("google-gemini-v1")
		return d
	}
	for name, tt := range map[string]struct {
		members reasoning.Members
		want    []string
	}{
		"a block":            {reasoning.Members{Blocks: []reasoning.Block{block("thinking", "")}}, nil},
		"a redacted block":   {reasoning.Members{Blocks: []reasoning.Block{{Type: "redacted_thinking", Data: new("x")}}}, []string{"lost /thinking_blocks/0/data"}},
		"a signed block":     {reasoning.Members{Blocks: []reasoning.Block{{Type: "thinking", Signature: new("s")}}}, []string{"lost /thinking_blocks/0/signature"}},
		"a block of no type": {reasoning.Members{Blocks: []reasoning.Block{block("", "")}}, []string{"approximated /thinking_blocks/0/type"}},
		"a piece of no type": {reasoning.Members{Details: []openaiapi.ReasoningDetail{{Type: "x", Text: new("a")}}}, []string{"approximated /reasoning_details/0/type"}},
		"a piece in its order": {reasoning.Members{Details: []openaiapi.ReasoningDetail{
			{Type: "reasoning.text", Text: new("a"), Index: new(0)}, {Type: "reasoning.text", Text: new("b"), Index: new(0)},
		}}, []string{"approximated /reasoning_details/1/index"}},
		"Gemini's signature":           {reasoning.Members{Details: []openaiapi.ReasoningDetail{gemini(openaiapi.ReasoningDetail{ID: new("1")})}}, nil},
		"Gemini's signature and more":  {reasoning.Members{Details: []openaiapi.ReasoningDetail{gemini(openaiapi.ReasoningDetail{Signature: new("x")})}}, []string{"lost /reasoning_details/0/signature"}},
		"data of another maker":        {reasoning.Members{Details: []openaiapi.ReasoningDetail{{Type: "reasoning.encrypted", Data: new("x"), Format: new("other-v1"), ID: new("1")}}}, []string{"lost /reasoning_details/0/data", "approximated /reasoning_details/0/format", "approximated /reasoning_details/0/id"}},
		"thoughts with their own name": {reasoning.Members{Details: []openaiapi.ReasoningDetail{{Type: "reasoning.text", Text: new("a"), ID: new("1")}}}, []string{"approximated /reasoning_details/0/id"}},
	} {
		var got []string
		tt.members.Report(func(kind report.Kind, pointer,
			_ string) {
			got = append(got, string(kind)+" "+pointer)
		})
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
