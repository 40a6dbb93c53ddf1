package gateway_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/quota"
	"github.com/gemwire/gemwire/server/ratecard"
)

// spend is a request that costs money, in the words of one form.
type spend struct{ path, body, over string }

const nativeGreeting = `{"contents":[{"role":"user","parts":[{"text":"hello"}]}]}`

// spends are the ways to spend money, and parts of the error of a used-up budget.
var spends = map[string]spend{
	"chat_completions": {chatPath, hello,
		`"type":"insufficient_quota","param":null,"code":"insufficient_quota"`},
	"a stream": {chatPath, strings.Replace(hello, `{`, `{"stream":true,`, 1),
		`"code":"insufficient_quota"`},
	"responses": {responsesPath, `{"model":"gemini-2.5-flash","input":"hello"}`,
		`"code":"insufficient_quota"`},
	"messages": {messagesPath, `{"model":"gemini-2.5-flash","max_tokens":100,` +
		`"messages":[{"role":"user","content":"hello"}]}`, `"type":"error"`},
	"native": {nativePath, nativeGreeting, `"status":"RESOURCE_EXHAUSTED"`},
	"a native stream": {"/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse",
		nativeGreeting, `"status":"RESOURCE_EXHAUSTED"`},
	"interactions": {"/v1beta/interactions", `{"model":"gemini-2.5-flash","input":"hello"}`,
		`quota`},
}

// asAlice sends a request with alice's key.
func (s spend) asAlice(handler http.Handler) (status int, body string, header http.Header) {
	answer := post(handler, s.path, s.body, "Authorization", "Bearer key-of-alice")
	return answer.Code, answer.Body.String(), answer.Header()
}

func TestABudgetStopsEveryWayToSpendMoney(t *testing.T) {
	t.Parallel()
	for name, s := range spends {
		for what, budget := range map[string]string{
			"tokens": `"tokens":3`,
			// an answer costs 0.0000028 USD
			"money": `"amount":"0.000005"`,
		} {
			t.Run(name+" by "+what, func(t *testing.T) {
				t.Parallel()
				u := &keyedUpstream{}
				handler := keyedGateway(t, u, []string{"one"}, gateway.WithRateCard(ratecard.Google()),
					gateway.WithClientKeys(keysOf(t, `alice,"budget":{`+budget+`,"period":"month"}`)))
				for i := range 2 {
					if status, body, _ := s.asAlice(handler); status != http.StatusOK {
						t.Fatalf("request %d: HTTP %d: %s", i, status, body)
					}
				}
				status, body, header := s.asAlice(handler)
				if status != http.StatusTooManyRequests || !strings.Contains(body, s.over) ||
					!strings.Contains(body, "it resets at 20") {
					t.Errorf("HTTP %d: %s", status, body)
				}
				if header.Get("X-Should-Retry") != "false" || header.Get("Retry-After") != "" ||
					header.Get("X-Gemwire-Budget-Reset") == "" {
					t.Errorf("headers: %v", header)
				}
				if calls := len(u.take()); calls != 2 {
					t.Errorf("%d calls; expected 2", calls)
				}
			})
		}
	}
}

func TestCountingTokensAndOtherKeysAreFreeOfABudget(t *testing.T) {
	t.Parallel()
	handler := keyedGateway(t, &keyedUpstream{}, []string{"one"},
		gateway.WithRateCard(ratecard.Google()), gateway.WithClientKeys(keysOf(t,
			`alice,"budget":{"amount":0,"period":"day"}`, `bob`)))
	for path, body := range map[string]string{
		countPath: spends["messages"].body,
		"/v1beta/models/gemini-2.5-flash:countTokens": nativeGreeting,
	} {
		if status, body, _ := (spend{path, body, ""}).asAlice(handler); status != http.StatusOK {
			t.Errorf("%s: HTTP %d: %s", path, status, body)
		}
	}
	if answer := post(handler, chatPath, hello, "Authorization", "Bearer key-of-bob"); answer.Code !=
		http.StatusOK {
		t.Errorf("bob: HTTP %d: %s", answer.Code, answer.Body)
	}
}

