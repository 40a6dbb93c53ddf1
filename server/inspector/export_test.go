package inspector_test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/exchange/exchangetest"
	"github.com/gemwire/gemwire/server/inspector"
	"github.com/go-json-experiment/json"
)

// The test runs the commands in a shell in which curl prints its arguments.
func TestCurlSendsWhatWasSent(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies(), inspector.WithGatewayURL("http://gateway.test:9000/"))
	scene := exchangetest.Lossy()
	scene.Request = strings.Replace(scene.Request, "You plan",
		"It's $HOME, `date`, "+`\\ and \"that\"! You plan`, 1)
	b.gateway.Play(scene)
	b.gateway.Play(exchangetest.Streamed())
	d := b.detail(1)
	for _, test := range []struct {
		path, address, credential, body string
	}{
		{"1/curl/client", "http://gateway.test:9000/v1/chat/completions", "Authorization: Bearer client-key", d.Client.Request.Body},
		{"1/curl/upstream", "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.6-flash:generateContent", "x-goog-api-key: upstream-key", d.Tries[0].Request.Body},
		{"2/curl/upstream", "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.6-flash:streamGenerateContent?alt=sse", "x-goog-api-key: upstream-key", b.detail(2).Tries[0].Request.Body},
	} {
		said := run(t, b.get("/api/exchanges/"+test.path))
		for _, want := range []string{test.address, test.credential,
			"Content-Type: application/json", test.body} {
			if !strings.Contains(said, "<"+want+">") {
				t.Errorf("%s: no %q in %s", test.path, want, said)
			}
		}
	}
	if status, _, _ := b.do(http.MethodGet, "/api/exchanges/1/curl/other",
		""); status != http.StatusNotFound {
		t.Errorf("of no side: %d", status)
	}
}

// run runs a command in a shell in which curl prints its arguments in brackets.
func run(t *testing.T, command string) string {
	t.Helper()
	shell := exec.CommandContext(t.Context(), "sh", "-c",
		`curl() { for a in "$@"; do printf '<%s>\n' "$a"; done; }`+"\n"+command)
	shell.Env = append(os.Environ(), "GEMWIRE_API_KEY=client-key", "GEMINI_API_KEY=upstream-key")
	out, err := shell.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

// With the fixture, the fake server answers the same request in the same way.
func TestAFixtureAnswersAsGeminiDid(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies())
	for n, scene := range []*exchangetest.Scene{
		exchangetest.Lossy(), exchangetest.ToolResult(), exchangetest.Streamed(),
		exchangetest.RateLimited(), exchangetest.OutOfQuota(), exchangetest.Broken(),
	} {
		b.gateway.Play(scene)
		d := b.detail(n + 1)
		path := filepath.Join(t.TempDir(), "script.json")
		file := b.get("/api/exchanges/" + string(rune('1'+n)) + "/fixture")
		if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
		srv := geminitest.NewServer(t, geminitest.WithScriptFile(path), geminitest.WithStrict(),
			geminitest.WithAllFixturesUsed())
		for _, try := range d.Tries {
			status, body := ask(t, srv, try.Request.URL, try.Request.Body)
			if status != try.Response.Status {
				t.Errorf("%s: %d, want %d: %s", scene.Name, status, try.Response.Status, body)
			}
			for _, want := range pieces(try.talk) {
				if !strings.Contains(body, want) {
					t.Errorf("%s: no %q in %s", scene.Name, want, body)
				}
			}
		}
	}
}

// pieces are texts of an answer.
func pieces(try talk) []string {
	if len(try.Chunks) == 0 {
		return []string{map[bool]string{true: `"RESOURCE_EXHAUSTED"`,
			false: `"kx2ZaMmSHoPWz7IPu5"`}[try.Response.Status == 429]}
	}
	if strings.Contains(try.Chunks[len(try.Chunks)-1].Data, "UNAVAILABLE") {
		return []string{"at 7:55 from", "The model is overloaded."}
	}
	return []string{"at 7:55 from", "before the next ferry."}
}

// ask sends a body to the fake server, to the path of an address.
func ask(t *testing.T, srv *geminitest.Server, address, body string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address,
		strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("x-goog-api-key", "any")
	b := &browser{t: t, client: srv.HTTPClient()}
	status, _, answer := b.send(request)
	return status, answer
}

