package gateway_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"
)

func respond(items ...responses.ResponseInputItemUnionParam) responses.ResponseNewParams {
	return responses.ResponseNewParams{Model: model, Store: openai.Bool(false), Input: responses.ResponseNewParamsInputUnion{OfInputItemList: items}}
}

func said(text string) responses.ResponseInputItemUnionParam {
	return responses.ResponseInputItemParamOfMessage(text, responses.EasyInputMessageRoleUser)
}

// gatherResponse returns the response that a stream ends in, and the text that came in pieces.
func gatherResponse(t *testing.T, client openai.Client, params responses.ResponseNewParams) (*responses.Response, string) {
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
	if whole.OutputText() == "" || whole.OutputText() != text || streamed.OutputText() != text || whole.Status != "completed" || streamed.Status != "completed" {
		t.Errorf("got %s, streamed %s", whole.RawJSON(), streamed.RawJSON())
	}
	if u := whole.Usage; u.InputTokens == 0 || u.InputTokens+u.OutputTokens != u.TotalTokens || u.TotalTokens != streamed.Usage.TotalTokens {
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
			params.Tools = []responses.ToolUnionParam{responses.ToolParamOfFunction("get_weather", city, false), responses.ToolParamOfFunction("book_table", table, false)}
			var calls []string
			answer := ""
			for range 4 {
				response := responseOf(t, client, params, streams)
				items := params.Input.OfInputItemList
				for _, item := range response.Output {
					items = append(items, param.Override[responses.ResponseInputItemUnionParam](json.RawMessage(item.RawJSON())))
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

func responseOf(t *testing.T, client openai.Client, params responses.ResponseNewParams, streams bool) *responses.Response {
	t.Helper()
	if streams {
		response, _ := gatherResponse(t, client, params)
		return response
	}
	response, err := client.Responses.New(t.Context(), params)
	check(t, err)
	return response
}
