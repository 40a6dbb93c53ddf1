package gateway_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/test/descriptiontest"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/gemwire/gemwire/server/gateway"
)

const messagesPath = "/v1/messages"

// said returns a request of one text, with other members.
func said(text, members string) string {
	return `{"model":"gemini-3.6-flash","max_tokens":1000,"messages":[{"role":"user","content":"` +
		text + `"}]` + members + `}`
}

// messageOf returns the message of an answer, which must be a message.
func messageOf(t testing.TB, answer *httptest.ResponseRecorder) *anthropicapi.Message {
	t.Helper()
	if answer.Code != http.StatusOK {
		t.Fatalf("HTTP %d: %s", answer.Code, answer.Body)
	}
	descriptiontest.Anthropic(t, "Message", answer.Body.Bytes())
	message, err := anthropic.DecodeResponse(answer.Body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if err := anthropic.ValidateResponse(message); err != nil {
		t.Errorf("%v: %s", err, answer.Body)
	}
	return message
}

// messageEventsOf returns the events of a stream, without pings. They must be in order.
func messageEventsOf(t testing.TB, body []byte) (out []anthropicapi.StreamEvent, pings int) {
	t.Helper()
	var all []anthropicapi.StreamEvent
	for _, event := range descriptiontest.NamedEvents(t, body) {
		descriptiontest.Anthropic(t, "StreamEvent", []byte(event.Data))
		decoded, err := anthropic.DecodeEvent([]byte(event.Data))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, *decoded)
		if decoded.Type == "ping" {
			pings++
		} else {
			out = append(out, *decoded)
		}
	}
	if err := anthropic.CheckSequence(all); err != nil {
		t.Errorf("%v: %s", err, body)
	}
	return out, pings
}

// streamedMessage returns the message that Anthropic's clients build from a stream.
func streamedMessage(t testing.TB, body []byte) *anthropicapi.Message {
	t.Helper()
	events, _ := messageEventsOf(t, body)
	var sum anthropic.Accumulator
	for i := range events {
		if err := sum.Push(&events[i]); err != nil {
			t.Fatalf("%v: %s", err, body)
		}
	}
	return sum.Message()
}

func TestMessagesAreAnswered(t *testing.T) {
	t.Parallel()
	handler := newGateway(t,
		gateway.WithAliases(map[string]string{"claude-sonnet-5": "gemini-3.6-flash"}))
	for _, model := range []string{"claude-sonnet-5", "claude-sonnet-5[1m]", "gemini-3.6-flash",
		"claude-gemini-3.6-flash"} {
		body := strings.Replace(said("hello", ""), "gemini-3.6-flash", model, 1)
		whole := post(handler, messagesPath+"?beta=true", body, "Anthropic-Version", "2023-06-01",
			"Anthropic-Beta", "claude-code-20250219,unknown-2099-01-01")
		stream := post(handler, messagesPath, streamed(body))
		for _, message := range []*anthropicapi.Message{messageOf(t, whole),
			streamedMessage(t, stream.Body.Bytes())} {
			if anthropic.Text(message) != "You said: hello" || message.Model != model ||
				!strings.HasPrefix(message.ID, "msg_") ||
				jsonx.Deref(message.StopReason) != "end_turn" ||
				jsonx.Deref(message.Usage.InputTokens) == 0 {
				t.Errorf("%s: answered %+v", model, message)
			}
		}
		for _, answer := range []*httptest.ResponseRecorder{whole, stream} {
			if id := answer.Header().Get("Request-Id"); !strings.HasPrefix(id, "req_") ||
				answer.Header().Get("X-Gemwire-Model") != "gemini-3.6-flash" {
				t.Errorf("%s: the header is %v", model, answer.Header())
			}
		}
	}
}

