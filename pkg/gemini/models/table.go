package models

import "github.com/gemwire/gemwire/gen/geminiapi"

// family is a row of the table of models.
type family struct {
	// name begins the ids of the family's models.
	name   string
	traits Traits
}

// newestFamily is what an unknown model of Gemini's is taken for.
var newestFamily = family{traits: sinceGemini37(lowToHigh, geminiapi.ThinkingLevelMedium)}

// anyFamily is what a name is taken for that may stand for any model.
var anyFamily = family{traits: withoutRefusals(newestFamily.traits)}

// families has what each family of models takes. It is never written to.
//
// Levels, defaults and budgets are those of Google's pages on thinking (ai.google.dev/gemini-api/docs/
// thinking) of August 2026, except where a row says otherwise. That a trailing model turn is refused
// since 3.6 Flash and 3.5 Flash-Lite is on the page of what those two brought, and was measured on 2.5
// Flash, 3.5 Flash, 3.5 Flash-Lite and 3.6 Flash (github.com/LibreChat-AI/agents/pull/323); that all of
// 2, 3 and 3.1 take one, and 3.7 and 3.8 do not, is in reports of programs that met both
// (github.com/pipecat-ai/pipecat/pull/5821). What is refused at one service alone has its source at the
// function that says so.
var families = []family{
	{"gemini-3.8-flash", sinceGemini37(lowToHigh, geminiapi.ThinkingLevelMedium)},
	{"gemini-3.7-flash", sinceGemini37(lowToHigh, geminiapi.ThinkingLevelMedium)},
	{"gemini-3.6-flash", sinceGemini36(minimalToHigh, geminiapi.ThinkingLevelMedium)},
	// That its thinking cannot be turned off is github.com/googleapis/python-genai/issues/2936.
	{"gemini-3.5-flash-lite", withoutOff(sinceGemini36(minimalToHigh, geminiapi.ThinkingLevelMinimal))},
	{"gemini-3.5-flash", sinceGemini3(minimalToHigh, geminiapi.ThinkingLevelMedium)},
	{"gemini-3.1-pro", withoutOff(sinceGemini3(lowToHigh, geminiapi.ThinkingLevelHigh))},
	{"gemini-3.1-flash-lite", sinceGemini3(minimalToHigh, geminiapi.ThinkingLevelMinimal)},
	{"gemini-3.1-flash-image", sinceGemini3(minimalOrHigh, geminiapi.ThinkingLevelMinimal)},
	{"gemini-3.1-flash-lite-image", sinceGemini3(minimalOrHigh, geminiapi.ThinkingLevelMinimal)},
	{"gemini-3-pro-image", withoutOff(withoutSignatures(sinceGemini3(highOnly, geminiapi.ThinkingLevelHigh)))},
	{"gemini-3-flash", sinceGemini3(minimalToHigh, geminiapi.ThinkingLevelHigh)},
	// Google's table no longer lists 3 Pro; these are its levels while it was in preview.
	{"gemini-3-pro", withoutOff(sinceGemini3(lowOrHigh, geminiapi.ThinkingLevelHigh))},
	// Any other model of 3 and 3.1 has all that one of them has; HIGH is their common default.
	{"gemini-3.1", sinceGemini3(minimalToHigh, geminiapi.ThinkingLevelHigh)},
	{"gemini-3", sinceGemini3(minimalToHigh, geminiapi.ThinkingLevelHigh)},

	{"gemini-2.5-pro", withoutLogprobs(gemini25(&BudgetRange{Min: 128, Max: 32768}))},
	{"gemini-2.5-flash", gemini25(&BudgetRange{Min: 1, Max: 24576, CanBeOff: true})},
	{"gemini-2.5-flash-lite", withoutLogprobs(gemini25(&BudgetRange{Min: 512, Max: 24576, CanBeOff: true}))},
	{"gemini-live-2.5-flash", gemini25(&BudgetRange{Min: 1, Max: 24576, CanBeOff: true})},
	// Any other model of 2.5 has the widest of the three ranges; Robotics-ER 1.5 is one of them.
	{"gemini-2.5", gemini25(&BudgetRange{Min: 1, Max: 32768, CanBeOff: true, Assumed: true})},
	{"gemini-robotics-er-1.5", gemini25(&BudgetRange{Min: 1, Max: 32768, CanBeOff: true, Assumed: true})},
	// 2.5 models that draw or speak do not think.
	{"gemini-2.5-flash-image", gemini25(nil)},
	{"gemini-2.5-flash-preview-tts", gemini25(nil)},
	{"gemini-2.5-pro-preview-tts", gemini25(nil)},

	// Recorded requests to 2.0 Flash with responseJsonSchema and parametersJsonSchema were answered.
	{"gemini-2.0", gemini2(nil)},
	{"gemini-2", gemini2(nil)},
	{"gemini-exp", gemini2(nil)},
	{"learnlm", gemini2(nil)},

	// Older than the two JSON Schema members.
	{"gemini-1.5", Traits{}},
	{"gemini-1.0", Traits{}},
	{"gemini-1", Traits{}},
	{"gemini-pro", Traits{}},
	{"gemini-pro-vision", Traits{}},
	{"gemini-ultra", Traits{}},

	// Aliases that Google moves on to newer models.
	{"gemini-pro-latest", withoutOff(sinceGemini3(lowToHigh, geminiapi.ThinkingLevelHigh))},
	{"gemini-flash-latest", sinceGemini37(lowToHigh, geminiapi.ThinkingLevelMedium)},
	{"gemini-flash-lite-latest", sinceGemini36(minimalToHigh, geminiapi.ThinkingLevelMinimal)},

	// Gemma 4 takes these two levels and no budget (github.com/livekit/agents/pull/7080); which one is the
	// default is not documented.
	{"gemma-4", Traits{Thinking: ThinkingTraits{Levels: minimalOrHigh}}},

	// Not Gemini's generateContent, or not Gemini at all: neither thinking nor schemas.
	{"gemma", Traits{}},
	{"gemini-embedding-001", Traits{}},
	{"gemini-embedding-exp", Traits{}},
	// Any later one is taken for the second generation.
	{"gemini-embedding", Traits{NormalizesEmbeddings: true}},
	// Each by its version: text-embedding-3-small and text-embedding-ada-002 are OpenAI's.
	{"embedding-001", Traits{}},
	{"embedding-gecko", Traits{}},
	{"text-embedding-004", Traits{}},
	{"text-embedding-005", Traits{}},
	{"text-embedding-large-exp", Traits{}},
	{"text-embedding-preview", Traits{}},
	{"textembedding", Traits{}},
	{"text-multilingual-embedding", Traits{}},
	{"multimodalembedding", Traits{}},
	{"imagen", Traits{}},
	{"imagegeneration", Traits{}},
	{"veo", Traits{}},
	{"lyria", Traits{}},
	{"aqa", Traits{}},
}

