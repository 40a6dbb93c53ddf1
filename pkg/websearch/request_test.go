package websearch_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gemwire/gemwire/internal/test/customsearchtest"
	"github.com/gemwire/gemwire/pkg/websearch"
	"github.com/google/go-cmp/cmp"
)

func TestRequestsAreReadLeniently(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		input string
		want  websearch.Request
	}{
		"only a query": {`{"query": "test"}`, websearch.Request{Query: "test"}},
		"everything": {
			`{"query": "héllo \"w\"", "num": 3, "start": 91, "allowed_domains": ["a.com"], "blocked_domains": ["b.com", "c.com"]}`,
			websearch.Request{
				Query: `héllo "w"`, Num: new(3), Start: new(91),
				AllowedDomains: []string{"a.com"}, BlockedDomains: []string{"b.com", "c.com"},
			},
		},
		"numbers of another type are absent": {`{"query": "test", "num": "5", "start": null}`, websearch.Request{Query: "test"}},
		"fractions are absent":               {`{"query": "test", "num": 2.5, "start": 1e-1}`, websearch.Request{Query: "test"}},
		"whole numbers in other spellings":   {`{"query": "test", "num": 5.0, "start": 2e1}`, websearch.Request{Query: "test", Num: new(5), Start: new(20)}},
		"lists of another type are absent":   {`{"query": "test", "allowed_domains": "a.com", "blocked_domains": {"0": "a.com"}}`, websearch.Request{Query: "test"}},
		"elements of another type are blank": {`{"query": "test", "allowed_domains": [123, "a.com", null]}`, websearch.Request{Query: "test", AllowedDomains: []string{"", "a.com", ""}}},
		"unknown members are ignored":        {`{"query": "test", "count": 99, "offset": {}}`, websearch.Request{Query: "test"}},
		"the last of two members counts":     {`{"query": "first", "query": "second"}`, websearch.Request{Query: "second"}},
		"a byte order mark":                  {"\uFEFF{\"query\": \"test\"}", websearch.Request{Query: "test"}},
		"white space around":                 {"\n {\"query\": \"test\"}\r\n\t", websearch.Request{Query: "test"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := websearch.ReadRequest(strings.NewReader(test.input))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAnInvalidRequestIsMalformed(t *testing.T) {
	t.Parallel()
	for input, want := range map[string]string{
		"":                          "Invalid input: it is empty, a JSON object with a query is required",
		"  \n":                      "Invalid input: it is not JSON, a JSON object with a query is required",
		"not json":                  "Invalid input: it is not JSON, a JSON object with a query is required",
		`{"query": "test"`:          "Invalid input: it is not JSON, a JSON object with a query is required",
		`{"query": "test"} more`:    "Invalid input: it is not JSON, a JSON object with a query is required",
		"{\"query\": \"te\xffst\"}": "Invalid input: it is not JSON, a JSON object with a query is required",
		`{"num": 5}`:                "Invalid query: a string is required",
		`{"query": 123}`:            "Invalid query: a string is required",
		`{"query": null}`:           "Invalid query: a string is required",
		`["query"]`:                 "Invalid query: a string is required",
		`"query"`:                   "Invalid query: a string is required",
		`null`:                      "Invalid query: a string is required",
	} {
		t.Run(input, func(t *testing.T) {
			t.Parallel()
			_, err := websearch.ParseRequest([]byte(input))
			failure := failureOf(t, err)
			if failure.Code != websearch.CodeInvalidInput || failure.Message != want {
				t.Errorf("got %v", err)
			}
			if !errors.Is(err, websearch.ErrMalformed) {
				t.Error("not ErrMalformed")
			}
		})
	}
}

func TestAnInputThatCannotBeReadIsMalformed(t *testing.T) {
	t.Parallel()
	input := io.MultiReader(strings.NewReader(`{"query": "test"}`),
		iotest.ErrReader(io.ErrNoProgress))
	_, err := websearch.ReadRequest(input)
	if !errors.Is(err, websearch.ErrMalformed) || !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("got %v", err)
	}
	if got := failureOf(t, err).Message; got != "Invalid input: it cannot be read to its end" {
		t.Errorf("got %q", got)
	}
}

// TestValuesOutOfRangeMakeNoCall tests requests in JSON and the same requests in Go.
func TestValuesOutOfRangeMakeNoCall(t *testing.T) {
	t.Parallel()
	for input, want := range map[string]string{
		`{"query": "test", "num": 0}`:                       "Invalid num: 0 is outside the range 1 to 10",
		`{"query": "test", "num": 11}`:                      "Invalid num: 11 is outside the range 1 to 10",
		`{"query": "test", "num": -3}`:                      "Invalid num: -3 is outside the range 1 to 10",
		`{"query": "test", "num": 10.0e1}`:                  "Invalid num: 10.0e1 is outside the range 1 to 10",
		`{"query": "test", "num": 1e999}`:                   "Invalid num: 1e999 is outside the range 1 to 10",
		`{"query": "test", "num": 123456789012345678901}`:   "Invalid num: 123456789012345678901 is outside the range 1 to 10",
		`{"query": "test", "start": 0}`:                     "Invalid start: 0 is outside the range 1 to 91",
		`{"query": "test", "start": 92}`:                    "Invalid start: 92 is outside the range 1 to 91",
		`{"query": "", "num": 5}`:                           `Invalid query: "" is outside the range of 2 or more characters`,
		`{"query": "a"}`:                                    `Invalid query: "a" is outside the range of 2 or more characters`,
		`{"query": "é"}`:                                    `Invalid query: "é" is outside the range of 2 or more characters`,
		`{"query": "a", "allowed_domains": ["a.b", "c.d"]}`: `Invalid query: "a" is outside the range of 2 or more characters`,
		`{"query": "test", "start": ` + strings.Repeat("9", 1000) + `}`: "Invalid start: " +
			strings.Repeat("9", 24) + "... is outside the range 1 to 91",
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			google := customsearchtest.New(t, nil)
			request, err := websearch.ParseRequest([]byte(input))
			if err == nil {
				_, err = newClient(t, google).Search(t.Context(), request)
			}
			failure := failureOf(t, err)
			if failure.Code != websearch.CodeInvalidInput || failure.Message != want {
				t.Errorf("got %v", err)
			}
			if errors.Is(err, websearch.ErrMalformed) {
				t.Error("a request out of range is still a request")
			}
			if queries := google.Queries(); len(queries) > 0 {
				t.Errorf("called: %q", queries)
			}
		})
	}
}

func TestSearchChecksTheRangesOfRequestsMadeInGo(t *testing.T) {
	t.Parallel()
	client := newClient(t, customsearchtest.New(t, nil))
	for _, request := range []websearch.Request{
		{Query: "x"},
		{Query: "test", Num: new(0)},
		{Query: "test", Num: new(11)},
		{Query: "test", Start: new(0)},
		{Query: "test", Start: new(92)},
	} {
		_, err := client.Search(t.Context(), request)
		if failureOf(t, err).Code != websearch.CodeInvalidInput {
			t.Errorf("%+v: got %v", request, err)
		}
	}
}

func TestTheEdgesOfTheRangesAreInside(t *testing.T) {
	t.Parallel()
	google := customsearchtest.New(t,
		customsearchtest.Replies{"": customsearchtest.JSON(200, page())})
	client := newClient(t, google)
	for _, request := range []websearch.Request{
		{Query: "ab", Num: new(1), Start: new(1)},
		{Query: "日本", Num: new(10), Start: new(91)},
	} {
		if _, err := client.Search(t.Context(), request); err != nil {
			t.Errorf("%+v: %v", request, err)
		}
	}
	if got := len(google.Queries()); got != 2 {
		t.Errorf("%d calls", got)
	}
}
