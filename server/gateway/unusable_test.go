package gateway_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/ratecard"
)

// Unusable answers.
const (
	malformedCall = `{"candidates":[{"content":{"role":"model"},"finishReason":"MALFORMED_FUNCTION_CALL",` +
		`"finishMessage":"bad call"}],"usageMetadata":{"promptTokenCount":7,"totalTokenCount":7}}`
	emptyStop = `{"candidates":[{"content":{"role":"model","parts":[{"text":""}]},"finishReason":"STOP"}],` +
		`"usageMetadata":{"promptTokenCount":7,"totalTokenCount":7}}`
	emptyBegin  = `{"candidates":[{"content":{"role":"model","parts":[{"text":""}]}}]}`
	usableReply = `{"candidates":[{"content":{"role":"model","parts":[{"text":"It rains."}]},"finishReason":"STOP"}],` +
		`"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":3,"totalTokenCount":12}}`
)

// requestsInForms are the same request in each form, whole and as a stream.
func requestsInForms(members string) map[string][2]string {
	return map[string][2]string{
		"chat_completions": {chatPath, `{"model":"gemini-3.6-flash",` + members +
			`"messages":[{"role":"user","content":"hello"}]}`},
		"chat_completions, streamed": {chatPath, `{"model":"gemini-3.6-flash","stream":true,` + members +
			`"messages":[{"role":"user","content":"hello"}]}`},
		"Responses": {responsesPath, `{"model":"gemini-3.6-flash","store":false,` + members +
			`"input":"hello"}`},
		"Responses, streamed": {responsesPath, `{"model":"gemini-3.6-flash","store":false,"stream":true,` +
			members + `"input":"hello"}`},
		"Messages": {messagesPath, `{"model":"gemini-3.6-flash","max_tokens":99,` + members +
			`"messages":[{"role":"user","content":"hello"}]}`},
		"Messages, streamed": {messagesPath, `{"model":"gemini-3.6-flash","max_tokens":99,"stream":true,` +
			members + `"messages":[{"role":"user","content":"hello"}]}`},
	}
}

func TestAModelIsCalledAgainAfterAnUnusableAnswer(t *testing.T) {
	t.Parallel()
	for what, bad := range map[string][]string{
		"a malformed call":           {malformedCall},
		"an empty answer":            {emptyStop},
		"an empty answer in chunks":  {emptyBegin, emptyStop},
		"no candidate and no reason": {`{"usageMetadata":{"promptTokenCount":7,"totalTokenCount":7}}`},
	} {
		for form, request := range requestsInForms("") {
			isStream := strings.Contains(form, "streamed")
			if !isStream && len(bad) > 1 || isStream && what == "no candidate and no reason" {
				continue
			}
			t.Run(what+" in "+form, func(t *testing.T) {
				t.Parallel()
				var chunks []geminitest.Block
				for _, chunk := range bad {
					chunks = append(chunks, geminitest.Chunk(chunk))
				}
				server := geminitest.NewServer(t, geminitest.WithScript(
					geminitest.On(geminitest.System("Your last answer")).
						Reply(geminitest.Chunk(usableReply)),
					geminitest.On().Reply(chunks...)))
				d := &diary{}
				handler := gatewayOf(t, server, gateway.WithObserver(d),
					gateway.WithRateCard(ratecard.Google()))
				answer := post(handler, request[0], request[1])
				if answer.Code != http.StatusOK ||
					!strings.Contains(answer.Body.String(), "It rains.") {
					t.Fatalf("answered %d %s", answer.Code, answer.Body)
				}
				p := d.last()
				if len(p.attempts) != 2 || p.attempts[0].Err == "" || p.attempts[0].Status != 200 {
					t.Errorf("the attempts are %+v", p.attempts)
				}
				if u := p.end.Usage; u.InputTokens != 16 || u.OutputTokens != 3 ||
					p.end.Cost == nil || len(p.end.Cost.Lines) != 3 {
					t.Errorf("ended with %+v, cost %+v", u, p.end.Cost)
				}
			})
		}
	}
}