// The levels of the families, in rising order. They are never written to.
var (
	minimalToHigh = []geminiapi.ThinkingLevel{
		geminiapi.ThinkingLevelMinimal, geminiapi.ThinkingLevelLow, geminiapi.ThinkingLevelMedium, geminiapi.ThinkingLevelHigh,
	}
	lowToHigh     = minimalToHigh[1:]
	minimalOrHigh = []geminiapi.ThinkingLevel{geminiapi.ThinkingLevelMinimal, geminiapi.ThinkingLevelHigh}
	lowOrHigh     = []geminiapi.ThinkingLevel{geminiapi.ThinkingLevelLow, geminiapi.ThinkingLevelHigh}
	highOnly      = []geminiapi.ThinkingLevel{geminiapi.ThinkingLevelHigh}
)

// gemini2 is what Gemini 2.0 and 2.5 take; the models that think differ in their budgets.
//
// That the Gemini API takes no functions beside application/json is in github.com/googleapis/python-genai/
// issues/867 and github.com/symfony/ai/issues/1777, and none beside googleSearch in
// github.com/withceleste/celeste-python/issues/197 and github.com/googleapis/js-genai/issues/435.
func gemini2(budget *BudgetRange) Traits {
	return Traits{
		Thinking:                   ThinkingTraits{Budget: budget},
		JSONSchema:                 true,
		RefusesJSONWithFunctions:   GeminiAPI,
		RefusesSearchWithFunctions: GeminiAPI,
	}
}

