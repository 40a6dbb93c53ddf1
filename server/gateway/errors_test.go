package gateway_test

import (
	"math"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
)

const hello = `{"model":"gemini-2.5-flash","messages":[{"role":"user","content":"hello"}]}`

// streamed turns a request for a chat completion into a request for a stream.
func streamed(body string) string { return strings.Replace(body, "{", `{"stream":true,`, 1) }

func TestErrorsOfARequestUseOpenAIsNames(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	for name, tc := range map[string]struct{ body, param, code, message string }{
		"no JSON":           {`{"model":`, "model", "", "ends too early"},
		"no object":         {`[]`, "", "", "object"},
		"nothing":           {``, "", "", ""},
		"wrong type":        {`{"model":"gemini-2.5-flash","messages":"hello"}`, "messages", "", "/messages"},
		"wrong type inside": {`{"model":"gemini-2.5-flash","messages":[{"role":"user","content":[{"type":"text","text":7}]}]}`, "messages[0].content[0].text", "", ""},
		"unknown member":    {`{"model":"gemini-2.5-flash","temprature":1,"messages":[{"role":"user","content":"x"}]}`, "temprature", "unknown_parameter", "/temprature"},
		"unknown with a slash": {`{"model":"gemini-2.5-flash","a/b":1,"messages":[{"role":"user","content":"x"}]}`,
			"a/b", "unknown_parameter",
			""},
		"messages misspelt": {`{"model":"gemini-2.5-flash","mesages":5}`, "mesages", "unknown_parameter", "did you mean messages?"},
		"model misspelt":    {`{"modle":"gemini-2.5-flash","messages":[{"role":"user","content":"x"}]}`, "modle", "unknown_parameter", "did you mean model?"},
		"nothing is near":   {`{"zzz":1}`, "zzz", "unknown_parameter", "/zzz: unknown parameter"},
		"no model":          {`{"messages":[{"role":"user","content":"x"}]}`, "model", "missing_required_parameter", "/model"},
		"an unknown role":   {`{"model":"gemini-2.5-flash","messages":[{"role":"narrator","content":"x"}]}`, "messages[0].role", "", "/messages/0/role: must be"},
		"no content":        {`{"model":"gemini-2.5-flash","messages":[{"role":"user","content":null}]}`, "messages[0].content", "", "/messages/0/content: must be set"},
		"an unknown mode":   {`{"model":"gemini-2.5-flash","messages":[{"role":"user","content":"x"}],"tool_choice":"bogus"}`, "tool_choice", "", "/tool_choice: must be"},
		"two faults":        {`{"model":"gemini-2.5-flash","temperature":9,"top_p":5,"messages":[{"role":"user","content":"x"}]}`, "temperature", "", "/top_p: 5 is"},
		"a nameless call": {`{"model":"gemini-2.5-flash","messages":[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"arguments":"{}"}}]}]}`,
			"messages[1].tool_calls[0].function.name", "", "must be set"},
		"a nameless custom call": {`{"model":"gemini-2.5-flash","messages":[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"id":"c1","type":"custom","custom":{"input":""}}]}]}`,
			"messages[1].tool_calls[0].custom.name", "", "must be set"},
		"a nameless old call": {`{"model":"gemini-2.5-flash","messages":[{"role":"user","content":"x"},{"role":"assistant","function_call":{"arguments":"{}"}}]}`,
			"messages[1].function_call.name", "", "must be set"},
		"no messages":      {`{"model":"gemini-2.5-flash","messages":[]}`, "messages", "", ""},
		"a result missing": {`{"model":"gemini-2.5-flash","messages":[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"user","content":"y"}]}`, "messages[1]", "", "c1"},
	} {
		for _, body := range []string{tc.body, streamed(tc.body)} {
			e := errorOf(t, post(handler, chatPath, body), http.StatusBadRequest)
			if jsonx.Deref(e.Param) != tc.param || jsonx.Deref(e.Code) != tc.code ||
				e.Type != "invalid_request_error" || !strings.Contains(e.Message, tc.message) ||
				e.Message == "" {
				t.Errorf("%s: %s: param %q, code %q, %+v", name, body, jsonx.Deref(e.Param),
					jsonx.Deref(e.Code), e)
			}
		}
	}
}

