package gateway_test

import (
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/money"
	"github.com/gemwire/gemwire/server/quota"
	"github.com/gemwire/gemwire/server/ratecard"
)

// isSummary reports whether a request asks for a summary. It reads the body.
func isSummary(r *http.Request) bool {
	body, _ := io.ReadAll(r.Body)
	return strings.Contains(string(body), "about to be replaced")
}

// summaryThenFallback is an upstream whose first model gives summaries only.
func summaryThenFallback(r *http.Request) (*http.Response, error) {
	switch {
	case isSummary(r):
		return chunksFor(r, chunkOf("A summary.", "STOP", 2000, 100)), nil
	case strings.Contains(r.URL.Path, "gemini-3.6-flash"):
		return replyOf(http.StatusServiceUnavailable, `{"error":{"code":503,"message":"x"}}`), nil
	default:
		answer := strings.Replace(chunkOf("Yes.", "STOP", 1000, 10), "gemini-3.6-flash", "mine", 1)
		return chunksFor(r, answer), nil
	}
}

// The answer has no price, or a price in another currency than its summary.
func TestEachAnswerCountsInTheBudgetOfItsCurrency(t *testing.T) {
	t.Parallel()
	euros, err := ratecard.Read([]byte("currency: EUR\n" +
		"sources: {c: {title: ours, date: 2026-01-01}}\n" +
		"prices:\n- {models: [mine], surface: gemini_api, tier: standard, source: c, " +
		"rates: {input: 2, output: 2}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for name, card := range map[string]*ratecard.Card{
		"no price": ratecard.Google(), "another currency": ratecard.Google().With(euros)} {
		for way, members := range map[string]string{"whole": "", "stream": `,"stream":true`} {
			t.Run(name+", "+way, func(t *testing.T) {
				t.Parallel()
				limits := quota.New()
				budgets := []quota.Budget{{Amount: 1e15, Currency: "USD", Period: quota.Month}}
				want := []money.Nano{summaryCost(t)}
				if name == "another currency" {
					budgets = append(budgets,
						quota.Budget{Amount: 1e15, Currency: "EUR", Period: quota.Month})
					want = append(want, money.Of(0.00202))
				}
				handler := newGateway(t, answeredBy(summaryThenFallback), gateway.WithRateCard(card),
					gateway.WithQuota(limits), gateway.WithBudgets(budgets...), gateway.WithUnpriced(),
					gateway.WithMaxAttempts(1),
					gateway.WithFallbacks(map[string][]string{"gemini-3.6-flash": {"mine"}}))
				answer := post(handler, responsesPath, compactBody(longItems, shortRule+members))
				if answer.Code != http.StatusOK {
					t.Fatalf("HTTP %d: %s", answer.Code, answer.Body)
				}
				for i, budget := range budgets {
					rule, _ := budget.Money("")
					if spent := limits.Standing(rule).Spent; spent != int64(want[i]) {
						t.Errorf("%s: %d, want %d", budget.Currency, spent, want[i])
					}
				}
			})
		}
	}
}

// summaryCost returns the cost of the summary of [summaryThenFallback].
func summaryCost(t *testing.T) money.Nano {
	t.Helper()
	d := &diary{}
	handler := newGateway(t, answeredBy(summaryThenFallback),
		gateway.WithRateCard(ratecard.Google()), gateway.WithObserver(d))
	post(handler, compactPath, compactBody(oldItems, ""))
	cost := d.last().end.Cost
	if cost == nil || cost.Amount == 0 {
		t.Fatal("the summary has no cost")
	}
	return money.Of(cost.Amount)
}

// The client leaves while the model is called again after an unusable answer. Both calls count.
func TestACallThatTheClientLeavesCountsInAdditionToTheUnusableAnswer(t *testing.T) {
	t.Parallel()
	for form, request := range generationPaths {
		if strings.HasPrefix(form, "summary") {
			continue
		}
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			ctx, leave := context.WithCancel(t.Context())
			calls, limits := 0, quota.New()
			budget := quota.Budget{Tokens: 1e9, Period: quota.Month}
			handler := newGateway(t, gateway.WithQuota(limits), gateway.WithBudgets(budget),
				answeredBy(func(r *http.Request) (*http.Response, error) {
					if calls++; calls == 1 {
						return chunksFor(r, chunkOf("", "STOP", 70, 5)), nil
					}
					leave()
					<-r.Context().Done()
					return nil, r.Context().Err()
				}))
			asking := httptest.NewRequestWithContext(ctx, http.MethodPost, request[0],
				strings.NewReader(request[1]))
			asking.Header.Set("Content-Type", "application/json")
			handler.ServeHTTP(httptest.NewRecorder(), asking)
			rule, _ := budget.TokenRule("")
			want := int64(75 + len(request[1])/4 + 1)
			if spent := limits.Standing(rule).Spent; spent != want {
				t.Errorf("%d tokens after %d calls, want %d", spent, calls, want)
			}
		})
	}
}

