package inspector_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/fakegemini"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/exchange/exchangetest"
	"github.com/gemwire/gemwire/server/inspector"
	"github.com/go-json-experiment/json"
)

// gate is a gateway whose requests begin and then wait until they are let through.
type gate struct {
	observer exchange.Observer
	begun    chan *http.Request
	let      chan struct{}
}

func (g *gate) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	recorder := g.observer.Begin(exchange.Start{ID: "req_" + r.Header.Get("X-Name"), At: morning,
		Form: "chat_completions", Mark: exchange.MarkOf(r.Context())})
	g.begun <- r
	select {
	case <-g.let:
	case <-r.Context().Done():
	}
	recorder.End(exchange.End{Status: 200})
}

// gated returns an inspector with one exchange and a gate.
func gated(t *testing.T) (*browser, *gate) {
	t.Helper()
	g := &gate{begun: make(chan *http.Request, 100), let: make(chan struct{})}
	b := open(t, inspector.WithBodies(), inspector.WithReplay(g))
	g.observer = b.Inspector
	b.gateway.Play(exchangetest.Lossy())
	b.detail(1)
	return b, g
}

func (b *browser) post(path, body string, value any) int {
	b.t.Helper()
	status, _, answer := b.do(http.MethodPost, path, body)
	if status == http.StatusOK && value != nil {
		if err := json.Unmarshal([]byte(answer), value,
			json.MatchCaseInsensitiveNames(true)); err != nil {
			b.t.Fatalf("%v in %s", err, answer)
		}
	}
	return status
}

func TestFourReplaysRunAndTheOthersWait(t *testing.T) {
	t.Parallel()
	b, g := gated(t)
	var many struct {
		Started, Failed []struct {
			Of, Number int
			Error      string
		}
	}
	status := b.post("/api/replays", `{"numbers":[1,1,1,1,1,1,77],"model":"gemini-2.5-pro"}`, &many)
	if status != 200 || len(many.Started) != 6 || len(many.Failed) != 1 ||
		many.Failed[0].Of != 77 || many.Failed[0].Error == "" {
		t.Fatalf("%d %+v", status, many)
	}
	for n, one := range many.Started {
		if one.Of != 1 || one.Number != n+2 {
			t.Errorf("started: %+v", many.Started)
		}
	}
	for range 4 {
		<-g.begun
	}
	var one struct {
		Number int
		ID     string
	}
	if b.post("/api/exchanges/1/replay", `{}`, &one); one.Number != 8 || one.ID != "" {
		t.Errorf("a replay that waits: %+v", one)
	}
	if d := b.detail(8); !d.Summary.Running || d.Summary.ReplayOf != 1 {
		t.Errorf("%+v", d.Summary)
	}
	select {
	case <-g.begun:
		t.Error("a fifth replay runs")
	case <-time.After(20 * time.Millisecond):
	}
	for range 3 {
		g.let <- struct{}{}
		<-g.begun
	}
	for range 4 {
		g.let <- struct{}{}
	}
}

func TestClosingTheInspectorEndsReplays(t *testing.T) {
	t.Parallel()
	b, g := gated(t)
	if status := b.post("/api/replays", `{"numbers":[1,1,1,1,1,1]}`, nil); status != 200 {
		t.Fatal(status)
	}
	for range 4 {
		<-g.begun
	}
	b.Close()
	for number := 6; number <= 7; number++ { // They were waiting, so they did not take place.
		b.gone(number)
	}
}

func TestDroppedReplaysDoNotRun(t *testing.T) {
	t.Parallel()
	b, g := gated(t)
	replays := `{"numbers":[1,1,1,1,1,1]}`
	if status := b.post("/api/replays", replays, nil); status != 200 {
		t.Fatal(status)
	}
	for range 4 {
		<-g.begun
	}
	if status := b.post("/api/clear", `{}`, nil); status != http.StatusNoContent {
		t.Fatal(status)
	}
	for range 4 {
		g.let <- struct{}{}
	}
	b.gateway.Play(exchangetest.Lossy()) // number 8
	select {
	case <-g.begun:
		t.Error("a dropped replay runs")
	case <-time.After(20 * time.Millisecond):
	}
	var made struct{ Number int }
	if b.post("/api/exchanges/8/replay", `{}`, &made); made.Number != 9 {
		t.Errorf("a later replay: %+v", made)
	}
	<-g.begun
	g.let <- struct{}{}
}

