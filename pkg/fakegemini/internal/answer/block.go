package answer

import "github.com/gemwire/gemwire/gen/geminiapi"

// promptFeedback reports that the prompt was refused. Only Vertex AI adds a message.
func (a *author) promptFeedback() *geminiapi.PromptFeedback {
	feedback := &geminiapi.PromptFeedback{BlockReason: &a.prompt.blockReason}
	if a.prompt.blockReason == geminiapi.BlockReasonSafety {
		feedback.SafetyRatings = a.ratings(true)
	}
	if a.isVertex {
		feedback.BlockReasonMessage = new(
			"The prompt could not be submitted. This prompt contains sensitive words.")
	}
	return feedback
}

// blockAnswer ends a candidate without content.
func (a *author) blockAnswer(c *geminiapi.Candidate) {
	c.FinishReason = &a.prompt.blockAnswer
	if a.prompt.blockAnswer == geminiapi.FinishReasonSafety {
		c.SafetyRatings = a.ratings(true)
	}
}

// ratedCategories are the harm categories that the servers rate, in their order.
var ratedCategories = []geminiapi.HarmCategory{
	geminiapi.HarmCategorySexuallyExplicit,
	geminiapi.HarmCategoryHateSpeech,
	geminiapi.HarmCategoryHarassment,
	geminiapi.HarmCategoryDangerousContent,
}

// ratings rates all categories. In a blocked answer the last one is the reason.
func (a *author) ratings(blocked bool) []geminiapi.SafetyRating {
	ratings := make([]geminiapi.SafetyRating, len(ratedCategories))
	for i, category := range ratedCategories {
		ratings[i] = geminiapi.SafetyRating{Category: &category,
			Probability: new(geminiapi.HarmProbabilityNegligible)}
	}
	if last := &ratings[len(ratings)-1]; blocked {
		last.Probability, last.Blocked = new(geminiapi.HarmProbabilityHigh), new(true)
	}
	return ratings
}
