package gateway_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/ratecard"
	"github.com/google/go-cmp/cmp"
)

func TestAConversationTakesTwentyItemsAtOnce(t *testing.T) {
	t.Parallel()
	handler := keeping(t, geminitest.NewServer(t))
	itemsOf := func(n int) string {
		item := `{"role":"user","content":"hello"}`
		return `{"items":[` + strings.TrimSuffix(strings.Repeat(item+",", n), ",") + `]}`
	}
	for n, want := range map[int]int{0: 200, 1: 200, 20: 200, 21: 400} {
		answer := post(handler, conversationsPath, itemsOf(n))
		if answer.Code != want {
			t.Errorf("%d items: HTTP %d: %s", n, answer.Code, answer.Body)
		}
		if said := "has 21 items; expected at most 20"; want == 400 &&
			!strings.Contains(answer.Body.String(), said) {
			t.Errorf("%d items: %s; want %q", n, answer.Body, said)
		}
	}
}

// A model name with a slash exists only at servers other than Google's, and only in requests that
// describe models.
func TestAnEscapedNameReachesOnlyTheModelsOfOtherServers(t *testing.T) {
	t.Parallel()
	foreign := &chatServer{answer: func(*http.Request, string) *http.Response {
		return chatReply(200, `{"data":[{"id":"a/b","object":"model"}]}`)
	}}
	foreignGateway, google := gatewayOfChat(t, foreign), newGateway(t)
	for _, test := range []struct {
		handler      *gateway.Handler
		method, path string
		want         int
	}{
		{foreignGateway, http.MethodGet, "/v1beta/models/a%2Fb", 200},
		{foreignGateway, http.MethodDelete, "/v1beta/models/a%2Fb", 404},
		{google, http.MethodGet, "/v1beta/models/a%2Fb", 404},
		{google, http.MethodGet, "/v1beta/models/gemini-2.5-flash", 200},
	} {
		if answer := do(test.handler, test.method, test.path); answer.Code != test.want {
			t.Errorf("%s %s: HTTP %d: %s; want %d", test.method, test.path, answer.Code, answer.Body,
				test.want)
		}
	}
}

func TestTokensOfAFailedRequestAreGivenBackToItsKey(t *testing.T) {
	inTime(t, func(t *testing.T) {
		u := &keyedUpstream{}
		u.set("key-a", cannedAnswer{400,
			`{"error":{"code":400,"message":"no","status":"INVALID_ARGUMENT"}}`})
		handler := keyedGateway(t, u, []string{"one"},
			gateway.WithClientKeys(keysOf(t, `alice,"tokens_per_minute":10000`)))
		remaining := func() string {
			t.Helper()
			answer := post(handler, chatPath, hello, "Authorization", "Bearer key-of-alice")
			if answer.Code != http.StatusBadRequest {
				t.Errorf("HTTP %d: %s", answer.Code, answer.Body)
			}
			return answer.Header().Get("X-Ratelimit-Remaining-Tokens")
		}
		first := remaining()
		if second := remaining(); first == "" || second != first {
			t.Errorf("%q tokens remain at first, %q after a request that failed", first, second)
		}
	})
}

// An answer that has no text and ends with a malformed call is an error, if the client asked for
// one choice. With several choices, the other choices may be good.
func TestASilentFailureIsAnErrorWhereOneChoiceIsAsked(t *testing.T) {
	t.Parallel()
	const broken = `{"candidates":[{"content":{"role":"model"},"finishReason":"MALFORMED_FUNCTION_CALL"}]}`
	for n, want := range map[string]int{"": 502, `"n":1,`: 502} {
		for _, stream := range []string{"", `"stream":true,`} {
			server := geminitest.NewServer(t, geminitest.WithScript(
				geminitest.On().Reply(geminitest.Chunk(broken)).Unchecked().Times(9)))
			d := &diary{}
			answer := post(gatewayOf(t, server, gateway.WithObserver(d)), chatPath,
				strings.Replace(hello, "{", "{"+n+stream, 1))
			if got := d.last().end.FinishReason; got != normalize.FinishError {
				t.Errorf("%s%s: ended by %q", n, stream, got)
			}
			if !strings.Contains(answer.Body.String(), `"code":"bad_upstream_answer"`) ||
				stream == "" && answer.Code != want {
				t.Errorf("%s%s: HTTP %d: %s", n, stream, answer.Code, answer.Body)
			}
		}
	}
}

