package gateway_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/gateway"
)

// Refusals of one model, as servers answer them.
var (
	googleForbids = cannedAnswer{403,
		`{"error":{"code":403,"message":"The caller does not have permission","status":"PERMISSION_DENIED"}}`}
	liteLLMForbids = cannedAnswer{401,
		`{"error":{"message":"key not allowed to access model. This key can only access models=['a']","type":"key_model_access_denied","param":"model","code":"401"}}`}
	unknownForbids = cannedAnswer{401,
		`{"error":{"code":401,"message":"no","status":"UNAUTHENTICATED"}}`}
	pageForbids = cannedAnswer{401, `<html><title>Unauthorized</title></html>`}
)

// requestsFor returns a request of each form and path for a model.
func requestsFor(model string) map[string][2]string {
	chat := fmt.Sprintf(`{"model":%q,"max_tokens":9,"messages":[{"role":"user","content":"hello"}]}`,
		model)
	input := fmt.Sprintf(`{"model":%q,"input":"hello"}`, model)
	return map[string][2]string{
		"chat_completions":        {chatPath, chat},
		"chat_completions stream": {chatPath, streamed(chat)},
		"Responses":               {responsesPath, input},
		"Responses stream":        {responsesPath, streamed(input)},
		"Messages":                {messagesPath, chat},
		"Messages stream":         {messagesPath, streamed(chat)},
		"Interactions":            {"/v1beta/interactions", input},
		"Interactions stream":     {"/v1/interactions", streamed(input)},
		"native":                  {"/v1beta/models/" + model + ":generateContent", nativeHello},
		"native stream":           {"/v1beta/models/" + model + ":streamGenerateContent?alt=sse", nativeHello},
		"native array":            {"/v1beta/models/" + model + ":streamGenerateContent", nativeHello},
		"native embedding":        {"/v1beta/models/" + model + ":embedContent", `{"content":{"parts":[{"text":"a"}]}}`},
		"native count":            {"/v1beta/models/" + model + ":countTokens", nativeHello},
		"native other method":     {"/v1beta/models/" + model + ":doAnything", `{}`},
		"embeddings":              {embeddingsPath, input},
		"count_tokens":            {messagesPath + "/count_tokens", chat},
		"input_tokens":            {responsesPath + "/input_tokens", input},
	}
}

// A client that requests a model which the upstream refuses must not block the account for all
// others.
func TestARefusalOfOneModelLeavesTheOthersInUse(t *testing.T) {
	inTime(t, func(t *testing.T) {
		for what, refusal := range map[string]cannedAnswer{"Google": googleForbids,
			"LiteLLM": liteLLMForbids, "unknown": unknownForbids, "a page": pageForbids} {
			for form, request := range requestsFor("gemini-2.5-pro") {
				u := &keyedUpstream{}
				handler := keyedGateway(t, u, []string{"one"})
				u.set("gemini-2.5-pro", refusal)
				for range 3 {
					if answer := post(handler, request[0], request[1], "Anthropic-Version",
						"2023-06-01"); answer.Code < 400 || answer.Code >= 500 {
						t.Errorf("%s, %s: HTTP %d: %s", what, form, answer.Code, answer.Body)
					}
				}
				if answer := post(handler, chatPath, hello); answer.Code != http.StatusOK {
					t.Errorf("%s, %s: another model: HTTP %d: %s", what, form, answer.Code,
						answer.Body)
				}
			}
		}
	})
}

// The same with a server of OpenAI's API. In Gemini's form every 401 of such a server looks the
// same.
func TestARefusalOfOneModelLeavesTheOthersOfAChatServerInUse(t *testing.T) {
	inTime(t, func(t *testing.T) {
		for form, request := range requestsFor("gpt-denied") {
			for _, refusal := range []cannedAnswer{liteLLMForbids, unknownForbids, pageForbids,
				{403, `{"error":{"message":"no access","type":"invalid_request_error","code":"model_not_found"}}`}} {
				s := &chatServer{}
				s.answer = func(r *http.Request, body string) *http.Response {
					if strings.Contains(body, "gpt-denied") {
						return chatReply(refusal.status, refusal.body)
					}
					return s.answers(r, body)
				}
				handler := gatewayOfChat(t, s)
				post(handler, request[0], request[1])
				if answer := post(handler, chatPath,
					strings.Replace(hello, "gemini-2.5-flash", "gpt-5.1",
						1)); answer.Code != http.StatusOK {
					t.Errorf("%s after %s: HTTP %d: %s", form, refusal.body, answer.Code,
						answer.Body)
				}
			}
		}
	})
}

func TestARefusedModelIsAskedOfTheNextAccount(t *testing.T) {
	inTime(t, func(t *testing.T) {
		for what, refusal := range map[string]cannedAnswer{"Google": googleForbids,
			"LiteLLM": liteLLMForbids, "unknown": unknownForbids} {
			u := &keyedUpstream{}
			handler := keyedGateway(t, u, []string{"one", "two"})
			u.set("key-a gemini-2.5-pro", refusal)
			completionOf(t, post(handler, chatPath, helloPro))
			wantAsked(t, u, what+": at first", "key-a gemini-2.5-pro", "key-b gemini-2.5-pro")
			u.set("key-b gemini-2.5-flash", usedUpFor(perMinute, 600))
			completionOf(t, post(handler, chatPath, hello))
			wantAsked(t, u, what+": another model", "key-b"+flash, "key-a"+flash)
			completionOf(t, post(handler, chatPath, helloPro))
			wantAsked(t, u, what+": in the rest", "key-b gemini-2.5-pro")
			u.good("key-a gemini-2.5-pro")
			time.Sleep(61 * time.Second)
			completionOf(t, post(handler, chatPath, hello))
			completionOf(t, post(handler, chatPath, helloPro))
			wantAsked(t, u, what+": after the rest", "key-a"+flash, "key-a gemini-2.5-pro")
		}
	})
}

