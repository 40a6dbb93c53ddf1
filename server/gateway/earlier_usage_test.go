package gateway_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/money"
	"github.com/gemwire/gemwire/server/quota"
	"github.com/gemwire/gemwire/server/ratecard"
	"github.com/gemwire/gemwire/server/usage"
)

// tallied is an upstream that gives answers in their order and knows the tokens of those it gave.
type tallied struct {
	mu      sync.Mutex
	answers []talliedAnswer
	in, out int
	calls   int
}

// talliedAnswer is an answer in chunks. A status other than 200 has no tokens.
type talliedAnswer struct {
	status  int
	chunks  []string
	in, out int
}

func (u *tallied) Do(r *http.Request) (*http.Response, error) {
	_, _ = io.Copy(io.Discard, r.Body)
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.calls >= len(u.answers) {
		return nil, fmt.Errorf("call %d is one too many", u.calls)
	}
	a := u.answers[u.calls]
	u.calls++
	if a.status != http.StatusOK {
		return replyOf(a.status, `{"error":{"code":503,"message":"x","status":"UNAVAILABLE"}}`), nil
	}
	u.in, u.out = u.in+a.in, u.out+a.out
	return chunksFor(r, a.chunks...), nil
}

// chunksFor returns a reply with chunks in the form that a request asks for: events, an array or
// one object, which is the last chunk.
func chunksFor(r *http.Request, chunks ...string) *http.Response {
	switch {
	case r.URL.Query().Get("alt") == "sse":
		body := "data: " + strings.Join(chunks, "\r\n\r\ndata: ") + "\r\n\r\n"
		reply := replyOf(http.StatusOK, body)
		reply.Header.Set("Content-Type", "text/event-stream")
		return reply
	case strings.Contains(r.URL.Path, ":stream"):
		return replyOf(http.StatusOK, "["+strings.Join(chunks, ",\n")+"]")
	default:
		return replyOf(http.StatusOK, chunks[len(chunks)-1])
	}
}

// chunkOf returns a chunk with a text, a finish reason or "", and the tokens so far.
func chunkOf(text, reason string, in, out int) string {
	if reason != "" {
		reason = `,"finishReason":"` + reason + `"`
	}
	usage := ""
	if in+out > 0 {
		usage = fmt.Sprintf(`,"usageMetadata":{"promptTokenCount":%d,"candidatesTokenCount":%d,`+
			`"totalTokenCount":%d}`, in, out, in+out)
	}
	return `{"candidates":[{"content":{"role":"model","parts":[{"text":"` + text + `"}]}` + reason +
		`}]` + usage + `,"modelVersion":"gemini-3.6-flash"}`
}

// generationPaths are requests for one answer in several forms.
var generationPaths = map[string][2]string{
	"native":        {strings.Replace(nativeWhole, "2.5", "3.6", 1), nativeHello},
	"native events": {strings.Replace(nativeSSE, "2.5", "3.6", 1), nativeHello},
	"native array":  {strings.Replace(nativeArray, "2.5", "3.6", 1), nativeHello},
	"chat": {chatPath, `{"model":"gemini-3.6-flash",` +
		`"messages":[{"role":"user","content":"x"}]}`},
	"chat stream": {chatPath, `{"model":"gemini-3.6-flash","stream":true,` +
		`"messages":[{"role":"user","content":"x"}]}`},
	"compaction":     {compactPath, compactBody(oldItems, "")},
	"summary":        {responsesPath, compactBody(longItems, shortRule)},
	"summary stream": {responsesPath, compactBody(longItems, shortRule+`,"stream":true`)},
}

// answersOf returns random answers, of which each model call but the last is unusable or fails.
func answersOf(random *rand.Rand, finals int) (out []talliedAnswer) {
	for range finals {
		for unusable := random.IntN(4); unusable > 0; unusable-- {
			in, n := 1+random.IntN(500), random.IntN(90)
			reason := []string{"MALFORMED_FUNCTION_CALL", "STOP", "MALFORMED_RESPONSE"}[random.IntN(3)]
			out = append(out, talliedAnswer{status: 200, in: in, out: n,
				chunks: []string{chunkOf("", "", in, 0), chunkOf("", reason, in, n)}})
			if random.IntN(4) == 0 {
				out = append(out, talliedAnswer{status: 503})
			}
		}
		in, n := 1+random.IntN(500), 1+random.IntN(90)
		out = append(out, talliedAnswer{status: 200, in: in, out: n,
			chunks: []string{chunkOf("It ", "", in, 1), chunkOf("rains.", "STOP", in, n)}})
	}
	return out
}

