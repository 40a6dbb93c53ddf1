package gateway_test

import (
	"fmt"
	"io"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/test/descriptiontest"
	"github.com/gemwire/gemwire/server/gateway"
)

// keyedUpstream answers by key and model, and records the calls.
type keyedUpstream struct {
	mu     sync.Mutex
	asked  []string                 // "key model"
	answer map[string]cannedAnswer  // by "key model", then by key, then by "model"; else an answer
	delay  map[string]time.Duration // by key
}

type cannedAnswer struct {
	status int
	body   string
}

func (u *keyedUpstream) Do(r *http.Request) (*http.Response, error) {
	key := r.Header.Get("X-Goog-Api-Key")
	model, _, _ := strings.Cut(path.Base(r.URL.Path), ":")
	canned := cannedAnswer{200,
		`{"candidates":[{"content":{"role":"model","parts":[{"text":"by ` + key +
			`"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2}}`}
	u.mu.Lock()
	u.asked = append(u.asked, key+" "+model)
	for _, name := range []string{key + " " + model, key, model} {
		if own, ok := u.answer[name]; ok {
			canned = own
			break
		}
	}
	delay := u.delay[key]
	u.mu.Unlock()
	time.Sleep(delay)
	body := canned.body
	if strings.Contains(r.URL.Path, "stream") && canned.status == 200 {
		body = "data: " + body + "\n\n"
	}
	return &http.Response{StatusCode: canned.status,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(
			strings.NewReader(body)), ContentLength: -1}, nil
}

func (u *keyedUpstream) set(name string, answer cannedAnswer) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.answer == nil {
		u.answer = map[string]cannedAnswer{}
	}
	u.answer[name] = answer
}

// wait delays a key's answer.
func (u *keyedUpstream) wait(key string, delay time.Duration) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.delay == nil {
		u.delay = map[string]time.Duration{}
	}
	u.delay[key] = delay
}

func (u *keyedUpstream) good(name string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.answer, name)
}

// take returns the calls since the previous take.
func (u *keyedUpstream) take() []string {
	u.mu.Lock()
	defer u.mu.Unlock()
	asked := u.asked
	u.asked = nil
	return asked
}

// The failures of keys, as Google answers them.
var (
	usedUp = cannedAnswer{429,
		`{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details.","status":"RESOURCE_EXHAUSTED"}}`}
	refusedKey = cannedAnswer{400,
		`{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]}}`}
	broken = cannedAnswer{503,
		`{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}`}
	absent = cannedAnswer{404,
		`{"error":{"code":404,"message":"models/x is not found","status":"NOT_FOUND"}}`}
	wrong = cannedAnswer{400,
		`{"error":{"code":400,"message":"Request contains an invalid argument.","status":"INVALID_ARGUMENT"}}`}
)

// usedUpFor is an exhausted quota for which the server gives a time.
func usedUpFor(quotaID string, seconds int) cannedAnswer {
	return cannedAnswer{429,
		fmt.Sprintf(`{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details.\n* Quota exceeded for metric: requests, limit: 20\nPlease retry.","status":"RESOURCE_EXHAUSTED","details":[
		{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":%q}]},
		{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"%ds"}]}}`, quotaID, seconds)}
}

const (
	perMinute = "GenerateRequestsPerMinutePerProjectPerModel-FreeTier"
	perDay    = "GenerateRequestsPerDayPerProjectPerModel-FreeTier"
)

// accounts returns accounts of projects with one key each, for example the key "a" of the project
// "one".
func accounts(projects ...string) (out []gateway.Account) {
	for i, project := range projects {
		out = append(out, gateway.KeyAccount(project, "key-"+string(rune('a'+i))))
	}
	return out
}

func keyedGateway(t testing.TB, u *keyedUpstream, projects []string,
	opts ...gateway.Option) *gateway.Handler {
	t.Helper()
	return newGateway(t, append([]gateway.Option{gateway.WithUpstream(gateway.Upstream{
		Service: gateway.GeminiAPI, Accounts: accounts(projects...), HTTPClient: u,
	})}, opts...)...)
}