func TestAnInvalidAnswerOfGeminiIsNoFixture(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies())
	b.gateway.Play(exchangetest.Refused())
	status, _, body := b.do(http.MethodGet, "/api/exchanges/1/fixture", "")
	if status != http.StatusConflict || !strings.Contains(body, "nothing was sent to Gemini") {
		t.Errorf("%d %s", status, body)
	}
}

func TestAnArchiveHasBothSidesAndEachAttempt(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies())
	b.gateway.Play(exchangetest.RateLimited())
	b.gateway.Play(exchangetest.Streamed())
	var archive struct {
		Log struct {
			Version string
			Creator struct{ Name string }
			Entries []struct {
				StartedDateTime string
				Time            float64
				Request         struct {
					Method, URL string
					PostData    struct{ Text string }
				}
				Response struct {
					Status  int
					Content struct{ MimeType, Text string }
				}
				Timings struct{ Send, Wait, Receive float64 }
				Side    string `json:"_side"`
			}
		}
	}
	if err := json.Unmarshal([]byte(b.get("/api/har")), &archive,
		json.MatchCaseInsensitiveNames(true)); err != nil {
		t.Fatal(err)
	}
	if archive.Log.Version != "1.2" || archive.Log.Creator.Name == "" ||
		len(archive.Log.Entries) != 5 {
		t.Fatalf("%+v", archive)
	}
	client, first, second, streamed := archive.Log.Entries[0], archive.Log.Entries[1],
		archive.Log.Entries[2], archive.Log.Entries[4]
	if client.Side != "client" || client.Time != 4220 ||
		client.Request.URL != "http://127.0.0.1:8080/v1/chat/completions" ||
		client.Request.PostData.Text == "" {
		t.Errorf("client: %+v", client)
	}
	if first.Response.Status != 429 || second.Response.Status != 200 || first.Timings.Wait != 120 ||
		second.StartedDateTime != "2026-11-20T09:00:02.12Z" {
		t.Errorf("upstream: %+v, %+v", first, second)
	}
	if streamed.Response.Content.MimeType != "text/event-stream" ||
		strings.Count(streamed.Response.Content.Text, "data: ") != 9 ||
		streamed.Timings.Receive != 9*140 {
		t.Errorf("stream: %+v", streamed)
	}
}

func TestExportsAreFilesToSave(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies())
	b.gateway.Play(exchangetest.Lossy())
	for path, name := range map[string]string{
		"/api/exchanges/1/fixture": "gemwire-1.fixture.json",
		"/api/exchanges/1/har":     "gemwire-1.har", "/api/har": "gemwire.har",
	} {
		status, header, body := b.do(http.MethodGet, path, "")
		if status != http.StatusOK ||
			header.Get("Content-Disposition") != `attachment; filename="`+name+`"` ||
			header.Get("Content-Type") != "application/json" || !strings.HasPrefix(body, "{") {
			t.Errorf("%s: HTTP %d, %v: %.100s", path, status, header, body)
		}
		if path = strings.Replace(path, "1", "7", 1); strings.Contains(path, "7") {
			if status, header, _ := b.do(http.MethodGet, path, ""); status != http.StatusNotFound ||
				header.Get("Content-Disposition") != "" {
				t.Errorf("%s: HTTP %d, %v", path, status, header)
			}
		}
	}
}

func TestARequestIsReplayedAlsoWithAnotherBody(t *testing.T) {
	t.Parallel()
	gateway := &exchangetest.Gateway{}
	var got *http.Request
	b := open(t, inspector.WithBodies(),
		inspector.WithReplay(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			got = r
			gateway.ServeHTTP(w, r)
		})))
	*gateway = *b.gateway
	gateway.Play(exchangetest.Lossy())
	body := b.detail(1).Client.Request.Body

	if status, _, answer := b.do(http.MethodPost, "/api/exchanges/1/replay",
		`{}`); status != http.StatusOK || !strings.HasPrefix(answer, `{"number":2,"id":"req_`) {
		t.Fatal(status, answer)
	}
	if d := b.detail(2); d.Client.Request.Body != body || d.Summary.ReplayOf != 1 {
		t.Errorf("replayed: %+v", d.Summary)
	}
	if got.RemoteAddr != "inspector" || got.UserAgent() != "OpenAI/JS 6.49.0" ||
		len(got.Cookies()) != 0 || got.Header.Get("Content-Type") != "application/json" {
		t.Errorf("the gateway got %+v", got)
	}
	edited, _ := json.Marshal(map[string]string{"body": strings.Replace(body, "Porto", "Braga", 1)})
	if status, _, answer := b.do(http.MethodPost, "/api/exchanges/1/replay",
		string(edited)); status != http.StatusOK {
		t.Fatal(status, answer)
	}
	if d := b.detail(3); !strings.Contains(d.Client.Request.Body, "Braga") ||
		d.Summary.ReplayOf != 1 {
		t.Errorf("edited: %+v", d.Summary)
	}
}

