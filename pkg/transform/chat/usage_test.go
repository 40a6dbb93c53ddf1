package chat_test

import (
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestUsageAddsUp(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		wire, usage string
		report      []string
	}{
		"thoughts belong to the completion": {
			`{"promptTokenCount":27,"candidatesTokenCount":45,"thoughtsTokenCount":504,"totalTokenCount":576}`,
			`{"prompt_tokens":27,"completion_tokens":549,"total_tokens":576,"completion_tokens_details":{"reasoning_tokens":504}}`,
			nil,
		},
		"tokens that tools added belong to the prompt": {
			`{"promptTokenCount":20,"toolUsePromptTokenCount":52,"candidatesTokenCount":30,"thoughtsTokenCount":8,"totalTokenCount":110}`,
			`{"prompt_tokens":72,"completion_tokens":38,"total_tokens":110,"completion_tokens_details":{"reasoning_tokens":8}}`,
			nil,
		},
		"cached tokens are a part of the prompt": {
			`{"promptTokenCount":100,"cachedContentTokenCount":64,"candidatesTokenCount":5,"totalTokenCount":105}`,
			`{"prompt_tokens":100,"completion_tokens":5,"total_tokens":105,"prompt_tokens_details":{"cached_tokens":64}}`,
			nil,
		},
		"tokens of sound are reported apart": {
			`{"promptTokenCount":40,"candidatesTokenCount":90,"totalTokenCount":130,"promptTokensDetails":[{"modality":"TEXT","tokenCount":8},
				{"modality":"AUDIO","tokenCount":32}],"candidatesTokensDetails":[{"modality":"AUDIO","tokenCount":90}]}`,
			`{"prompt_tokens":40,"completion_tokens":90,"total_tokens":130,"prompt_tokens_details":{"audio_tokens":32},
				"completion_tokens_details":{"audio_tokens":90}}`, nil,
		},
		"tokens of sound from tools are too": {
			`{"promptTokenCount":4,"toolUsePromptTokenCount":9,"totalTokenCount":13,"promptTokensDetails":[{"modality":"AUDIO","tokenCount":4}],
				"toolUsePromptTokensDetails":[{"modality":"AUDIO","tokenCount":9}]}`,
			`{"prompt_tokens":13,"completion_tokens":0,"total_tokens":13,"prompt_tokens_details":{"audio_tokens":13}}`,
			nil,
		},
		"more tokens of sound than the candidates have": {
			`{"promptTokenCount":4,"candidatesTokenCount":2,"totalTokenCount":6,` +
				`"candidatesTokensDetails":[{"modality":"AUDIO","tokenCount":9}]}`,
			`{"prompt_tokens":4,"completion_tokens":2,"total_tokens":6,"completion_tokens_details":{"audio_tokens":2}}`,
			[]string{"approximated /usageMetadata/candidatesTokensDetails"},
		},
		"a count of zero is reported": {
			`{"promptTokenCount":3,"cachedContentTokenCount":0,"thoughtsTokenCount":0,"totalTokenCount":3}`,
			`{"prompt_tokens":3,"completion_tokens":0,"total_tokens":3,"prompt_tokens_details":{"cached_tokens":0},
				"completion_tokens_details":{"reasoning_tokens":0}}`, nil,
		},
		"candidates that include the thoughts": {
			`{"promptTokenCount":100,"candidatesTokenCount":50,"thoughtsTokenCount":10,"totalTokenCount":150}`,
			`{"prompt_tokens":100,"completion_tokens":50,"total_tokens":150,"completion_tokens_details":{"reasoning_tokens":10}}`,
			nil,
		},
		"a total that is not the sum": {
			`{"promptTokenCount":10,"candidatesTokenCount":5,"totalTokenCount":99}`,
			`{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15}`,
			[]string{"approximated /usageMetadata/totalTokenCount"},
		},
		"more thoughts than can be included": {
			`{"promptTokenCount":10,"candidatesTokenCount":5,"thoughtsTokenCount":8,"totalTokenCount":99}`,
			`{"prompt_tokens":10,"completion_tokens":8,"total_tokens":18,"completion_tokens_details":{"reasoning_tokens":8}}`,
			[]string{"approximated /usageMetadata/candidatesTokenCount",
				"approximated /usageMetadata/totalTokenCount"},
		},
		"counts that are invalid": {
			`{"promptTokenCount":-1,"cachedContentTokenCount":9223372036854775807}`,
			`{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0,"prompt_tokens_details":{"cached_tokens":0}}`,
			[]string{"approximated /usageMetadata/promptTokenCount",
				"approximated /usageMetadata/cachedContentTokenCount"},
		},
		"no total": {`{"promptTokenCount":10}`, `{"prompt_tokens":10,"completion_tokens":0,"total_tokens":10}`, nil},
		"no count": {`{}`, `{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}`, nil},
		"paid for as it came": {
			`{"trafficType":"ON_DEMAND"}`,
			`{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0,"extra_properties":{"google":{"traffic_type":"ON_DEMAND"}}}`,
			nil,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, report := openaitest.Convert(t,
				`{"responseId":"r","modelVersion":"m","createTime":"2026-11-20T10:00:00Z","candidates":[{"finishReason":"STOP"}],"usageMetadata":`+
					test.wire+`}`)
			got := openaitest.Tree(t, []byte(openaitest.Encode(t, out))).(map[string]any)["usage"]
			if diff := cmp.Diff(openaitest.Tree(t, []byte(test.usage)), got,
				cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
			openaitest.Reports(t, report, test.report...)
		})
	}
}