func TestTooManyReplaysAreRefused(t *testing.T) {
	t.Parallel()
	b, _ := gated(t)
	numbers := func(n int) string {
		return `{"numbers":[` + strings.TrimSuffix(strings.Repeat("1,", n), ",") + `]}`
	}
	for _, test := range []struct{ n, status int }{
		{501, http.StatusBadRequest}, {499, http.StatusOK}, {2, http.StatusTooManyRequests},
	} {
		if status := b.post("/api/replays", numbers(test.n), nil); status != test.status {
			t.Errorf("%d replays: HTTP %d", test.n, status)
		}
	}
}

// replayed returns an inspector with the real gateway, which can replay.
func replayed(t *testing.T, opts ...gateway.Option) (*browser, *requests) {
	t.Helper()
	seen := &requests{}
	b := open(t, inspector.WithBodies(), inspector.WithReplay(seen),
		inspector.WithAccounts(func() []string { return seen.handler.Accounts() }))
	handler, err := gateway.New(append(opts, gateway.WithObserver(b.Inspector),
		gateway.WithAllowedHosts("*"))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(handler.Close)
	seen.handler = handler
	return b, seen
}

// requests keeps the headers of the requests for a gateway.
type requests struct {
	handler *gateway.Handler
	mu      sync.Mutex
	headers []http.Header
}

func (s *requests) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.headers = append(s.headers, r.Header.Clone())
	s.mu.Unlock()
	s.handler.ServeHTTP(w, r)
}

func (s *requests) last() http.Header {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.headers[len(s.headers)-1]
}

func (s *requests) post(path, body string) {
	request := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Team", "search")
	s.ServeHTTP(httptest.NewRecorder(), request)
}

func TestAReplayHasAnotherModelAccountAndHeader(t *testing.T) {
	t.Parallel()
	fake, err := fakegemini.NewHandler()
	if err != nil {
		t.Fatal(err)
	}
	b, gate := replayed(t, gateway.WithUpstream(gateway.Upstream{
		Service: gateway.GeminiAPI,
		Accounts: []gateway.Account{gateway.KeyAccount("one", "key-of-one"),
			gateway.KeyAccount("two", "key-of-two")},
		HTTPClient: gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
			answer := httptest.NewRecorder()
			if r.Body == nil { // a server has none here
				r.Body = http.NoBody
			}
			fake.ServeHTTP(answer, r)
			return answer.Result(), nil
		}),
	}))
	gate.post("/v1/chat/completions",
		`{"messages":[{"role":"user","content":"hello"}],"model":"gemini-3.6-flash"}`)
	gate.post("/v1beta/models/gemini-3.6-flash:generateContent",
		`{"contents":[{"role":"user","parts":[{"text":"hello"}]}]}`)

	var choices struct{ Models, Accounts []string }
	b.into("/api/replay/choices", &choices)
	if strings.Join(choices.Accounts, " ") != "one two" || len(choices.Models) < 5 {
		t.Errorf("choices: %+v", choices)
	}
	for number := 1; number <= 2; number++ {
		var made struct{ Number int }
		status := b.post(fmt.Sprintf("/api/exchanges/%d/replay", number),
			`{"model":"gemini-2.5-flash","account":"two","header":{"X-Team":"","X-Gemwire-Report":"true"}}`,
			&made)
		if status != 200 || made.Number != number+2 {
			t.Fatalf("HTTP %d: %+v", status, made)
		}
		b.ended(made.Number)
		var got struct {
			Summary struct {
				ReplayOf               int
				Account, UpstreamModel string
				Status                 int
			}
		}
		b.into(fmt.Sprintf("/api/exchanges/%d", made.Number), &got)
		if s := got.Summary; s.ReplayOf != number || s.Account != "two" || s.Status != 200 ||
			s.UpstreamModel != "gemini-2.5-flash" {
			t.Errorf("%+v", s)
		}
		if h := gate.last(); h.Get("X-Team") != "" || h.Get("X-Gemwire-Report") != "true" {
			t.Errorf("header: %v", h)
		}
	}
	for body, want := range map[string]string{
		`{"account":"three"}`:                     `no account with the name three`,
		`{"header":{"Authorization":"Bearer x"}}`: `header: Authorization cannot be set`,
		`{"header":{"A B":"x"}}`:                  `is not a valid field`,
		`{"header":{"A":"x\ny"}}`:                 `is not a valid field`,
		`{"body":"{}","model":"m"}`:               `no model that can be replaced`,
	} {
		status, _, answer := b.do(http.MethodPost, "/api/exchanges/1/replay", body)
		if status == http.StatusOK { // The gateway refused it.
			var made struct{ Number int }
			if err := json.Unmarshal([]byte(answer), &made,
				json.MatchCaseInsensitiveNames(true)); err != nil {
				t.Fatal(err)
			}
			b.ended(made.Number)
			answer = b.get(fmt.Sprintf("/api/exchanges/%d", made.Number))
		}
		if !strings.Contains(answer, want) {
			t.Errorf("%s: HTTP %d: %s", body, status, answer)
		}
	}
}

