package gateway_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"
)

// connectAnthropic returns Anthropic's own client for a gateway, of the version that sends the key as a bearer token.
func connectAnthropic(g *gateway) anthropic.Client {
	return anthropic.NewClient(option.WithBaseURL(strings.TrimSuffix(g.url, "/v1")), option.WithAPIKey("any"), option.WithMaxRetries(0))
}

func message(text string) anthropic.MessageNewParams {
	return anthropic.MessageNewParams{Model: model, MaxTokens: 4000, Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(text))}}
}

// textOf returns the texts of a message.
func textOf(m *anthropic.Message) string {
	text := ""
	for _, block := range m.Content {
		text += block.Text
	}
	return text
}

// gatherMessage returns the message that a stream is, by the client's own accumulator.
func gatherMessage(t *testing.T, client anthropic.Client, params anthropic.MessageNewParams) *anthropic.Message {
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

func TestAnthropicGoAnswers(t *testing.T) {
	t.Parallel()
	client := connectAnthropic(serve(t, upstream{}))

	t.Run("whole and streamed", func(t *testing.T) {
		whole, err := client.Messages.New(t.Context(), message(words))
		check(t, err)
		streamed := gatherMessage(t, client, message(words))
		if textOf(whole) == "" || textOf(whole) != textOf(streamed) || whole.StopReason != "end_turn" || streamed.StopReason != "end_turn" || whole.Model != model {
			t.Errorf("got %s, streamed %s", whole.RawJSON(), textOf(streamed))
		}
		if whole.Usage.InputTokens == 0 || whole.Usage.OutputTokens != streamed.Usage.OutputTokens {
			t.Errorf("the usage is %+v, streamed %+v", whole.Usage, streamed.Usage)
		}
	})

	t.Run("count", func(t *testing.T) {
		count, err := client.Messages.CountTokens(t.Context(), anthropic.MessageCountTokensParams{Model: model, Messages: message(prompt).Messages})
		check(t, err)
		if count.InputTokens == 0 {
			t.Errorf("got %s", count.RawJSON())
		}
	})

	t.Run("schema", func(t *testing.T) {
		params := message("File a ticket.")
		params.OutputConfig.Format.Schema = ticket
		m, err := client.Messages.New(t.Context(), params)
		check(t, err)
		checkTicket(t, textOf(m))
	})

	t.Run("errors", func(t *testing.T) {
		params := message(prompt)
		params.Model = "gemmini-9"
		_, err := client.Messages.New(t.Context(), params)
		failure, ok := errors.AsType[*anthropic.Error](err)
		if !ok || failure.StatusCode != 404 || failure.Type() != "not_found_error" || !strings.HasPrefix(failure.RequestID, "req_") {
			t.Errorf("got %v", err)
		}
	})
}

// The loop is the same with thinking, whose blocks carry the signatures, and without, where the ids of calls do.
func TestAnthropicGoRunsALoopOfThreeTurns(t *testing.T) {
	t.Parallel()
	for name, thinking := range map[string]anthropic.ThinkingConfigParamUnion{
		"thinking": anthropic.ThinkingConfigParamOfEnabled(2000),
		"none":     {OfDisabled: &anthropic.ThinkingConfigDisabledParam{}},
	} {
		for _, streams := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				client := connectAnthropic(serve(t, loop(t)))
				params := message(question)
				params.Thinking = thinking
				params.Tools = []anthropic.ToolUnionParam{
					anthropic.ToolUnionParamOfTool(anthropic.ToolInputSchemaParam{Properties: city["properties"], Required: city["required"].([]string)}, "get_weather"),
					anthropic.ToolUnionParamOfTool(anthropic.ToolInputSchemaParam{Properties: table["properties"], Required: table["required"].([]string)}, "book_table"),
				}
				var calls []string
				for range 4 {
					m := answerOf(t, client, params, streams)
					params.Messages = append(params.Messages, m.ToParam())
					var results []anthropic.ContentBlockParamUnion
					for _, block := range m.Content {
						if block.Type == "tool_use" {
							calls = append(calls, block.Name+" "+compact(t, block.Input))
							results = append(results, anthropic.NewToolResultBlock(block.ID, result, false))
						}
					}
					if len(results) == 0 {
						if textOf(m) != booked {
							t.Errorf("it ends in %q", textOf(m))
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

func answerOf(t *testing.T, client anthropic.Client, params anthropic.MessageNewParams, streams bool) *anthropic.Message {
	t.Helper()
	if streams {
		return gatherMessage(t, client, params)
	}
	m, err := client.Messages.New(t.Context(), params)
	check(t, err)
	return m
}

func compact(t *testing.T, input json.RawMessage) string {
	t.Helper()
	var v map[string]any
	check(t, json.Unmarshal(input, &v))
	out, err := json.Marshal(v)
	check(t, err)
	return string(out)
}