func TestAllAnswersOfAModelCountOnce(t *testing.T) {
	t.Parallel()
	for form, request := range generationPaths {
		for seed := range uint64(25) {
			t.Run(fmt.Sprintf("%s %d", form, seed), func(t *testing.T) {
				inTime(t, func(t *testing.T) {
					finals := 1
					if strings.HasPrefix(form, "summary") {
						finals = 2
					}
					u := &tallied{answers: answersOf(rand.New(rand.NewPCG(seed, 1)), finals)}
					wantCounted(t, u, request)
				})
			})
		}
	}
}

// wantCounted sends a request and compares what the log and the budgets count with what the
// upstream has answered.
func wantCounted(t *testing.T, u *tallied, request [2]string, opts ...gateway.Option) {
	t.Helper()
	limits, d := quota.New(), &diary{}
	book, err := usage.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := book.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	tokens := quota.Budget{Tokens: 1e9, Period: quota.Month}
	dollars := quota.Budget{Amount: 1e15, Currency: "USD", Period: quota.Month}
	handler := newGateway(t, append([]gateway.Option{gateway.WithUpstream(gateway.Upstream{
		Service: gateway.GeminiAPI, Accounts: accounts("one"), HTTPClient: u}),
		gateway.WithRateCard(ratecard.Google()), gateway.WithObserver(d), gateway.WithQuota(limits),
		gateway.WithObserver(book.Observer()), gateway.WithRetryMalformed(3),
		gateway.WithMaxAttempts(9), gateway.WithBudgets(tokens, dollars),
		gateway.WithClientKeys(keysOf(t, `ann,"budget":{"tokens":1000000000,"period":"month"}`)),
	}, opts...)...)
	answer := post(handler, request[0], request[1], "Authorization", "Bearer key-of-ann")
	end := d.last().end
	if answer.Code != http.StatusOK || u.calls != len(u.answers) {
		t.Errorf("HTTP %d after %d of %d calls: %s", answer.Code, u.calls, len(u.answers), answer.Body)
	}
	if got := end.Usage; got.InputTokens != u.in || got.OutputTokens != u.out ||
		got.TotalTokens != u.in+u.out {
		t.Errorf("ended with %+v, want %d and %d", got, u.in, u.out)
	}
	if end.Cost == nil {
		t.Fatalf("no cost: %s", end.Unpriced)
	}
	cost := int64(money.Of(end.Cost.Amount))
	day := usage.DayOf(time.Now())
	if rows, err := book.Rows(t.Context(), day, day); err != nil || len(rows) != 1 ||
		rows[0].InputTokens != int64(u.in) || rows[0].OutputTokens != int64(u.out) ||
		int64(rows[0].Cost) != cost {
		t.Errorf("the book has %+v, %v", rows, err)
	}
	for _, owner := range []string{"", "ann"} {
		rule, _ := tokens.TokenRule(owner)
		if spent := limits.Standing(rule).Spent; spent != int64(u.in+u.out) {
			t.Errorf("the budget of %q counts %d tokens, want %d", owner, spent, u.in+u.out)
		}
	}
	rule, _ := dollars.Money("")
	if spent := limits.Standing(rule).Spent; spent != cost || cost == 0 {
		t.Errorf("the budget counts %d, want %d", spent, cost)
	}
}

// A stream may report its tokens before or after the chunk with the end.
func TestTheTokensOfAnUnusableStreamCountWhereverTheyAre(t *testing.T) {
	t.Parallel()
	last := talliedAnswer{status: 200, in: 9, out: 3, chunks: []string{chunkOf("Yes.", "STOP", 9, 3)}}
	const usage = `{"usageMetadata":{"promptTokenCount":70,"candidatesTokenCount":5,` +
		`"totalTokenCount":75},"modelVersion":"gemini-3.6-flash"}`
	for where, chunks := range map[string][]string{
		"before":         {chunkOf("", "", 70, 5), chunkOf("", "STOP", 0, 0)},
		"after":          {chunkOf("", "STOP", 0, 0), usage},
		"after the call": {chunkOf("", "MALFORMED_FUNCTION_CALL", 0, 0), usage},
	} {
		for form, request := range generationPaths {
			if !strings.Contains(form, "events") && !strings.Contains(form, "array") &&
				form != "chat stream" {
				continue
			}
			t.Run(where+", "+form, func(t *testing.T) {
				t.Parallel()
				wantCounted(t, &tallied{answers: []talliedAnswer{
					{status: 200, in: 70, out: 5, chunks: chunks}, last}}, request)
			})
		}
	}
}

