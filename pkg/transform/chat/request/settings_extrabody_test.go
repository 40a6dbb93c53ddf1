package request_test

import (
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
)

func TestMembersThatAreOnlyForGemini(t *testing.T) {
	t.Parallel()
	const safety = `[{"category":"HARM_CATEGORY_HARASSMENT","threshold":"BLOCK_ONLY_HIGH"}]`
	tests := map[string]struct {
		model   string // budgetModel without
		in      string
		want    string
		reports []string
	}{
		"nested": {
			in: `"extra_body":{"google":{"safety_settings":` + safety +
				`,"thinking_config":{"thinking_budget":512,"include_thoughts":true},"media_resolution":"MEDIA_RESOLUTION_LOW"}}`,
			want: `"safetySettings":` + safety +
				`,"generationConfig":{"thinkingConfig":{"thinkingBudget":512,"includeThoughts":true},"mediaResolution":"MEDIA_RESOLUTION_LOW"}`,
		},
		"merged": {
			in: `"google":{"safety_settings":` + safety +
				`,"thinking_config":{"thinking_budget":512}}`,
			want: `"safetySettings":` + safety +
				`,"generationConfig":{"thinkingConfig":{"thinkingBudget":512}}`,
		},
		"flattened": {
			in: `"safety_settings":` + safety +
				`,"thinking_config":{"thinkingBudget":512},"media_resolution":"low","top_k":40`,
			want: `"safetySettings":` + safety +
				`,"generationConfig":{"thinkingConfig":{"thinkingBudget":512},"mediaResolution":"MEDIA_RESOLUTION_LOW","topK":40}`,
		},
		"a cache":          {in: `"extra_body":{"google":{"cached_content":"cachedContents/1"}}`, want: `"cachedContent":"cachedContents/1"`},
		"a level":          {in: `"thinking_config":{"thinking_level":"low"}`, want: `"generationConfig":{"thinkingConfig":{"thinkingLevel":"LOW"}}`, model: levelModel},
		"a tag":            {in: `"extra_body":{"google":{"thought_tag_marker":"think"}}`, reports: []string{"approximated /extra_body/google/thought_tag_marker"}},
		"camelCase":        {in: `"extra_body":{"google":{"safetySettings":` + safety + `,"topK":3}}`, want: `"safetySettings":` + safety + `,"generationConfig":{"topK":3}`},
		"a lone setting":   {in: `"safety_settings":{"category":"HARM_CATEGORY_HARASSMENT","threshold":"OFF"}`, want: `"safetySettings":[{"category":"HARM_CATEGORY_HARASSMENT","threshold":"OFF"}]`},
		"a lone tool":      {in: `"extra_body":{"google":{"tools":{"googleSearch":{}}}}`, want: `"tools":[{"googleSearch":{}}]`},
		"a number of text": {in: `"top_k":"40"`, want: `"generationConfig":{"topK":40}`},
		"an unknown resolution stays": {
			in:   `"extra_body":{"google":{"media_resolution":"MEDIA_RESOLUTION_MEDIUM"}}`,
			want: `"generationConfig":{"mediaResolution":"MEDIA_RESOLUTION_MEDIUM"}`,
		},
		"members of generationConfig": {
			model: "gemini-3.1-flash-image",
			in:    `"extra_body":{"google":{"image_config":{"aspect_ratio":"1:1"},"response_modalities":["IMAGE"]}}`,
			want:  `"generationConfig":{"imageConfig":{"aspectRatio":"1:1"},"responseModalities":["IMAGE"]}`,
		},
		"members of the request": {
			in:   `"extra_body":{"google":{"store":false,"service_tier":"flex"}}`,
			want: `"store":false,"serviceTier":"flex"`,
		},
		"unknown members": {
			in: `"extra_body":{"google":{"not_yet":{"a":1},"contents":[],"model":"m"},"openrouter":{"x":1}},"google":{"also/not":2}`,
			reports: []string{"lost /extra_body/openrouter", "lost /extra_body/google/not_yet",
				"lost /extra_body/google/contents", "lost /extra_body/google/model",
				"lost /google/also~1not"},
		},
		"google is not an object": {in: `"google":7,"extra_body":{}`, reports: []string{"lost /google"}},
		"null means absent":       {in: `"google":null,"extra_body":{"google":{"top_k":null}},"thinking_config":null`},
		"the same thing everywhere": {
			in:      `"top_k":1,"google":{"topK":2},"extra_body":{"google":{"top_k":3}}`,
			want:    `"generationConfig":{"topK":3}`,
			reports: []string{"lost /google/topK", "lost /top_k"},
		},
		"the same thing as OpenAI's": {
			in: `"temperature":0.1,"stop":"a","modalities":["text"],"response_format":{"type":"text"},"audio":{"voice":"Puck","format":"pcm16"},"store":true,"service_tier":"flex",` +
				`"google":{"temperature":0.2,"stop_sequences":["b"],"response_modalities":["TEXT"],"response_mime_type":"text/plain","speech_config":{"language_code":"pt"},"store":false,"service_tier":"standard"}`,
			want: `"store":false,"serviceTier":"standard","generationConfig":{"temperature":0.2,"stopSequences":["b"],"responseModalities":["TEXT"],"responseMimeType":"text/plain","speechConfig":{"languageCode":"pt"}}`,
			reports: []string{"lost /temperature", "lost /stop", "lost /modalities",
				"lost /audio/voice", "lost /response_format", "lost /service_tier", "lost /store"},
		},
		"at the top, in Gemini's own spelling": {
			in: `"safetySettings":` + safety +
				`,"thinkingConfig":{"thinkingBudget":512},"mediaResolution":"low","topK":40`,
			want: `"safetySettings":` + safety +
				`,"generationConfig":{"thinkingConfig":{"thinkingBudget":512},"mediaResolution":"MEDIA_RESOLUTION_LOW","topK":40}`,
		},
		"R2: a budget above the model's": {
			in:      `"extra_body":{"google":{"thinking_config":{"thinking_budget":32768}}}`,
			want:    `"generationConfig":{"thinkingConfig":{"thinkingBudget":24576}}`,
			reports: []string{"approximated /extra_body/google/thinking_config"},
		},
		"R2: a budget below the model's": {
			model: "gemini-2.5-flash-lite", in: `"thinking_config":{"thinking_budget":100}`,
			want:    `"generationConfig":{"thinkingConfig":{"thinkingBudget":512}}`,
			reports: []string{"approximated /thinking_config"},
		},
		"R3: no thinking of a model that always thinks": {
			model: "gemini-2.5-pro", in: `"google":{"thinkingConfig":{"thinkingBudget":0}}`,
			want:    `"generationConfig":{"thinkingConfig":{"thinkingBudget":128}}`,
			reports: []string{"approximated /google/thinkingConfig"},
		},
		"no thinking of a model that need not think": {
			in:   `"google":{"thinking_config":{"thinking_budget":0}}`,
			want: `"generationConfig":{"thinkingConfig":{"thinkingBudget":0}}`,
		},
		"as much thinking as the model likes": {
			in:   `"google":{"thinking_config":{"thinking_budget":-1}}`,
			want: `"generationConfig":{"thinkingConfig":{"thinkingBudget":-1}}`,
		},
		"log probabilities asked for in Gemini's way": {
			in:   `"top_logprobs":2,"google":{"response_logprobs":true}`,
			want: `"generationConfig":{"responseLogprobs":true,"logprobs":2}`, model: logprobsModel,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			model := test.model
			if model == "" {
				model = budgetModel
			}
			got, report := ask(t, model, test.in)
			settings(t, got, model, test.want)
			openaitest.Reports(t, report, test.reports...)
		})
	}
}

func TestUnknownMembersAreNotSaidToTakePrecedence(t *testing.T) {
	t.Parallel()
	_, report := ask(t, budgetModel, `"google":{"x":1},"extra_body":{"google":{"x":2}}`)
	openaitest.Reports(t, report, "lost /extra_body/google/x", "lost /google/x")
	for _, e := range report {
		if e.Detail != "Gemini has no counterpart" {
			t.Error(e)
		}
	}
}
