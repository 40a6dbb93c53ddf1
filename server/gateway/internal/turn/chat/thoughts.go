package chat

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/transform"
)

// Thoughts says which clients see the thoughts of a model in reasoning_content although they did
// not ask for them. A request that does ask, such as by include_thoughts, sees them in any case.
type Thoughts string

// The values of [Thoughts].
const (
	ThoughtsAuto   Thoughts = "auto"   // clients that show them, if they ask for an effort
	ThoughtsAlways Thoughts = "always" // all clients
	ThoughtsNever  Thoughts = "never"  // no client
)

// showing are words in the User-Agent of clients that show reasoning_content to their users. It is
// read-only.
var showing = []struct{ word, source string }{
	// which opencode uses too
	{"ai-sdk/openai-compatible", "github.com/vercel/ai, packages/openai-compatible"},
	{"qwencode/", "github.com/QwenLM/qwen-code, packages/core"},
}

// isShowing reports whether a client shows reasoning_content.
func isShowing(userAgent string) bool {
	userAgent = strings.ToLower(userAgent)
	for _, client := range showing {
		if strings.Contains(userAgent, client.word) {
			return true
		}
	}
	return false
}

// shower returns a function that makes the answer include the thoughts, or nil if the client does
// not get them. A client that says how to show thoughts gets what it says.
func (mode Thoughts) shower(in *openaiapi.CreateChatCompletionRequest,
	userAgent string) func(*geminiapi.GenerateContentRequest, transform.Target) {
	if mode == ThoughtsNever || mode != ThoughtsAlways && !isShowing(userAgent) || in.Reasoning != nil ||
		isOff(in) {
		return nil
	}
	return func(out *geminiapi.GenerateContentRequest, to transform.Target) {
		config := out.GenerationConfig
		if config == nil || config.ThinkingConfig == nil {
			if mode != ThoughtsAlways || !thinks(to) {
				return
			}
			if config == nil {
				config = &geminiapi.GenerationConfig{}
				out.GenerationConfig = config
			}
			config.ThinkingConfig = &geminiapi.ThinkingConfig{}
		}
		thinking := config.ThinkingConfig
		isOff := thinking.ThinkingBudget != nil && *thinking.ThinkingBudget == 0
		if thinking.IncludeThoughts == nil && !isOff {
			thinking.IncludeThoughts = new(true)
		}
	}
}

// isOff reports whether a request turns thinking off, in the form of any server.
func isOff(in *openaiapi.CreateChatCompletionRequest) bool {
	return strings.EqualFold(string(jsonx.Deref(in.ReasoningEffort)), "none") ||
		in.EnableThinking != nil && !*in.EnableThinking ||
		in.Thinking != nil && in.Thinking.Type == "disabled"
}

// thinks reports whether a model thinks.
func thinks(to transform.Target) bool {
	service := models.GeminiAPI
	if to.ForVertexAI {
		service = models.VertexAI
	}
	model := models.At(to.Model, service, to.Time)
	return len(model.Traits.Thinking.Levels) > 0 || model.Traits.Thinking.Budget != nil
}
