package serve_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/cli"
	"github.com/gemwire/gemwire/server/gateway/config"
	"github.com/gemwire/gemwire/server/inspector"
)

func TestWithoutCredentialsTheFirstLineOfTheLogSaysThatTheFakeServerAnswers(t *testing.T) {
	t.Parallel()
	r := serve(t, "--alias", "gpt-4o=gemini-3.6-flash")
	first, _, _ := strings.Cut(r.Stderr.String(), "\n")
	if !strings.Contains(first,
		"no credentials, so the built-in fake server answers; set GEMINI_API_KEY") ||
		!strings.Contains(first, "upstream=embedded") {
		t.Error(first)
	}
	whole := r.ask(t, "gpt-4o", false)
	if body := text(t, whole); whole.StatusCode != http.StatusOK ||
		!strings.Contains(body, `"content":"You said: hello"`) ||
		!strings.Contains(body, `"model":"gpt-4o"`) {
		t.Error(whole.StatusCode, body)
	}
	stream := r.ask(t, "gpt-4o", true)
	if body := text(t, stream); !strings.HasSuffix(body, "data: [DONE]\n\n") {
		t.Error(body)
	}
	r.Stderr.WaitFor(t, `msg=request id=req_[0-9a-f]{32} form=chat_completions .*model=gpt-4o upstream_model=gemini-3.6-flash .*status=200`)
	if code := r.Terminate(t); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

func TestTheUpstreamOfTheSettingsIsInTheFirstLine(t *testing.T) {
	t.Parallel()
	r := serve(t, "--upstream", "embedded")
	if first, _, _ := strings.Cut(r.Stderr.String(), "\n"); strings.Contains(first,
		"no credentials") || !strings.Contains(first, "upstream=embedded") {
		t.Error(first)
	}
	r = serve(t, newSlowGemini(t).upstream(t)...)
	if first, _, _ := strings.Cut(r.Stderr.String(), "\n"); !strings.Contains(first,
		"upstream=gemini") || strings.Contains(first, "fake") {
		t.Error(first)
	}
}

// run carries out a command that ends by itself.
func run(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = cli.Run(t.Context(), args, strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

func TestListeningBeyondThisMachineWithoutKeysIsRefused(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{"0.0.0.0:0", ":0", "[::]:0"} {
		if code, _, stderr := run(t, "serve", "--addr", addr); code != 1 ||
			!strings.Contains(stderr, "is open to other machines") ||
			!strings.Contains(stderr, "key_file") {
			t.Errorf("%s: %d, %s", addr, code, stderr)
		}
	}
}

func TestAMissingFileOfKeysIsReportedWithTheCommandThatMakesIt(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "keys.yaml")
	want := "; gemwire keys new NAME --key-file " + file + " makes it\n"
	if code, _, stderr := run(t, "serve", "--addr", "127.0.0.1:0", "--key-file", file); code != 1 ||
		!strings.HasSuffix(stderr, want) {
		t.Errorf("%d, %s", code, stderr)
	}
}

func TestWhatIsWrongWithTheSettingsIsReported(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "gateway.yaml")
	if err := os.WriteFile(file, []byte("# a gateway\nadr: x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, test := range map[string]struct {
		args []string
		code int
	}{
		file + `:2: unknown setting "adr"; did you mean "addr"?`: {[]string{"--config", file},
			1},
		"--grace: \"soon\" is not a duration": {[]string{"--grace", "soon"},
			2},
		"unknown flag: --adr; did you mean --addr?": {[]string{"--adr", "x"}, 2},
		"no API key": {[]string{"--upstream", "gemini"}, 1},
		`--addr: "127.0.0.1:99999" is not an address; want "host:port"`: {[]string{"--addr",
			"127.0.0.1:99999"}, 1},
	} {
		if code, _, stderr := run(t,
			append([]string{"serve"}, test.args...)...); code != test.code ||
			!strings.Contains(stderr, want) {
			t.Errorf("%v: %d, %s", test.args, code, stderr)
		}
	}
	if code, stdout, stderr := run(t, "serve", "--check"); code != 0 || stdout != "ok\n" ||
		stderr != "" {
		t.Errorf("--check: %d, %s, %s", code, stdout, stderr)
	}
	if code, _, _ := run(t, "serve", "--check", "--config", file); code != 1 {
		t.Error("--check takes a file with a mistake")
	}
}

func TestCheckFindsWhatIsProbablyAMistake(t *testing.T) {
	t.Parallel()
	missing := filepath.Join(t.TempDir(), "missing")
	file := filepath.Join(t.TempDir(), "gateway.yaml")
	const content = "addr: localhost:8080\nmetrics_addr: 127.0.0.1:8080\nalias:\n  a: a\nkey_file: /nowhere\n"
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"--alias: aliases form a cycle: a → b → a": {"--alias", "a=b", "--alias", "b=a"},
		`--alias: a: "a" is an alias of itself; name its model, or remove the alias`: {
			"--alias", "a=a"},
		`--alias: b: "a" is an alias; name its model, "gemini-3.6-flash"`: {"--alias",
			"a=gemini-3.6-flash", "--alias", "b=a"},
		`--model: "gemini36-flash" is not offered by the Gemini API; did you mean gemini-3.6-flash?`: {
			"--model", "gemini36-flash"},
		"--store: the folder " + missing +
			" does not exist": {"--store", filepath.Join(missing, "store")},
		"--store: " + file + " is a file; want a folder":                                  {"--store", file},
		"--inspect-addr: 127.0.0.1:8080 is also the address of addr; choose another port": {"--inspect", "--inspect-addr", "127.0.0.1:8080"},
		"inspect_addr: 127.0.0.1:8081 is also the address of addr; choose another port":   {"--inspect", "--addr", "127.0.0.1:8081"},
		"--metrics-addr: 127.0.0.1:8080 is also the address of addr; choose another port": {"--metrics", "--metrics-addr", "127.0.0.1:8080"},
		`--addr: ":abc" is not an address; want "host:port", for example "127.0.0.1:8080"`: {
			"--addr", ":abc"},
		`--grace: "soon" is not a duration; want one such as 10s or 1m30s`: {"--grace", "soon"},
		file + ":2: metrics_addr: 127.0.0.1:8080 is also the address of addr, which is localhost:8080; choose another port\n" +
			"gemwire: " + file + `:4: alias: a: "a" is an alias of itself; name its model, or remove the alias` + "\n" +
			"gemwire: " + file + ":5: key_file: the file /nowhere does not exist": {"--config", file},
	} {
		code, stdout, stderr := run(t, append([]string{"serve", "--check"}, args...)...)
		if code != 1 || stdout != "" || stderr != "gemwire: "+want+"\n" {
			t.Errorf("%v: %d, %q, %q", args, code, stdout, stderr)
		}
	}
	args := []string{"serve", "--check", "--alias", "a=gemini-3.6-flash", "--fallback",
		"gemini-3.6-flash=gemini-3.1-pro-preview", "--fallback",
		"gemini-3.1-pro-preview=gemini-3.6-flash"}
	if code, stdout, stderr := run(t, args...); code != 0 || stdout != "ok\n" {
		t.Errorf("%d, %q, %q", code, stdout, stderr)
	}
}

func TestAnAddressInUseIsNamedWithItsFlag(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	addr := taken.Addr().String()
	for _, test := range []struct {
		instead string
		args    []string
	}{
		{"--addr", []string{"--addr", addr}},
		{"--addr, or with make run ADDR=...", []string{"--addr", addr, "--hints"}},
		{"--inspect-addr", []string{"--addr", "127.0.0.1:0", "--inspect", "--inspect-addr", addr}},
		{"--metrics-addr", []string{"--addr", "127.0.0.1:0", "--metrics", "--metrics-addr", addr}},
	} {
		want := "gemwire: " + addr +
			": cannot listen there: the address is in use; choose another with " + test.instead +
			"\n"
		if code, _, stderr := run(t, append([]string{"serve"}, test.args...)...); code != 1 ||
			!strings.HasSuffix(stderr, want) {
			t.Errorf("%v: %d, %s", test.args, code, stderr)
		}
	}
}

func TestABrowserIsShownHowToUseTheGateway(t *testing.T) {
	t.Parallel()
	r := serve(t)
	ask := func(host, accept string) (int, string, http.Header) {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.URL+"/",
			http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Accept", accept)
		if host != "" {
			request.Host = host
		}
		reply, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		return reply.StatusCode, text(t, reply), reply.Header
	}
	code, page, header := ask("", "text/html,application/xhtml+xml")
	for _, want := range []string{"curl " + r.URL + "/v1/chat/completions",
		"ANTHROPIC_BASE_URL=" + r.URL + " ", "Claude Code", "LangChain", "--inspect",
		"Any key will do", "\n\n  GEMINI_API_KEY=... gemwire serve</pre>"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in\n%s", want, page)
		}
	}
	if code != http.StatusOK ||
		!strings.HasPrefix(header.Get("Content-Security-Policy"), "default-src 'none'") ||
		strings.Contains(page, "<script") {
		t.Errorf("HTTP %d %v", code, header)
	}
	if code, _, _ := ask("rebound.example", "text/html"); code != http.StatusMisdirectedRequest {
		t.Errorf("another host: HTTP %d", code)
	}
	if code, body, _ := ask("", "*/*"); code != http.StatusNotFound ||
		!strings.Contains(body, "unknown_url") {
		t.Errorf("a program: HTTP %d %s", code, body)
	}
}

