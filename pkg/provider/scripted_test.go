package provider_test

import (
	"context"
	"fmt"
	"iter"
	"sync"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/provider"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// scripted is a client in memory. Each function stands for what the server does.
type scripted struct {
	refuse func(*geminiapi.GenerateContentRequest) error
	answer func(context.Context) (*geminiapi.GenerateContentResponse, error)
	stream func(context.Context, func(*geminiapi.GenerateContentResponse, error) bool)
}

func (s scripted) CheckRequest(request *geminiapi.GenerateContentRequest,
	_ ...gemini.CallOption) error {
	if s.refuse == nil {
		return nil
	}
	return s.refuse(request)
}

func (s scripted) GenerateContent(
	ctx context.Context, _ *geminiapi.GenerateContentRequest, _ ...gemini.CallOption,
) (*geminiapi.GenerateContentResponse, error) {
	return s.answer(ctx)
}

func (s scripted) StreamGenerateContent(
	ctx context.Context, _ *geminiapi.GenerateContentRequest, _ ...gemini.CallOption,
) iter.Seq2[*geminiapi.GenerateContentResponse, error] {
	return func(yield func(*geminiapi.GenerateContentResponse, error) bool) { s.stream(ctx, yield) }
}

// chunk decodes a chunk, and panics if a test has invalid JSON.
func chunk(text string) *geminiapi.GenerateContentResponse {
	out, err := gemini.DecodeResponse([]byte(text))
	if err != nil {
		panic(err)
	}
	return out
}

// textChunk is a chunk with one text.
func textChunk(text string) *geminiapi.GenerateContentResponse {
	return chunk(fmt.Sprintf(`{"candidates":[{"content":{"parts":[{"text":%q}]}}],"modelVersion":"gemini-2.5-flash"}`,
		text))
}

// lastChunk ends a stream.
var lastChunk = chunk(`{"candidates":[{"finishReason":"STOP"}],
	"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":5,"totalTokenCount":15}}`)

// stream yields chunks.
func stream(chunks ...*geminiapi.GenerateContentResponse) func(context.Context,
	func(*geminiapi.GenerateContentResponse, error) bool) {
	return func(_ context.Context, yield func(*geminiapi.GenerateContentResponse, error) bool) {
		for _, c := range chunks {
			if !yield(c, nil) {
				return
			}
		}
	}
}

// endless yields a text for each value of more, until the context ends.
func endless(more <-chan struct{}) func(context.Context,
	func(*geminiapi.GenerateContentResponse, error) bool) {
	return func(ctx context.Context, yield func(*geminiapi.GenerateContentResponse, error) bool) {
		for {
			select {
			case <-more:
				if !yield(textChunk("more"), nil) {
					return
				}
			case <-ctx.Done():
				yield(nil, fmt.Errorf("reading: %w", ctx.Err()))
				return
			}
		}
	}
}

// calls records callbacks as lines of text.
type calls struct {
	mu    sync.Mutex
	lines []string
}

func (c *calls) add(line string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lines = append(c.lines, line)
}

func (c *calls) event(_ *provider.Call, e normalize.Event) error {
	c.add(lineOf(e))
	return nil
}

func (c *calls) done(_ *provider.Call, end provider.Completion) { c.add(lineOfCompletion(end)) }

// all returns the lines so far.
func (c *calls) all() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]string{}, c.lines...)
}

// lineOf describes an event in the terms of the original table.
func lineOf(e normalize.Event) string {
	switch e.Type {
	case normalize.EventStart:
		return "start " + e.Model
	case normalize.EventTextDelta, normalize.EventThinkingDelta:
		return string(e.Type) + " " + e.Text
	case normalize.EventToolCallStart:
		return fmt.Sprintf("tool_call_start %s, id of %d", e.ToolName, len(e.ToolCallID))
	case normalize.EventToolCallDelta:
		return "tool_call_delta " + e.ArgumentsDelta
	case normalize.EventToolCallDone:
		return "tool_call_done " + string(e.Arguments)
	case normalize.EventDone:
		return fmt.Sprintf("done %s %s", e.FinishReason, counts(e.Usage))
	case normalize.EventError:
		return fmt.Sprintf("error %s %s", e.Error.Category, e.Error.Message)
	default:
		return string(e.Type)
	}
}

func counts(u *normalize.Usage) string {
	if u == nil {
		return "no usage"
	}
	return fmt.Sprintf("%d/%d/%d/%d", u.InputTokens, u.OutputTokens, u.ThinkingTokens,
		u.TotalTokens)
}

func lineOfCompletion(c provider.Completion) string {
	if c.Success {
		return fmt.Sprintf("success %d %q %s retry %d", c.HTTPStatus, c.Response.Text(),
			c.Response.FinishReason(), c.RetryAfterMS)
	}
	response := ""
	if c.Response != nil {
		response = " with a response"
	}
	return fmt.Sprintf("failure %d %s %s retry %d%s", c.HTTPStatus, c.Category, c.Message,
		c.RetryAfterMS, response)
}