func wantAsked(t testing.TB, u *keyedUpstream, what string, want ...string) {
	t.Helper()
	if got := u.take(); !slices.Equal(got, want) {
		t.Errorf("%s: asked %q, expected %q", what, got, want)
	}
}

const flash = " gemini-2.5-flash"

// inTime runs a test in a bubble, in which waiting takes no real time.
func inTime(t *testing.T, test func(*testing.T)) {
	t.Parallel()
	synctest.Test(t, test)
}

// Quota is the project's, not the key's.
func TestKeysOfOneProjectRestTogether(t *testing.T) {
	inTime(t, func(t *testing.T) {
		u := &keyedUpstream{}
		handler := keyedGateway(t, u, []string{"one", "one", "two"})
		u.set("key-a", usedUpFor(perMinute, 20))
		u.set("key-b", usedUpFor(perMinute, 20))
		completionOf(t, post(handler, chatPath, hello))
		wantAsked(t, u, "the quota of one is used up", "key-a"+flash, "key-c"+flash)
		chunksOf(t, post(handler, chatPath, streamed(hello)).Body.Bytes())
		wantAsked(t, u, "while one rests", "key-c"+flash)
		time.Sleep(21 * time.Second)
		u.good("key-a")
		u.set("key-c", usedUpFor(perMinute, 20))
		completionOf(t, post(handler, chatPath, hello))
		wantAsked(t, u, "after the rest", "key-c"+flash, "key-a"+flash)
	})
}

// Some clients, such as LangChain, act by the words of a message. They stop permanently at
// "billing".
func TestMessageOfAQuotaOfAMinuteIsNotThatOfOneUsedUp(t *testing.T) {
	inTime(t, func(t *testing.T) {
		u := &keyedUpstream{}
		handler := keyedGateway(t, u, []string{"one"})
		u.set("key-a", usedUpFor(perMinute, 20))
		const want = "Gemini's rate limit is reached; metric: requests, limit: 20; try again in 20s"
		for _, body := range []string{hello, hello} { // the second of which Gemini is not asked
			if e := errorOf(t, post(handler, chatPath, body), 429); e.Message != want {
				t.Errorf("the message is %q", e.Message)
			}
		}
	})
}

// A quota per minute whose message is about billing is still a quota per minute. While it is paused
// no call is made.
func TestQuotaOfAMinuteIsTakenAtItsWord(t *testing.T) {
	inTime(t, func(t *testing.T) {
		u := &keyedUpstream{}
		handler := keyedGateway(t, u, []string{"one"})
		u.set("key-a", usedUpFor(perMinute, 20))
		for wait := 20; wait > 0; wait -= 5 {
			answer := post(handler, chatPath, hello)
			if e := errorOf(t, answer, 429); jsonx.Deref(e.Code) != "rate_limit_exceeded" ||
				answer.Header().Get("Retry-After") != strconv.Itoa(wait) {
				t.Errorf("%d s before the end: %+v, Retry-After %q", wait, e,
					answer.Header().Get("Retry-After"))
			}
			time.Sleep(5 * time.Second)
		}
		wantAsked(t, u, "in the rest", "key-a"+flash)
		u.good("key-a")
		completionOf(t, post(handler, chatPath, hello))
		completionOf(t, post(handler, chatPath, hello))
		wantAsked(t, u, "after it", "key-a"+flash, "key-a"+flash)
	})
}

// An exhausted daily quota comes with a hint of seconds. A client that obeys it retries forever.
func TestQuotaOfADayIsFinal(t *testing.T) {
	inTime(t, func(t *testing.T) {
		u := &keyedUpstream{}
		handler := keyedGateway(t, u, []string{"one"})
		u.set("key-a gemini-2.5-flash", usedUpFor(perDay, 7))
		for range 5 {
			answer := post(handler, chatPath, hello)
			e := errorOf(t, answer, 429)
			if jsonx.Deref(e.Code) != "insufficient_quota" || e.Type != "insufficient_quota" ||
				answer.Header().Get("X-Should-Retry") != "false" ||
				answer.Header().Get("Retry-After") != "" {
				t.Errorf("answered %+v, %v", e, answer.Header())
			}
			time.Sleep(10 * time.Second)
		}
		wantAsked(t, u, "within the hour", "key-a"+flash)
		completionOf(t, post(handler, chatPath, helloPro))
		wantAsked(t, u, "another model", "key-a gemini-2.5-pro")
		time.Sleep(time.Hour)
		errorOf(t, post(handler, chatPath, hello), 429)
		wantAsked(t, u, "after the hour", "key-a"+flash)
	})
}

