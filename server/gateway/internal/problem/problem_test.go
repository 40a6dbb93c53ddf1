package problem_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

func TestTextsOfAProblemAreCutBetweenCharacters(t *testing.T) {
	t.Parallel()
	const maxMessage, maxParam = 8 << 10, 1 << 10
	for name, test := range map[string]struct{ text, message, param string }{
		"none":           {"", "", ""},
		"short":          {"a", "a", "a"},
		"a param":        {strings.Repeat("x", maxParam), strings.Repeat("x", maxParam), strings.Repeat("x", maxParam)},
		"a param more":   {strings.Repeat("x", maxParam+1), strings.Repeat("x", maxParam+1), strings.Repeat("x", maxParam) + "…"},
		"a message":      {strings.Repeat("x", maxMessage), strings.Repeat("x", maxMessage), strings.Repeat("x", maxParam) + "…"},
		"a message more": {strings.Repeat("x", maxMessage+1), strings.Repeat("x", maxMessage) + "…", strings.Repeat("x", maxParam) + "…"},
		"a character at the end": {
			"x" + strings.Repeat("€", maxMessage), "x" + strings.Repeat("€", (maxMessage-1)/3) + "…",
			"x" + strings.Repeat("€", (maxParam-1)/3) + "…",
		},
	} {
		p := problem.Invalid("", test.text, test.text)
		p.Shorten()
		if p.Message != test.message || p.Param != test.param {
			t.Errorf("%s: got %d and %d bytes, want %d and %d", name, len(p.Message), len(p.Param),
				len(test.message), len(test.param))
		}
	}
}

func TestClientsReadFromHeadersWhenToTryAgain(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		problem problem.Problem
		want    http.Header
	}{
		"nothing is known": {problem.Problem{}, http.Header{}},
		"a moment":         {problem.Problem{RetryAfter: time.Millisecond}, http.Header{"Retry-After": {"1"}, "Retry-After-Ms": {"1"}}},
		"a second":         {problem.Problem{RetryAfter: time.Second}, http.Header{"Retry-After": {"1"}, "Retry-After-Ms": {"1000"}}},
		"more":             {problem.Problem{RetryAfter: time.Second + 1}, http.Header{"Retry-After": {"2"}, "Retry-After-Ms": {"1000"}}},
		"a minute":         {problem.Problem{RetryAfter: time.Minute}, http.Header{"Retry-After": {"60"}, "Retry-After-Ms": {"60000"}}},
		"above a minute": {problem.Problem{RetryAfter: time.Minute + time.Millisecond},
			http.Header{"Retry-After": {"61"}, "Retry-After-Ms": {"60001"}, "X-Should-Retry": {"false"}}},
		"in vain": {problem.Problem{IsFinal: true}, http.Header{"X-Should-Retry": {"false"}}},
	} {
		got := http.Header{}
		test.problem.SetHeaders(got)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (- want, + got):\n%s", name, diff)
		}
	}
}

func TestOnlyTheCodesOfErrorsAreErrorStatuses(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]bool{
		0: false, 200: false, 399: false, 400: true, 499: true, 500: true, 599: true, 600: false,
	} {
		if got := problem.IsErrorStatus(status); got != want {
			t.Errorf("%d: got %v", status, got)
		}
	}
}

func TestAStatusWithoutAGoogleNameGetsTheNameOfItsClass(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]string{
		400: "INVALID_ARGUMENT", 404: "NOT_FOUND", 418: "INVALID_ARGUMENT", 499: "INVALID_ARGUMENT",
		500: "INTERNAL", 501: "INTERNAL", 503: "UNAVAILABLE",
	} {
		body := problem.AppendGoogle(nil, &problem.Problem{Status: status, Message: "a \"b\""}, "")
		var got geminiapi.ErrorResponse
		if err := json.Unmarshal(body, &got); err != nil || string(*got.Error.Status) != want ||
			*got.Error.Code != status || *got.Error.Message != "a \"b\"" {
			t.Errorf("%d: %s, %v; want %s", status, body, err, want)
		}
	}
}

func TestAnAnswerShowsTextsAndPartsThatAreNoThoughts(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]bool{
		`null`:                    false,
		`{}`:                      false,
		`{"parts":[]}`:            false,
		`{"parts":[{"text":""}]}`: false,
		`{"parts":[{"text":"a","thought":true}]}`:                                            false,
		`{"parts":[{"thought":true}]}`:                                                       false,
		`{"parts":[{"text":"a"}]}`:                                                           true,
		`{"parts":[{"text":"a","thought":false}]}`:                                           true,
		`{"parts":[{"functionCall":{"name":"f"}}]}`:                                          true,
		`{"parts":[{"text":""},{"text":"a","thought":true},{"inlineData":{"data":"QUJD"}}]}`: true,
	} {
		var read *geminiapi.Content
		if err := json.Unmarshal([]byte(content), &read); err != nil {
			t.Fatal(err)
		}
		if got := problem.ShowsAnything(read); got != want {
			t.Errorf("%s: got %v", content, got)
		}
		status := geminiapi.FinishReason("MALFORMED_FUNCTION_CALL")
		broken := &geminiapi.GenerateContentResponse{Candidates: []geminiapi.Candidate{
			{Content: read, FinishReason: &status},
		}}
		if p := problem.SilentFailure(broken); (p == nil) != want ||
			p != nil && p.Message != "the model's answer cannot be used: MALFORMED_FUNCTION_CALL" {
			t.Errorf("%s: a broken answer is the problem %+v", content, p)
		}
		broken.Candidates = append(broken.Candidates, geminiapi.Candidate{})
		if p := problem.SilentFailure(broken); p != nil {
			t.Errorf("%s: one of two candidates is the problem %+v", content, p)
		}
	}
	for name, answer := range map[string]*geminiapi.GenerateContentResponse{
		"no candidate": {}, "no reason": {Candidates: []geminiapi.Candidate{{}}},
	} {
		if p := problem.BrokenAnswer(answer); p != nil {
			t.Errorf("%s: the problem %+v", name, p)
		}
	}
}

// Google describes a limit per minute with the words that OpenAI uses for a quota that is used up
// permanently.
func TestALimitThatPassesIsWordedAsOne(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		message, delay, want string
	}{
		"Google's words": {
			`You exceeded your current quota, please check your plan.\n* Quota exceeded for metric: m, limit: 20\nPlease retry.`,
			"2.01s", "Gemini's rate limit is reached; metric: m, limit: 20; try again in 2.1s",
		},
		"a whole second": {
			"You exceeded your current quota", "3s", "Gemini's rate limit is reached; try again in 3s",
		},
		"other words": {"too fast", "3s", "rate limit: too fast"},
		"no delay":    {"You exceeded your current quota", "0s", "You exceeded your current quota"},
	} {
		body := `{"error":{"code":429,"message":"` + test.message + `","status":"RESOURCE_EXHAUSTED",` +
			`"details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"` + test.delay + `"}]}}`
		p := problem.OfCall(gemini.DecodeError(429, nil, []byte(body)), problem.Caller{})
		if p.Message != test.want || p.Status != 429 {
			t.Errorf("%s: got %d, %q; want %q", name, p.Status, p.Message, test.want)
		}
	}
}
