package models_test

import (
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

func TestLimitsAreThoseOfTheModelAndItsVersions(t *testing.T) {
	t.Parallel()
	for model, want := range map[string]models.Limits{
		"gemini-2.5-flash":                                 {Input: 1048576, Output: 65536},
		"models/gemini-2.5-flash-preview-09-2025":          {Input: 1048576, Output: 65536},
		"publishers/google/models/gemini-2.5-flash@001":    {Input: 1048576, Output: 65536},
		"google/Gemini-2.0-Flash-001":                      {Input: 1048576, Output: 8192},
		"gemini-2.0-flash-lite-preview-02-05":              {Input: 1048576, Output: 8192},
		"gemini-2.5-flash:generateContent":                 {Input: 1048576, Output: 65536},
		"gemini-2.5-flash-image-preview":                   {Input: 32768, Output: 32768},
		"gemini-2.5-flash-preview-tts":                     {Input: 8192, Output: 16384},
		"gemini-3-pro-image-preview":                       {Input: 131072, Output: 32768},
		"gemini-3.5-flash":                                 {Input: 1048576, Output: 65536},
		"gemini-3.8-flash":                                 {Input: 1048576, Output: 65536},
		"gemini-3.8-flash-tts":                             {Input: 8192, Output: 16384},
		"gemini-3.8-flash-lite-tts":                        {Input: 8192, Output: 16384},
		"gemini-3.8-live":                                  {},
		"gemini-nano-banana-2.1":                           {Input: 65536, Output: 32768},
		"gemini-3.1-flash-image":                           {Input: 65536, Output: 32768},
		"gemini-embedding-2":                               {Input: 8192},
		"gemini-2.5-flash-native-audio-preview-09-2025":    {},
		"gemini-2.0-flash-thinking-exp":                    {},
		"gemini-2.5-flashy":                                {},
		"gemini-9-ultra":                                   {},
		"gpt-5.1":                                          {},
		"":                                                 {},
		"projects/p/locations/l/endpoints/gemini-2.5-flat": {},
	} {
		if got := limitsOf(model); got != want {
			t.Errorf("%s: got %+v, want %+v", model, got, want)
		}
	}
}

// limitsOf returns the two limits that most models have.
func limitsOf(model string) models.Limits {
	limits := models.At(model, models.VertexAI, beforeRouting).Limits
	return models.Limits{Input: limits.Input, Output: limits.Output}
}

func TestArgonGivesAsMuchAsTheCallAllows(t *testing.T) {
	t.Parallel()
	for service, cached := range map[models.Backends]int{models.GeminiAPI: 4096,
		models.VertexAI: 6144} {
		limits := models.At("gemini-4-argon", service, day("2026-11-23")).Limits
		want := models.Limits{
			Input: 1048576, Output: 65536, UnaryOutput: 32768, ContinuedOutput: 1048576,
			SharedWindow: true, ImplicitCache: cached,
		}
		if diff := cmp.Diff(want, limits); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		if streamed, unary := limits.OutputOf(true),
			limits.OutputOf(false); streamed != 65536 || unary != 32768 {
			t.Errorf("streamed %d, whole %d", streamed, unary)
		}
		if most := limits.MaxOutputTokens(); most != 1048576 {
			t.Errorf("maxOutputTokens is at most %d", most)
		}
	}
	flash := models.At("gemini-3.8-flash", models.GeminiAPI, day("2026-11-23")).Limits
	if flash.OutputOf(false) != 65536 || flash.MaxOutputTokens() != 65536 ||
		flash.ImplicitCache != 4096 {
		t.Errorf("got %+v", flash)
	}
}

func TestLimitsThatAreNotKnownAreThoseOfOthers(t *testing.T) {
	t.Parallel()
	if got := (models.Limits{Output: 1}).Or(models.Limits{Input: 2,
		Output: 3}); got != (models.Limits{Input: 2, Output: 1}) {
		t.Errorf("got %+v", got)
	}
}

// No model in the API's lists has limits other than the table's, and many are in the table.
func TestLimitsAreThoseOfRecordedLists(t *testing.T) {
	t.Parallel()
	known := 0
	for _, payload := range corpustest.EndpointPayloads(t, "models", corpustest.Response) {
		var list geminiapi.ListModelsResponse
		if err := json.Unmarshal(payload.Read(t), &list); err != nil {
			t.Fatal(err)
		}
		for i := range list.Models {
			m := &list.Models[i]
			said := models.Limits{Input: jsonx.Deref(m.InputTokenLimit),
				Output: jsonx.Deref(m.OutputTokenLimit)}
			got := limitsOf(jsonx.Deref(m.Name))
			if got == (models.Limits{}) {
				continue
			}
			if known++; got != said {
				t.Errorf("%s: got %+v, want %+v", jsonx.Deref(m.Name), got, said)
			}
		}
	}
	if known < corpustest.AtLeast(20) {
		t.Errorf("only %d models", known)
	}
}