func TestTheSchemaIsPrinted(t *testing.T) {
	t.Parallel()
	want, err := config.Schema()
	if err != nil {
		t.Fatal(err)
	}
	if code, stdout, _ := run(t, "serve", "--schema"); code != 0 || stdout != string(want)+"\n" ||
		!json.Valid([]byte(stdout)) {
		t.Errorf("%d: %s", code, stdout)
	}
}

func TestHelpFitsATerminal(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"serve", "health"} {
		_, help, _ := run(t, command, "--help")
		for line := range strings.Lines(help) {
			if len(line) > 121 {
				t.Errorf("%s: a line of %d columns: %s", command, len(line), line)
			}
		}
	}
	_, help, _ := run(t, "serve", "--help")
	for _, s := range config.Settings() {
		if s.Flag() != "" && !strings.Contains(help, "--"+s.Flag()+" ") {
			t.Errorf("help has no --%s", s.Flag())
		}
	}
}

// TestProbesMakeNoCallOfAModel is BerriAI/litellm#7000 and #13782: probes that were billed, and
// failed for models that think.
func TestProbesMakeNoCallOfAModel(t *testing.T) {
	t.Parallel()
	upstream := newSlowGemini(t)
	r := serve(t, upstream.upstream(t)...)
	for range 20 {
		for path, want := range map[string]string{"/healthz": "ok\n", "/readyz": "ready\n"} {
			if status, body := r.Get(t, path); status != http.StatusOK || body != want {
				t.Errorf("%s: %d %q", path, status, body)
			}
		}
	}
	if status, body := r.Get(t, "/metrics"); status != http.StatusOK ||
		!strings.Contains(body, "go_goroutines") {
		t.Errorf("/metrics: %d %s", status, body)
	}
	if calls := upstream.calls.Load(); calls != 0 {
		t.Errorf("%d calls of a model", calls)
	}
}