func TestRequestsThatCannotBeReplayedAreReported(t *testing.T) {
	t.Parallel()
	unable := open(t, inspector.WithBodies())
	unable.gateway.Play(exchangetest.Lossy())
	if status, _, body := unable.do(http.MethodPost, "/api/exchanges/1/replay",
		`{}`); status != http.StatusConflict || !strings.Contains(body, "no gateway") {
		t.Errorf("without a gateway: %d %s", status, body)
	}

	b := open(t, inspector.WithBodies(), inspector.WithMaxStringSize(64),
		inspector.WithReplay(http.HandlerFunc(func(http.ResponseWriter,
			*http.Request) {
			panic(http.ErrAbortHandler)
		})))
	long := exchangetest.Lossy()
	long.Request = strings.Replace(long.Request, "You plan", strings.Repeat("You plan ", 1000), 1)
	b.gateway.Play(long)
	b.gateway.Play(exchangetest.Lossy())
	for _, test := range []struct {
		path, body, want string
		status           int
	}{
		{"1/replay", `{}`, "truncated when recorded", http.StatusConflict},
		{"1/replay", `{"body":"…[gemwire left out 7 bytes]"}`, "with the full value before sending", http.StatusConflict},
		{"2/replay", `{"other":1}`, "not valid", http.StatusBadRequest},
		{"9/replay", `{}`, "no request has the number 9 yet", http.StatusNotFound},
		{"2/replay", `{}`, "has not recorded the replay", http.StatusConflict},
	} {
		if status, _, body := b.do(http.MethodPost, "/api/exchanges/"+test.path,
			test.body); status != test.status || !strings.Contains(body, test.want) {
			t.Errorf("%s %s: %d %s", test.path, test.body, status, body)
		}
	}
}

// cookie returns the cookie of the session.
func (b *browser) cookie() *http.Cookie {
	b.t.Helper()
	request, _ := http.NewRequestWithContext(b.t.Context(), http.MethodGet, b.url, nil)
	cookies := b.client.Jar.Cookies(request.URL)
	if len(cookies) != 1 {
		b.t.Fatalf("%d cookies", len(cookies))
	}
	return cookies[0]
}

// For a request that it forwards unchanged, the gateway reports only the model and the verb.
func TestARequestThatIsPassedThroughIsExportedToo(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies())
	const question, answer = `{"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}`,
		`{"candidates":[{"content":{"role":"model","parts":[{"text":"Ho"}]},"finishReason":"STOP"}]}`
	r := b.Begin(exchange.Start{ID: "req_1", At: morning, Form: "native", Method: "POST",
		Path: "/v1beta/models/gemini-2.5-flash:generateContent"})
	r.Request(exchange.Client,
		exchange.Request{Method: "POST", URL: "/v1beta/models/gemini-2.5-flash:generateContent",
			Body: []byte(question)})
	r.Request(exchange.Upstream,
		exchange.Request{Method: "POST", URL: "models/gemini-2.5-flash:generateContent",
			Body: []byte(question)})
	r.Response(exchange.Upstream, exchange.Response{Status: 200, Body: []byte(answer)})
	r.End(exchange.End{Status: 200})
	if said := run(t, b.get("/api/exchanges/1/curl/upstream")); !strings.Contains(said,
		"<https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent>") {
		t.Error(said)
	}
	if script := b.get("/api/exchanges/1/fixture"); !strings.Contains(script,
		`"gemini-2.5-flash"`) || !strings.Contains(script, `"Ho"`) {
		t.Error(script)
	}
}
