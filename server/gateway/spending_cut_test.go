package gateway_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/money"
	"github.com/gemwire/gemwire/server/quota"
	"github.com/gemwire/gemwire/server/ratecard"
	"github.com/gemwire/gemwire/server/usage"
)

// cutStreams are streamed requests of each form.
var cutStreams = map[string]spend{
	"chat_completions": spends["a stream"],
	"responses": {responsesPath, `{"model":"gemini-2.5-flash","input":"hello","stream":true}`,
		""},
	"messages": {messagesPath, `{"model":"gemini-2.5-flash","max_tokens":100,"stream":true,` +
		`"messages":[{"role":"user","content":"hello"}]}`, ""},
	"native events": spends["a native stream"],
	"native array":  {"/v1beta/models/gemini-2.5-flash:streamGenerateContent", nativeGreeting, ""},
	"interactions": {"/v1beta/interactions",
		`{"model":"gemini-2.5-flash","input":"hello","stream":true}`, ""},
}

// cutChunk is a chunk of a stream with its text and token counts.
func cutChunk(counts string) geminitest.Block {
	return geminitest.Chunk(`{"candidates":[{"content":{"role":"model","parts":[{"text":` +
		`"twenty bytes of text"}]}}],` + counts + `"modelVersion":"gemini-2.5-flash"}`)
}

func countsOf(in, out int) string {
	return fmt.Sprintf(`"usageMetadata":{"promptTokenCount":%d,"candidatesTokenCount":%d,`+
		`"totalTokenCount":%d},`, in, out, in+out)
}

// A stream may end early in three ways. It counts with its last token counts, or else with an
// estimate from its text: in the usage and in the budgets, once.
func TestAStreamThatEndsEarlyIsCountedOnce(t *testing.T) {
	t.Parallel()
	ends := map[string]geminitest.Block{"cut": geminitest.Cut(), "left": geminitest.Stall(),
		"error": geminitest.AsEvent(geminitest.InternalError())}
	for name, s := range cutStreams {
		for how, end := range ends {
			t.Run(name+" "+how, func(t *testing.T) {
				inTime(t, func(t *testing.T) {
					row, tokens, nanos := cutOff(t, s, how == "left", cutChunk(countsOf(10, 5)),
						cutChunk(countsOf(10, 9)), end)
					// 0.30 USD for a million tokens in, 2.50 USD out
					if row.InputTokens != 10 || row.OutputTokens != 9 || row.Estimated != 0 ||
						tokens != 19 || nanos != 25_500 || int64(row.Cost) != nanos {
						t.Errorf("%+v; %d tokens, %d nano", row, tokens, nanos)
					}
				})
			})
			t.Run(name+" without counts "+how, func(t *testing.T) {
				inTime(t, func(t *testing.T) {
					row, tokens, nanos := cutOff(t, s, how == "left", cutChunk(""), cutChunk(""),
						end)
					in := int64(len(s.body) / 4)
					if row.InputTokens != in || row.OutputTokens != 10 || row.Estimated != 1 ||
						tokens != in+10 || nanos != 300*in+25_000 || int64(row.Cost) != nanos {
						t.Errorf("%+v; %d tokens, %d nano", row, tokens, nanos)
					}
				})
			})
		}
	}
}

// cutOff sends a request of alice, and returns what was counted.
func cutOff(t *testing.T, s spend, leaves bool, answer ...geminitest.Block) (row usage.Row,
	tokens, nanos int64) {
	t.Helper()
	q := quota.New()
	book, err := usage.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	server := geminitest.NewServer(t, geminitest.WithScript(geminitest.On().Reply(answer...)))
	handler := gatewayOf(t, server, gateway.WithRateCard(ratecard.Google()), gateway.WithQuota(q),
		gateway.WithMaxAttempts(1), gateway.WithObserver(book.Observer()), gateway.WithClientKeys(
			keysOf(t, `alice,"budget":{"amount":1,"tokens":100000,"period":"day"}`)))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, s.path, strings.NewReader(s.body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer key-of-alice")
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer func() { _ = recover() }() // it cuts the connection
		handler.ServeHTTP(httptest.NewRecorder(), r)
	}()
	if synctest.Wait(); leaves {
		cancel()
	}
	<-ended
	rows, err := book.Rows(t.Context(), "", "")
	if err != nil || len(rows) != 1 || rows[0].Requests != 1 || rows[0].Failures != 1 {
		t.Fatalf("%+v, %v", rows, err)
	}
	if err := book.Close(t.Context()); err != nil {
		t.Error(err)
	}
	budget := quota.Budget{Amount: money.Of(1), Currency: "USD", Tokens: 100_000,
		Period: quota.Day}
	inTokens, _ := budget.TokenRule("alice")
	inMoney, _ := budget.Money("alice")
	for _, rule := range []quota.Rule{inTokens, inMoney} {
		if got := q.Standing(rule); got.Spent+got.Remaining != rule.Limit {
			t.Errorf("%+v is reserved still: %+v", rule, got)
		}
	}
	return rows[0], q.Standing(inTokens).Spent, q.Standing(inMoney).Spent
}

// A key that is revoked in the middle of a stream gets its answer, and pays for it.
func TestAStreamWhoseKeyIsRevokedIsCounted(t *testing.T) {
	t.Parallel()
	for name, s := range cutStreams {
		t.Run(name, func(t *testing.T) {
			inTime(t, func(t *testing.T) {
				q := quota.New()
				server := geminitest.NewServer(t, geminitest.WithScript(geminitest.On().Reply(
					cutChunk(countsOf(10, 5)), geminitest.Pause(time.Second),
					geminitest.Chunk(`{"candidates":[{"finishReason":"STOP"}],`+countsOf(10, 9)+
						`"modelVersion":"gemini-2.5-flash"}`))))
				opts := []gateway.Option{gateway.WithUpstream(upstreamOf(server)),
					gateway.WithAllowedHosts("example.com"), gateway.WithQuota(q)}
				const budget = `,"budget":{"tokens":100,"period":"day"}`
				handler := newGateway(t,
					append(opts, gateway.WithClientKeys(keysOf(t, "alice"+budget)))...)
				answered := make(chan int)
				go func() {
					status, _, _ := s.asAlice(handler)
					answered <- status
				}()
				synctest.Wait()
				if err := handler.Reload(append(opts,
					gateway.WithClientKeys(keysOf(t, "bob"+budget)))...); err != nil {
					t.Fatal(err)
				}
				if status, body, _ := s.asAlice(handler); status != http.StatusUnauthorized {
					t.Errorf("after it: HTTP %d: %s", status, body)
				}
				if status := <-answered; status != http.StatusOK {
					t.Errorf("HTTP %d", status)
				}
				rule, _ := quota.Budget{Tokens: 100, Period: quota.Day}.TokenRule("alice")
				if got := q.Standing(rule); got.Spent != 19 || got.Remaining != 81 {
					t.Errorf("%+v", got)
				}
			})
		})
	}
}
