package normalize_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/structvalidatortest"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/google/go-cmp/cmp"
)

// valid returns a valid response that uses every feature.
func valid() *normalize.Response {
	return &normalize.Response{Candidates: []normalize.Candidate{
		{FinishReason: normalize.FinishUnknown},
		{
			Index: 1,
			Blocks: []normalize.Block{
				{Type: normalize.BlockThinking, Part: 0, Text: "Hm", Signature: "c2ln"},
				{Type: normalize.BlockText, Part: 1, Text: "潮は満ちる"},
				{Type: normalize.BlockText, Part: 2},
				{Type: normalize.BlockRedactedThinking, Part: 3, Data: "AA=="},
				{Type: normalize.BlockToolCall, Part: 4, ToolCall: &normalize.ToolCall{ID: "1", Name: "f", Arguments: []byte(`{"a":1}`)}},
				{Type: normalize.BlockToolResult, Part: 5, ToolResult: &normalize.ToolResult{}},
				{Type: normalize.BlockMedia, Part: 6, Thought: true, Media: &normalize.Media{}},
				{Type: normalize.BlockFile, Part: 7, File: &normalize.File{}, Extra: &geminiapi.Part{}},
				{Type: normalize.BlockCode, Part: 8, Code: &normalize.Code{}},
				{Type: normalize.BlockCodeResult, Part: 9, CodeResult: &normalize.CodeResult{}},
				{Type: normalize.BlockServerToolCall, Part: 10, ServerToolCall: &normalize.ServerToolCall{}},
				{Type: normalize.BlockServerToolResult, Part: 11, ServerToolResult: &normalize.ServerToolResult{}},
				{Type: normalize.BlockSignature, Part: 12, Signature: "c2ln"},
				{Type: normalize.BlockUnknown, Part: 14, Extra: &geminiapi.Part{}},
			},
			FinishReason: normalize.FinishToolUse,
			Grounding: &normalize.Grounding{
				Sources: []normalize.Source{{Kind: normalize.SourceWeb},
					{Kind: normalize.SourceUnknown}},
				Supports: []normalize.Support{
					{Span: normalize.Span{Start: 1, End: 5}, Sources: []int{0, 1}, Confidence: []float64{0.5, 1}},
					{Span: normalize.Span{Start: 5, End: 5}},
				},
			},
			Citations: []normalize.Citation{{Span: normalize.Span{End: 5}}},
			Logprobs: &normalize.Logprobs{Tokens: []normalize.TokenLogprob{{Token: "a",
				Top: []normalize.TokenLogprob{{Token: "b"}}}}},
		},
	}}
}

func TestValidResponsePasses(t *testing.T) {
	t.Parallel()
	for _, r := range []*normalize.Response{valid(), {}, {Candidates: []normalize.Candidate{}}} {
		if err := normalize.Validate(r); err != nil {
			t.Error(err)
		}
	}
}