func TestTheLimitOfTheFirstByteIsForStreamsAlone(t *testing.T) {
	t.Parallel()
	limits := gateway.WithModelSettings(map[string]gateway.ModelSettings{
		"": {FirstByte: 10 * time.Second, Idle: 10 * time.Second, Overall: time.Hour},
	})
	for name, request := range generatingRequests("gemini-3.6-flash") {
		synctest.Test(t, func(t *testing.T) {
			server := geminitest.NewServer(t, geminitest.WithScript(geminitest.On().Reply(
				geminitest.Pause(30*time.Second), geminitest.Text("late")).Times(9)))
			answer := post(gatewayOf(t, server, limits, gateway.WithMaxAttempts(1)), request[0],
				request[1])
			isLate := strings.Contains(answer.Body.String(), "late")
			if isStream := strings.Contains(name, "streamed"); isLate == isStream {
				t.Errorf("%s: HTTP %d: %s", name, answer.Code, answer.Body)
			}
		})
	}
}

// A server of OpenAI's API may answer with a model other than the requested model.
func TestAnotherModelOfAServerOfChatCompletionsIsNoted(t *testing.T) {
	t.Parallel()
	for asked, want := range map[string][]string{
		"gpt-5.1": nil, "gpt-5.1-latest": {"gpt-5.1-latest → gpt-5.1"},
	} {
		s, d := &chatServer{}, &diary{}
		s.answer = s.answers
		post(gatewayOfChat(t, s, gateway.WithObserver(d)), chatPath,
			strings.Replace(hello, "gemini-2.5-flash", asked, 1))
		if diff := cmp.Diff(want, d.last().end.ModelWarnings); diff != "" {
			t.Errorf("%s (- want, + got):\n%s", asked, diff)
		}
	}
}

func TestTheCostInTheUsageIsAnAmountAndItsCurrency(t *testing.T) {
	t.Parallel()
	for name, request := range generatingRequests("gemini-3.6-flash") {
		if strings.HasPrefix(name, "native") {
			continue // which is passed on as it is
		}
		handler := gatewayOfDoer(t, gateway.GeminiAPI, routingServer{version: "gemini-3.6-flash"},
			gateway.WithCostInUsage(), clockOf(t, "2026-11-23"))
		body := request[1]
		if name == "chat, streamed" {
			body = strings.Replace(body, "{", `{"stream_options":{"include_usage":true},`, 1)
		}
		answer := post(handler, request[0], body).Body.String()
		if !strings.Contains(answer, `"cost":4.5,`) && !strings.Contains(answer, `"cost":4.5}`) ||
			!strings.Contains(answer, `"cost_currency":"USD"`) {
			t.Errorf("%s: %s", name, answer)
		}
	}
	free := gatewayOfDoer(t, gateway.GeminiAPI, routingServer{version: "gemini-3.6-flash"},
		gateway.WithCostInUsage(), gateway.WithRateCard(&ratecard.Card{}))
	if answer := post(free, chatPath, hello); strings.Contains(answer.Body.String(), "cost") {
		t.Errorf("an unknown cost is reported: %s", answer.Body)
	}
}

// Only Google's own form accepts a key in the query.
func TestACallersKeyInTheQueryIsOfGooglesForm(t *testing.T) {
	t.Parallel()
	u := &keyedUpstream{}
	handler := newGateway(t, gateway.WithUpstream(gateway.Upstream{
		Service: gateway.GeminiAPI, HTTPClient: u,
	}), gateway.WithCallersKey())
	if answer := post(handler, "/v1beta/models/gemini-2.5-flash:generateContent?key=of-me",
		nativeHello); answer.Code != 200 {
		t.Errorf("Google's form: HTTP %d: %s", answer.Code, answer.Body)
	}
	wantAsked(t, u, "Google's form", "of-me"+flash)
	if answer := post(handler, chatPath+"?key=of-me", hello); answer.Code != http.StatusUnauthorized {
		t.Errorf("chat_completions: HTTP %d: %s", answer.Code, answer.Body)
	}
	wantAsked(t, u, "chat_completions")
}