// Clients send signatures back with their calls, over three turns, whole and streamed.
func TestSignaturesComeBackOverThreeTurns(t *testing.T) {
	t.Parallel()
	tools := `,"tools":[{"name":"get_weather","input_schema":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}],"tool_choice":{"type":"any"}`
	for name, test := range map[string]struct {
		stream, dropsThinking bool
		members               string
	}{
		"whole": {}, "streamed": {stream: true}, "by a client that drops thoughts": {dropsThinking: true},
		"without thinking": {members: `,"thinking":{"type":"disabled"}`}, "streamed without thinking": {stream: true, members: `,"thinking":{"type":"disabled"}`},
	} {
		server := geminitest.NewServer(t)
		handler := gatewayOf(t, server)
		history := []anthropicapi.InputMessage{anthropic.UserText("What is the weather in Porto?")}
		for range 3 {
			request := &anthropicapi.CreateMessageRequest{Model: "gemini-3.6-flash",
				MaxTokens: new(1000), Messages: history}
			body, err := anthropic.EncodeRequest(request)
			if err != nil {
				t.Fatal(err)
			}
			text := strings.TrimSuffix(string(body), "}") + tools + test.members + "}"
			var message *anthropicapi.Message
			if test.stream {
				message = streamedMessage(t,
					post(handler, messagesPath, streamed(text)).Body.Bytes())
			} else {
				message = messageOf(t, post(handler, messagesPath, text))
			}
			if jsonx.Deref(message.StopReason) != "tool_use" {
				t.Fatalf("%s: ended by %q", name, jsonx.Deref(message.StopReason))
			}
			history = append(history, turnAndResults(message, test.dropsThinking)...)
		}
		wantSigned(t, name, lastPrompt(t, server), 2)
	}
}

// turnAndResults returns the message that the client sends back, with the results of its calls.
func turnAndResults(message *anthropicapi.Message, dropsThinking bool) []anthropicapi.InputMessage {
	turn := anthropic.AssistantTurn(message)
	var results, kept []anthropicapi.ContentBlock
	for _, block := range message.Content {
		if block.Type == anthropicapi.BlockTypeToolUse {
			results = append(results, anthropic.ToolResult(*block.ID, "sunny"))
		}
		if block.Type != anthropicapi.BlockTypeThinking {
			kept = append(kept, block)
		}
	}
	if dropsThinking {
		turn.Content = wiretype.ValueOf(kept)
	}
	return []anthropicapi.InputMessage{turn, anthropic.UserBlocks(results...)}
}

// wantSigned checks that a prompt has n signed calls, and no placeholder for a signature.
func wantSigned(t testing.TB, name, prompt string, calls int) {
	t.Helper()
	if got := strings.Count(prompt, `"thoughtSignature"`); got < calls ||
		strings.Contains(prompt, "skip_thought_signature_validator") {
		t.Errorf("%s: %d signatures came back: %s", name, got, prompt)
	}
}

// The probe of Claude Code, which allows one token, is answered by a message without content. So is
// the helper that names a conversation, with an empty list of tools.
func TestRequestsOfHelpersAreAnswered(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t, geminitest.WithScript(geminitest.On().Reply(geminitest.Chunk(
		`{"candidates":[{"content":{"role":"model"},"finishReason":"MAX_TOKENS"}],"usageMetadata":{"promptTokenCount":4,"totalTokenCount":4}}`)).Times(2)))
	handler := gatewayOf(t, server,
		gateway.WithAliases(map[string]string{"haiku": "gemini-2.5-flash"}))
	probe := `{"model":"haiku","max_tokens":1,"messages":[{"role":"user","content":"quota"}],"metadata":{"user_id":"{\"device_id\":\"x\"}"}}`
	for _, message := range []*anthropicapi.Message{messageOf(t,
		post(handler, messagesPath, probe)),
		streamedMessage(t, post(handler, messagesPath, streamed(probe)).Body.Bytes())} {
		if len(message.Content) != 0 || jsonx.Deref(message.StopReason) != "max_tokens" ||
			message.Content == nil {
			t.Errorf("the probe gets %+v", message)
		}
	}
	title := said("fix the build",
		`,"stream":true,"tools":[],"thinking":{"type":"disabled"},"temperature":1,"system":[{"type":"text","text":"x-anthropic-billing-header: cc_version=2"},{"type":"text","text":"Name it."}],"output_config":{"format":{"type":"json_schema","schema":{"type":"object","properties":{"title":{"type":"string"}},"required":["title"],"additionalProperties":false}}}`)
	message := streamedMessage(t, post(handler, messagesPath, title).Body.Bytes())
	if !strings.Contains(anthropic.Text(message), `"title"`) {
		t.Errorf("the helper gets %+v", message)
	}
	if prompt := lastPrompt(t, server); strings.Contains(prompt, "x-anthropic-billing-header") ||
		strings.Contains(prompt, "device_id") {
		t.Errorf("Gemini gets what is between the client and Anthropic: %s", prompt)
	}
}

