package gateway_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/test/descriptiontest"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/server/gateway"
)

// Failures have the codes that codex reacts to, as HTTP errors and at the end of a stream that has
// begun.
func TestFailuresHaveTheCodesThatClientsActOn(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault         geminitest.Block
		status        int
		code, message string
	}{
		"quota of a minute": {geminitest.RateLimited(7500 * time.Millisecond), 429, "rate_limit_exceeded", "try again in 7.5s"},
		"quota of a day":    {geminitest.DailyQuota(7 * time.Second), 429, "insufficient_quota", "quota"},
		"too long": {geminitest.Error(400, "INVALID_ARGUMENT",
			"The input token count (1048577) exceeds the maximum number of tokens allowed (1048576)."),
			400, "context_length_exceeded", "1048577"},
		"unavailable": {geminitest.Unavailable(), 503, "server_is_overloaded", ""},
		"internal":    {geminitest.InternalError(), 500, "server_error", ""},
		"no model":    {geminitest.NotFound(), 404, "model_not_found", ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			for _, body := range []string{asked("hello", ""), asked("hello", `,"stream":true`)} {
				server := geminitest.NewServer(t,
					geminitest.WithScript(geminitest.On().Reply(test.fault).Times(10)))
				e := errorOf(t, post(gatewayOf(t, server), responsesPath, body), test.status)
				if jsonx.Deref(e.Code) != test.code || !strings.Contains(e.Message, test.message) {
					t.Errorf("%s: %+v, code %q", name, e, jsonx.Deref(e.Code))
				}
			}
			server := geminitest.NewServer(t,
				geminitest.WithScript(geminitest.On().Reply(geminitest.TTFT(20*time.Second),
					test.fault).Times(10)))
			answer := post(gatewayOf(t, server), responsesPath, asked("hello", `,"stream":true`))
			events := responseEventsOf(t, answer.Body.Bytes())
			last := events[len(events)-1]
			want := test.code
			switch name {
			case "no model": // for which responses have no code
				want = "invalid_prompt"
			case "unavailable": // after whose code codex (0.169) gives up in a stream
				want = "server_error"
			}
			if last.Type != openaiapi.ResponseEventTypeFailed || last.Response.Error == nil ||
				string(last.Response.Error.Code) != want ||
				!strings.Contains(last.Response.Error.Message, test.message) {
				t.Errorf("%s: the stream ends by %s", name, answer.Body)
			}
		})
	}
}

// A response repeats the tools and the schema of its request. If they were invalid, no Go client
// could read the response.
func TestANumberThatIsTooLargeIsRefused(t *testing.T) {
	t.Parallel()
	handler := gatewayOf(t, geminitest.NewServer(t))
	const parameters = `{"type":"object","properties":{"n":{"type":"number","maximum":1e400}}}`
	for body, pointer := range map[string]string{
		asked("hello", `,"tools":[{"type":"function","name":"f","parameters":`+parameters+
			`}]`): "/tools/0/parameters/properties/n/maximum",
		asked("hello", `,"text":{"format":{"type":"json_schema","name":"f","schema":`+parameters+
			`}}`): "/text/format/schema/properties/n/maximum",
		asked("hello", `,"prompt":{"id":"p","variables":{"n":-1e999}}`): "/prompt/variables/n",
	} {
		e := errorOf(t, post(handler, responsesPath, body), 400)
		if !strings.HasPrefix(e.Message, pointer+": the number is too large") ||
			jsonx.Deref(e.Code) != "invalid_value" {
			t.Errorf("%s: %+v", body, e)
		}
	}
	for path, body := range map[string]string{
		"/v1/chat/completions": `{"model":"gemini-3.6-flash","messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"f","parameters":` +
			parameters + `}}]}`,
		"/v1/conversations": `{"items":[{"type":"message","role":"user","content":"hi","x":1e400}]}`,
	} {
		if answer := post(handler, path, body); answer.Code != 400 ||
			!strings.Contains(answer.Body.String(), "the number is too large") {
			t.Errorf("%s: %d %s", path, answer.Code, answer.Body)
		}
	}
}

