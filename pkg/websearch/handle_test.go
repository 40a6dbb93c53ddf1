package websearch_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/customsearchtest"
	"github.com/gemwire/gemwire/pkg/websearch"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

func TestAModelsCallIsAnswered(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		id    *string
		args  string
		reply string
		want  string
	}{
		"with results": {
			new("call-7"), `{"query": "test", "num": 2}`, page("https://a.com/?x=1&y=<2>"),
			`{"success":true,"results":[{"title":"Page https://a.com/?x=1&y=<2>","url":"https://a.com/?x=1&y=<2>","snippet":"about https://a.com/?x=1&y=<2>"}],"count":1}`,
		},
		"without id":     {nil, `{"query": "test"}`, page(), `{"success":true,"results":[],"count":0}`},
		"out of range":   {nil, `{"query": "test", "num": 20}`, "", `{"success":false,"error":"Invalid num: 20 is outside the range 1 to 10","error_code":"INVALID_INPUT"}`},
		"no query":       {nil, `{}`, "", `{"success":false,"error":"Invalid query: a string is required","error_code":"INVALID_INPUT"}`},
		"no arguments":   {nil, ``, "", `{"success":false,"error":"Invalid input: it is empty, a JSON object with a query is required","error_code":"INVALID_INPUT"}`},
		"not understood": {nil, `{"query": "test"}`, "<html>", `{"success":false,"error":"Failed to parse API response","error_code":"API_ERROR"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			google := customsearchtest.New(t,
				customsearchtest.Replies{"": customsearchtest.JSON(200, test.reply)})
			got, err := newClient(t, google).Handle(t.Context(), &geminiapi.FunctionCall{
				ID: test.id, Name: new("web_search_google"), Args: jsontext.Value(test.args),
			})
			if err != nil {
				t.Fatal(err)
			}
			want := &geminiapi.FunctionResponse{ID: test.id, Name: new("web_search_google"),
				Response: jsontext.Value(test.want)}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTheModelDoesNotSeeTheEvent(t *testing.T) {
	t.Parallel()
	client, err := websearch.New(websearch.Credentials{})
	if err != nil {
		t.Fatal(err)
	}
	response, err := client.Handle(t.Context(),
		&geminiapi.FunctionCall{Name: new(websearch.Name),
			Args: jsontext.Value(`{"query": "test"}`)})
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(response.Response, &got); err != nil {
		t.Fatal(err)
	}
	if got["error_code"] != "AUTH_MISSING" || got["_event"] != nil || len(got) != 3 {
		t.Errorf("got %s", response.Response)
	}
}

func TestCallsThatAreNotForTheFunctionAreErrors(t *testing.T) {
	t.Parallel()
	client := newClient(t, customsearchtest.New(t, nil))
	for name, test := range map[string]struct {
		call *geminiapi.FunctionCall
		want error
	}{
		"no call":                {nil, websearch.ErrOtherFunction},
		"another function":       {&geminiapi.FunctionCall{Name: new("get_time")}, websearch.ErrOtherFunction},
		"no name":                {&geminiapi.FunctionCall{}, websearch.ErrOtherFunction},
		"the end of a stream":    {&geminiapi.FunctionCall{PartialArgs: []geminiapi.PartialArg{}}, websearch.ErrIncompleteCall},
		"the start of a stream":  {&geminiapi.FunctionCall{Name: new(websearch.Name), WillContinue: new(true)}, websearch.ErrIncompleteCall},
		"the middle of a stream": {&geminiapi.FunctionCall{PartialArgs: []geminiapi.PartialArg{{}}, WillContinue: new(true)}, websearch.ErrIncompleteCall},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			response, err := client.Handle(t.Context(), test.call)
			if response != nil || !errors.Is(err, test.want) ||
				!strings.HasPrefix(err.Error(), "websearch: ") {
				t.Errorf("got %v, %v", response, err)
			}
		})
	}
}

func TestNothingIsAnsweredAfterTheContextsEnd(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	client := newClient(t, customsearchtest.New(t, nil))
	response, err := client.Handle(ctx,
		&geminiapi.FunctionCall{Name: new(websearch.Name),
			Args: jsontext.Value(`{"query": "test"}`)})
	if response != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, %v", response, err)
	}
}

func TestAnswersOfOtherErrors(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		response *websearch.Response
		err      error
		want     string
	}{
		{nil, nil, `{"success":true,"results":[],"count":0}`},
		{&websearch.Response{}, nil, `{"success":true,"results":[],"count":0}`},
		{&websearch.Response{Results: []websearch.Result{{Title: "bad \xff"}}}, nil, `{"success":true,"results":[{"title":"bad ` + "\uFFFD" + `","url":"","snippet":""}],"count":1}`},
		{nil, errors.New("out of paper"), `{"success":false,"error":"out of paper","error_code":"API_ERROR"}`},
		{&websearch.Response{}, &websearch.Error{Code: websearch.CodeRateLimit, Message: "later"}, `{"success":false,"error":"later","error_code":"RATE_LIMIT"}`},
	} {
		if got := string(websearch.Answer(test.response, test.err)); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

func TestErrorsHaveTheirCodeAndMessage(t *testing.T) {
	t.Parallel()
	err := &websearch.Error{Code: websearch.CodeAPIError,
		Message: "API request failed with HTTP 500", HTTPStatus: 500}
	if got := err.Error(); got != "websearch: API_ERROR: API request failed with HTTP 500" {
		t.Errorf("got %q", got)
	}
	if err.Unwrap() != nil {
		t.Errorf("cause %v", err.Unwrap())
	}
}
