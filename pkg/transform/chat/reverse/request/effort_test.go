package request_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform/chat/reverse/request"
	"github.com/google/go-cmp/cmp"
)

func TestModelsFromGPT56OnTakeFunctionsWithTheEffortNone(t *testing.T) {
	t.Parallel()
	const lostAtTools = "lost /tools"
	const lostThinking = "lost /generationConfig/thinkingConfig"
	for name, tt := range map[string]struct {
		model, config string
		withoutTools  bool
		opts          []request.Option
		effort        string
		lost          []string
	}{
		"GPT-5.6":                  {model: "gpt-5.6", effort: "none", lost: []string{lostAtTools}},
		"a size of it":             {model: "gpt-5.6-luna", effort: "none", lost: []string{lostAtTools}},
		"a day of it":              {model: "gpt-5.6-2026-07-09", effort: "none", lost: []string{lostAtTools}},
		"a tuned model":            {model: "ft:gpt-5.6:org::id", effort: "none", lost: []string{lostAtTools}},
		"a later minor version":    {model: "gpt-5.10", effort: "none", lost: []string{lostAtTools}},
		"a later version":          {model: "gpt-6-mini", effort: "none", lost: []string{lostAtTools}},
		"a level":                  {model: "gpt-5.6", config: `{"thinkingLevel":"HIGH"}`, effort: "none", lost: []string{lostThinking}},
		"no thoughts were asked":   {model: "gpt-5.6", config: `{"thinkingBudget":0}`, effort: "none"},
		"without functions":        {model: "gpt-5.6", config: `{"thinkingLevel":"HIGH"}`, withoutTools: true, effort: "high"},
		"a server that takes both": {model: "gpt-5.6", config: `{"thinkingLevel":"LOW"}`, opts: []request.Option{request.WithEffortDespiteTools()}, effort: "low"},
		"GPT-5.5":                  {model: "gpt-5.5"},
		"GPT-5.5 with a level":     {model: "gpt-5.5", config: `{"thinkingLevel":"LOW"}`, effort: "low"},
		"GPT-5":                    {model: "gpt-5-mini"},
		"GPT-4o":                   {model: "gpt-4o"},
		"GPT-4.1":                  {model: "gpt-4.1"},
		"Azure's GPT-3.5":          {model: "gpt-35-turbo"},
		"an open model":            {model: "gpt-oss-120b"},
		"a model for chats":        {model: "gpt-5.6-chat-latest"},
		"a model of a router":      {model: "openai/gpt-5.6"},
		"another model":            {model: "o5.6"},
	} {
		config, tools := "", `,"tools":[{"functionDeclarations":[{"name":"f","description":"d"}]}]`
		if tt.config != "" {
			config = `,"generationConfig":{"thinkingConfig":` + tt.config + `}`
		}
		if tt.withoutTools {
			tools = ""
		}
		in, err := gemini.DecodeRequest(
			[]byte(`{"contents":[{"parts":[{"text":"?"}],"role":"user"}]` + config + tools + `}`))
		if err != nil {
			t.Fatal(err)
		}
		opts := append([]request.Option{request.ForModel(tt.model), request.WithoutExtensions()},
			tt.opts...)
		out, report, err := request.FromGemini(in, opts...)
		if err != nil {
			t.Fatal(name, err)
		}
		if got := string(jsonx.Deref(out.ReasoningEffort)); got != tt.effort {
			t.Errorf("%s: the effort is %q, want %q", name, got, tt.effort)
		}
		var lost []string
		for _, e := range report {
			lost = append(lost, fmt.Sprintf("%s %s", e.Kind, e.Pointer))
		}
		if diff := cmp.Diff(tt.lost, slices.Compact(lost)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestTheEffortNoneHoldsWithExtensionsToo(t *testing.T) {
	t.Parallel()
	in, err := gemini.DecodeRequest([]byte(`{"contents":[{"parts":[{"text":"?"}],"role":"user"}],` +
		`"tools":[{"functionDeclarations":[{"name":"f"}]}],"generationConfig":{"thinkingConfig":{"thinkingLevel":"HIGH"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	out, report, err := request.FromGemini(in, request.ForModel("gpt-5.6"))
	if err != nil {
		t.Fatal(err)
	}
	if jsonx.Deref(out.ReasoningEffort) != "none" ||
		out.ExtraBody != nil && out.ExtraBody.Google.ThinkingConfig != nil {
		t.Errorf("%+v", out)
	}
	if len(report) != 1 || report[0].Pointer != "/generationConfig/thinkingConfig" {
		t.Error(report)
	}
}