// A stream that breaks off ends with an error and a failed response. The partial output is
// incomplete.
func TestAStreamThatBreaksOffHasFailed(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]geminitest.Block{"cut off": geminitest.Cut(),
		"an error": geminitest.AsEvent(geminitest.Unavailable())} {
		for _, handler := range []*gateway.Handler{
			gatewayOf(t,
				geminitest.NewServer(t,
					geminitest.WithScript(geminitest.On().Reply(geminitest.Text("Half an "),
						geminitest.Pause(10*time.Millisecond), fault)))),
			keeping(t, geminitest.NewServer(t,
				geminitest.WithScript(geminitest.On().Reply(geminitest.Text("Half an "),
					geminitest.Pause(10*time.Millisecond), fault)))),
		} {
			answer := post(handler, responsesPath, asked("hello", `,"stream":true`))
			events := responseEventsOf(t, answer.Body.Bytes())
			last := events[len(events)-1]
			if last.Type != openaiapi.ResponseEventTypeFailed ||
				!strings.Contains(responses.Text(last.Response), "Half an") ||
				last.Response.Error == nil {
				t.Errorf("%s: ends by %s", name, answer.Body)
			}
			if name == "an error" &&
				last.Response.Error.Code != openaiapi.ResponseErrorCodeServerError {
				t.Errorf("%s: the code is %q", name, last.Response.Error.Code)
			}
		}
	}
}

// A waiting stream begins with response.created, and its heartbeats are events that codex counts.
func TestASilentResponseBeginsAndIsKeptAlive(t *testing.T) {
	t.Parallel()
	for mode, want := range map[gateway.HeartbeatMode]int{gateway.HeartbeatComment: 4,
		gateway.HeartbeatChunk: 4, gateway.HeartbeatOff: 0} {
		synctest.Test(t, func(t *testing.T) {
			server := geminitest.NewServer(t,
				geminitest.WithScript(geminitest.On().Reply(geminitest.TTFT(38*time.Second),
					geminitest.Text("Late, "), geminitest.Pause(25*time.Second),
					geminitest.Text("and slow."))))
			answer := post(gatewayOf(t, server, gateway.WithHeartbeat(mode, 10*time.Second)),
				responsesPath, asked("hello", `,"stream":true`))
			all := descriptiontest.NamedEvents(t, answer.Body.Bytes())
			beats := 0
			for _, event := range all {
				if event.Name == "keepalive" {
					beats++
				}
			}
			events := responseEventsOf(t, answer.Body.Bytes())
			if beats < want || mode == gateway.HeartbeatOff && beats > 0 ||
				all[0].Name != "response.created" {
				t.Errorf("%s: %d heartbeats: %s", mode, beats, answer.Body)
			}
			if last := events[len(events)-1]; responses.Text(last.Response) != "Late, and slow." {
				t.Errorf("%s: ends by %+v", mode, last)
			}
		})
	}
}

func TestResponsesAreStrictAndReportByHeader(t *testing.T) {
	t.Parallel()
	handler := keeping(t, geminitest.NewServer(t))
	first := responseOf(t, post(handler, responsesPath, asked("hello", "")))
	for _, stream := range []string{"", `,"stream":true`} {
		lossy := `{"model":"gemini-3.6-flash","previous_response_id":"` + first.ID +
			`","input":[{"role":"user","content":"hello","nonsense":1}]` + stream + `}`
		answer := post(handler, responsesPath, lossy, "X-Gemwire-Report", "true")
		wantInOrder(t, answer.Body.String(), `"gemwire":{"request":[`, `"/input/0/nonsense"`,
			`"answer":[`)
		e := errorOf(t, post(handler, responsesPath, lossy, "X-Gemwire-Strict", "true"),
			http.StatusBadRequest)
		if !strings.Contains(e.Message, "/input/0/nonsense") ||
			jsonx.Deref(e.Code) != "lossy_conversion" ||
			jsonx.Deref(e.Param) != "input[0].nonsense" {
			t.Errorf("strict: %+v", e)
		}
	}
}

func TestTheFirstOfSeveralFaultsIsTheParamOfAResponse(t *testing.T) {
	t.Parallel()
	e := errorOf(t, post(newGateway(t), responsesPath,
		asked("hello", `,"temperature":9,"top_p":5`)), http.StatusBadRequest)
	if jsonx.Deref(e.Param) != "temperature" || !strings.Contains(e.Message, "/top_p: 5 is") {
		t.Errorf("got %+v", e)
	}
}