// Another request keeps the key's budget reserved. The summary has used up the budget of all keys.
func TestAUsedUpBudgetRefusesTheAnswerAlthoughAnotherBudgetIsOnlyReserved(t *testing.T) {
	t.Parallel()
	hold := `{"role":"user","content":"hold` + strings.Repeat(" on", 10_000) + `"}`
	var handler *gateway.Handler
	started, release, other := make(chan struct{}), make(chan struct{}), make(chan int, 1)
	asBob := func(body string) *httptest.ResponseRecorder {
		return post(handler, responsesPath, body, "Authorization", "Bearer key-of-bob")
	}
	handler = newGateway(t, answeredBy(func(r *http.Request) (*http.Response, error) {
		body, err := io.ReadAll(r.Body)
		switch {
		case err != nil:
			return nil, err
		case strings.Contains(string(body), "about to be replaced"):
			go func() { other <- asBob(compactBody(hold, "")).Code }()
			<-started
			return chunksFor(r, chunkOf("A summary.", "STOP", 200_000, 1)), nil
		case strings.Contains(string(body), "hold"):
			close(started)
			<-release
		}
		return chunksFor(r, chunkOf("Yes.", "STOP", 9, 1)), nil
	}), gateway.WithBudgets(quota.Budget{Tokens: 150_000, Period: quota.Month}),
		gateway.WithClientKeys(keysOf(t, `bob,"budget":{"tokens":250000,"period":"total"}`)))
	answer := asBob(compactBody(longItems, shortRule))
	if answer.Code != http.StatusTooManyRequests ||
		!strings.Contains(answer.Body.String(), "the budget of all keys, ") {
		t.Errorf("HTTP %d: %s", answer.Code, answer.Body)
	}
	close(release)
	if status := <-other; status != http.StatusOK {
		t.Errorf("the other request: HTTP %d", status)
	}
}

// The day ends between the summary and the answer.
func TestASummaryCountsInTheDayBeforeItsAnswer(t *testing.T) {
	inTime(t, func(t *testing.T) {
		limits, budget := quota.New(), quota.Budget{Tokens: 1e9, Period: quota.Day}
		rule, _ := budget.TokenRule("")
		total := quota.Budget{Tokens: 1e9, Period: quota.Total}
		atEnd, _ := total.TokenRule("")
		handler := newGateway(t, gateway.WithQuota(limits), gateway.WithBudgets(budget, total),
			answeredBy(func(r *http.Request) (*http.Response, error) {
				if isSummary(r) {
					return chunksFor(r, chunkOf("A summary.", "STOP", 2000, 100)), nil
				}
				if spent := limits.Standing(rule).Spent; spent != 2100 {
					t.Errorf("%d tokens after the summary", spent)
				}
				time.Sleep(2 * time.Minute) // of the bubble
				return chunksFor(r, chunkOf("Yes.", "STOP", 30, 3)), nil
			}))
		now := time.Now()
		time.Sleep(time.Until(now.Truncate(24 * time.Hour).Add(24*time.Hour - time.Minute)))
		answer := post(handler, responsesPath, compactBody(longItems, shortRule))
		if spent := limits.Standing(rule).Spent; answer.Code != http.StatusOK || spent != 33 {
			t.Errorf("HTTP %d, %d tokens of the new day: %s", answer.Code, spent, answer.Body)
		}
		if spent := limits.Standing(atEnd).Spent; spent != 2133 {
			t.Errorf("%d tokens in total", spent)
		}
	})
}

// Each turn needs a summary, and its answers are unusable at first.
func TestEachTurnOfASocketCountsItsOwnAnswers(t *testing.T) {
	t.Parallel()
	u := &tallied{answers: answersOf(rand.New(rand.NewPCG(5, 5)), 4)}
	limits, budget, done := quota.New(), quota.Budget{Tokens: 1e9, Period: quota.Month}, make(ends, 2)
	handler := newGateway(t, gateway.WithUpstream(gateway.Upstream{
		Service: gateway.GeminiAPI, Accounts: accounts("one"), HTTPClient: u}),
		gateway.WithQuota(limits), gateway.WithBudgets(budget), gateway.WithObserver(done),
		gateway.WithRetryMalformed(3), gateway.WithMaxAttempts(9))
	client := dialSocket(t, handler)
	total := 0
	for range 2 {
		client.send(t, strings.Replace(compactBody(longItems, shortRule+`,"store":false`), "{",
			`{"type":"response.create",`, 1))
		frames := client.turn(t)
		completes(t, frames[len(frames)-1])
		end := <-done
		total += end.Usage.TotalTokens
	}
	rule, _ := budget.TokenRule("")
	want := u.in + u.out
	if spent := limits.Standing(rule).Spent; spent != int64(want) || total != want {
		t.Errorf("the budget counts %d tokens, the log %d, want %d", spent, total, want)
	}
}
