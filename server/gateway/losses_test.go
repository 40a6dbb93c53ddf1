package gateway_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/go-json-experiment/json"
)

// lossyHello is a request with two members that Gemini does not support, and an approximated
// member.
var lossyHello = strings.Replace(hello, "{",
	`{"logit_bias":{"1":2},"user":"me","verbosity":"low","service_tier":"auto",`, 1)

func TestLossesAreCountedInAHeader(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	for _, tc := range []struct{ body, losses string }{{hello, "0"}, {lossyHello, "3"},
		{streamed(hello), "0"}, {streamed(lossyHello), "3"}} {
		answer := post(handler, chatPath, tc.body)
		if got := answer.Header().Get("X-Gemwire-Losses"); got != tc.losses || answer.Code != 200 {
			t.Errorf("HTTP %d, %q losses of %s", answer.Code, got, tc.body)
		}
		if strings.Contains(answer.Body.String(), "gemwire") {
			t.Errorf("the losses are listed unasked: %s", answer.Body)
		}
	}
}

func TestLossesAreListedOnRequest(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	for _, body := range []string{hello, lossyHello, streamed(hello), streamed(lossyHello)} {
		answer := post(handler, chatPath, body, "X-Gemwire-Report", "true")
		var extra *openaiapi.ExtraContent
		if strings.Contains(body, `"stream"`) {
			chunks := chunksOf(t, answer.Body.Bytes())
			extra = chunks[len(chunks)-1].ExtraContent
		} else {
			extra = completionOf(t, answer).ExtraContent
		}
		var told struct {
			Gemwire struct {
				Request, Answer []struct{ Pointer, Kind, Detail string }
			} `json:"gemwire"`
		}
		if extra == nil {
			t.Fatalf("nothing is listed: %s", answer.Body)
		}
		if err := json.Unmarshal(extra.Unknown, &told,
			json.MatchCaseInsensitiveNames(true)); err != nil {
			t.Fatal(err)
		}
		var pointers []string
		for _, entry := range told.Gemwire.Request {
			pointers = append(pointers, entry.Kind+" "+entry.Pointer)
			if entry.Detail == "" {
				t.Errorf("%s has no reason", entry.Pointer)
			}
		}
		want := ""
		if strings.Contains(body, "logit_bias") {
			want = "approximated /service_tier, lost /logit_bias, lost /user, lost /verbosity"
		}
		if got := strings.Join(pointers, ", "); got != want || told.Gemwire.Answer == nil {
			t.Errorf("listed %s", extra.Unknown)
		}
	}
}

func TestStrictRefusesEachLoss(t *testing.T) {
	t.Parallel()
	byOption, byHeader := newGateway(t, gateway.WithStrict()), newGateway(t)
	for _, body := range []string{hello, streamed(hello)} {
		if answer := post(byOption, chatPath, body); answer.Code != http.StatusOK {
			t.Errorf("HTTP %d: %s", answer.Code, answer.Body)
		}
	}
	for _, body := range []string{lossyHello, streamed(lossyHello)} {
		post(byHeader, chatPath, body)
		for _, e := range []openaiapi.Error{
			errorOf(t, post(byOption, chatPath, body), http.StatusBadRequest),
			errorOf(t, post(byHeader, chatPath, body, "X-Gemwire-Strict", "true"),
				http.StatusBadRequest),
		} {
			for _, pointer := range []string{"/logit_bias", "/user", "/verbosity"} {
				if !strings.Contains(e.Message, pointer) {
					t.Errorf("%s is not in %s", pointer, e.Message)
				}
			}
			if jsonx.Deref(e.Code) != "lossy_conversion" || jsonx.Deref(e.Param) != "logit_bias" {
				t.Errorf("answered %+v", e)
			}
		}
	}
}

// A client that forbids losses must not get losses because it spells the word differently.
func TestSwitchesInHeadersAreReadOrRefused(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	for value, status := range map[string]int{"true": 400, "True": 400, "TRUE": 400, "1": 400,
		"false": 200, "0": 200, "": 200} {
		if answer := post(handler, chatPath, lossyHello, "X-Gemwire-Strict",
			value); answer.Code != status {
			t.Errorf("strict %q: HTTP %d", value, answer.Code)
		}
	}
	for _, header := range []string{"X-Gemwire-Strict", "X-Gemwire-Report"} {
		for _, path := range []string{chatPath, embeddingsPath} {
			e := errorOf(t, post(handler, path, hello, header, "yes please"), http.StatusBadRequest)
			if jsonx.Deref(e.Code) != "invalid_header" ||
				!strings.Contains(e.Message, strings.ToLower(header)) {
				t.Errorf("%s: %+v", header, e)
			}
		}
	}
}

