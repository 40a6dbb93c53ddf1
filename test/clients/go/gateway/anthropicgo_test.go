package gateway_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"
)

// connectAnthropic returns Anthropic's own client for a gateway, of the version that sends the key
// as a bearer token.
func connectAnthropic(g *gateway, opts ...option.RequestOption) anthropic.Client {
	return anthropic.NewClient(append([]option.RequestOption{option.WithBaseURL(strings.TrimSuffix(g.url,
		"/v1")),
		option.WithAPIKey("any"), option.WithMaxRetries(0)},
		opts...)...)
}

func message(text string) anthropic.MessageNewParams {
	return anthropic.MessageNewParams{Model: model, MaxTokens: 4000,
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(text))}}
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
func gatherMessage(t *testing.T, client anthropic.Client,
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

func TestAnthropicGoAnswers(t *testing.T) {
	t.Parallel()
	client := connectAnthropic(serve(t, upstream{}))

	t.Run("whole and streamed", func(t *testing.T) {
		whole, err := client.Messages.New(t.Context(), message(words))
		check(t, err)
		streamed := gatherMessage(t, client, message(words))
		if textOf(whole) == "" || textOf(whole) != textOf(streamed) ||
			whole.StopReason != "end_turn" || streamed.StopReason != "end_turn" ||
			whole.Model != model {
			t.Errorf("got %s, streamed %s", whole.RawJSON(), textOf(streamed))
		}
		if whole.Usage.InputTokens == 0 || whole.Usage.OutputTokens != streamed.Usage.OutputTokens {
			t.Errorf("the usage is %+v, streamed %+v", whole.Usage, streamed.Usage)
		}
	})

	t.Run("count", func(t *testing.T) {
		count, err := client.Messages.CountTokens(t.Context(),
			anthropic.MessageCountTokensParams{Model: model, Messages: message(prompt).Messages})
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
		if !ok || failure.StatusCode != 404 || failure.Type() != "not_found_error" ||
			!strings.HasPrefix(failure.RequestID, "req_") {
			t.Errorf("got %v", err)
		}
	})
}

// The loop is the same with thinking, whose blocks carry the signatures, and without, where the ids
// of calls do.
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
					anthropic.ToolUnionParamOfTool(
						anthropic.ToolInputSchemaParam{Properties: city["properties"],
							Required: city["required"].([]string)}, "get_weather"),
					anthropic.ToolUnionParamOfTool(
						anthropic.ToolInputSchemaParam{Properties: table["properties"],
							Required: table["required"].([]string)}, "book_table"),
				}
				var calls []string
				for range 4 {
					m := answerOf(t, client, params, streams)
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

func answerOf(t *testing.T, client anthropic.Client, params anthropic.MessageNewParams,
	streams bool) *anthropic.Message {
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

func TestAnthropicGoSendsMedia(t *testing.T) {
	t.Parallel()
	client := connectAnthropic(serve(t, upstream{}))
	params := message(prompt)
	params.Messages = []anthropic.MessageParam{anthropic.NewUserMessage(
		anthropic.NewTextBlock("What is in these?"),
		anthropic.NewImageBlockBase64("image/png",
			base64.StdEncoding.EncodeToString(make([]byte, 1<<16))),
		anthropic.NewDocumentBlock(anthropic.Base64PDFSourceParam{Data: base64.StdEncoding.EncodeToString(make([]byte,
			1<<10))}),
	)}
	if answer := textOf(answerOf(t, client, params, false)); !sees(answer, "image/png",
		"application/pdf") {
		t.Errorf("the answer is %q", answer)
	}
}

func TestAnthropicGoShowsThoughts(t *testing.T) {
	t.Parallel()
	client := connectAnthropic(serve(t, upstream{script: thinking}))
	params := message(prompt)
	params.Thinking = anthropic.ThinkingConfigParamOfEnabled(2000)
	for _, streams := range []bool{false, true} {
		m := answerOf(t, client, params, streams)
		if first := m.Content[0]; first.Type != "thinking" || first.Thinking != thought ||
			first.Signature == "" || textOf(m) != scatters {
			t.Errorf("streamed %v: %s", streams, m.RawJSON())
		}
	}
}

func TestAnthropicGoHasSourcesOfASearch(t *testing.T) {
	t.Parallel()
	client := connectAnthropic(serve(t, upstream{script: grounded}))
	params := message("What is new?")
	params.Tools = []anthropic.ToolUnionParam{{OfWebSearchTool20250305: &anthropic.WebSearchTool20250305Param{}}}
	for _, streams := range []bool{false, true} {
		m := answerOf(t, client, params, streams)
		var found []string
		for _, block := range m.Content {
			if block.Type == "web_search_tool_result" {
				for _, result := range block.AsWebSearchToolResult().Content.AsWebSearchResultBlockArray() {
					found = append(found, result.URL)
				}
			}
		}
		if textOf(m) != closed || !slices.Equal(found, []string{source}) ||
			m.Usage.ServerToolUse.WebSearchRequests != 1 {
			t.Errorf("streamed %v: %s", streams, m.RawJSON())
		}
	}
}

func TestAnthropicGoEndsTheCallOfGeminiWhenItLeaves(t *testing.T) {
	t.Parallel()
	t.Run("a stream", func(t *testing.T) {
		t.Parallel()
		g := serve(t, upstream{script: slow})
		client := connectAnthropic(g)
		stream := client.Messages.NewStreaming(t.Context(), message(prompt))
		if !stream.Next() {
			t.Fatal(stream.Err())
		}
		check(t, stream.Close())
		g.ended(t)
	})
	t.Run("a whole answer", func(t *testing.T) {
		t.Parallel()
		g := serve(t, upstream{script: slow})
		client := connectAnthropic(g)
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		if _, err := client.Messages.New(ctx, message(prompt)); !errors.Is(err,
			context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		g.ended(t)
	})
}

func TestAnthropicGoNoticesAStreamThatFails(t *testing.T) {
	t.Parallel()
	client := connectAnthropic(serve(t, upstream{script: breaksOff}))
	stream := client.Messages.NewStreaming(t.Context(), message(prompt))
	text := ""
	for stream.Next() {
		text += stream.Current().Delta.Text
	}
	if stream.Err() == nil || text != "The beginning" {
		t.Errorf("%q, and %v", text, stream.Err())
	}
}

func TestAnthropicGoIsRefusedWithAWrongKeyAndTriesAgain(t *testing.T) {
	t.Parallel()
	stranger := connectAnthropic(serve(t, upstream{key: "right"}, "--callers-key"))
	_, err := stranger.Messages.New(t.Context(), message(prompt))
	if failure, ok := errors.AsType[*anthropic.Error](err); !ok || failure.StatusCode != 401 ||
		failure.Type() != "authentication_error" {
		t.Errorf("got %v", err)
	}
	g := serve(t, upstream{script: aMoment})
	patient := connectAnthropic(g, option.WithMaxRetries(2))
	if m := answerOf(t, patient, message(prompt), false); textOf(m) != answeredLate {
		t.Errorf("got %s", m.RawJSON())
	}
	g.witness.wait(t, 2)
}
