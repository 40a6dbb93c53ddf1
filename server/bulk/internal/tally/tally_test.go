package tally_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/gemwire/gemwire/server/bulk/internal/tally"
	"github.com/gemwire/gemwire/server/bulk/line"
)

func TestARangeCountsOnce(t *testing.T) {
	t.Parallel()
	var board tally.Board
	sum := tally.Sum{Completed: 3, Failed: 1, Failures: map[string]int64{"429": 1}, Repeated: 2,
		RepeatedCost: 0.5}
	for _, number := range []int{0, 9, 9, 0, 70} {
		board.Finish(number, &sum)
	}
	if board.Ranges() != 3 || board.Completed != 9 || board.Failures["429"] != 3 || !board.Has(9) ||
		board.Has(10) || board.Has(1000) {
		t.Errorf("board: %+v", board)
	}
	if board.Failed != 3 || board.Repeated != 6 || board.RepeatedCost != 1.5 {
		t.Errorf("board: %+v", board)
	}
}

func TestFailuresAreNamedByStatusAndCode(t *testing.T) {
	t.Parallel()
	for want, r := range map[string]line.Result{
		"429 rate_limit_exceeded": refusal(429,
			`{"error":{"message":"m","type":"requests","code":"rate_limit_exceeded"}}`),
		"400 invalid_request_error": refusal(400,
			`{"error":{"message":"m","type":"invalid_request_error","code":null}}`),
		"503 UNAVAILABLE": refusal(503,
			`{"error":{"code":503,"message":"m","status":"UNAVAILABLE"}}`),
		"529 overloaded_error": refusal(529,
			`{"type":"error","error":{"type":"overloaded_error","message":"m"}}`),
		"502":         refusal(502, `"<html>"`),
		"500 too_odd": refusal(500, `{"error":{"status":7,"code":"too_odd"}}`),
		"401": refusal(401,
			`{"error":{"code":"`+strings.Repeat("c", 65)+`"}}`),
		"402 " + strings.Repeat("c", 64): refusal(402,
			`{"error":{"code":"`+strings.Repeat("c", 64)+`"}}`),
		"403":           refusal(403, `{"error":{"code":"\ud800"}}`),
		"batch_expired": line.Expired(&line.Line{}),
	} {
		if got := tally.Kind(&r); got != want {
			t.Errorf("%q; expected %q", got, want)
		}
	}
}

func refusal(status int, body string) line.Result {
	return line.Result{Response: &line.Response{Status: status, Body: jsontext.Value(body)}}
}

func TestKindsBeyondTheFirstFiftyCountAsOther(t *testing.T) {
	t.Parallel()
	var sum tally.Sum
	for i := range 60 {
		r := refusal(400, fmt.Sprintf(`{"error":{"code":"c%d"}}`, i))
		sum.Add(&r, 0)
	}
	if len(sum.Failures) != 51 || sum.Failures["other"] != 10 || sum.Failed != 60 {
		t.Errorf("%d kinds, %d others", len(sum.Failures), sum.Failures["other"])
	}
}
