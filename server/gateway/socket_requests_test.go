package gateway_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
)

func TestNothingFollowsTheEndOfATurn(t *testing.T) {
	t.Parallel()
	client := dialSocket(t, newGateway(t, gateway.WithDoneMark()))
	for range 3 {
		client.send(t, creating("hello", ""))
		frames := client.turn(t)
		for i, f := range frames {
			if f.Sequence == nil || *f.Sequence != i || f.Lane != nil {
				t.Errorf("frame %d is %s", i, f.text)
			}
		}
		if first := frames[0]; first.Type != "response.created" {
			t.Errorf("the turn begins with %s", first.text)
		}
	}
}

func TestMembersAboutStreamsAreTolerated(t *testing.T) {
	t.Parallel()
	client := dialSocket(t, newGateway(t, gateway.WithStrict()))
	for _, members := range []string{`,"stream":true`, `,"stream":false`,
		`,"stream_options":{"include_obfuscation":false},"stream":true`, `,"background":false`,
		`,"generate":true`, `,"generate":null`} {
		if end := client.create(t, "hello", members); end.Type != "response.completed" {
			t.Errorf("%s: %s", members, end.text)
		}
	}
}

func TestFramesThatAreNoRequestsAreRefusedAndTheConnectionStays(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	client := dialSocket(t, gatewayOf(t, server))
	for message, want := range map[string]string{
		`{`:                                 "response.create",
		``:                                  "response.create",
		`[]`:                                "response.create",
		`"response.create"`:                 "response.create",
		`{"type":"response.create"} {}`:     "response.create",
		`{"type":"response.cancel"}`:        "response.create",
		`{"type":7}`:                        "response.create",
		`{"input":"x"}`:                     "response.create",
		`{"type":"response.append"}`:        "response.create",
		`{"type":"response.create"}`:        "model",
		creating("x", `,"input_":1`):        "input",
		creating("x", `,"temperature":"x"`): "temperature",
		creating("x", `,"background":true`): "background",
		creating("x", `,"generate":"no"`):   "generate",
		creating("x", `,"stream_id":""`):    "stream_id",
		creating("x", `,"stream_id":"a b"`): "stream_id",
		creating("x", `,"stream_id":7`):     "stream_id",
		creating("x", `,"stream_id":"`+strings.Repeat("x", 257)+`"`): "stream_id",
	} {
		client.send(t, message)
		f := client.next(t)
		if f.Type != "error" || f.Status != http.StatusBadRequest || f.Error.Code == "" ||
			!strings.Contains(f.Error.Message, want) || f.Lane != nil || f.Error.Type == "" {
			t.Errorf("%s: %s", message, f.text)
		}
		if want == "stream_id" && f.Error.Code != "invalid_stream_id" {
			t.Errorf("%s: %s", message, f.text)
		}
	}
	if calls := len(server.Requests()); calls != 0 {
		t.Errorf("%d calls of Gemini", calls)
	}
	if end := client.create(t, "hello", ""); end.Type != "response.completed" {
		t.Errorf("%s", end.text)
	}
}

func TestAWarmUpCallsNoModelAndCanBeContinued(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	client := dialSocket(t, gatewayOf(t, server, gateway.WithStrict()))
	client.send(t, creating("one", `,"generate":false,"store":false,"instructions":"Be brief."`+weatherTool))
	frames := client.turn(t)
	end := frames[len(frames)-1]
	if end.Type != "response.completed" || len(end.Response.Output) != 0 ||
		end.Response.Usage == nil || end.Response.Usage.Total != 0 ||
		frames[0].Type != "response.created" {
		t.Fatalf("%s", end.text)
	}
	if calls := len(server.Requests()); calls != 0 {
		t.Errorf("%d calls of Gemini", calls)
	}
	next := client.create(t, "two", `,"store":false,"previous_response_id":"`+end.Response.ID+`"`)
	if next.Type != "response.completed" {
		t.Fatalf("%s", next.text)
	}
	prompt := lastPrompt(t, server)
	wantInOrder(t, prompt, `"one"`, `"two"`)
	if strings.Contains(prompt, "Be brief.") { // instructions are not inherited
		t.Errorf("%s", prompt)
	}
}

func TestAWarmUpIsCheckedLikeARequest(t *testing.T) {
	t.Parallel()
	client := dialSocket(t, newGateway(t))
	f := client.create(t, "x", `,"generate":false,"tools":[{"type":"function"}]`)
	if f.Type != "error" || f.Status != http.StatusBadRequest {
		t.Errorf("%s", f.text)
	}
}

func TestReceiptsAreSilentAndSteeringFailsInItsOwnFrames(t *testing.T) {
	t.Parallel()
	client := dialSocket(t, newGateway(t))
	client.send(t, `{"type":"response.processed","response_id":"resp_1"}`)
	client.send(t, `{"type":"response.steer","previous_response_id":"resp_1","input":"left"}`)
	if f := client.next(t); f.Type != "response.steer.failed" ||
		f.Error.Code != "steering_not_supported" || string(f.Input) != `"left"` ||
		f.Sequence == nil || f.Steer.ID == "" {
		t.Errorf("%s", f.text)
	}
	client.send(t, `{"type":"response.inject","response_id":"resp_1","input":[{"role":"user"}]}`)
	if f := client.next(t); f.Type != "response.inject.failed" ||
		f.Error.Code != "response_not_found" || string(f.Input) != `[{"role":"user"}]` ||
		f.ResponseID != "resp_1" {
		t.Errorf("%s", f.text)
	}
}