// F1 and F3 of Anthropic's errors: types, statuses and the wording that clients react to. Neither
// the recorded request nor its answer contains a key, and the model does not learn it.
func TestKeysAreNotShownAndPromptsAreNotRewritten(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	d := &diary{wantsBodies: true}
	handler := gatewayOf(t, server, gateway.WithObserver(d))
	answer := post(handler, messagesPath, said("who are you?", `,"system":"You are Claude."`),
		"X-Api-Key", "sk-ant-secret", "Authorization", "Bearer sk-ant-secret")
	messageOf(t, answer)
	if told := strings.Join(d.last().lines, "\n") +
		answer.Body.String(); strings.Contains(told, "sk-ant-secret") {
		t.Errorf("the key is shown: %s", told)
	}
	if prompt := lastPrompt(t, server); !strings.Contains(prompt,
		`"systemInstruction":{"parts":[{"text":"You are Claude."}]}`) {
		t.Errorf("the model gets %s", prompt)
	}
}

func TestFailuresOfGeminiAreThoseOfAnthropic(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault   geminitest.Block
		status  int
		kind    string
		message string
		headers map[string]string
	}{
		"too long": {geminitest.Error(400, "INVALID_ARGUMENT",
			"The input token count (1048577) exceeds the maximum number of tokens allowed (1048576)."),
			400, "invalid_request_error", "prompt is too long: 1048577 tokens > 1048576 maximum",
			nil},
		"invalid":           {geminitest.Error(400, "INVALID_ARGUMENT", "No."), 400, "invalid_request_error", "No.", nil},
		"quota of a minute": {geminitest.RateLimited(7500 * time.Millisecond), 429, "rate_limit_error", "rate limit", map[string]string{"Retry-After": "8", "X-Should-Retry": ""}},
		"quota of a day":    {geminitest.DailyQuota(7 * time.Second), 429, "rate_limit_error", "quota", map[string]string{"X-Should-Retry": "false"}},
		"no such model":     {geminitest.NotFound(), 404, "not_found_error", "model: ", nil},
		"gateway's key":     {geminitest.InvalidKey(), 403, "permission_error", "this gateway's key", nil},
		"internal":          {geminitest.InternalError(), 500, "api_error", "", nil},
		"unavailable":       {geminitest.Unavailable(), 529, "overloaded_error", "", nil},
		"too slow":          {geminitest.DeadlineExceeded(), 504, "timeout_error", "", nil},
		"a page":            {geminitest.HTMLPage(502), 502, "api_error", "", nil},
		"cut off":           {geminitest.Reset(), 502, "api_error", "", nil},
		"a call that is invalid": {geminitest.Chunk(`{"candidates":[{"content":{"role":"model"},"finishReason":"MALFORMED_FUNCTION_CALL","finishMessage":"bad call"}],"usageMetadata":{"promptTokenCount":1,"totalTokenCount":1}}`),
			502, "api_error", "MALFORMED_FUNCTION_CALL: bad call", nil},
	} {
		for _, body := range []string{said("hello", ""), streamed(said("hello", ""))} {
			synctest.Test(t, func(t *testing.T) {
				server := geminitest.NewServer(t,
					geminitest.WithScript(geminitest.On().Reply(test.fault).Times(10)))
				answer := post(gatewayOf(t, server), messagesPath, body)
				e := anthropicErrorOf(t, answer, test.status)
				if e.Error.Type != test.kind || !strings.Contains(e.Error.Message, test.message) ||
					e.Error.Message == "" {
					t.Errorf("%s: %+v", name, e.Error)
				}
				for header, want := range test.headers {
					if got := answer.Header().Get(header); got != want {
						t.Errorf("%s: %s is %q, expected %q", name, header, got, want)
					}
				}
			})
		}
	}
}

