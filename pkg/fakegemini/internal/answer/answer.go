// Package answer makes answers to requests without a model. Equal requests have equal answers,
// whole and in chunks; package fakegemini says what an answer to what is.
package answer

import (
	"strconv"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini/models"
)

// Question is what an answer is made from.
type Question struct {
	// Request is one that passed the checks. It is not changed.
	Request *geminiapi.GenerateContentRequest
	// Model is the id of the model that is asked.
	Model string
	// Backend is the service that is asked.
	Backend models.Backends
	// When is the time of the question, which decides what the model takes.
	When time.Time
	// CachedTokens is how many tokens the cached content has that the request names.
	CachedTokens int
}

// To returns the answer to a request as one response.
func To(q Question) *geminiapi.GenerateContentResponse {
	a := newAuthor(q)
	response := a.envelope()
	if a.prompt.blockReason != "" {
		response.PromptFeedback = a.promptFeedback()
		response.UsageMetadata = a.usage(nil)
		return response
	}
	for i := range a.candidateCount() {
		response.Candidates = append(response.Candidates, a.candidate(i))
	}
	response.UsageMetadata = a.usage(response.Candidates)
	return response
}

// author answers one question.
type author struct {
	Question
	// answering is the id of the model that answers, which modelVersion says.
	answering string
	traits    models.Traits
	seed      seed
	prompt    prompt
	// isGemini3 is true for models since Gemini 3.
	isGemini3 bool
	isVertex  bool
	config    geminiapi.GenerationConfig
}

func newAuthor(q Question) *author {
	known := models.At(q.Model, q.Backend, q.When)
	a := &author{
		Question: q, answering: AnsweringModel(q.Model, &known),
		traits:   known.Traits,
		seed:     seedOf(q),
		prompt:   promptOf(q.Request.Contents),
		isVertex: q.Backend == models.VertexAI,
	}
	a.isGemini3 = a.traits.FunctionResponseParts
	if q.Request.GenerationConfig != nil {
		a.config = *q.Request.GenerationConfig
	}
	return a
}

// AnsweringModel returns the id of the model that answers where another one is asked for: an alias,
// or a model that Google routes to its successor.
func AnsweringModel(asked string, known *models.Model) string {
	if known.Route.Target == "" {
		return asked
	}
	return known.Name
}

// envelope returns a response without an answer. Vertex AI says when it was made.
func (a *author) envelope() *geminiapi.GenerateContentResponse {
	response := &geminiapi.GenerateContentResponse{
		ModelVersion: &a.answering,
		ResponseID:   new(a.seed.responseID()),
	}
	if a.isVertex {
		response.CreateTime = new(a.seed.time())
	}
	return response
}

func (a *author) candidateCount() int {
	if a.config.CandidateCount == nil {
		return 1
	}
	return min(max(*a.config.CandidateCount, 1), 8)
}

// candidate returns one answer. Vertex AI leaves out an index of 0, and so do the models of the
// Gemini API before 2.5; as absent is 0 to every reader, only the former is imitated.
func (a *author) candidate(index int) geminiapi.Candidate {
	c := geminiapi.Candidate{FinishReason: new(geminiapi.FinishReasonStop)}
	if index > 0 || !a.isVertex {
		c.Index = &index
	}
	if a.prompt.blockAnswer != "" {
		a.blockAnswer(&c)
		return c
	}
	parts := a.parts(&c, index)
	if a.showsThoughts() {
		parts = append([]geminiapi.Part{a.thought()}, parts...)
	}
	a.sign(parts)
	c.Content = &geminiapi.Content{Role: new("model"), Parts: parts}
	a.describe(&c)
	return c
}

// parts returns the content of a candidate, without thoughts and signatures. It is the first of
// these that the request asks for: calls, media, JSON, and a text.
func (a *author) parts(c *geminiapi.Candidate, index int) []geminiapi.Part {
	if calls := a.calls(); len(calls) > 0 {
		if !a.isVertex {
			c.FinishMessage = new("Model generated function call(s).")
		}
		return calls
	}
	if media := a.media(); len(media) > 0 {
		return media
	}
	var parts []geminiapi.Part
	text, isFixed := a.formatted()
	if !isFixed {
		parts = a.executedCode()
		text = a.text()
		if index > 0 {
			text += " (answer " + strconv.Itoa(index+1) + ")"
		}
	}
	text, reason := a.cut(text)
	c.FinishReason = &reason
	if text == "" {
		return parts // A stop sequence stood in front, or thoughts have taken all tokens.
	}
	return append(parts, geminiapi.Part{Text: &text})
}