func TestAClientThatOnlySendsFramesWithoutARequestIsDisconnected(t *testing.T) {
	t.Parallel()
	for name, message := range map[string]string{"receipts": `{"type":"response.processed"}`,
		"no JSON": `{`} {
		client := dialSocket(t, newGateway(t))
		for range 101 {
			client.send(t, message)
		}
		if code := client.closed(); code != websocket.StatusPolicyViolation {
			t.Errorf("%s: closed with %d", name, code)
		}
	}
}

func TestARateLimitBeforeTheFirstChunkIsAnErrorFrameWithItsHeaders(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t, geminitest.WithScript(
		geminitest.On().Reply(geminitest.RateLimited(7e9)).Times(1),
		geminitest.On().Reply(geminitest.Text("fine"))))
	client := dialSocket(t, gatewayOf(t, server))
	f := client.create(t, "x", `,"stream_id":"a"`)
	if f.Type != "error" || f.Status != http.StatusTooManyRequests || f.Error.Code == "" ||
		f.Headers["retry-after"] != "7" || f.Error.Headers["retry-after"] != "7" ||
		f.Headers["x-request-id"] == "" || f.Lane == nil || *f.Lane != "a" {
		t.Errorf("%s", f.text)
	}
}

func TestAFailureInAStreamIsOneFailedResponseWithoutGaps(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t, geminitest.WithScript(geminitest.On().
		Reply(geminitest.Text("one ", "two "), geminitest.Unavailable()).Times(1)))
	client := dialSocket(t, gatewayOf(t, server))
	client.send(t, creating("x", ""))
	frames := client.turn(t)
	for i, f := range frames {
		if f.Sequence == nil || *f.Sequence != i {
			t.Errorf("frame %d is %s", i, f.text)
		}
	}
	end := frames[len(frames)-1]
	if end.Type != "response.failed" || end.Response.Error == nil {
		t.Fatalf("%s", end.text)
	}
	if end := client.create(t, "hello", ""); end.Type != "response.completed" {
		t.Errorf("the turn after the failure: %s", end.text)
	}
}

func TestEachTurnIsARequestForLimitsLogAndBodies(t *testing.T) {
	t.Parallel()
	diary := &diary{wantsBodies: true}
	keys := keysOf(t, `ann,"requests_per_minute":2`)
	client := dialSocket(t, newGateway(t, gateway.WithClientKeys(keys),
		gateway.WithObserver(diary)), "Authorization", "Bearer key-of-ann", "User-Agent", "socket/1")
	for range 2 {
		if end := client.create(t, "hello", ""); end.Type != "response.completed" {
			t.Fatalf("%s", end.text)
		}
	}
	f := client.create(t, "hello", "")
	if f.Status != http.StatusTooManyRequests || f.Error.Code != "rate_limit_exceeded" ||
		f.Headers["retry-after"] == "" || f.Headers["x-ratelimit-limit-requests"] != "2" {
		t.Errorf("%s", f.text)
	}
	if len(diary.pages) != 3 {
		t.Fatalf("%d entries", len(diary.pages))
	}
	first := diary.pages[0]
	if first.start.Form != "responses" || first.start.Path != responsesPath ||
		first.start.ClientName != "ann" || first.start.UserAgent != "socket/1" ||
		first.end.Status != 200 || !first.end.Stream || first.end.Usage.OutputTokens == 0 ||
		first.end.BytesIn == 0 || first.end.BytesOut == 0 {
		t.Errorf("%+v, %+v", first.start, first.end)
	}
	if got := first.told(); !strings.Contains(got, "client request, upstream request") ||
		!strings.Contains(got, "client chunk") {
		t.Errorf("recorded %s", got)
	}
	if text := strings.Join(first.lines, "\n"); strings.Contains(text, "key-of-ann") {
		t.Errorf("the key is recorded: %s", text)
	}
	if diary.pages[2].end.Status != http.StatusTooManyRequests {
		t.Errorf("%+v", diary.pages[2].end)
	}
}

func TestAKeyThatIsRemovedEndsItsConnectionAtTheNextTurn(t *testing.T) {
	t.Parallel()
	handler := newGateway(t, gateway.WithClientKeys(keysOf(t, "ann")))
	client := dialSocket(t, handler, "Authorization", "Bearer key-of-ann")
	if err := handler.Reload(gateway.WithAllowedHosts("example.com"),
		gateway.WithClientKeys(keysOf(t, "bob"))); err != nil {
		t.Fatal(err)
	}
	if f := client.create(t, "hello", ""); f.Status != http.StatusUnauthorized {
		t.Errorf("%s", f.text)
	}
	if code := client.closed(); code != websocket.StatusPolicyViolation {
		t.Errorf("closed with %d", code)
	}
}