func TestHealthAsksTheGatewayOfTheSettings(t *testing.T) {
	t.Parallel()
	r := serve(t)
	addr := strings.TrimPrefix(r.URL, "http://")
	file := filepath.Join(t.TempDir(), "gateway.yaml")
	_, port, _ := strings.Cut(addr, ":")
	if err := os.WriteFile(file, []byte("addr: 0.0.0.0:"+port+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	// The file has no keys, which a container may give the gateway by flags.
	for _, args := range [][]string{{"--addr", addr}, {"--addr", addr, "--ready"},
		{"--config", file}} {
		if code, stdout, stderr := run(t, append([]string{"health"}, args...)...); code != 0 ||
			stdout == "" || stderr != "" {
			t.Errorf("%v: %d %s %s", args, code, stdout, stderr)
		}
	}
	notReady := httptest.NewServer(http.NotFoundHandler())
	defer notReady.Close()
	for _, addr := range []string{strings.TrimPrefix(notReady.URL, "http://"), "127.0.0.1:1"} {
		if code, stdout, stderr := run(t, "health", "--addr", addr); code != 1 || stdout != "" ||
			!strings.HasPrefix(stderr, "gemwire: ") {
			t.Errorf("%s: %d %s %s", addr, code, stdout, stderr)
		}
	}
}

func TestMetricsAreReadByTheNameOfThisMachineAlone(t *testing.T) {
	t.Parallel()
	r := serve(t)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.URL+"/metrics", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Host = "attacker.example.test"
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusMisdirectedRequest {
		t.Error(reply.Status)
	}
}

// A base URL that ends in a slash makes such paths. They are answered where hosts and keys are
// looked at.
func TestPathsThatAreNotCleanAreTheGatewaysAsWell(t *testing.T) {
	t.Parallel()
	r := serve(t)
	for path, status := range map[string]int{"/v1//models": http.StatusNotFound,
		"//v1/models": http.StatusNotFound, "/v1/x/../models": http.StatusNotFound} {
		for host, want := range map[string]int{"": status,
			"attacker.example.test": http.StatusMisdirectedRequest} {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.URL+path,
				strings.NewReader("{}"))
			if err != nil {
				t.Fatal(err)
			}
			request.Host = host
			request.Header.Set("Content-Type", "application/json")
			client := http.Client{CheckRedirect: func(*http.Request,
				[]*http.Request) error {
				return http.ErrUseLastResponse
			}}
			reply, err := client.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			body := text(t, reply)
			_ = reply.Body.Close()
			if reply.StatusCode != want || !strings.HasPrefix(body, `{"error":{`) ||
				reply.Header.Get("X-Request-Id") == "" {
				t.Errorf("%s at %q: %s %s", path, host, reply.Status, body)
			}
		}
	}
}

func TestMetricsHaveAnAddressOfTheirOwnOrNone(t *testing.T) {
	t.Parallel()
	r := serve(t, "--metrics-addr", "127.0.0.1:0")
	if status, _ := r.Get(t, "/metrics"); status != http.StatusNotFound {
		t.Errorf("next to the API: %d", status)
	}
	url := r.Stderr.WaitFor(t, `msg=metrics url=(http://127\.0\.0\.1:[0-9]+/metrics)`)[1]
	reply, err := http.Get(url)
	if err != nil || reply.StatusCode != http.StatusOK {
		t.Fatal(reply, err)
	}
	reply.Body.Close()
	if status, _ := serve(t, "--metrics=false").Get(t, "/metrics"); status != http.StatusNotFound {
		t.Errorf("switched off: %d", status)
	}
}

// TestNoKeyIsInTheLog is BerriAI/litellm#24902, #13073 and #8075: a server that quotes the key, and
// a log that does.
func TestNoKeyIsInTheLog(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	quoting := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		w.WriteHeader(http.StatusBadRequest)
		io.WriteString(w,
			`{"error":{"code":400,"status":"INVALID_ARGUMENT","message":"API key not valid: `+
				r.Header.Get("X-Goog-Api-Key")+`"}}`)
	}))
	defer quoting.Close()
	key := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(key, []byte("AIzaSyHidden0123456789Hidden"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := serve(t, "--base-url", quoting.URL, "--api-key-file", key)
	reply := r.ask(t, "gemini-x", false)
	body := text(t, reply)
	r.Stderr.WaitFor(t, `msg=request .*error_type=`)
	_, metrics := r.Get(t, "/metrics")
	if asked.Load() == 0 || strings.Contains(body+r.Stderr.String()+metrics, "Hidden") {
		t.Errorf("%s\n%s", body, r.Stderr)
	}
}

// With a folder a request is found by its id after a restart, in the same browser.
func TestTheInspectorKeepsRequestsAndSessionsInAFolder(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "inspector")
	port := freePort(t)
	flags := []string{"--inspect", "--inspect-bodies", "--inspect-addr", "127.0.0.1:" + port,
		"--inspect-store", folder, "--inspect-count", "100", "--inspect-max-string", "1KiB"}
	r := serve(t, flags...)
	link := `(http://127\.0\.0\.1:[0-9]+)(/\?token=[0-9A-Z]+)`
	page := r.Stderr.WaitFor(t, link)
	jar, _ := cookiejar.New(nil)
	client := &http.Client{Jar: jar}
	get := func(path string) (int, string) {
		t.Helper()
		reply, err := client.Get(page[1] + path)
		if err != nil {
			t.Fatal(err)
		}
		return reply.StatusCode, text(t, reply)
	}
	if status, _ := get(page[2]); status != http.StatusOK {
		t.Fatalf("the link: HTTP %d", status)
	}
	reply := r.ask(t, "gemini-3.6-flash", false)
	id := reply.Header.Get("X-Request-Id")
	text(t, reply)
	status, before := get("/api/exchanges/" + id)
	if status != http.StatusOK {
		t.Fatalf("%s: HTTP %d", id, status)
	}
	r.Terminate(t)

	r = serve(t, flags...)
	r.Stderr.WaitFor(t, link)
	// The bodies, and with them the preview and the conversation, are read in the background.
	deadline := time.Now().Add(20 * time.Second)
	status, after := get("/api/exchanges/" + id)
	for ; after != before && time.Now().Before(deadline); status, after = get("/api/exchanges/" + id) {
		time.Sleep(10 * time.Millisecond)
	}
	if status != http.StatusOK || after != before {
		t.Errorf("after a restart: HTTP %d\n%s\n%s", status, after, before)
	}
	r.Terminate(t)
}