func TestKeysOfCallersReachVertexAIInExpressModeAlone(t *testing.T) {
	t.Parallel()
	for service, want := range map[gateway.Service]bool{
		gateway.GeminiAPI: true, gateway.VertexAIExpress: true, gateway.VertexAI: false,
	} {
		handler, err := gateway.New(gateway.WithUpstream(gateway.Upstream{Service: service}),
			gateway.WithCallersKey())
		if (err == nil) != want {
			t.Errorf("%s: %v", service, err)
		}
		if err == nil {
			handler.Close()
		}
	}
}

// Report entries that are not losses are for observers that record a request, and for clients that
// ask for reports.
func TestEntriesThatAreNoLossesAreForRecordersAndLists(t *testing.T) {
	t.Parallel()
	others := func(d *diary, headers ...string) (recorded, listed int) {
		server := geminitest.NewServer(t, geminitest.WithScript(geminitest.On().Reply(
			geminitest.Chunk(mended)).Unchecked().Times(9)))
		answer := post(gatewayOf(t, server, gateway.WithObserver(d)), chatPath, hello, headers...)
		reported := d.last().reported
		return len(reported) - len(reported.Of(report.Lost)),
			strings.Count(answer.Body.String(), `"kind"`)
	}
	if recorded, listed := others(&diary{wantsBodies: true}); recorded == 0 || listed != 0 {
		t.Errorf("a recorder of bodies gets %d; %d are listed without a recorder", recorded, listed)
	}
	if recorded, listed := others(&diary{}, "X-Gemwire-Report", "true"); recorded == 0 ||
		listed == 0 {
		t.Errorf("%d are recorded and %d listed where the client asks for them", recorded, listed)
	}
}

const mended = `{"candidates":[{"content":{"role":"model","parts":[{"text":"Hi."}]},"finishReason":"STOP",` +
	`"avgLogprobs":-0.1}]}`

func TestTheCarriersOfSignaturesInMessagesAreRecorded(t *testing.T) {
	t.Parallel()
	const signedCall = `{"candidates":[{"content":{"role":"model","parts":[` +
		`{"functionCall":{"name":"f","args":{}},"thoughtSignature":"EjQ+BB/d"}]},"finishReason":"STOP"}]}`
	const signedText = `{"candidates":[{"content":{"role":"model","parts":[` +
		`{"text":"Hi.","thoughtSignature":"EjQ+BB/d"}]},"finishReason":"STOP"}]}`
	const signedThought = `{"candidates":[{"content":{"role":"model","parts":[` +
		`{"text":"Hm.","thought":true,"thoughtSignature":"EjQ+BB/d"},{"text":"Hi."}]},"finishReason":"STOP"}]}`
	const thinking = `,"thinking":{"type":"enabled","budget_tokens":1024}`
	for name, test := range map[string]struct {
		reply, members string
		mode           gateway.SignatureMode
		want           exchange.Carrier
	}{
		"a call":                      {signedCall, "", gateway.SignaturesInBoth, exchange.CarrierID},
		"a call, with thinking":       {signedCall, thinking, gateway.SignaturesInBoth, exchange.CarrierThought},
		"a text in an extension":      {signedText, "", gateway.SignaturesInBoth, exchange.CarrierExtension},
		"a text without an extension": {signedText, "", gateway.SignaturesInIDs, exchange.CarrierMemory},
		"a thought, with thinking":    {signedThought, thinking, gateway.SignaturesInBoth, exchange.CarrierThought},
		"a thought":                   {signedThought, "", gateway.SignaturesInBoth, exchange.CarrierThought},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := geminitest.NewServer(t, geminitest.WithScript(geminitest.On().Reply(
				geminitest.Chunk(test.reply)).Unchecked().Times(9)))
			d := &diary{wantsBodies: true}
			answer := post(gatewayOf(t, server, gateway.WithObserver(d),
				gateway.WithSignatures(test.mode)), "/v1/messages",
				fmt.Sprintf(`{"model":"gemini-3.6-flash","max_tokens":2048,"tools":[{"name":"f",`+
					`"input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"x"}]%s}`,
					test.members))
			var got []exchange.Carrier
			for _, s := range d.last().signatures {
				got = append(got, s.Carrier)
			}
			if diff := cmp.Diff([]exchange.Carrier{test.want}, got); diff != "" {
				t.Errorf("HTTP %d (- want, + got):\n%s", answer.Code, diff)
			}
		})
	}
}

