package inspector_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/exchange/exchangetest"
	"github.com/gemwire/gemwire/server/inspector"
	"github.com/go-json-experiment/json/jsontext"
)

// idOf returns the id in an answer.
func idOf(body string) string {
	var id string
	decoder := jsontext.NewDecoder(strings.NewReader(body))
	for {
		token, err := decoder.ReadToken()
		if err != nil {
			return ""
		}
		if decoder.StackPointer() == "/id" && token.Kind() == jsontext.KindString {
			if id = token.String(); id != "id" {
				return id
			}
		}
	}
}

// together checks which of the first exchanges are in the conversation of the first one.
func (b *browser) together(t *testing.T, want ...bool) {
	t.Helper()
	first := b.understood(1).Summary.Conversation
	if first == "" {
		t.Error("the first exchange has no conversation")
	}
	for n, isTogether := range want {
		s := b.understood(n + 2).Summary
		if (s.Conversation == first) != isTogether {
			t.Errorf("exchange %d: %+v, the first one is in %s", n+2, s, first)
		}
	}
}

func TestStoredResponsesAreOneConversation(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ path, body, previous string }{
		"responses": {"/v1/responses",
			`{"model":"gemini-3.6-flash","input":"hello"%s}`, "previous_response_id"},
		"interactions": {"/v1beta/interactions",
			`{"model":"gemini-3.6-flash","input":"hello","store":true%s}`, "previous_interaction_id"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, send := served(t)
			id := idOf(send(test.path, fmt.Sprintf(test.body, "")).Body.String())
			next := fmt.Sprintf(`,"%s":"%s"`, test.previous, id)
			id = idOf(send(test.path, fmt.Sprintf(test.body, next)).Body.String())
			send(test.path, fmt.Sprintf(test.body, ""))
			next = fmt.Sprintf(`,"%s":"%s"`, test.previous, id)
			send(test.path, fmt.Sprintf(test.body, next))
			b.together(t, true, false, true)
			if turn := b.understood(4).Summary.Turn; turn != 3 {
				t.Errorf("turn %d", turn)
			}
		})
	}
}

func TestAgentsNameTheirSessions(t *testing.T) {
	t.Parallel()
	const chat = `{"model":"gemini-3.6-flash","messages":[{"role":"user","content":"hello %d"}]}`
	for name, headers := range map[string][3][]string{
		"codex": {{"session-id", "s", "thread-id", "1"}, {"session-id", "s", "thread-id", "1"},
			{"session-id", "s", "thread-id", "2"}},
		"Claude Code": {{"X-Claude-Code-Session-Id", "s"}, {"X-Claude-Code-Session-Id", "s"},
			{"X-Claude-Code-Session-Id", "s", "X-Claude-Code-Agent-Id", "a"}},
		"a session": {{"X-Session-Id", "s"}, {"X-Session-Id", "s"}, {"X-Session-Id", "other"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, send := served(t)
			for n, header := range headers {
				send("/v1/chat/completions", fmt.Sprintf(chat, n), header...)
			}
			b.together(t, true, false)
		})
	}
}

func TestAnotherClientHasAnotherConversation(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies())
	b.gateway.Play(exchangetest.Lossy())
	b.gateway.Play(exchangetest.ToolResult())
	other := exchangetest.ToolResult()
	other.Client = "travel-app"
	b.gateway.Play(other)
	// The first request has a system message, which is not a part of the conversation's identity.
	b.together(t, true, false)
}

func TestASignatureIsFollowedFromTurnToTurn(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies())
	b.gateway.Play(exchangetest.Lossy())
	b.gateway.Play(exchangetest.ToolResult())
	var group struct {
		ID        string
		Exchanges []struct {
			Number, Turn, Status int
			ID, Model, Preview   string
			Tokens               struct{ Total int }
		}
		Signatures []struct {
			Hash  string
			Size  int
			Steps []struct {
				Number                 int
				Side, Pointer, Carrier string
			}
		}
	}
	id := b.understood(1).Summary.Conversation
	b.detail(2)
	b.into("/api/conversations/"+id, &group)
	if len(group.Exchanges) != 2 || group.Exchanges[1].Turn != 2 ||
		group.Exchanges[0].Tokens.Total != 354 || group.Exchanges[0].Status != 200 ||
		!strings.HasPrefix(group.Exchanges[0].Preview, "When does the last train") {
		t.Errorf("%+v", group.Exchanges)
	}
	if len(group.Signatures) != 1 || group.Signatures[0].Size != 72 ||
		fmt.Sprint(group.Signatures[0].Steps) !=
			"[{1 upstream /candidates/0/content/parts/0/thoughtSignature extension} "+
				"{2 client /contents/1/parts/0/thoughtSignature extension}]" {
		t.Errorf("%+v", group.Signatures)
	}
	v := b.view(2)
	if got := v.Messages[1].Parts[0]; got.Signature != group.Signatures[0].Hash ||
		got.Kind != "call" || got.JSON != `{"from":"Porto","to":"Faro"}` ||
		text(got.Client) != "/messages/1/tool_calls/0" {
		t.Errorf("%+v, client %s", got, text(got.Client))
	}
	if got := v.Messages[2]; got.Role != "tool" || got.Parts[0].Kind != "result" ||
		got.Parts[0].Name != "find_trains" || text(got.Parts[0].Client) != "/messages/2" {
		t.Errorf("%+v, client %s", got, text(got.Parts[0].Client))
	}
	if status, _, _ := b.do(http.MethodGet, "/api/conversations/none", ""); status != 404 {
		t.Errorf("an unknown conversation: HTTP %d", status)
	}
}

