package gateway_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/geminitest"
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

func TestASummaryWithinABudgetLetsTheAnswerFollow(t *testing.T) {
	t.Parallel()
	server := summarising(t, aSummary)
	handler := gatewayOf(t, server, gateway.WithClientKeys(
		keysOf(t, `alice,"budget":{"tokens":1000000,"period":"month"}`)))
	answer := post(handler, responsesPath, compactBody(longItems, shortRule),
		"Authorization", "Bearer key-of-alice")
	if answer.Code != http.StatusOK || len(server.Requests()) != 2 {
		t.Errorf("HTTP %d after %d calls: %s", answer.Code, len(server.Requests()), answer.Body)
	}
}

func TestAShortenedConversationHasTheDefaultModelOfOtherResponses(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{"input":"x"}`, `{"model":null,"input":"x"}`,
		`{"model":"","input":"x"}`} {
		for _, path := range []string{responsesPath, compactPath} {
			server := geminitest.NewServer(t)
			answer := post(gatewayOf(t, server, gateway.WithDefaultModel("gemini-2.5-flash")), path, body)
			if answer.Code != http.StatusOK ||
				!strings.Contains(server.Requests()[0].URL.Path, "gemini-2.5-flash:") {
				t.Errorf("%s, %s: HTTP %d: %s", path, body, answer.Code, answer.Body)
			}
			e := errorOf(t, post(newGateway(t), path, body), http.StatusBadRequest)
			if *e.Code != "missing_required_parameter" || *e.Param != "model" {
				t.Errorf("%s, %s, without a default model: %+v", path, body, e)
			}
		}
	}
}