// A stream that fails in the middle ends with an error of the right type, and a waiting client
// learns of it.
func TestAStreamThatFailsEndsByAnError(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]geminitest.Block{"cut off": geminitest.Cut(),
		"an error": geminitest.AsEvent(geminitest.Unavailable())} {
		server := geminitest.NewServer(t,
			geminitest.WithScript(geminitest.On().Reply(geminitest.Text("Half an "), fault)))
		answer := post(gatewayOf(t, server), messagesPath, streamed(said("hello", "")))
		events, _ := messageEventsOf(t, answer.Body.Bytes())
		last := events[len(events)-1]
		want := map[string]string{"cut off": "api_error", "an error": "overloaded_error"}[name]
		if last.Type != "error" || last.Error.Type != want ||
			jsonx.Deref(last.RequestID) != answer.Header().Get("Request-Id") {
			t.Errorf("%s: ends by %s", name, answer.Body)
		}
	}
}

// Anthropic's clients count pings, which may also come before the first event.
func TestASilentStreamIsKeptAliveByPings(t *testing.T) {
	t.Parallel()
	for mode, want := range map[gateway.HeartbeatMode]int{gateway.HeartbeatComment: 5,
		gateway.HeartbeatChunk: 5, gateway.HeartbeatOff: 0} {
		synctest.Test(t, func(t *testing.T) {
			server := geminitest.NewServer(t,
				geminitest.WithScript(geminitest.On().Reply(geminitest.TTFT(38*time.Second),
					geminitest.Text("Late, "), geminitest.Pause(15*time.Second),
					geminitest.Text("and slow."))))
			answer := post(gatewayOf(t, server, gateway.WithHeartbeat(mode, 10*time.Second)),
				messagesPath, streamed(said("hello", "")))
			_, pings := messageEventsOf(t, answer.Body.Bytes())
			if text := anthropic.Text(streamedMessage(t, answer.Body.Bytes())); pings != want ||
				text != "Late, and slow." {
				t.Errorf("%s: %d pings, expected %d, and %q", mode, pings, want, text)
			}
		})
	}
}

func TestMessagesAreStrictAndReportByHeader(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	lossy := said("hello",
		`,"metadata":{"user_id":"x"},"speed":"fast","cache_control":{"type":"ephemeral"},"top_level_nonsense":1`)
	for _, body := range []string{lossy, streamed(lossy)} {
		answer := post(handler, messagesPath, body, "X-Gemwire-Report", "true")
		wantInOrder(t, answer.Body.String(), `"extra_content":{"gemwire":{"request":[`,
			`"/top_level_nonsense"`, `"answer":[`)
		e := anthropicErrorOf(t, post(handler, messagesPath, body, "X-Gemwire-Strict", "true"),
			http.StatusBadRequest)
		if !strings.Contains(e.Error.Message, "/top_level_nonsense") {
			t.Errorf("strict: %+v", e.Error)
		}
	}
}

func TestMessagesTakeKeysInEitherHeader(t *testing.T) {
	t.Parallel()
	handler := gatewayOf(t, geminitest.NewServer(t), gateway.WithClientKeys(keysOf(t, "alice")))
	for _, headers := range [][]string{{"X-Api-Key", "key-of-alice"},
		{"Authorization", "Bearer key-of-alice"}, {"X-Api-Key", "key-of-alice", "Authorization",
			"Bearer key-of-alice"}} {
		messageOf(t, post(handler, messagesPath, said("hello", ""), headers...))
	}
	if e := anthropicErrorOf(t, post(handler, messagesPath, said("hello", "")),
		http.StatusUnauthorized); e.Error.Type != "authentication_error" {
		t.Errorf("without a key: %+v", e.Error)
	}
}

