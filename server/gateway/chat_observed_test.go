package gateway_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/gateway"
)

// linesOf returns the reports about a side, by their first word.
func linesOf(p *page, side, what string) (out []string) {
	for _, line := range p.lines {
		if rest, ok := strings.CutPrefix(line, side+" "+what+" "); ok {
			out = append(out, rest)
		}
	}
	return out
}

// Observers receive the unchanged requests and answers of an OpenAI server. They receive Gemini's
// form as the intermediate form, if the client has another form.
func TestRequestsAndAnswersOfAServerOfOpenAIAreObserved(t *testing.T) {
	t.Parallel()
	const chat = `{"model":"gpt-5.1","messages":[{"role":"user","content":"hello"}]`
	for name, tc := range map[string]struct {
		path, body, sent string
		isStream, isOwn  bool // The form is Gemini's own.
	}{
		"Gemini's form":           {gptPath, `{"contents":[{"role":"user","parts":[{"text":"hello"}]}]}`, chat + "}", false, true},
		"Gemini's form, streamed": {"/v1beta/models/gpt-5.1:streamGenerateContent?alt=sse", `{"contents":[{"role":"user","parts":[{"text":"hello"}]}]}`, chat + `,"stream":true,"stream_options":{"include_usage":true}}`, true, true},
		"Gemini's form, a list":   {"/v1beta/models/gpt-5.1:streamGenerateContent", `{"contents":[{"role":"user","parts":[{"text":"hello"}]}]}`, chat + `,"stream":true,"stream_options":{"include_usage":true}}`, true, true},
		"chat_completions":        {chatPath, chat + "}", chat + "}", false, false},
		"Messages, streamed":      {"/v1/messages", `{"model":"gpt-5.1","max_tokens":9,"stream":true,"messages":[{"role":"user","content":"hello"}]}`, `"max_completion_tokens":9`, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, d := &chatServer{}, &diary{wantsBodies: true}
			answer := post(gatewayOfChat(t, s, gateway.WithObserver(d)), tc.path, tc.body)
			p := d.last()
			requests, responses, chunks := linesOf(p, "upstream", "request"),
				linesOf(p, "upstream", "response"), linesOf(p, "upstream", "chunk")
			if answer.Code != 200 || len(requests) != 1 || len(responses) != 1 {
				t.Fatalf("HTTP %d: %q", answer.Code, p.lines)
			}
			if !strings.HasPrefix(requests[0], "POST https://chat.example/v1/chat/completions ") ||
				!strings.Contains(requests[0], tc.sent) {
				t.Errorf("sent %s", requests[0])
			}
			want := "200 " + chatAnswer
			if tc.isStream {
				want = "200 "
			}
			if responses[0] != want || (len(chunks) == 5) != tc.isStream ||
				tc.isStream && chunks[4] != "[DONE]" || slices.Contains(chunks, "") {
				t.Errorf("came %s, %q", responses[0], chunks)
			}
			between := len(linesOf(p, "between", "request")) +
				len(linesOf(p, "between", "response"))
			if (between == 0) != tc.isOwn || !tc.isOwn && between != 2 {
				t.Errorf("between: %q", p.lines)
			}
			if responses := linesOf(p, "client", "response"); len(responses) != 1 {
				t.Errorf("the client's: %q", p.lines)
			}
			if all := strings.Join(p.lines, "\n"); strings.Contains(all, "sk-secret") {
				t.Errorf("the key is shown: %s", all)
			}
		})
	}
}

func TestARefusalOfAServerOfOpenAIIsPassedOnUnchanged(t *testing.T) {
	t.Parallel()
	const refusal = `{"error":{"message":"It failed.","type":"a_type","param":null,"code":null}}`
	s := &chatServer{answer: func(*http.Request,
		string) *http.Response {
		return chatReply(422, refusal)
	}}
	for _, path := range []string{gptPath, chatPath} {
		d := &diary{wantsBodies: true}
		body := nativeHello
		if path == chatPath {
			body = `{"model":"gpt-5.1","messages":[{"role":"user","content":"hello"}]}`
		}
		post(gatewayOfChat(t, s, gateway.WithObserver(d), gateway.WithMaxAttempts(1)), path, body)
		if got := linesOf(d.last(), "upstream", "response"); len(got) != 1 ||
			got[0] != "422 "+refusal {
			t.Errorf("%s: %q", path, got)
		}
	}
}

// A loss on the way from Gemini's form to the server counts like an earlier loss. It counts once
// for any number of attempts.
func TestLossesOnTheWayToAServerOfOpenAIAreCountedInEachForm(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ path, body string }{
		"Gemini's form":      {gptPath, `{"contents":[{"role":"user","parts":[{"text":"hello"}]}],"generationConfig":{"topK":3}}`},
		"Messages":           {"/v1/messages", `{"model":"gpt-5.1","max_tokens":9,"top_k":3,"messages":[{"role":"user","content":"hello"}]}`},
		"Messages, streamed": {"/v1/messages", `{"model":"gpt-5.1","max_tokens":9,"stream":true,"top_k":3,"messages":[{"role":"user","content":"hello"}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, d, asked := &chatServer{}, &diary{}, 0
			s.answer = func(r *http.Request, body string) *http.Response {
				if asked++; asked == 1 {
					return chatReply(503,
						`{"error":{"message":"Later.","type":"server_error","param":null,"code":null}}`)
				}
				return s.answers(r, body)
			}
			answer := post(gatewayOfChat(t, s, gateway.WithObserver(d), gateway.WithMaxAttempts(2)),
				tc.path, tc.body)
			if end := d.last().end; answer.Code != 200 || asked != 2 || end.Lost != 1 ||
				answer.Header().Get("X-Gemwire-Losses") != "1" {
				t.Errorf("HTTP %d, asked %d times, %d lost, the header says %s", answer.Code, asked,
					end.Lost, answer.Header().Get("X-Gemwire-Losses"))
			}
		})
	}
}