func TestABudgetOfAllKeysCountsTheRequestsOfAll(t *testing.T) {
	t.Parallel()
	handler := keyedGateway(t, &keyedUpstream{}, []string{"one"},
		gateway.WithClientKeys(keysOf(t, `alice`, `bob`)),
		gateway.WithBudgets(quota.Budget{Tokens: 3, Period: quota.Total}))
	for _, name := range []string{"alice", "bob"} {
		if answer := post(handler, chatPath, hello, "Authorization", "Bearer key-of-"+name); answer.Code !=
			http.StatusOK {
			t.Errorf("%s: HTTP %d: %s", name, answer.Code, answer.Body)
		}
	}
	status, body, _ := spends["chat_completions"].asAlice(handler)
	if want := "the budget of all keys, 3 tokens in total, is used up; it does not reset"; status !=
		http.StatusTooManyRequests || !strings.Contains(body, want) {
		t.Errorf("HTTP %d: %s; want %q", status, body, want)
	}
}

func TestWhatHasNoPriceIsRefusedOrPermitted(t *testing.T) {
	t.Parallel()
	keys := keysOf(t, `alice,"budget":{"amount":5,"period":"day"}`, `bob`)
	opts := []gateway.Option{gateway.WithRateCard(ratecard.Google()), gateway.WithClientKeys(keys)}
	refusing := keyedGateway(t, &keyedUpstream{}, []string{"one"}, opts...)
	permitting := keyedGateway(t, &keyedUpstream{}, []string{"one"},
		append(opts, gateway.WithUnpriced())...)
	for name, s := range map[string]spend{
		"a model":      {chatPath, strings.Replace(hello, "2.5-flash", "9-mystery", 1), ""},
		"native model": {"/v1beta/models/gemini-9-mystery:generateContent", nativeGreeting, ""},
		"a batch":      {"/v1beta/models/gemini-2.5-flash:batchGenerateContent", `{}`, ""},
		"a cache":      {"/v1beta/cachedContents", `{}`, ""},
	} {
		if status, body, _ := s.asAlice(refusing); status != http.StatusForbidden ||
			!strings.Contains(body, "(unpriced: refuse)") {
			t.Errorf("%s is refused with HTTP %d: %s", name, status, body)
		}
		if status, body, _ := s.asAlice(permitting); status != http.StatusOK {
			t.Errorf("%s is permitted with HTTP %d: %s", name, status, body)
		}
		if answer := post(refusing, s.path, s.body, "Authorization",
			"Bearer key-of-bob"); answer.Code != http.StatusOK {
			t.Errorf("%s of a key without a budget: HTTP %d: %s", name, answer.Code, answer.Body)
		}
	}
}

// A model without a price is no fallback, or it would be a way past the budget.
func TestAFallbackWithoutAPriceIsRefusedOrPermitted(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"chat_completions", "a stream", "responses", "messages", "native",
		"a native stream", "interactions"} {
		for _, permits := range []bool{false, true} {
			u := &keyedUpstream{}
			u.set("gemini-2.5-flash", cannedAnswer{status: http.StatusServiceUnavailable,
				body: `{"error":{"code":503,"message":"busy","status":"UNAVAILABLE"}}`})
			opts := []gateway.Option{gateway.WithRateCard(ratecard.Google()),
				gateway.WithMaxAttempts(1), gateway.WithFallbacks(map[string][]string{
					"gemini-2.5-flash": {"gemini-9-mystery"}}),
				gateway.WithClientKeys(keysOf(t, `alice,"budget":{"amount":5,"period":"day"}`))}
			if permits {
				opts = append(opts, gateway.WithUnpriced())
			}
			status, body, _ := spends[name].asAlice(keyedGateway(t, u, []string{"one"}, opts...))
			if isAnswered := status == http.StatusOK; isAnswered != permits {
				t.Errorf("%s, permitted %v: HTTP %d: %s", name, permits, status, body)
			}
			calls := u.take()
			if (len(calls) == 2) != permits {
				t.Errorf("%s, permitted %v: %q", name, permits, calls)
			}
		}
	}
}

