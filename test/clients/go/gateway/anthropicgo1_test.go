package gateway_test

import (
	"context"
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
)

// connectOlderAnthropic returns Anthropic's own client for a gateway, of the version before, which
// sends the key as x-api-key.
func connectOlderAnthropic(g *gateway, opts ...option.RequestOption) anthropic.Client {
	return anthropic.NewClient(append([]option.RequestOption{option.WithBaseURL(strings.TrimSuffix(g.url,
		"/v1")),
		option.WithAPIKey("any"), option.WithMaxRetries(0)},
		opts...)...)
}

func olderMessage(text string) anthropic.MessageNewParams {
	return anthropic.MessageNewParams{Model: model, MaxTokens: 4000,
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(text))}}
}

// textOf returns the texts of a message.
func olderTextOf(m *anthropic.Message) string {
	text := ""
	for _, block := range m.Content {
		text += block.Text
	}
	return text
}

// gatherOlderMessage returns the message that a stream is, by the client's own accumulator.
func gatherOlderMessage(t *testing.T, client anthropic.Client,
	params anthropic.MessageNewParams) *anthropic.Message {
	t.Helper()
	stream := client.Messages.NewStreaming(t.Context(), params)
	defer stream.Close()
	var m anthropic.Message
	for stream.Next() {
		check(t, m.Accumulate(stream.Current()))
	}
	check(t, stream.Err())
	return &m
}

func TestOlderAnthropicGoAnswers(t *testing.T) {
	t.Parallel()
	client := connectOlderAnthropic(serve(t, upstream{}))

	t.Run("whole and streamed", func(t *testing.T) {
		whole, err := client.Messages.New(t.Context(), olderMessage(words))
		check(t, err)
		streamed := gatherOlderMessage(t, client, olderMessage(words))
		if olderTextOf(whole) == "" || olderTextOf(whole) != olderTextOf(streamed) ||
			whole.StopReason != "end_turn" || streamed.StopReason != "end_turn" ||
			whole.Model != model {
			t.Errorf("got %s, streamed %s", whole.RawJSON(), olderTextOf(streamed))
		}
		if whole.Usage.InputTokens == 0 || whole.Usage.OutputTokens != streamed.Usage.OutputTokens {
			t.Errorf("the usage is %+v, streamed %+v", whole.Usage, streamed.Usage)
		}
	})

	t.Run("count", func(t *testing.T) {
		count, err := client.Messages.CountTokens(t.Context(),
			anthropic.MessageCountTokensParams{Model: model,
				Messages: olderMessage(prompt).Messages})
		check(t, err)
		if count.InputTokens == 0 {
			t.Errorf("got %s", count.RawJSON())
		}
	})

	t.Run("schema", func(t *testing.T) {
		params := olderMessage("File a ticket.")
		params.OutputConfig.Format.Schema = ticket
		m, err := client.Messages.New(t.Context(), params)
		check(t, err)
		checkTicket(t, olderTextOf(m))
	})

	t.Run("errors", func(t *testing.T) {
		params := olderMessage(prompt)
		params.Model = "gemmini-9"
		_, err := client.Messages.New(t.Context(), params)
		failure, ok := errors.AsType[*anthropic.Error](err)
		if !ok || failure.StatusCode != 404 || failure.Type() != "not_found_error" ||
			!strings.HasPrefix(failure.RequestID, "req_") {
			t.Errorf("got %v", err)
		}
	})
}

// The loop is the same with thinking, whose blocks carry the signatures, and without, where the ids
// of calls do.
func TestOlderAnthropicGoRunsALoopOfThreeTurns(t *testing.T) {
	t.Parallel()
	for name, thinking := range map[string]anthropic.ThinkingConfigParamUnion{
		"thinking": anthropic.ThinkingConfigParamOfEnabled(2000),
		"none":     {OfDisabled: &anthropic.ThinkingConfigDisabledParam{}},
	} {
		for _, streams := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				client := connectOlderAnthropic(serve(t, loop(t)))
				params := olderMessage(question)
				params.Thinking = thinking
				params.Tools = []anthropic.ToolUnionParam{
					anthropic.ToolUnionParamOfTool(
						anthropic.ToolInputSchemaParam{Properties: city["properties"],
							Required: city["required"].([]string)}, "get_weather"),
					anthropic.ToolUnionParamOfTool(
						anthropic.ToolInputSchemaParam{Properties: table["properties"],
							Required: table["required"].([]string)}, "book_table"),
				}
				var calls []string
				for range 4 {
					m := olderAnswerOf(t, client, params, streams)
					params.Messages = append(params.Messages, m.ToParam())
					var results []anthropic.ContentBlockParamUnion
					for _, block := range m.Content {
						if block.Type == "tool_use" {
							calls = append(calls, block.Name+" "+compact(t, block.Input))
							results = append(results,
								anthropic.NewToolResultBlock(block.ID, result, false))
						}
					}
					if len(results) == 0 {
						if olderTextOf(m) != booked {
							t.Errorf("it ends in %q", olderTextOf(m))
						}
						break
					}
					params.Messages = append(params.Messages, anthropic.NewUserMessage(results...))
				}
				if !slices.Equal(calls, called) {
					t.Errorf("the calls are %q", calls)
				}
			})
		}
	}
}