// Without a time from the server the pause is a guess, so the only account is still called.
func TestRefusalWithoutAHintPausesAnAccountOnlyIfThereAreOthers(t *testing.T) {
	inTime(t, func(t *testing.T) {
		u := &keyedUpstream{}
		alone := keyedGateway(t, u, []string{"one"})
		u.set("key-a", usedUp)
		errorOf(t, post(alone, chatPath, hello), 429)
		errorOf(t, post(alone, chatPath, hello), 429)
		wantAsked(t, u, "alone", "key-a"+flash, "key-a"+flash)

		both := keyedGateway(t, u, []string{"one", "two"})
		completionOf(t, post(both, chatPath, hello))
		completionOf(t, post(both, chatPath, hello))
		wantAsked(t, u, "of two", "key-a"+flash, "key-b"+flash, "key-b"+flash)
	})
}

// A bad key is paused for some time. Requests with other keys still succeed.
func TestRefusedKeyIsLeftAlone(t *testing.T) {
	inTime(t, func(t *testing.T) {
		u := &keyedUpstream{}
		handler := keyedGateway(t, u, []string{"one", "one"})
		u.set("key-a", refusedKey)
		completionOf(t, post(handler, chatPath, hello))
		wantAsked(t, u, "a refused", "key-a"+flash, "key-b"+flash)
		u.set("key-b", refusedKey)
		errorOf(t, post(handler, chatPath, hello), 403)
		errorOf(t, post(handler, chatPath, hello), 403)
		wantAsked(t, u, "b refused too", "key-b"+flash)
		u.good("key-a")
		time.Sleep(61 * time.Second)
		completionOf(t, post(handler, chatPath, hello))
		completionOf(t, post(handler, chatPath, hello))
		wantAsked(t, u, "after a minute", "key-b"+flash, "key-a"+flash, "key-a"+flash)
	})
}

// A method that accepts only tokens refuses every key. The client chooses the method.
func TestAMethodWithoutKeysTakesNoAccountFromOthers(t *testing.T) {
	inTime(t, func(t *testing.T) {
		u := &keyedUpstream{}
		handler := keyedGateway(t, u, []string{"one"})
		u.set("gemini-2.5-pro",
			cannedAnswer{401,
				`{"error":{"code":401,"message":"API keys are not supported by this API.","status":"UNAUTHENTICATED","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"CREDENTIALS_MISSING"}]}}`})
		if answer := post(handler, "/v1beta/models/gemini-2.5-pro:transferOwnership",
			"{}"); answer.Code != 403 {
			t.Errorf("HTTP %d: %s", answer.Code, answer.Body)
		}
		completionOf(t, post(handler, chatPath, hello))
	})
}