func TestMediaAndRefusedRequestsAreShownAsMessages(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies())
	b.gateway.Play(exchangetest.Picture())
	b.gateway.Play(exchangetest.Refused())
	b.gateway.Play(exchangetest.OutOfQuota())
	b.gateway.Play(exchangetest.Broken())
	picture := b.view(1).Messages[0].Parts[1]
	if picture.Kind != "media" || picture.MIME != "image/png" || picture.Bytes < 80_000 ||
		len(picture.Media) != 64 || text(picture.Client) != "/messages/0/content/1/image_url" {
		t.Errorf("%+v, client %s", picture, text(picture.Client))
	}
	if has := b.understood(1).Summary.Has; fmt.Sprint(has) != "[image thinking]" {
		t.Errorf("has %v", has)
	}
	refused := b.view(2)
	if len(refused.Messages) < 2 && refused.Note == "" || len(refused.Answer) != 0 {
		t.Errorf("refused: %+v", refused)
	}
	if v := b.view(3); !strings.Contains(v.Note, "The quota for this model is used up.") ||
		len(v.Messages) != 1 {
		t.Errorf("an error: %+v", v)
	}
	if v := b.view(4); !strings.Contains(v.Note, "The model is overloaded") ||
		!strings.Contains(v.text(), "Take the bus at 7:55 from Campo") {
		t.Errorf("a broken stream: %+v", v)
	}
}

func TestWithoutBodiesThereIsNoConversation(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.gateway.Play(exchangetest.Lossy())
	if v := b.view(1); len(v.Messages) != 0 || !strings.Contains(v.Note, "not being recorded") {
		t.Errorf("%+v", v)
	}
	if s := b.understood(1).Summary; s.Conversation != "" || s.Turn != 0 || s.Preview != "" ||
		s.Has == nil || len(s.Has) != 0 {
		t.Errorf("%+v", s)
	}
}

func TestHostileBodiesAreNoConversation(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies())
	for n, body := range []string{
		`{"contents":[{"parts":[{"functionCall":{"args":7}}]}]}`, `[]`, `{"contents":{}}`, `{`,
		`{"contents":[{"role":7,"parts":[null,{"text":["x"]}]}]}`, strings.Repeat("[", 20_000),
		`{"contents":[{"parts":[{"inlineData":{"data":"[gemwire media sha256:x]"}},{"thought":true}]}]}`,
	} {
		r := b.Begin(exchange.Start{ID: fmt.Sprint(n), At: morning, Form: "native",
			Path: "/v1beta/models/m:generateContent"})
		request := exchange.Request{Method: "POST", URL: "models/m:generateContent",
			Body: []byte(body)}
		r.Request(exchange.Client, request)
		r.Request(exchange.Upstream, request)
		r.Response(exchange.Upstream, exchange.Response{Status: 200, Body: []byte(body)})
		r.Chunk(exchange.Upstream, []byte(body))
		r.End(exchange.End{Status: 200})
		b.view(n + 1)
		b.detail(n + 1)
		b.get("/api/search?q=x")
	}
}

func TestTimeIsDividedIntoPhases(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies())
	b.gateway.Play(exchangetest.RateLimited())
	b.gateway.Play(exchangetest.Streamed())
	b.gateway.Play(exchangetest.Refused())
	for number, want := range map[int]string{
		1: "map[backoff:2120 firstToken:2100 gateway:0 generation:0 lookUp:0 room:0]",
		2: "map[backoff:0 firstToken:970 gateway:0 generation:1120 lookUp:0 room:0]",
		3: "map[backoff:0 firstToken:0 gateway:0 generation:0 lookUp:0 room:0]",
	} {
		s := b.understood(number).Summary
		if got := fmt.Sprint(s.Phases); got != want {
			t.Errorf("exchange %d: %s, expected %s", number, got, want)
		}
		sum := 0.0
		for _, phase := range s.Phases {
			sum += phase
		}
		if sum != s.Duration {
			t.Errorf("exchange %d: the phases last %v of %v", number, sum, s.Duration)
		}
	}
}

// A look-up of models for the error message follows the call that Gemini refused.
func TestALookUpOfModelsIsNotAnAttempt(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies())
	answered := exchange.Attempt{Number: 2, Started: morning.Add(60 * time.Millisecond),
		Duration: 30 * time.Millisecond, Status: 200}
	for n, test := range []struct {
		attempts []exchange.Attempt
		status   int
		failure  string
		calls    int
		phases   string
	}{
		{[]exchange.Attempt{{Number: 1, Model: "m", Started: morning.Add(10 * time.Millisecond),
			Duration: 50 * time.Millisecond, Status: 404, Err: "NOT_FOUND"}, answered}, 404,
			"upstream_error", 1,
			"map[backoff:0 firstToken:50 gateway:20 generation:0 lookUp:30 room:0]"},
		{[]exchange.Attempt{answered}, 404, "refused", 0,
			"map[backoff:0 firstToken:0 gateway:70 generation:0 lookUp:30 room:0]"},
		{[]exchange.Attempt{answered}, 200, "", 0,
			"map[backoff:0 firstToken:0 gateway:70 generation:0 lookUp:30 room:0]"},
	} {
		r := b.Begin(exchange.Start{ID: "lookup", At: morning})
		for _, a := range test.attempts {
			r.Attempt(a)
		}
		r.End(exchange.End{Status: test.status, Duration: 100 * time.Millisecond})
		s := b.understood(n + 1).Summary
		if got := fmt.Sprint(s.Phases); got != test.phases || s.Failure != test.failure ||
			b.detail(n+1).Summary.Attempts != test.calls {
			t.Errorf("%d: %s, %q, %d attempts", n, got, s.Failure, b.detail(n+1).Summary.Attempts)
		}
	}
}
