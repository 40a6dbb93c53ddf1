// Package answer generates answers to requests without a model. Equal requests get equal answers,
// whole and in chunks. Package fakegemini documents the answers.
package answer

import (
	"strconv"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini/models"
)

// Question is the input for an answer.
type Question struct {
	// Request is a valid request. It is not changed.
	Request *geminiapi.GenerateContentRequest
	// Model is the id of the requested model.
	Model string
	// Backend is the service of the request.
	Backend models.Backends
	// When is the time of the request, which decides the traits of the model.
	When time.Time
	// CachedTokens is the number of tokens in the cached content that the request names.
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
	// answering is the id of the model that answers, for modelVersion.
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

// AnsweringModel returns the id of the model that answers for a requested one: the target of an
// alias, or the successor to which Google routes the name.
func AnsweringModel(asked string, known *models.Model) string {
	if known.Route.Target == "" {
		return asked
	}
	return known.Name
}

// envelope returns a response without an answer. On Vertex AI it has createTime.
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

// candidate returns one candidate. Vertex AI omits an index of 0, and so do Gemini API models
// before 2.5. Readers treat an absent index as 0, so only Vertex AI is imitated.
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

// parts returns the content of a candidate, without thoughts and signatures: the first of calls,
// media, JSON and a text that the request asks for.
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
		return parts // A stop sequence came first, or thoughts used all tokens.
	}
	return append(parts, geminiapi.Part{Text: &text})
}