func olderAnswerOf(t *testing.T, client anthropic.Client, params anthropic.MessageNewParams,
	streams bool) *anthropic.Message {
	t.Helper()
	if streams {
		return gatherOlderMessage(t, client, params)
	}
	m, err := client.Messages.New(t.Context(), params)
	check(t, err)
	return m
}

func TestOlderAnthropicGoSendsMedia(t *testing.T) {
	t.Parallel()
	client := connectOlderAnthropic(serve(t, upstream{}))
	params := olderMessage(prompt)
	params.Messages = []anthropic.MessageParam{anthropic.NewUserMessage(
		anthropic.NewTextBlock("What is in these?"),
		anthropic.NewImageBlockBase64("image/png",
			base64.StdEncoding.EncodeToString(make([]byte, 1<<16))),
		anthropic.NewDocumentBlock(anthropic.Base64PDFSourceParam{Data: base64.StdEncoding.EncodeToString(make([]byte,
			1<<10))}),
	)}
	if answer := olderTextOf(olderAnswerOf(t, client, params, false)); !sees(answer, "image/png",
		"application/pdf") {
		t.Errorf("the answer is %q", answer)
	}
}

func TestOlderAnthropicGoShowsThoughts(t *testing.T) {
	t.Parallel()
	client := connectOlderAnthropic(serve(t, upstream{script: thinking}))
	params := olderMessage(prompt)
	params.Thinking = anthropic.ThinkingConfigParamOfEnabled(2000)
	for _, streams := range []bool{false, true} {
		m := olderAnswerOf(t, client, params, streams)
		if first := m.Content[0]; first.Type != "thinking" || first.Thinking != thought ||
			first.Signature == "" || olderTextOf(m) != scatters {
			t.Errorf("streamed %v: %s", streams, m.RawJSON())
		}
	}
}

func TestOlderAnthropicGoHasSourcesOfASearch(t *testing.T) {
	t.Parallel()
	client := connectOlderAnthropic(serve(t, upstream{script: grounded}))
	params := olderMessage("What is new?")
	params.Tools = []anthropic.ToolUnionParam{{OfWebSearchTool20250305: &anthropic.WebSearchTool20250305Param{}}}
	for _, streams := range []bool{false, true} {
		m := olderAnswerOf(t, client, params, streams)
		var found []string
		for _, block := range m.Content {
			if block.Type == "web_search_tool_result" {
				for _, result := range block.AsWebSearchToolResult().Content.AsWebSearchResultBlockArray() {
					found = append(found, result.URL)
				}
			}
		}
		if olderTextOf(m) != closed || !slices.Equal(found, []string{source}) ||
			m.Usage.ServerToolUse.WebSearchRequests != 1 {
			t.Errorf("streamed %v: %s", streams, m.RawJSON())
		}
	}
}

func TestOlderAnthropicGoEndsTheCallOfGeminiWhenItLeaves(t *testing.T) {
	t.Parallel()
	t.Run("a stream", func(t *testing.T) {
		t.Parallel()
		g := serve(t, upstream{script: slow})
		client := connectOlderAnthropic(g)
		stream := client.Messages.NewStreaming(t.Context(), olderMessage(prompt))
		if !stream.Next() {
			t.Fatal(stream.Err())
		}
		check(t, stream.Close())
		g.ended(t)
	})
	t.Run("a whole answer", func(t *testing.T) {
		t.Parallel()
		g := serve(t, upstream{script: slow})
		client := connectOlderAnthropic(g)
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		if _, err := client.Messages.New(ctx, olderMessage(prompt)); !errors.Is(err,
			context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		g.ended(t)
	})
}

func TestOlderAnthropicGoNoticesAStreamThatFails(t *testing.T) {
	t.Parallel()
	client := connectOlderAnthropic(serve(t, upstream{script: breaksOff}))
	stream := client.Messages.NewStreaming(t.Context(), olderMessage(prompt))
	text := ""
	for stream.Next() {
		text += stream.Current().Delta.Text
	}
	if stream.Err() == nil || text != "The beginning" {
		t.Errorf("%q, and %v", text, stream.Err())
	}
}

func TestOlderAnthropicGoIsRefusedWithAWrongKeyAndTriesAgain(t *testing.T) {
	t.Parallel()
	stranger := connectOlderAnthropic(serve(t, upstream{key: "right"}, "--callers-key"))
	_, err := stranger.Messages.New(t.Context(), olderMessage(prompt))
	if failure, ok := errors.AsType[*anthropic.Error](err); !ok || failure.StatusCode != 401 ||
		failure.Type() != "authentication_error" {
		t.Errorf("got %v", err)
	}
	g := serve(t, upstream{script: aMoment})
	patient := connectOlderAnthropic(g, option.WithMaxRetries(2))
	if m := olderAnswerOf(t, patient, olderMessage(prompt), false); olderTextOf(m) != answeredLate {
		t.Errorf("got %s", m.RawJSON())
	}
	g.witness.wait(t, 2)
}
