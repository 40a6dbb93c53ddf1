// Package answer makes answers to requests, without a model: equal requests have equal answers.
package answer

import "github.com/gemwire/gemwire/gen/geminiapi"

// To returns the answer to a request that was checked.
func To(r *geminiapi.GenerateContentRequest, model string) *geminiapi.GenerateContentResponse {
	part := geminiapi.Part{Text: new("Answer")}
	return &geminiapi.GenerateContentResponse{
		Candidates: []geminiapi.Candidate{{
			Content:      &geminiapi.Content{Role: new("model"), Parts: []geminiapi.Part{part}},
			FinishReason: new(geminiapi.FinishReasonStop),
		}},
		ModelVersion: &model,
	}
}