// gone waits until an exchange does not exist.
func (b *browser) gone(number int) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), time.Minute)
	defer cancel()
	for {
		status, _, _ := b.do(http.MethodGet, fmt.Sprintf("/api/exchanges/%d", number), "")
		if status == http.StatusNotFound {
			return
		}
		if ctx.Err() != nil {
			b.t.Fatalf("exchange %d is there: HTTP %d", number, status)
		}
		time.Sleep(time.Millisecond)
	}
}

// ended waits until an exchange has ended.
func (b *browser) ended(number int) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), time.Minute)
	defer cancel()
	for b.detail(number).Summary.Running {
		if ctx.Err() != nil {
			b.t.Fatalf("exchange %d still runs", number)
		}
		time.Sleep(time.Millisecond)
	}
}

func TestTwoAnswersAreCompared(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies())
	answer := func(text string) *exchangetest.Scene {
		scene := exchangetest.ToolResult()
		scene.Tries[0].Body = strings.Replace(scene.Tries[0].Body,
			"The last train leaves Porto at 20:52, with a change at Lisboa Oriente.", text, 1)
		return scene
	}
	b.gateway.Play(answer("The train leaves at nine."))
	b.gateway.Play(answer("The train leaves at ten."))
	b.gateway.Play(exchangetest.Lossy())
	b.detail(3)
	var c struct {
		Sides []struct {
			Number, Losses, Status int
			Text, Finish, Model    string
			Duration               float64
			Calls                  []struct {
				Name string
				Args map[string]string
			}
		}
		Text  []struct{ Op, Text string }
		Calls []struct {
			Left, Right int
			Same        bool
		}
	}
	b.into("/api/compare/1/2", &c)
	got := fmt.Sprint(c.Text)
	if got != "[{same The train leaves at } {left nine.} {right ten.}]" {
		t.Errorf("text: %s", got)
	}
	if c.Sides[0].Number != 1 || c.Sides[1].Text != "The train leaves at ten." ||
		c.Sides[0].Duration != 690 || c.Sides[0].Finish != "stop" || len(c.Calls) != 0 {
		t.Errorf("%+v", c)
	}
	b.into("/api/compare/3/3", &c)
	if len(c.Calls) != 1 || !c.Calls[0].Same || c.Sides[0].Calls[0].Name != "find_trains" ||
		c.Sides[0].Calls[0].Args["to"] != "Faro" || c.Sides[0].Losses != 4 {
		t.Errorf("calls: %+v", c)
	}
	if status, _, _ := b.do(http.MethodGet, "/api/compare/1/9", ""); status != 404 {
		t.Errorf("a dropped one: HTTP %d", status)
	}
}

func TestTheReasonWithoutAReplayIsReported(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies(), inspector.WithoutReplay("the gateway asks for a key"))
	b.gateway.Play(exchangetest.Lossy())
	const want = "Unavailable: the gateway asks for a key."
	_, _, refused := b.do(http.MethodPost, "/api/exchanges/1/replay", `{}`)
	detail := b.get("/api/exchanges/1")
	if !strings.Contains(refused, want) || !strings.Contains(detail, `"replay":"`+want) {
		t.Errorf("refused: %s, detail: %s", refused, detail)
	}
	l := b.listen()
	defer l.end()
	if told := l.next().NoReplay; told != want {
		t.Errorf("news: %q", told)
	}
}