// broken lists invalid responses, with the location and the rule of the violation.
var broken = []struct {
	name          string
	spoil         func(*normalize.Response)
	pointer, rule string
}{
	{"input", func(r *normalize.Response) { r.Usage.InputTokens = -1 }, "/usage/input_tokens", "gte"},
	{"output", func(r *normalize.Response) { r.Usage.OutputTokens = -1 }, "/usage/output_tokens", "gte"},
	{"thinking", func(r *normalize.Response) { r.Usage.ThinkingTokens = -1 }, "/usage/thinking_tokens", "gte"},
	{"cached", func(r *normalize.Response) { r.Usage.CachedTokens = -1 }, "/usage/cached_tokens", "gte"},
	{"tool use", func(r *normalize.Response) { r.Usage.ToolUseTokens = -1 }, "/usage/tool_use_tokens", "gte"},
	{"total", func(r *normalize.Response) { r.Usage.TotalTokens = -1 }, "/usage/total_tokens", "gte"},

	{"negative index", func(r *normalize.Response) { r.Candidates[1].Index = -1 }, "/candidates/1/index", "gte"},
	{"no finish reason", func(r *normalize.Response) { r.Candidates[0].FinishReason = "" }, "/candidates/0/finish_reason", "required"},
	{"unheard-of finish reason", func(r *normalize.Response) { r.Candidates[0].FinishReason = "STOP" }, "/candidates/0/finish_reason", "oneof"},
	{"stop with a call", func(r *normalize.Response) { r.Candidates[1].FinishReason = "stop" }, "/candidates/1/finish_reason", "tool_use"},
	{"tool use without a call", func(r *normalize.Response) { r.Candidates[0].FinishReason = "tool_use" }, "/candidates/0/finish_reason", "tool_use"},

	{"block without a type", func(r *normalize.Response) { r.Candidates[1].Blocks[2].Type = "" }, "/candidates/1/content_blocks/2/type", "required"},
	{"block of an unheard-of type", func(r *normalize.Response) { r.Candidates[1].Blocks[2].Type = "hologram" }, "/candidates/1/content_blocks/2/type", "oneof"},
	{"negative part", func(r *normalize.Response) { r.Candidates[1].Blocks[0].Part = -1 }, "/candidates/1/content_blocks/0/part", "gte"},
	{"parts out of order", func(r *normalize.Response) { r.Candidates[1].Blocks[3].Part = 2 }, "/candidates/1/content_blocks/3/part", "ascending"},
	{"text in a call", func(r *normalize.Response) { r.Candidates[1].Blocks[4].Text = "x" }, "/candidates/1/content_blocks/4/text", "absent"},
	{"data in a text", func(r *normalize.Response) { r.Candidates[1].Blocks[1].Data = "x" }, "/candidates/1/content_blocks/1/data", "absent"},
	{"redacted thinking without data", func(r *normalize.Response) { r.Candidates[1].Blocks[3].Data = "" }, "/candidates/1/content_blocks/3/data", "required"},
	{"signature without a signature", func(r *normalize.Response) { r.Candidates[1].Blocks[12].Signature = "" }, "/candidates/1/content_blocks/12/signature", "required"},
	{"unknown without the part", func(r *normalize.Response) { r.Candidates[1].Blocks[13].Extra = nil }, "/candidates/1/content_blocks/13/extra", "required"},
	{"call without an id", func(r *normalize.Response) { r.Candidates[1].Blocks[4].ToolCall.ID = "" }, "/candidates/1/content_blocks/4/tool_call/id", "required"},
	{"call without a name", func(r *normalize.Response) { r.Candidates[1].Blocks[4].ToolCall.Name = "" }, "/candidates/1/content_blocks/4/tool_call/name", "required"},
	{"call without arguments", func(r *normalize.Response) { r.Candidates[1].Blocks[4].ToolCall.Arguments = nil }, "/candidates/1/content_blocks/4/tool_call/arguments", "required"},
	{"call with a list", func(r *normalize.Response) { r.Candidates[1].Blocks[4].ToolCall.Arguments = []byte(`[]`) }, "/candidates/1/content_blocks/4/tool_call/arguments", "json_object"},
	{"call with broken arguments", func(r *normalize.Response) { r.Candidates[1].Blocks[4].ToolCall.Arguments = []byte(`{"secret":`) }, "/candidates/1/content_blocks/4/tool_call/arguments", "json_object"},
	{"call with empty arguments", func(r *normalize.Response) { r.Candidates[1].Blocks[4].ToolCall.Arguments = []byte{} }, "/candidates/1/content_blocks/4/tool_call/arguments", "json_object"},

	{"source without a kind", func(r *normalize.Response) { r.Candidates[1].Grounding.Sources[0].Kind = "" }, "/candidates/1/grounding/sources/0/kind", "required"},
	{"source of an unheard-of kind", func(r *normalize.Response) { r.Candidates[1].Grounding.Sources[0].Kind = "dream" }, "/candidates/1/grounding/sources/0/kind", "oneof"},
	{"support before the text", func(r *normalize.Response) { r.Candidates[1].Grounding.Supports[0].Start = -1 }, "/candidates/1/grounding/supports/0/start", "gte"},
	{"support that ends before it starts", func(r *normalize.Response) { r.Candidates[1].Grounding.Supports[0].End = 0 }, "/candidates/1/grounding/supports/0/end", "gtefield"},
	{"support beyond the text", func(r *normalize.Response) { r.Candidates[1].Grounding.Supports[0].End = 6 }, "/candidates/1/grounding/supports/0/end", "within_text"},
	{"support by a negative source", func(r *normalize.Response) { r.Candidates[1].Grounding.Supports[0].Sources[1] = -1 }, "/candidates/1/grounding/supports/0/sources/1", "gte"},
	{"support by no source there is", func(r *normalize.Response) { r.Candidates[1].Grounding.Supports[0].Sources[1] = 2 }, "/candidates/1/grounding/supports/0/sources/1", "within_sources"},
	{"support with one score for two sources", func(r *normalize.Response) { r.Candidates[1].Grounding.Supports[0].Confidence = []float64{1} }, "/candidates/1/grounding/supports/0/confidence", "one_each"},
	{"citation before the text", func(r *normalize.Response) { r.Candidates[1].Citations[0].Start = -1 }, "/candidates/1/citations/0/start", "gte"},
	{"citation that ends before it starts", func(r *normalize.Response) { r.Candidates[1].Citations[0].End = -1 }, "/candidates/1/citations/0/end", "gtefield"},
	{"citation beyond the text", func(r *normalize.Response) { r.Candidates[1].Citations[0].End = 6 }, "/candidates/1/citations/0/end", "within_text"},
}

