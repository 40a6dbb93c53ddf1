package chats

import (
	"context"
	"fmt"
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// History is the conversation so far. Any JSON library can encode it for storage and decode it for
// [WithHistory]; the turns lose nothing.
type History struct {
	// Contents are the turns in order. They share memory with the chat and must not be changed.
	Contents []geminiapi.Content `json:"contents"`
	// Tokens is the length of the conversation, as counted for the last answer: the prompt and the
	// answer, without thoughts, which are not sent again. It is 0 if the count is unknown.
	Tokens int `json:"tokens,omitzero"`
	// Usage is the sum over all answers, including those that were not kept. It is nil if no answer
	// had usage.
	Usage *geminiapi.UsageMetadata `json:"usage,omitzero"`
}

// History returns the conversation so far, without a turn in flight.
func (c *Chat) History() History {
	if c == nil {
		return History{}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	history := c.history
	history.Contents = slices.Clone(history.Contents)
	return history
}

// Option sets an option of a [Chat]. A nil option does nothing.
type Option func(*Chat)

// WithHistory continues a conversation, instead of starting from the contents of the request.
func WithHistory(history History) Option {
	return func(c *Chat) {
		c.history = history
		c.history.Contents = slices.Clone(history.Contents)
	}
}

// Shorten returns the turns with which a conversation continues, for example by [KeepLastTurns], or
// a summary that a model made. It must not change its argument. The result may begin with any user
// turn that does not answer calls.
type Shorten func(ctx context.Context, history History) ([]geminiapi.Content, error)

// WithTokenBudget shortens a conversation before a turn is sent, if the count for the last answer
// ([History].Tokens) exceeds a number of tokens. The chat keeps the shorter conversation if the
// turn succeeds. With a nil function the turn fails with a *[BudgetError].
//
// Set the budget below the limit of the model, and leave room for the next turn. The chat does not
// count that turn, because counting would need another call.
func WithTokenBudget(tokens int, shorten Shorten) Option {
	return func(c *Chat) { c.budget, c.shorten = tokens, shorten }
}

// KeepLastTurns keeps the last n user turns, each with the answers, calls and results that follow
// it. A turn that answers calls does not count as a user turn.
func KeepLastTurns(n int) Shorten {
	return func(_ context.Context, history History) ([]geminiapi.Content, error) {
		remaining := n
		for i := len(history.Contents) - 1; i >= 0 && remaining > 0; i-- {
			if !isOfUser(&history.Contents[i]) {
				continue
			}
			if remaining--; remaining == 0 {
				return history.Contents[i:], nil
			}
		}
		if n <= 0 {
			return nil, nil
		}
		return history.Contents, nil
	}
}

// isOfUser reports whether a turn is the user's and answers no call.
func isOfUser(turn *geminiapi.Content) bool {
	if role := jsonx.Deref(turn.Role); role != "user" && role != "" {
		return false
	}
	return !slices.ContainsFunc(turn.Parts,
		func(p geminiapi.Part) bool { return p.FunctionResponse != nil })
}

// BudgetError reports that a conversation exceeds its budget, and that no function shortens it.
type BudgetError struct {
	// Tokens is the length of the conversation, and Budget the maximum length.
	Tokens, Budget int
}

// Error returns one line such as "chats: 12000 tokens exceed the budget of 8000".
func (e *BudgetError) Error() string {
	return fmt.Sprintf("chats: %d tokens exceed the budget of %d", e.Tokens, e.Budget)
}

// NoContentError reports an answer without content to keep as a turn: the prompt was refused, a
// filter acted, or the model returned nothing. The conversation is unchanged.
type NoContentError struct {
	// Response is the answer.
	Response *geminiapi.GenerateContentResponse
}

// Error returns one line such as "chats: no content: the prompt was refused: SAFETY".
func (e *NoContentError) Error() string {
	text := "chats: no content"
	if e.Response == nil {
		return text
	}
	if feedback := e.Response.PromptFeedback; feedback != nil && feedback.BlockReason != nil {
		return text + ": the prompt was refused: " + string(*feedback.BlockReason)
	}
	if first := gemini.FirstCandidate(e.Response); first != nil && first.FinishReason != nil {
		return text + ": the model ended with " + string(*first.FinishReason)
	}
	return text
}