// gemini25 is what Gemini 2.5 takes. The Gemini API takes no penalties for it nor for what came later, while
// 2.0 Flash takes them (github.com/vercel/ai/issues/8943, github.com/google-gemini/cookbook/issues/1290, which
// also says that 0 is taken); Vertex AI does.
func gemini25(budget *BudgetRange) Traits {
	traits := gemini2(budget)
	traits.RefusesPenalties = GeminiAPI
	return traits
}

// withoutLogprobs is for the models that give log probabilities at Vertex AI alone
// (github.com/googleapis/python-genai/issues/1921).
func withoutLogprobs(traits Traits) Traits {
	traits.RefusesLogprobs = GeminiAPI
	return traits
}

// sinceGemini3 is what Gemini 3 added. It still takes a budget in place of a level, for programs that
// were written for 2.5; Google names no range for it, so that the widest of 2.5 stands here.
//
// That the Gemini API wants calls of its own tools shown beside functions is in github.com/ag2ai/ag2/pull/3145
// and github.com/googleapis/python-genai/issues/2761. Vertex AI does not know the setting.
func sinceGemini3(levels []geminiapi.ThinkingLevel, byDefault geminiapi.ThinkingLevel) Traits {
	return Traits{
		Thinking: ThinkingTraits{
			Budget:       &BudgetRange{Min: 1, Max: 32768, CanBeOff: true, Assumed: true},
			Levels:       levels,
			DefaultLevel: byDefault,
		},
		RequiresSignatures:       true,
		RequiresAnswers:          true,
		JSONSchema:               true,
		FunctionResponseParts:    true,
		PartMediaResolution:      true,
		RefusesPenalties:         GeminiAPI,
		RequiresShownServerCalls: GeminiAPI,
	}
}

// sinceGemini36 adds what changed with 3.6 Flash.
func sinceGemini36(levels []geminiapi.ThinkingLevel, byDefault geminiapi.ThinkingLevel) Traits {
	traits := sinceGemini3(levels, byDefault)
	traits.RefusesTrailingModelTurn = true
	return traits
}

// sinceGemini37 adds what changed with 3.7 Flash: that ids must match is in github.com/router-for-me/
// CLIProxyAPI/issues/5199, that names must was measured at Vertex AI (github.com/archestra-ai/archestra/
// pull/7583).
func sinceGemini37(levels []geminiapi.ThinkingLevel, byDefault geminiapi.ThinkingLevel) Traits {
	traits := sinceGemini36(levels, byDefault)
	traits.RequiresMatchingAnswers = true
	return traits
}

// withoutOff is for the Pro models of Gemini 3, whose thinking cannot be turned off.
func withoutOff(traits Traits) Traits {
	traits.Thinking.Budget.CanBeOff = false
	return traits
}

// withoutRefusals is for names of which nothing is known that a request must or must not have.
func withoutRefusals(traits Traits) Traits {
	return Traits{
		Thinking:              traits.Thinking,
		JSONSchema:            traits.JSONSchema,
		FunctionResponseParts: traits.FunctionResponseParts,
		PartMediaResolution:   traits.PartMediaResolution,
	}
}

// withoutSignatures is for 3 Pro Image, the one model of Gemini 3 that does not insist on signatures.
func withoutSignatures(traits Traits) Traits {
	traits.RequiresSignatures = false
	return traits
}