func TestTheNearestNameOfEveryMemberIsFound(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	for path, request := range map[string]reflect.Type{
		chatPath:       reflect.TypeFor[openaiapi.CreateChatCompletionRequest](),
		embeddingsPath: reflect.TypeFor[openaiapi.CreateEmbeddingRequest](),
	} {
		for field := range request.Fields() {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if len(name) < 2 { // of which any other letter is as near
				continue
			}
			e := errorOf(t, post(handler, path, `{"`+name+`_":1}`), http.StatusBadRequest)
			if jsonx.Deref(e.Param) != name+"_" ||
				!strings.HasSuffix(e.Message, "; did you mean "+name+"?") {
				t.Errorf("%s: %+v", path, e)
			}
		}
	}
}

func TestMembersOfOtherServersAreNoMistake(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	for _, member := range []string{
		`"reasoning":"low"`, `"thinking":"on"`, `"usage":{"include":true}`, `"safety_settings":[]`,
		`"metadata":{"a":"b"}`, `"unknown":null`,
	} {
		completionOf(t, post(handler, chatPath, strings.Replace(hello, "{", "{"+member+",", 1)))
	}
}

func TestFailuresOfGeminiHaveOpenAIsStatusTypeAndCode(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		fault              geminitest.Block
		status             int
		typ, code, message string
		headers            map[string]string
	}{
		"quota of a minute": {geminitest.RateLimited(7500 * time.Millisecond), 429, "rate_limit_error", "rate_limit_exceeded", "Gemini's rate limit is reached; try again in 7.5s", map[string]string{"Retry-After": "8", "Retry-After-Ms": "7500", "X-Should-Retry": ""}},
		"long wait":         {geminitest.RateLimited(2 * time.Minute), 429, "rate_limit_error", "rate_limit_exceeded", "rate limit", map[string]string{"Retry-After": "120", "X-Should-Retry": "false"}},
		"quota of a day":    {geminitest.DailyQuota(7 * time.Second), 429, "insufficient_quota", "insufficient_quota", "quota", map[string]string{"Retry-After": "", "X-Should-Retry": "false"}},
		"too long": {geminitest.Error(400, "INVALID_ARGUMENT",
			"The input token count (1048577) exceeds the maximum number of tokens allowed (1048576)."),
			400, "invalid_request_error", "context_length_exceeded", "1048577", nil},
		"about a count": {geminitest.Error(400, "INVALID_ARGUMENT",
			"The token count of the cache is not a number."),
			400, "invalid_request_error", "", "not a number", nil},
		"unknown model":   {geminitest.NotFound(), 404, "invalid_request_error", "model_not_found", "", nil},
		"key is wrong":    {geminitest.InvalidKey(), 403, "invalid_request_error", "upstream_key_refused", "this gateway's key", map[string]string{"X-Should-Retry": "false"}},
		"unauthenticated": {geminitest.Unauthenticated(), 403, "invalid_request_error", "upstream_key_refused", "", nil},
		"endless wait":    {geminitest.RateLimited(math.MaxInt64), 429, "rate_limit_error", "rate_limit_exceeded", "rate limit", map[string]string{"Retry-After": "86400", "X-Should-Retry": "false"}},
		"odd wait":        {geminitest.RateLimited(7355314681), 429, "rate_limit_error", "rate_limit_exceeded", "try again in 7.4s", map[string]string{"Retry-After": "8", "Retry-After-Ms": "7355"}},
		"not implemented": {geminitest.Error(501, "UNIMPLEMENTED", "Operation is not implemented."), 400, "invalid_request_error", "not_implemented", "not implemented", map[string]string{"X-Should-Retry": "false"}},
		"too much":        {geminitest.Error(413, "INVALID_ARGUMENT", "Request payload size exceeds the limit."), 413, "invalid_request_error", "", "payload", nil},
		"unprocessable":   {geminitest.Error(422, "UNKNOWN", "No."), 422, "invalid_request_error", "", "No.", nil},
		"internal":        {geminitest.InternalError(), 500, "server_error", "server_error", "", nil},
		"unavailable":     {geminitest.Unavailable(), 503, "server_error", "server_error", "", nil},
		"too slow":        {geminitest.DeadlineExceeded(), 504, "server_error", "timeout", "", nil},
		"a page":          {geminitest.HTMLPage(502), 502, "server_error", "server_error", "", nil},
		"a page as 200":   {geminitest.HTMLPage(200), 502, "server_error", "", "", nil},
		"nothing":         {geminitest.EmptyBody(200), 502, "server_error", "upstream_unreachable", "", nil},
		"cut off":         {geminitest.Reset(), 502, "server_error", "upstream_unreachable", "", nil},
	} {
		for _, body := range []string{hello, streamed(hello)} {
			synctest.Test(t, func(t *testing.T) {
				server := geminitest.NewServer(t,
					geminitest.WithScript(geminitest.On().Reply(tc.fault).Times(10)))
				answer := post(gatewayOf(t, server), chatPath, body)
				e := errorOf(t, answer, tc.status)
				if e.Type != tc.typ || tc.code != "" && jsonx.Deref(e.Code) != tc.code ||
					!strings.Contains(e.Message, tc.message) || e.Message == "" {
					t.Errorf("%s: %s %q: %s", name, e.Type, jsonx.Deref(e.Code), e.Message)
				}
				for header, want := range tc.headers {
					if got := answer.Header().Get(header); got != want {
						t.Errorf("%s: %s is %q, expected %q", name, header, got, want)
					}
				}
				if strings.Contains(answer.Body.String(), "key-of-one") ||
					strings.Contains(answer.Body.String(), "gemini.example") {
					t.Errorf("%s: the error says too much: %s", name, answer.Body)
				}
			})
		}
	}
}