// A chain that begins again made 75 calls in 14 s.
func TestChainOfFallbacksIsPassedOnce(t *testing.T) {
	inTime(t, func(t *testing.T) {
		u := &keyedUpstream{}
		handler := keyedGateway(t, u, []string{"one", "two"},
			gateway.WithFallbacks(map[string][]string{"gemini-2.5-flash": {"gemini-2.5-pro",
				"gemini-2.0-flash"}, "gemini-2.0-flash": {"gemini-2.5-flash"}}))
		u.set("gemini-2.5-flash", broken)
		u.set("gemini-2.5-pro", usedUpFor(perMinute, 9))
		u.set("gemini-2.0-flash", absent)
		for _, body := range []string{hello, streamed(hello)} {
			errorOf(t, post(handler, chatPath, body), 503)
			wantAsked(t, u, "all fail", "key-a"+flash, "key-a"+flash, "key-a gemini-2.5-pro",
				"key-b gemini-2.5-pro", "key-a gemini-2.0-flash")
			time.Sleep(10 * time.Second)
		}
		u.good("gemini-2.5-pro")
		answer := post(handler, chatPath, hello)
		if completion := completionOf(t, answer); completion.Model != "gemini-2.5-flash" ||
			answer.Header().Get("X-Gemwire-Model") != "gemini-2.5-pro" {
			t.Errorf("answered by %q as %q", answer.Header().Get("X-Gemwire-Model"),
				completion.Model)
		}
		u.take()
		u.set("gemini-2.5-flash", wrong)
		errorOf(t, post(handler, chatPath, hello), 400)
		wantAsked(t, u, "the request is wrong", "key-a"+flash)
	})
}

// If the gateway and the client both retry often, one request becomes 16 calls.
func TestServerThatFailsIsAskedTwice(t *testing.T) {
	inTime(t, func(t *testing.T) {
		u := &keyedUpstream{}
		u.set("gemini-2.5-flash", broken)
		errorOf(t, post(keyedGateway(t, u, []string{"one", "two"}), chatPath, hello), 503)
		wantAsked(t, u, "by default", "key-a"+flash, "key-a"+flash)
		errorOf(t, post(keyedGateway(t, u, []string{"one"}, gateway.WithMaxAttempts(1)), chatPath,
			hello), 503)
		wantAsked(t, u, "once", "key-a"+flash)
	})
}

// After a chunk was sent, another model cannot continue the stream.
func TestNothingIsRetriedAfterTheFirstChunk(t *testing.T) {
	inTime(t, func(t *testing.T) {
		u := &keyedUpstream{}
		u.set("gemini-2.5-flash",
			cannedAnswer{200,
				`{"candidates":[{"content":{"role":"model","parts":[{"text":"some"}]}}]}` + "\n\n" +
					`data: {"error":{"code":503,"message":"overloaded","status":"UNAVAILABLE"}}`})
		handler := keyedGateway(t, u, []string{"one", "two"},
			gateway.WithFallbacks(map[string][]string{"gemini-2.5-flash": {"gemini-2.5-pro"}}))
		answer := post(handler, chatPath, streamed(hello))
		events := descriptiontest.OpenAIStream(t, answer.Body.Bytes())
		if last := events[len(events)-1]; !strings.HasPrefix(last, `{"error"`) ||
			answer.Code != 200 {
			t.Errorf("HTTP %d: %s", answer.Code, answer.Body)
		}
		wantAsked(t, u, "an error in the stream", "key-a"+flash)
	})
}

// While one request tests whether a quota is available again, the others use other accounts.
func TestRestThatIsOverIsProbedByOneRequest(t *testing.T) {
	inTime(t, func(t *testing.T) {
		u := &keyedUpstream{}
		handler := keyedGateway(t, u, []string{"one", "two"})
		u.set("key-a", usedUpFor(perMinute, 5))
		completionOf(t, post(handler, chatPath, hello))
		u.set("key-b", usedUpFor(perMinute, 60))
		errorOf(t, post(handler, chatPath, hello), 429)
		u.good("key-b")
		u.take()
		time.Sleep(61 * time.Second)
		u.wait("key-b", time.Second)
		u.wait("key-a", 3*time.Second)
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() { completionOf(t, post(handler, chatPath, hello)) })
			time.Sleep(10 * time.Millisecond)
		}
		group.Wait()
		asked := u.take()
		slices.Sort(asked)
		if count := strings.Count(strings.Join(asked, ","), "key-a"); count != 1 {
			t.Errorf("asked %q", asked)
		}
	})
}

