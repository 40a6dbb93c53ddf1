package chats

import (
	"context"
	"fmt"
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// History is a conversation so far. Its JSON form, by any JSON library, can be stored and read
// again for [WithHistory]; nothing of the turns is lost in it.
type History struct {
	// Contents are the turns in their order. They share memory with the chat and must not be
	// changed.
	Contents []geminiapi.Content `json:"contents"`
	// Tokens is how long the conversation is, as counted for the last answer: what was sent and the
	// answer, without thinking, which is not sent again. It is 0 when that was not said.
	Tokens int `json:"tokens,omitzero"`
	// Usage is what all answers cost together, those included that were not kept; nil when none
	// said.
	Usage *geminiapi.UsageMetadata `json:"usage,omitzero"`
}

// History returns the conversation so far. A turn that is on its way is not part of it.
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

// Option changes what a [Chat] does. A nil one does nothing.
type Option func(*Chat)

// WithHistory continues a conversation, in place of the contents of the request.
func WithHistory(history History) Option {
	return func(c *Chat) {
		c.history = history
		c.history.Contents = slices.Clone(history.Contents)
	}
}

// Shorten returns the turns that a conversation goes on with, for example those of [KeepLastTurns],
// or a summary that a model has made of it. It must not change the turns that it is given. The
// result may begin with any turn of the user that does not answer calls.
type Shorten func(ctx context.Context, history History) ([]geminiapi.Content, error)

// WithTokenBudget shortens a conversation before a turn is sent, when it was longer than so many
// tokens by the count for the last answer ([History].Tokens). The shorter one is kept if the turn
// succeeds. With a nil function the turn fails with a *[BudgetError].
//
// The budget should be below the limit of the model by what a turn may add: the next turn is not
// counted, which would take a call of its own.
func WithTokenBudget(tokens int, shorten Shorten) Option {
	return func(c *Chat) { c.budget, c.shorten = tokens, shorten }
}

// KeepLastTurns keeps the last n turns of the user, each with what follows it: answers, calls and
// their results. A turn that answers calls does not count as one of the user's.
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

// BudgetError reports that a conversation is longer than its budget, and that nothing shortens it.
type BudgetError struct {
	// Tokens is how long it is, and Budget how long it may be.
	Tokens, Budget int
}

// Error returns one line such as "chats: 12000 tokens, of which 8000 are allowed".
func (e *BudgetError) Error() string {
	return fmt.Sprintf("chats: %d tokens, of which %d are allowed", e.Tokens, e.Budget)
}

// NoContentError reports an answer that has no content to be kept as a turn: of a refused prompt,
// of a filter, or of a model that said nothing. The conversation is as it was before.
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