func TestABudgetIsExceededByAtMostTheRequestsInFlight(t *testing.T) {
	t.Parallel()
	u := &heldUpstream{release: make(chan struct{})}
	handler := newGateway(t, gateway.WithUpstream(gateway.Upstream{Service: gateway.GeminiAPI,
		Accounts: accounts("one"), HTTPClient: u}), gateway.WithRateCard(ratecard.Google()),
		gateway.WithClientKeys(keysOf(t, `alice,"budget":{"amount":0.5,"period":"day"}`)))
	var all sync.WaitGroup
	statuses := make(chan int, 20)
	for range cap(statuses) {
		all.Go(func() { // each may cost 0.16 USD
			status, body, header := spends["chat_completions"].asAlice(handler)
			if status == http.StatusTooManyRequests &&
				(!strings.Contains(body, "requests in flight") || header.Get("Retry-After") != "1") {
				t.Errorf("%s, %v", body, header)
			}
			statuses <- status
		})
	}
	refused := 0
	for range cap(statuses) - 4 {
		if <-statuses == http.StatusTooManyRequests {
			refused++
		}
	}
	close(u.release)
	all.Wait()
	if refused != cap(statuses)-4 || u.calls != 4 {
		t.Errorf("%d are refused, %d calls; expected 4 calls", refused, u.calls)
	}
	if status, body, _ := spends["chat_completions"].asAlice(handler); status != http.StatusOK {
		t.Errorf("after they have ended: HTTP %d: %s", status, body)
	}
}

// heldUpstream answers when it is released.
type heldUpstream struct {
	mu      sync.Mutex
	calls   int
	release chan struct{}
}

func (u *heldUpstream) count() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.calls
}

func (u *heldUpstream) Do(r *http.Request) (*http.Response, error) {
	u.mu.Lock()
	u.calls++
	u.mu.Unlock()
	select {
	case <-u.release:
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	return (&keyedUpstream{}).Do(r)
}

func TestFromFourFifthsOfABudgetClientsAndTheLogAreWarned(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	handler := keyedGateway(t, &keyedUpstream{}, []string{"one"},
		gateway.WithLogger(slog.New(slog.NewTextHandler(&log, nil))),
		gateway.WithClientKeys(keysOf(t, `alice,"budget":{"tokens":10,"period":"day"}`)))
	for i := range 5 {
		status, body, header := spends["chat_completions"].asAlice(handler)
		warning := header.Get("X-Gemwire-Budget-Warning")
		if status != http.StatusOK || (warning != "") != (i == 4) {
			t.Errorf("request %d: HTTP %d, %q: %s", i, status, warning, body)
		}
		if want := "80 % of the budget of the key alice, 10 tokens per day, is used; it resets at "; i == 4 &&
			!strings.HasPrefix(warning, want) {
			t.Errorf("%q; want %q", warning, want)
		}
	}
	for range 3 {
		_, _, _ = spends["chat_completions"].asAlice(handler)
	}
	for _, want := range []string{"a budget is nearly used up", "a budget is used up"} {
		if n := strings.Count(log.String(), want); n != 1 {
			t.Errorf("%q is in the log %d times\n%s", want, n, log.String())
		}
	}
}

func TestARequestThatItsClientCancelsCountsWithItsInput(t *testing.T) {
	t.Parallel()
	u := &heldUpstream{release: make(chan struct{})}
	handler := newGateway(t, gateway.WithUpstream(gateway.Upstream{Service: gateway.GeminiAPI,
		Accounts: accounts("one"), HTTPClient: u}), gateway.WithRateCard(ratecard.Google()),
		gateway.WithClientKeys(keysOf(t, `alice,"budget":{"tokens":20,"period":"total"}`)))
	ended := make(chan struct{}, 2)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(w, r)
		ended <- struct{}{}
	}))
	t.Cleanup(server.Close)
	for number := range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+chatPath,
			strings.NewReader(hello))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer key-of-alice")
		answered := make(chan error, 1)
		go func() {
			reply, err := http.DefaultClient.Do(request)
			if err == nil {
				reply.Body.Close()
			}
			answered <- err
		}()
		for u.count() <= number && len(answered) == 0 {
			time.Sleep(time.Millisecond)
		}
		cancel()
		if err := <-answered; err == nil {
			t.Error("it is answered")
		}
		<-ended
	}
	close(u.release)
	if status, body, _ := spends["chat_completions"].asAlice(handler); status !=
		http.StatusTooManyRequests || !strings.Contains(body, "is used up") {
		t.Errorf("HTTP %d: %s", status, body)
	}
}