// A pause belongs to the project, or to the key if no project is named. It survives a reload, also
// if the accounts are in another order.
func TestQuotasRestOverAReload(t *testing.T) {
	inTime(t, func(t *testing.T) {
		u := &keyedUpstream{}
		options := func(accounts ...gateway.Account) []gateway.Option {
			return []gateway.Option{gateway.WithAllowedHosts("example.com"),
				gateway.WithUpstream(gateway.Upstream{
					Service: gateway.GeminiAPI, Accounts: accounts, HTTPClient: u,
				})}
		}
		named, unnamed := gateway.KeyAccount("one", "key-a"), gateway.KeyAccount("", "key-b")
		handler := newGateway(t, options(named, unnamed)...)
		u.set("key-a", usedUpFor(perDay, 7))
		u.set("key-b", usedUpFor(perMinute, 20))
		errorOf(t, post(handler, chatPath, hello), 429)
		wantAsked(t, u, "both are used up", "key-a"+flash, "key-b"+flash)
		reload := func(accounts ...gateway.Account) {
			t.Helper()
			if err := handler.Reload(options(accounts...)...); err != nil {
				t.Fatal(err)
			}
		}
		reload(unnamed, gateway.KeyAccount("one", "new-key-of-one"))
		errorOf(t, post(handler, chatPath, hello), 429)
		wantAsked(t, u, "after a reload")
		reload(unnamed, named, gateway.KeyAccount("two", "key-c"))
		completionOf(t, post(handler, chatPath, hello))
		wantAsked(t, u, "with one more", "key-c"+flash)
		u.good("key-b")
		time.Sleep(21 * time.Second)
		reload(unnamed, named)
		completionOf(t, post(handler, chatPath, hello))
		wantAsked(t, u, "after the rest", "key-b"+flash)
	})
}

// Before a reload the operator may have fixed the key at Google. A server at another address has
// other quotas.
func TestAReloadTriesARefusedKeyAndAnotherServer(t *testing.T) {
	inTime(t, func(t *testing.T) {
		u := &keyedUpstream{}
		options := func(service gateway.Service, address string) []gateway.Option {
			return []gateway.Option{gateway.WithAllowedHosts("example.com"),
				gateway.WithUpstream(gateway.Upstream{
					Service: service, Accounts: accounts("one"), HTTPClient: u,
					BaseURL: address,
				})}
		}
		handler := newGateway(t, options(gateway.GeminiAPI, "https://one.example")...)
		for _, tt := range []struct {
			service gateway.Service
			next    string
			answer  cannedAnswer
		}{
			{gateway.GeminiAPI, "https://one.example", refusedKey},
			{gateway.GeminiAPI, "https://two.example", usedUpFor(perDay, 7)},
			{gateway.VertexAIExpress, "https://two.example", usedUpFor(perDay, 7)},
		} {
			u.set("key-a", tt.answer)
			post(handler, chatPath, hello)
			u.good("key-a")
			u.take()
			if err := handler.Reload(options(tt.service, tt.next)...); err != nil {
				t.Fatal(err)
			}
			completionOf(t, post(handler, chatPath, hello))
			wantAsked(t, u, tt.next, "key-a"+flash)
		}
	})
}

func TestCallersKeyIsThatOfTheCaller(t *testing.T) {
	inTime(t, func(t *testing.T) {
		u := &keyedUpstream{}
		handler := newGateway(t, gateway.WithCallersKey(),
			gateway.WithUpstream(gateway.Upstream{Service: gateway.GeminiAPI, HTTPClient: u}))
		completionOf(t, post(handler, chatPath, hello, "Authorization", "Bearer mine"))
		completionOf(t, post(handler, chatPath, hello, "X-Goog-Api-Key", "other"))
		wantAsked(t, u, "two callers", "mine"+flash, "other"+flash)
		u.set("mine", refusedKey)
		if e := errorOf(t, post(handler, chatPath, hello, "Authorization", "Bearer mine"),
			401); jsonx.Deref(e.Code) != "invalid_api_key" {
			t.Errorf("answered %+v", e)
		}
		u.take()
		if e := errorOf(t, post(handler, chatPath, hello),
			401); jsonx.Deref(e.Code) != "invalid_api_key" {
			t.Errorf("answered %+v", e)
		}
		wantAsked(t, u, "no key")
	})
}