// Each round of code execution but the last may end with STOP in a stream.
func TestAStreamThatContinuesAfterAnEmptyEndIsNotUnusable(t *testing.T) {
	t.Parallel()
	for form, request := range generationPaths {
		if !strings.Contains(form, "events") && !strings.Contains(form, "array") &&
			form != "chat stream" {
			continue
		}
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			wantCounted(t, &tallied{answers: []talliedAnswer{{status: 200, in: 9, out: 4,
				chunks: []string{chunkOf("", "STOP", 9, 1), chunkOf("Yes.", "STOP", 9, 4)}}}}, request)
		})
	}
}

func TestAnErrorAfterAnUnusableStreamHasItsOwnHeaders(t *testing.T) {
	t.Parallel()
	u := &tallied{answers: []talliedAnswer{
		{status: 200, in: 7, chunks: []string{chunkOf("", "STOP", 7, 0)}}, {status: 503}}}
	d := &diary{}
	handler := newGateway(t, gateway.WithUpstream(gateway.Upstream{Service: gateway.GeminiAPI,
		Accounts: accounts("one"), HTTPClient: u}), gateway.WithMaxAttempts(1), gateway.WithObserver(d))
	answer := post(handler, nativeSSE, nativeHello)
	if kind := answer.Header().Get("Content-Type"); answer.Code != http.StatusServiceUnavailable ||
		!strings.HasPrefix(kind, "application/json") {
		t.Errorf("HTTP %d, %v: %s", answer.Code, answer.Header(), answer.Body)
	}
	if got := d.last().end.Usage; got.TotalTokens != 7 {
		t.Errorf("%+v", got)
	}
}

// The second answer is cut off before it reports its tokens.
func TestAnEstimateIsAddedToEarlierAnswers(t *testing.T) {
	t.Parallel()
	for _, path := range []string{nativeSSE, nativeArray} {
		d, calls := &diary{}, 0
		handler := newGateway(t, answeredBy(func(r *http.Request) (*http.Response, error) {
			calls++
			if calls == 1 {
				return chunksFor(r, chunkOf("", "STOP", 70, 5)), nil
			}
			reply := chunksFor(r, chunkOf(strings.Repeat("word ", 80), "", 0, 0))
			whole, _ := io.ReadAll(reply.Body)
			reply.Body = io.NopCloser(io.MultiReader(bytes.NewReader(bytes.TrimSuffix(whole, []byte("]"))),
				iotest.ErrReader(io.ErrUnexpectedEOF)))
			return reply, nil
		}), gateway.WithObserver(d))
		func() {
			defer func() { _ = recover() }() // the connection is cut
			post(handler, path, nativeHello)
		}()
		want := 75 + len(nativeHello)/4 + 100
		if end := d.last().end; end.Usage.TotalTokens != want || !end.UsageEstimated {
			t.Errorf("%s: %+v, want %d", path, end.Usage, want)
		}
	}
}

// The connection breaks after a chunk that shows nothing and has tokens.
func TestTheTokensOfAnAttemptThatBreaksCount(t *testing.T) {
	for form, request := range generationPaths {
		if !strings.Contains(form, "events") && !strings.Contains(form, "array") &&
			form != "chat stream" {
			continue
		}
		t.Run(form, func(t *testing.T) {
			inTime(t, func(t *testing.T) {
				d, calls := &diary{}, 0
				handler := newGateway(t, answeredBy(func(r *http.Request) (*http.Response, error) {
					if calls++; calls == 2 {
						return chunksFor(r, chunkOf("Yes.", "STOP", 9, 3)), nil
					}
					reply := chunksFor(r, chunkOf("", "", 70, 0), "")
					reply.Body = io.NopCloser(io.MultiReader(reply.Body,
						iotest.ErrReader(io.ErrUnexpectedEOF)))
					return reply, nil
				}), gateway.WithObserver(d))
				answer := post(handler, request[0], request[1])
				if got := d.last().end.Usage; answer.Code != http.StatusOK || got.TotalTokens != 82 {
					t.Errorf("HTTP %d after %d calls, %+v: %s", answer.Code, calls, got, answer.Body)
				}
			})
		})
	}
}
