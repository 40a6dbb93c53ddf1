// Package chats manages conversations with a model: it sends the earlier turns with each new turn,
// and counts their cost.
package chats

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/internal/usagetotal"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// Chat is a conversation. It keeps the turns, sends them with each new turn, and counts their cost.
// [New] makes a Chat.
//
//	chat := chats.New(client, &geminiapi.GenerateContentRequest{Model: new("gemini-3.6-flash")})
//	response, err := chat.Send(ctx, gemini.UserText("Why is the sky blue?"))
//
// The model's turns are kept unchanged, with all parts and thought signatures. A streamed turn is
// the merge of its chunks. A turn that fails leaves the conversation as it was, and can be sent
// again.
//
// A Chat sends one turn at a time. While a turn is in flight, sending another one returns
// [ErrBusy]. All other methods may be called at any time, by several goroutines.
type Chat struct {
	model   gemini.Generator
	request geminiapi.GenerateContentRequest // without the contents
	budget  int
	shorten Shorten

	sending sync.Mutex
	mu      sync.Mutex // guards history
	history History
}

// The errors of a [Chat] for a turn that it does not send.
var (
	// ErrBusy is returned for a turn that is sent while another turn is in flight.
	ErrBusy = errors.New("chats: another turn is in flight")
	// ErrNotMade is returned by a Chat that was not made by [New], or was made without a model.
	ErrNotMade = errors.New("chats: the chat was not made by New with a model")
)

// New returns a conversation with a model, such as a [gemini.Client]. The request has the model,
// the instructions, the tools and the other members that are sent with every turn. Its contents are
// the first turns. New copies the request. The values that it points to must not be changed during
// the conversation.
func New(model gemini.Generator, request *geminiapi.GenerateContentRequest, opts ...Option) *Chat {
	c := &Chat{model: model, request: jsonx.Deref(request)}
	c.history.Contents = slices.Clone(c.request.Contents)
	option.Apply(c, opts)
	return c
}

// Send sends a turn and returns the answer. The turn is for example [gemini.UserText], or the
// [gemini.UserResults] of the calls in the previous turn. Both turns then become part of the
// conversation. Of several candidates, the chat keeps the [gemini.FirstCandidate].
//
// If an answer has no content, such as the answer to a refused prompt, Send returns it with a
// *[NoContentError].
func (c *Chat) Send(ctx context.Context, turn geminiapi.Content,
	opts ...gemini.CallOption) (*geminiapi.GenerateContentResponse, error) {
	if c == nil || c.model == nil {
		return nil, ErrNotMade
	}
	if !c.sending.TryLock() {
		return nil, ErrBusy
	}
	defer c.sending.Unlock()
	request, err := c.next(ctx, turn)
	if err != nil {
		return nil, err
	}
	response, err := c.model.GenerateContent(ctx, request, opts...)
	if err != nil {
		return nil, err
	}
	return response, c.keep(request.Contents, response)
}

// Stream sends a turn and yields the chunks of the answer as they arrive. When the loop ends
// without an error, both turns become part of the conversation. A loop that the caller leaves early
// does not change the conversation. Otherwise Stream is like [Chat.Send].
func (c *Chat) Stream(ctx context.Context, turn geminiapi.Content,
	opts ...gemini.CallOption) iter.Seq2[*geminiapi.GenerateContentResponse, error] {
	return func(yield func(*geminiapi.GenerateContentResponse, error) bool) {
		if c == nil || c.model == nil {
			yield(nil, ErrNotMade)
			return
		}
		if !c.sending.TryLock() {
			yield(nil, ErrBusy)
			return
		}
		defer c.sending.Unlock()
		request, err := c.next(ctx, turn)
		if err != nil {
			yield(nil, err)
			return
		}
		var chunks []*geminiapi.GenerateContentResponse
		for chunk, err := range c.model.StreamGenerateContent(ctx, request,
			append(slices.Clip(opts), gemini.WithStreamOptions(gemini.WithoutReusedChunks()))...) {
			if !yield(chunk, err) || err != nil {
				return
			}
			chunks = append(chunks, chunk)
		}
		if err := c.keep(request.Contents,
			merge.Chunks(gemini.IsError, chunks...).Response); err != nil {
			yield(nil, err)
		}
	}
}

// next returns the request for a turn, with a shortened conversation if necessary.
func (c *Chat) next(ctx context.Context, turn geminiapi.Content) (*geminiapi.GenerateContentRequest,
	error) {
	history := c.History()
	if c.budget > 0 && history.Tokens > c.budget {
		if c.shorten == nil {
			return nil, &BudgetError{Tokens: history.Tokens, Budget: c.budget}
		}
		shorter, err := c.shorten(ctx, history)
		if err != nil {
			return nil, fmt.Errorf("chats: shorten: %w", err)
		}
		history.Contents = slices.Clone(shorter)
	}
	request := c.request
	request.Contents = append(history.Contents, turn)
	return &request, nil
}

// keep appends the answer to the contents that were sent. The result is the new conversation.
func (c *Chat) keep(sent []geminiapi.Content, response *geminiapi.GenerateContentResponse) error {
	if response == nil { // A faulty Generator may return nil.
		response = new(geminiapi.GenerateContentResponse)
	}
	usage := response.UsageMetadata
	c.mu.Lock()
	defer c.mu.Unlock()
	c.history.Usage = usagetotal.Add(c.history.Usage, usage)
	reply := merge.Turn(response)
	if reply == nil {
		return &NoContentError{Response: response}
	}
	c.history.Contents = append(sent, *reply)
	c.history.Tokens = 0
	if usage != nil {
		c.history.Tokens = jsonx.Deref(usage.PromptTokenCount) +
			jsonx.Deref(usage.CandidatesTokenCount)
	}
	return nil
}