// The client receives Gemini's own message about a request, with the location.
func TestRefusalsOfTheConversionAreThoseOfTheRequest(t *testing.T) {
	t.Parallel()
	e := errorOf(t, post(newGateway(t), chatPath,
		`{"model":"gemini-2.5-flash","temperature":3,"messages":[{"role":"user","content":"x"}]}`),
		http.StatusBadRequest)
	if jsonx.Deref(e.Param) != "temperature" {
		t.Errorf("got %+v", e)
	}
}

// An empty answer must not look like a good answer.
func TestAnAnswerWithoutCandidatesIsAnError(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := geminitest.NewServer(t,
			geminitest.WithScript(geminitest.On().Reply(geminitest.Chunk(`{"usageMetadata":{"promptTokenCount":1}}`)).Times(10)))
		handler := gatewayOf(t, server, gateway.WithMaxAttempts(1))
		errorOf(t, post(handler, chatPath, hello), http.StatusBadGateway)
		answer := post(handler, chatPath, streamed(hello))
		if !strings.Contains(answer.Body.String(), `"error"`) ||
			strings.Contains(answer.Body.String(), "[DONE]") {
			t.Errorf("answered %s", answer.Body)
		}
	})
}

func TestNamesThatAreNoModelsAreNotFound(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	for _, name := range []string{"meta/llama", "a//b", "../x", "publishers/x/y", "projects/p",
		"gpt-4o"} {
		for _, body := range []string{hello, streamed(hello)} {
			e := errorOf(t,
				post(handler, chatPath, strings.Replace(body, "gemini-2.5-flash", name, 1)),
				http.StatusNotFound)
			if jsonx.Deref(e.Code) != "model_not_found" {
				t.Errorf("%s: %+v", name, e)
			}
		}
	}
	for _, name := range []string{"models/gemini-2.5-flash", "google/gemini-2.5-flash",
		"gemini/gemini-2.5-flash"} {
		answer := post(handler, chatPath, strings.Replace(hello, "gemini-2.5-flash", name, 1))
		if got := completionOf(t, answer).Model; got != name ||
			answer.Header().Get("X-Gemwire-Model") != "gemini-2.5-flash" {
			t.Errorf("%s is answered as %s by %v", name, got, answer.Header())
		}
	}
}