func TestValidateFindsEachViolation(t *testing.T) {
	t.Parallel()
	for _, tt := range broken {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := valid()
			tt.spoil(r)
			violations, ok := errors.AsType[*validation.Error](normalize.Validate(r))
			if !ok {
				t.Fatalf("the response is valid, want %s at %s", tt.rule, tt.pointer)
			}
			if len(violations.Violations) != 1 {
				t.Errorf("there are other violations: %v", violations)
			}
			got := violations.Violations[0]
			if got.Pointer != tt.pointer || got.Rule != tt.rule ||
				!strings.HasPrefix(got.Want, "must ") {
				t.Errorf("the violation is %+v, want %s at %s", got, tt.rule, tt.pointer)
			}
		})
	}
}

func TestTheQuickCheckAgreesWithValidator(t *testing.T) {
	t.Parallel()
	structvalidatortest.SameVerdict(t, valid, normalize.IsValid, normalize.ByValidator)
}

func TestEachTypeOfBlockHoldsItsOwnMemberOnly(t *testing.T) {
	t.Parallel()
	members := map[string]func(to, from *normalize.Block){
		"tool_call":   func(to, from *normalize.Block) { to.ToolCall = from.ToolCall },
		"tool_result": func(to, from *normalize.Block) { to.ToolResult = from.ToolResult },
		"media":       func(to, from *normalize.Block) { to.Media = from.Media },
		"file":        func(to, from *normalize.Block) { to.File = from.File },
		"code":        func(to, from *normalize.Block) { to.Code = from.Code },
		"code_result": func(to, from *normalize.Block) { to.CodeResult = from.CodeResult },
		"server_tool_call": func(to,
			from *normalize.Block) {
			to.ServerToolCall = from.ServerToolCall
		},
		"server_tool_result": func(to,
			from *normalize.Block) {
			to.ServerToolResult = from.ServerToolResult
		},
	}
	blocks := map[string]normalize.Block{}
	for _, b := range valid().Candidates[1].Blocks {
		b.Part = 0
		blocks[string(b.Type)] = b
	}
	for name, set := range members {
		own := blocks[name]
		for typ, b := range blocks {
			want := ""
			if typ == name {
				set(&b, &normalize.Block{})
				want = fmt.Sprintf("normalize: /candidates/0/content_blocks/0/%s: must be set in a block of type %s",
					name, typ)
			} else {
				set(&b, &own)
				want = fmt.Sprintf("normalize: /candidates/0/content_blocks/0/%s: must be absent in a block of type %s",
					name, typ)
			}
			finish := normalize.FinishStop
			if b.Type == normalize.BlockToolCall {
				finish = normalize.FinishToolUse
			}
			err := normalize.Validate(&normalize.Response{Candidates: []normalize.Candidate{{Blocks: []normalize.Block{b},
				FinishReason: finish}}})
			if err == nil || err.Error() != want {
				t.Errorf("the error is %v, want %s", err, want)
			}
		}
	}
}

func TestViolationsNeverShowThePayload(t *testing.T) {
	t.Parallel()
	r := valid()
	r.Candidates[1].FinishReason = "secret"
	r.Candidates[1].Blocks[1].Type = "secret"
	r.Candidates[1].Blocks[1].Text = "secret"
	r.Candidates[1].Blocks[4].ToolCall.Arguments = []byte(`"secret"`)
	r.Candidates[1].Grounding.Sources[0].Kind = "secret"
	err := normalize.Validate(r)
	if err == nil || strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), "secret") {
		t.Errorf("the error is %#v", err)
	}
}

func TestValidateListsAllViolationsInOrder(t *testing.T) {
	t.Parallel()
	r := valid()
	r.Usage.TotalTokens = -1
	r.Candidates[0].Index = -1
	r.Candidates[1].Blocks[4].ToolCall.Name = ""
	r.Candidates[1].Citations[0].End = 99
	violations, ok := errors.AsType[*validation.Error](normalize.Validate(r))
	if !ok {
		t.Fatal("the response is valid")
	}
	want := []validation.Violation{
		{Pointer: "/candidates/0/index", Rule: "gte", Want: "must be at least 0"},
		{Pointer: "/candidates/1/content_blocks/4/tool_call/name", Rule: "required", Want: "must be set"},
		{Pointer: "/candidates/1/citations/0/end", Rule: "within_text", Want: "must be at most 5, the length of the text"},
		{Pointer: "/usage/total_tokens", Rule: "gte", Want: "must be at least 0"},
	}
	if diff := cmp.Diff(want, violations.Violations); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestEveryListOfTheModelDives(t *testing.T) {
	t.Parallel()
	structvalidatortest.EveryListDives(t, normalize.Response{})
}