// freePort returns a port on which nothing listens.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

func TestTheDefaultsOfTheInspectorAreThoseOfThePackage(t *testing.T) {
	t.Parallel()
	if config.DefaultInspectCount != inspector.DefaultMaxExchanges ||
		config.DefaultInspectMaxMemory != inspector.DefaultMaxBytes ||
		config.DefaultInspectMaxBody != inspector.DefaultMaxBodySize {
		t.Error("package config has other defaults than package inspector")
	}
}

func TestTheInspectorHasALinkAndEndsWithTheGateway(t *testing.T) {
	t.Parallel()
	r := serve(t, "--inspect", "--inspect-addr", "127.0.0.1:0")
	link := `msg="inspector; the link works once, and SIGHUP prints another" url="?(http://127\.0\.0\.1:[0-9]+/\?token=[0-9A-Z]+)`
	page := r.Stderr.WaitFor(t, link)[1]
	text(t, r.ask(t, "gemini-3.6-flash", false))
	open := func(page string) int {
		t.Helper()
		jar, _ := cookiejar.New(nil)
		client := &http.Client{Jar: jar}
		reply, err := client.Get(page)
		if err != nil {
			t.Fatal(err)
		}
		reply.Body.Close()
		return reply.StatusCode
	}
	if status := open(page); status != http.StatusOK {
		t.Errorf("the link: %d", status)
	}
	if status := open(page); status == http.StatusOK {
		t.Error("the link works twice")
	}
	r.HangUp()
	again := r.Stderr.WaitFor(t, `(?s)`+link+`.*`+link)[2]
	if status := open(again); status != http.StatusOK {
		t.Errorf("the link of a reload: %d", status)
	}
	if code := r.Terminate(t); code != 0 {
		t.Errorf("exit code %d", code)
	}
}
