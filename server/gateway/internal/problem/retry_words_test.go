package problem_test

import (
	"bufio"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
)

// retryPattern is a row of testdata/retry_patterns.tsv.
type retryPattern struct {
	client  string
	isRetry bool
	match   *regexp.Regexp
}

func readPatterns(t *testing.T) (out []retryPattern) {
	t.Helper()
	file, err := os.Open("testdata/retry_patterns.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		cells := strings.Split(lines.Text(), "\t")
		if len(cells) != 5 {
			t.Fatalf("%q has %d cells", lines.Text(), len(cells))
		}
		out = append(out, retryPattern{cells[0] + " " + cells[1], cells[2] == "retry",
			regexp.MustCompile("(?i)" + cells[3])})
	}
	return out
}

// answered is an error as Google answers it.
func answered(status int, name, message, details string) error {
	return gemini.DecodeError(status, nil, fmt.Appendf(nil,
		`{"error":{"code":%d,"status":%q,"message":%q,"details":[%s]}}`, status, name, message, details))
}

func TestClientsThatReadTheWordsOfAnErrorTryAgainWhatCanBeTriedAgain(t *testing.T) {
	t.Parallel()
	const soon = `{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"3s"}`
	const perDay = `{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]}`
	const usedUp = "You exceeded your current quota, please check your plan and billing details.\n* Quota exceeded for metric: m, limit: 20"
	patterns := readPatterns(t)
	for name, tt := range map[string]struct {
		err     error
		isRetry bool
	}{
		"cut off": {&wire.StreamError{Wire: "gemini", Event: 2, Offset: 527, Problem: "no finish reason",
			Err: wire.ErrTruncated}, true},
		"overloaded":        {answered(503, "UNAVAILABLE", "The model is overloaded.", ""), true},
		"unavailable":       {answered(503, "UNAVAILABLE", "The service is currently unavailable.", ""), true},
		"internal":          {answered(500, "INTERNAL", "An error has occurred.", ""), true},
		"deadline":          {answered(504, "DEADLINE_EXCEEDED", "Deadline expired.", ""), true},
		"limit of a minute": {answered(429, "RESOURCE_EXHAUSTED", usedUp, soon), true},
		"resource":          {answered(429, "RESOURCE_EXHAUSTED", "Resource exhausted.", ""), true},
		"quota of a day":    {answered(429, "RESOURCE_EXHAUSTED", usedUp, perDay+","+soon), false},
		"wrong request":     {answered(400, "INVALID_ARGUMENT", "Invalid value.", ""), false},
	} {
		message := problem.OfCall(tt.err, problem.Caller{}).Message
		retries := map[string]bool{}
		for _, p := range patterns {
			if p.isRetry {
				retries[p.client] = retries[p.client] || p.match.MatchString(message)
			}
		}
		for _, p := range patterns {
			if !p.isRetry && p.match.MatchString(message) {
				retries[p.client] = false
			}
		}
		for client, isRetry := range retries {
			if isRetry != tt.isRetry {
				t.Errorf("%s: %s tries again: %v, after %q", name, client, isRetry, message)
			}
		}
	}
}
