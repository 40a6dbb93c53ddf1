package gateway_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"
)

func respond(items ...responses.ResponseInputItemUnionParam) responses.ResponseNewParams {
	return responses.ResponseNewParams{Model: model, Store: openai.Bool(false),
		Input: responses.ResponseNewParamsInputUnion{OfInputItemList: items}}
}

func said(text string) responses.ResponseInputItemUnionParam {
	return responses.ResponseInputItemParamOfMessage(text, responses.EasyInputMessageRoleUser)
}

// gatherResponse returns the response that a stream ends in, and the text that came in pieces.
func gatherResponse(t *testing.T, client openai.Client,
	params responses.ResponseNewParams) (*responses.Response, string) {
	t.Helper()
	stream := client.Responses.NewStreaming(t.Context(), params)
	defer stream.Close()
	var last *responses.Response
	text := ""
	for stream.Next() {
		switch event := stream.Current(); event.Type {
		case "response.output_text.delta":
			text += event.Delta
		case "response.completed", "response.incomplete", "response.failed":
			last = &event.Response
		}
	}
	check(t, stream.Err())
	if last == nil {
		t.Fatal("the stream has no end")
	}
	return last, text
}

func TestOpenAIGoHasResponses(t *testing.T) {
	t.Parallel()
	client := connect(serve(t, upstream{}))
	whole, err := client.Responses.New(t.Context(), respond(said(words)))
	check(t, err)
	streamed, text := gatherResponse(t, client, respond(said(words)))
	if whole.OutputText() == "" || whole.OutputText() != text || streamed.OutputText() != text ||
		whole.Status != "completed" || streamed.Status != "completed" {
		t.Errorf("got %s, streamed %s", whole.RawJSON(), streamed.RawJSON())
	}
	if u := whole.Usage; u.InputTokens == 0 || u.InputTokens+u.OutputTokens != u.TotalTokens ||
		u.TotalTokens != streamed.Usage.TotalTokens {
		t.Errorf("the usage is %s, streamed %s", u.RawJSON(), streamed.Usage.RawJSON())
	}
}

func TestOpenAIGoRunsALoopOfThreeTurnsByResponses(t *testing.T) {
	t.Parallel()
	for _, streams := range []bool{false, true} {
		t.Run(map[bool]string{false: "whole", true: "streamed"}[streams], func(t *testing.T) {
			t.Parallel()
			client := connect(serve(t, loop(t)))
			params := respond(said(question))
			params.Tools = []responses.ToolUnionParam{responses.ToolParamOfFunction("get_weather",
				city, false), responses.ToolParamOfFunction("book_table", table, false)}
			var calls []string
			answer := ""
			for range 4 {
				response := responseOf(t, client, params, streams)
				items := params.Input.OfInputItemList
				for _, item := range response.Output {
					items = append(items,
						param.Override[responses.ResponseInputItemUnionParam](json.RawMessage(item.RawJSON())))
				}
				for _, item := range response.Output {
					if item.Type == "function_call" {
						call := item.AsFunctionCall()
						calls = append(calls, call.Name+" "+call.Arguments)
						output := responses.ResponseInputItemParamOfFunctionCallOutput(result)
						output.OfFunctionCallOutput.CallID = openai.String(call.CallID)
						items = append(items, output)
					}
				}
				params.Input.OfInputItemList, answer = items, response.OutputText()
			}
			if !slices.Equal(calls, called) || answer != booked {
				t.Errorf("the calls are %q, the answer %q", calls, answer)
			}
		})
	}
}

func responseOf(t *testing.T, client openai.Client, params responses.ResponseNewParams,
	streams bool) *responses.Response {
	t.Helper()
	if streams {
		response, _ := gatherResponse(t, client, params)
		return response
	}
	response, err := client.Responses.New(t.Context(), params)
	check(t, err)
	return response
}

func TestOpenAIGoHasStructuredResponses(t *testing.T) {
	t.Parallel()
	client := connect(serve(t, upstream{}))
	params := respond(said("File a ticket."))
	params.Text.Format = responses.ResponseFormatTextConfigParamOfJSONSchema("ticket", ticket)
	for _, streams := range []bool{false, true} {
		checkTicket(t, responseOf(t, client, params, streams).OutputText())
	}
}

func TestOpenAIGoSendsMediaByResponses(t *testing.T) {
	t.Parallel()
	client := connect(serve(t, upstream{}))
	image := responses.ResponseInputContentParamOfInputImage(responses.ResponseInputImageDetailAuto)
	image.OfInputImage.ImageURL = openai.String(data("image/png", 1<<16))
	document := responses.ResponseInputContentUnionParam{OfInputFile: &responses.ResponseInputFileParam{
		Filename: openai.String("report.pdf"),
		FileData: openai.String(data("application/pdf", 1<<10)),
	}}
	content := responses.ResponseInputMessageContentListParam{responses.ResponseInputContentParamOfInputText("What is in these?"),
		image, document}
	response := responseOf(t, client,
		respond(responses.ResponseInputItemParamOfMessage(content,
			responses.EasyInputMessageRoleUser)), false)
	if answer := response.OutputText(); !sees(answer, "image/png", "application/pdf") {
		t.Errorf("the answer is %q", answer)
	}
}

