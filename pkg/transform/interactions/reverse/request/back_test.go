package request_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/interactions"
	forward "github.com/gemwire/gemwire/pkg/transform/interactions/request"
	"github.com/gemwire/gemwire/pkg/transform/interactions/reverse/request"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// The request for an interaction becomes a request for generateContent again. That becomes the same
// request for an interaction. Steps of one type that follow each other are one step then.
func TestAConvertedRequestComesBack(t *testing.T) {
	t.Parallel()
	same := 0
	for name, document := range recorded(t) {
		in, err := gemini.DecodeRequest(document)
		if err != nil {
			t.Fatal(err)
		}
		out, _, err := request.FromGemini(in, request.ForModel(model))
		if err != nil {
			continue // a cache
		}
		between, _, err := forward.ToGemini(out)
		if err != nil {
			t.Logf("%s: %v", name, err)
			continue
		}
		back, _, err := request.FromGemini(between)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want, got := joined(t, out), joined(t, back)
		if want != got {
			t.Errorf("%s: %s", name, firstDifference(want, got))
			continue
		}
		same++
	}
	if t.Logf("%d came back as they were", same); same < corpustest.AtLeast(420) {
		t.Errorf("only %d came back", same)
	}
}

// joined returns a request as JSON, with steps of one type joined, and without empty texts.
// Functions are the first tools, and have no schema without properties.
func joined(t *testing.T, r *interactionsapi.CreateInteractionRequest) string {
	t.Helper()
	var list []interactionsapi.Step
	for _, s := range interactions.Steps(r.Input) {
		content := interactions.ContentOf(&s.Step)
		if len(content) == 1 && content[0].Text != nil && *content[0].Text == "" {
			continue
		}
		if n := len(list) - 1; n >= 0 && list[n].Type == s.Type && !s.Content.IsZero() {
			list[n].Content = wiretype.ValueOf(append(interactions.ContentOf(&list[n]),
				interactions.ContentOf(&s.Step)...))
			continue
		}
		list = append(list, s.Step)
	}
	r.Input = interactions.InputOf(list...)
	for i := range r.Tools {
		tool := &r.Tools[i]
		if properties := jsonx.Member(tool.Parameters, "properties"); len(properties) <= len("{}") {
			tool.Parameters = nil
		}
	}
	slices.SortStableFunc(r.Tools, func(a, b interactionsapi.Tool) int {
		return rank(&a) - rank(&b)
	})
	data, err := interactions.EncodeRequest(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// rank orders functions before other tools.
func rank(tool *interactionsapi.Tool) int {
	if tool.Type == interactionsapi.ToolTypeFunction {
		return 0
	}
	return 1
}

// firstDifference returns the text around the first byte that differs.
func firstDifference(want, got string) string {
	at := 0
	for at < min(len(want), len(got)) && want[at] == got[at] {
		at++
	}
	around := func(text string) string { return text[max(0, at-60):min(len(text), at+100)] }
	return fmt.Sprintf("byte %d:\n want %s\n  got %s", at, around(want), around(got))
}
