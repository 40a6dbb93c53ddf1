package gateway_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/ratecard"
)

// The summary costs more than the budgets of alice, which nothing has used yet.
func TestASummaryThatUsesUpABudgetIsCountedAndTheAnswerRefused(t *testing.T) {
	t.Parallel()
	for kind, budget := range map[string]string{
		"tokens": `"tokens":50`, "money": `"amount":"0.000005"`,
	} {
		for way, members := range map[string]string{"whole": "", "streamed": `,"stream":true`} {
			t.Run(kind+", "+way, func(t *testing.T) {
				t.Parallel()
				server, book := summarising(t, aSummary), &diary{}
				handler := gatewayOf(t, server, gateway.WithRateCard(ratecard.Google()),
					gateway.WithObserver(book), gateway.WithClientKeys(
						keysOf(t, `alice,"budget":{`+budget+`,"period":"month"}`)))
				answer := post(handler, responsesPath, compactBody(longItems, shortRule+members),
					"Authorization", "Bearer key-of-alice")
				if e := errorOf(t, answer, http.StatusTooManyRequests); *e.Code !=
					"insufficient_quota" || !strings.Contains(e.Message, "is used up; it resets at") {
					t.Errorf("%+v", e)
				}
				if header := answer.Header(); header.Get("X-Should-Retry") != "false" ||
					header.Get("X-Gemwire-Budget-Reset") == "" {
					t.Errorf("headers: %v", header)
				}
				end := book.last().end
				if calls := len(server.Requests()); calls != 1 || end.Usage.TotalTokens < 50 ||
					end.Cost == nil || end.Cost.Amount < 0.000005 || end.ErrorCode != "insufficient_quota" {
					t.Errorf("%d calls, ended with %+v, cost %+v", calls, end, end.Cost)
				}
				next := post(handler, responsesPath, asked("hello", ""),
					"Authorization", "Bearer key-of-alice")
				errorOf(t, next, http.StatusTooManyRequests)
			})
		}
	}
}