func TestASignatureThatComesBackInGooglesFormIsRecorded(t *testing.T) {
	t.Parallel()
	const body = `{"contents":[{"role":"user","parts":[{"text":"x"}]},{"role":"model","parts":[` +
		`{"text":"Hi.","thoughtSignature":"EjQ+BB/d"}]},{"role":"user","parts":[{"text":"y"}]}]}`
	for _, wantsBodies := range []bool{true, false} {
		d := &diary{wantsBodies: wantsBodies}
		post(newGateway(t, gateway.WithObserver(d)),
			"/v1beta/models/gemini-3.6-flash:generateContent", body)
		var got []string
		for _, s := range d.last().signatures {
			got = append(got, string(s.Side)+" "+s.Pointer)
		}
		isRecorded := len(got) > 0 && got[0] == "client /contents/1/parts/0/thoughtSignature"
		if isRecorded != wantsBodies {
			t.Errorf("recorded %q; wants bodies: %v", got, wantsBodies)
		}
	}
}

func TestTheCarriersOfSignaturesInChatCompletionsAreRecorded(t *testing.T) {
	t.Parallel()
	const signature = "EjQ+BB/d"
	const extension = `,"extra_content":{"google":{"thought_signature":"` + signature + `"}}`
	long := strings.Repeat("QUJD", 20_000)
	for name, test := range map[string]struct {
		mode            gateway.SignatureMode
		signature       string
		keepsExtensions bool
		given, returned exchange.Carrier
	}{
		"in ids":        {gateway.SignaturesInIDs, signature, false, exchange.CarrierID, exchange.CarrierID},
		"in both":       {gateway.SignaturesInBoth, signature, false, exchange.CarrierID, exchange.CarrierID},
		"in both, kept": {gateway.SignaturesInBoth, signature, true, exchange.CarrierID, exchange.CarrierExtension},
		"in extensions": {gateway.SignaturesInExtension, signature, true, exchange.CarrierExtension, exchange.CarrierExtension},
		"too long":      {gateway.SignaturesInIDs, long, false, exchange.CarrierMemory, exchange.CarrierMemory},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := geminitest.NewServer(t, geminitest.WithScript(
				geminitest.On(geminitest.Turn(0)).Reply(geminitest.Chunk(
					`{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"f",`+
						`"args":{}},"thoughtSignature":"`+test.signature+`"}]},"finishReason":"STOP"}]}`)).
					Unchecked(),
				geminitest.On(geminitest.Turn(1)).Reply(geminitest.Text("done")).Unchecked()))
			d := &diary{wantsBodies: true}
			handler := gatewayOf(t, server, gateway.WithObserver(d), gateway.WithSignatures(test.mode))
			const tools = `"tools":[{"type":"function","function":{"name":"f"}}]`
			const question = `{"role":"user","content":"x"}`
			call := completionOf(t, post(handler, chatPath,
				`{"model":"gemini-3.6-flash",`+tools+`,"messages":[`+question+`]}`)).
				Choices[0].Message.ToolCalls[0]
			kept := ""
			if test.keepsExtensions {
				kept = extension
			}
			given := d.last().signatures
			post(handler, chatPath, `{"model":"gemini-3.6-flash",`+tools+`,"messages":[`+question+
				`,{"role":"assistant","tool_calls":[{"id":"`+call.ID+`","type":"function",`+
				`"function":{"name":"f","arguments":"{}"}`+kept+`}]},`+
				`{"role":"tool","tool_call_id":"`+call.ID+`","content":"y"}]}`)
			for _, pair := range []struct {
				told []exchange.Signature
				want exchange.Signature
			}{
				{given, exchange.Signature{Side: exchange.Upstream, Carrier: test.given,
					Pointer: "/candidates/0/content/parts/0/thoughtSignature"}},
				{d.last().signatures, exchange.Signature{Side: exchange.Client, Carrier: test.returned,
					Pointer: "/contents/1/parts/0/thoughtSignature"}},
			} {
				pair.want.Size = len(test.signature)
				pair.told = slices.DeleteFunc(slices.Clone(pair.told), func(s exchange.Signature) bool {
					return s.Side != pair.want.Side
				})
				if diff := cmp.Diff([]exchange.Signature{pair.want}, pair.told); diff != "" {
					t.Errorf("recorded (- want, + got):\n%s", diff)
				}
			}
		})
	}
}