func TestHugeCountsDoNotOverflow(t *testing.T) {
	t.Parallel()
	const huge = "9223372036854775807"
	out, _ := openaitest.Convert(t,
		`{"candidates":[{}],"usageMetadata":{"promptTokenCount":`+huge+`,"candidatesTokenCount":`+
			huge+`,"thoughtsTokenCount":`+huge+
			`,"promptTokensDetails":[{"modality":"AUDIO","tokenCount":`+huge+
			`},{"modality":"AUDIO","tokenCount":`+huge+`}]}}`)
	if u := out.Usage; u.PromptTokens <= 0 || u.TotalTokens < u.CompletionTokens ||
		*u.PromptTokensDetails.AudioTokens <= 0 {
		t.Errorf("got %+v", u)
	}
}

// The recorded counts come from two backends and many models. Clients get Google's total wherever
// there is one.
func TestTheTotalIsTheRecordedOne(t *testing.T) {
	t.Parallel()
	compared := 0
	for _, payload := range corpustest.Payloads(t, corpustest.Response) {
		in, err := gemini.DecodeResponse(payload.Read(t))
		if err != nil || in.UsageMetadata == nil || in.UsageMetadata.TotalTokenCount == nil ||
			!isWholeAnswer(in) {
			continue
		}
		out, report, err := chat.FromGemini(in)
		if err != nil {
			t.Fatal(err)
		}
		compared++
		if out.Usage.TotalTokens != *in.UsageMetadata.TotalTokenCount &&
			!report.Covers("/usageMetadata/totalTokenCount") {
			t.Errorf("%s: total %d, recorded %d", payload.Name, out.Usage.TotalTokens,
				*in.UsageMetadata.TotalTokenCount)
		}
	}
	if compared < corpustest.AtLeast(500) {
		t.Errorf("only %d totals", compared)
	}
}

func isWholeAnswer(in *geminiapi.GenerateContentResponse) bool {
	_, _, err := chat.FromGemini(in)
	return err == nil
}

func TestWithoutExtensionsTheRestOfTheCountsIsReported(t *testing.T) {
	t.Parallel()
	_, report := openaitest.Convert(t,
		`{"candidates":[{"finishReason":"STOP"}],"responseId":"r","modelVersion":"m","createTime":"2026-11-20T10:00:00Z","usageMetadata":{"promptTokenCount":40,
		"toolUsePromptTokenCount":2,"candidatesTokenCount":1,"totalTokenCount":43,"trafficType":"ON_DEMAND",
		"promptTokensDetails":[{"modality":"TEXT","tokenCount":8},{"modality":"AUDIO","tokenCount":32}]}}`, chat.WithoutExtensions())
	openaitest.Reports(t, report, "approximated /usageMetadata/toolUsePromptTokenCount",
		"lost /usageMetadata/promptTokensDetails/0", "lost /usageMetadata/trafficType")
}