// strictly sends a body to a path, with and without strict, and returns the refusal. Without strict
// the request must be answered and report the same number of losses.
func strictly(t testing.TB, handler http.Handler, path, body, losses string) string {
	t.Helper()
	answer := post(handler, path, body)
	if got := answer.Header().Get("X-Gemwire-Losses"); answer.Code != http.StatusOK ||
		got != losses {
		t.Errorf("%s: HTTP %d with %q losses, expected %s: %s\n%s", path, answer.Code, got, losses,
			body, answer.Body)
	}
	refused := post(handler, path, body, "X-Gemwire-Strict", "true")
	if refused.Code != http.StatusBadRequest ||
		!strings.Contains(refused.Body.String(), "lossy_conversion") {
		t.Errorf("%s: strictly HTTP %d: %s\n%s", path, refused.Code, body, refused.Body)
	}
	return refused.Body.String()
}

func TestATextThatSaysNothingAtAllIsALossInEveryForm(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	const more = `{"type":"text","text":"hello"}`
	for _, tt := range []struct{ path, body, pointer string }{
		{chatPath, `{"model":"gemini-2.5-flash","messages":[{"role":"user","content":[{"type":"text"},` + more + `]}]}`, "/messages/0/content/0"},
		{chatPath, `{"model":"gemini-2.5-flash","messages":[{"role":"system","content":[{"type":"text"},` + more + `]},{"role":"user","content":"x"}]}`, "/messages/0/content/0"},
		{chatPath, `{"model":"gemini-2.5-flash","messages":[{"role":"user","content":"x"},{"role":"assistant","content":[` + more + `,{"type":"refusal"}]},{"role":"user","content":"y"}]}`, "/messages/1/content/1"},
		{chatPath, `{"model":"gemini-2.5-flash","messages":[{"role":"user","content":"x"},{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":[` + more + `,{"type":"text"}]}]}`, "/messages/2/content/1"},
		{responsesPath, `{"model":"gemini-2.5-flash","input":[{"role":"user","content":[{"type":"input_text"},{"type":"input_text","text":"hello"}]}]}`, "/input/0/content/0"},
		{responsesPath, `{"model":"gemini-2.5-flash","input":[{"role":"user","content":"x"},{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"a","output":[{"type":"input_text"}]}]}`, "/input/2/output/0"},
		{responsesPath, `{"model":"gemini-2.5-flash","input":[{"role":"user","content":"x"},{"type":"reasoning","summary":[{"type":"summary_text"}]},{"role":"user","content":"y"}]}`, "/input/1/summary/0"},
		{messagesPath, `{"model":"gemini-2.5-flash","max_tokens":9,"messages":[{"role":"user","content":[{"type":"text"},` + more + `]}]}`, "/messages/0/content/0"},
		{messagesPath, `{"model":"gemini-2.5-flash","max_tokens":9,"system":[{"type":"text"}],"messages":[{"role":"user","content":"x"}]}`, "/system/0"},
		{messagesPath, `{"model":"gemini-2.5-flash","max_tokens":9,"messages":[{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"text"},` + more + `]},{"role":"user","content":"y"}]}`, "/messages/1/content/0"},
		{messagesPath, `{"model":"gemini-2.5-flash","max_tokens":9,"messages":[{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text"},` + more + `]}]}]}`, "/messages/2/content/0/content/0"},
		{messagesPath, `{"model":"gemini-2.5-flash","max_tokens":9,"messages":[{"role":"user","content":[{"type":"search_result","source":"s","title":"t","content":[{"type":"text"}]}]}]}`, "/messages/0/content/0/content/0"},
	} {
		if refusal := strictly(t, handler, tt.path, tt.body, "1"); !strings.Contains(refusal,
			tt.pointer+": the text part has no text") {
			t.Errorf("%s is not in %s", tt.pointer, refusal)
		}
	}
}