func TestABudgetNeedsPricesInItsCurrency(t *testing.T) {
	t.Parallel()
	_, err := gateway.New(gateway.WithRateCard(ratecard.Google()),
		gateway.WithClientKeys(keysOf(t, `alice,"budget":{"amount":5,"currency":"EUR","period":"day"}`)))
	if want := `the budget of the key alice is in EUR, but the rate card has prices in ["USD"]`; err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("%v; want %s", err, want)
	}
}

func TestAKeyHasALimitOfRequestsAtATime(t *testing.T) {
	t.Parallel()
	u := &heldUpstream{release: make(chan struct{})}
	handler := newGateway(t, gateway.WithUpstream(gateway.Upstream{Service: gateway.GeminiAPI,
		Accounts: accounts("one"), HTTPClient: u}),
		gateway.WithClientKeys(keysOf(t, `alice,"concurrent":2`)))
	var all sync.WaitGroup
	statuses := make(chan int, 5)
	for range cap(statuses) {
		all.Go(func() {
			status, body, _ := spends["native"].asAlice(handler)
			if status != http.StatusOK && !strings.Contains(body, "2 requests at a time") {
				t.Error(body)
			}
			statuses <- status
		})
	}
	got := ""
	for i := range cap(statuses) {
		if i == 3 {
			close(u.release)
		}
		got += fmt.Sprint(<-statuses, " ")
	}
	all.Wait()
	if got != "429 429 429 200 200 " {
		t.Error(got)
	}
}

// Requests that Google may bill, and whose answers the gateway cannot price. A list of what is free
// decides, so that what Google adds is not a way past a budget.
func TestABudgetPermitsOnlyChangesOfResourcesThatAreFree(t *testing.T) {
	t.Parallel()
	handler := keyedGateway(t, &keyedUpstream{}, []string{"one"},
		gateway.WithRateCard(ratecard.Google()), gateway.WithClientKeys(
			keysOf(t, `alice,"budget":{"amount":5,"period":"day"}`)))
	const vertex = "/v1beta1/projects/p/locations/global/"
	for request, isFree := range map[string]bool{
		"POST /v1beta/dynamic/x:generateContent":                  false,
		"POST /v1beta/dynamic/x:streamGenerateContent":            false,
		"POST " + vertex + "endpoints/openapi/chat/completions":   false,
		"POST /v1alpha/auth_tokens":                               false,
		"POST " + vertex + "reasoningEngines/1:query":             false,
		"POST " + vertex + "ragCorpora":                           false,
		"PATCH /v1beta/cachedContents/abc":                        false,
		"POST /v1beta/cachedContents":                             false,
		"POST /v1beta/fileSearchStores/s:uploadToFileSearchStore": false,
		"POST /v1beta/something/new":                              false,
		"POST /upload/v1beta/files":                               true,
		"POST /v1beta/fileSearchStores":                           true,
		"POST /v1beta/batches/b:cancel":                           true,
		"GET /v1beta/cachedContents":                              true,
		"GET /v1beta/models":                                      true,
	} {
		method, path, _ := strings.Cut(request, " ")
		answer := httptest.NewRecorder()
		r := httptest.NewRequest(method, path, strings.NewReader(`{}`))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Goog-Api-Key", "key-of-alice")
		handler.ServeHTTP(answer, r)
		if isRefused := strings.Contains(answer.Body.String(), "(unpriced: refuse)"); isRefused == isFree {
			t.Errorf("%s: HTTP %d: %s", request, answer.Code, answer.Body)
		}
	}
}