func TestOpenAIGoShowsThoughtsOfResponses(t *testing.T) {
	t.Parallel()
	client := connect(serve(t, upstream{script: thinking}))
	params := respond(said(prompt))
	params.Reasoning.Summary = openai.ReasoningSummaryAuto
	for _, streams := range []bool{false, true} {
		response := responseOf(t, client, params, streams)
		first := response.Output[0]
		if first.Type != "reasoning" || len(first.Summary) != 1 ||
			first.Summary[0].Text != thought || response.OutputText() != scatters {
			t.Errorf("streamed %v: %s", streams, response.RawJSON())
		}
	}
}

func TestOpenAIGoHasSourcesOfASearchByResponses(t *testing.T) {
	t.Parallel()
	client := connect(serve(t, upstream{script: grounded}))
	params := respond(said("What is new?"))
	params.Tools = []responses.ToolUnionParam{responses.ToolParamOfWebSearch(responses.WebSearchToolTypeWebSearch)}
	for _, streams := range []bool{false, true} {
		response := responseOf(t, client, params, streams)
		var cited []string
		var searches int
		for _, item := range response.Output {
			if item.Type == "web_search_call" {
				searches++
			}
			for _, part := range item.Content {
				for _, annotation := range part.Annotations {
					cited = append(cited, annotation.URL)
				}
			}
		}
		if response.OutputText() != closed || searches != 1 ||
			!slices.Equal(cited, []string{source}) {
			t.Errorf("streamed %v: %s", streams, response.RawJSON())
		}
	}
}

func TestOpenAIGoCountsTokensOfResponses(t *testing.T) {
	t.Parallel()
	client := connect(serve(t, upstream{}))
	count, err := client.Responses.InputTokens.Count(t.Context(), responses.InputTokenCountParams{
		Model: openai.String(model),
		Input: responses.InputTokenCountParamsInputUnion{OfString: openai.String(prompt)},
	})
	check(t, err)
	if count.InputTokens == 0 {
		t.Errorf("got %s", count.RawJSON())
	}
}

func TestOpenAIGoEndsAResponseWhenItLeaves(t *testing.T) {
	t.Parallel()
	t.Run("a stream", func(t *testing.T) {
		t.Parallel()
		g := serve(t, upstream{script: slow})
		client := connect(g)
		stream := client.Responses.NewStreaming(t.Context(), respond(said(prompt)))
		if !stream.Next() {
			t.Fatal(stream.Err())
		}
		check(t, stream.Close())
		g.ended(t)
	})
	t.Run("a whole response", func(t *testing.T) {
		t.Parallel()
		g := serve(t, upstream{script: slow})
		client := connect(g)
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		if _, err := client.Responses.New(ctx, respond(said(prompt))); !errors.Is(err,
			context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		g.ended(t)
	})
}

func TestOpenAIGoIsRefusedByResponses(t *testing.T) {
	t.Parallel()
	client := connect(serve(t, upstream{}))
	unknown, wrong := respond(said(prompt)), respond(said(prompt))
	unknown.Model, wrong.Temperature = "gemmini-9", openai.Float(9)
	_, err := client.Responses.New(t.Context(), unknown)
	refused(t, err, http.StatusNotFound, "model_not_found", "")
	refused(t, client.Responses.NewStreaming(t.Context(), unknown).Err(), http.StatusNotFound,
		"model_not_found", "")
	_, err = client.Responses.New(t.Context(), wrong)
	refused(t, err, http.StatusBadRequest, "", "temperature")

	stranger := connect(serve(t, upstream{key: "right"}, "--callers-key"))
	_, err = stranger.Responses.New(t.Context(), respond(said(prompt)))
	refused(t, err, http.StatusUnauthorized, "invalid_api_key", "")

	g := serve(t, upstream{script: aMoment})
	patient := connect(g, option.WithMaxRetries(2))
	response, err := patient.Responses.New(t.Context(), respond(said(prompt)))
	check(t, err)
	if response.OutputText() != answeredLate {
		t.Errorf("got %s", response.RawJSON())
	}
	g.witness.wait(t, 2)
}

func TestOpenAIGoNoticesAResponseThatFails(t *testing.T) {
	t.Parallel()
	client := connect(serve(t, upstream{script: breaksOff}))
	stream := client.Responses.NewStreaming(t.Context(), respond(said(prompt)))
	text, last := "", ""
	for stream.Next() {
		event := stream.Current()
		last = event.Type
		if last == "response.output_text.delta" {
			text += event.Delta
		}
	}
	if text != "The beginning" || stream.Err() == nil && last != "response.failed" {
		t.Errorf("%q, ended by %s and %v", text, last, stream.Err())
	}
}