// If a client disconnects, the gateway cancels the call of Gemini, in every form.
func TestAClientThatLeavesEndsTheCallInTheNewForms(t *testing.T) {
	t.Parallel()
	for path, body := range map[string]string{messagesPath: said("hello", ""),
		responsesPath: asked("hello", "")} {
		for _, body := range []string{body, streamed(body)} {
			synctest.Test(t, func(t *testing.T) {
				server := geminitest.NewServer(t,
					geminitest.WithScript(geminitest.On().Reply(geminitest.Text("one "),
						geminitest.Stall())))
				handler := gatewayOf(t, server)
				ctx, leave := context.WithTimeout(t.Context(), 3*time.Second)
				defer leave()
				request := httptest.NewRequestWithContext(ctx, http.MethodPost, path,
					strings.NewReader(body))
				request.Header.Set("Content-Type", "application/json")
				start := time.Now()
				handler.ServeHTTP(httptest.NewRecorder(), request)
				if took := time.Since(start); took > 3100*time.Millisecond {
					t.Errorf("%s: the call went on for %v", path, took)
				}
			})
		}
	}
}

func TestFinishReasonsThatNothingFitsAreFailures(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t,
		geminitest.WithScript(geminitest.On().Reply(geminitest.Text("Some "),
			geminitest.Pause(10*time.Millisecond), geminitest.Text("text. "),
			geminitest.Finish(geminiapi.FinishReasonMalformedFunctionCall)).Times(2)))
	handler := gatewayOf(t, server)
	events, _ := messageEventsOf(t,
		post(handler, messagesPath, streamed(said("hello", ""))).Body.Bytes())
	if last := events[len(events)-1]; last.Type != "error" || last.Error.Type != "api_error" {
		t.Errorf("ends by %+v", last)
	}
}

// Anthropic refuses a request without max_tokens, but Gemini answers it. The gateway answers it
// too.
func TestMessagesNeedNoLimit(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	answer := post(gatewayOf(t, server), "/v1/messages",
		`{"model":"gemini-3.6-flash","messages":[{"role":"user","content":"hello"}]}`,
		"anthropic-version", "2023-06-01")
	if answer.Code != http.StatusOK || !strings.Contains(answer.Body.String(), "You said: hello") ||
		strings.Contains(string(server.Requests()[0].Body), "maxOutputTokens") {
		t.Errorf("HTTP %d: %s", answer.Code, answer.Body)
	}
}

// Claude Code sends a request again unless it knows the wording, or finds the token.
func TestAFeatureThatGeminiDoesNotHaveIsACapabilityThatIsRejected(t *testing.T) {
	t.Parallel()
	handler := gatewayAnswering(t, func(r *http.Request) *http.Response {
		return replyOf(200, wholeAnswer)
	})
	const token = "capability_rejected: "
	for name, test := range map[string]struct {
		body     string
		headers  []string
		rejected bool
	}{
		"a loss that is refused": {said("hello", `,"container":"c"`),
			[]string{"X-Gemwire-Strict", "true"}, true},
		"two tools of one name":  {said("hello", `,"tools":[{"name":"f","input_schema":{}},{"name":"f","input_schema":{}}]`), nil, true},
		"a role that is unknown": {`{"model":"gemini-3.6-flash","max_tokens":5,"messages":[{"role":"x","content":"y"}]}`, nil, false},
	} {
		e := anthropicErrorOf(t, post(handler, messagesPath, test.body, test.headers...), 400)
		if strings.HasPrefix(e.Error.Message, token) != test.rejected {
			t.Errorf("%s: %s", name, e.Error.Message)
		}
	}
}