// The server's words about the model apply to every request. Other words may be about one request.
func TestAModelThatOneAccountIsRefusedRestsOnlyForSure(t *testing.T) {
	inTime(t, func(t *testing.T) {
		for what, tc := range map[string]struct {
			refusal cannedAnswer
			asked   []string
		}{
			"said":    {liteLLMForbids, []string{"key-a gemini-2.5-pro"}},
			"guessed": {googleForbids, []string{"key-a gemini-2.5-pro", "key-a gemini-2.5-pro"}},
		} {
			u := &keyedUpstream{}
			handler := keyedGateway(t, u, []string{"one"})
			u.set("gemini-2.5-pro", tc.refusal)
			errorOf(t, post(handler, chatPath, helloPro), 403)
			errorOf(t, post(handler, responsesPath, `{"model":"gemini-2.5-pro","input":"hello"}`),
				403)
			wantAsked(t, u, what, tc.asked...)
			if answer := post(handler, "/v1beta/models/gemini-2.5-pro:countTokens",
				nativeHello); answer.Code != 403 && answer.Code != 401 {
				t.Errorf("%s: HTTP %d: %s", what, answer.Code, answer.Body)
			}
			wantAsked(t, u, what+": another method", "key-a gemini-2.5-pro")
		}
	})
}

func TestAFallbackAnswersForARefusedModel(t *testing.T) {
	inTime(t, func(t *testing.T) {
		u := &keyedUpstream{}
		handler := keyedGateway(t, u, []string{"one"},
			gateway.WithFallbacks(map[string][]string{"gemini-2.5-pro": {"gemini-2.5-flash"}}))
		u.set("gemini-2.5-pro", liteLLMForbids)
		for range 2 {
			completionOf(t, post(handler, chatPath, helloPro))
		}
		wantAsked(t, u, "twice", "key-a gemini-2.5-pro", "key-a"+flash, "key-a"+flash)
	})
}

// The server's words about the key or its project apply to every model.
func TestARefusalOfTheKeyRestsItForAllModels(t *testing.T) {
	inTime(t, func(t *testing.T) {
		reason := func(status int, word string) cannedAnswer {
			return cannedAnswer{status,
				fmt.Sprintf(`{"error":{"code":%d,"message":"m","status":"PERMISSION_DENIED","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":%q}]}}`,
					status, word)}
		}
		message := func(text string) cannedAnswer {
			return cannedAnswer{403,
				fmt.Sprintf(`{"error":{"code":403,"message":%q,"status":"PERMISSION_DENIED"}}`,
					text)}
		}
		for what, refusal := range map[string]cannedAnswer{
			"a wrong key":         refusedKey,
			"a blocked key":       reason(403, "API_KEY_SERVICE_BLOCKED"),
			"a suspended project": reason(403, "CONSUMER_SUSPENDED"),
			"an account":          reason(401, "ACCOUNT_STATE_INVALID"),
			"no billing":          reason(403, "BILLING_DISABLED"),
			"a disabled API":      reason(403, "SERVICE_DISABLED"),
			"a leaked key": message(
				"Your API key was reported as leaked. Please use another API key."),
			"a suspended key": message(
				"Permission denied: Consumer 'api_key:x' has been suspended."),
			"an expired key": {401, `{"error":{"code":401,"message":"API key expired. Please renew the API key.","status":"UNAUTHENTICATED"}}`},
			"OpenAI's code":  {401, `{"error":{"message":"Incorrect API key provided: sk-x.","type":"invalid_request_error","code":"invalid_api_key"}}`},
			"a type":         {401, `{"error":{"message":"m","type":"authentication_error","code":null}}`},
		} {
			u := &keyedUpstream{}
			handler := keyedGateway(t, u, []string{"one"})
			u.set("gemini-2.5-pro", refusal)
			post(handler, chatPath, helloPro)
			errorOf(t, post(handler, chatPath, hello), 403)
			wantAsked(t, u, what, "key-a gemini-2.5-pro")
		}
	})
}

// Requests that were in flight together count as one refusal, not as the sixth in a row.
func TestRefusalsAtTheSameTimeAreOne(t *testing.T) {
	inTime(t, func(t *testing.T) {
		u := &keyedUpstream{}
		handler := keyedGateway(t, u, []string{"one"})
		u.set("key-a", refusedKey)
		u.wait("key-a", time.Second)
		for range 6 {
			go post(handler, chatPath, hello)
		}
		time.Sleep(2 * time.Second)
		u.good("key-a")
		u.take()
		time.Sleep(61 * time.Second)
		completionOf(t, post(handler, chatPath, hello))
	})
}