// A shortened or changed carrier of a thought signature is a loss, and so is a signature that this
// gateway no longer holds.
func TestADamagedSignatureIsALossInEveryForm(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	const (
		chat    = `{"model":"gemini-2.5-flash","messages":[{"role":"user","content":"x"},{"role":"assistant","content":null,"tool_calls":[{"id":"ID","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"ID","content":"y"}]}`
		message = `{"model":"gemini-2.5-flash","max_tokens":9,"messages":[{"role":"user","content":"x"},{"role":"assistant","content":[THINKING{"type":"tool_use","id":"ID","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"ID","content":"y"}]}]}`
		item    = `{"model":"gemini-2.5-flash","input":[{"role":"user","content":"x"},{"type":"reasoning","summary":[],"encrypted_content":"gemwire1_AAAAAA_c1s4_ABCD"},{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"a","output":"y"}]}`
	)
	for _, tt := range []struct{ path, body, id, thinking, pointer string }{
		{chatPath, chat, "a__gw1_4_00000000_QUJDRA", "", "/messages/1/tool_calls/0/id"},
		{chatPath, chat, "a__gwm1_0123456789abcdefghijklmn", "", "/messages/1/tool_calls/0/id"},
		{messagesPath, message, "a_gemwire1_AAAAAA_c1s4_ABCD", "", "/messages/1/content/0/id"},
		{messagesPath, message, "a", `{"type":"thinking","thinking":"z","signature":"gemwire1_AAAAAA_c1s4_ABCD"},`, "/messages/1/content/0"},
		{messagesPath, message, "a", `{"type":"redacted_thinking","data":"gemwire1_AAAAAA_c1s4_ABCD"},`, "/messages/1/content/0"},
		{responsesPath, item, "", "", "/input/1/encrypted_content"},
	} {
		body := strings.NewReplacer(`"ID"`, `"`+tt.id+`"`, "THINKING", tt.thinking).Replace(tt.body)
		if refusal := strictly(t, handler, tt.path, body, "1"); !strings.Contains(refusal,
			"lose "+tt.pointer+": ") {
			t.Errorf("%s is not in %s", tt.pointer, refusal)
		}
	}
}

// A signature that also arrived in another way is not lost with the id of its call.
func TestASignatureThatCameTwiceIsNotLostWithOne(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	for _, id := range []string{"a__gw1_4_00000000_QUJDRA", "a__gwm1_0123456789abcdefghijklmn"} {
		body := `{"model":"gemini-2.5-flash","messages":[{"role":"user","content":"x"},{"role":"assistant","content":null,"tool_calls":[{"id":"` +
			id +
			`","type":"function","function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"thought_signature":"` +
			sentinel + `"}}}]},{"role":"tool","tool_call_id":"` + id + `","content":"y"}]}`
		if answer := post(handler, chatPath, body, "X-Gemwire-Strict",
			"true"); answer.Code != http.StatusOK {
			t.Errorf("%s: HTTP %d: %s", id, answer.Code, answer.Body)
		}
	}
}

// Token counts that grow from chunk to chunk are normal, and not a loss.
func TestCountsThatRiseAreNoEntryInAReport(t *testing.T) {
	t.Parallel()
	const chunk = `{"candidates":[{"content":{"role":"model","parts":[{"text":"a"}]}%s}],"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":%d,"totalTokenCount":%d}}`
	for path, body := range map[string]string{
		chatPath:      streamed(hello),
		responsesPath: `{"stream":true,"model":"gemini-2.5-flash","input":"hello"}`,
		messagesPath:  `{"stream":true,"model":"gemini-2.5-flash","max_tokens":9,"messages":[{"role":"user","content":"hello"}]}`,
	} {
		server := geminitest.NewServer(t, geminitest.WithScript(geminitest.On().Reply(
			geminitest.Chunk(fmt.Sprintf(chunk, "", 1, 4)),
			geminitest.Chunk(fmt.Sprintf(chunk, "", 2, 5)),
			geminitest.Chunk(fmt.Sprintf(chunk, `,"finishReason":"STOP"`, 9, 12)))))
		answer := post(gatewayOf(t, server), path, body, "X-Gemwire-Report", "true")
		if text := answer.Body.String(); answer.Code != http.StatusOK ||
			!strings.Contains(text, `"answer":[`) || strings.Contains(text, "/usageMetadata") {
			t.Errorf("%s: HTTP %d: %s", path, answer.Code, text)
		}
	}
}