func TestAnAnswerThatStaysEmptyIsAnError(t *testing.T) {
	t.Parallel()
	for form, request := range requestsInForms("") {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			server := geminitest.NewServer(t, geminitest.WithScript(
				geminitest.On().Reply(geminitest.Chunk(emptyStop)).Times(2)))
			d := &diary{}
			answer := post(gatewayOf(t, server, gateway.WithObserver(d)), request[0], request[1])
			if answer.Code != http.StatusBadGateway ||
				!strings.Contains(answer.Body.String(), "empty answer") {
				t.Errorf("answered %d %s", answer.Code, answer.Body)
			}
			end := d.last().end
			if end.ErrorCode != "empty_answer" || end.Usage.InputTokens != 14 ||
				len(server.Requests()) != 2 {
				t.Errorf("ended with %+v after %d calls", end, len(server.Requests()))
			}
		})
	}
}

func TestAnEmptyAnswerCanBeRight(t *testing.T) {
	t.Parallel()
	stop := `"stop":["END"],`
	for what, given := range map[string]struct {
		path, body string
		opts       []gateway.Option
	}{
		"a text that stops the model": {chatPath, requestsInForms(stop)["chat_completions"][1], nil},
		"the model's own beginning": {messagesPath, `{"model":"gemini-2.5-flash","max_tokens":9,"messages":[` +
			`{"role":"user","content":"hello"},{"role":"assistant","content":"Good"}]}`, nil},
		"by the setting": {chatPath, requestsInForms("")["chat_completions"][1],
			[]gateway.Option{gateway.WithRetryMalformed(0)}},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			server := geminitest.NewServer(t, geminitest.WithScript(
				geminitest.On().Reply(geminitest.Chunk(emptyStop))))
			answer := post(gatewayOf(t, server, given.opts...), given.path, given.body)
			if answer.Code != http.StatusOK || len(server.Requests()) != 1 {
				t.Errorf("answered %d %s after %d calls", answer.Code, answer.Body,
					len(server.Requests()))
			}
		})
	}
}

// The client has the text already, so the stream cannot begin again.
func TestAStreamThatHasBegunIsNotRepeated(t *testing.T) {
	t.Parallel()
	for form, request := range requestsInForms("") {
		if !strings.Contains(form, "streamed") {
			continue
		}
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			server := geminitest.NewServer(t, geminitest.WithScript(
				geminitest.On().Reply(geminitest.Text("I look it up."), geminitest.Chunk(malformedCall))))
			post(gatewayOf(t, server), request[0], request[1])
			if n := len(server.Requests()); n != 1 {
				t.Errorf("the model was called %d times", n)
			}
		})
	}
}

func TestTheThirdCallRequiresAFunctionCallIfTheClientLetsTheModelChoose(t *testing.T) {
	t.Parallel()
	const tools = `"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}],`
	for choice, want := range map[string]string{
		"": `"ANY"`, `"tool_choice":"auto",`: `"ANY"`, `"tool_choice":"none",`: `"NONE"`,
	} {
		t.Run(choice, func(t *testing.T) {
			t.Parallel()
			server := geminitest.NewServer(t, geminitest.WithScript(
				geminitest.On().Reply(geminitest.Chunk(malformedCall)).Times(3),
				geminitest.On().Reply(geminitest.Chunk(usableReply)).Unchecked()))
			request := requestsInForms(tools + choice)["chat_completions"]
			answer := post(gatewayOf(t, server, gateway.WithRetryMalformed(9)), request[0], request[1])
			requests := server.Requests()
			if answer.Code != http.StatusOK || len(requests) != 4 {
				t.Fatalf("answered %d %s after %d calls", answer.Code, answer.Body, len(requests))
			}
			if body := string(requests[1].Body); strings.Contains(body, `"ANY"`) {
				t.Errorf("the second call already requires a call: %s", body)
			}
			if body := string(requests[2].Body); !strings.Contains(body, want) {
				t.Errorf("the third call is %s", body)
			}
		})
	}
}

// The second answer is cut before it reports its tokens, so they are estimated. Those of the first
// are known.
func TestAnUnusableAnswerCountsAlsoIfTheNextOneIsCut(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t, geminitest.WithScript(
		geminitest.On(geminitest.System("Your last answer")).
			Reply(geminitest.Chunk(`{"candidates":[{"content":{"role":"model","parts":[{"text":"It rains."}]}}]}`),
				geminitest.Cut()),
		geminitest.On().Reply(geminitest.Chunk(malformedCall))))
	d := &diary{}
	post(gatewayOf(t, server, gateway.WithObserver(d)), chatPath,
		requestsInForms("")["chat_completions, streamed"][1])
	request := requestsInForms("")["chat_completions, streamed"][1]
	if end := d.last().end; !end.UsageEstimated || end.Usage.InputTokens != len(request)/4+7 {
		t.Errorf("ended with %+v", end.Usage)
	}
}
