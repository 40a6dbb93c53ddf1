package gateway_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
)

// inThreeReplies is a server whose answer comes in three replies.
func inThreeReplies(t *testing.T) *geminitest.Server {
	t.Helper()
	return geminitest.NewServer(t, geminitest.WithModels("gemini-4-argon"), geminitest.WithScript(
		geminitest.On().Reply(geminitest.Text("one "), geminitest.Continue("dDE=")).
			Reply(geminitest.Text("two "),
				geminitest.Continue("dDI=")).Reply(geminitest.Text("three"))))
}

func TestAnAnswerInSeveralRepliesIsOneInAllForms(t *testing.T) {
	t.Parallel()
	for name, form := range storedForms {
		if strings.HasPrefix(name, "native") {
			continue
		}
		server, d := inThreeReplies(t), &diary{}
		handler := gatewayOf(t, server, gateway.WithObserver(d))
		body := strings.NewReplacer("gemini-3.5-flash", "gemini-4-argon", "%s",
			"").Replace(form.body)
		answer := post(handler, form.path, body).Body.String()
		at := 0
		for _, text := range []string{"one ", "two ", "three"} {
			next := strings.Index(answer[at:], text)
			if next < 0 {
				t.Fatalf("%s: no %q in %s", name, text, answer)
			}
			at += next
		}
		if strings.Contains(answer, "CONTINUATION") || strings.Contains(answer, "dDE=") {
			t.Errorf("%s: the answer shows where a reply ends: %s", name, answer)
		}
		end := d.last().end
		if requests := server.Requests(); len(requests) != 3 || end.FinishReason != "stop" ||
			end.Usage.InputTokens != 3 || end.Usage.OutputTokens < 3 {
			t.Errorf("%s: %d requests, ended %+v", name, len(requests), end)
		}
	}
}

func TestGooglesOwnPathsLeaveContinuationToTheClient(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/v1beta/models/gemini-4-argon:generateContent",
		"/v1beta/models/gemini-4-argon:streamGenerateContent?alt=sse"} {
		server := inThreeReplies(t)
		answer := post(gatewayOf(t, server), path, nativeHello).Body.String()
		if !strings.Contains(answer, `"CONTINUATION"`) || !strings.Contains(answer, "dDE=") ||
			len(server.Requests()) != 1 {
			t.Errorf("%d requests: %s", len(server.Requests()), answer)
		}
	}
}

func TestALaterReplyThatFailsIsTheErrorOfTheAnswer(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t, geminitest.WithModels("gemini-4-argon"),
		geminitest.WithScript(
			geminitest.On().Reply(geminitest.Text("one "),
				geminitest.Continue("dDE=")).Reply(geminitest.PermissionDenied())))
	answer := post(gatewayOf(t, server), "/v1/chat/completions",
		`{"model":"gemini-4-argon","messages":[{"role":"user","content":"hello"}]}`)
	if answer.Code < 400 || strings.Contains(answer.Body.String(), "one ") {
		t.Errorf("HTTP %d: %s", answer.Code, answer.Body)
	}
}
