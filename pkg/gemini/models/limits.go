package models

import "cmp"

// Limits are the maximum token counts of a model. 0 means unknown.
type Limits struct {
	// Input is the maximum number of tokens in a prompt.
	Input int
	// Output is the maximum number of tokens in the answer to one call, including thoughts.
	Output int
	// UnaryOutput is the maximum number of tokens in an answer that is not streamed, if that is
	// less than Output; otherwise 0.
	UnaryOutput int
	// ContinuedOutput is the maximum number of tokens in an answer that several calls continue with
	// continuationToken. It is 0 if the model does not continue answers.
	ContinuedOutput int
	// SharedWindow is true if Input limits the prompt, the thoughts and the answer together.
	SharedWindow bool
	// ImplicitCache is the minimum length of a common prefix that is cached automatically.
	ImplicitCache int
}

// MaxOutputTokens returns the maximum value of generationConfig.maxOutputTokens, or 0 if unknown.
// Vertex AI refuses more (github.com/stackblitz-labs/bolt.diy/issues/955).
func (l Limits) MaxOutputTokens() int { return max(l.Output, l.ContinuedOutput) }

// OutputOf returns the maximum number of tokens in the answer to one call, streamed or whole, or 0
// if unknown.
func (l Limits) OutputOf(streamed bool) int {
	if !streamed && l.UnaryOutput > 0 {
		return l.UnaryOutput
	}
	return l.Output
}

// Or returns the limits, with unknown ones taken from others.
func (l Limits) Or(others Limits) Limits {
	return Limits{
		Input:           cmp.Or(l.Input, others.Input),
		Output:          cmp.Or(l.Output, others.Output),
		UnaryOutput:     cmp.Or(l.UnaryOutput, others.UnaryOutput),
		ContinuedOutput: cmp.Or(l.ContinuedOutput, others.ContinuedOutput),
		SharedWindow:    l.SharedWindow || others.SharedWindow,
		ImplicitCache:   cmp.Or(l.ImplicitCache, others.ImplicitCache),
	}
}
