package inspector_test

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/exchange/exchangetest"
	"github.com/gemwire/gemwire/server/inspector"
	"github.com/google/go-cmp/cmp"
)

// reopen closes the folder of an inspector and opens it with another one. The browser keeps its
// cookie and address, as over a restart.
func (b *browser) reopen(opts ...inspector.Option) *browser {
	b.t.Helper()
	if err := b.CloseFolder(); err != nil {
		b.t.Fatal(err)
	}
	ins, err := inspector.New(opts...)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = ins.CloseFolder() })
	host := strings.TrimPrefix(b.url, "http://")
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, cookie := range b.client.Jar.Cookies(r.URL) {
			r.AddCookie(cookie)
		}
		r.Host = host // the cookie of another port has another name
		ins.Handler().ServeHTTP(w, r)
	}))
	b.t.Cleanup(srv.Close)
	b.t.Cleanup(ins.Close)
	out := *b
	out.url, out.Inspector = srv.URL, ins
	out.client = &http.Client{Transport: b.client.Transport}
	cookie := b.cookie()
	out.client.Transport = roundTripper(func(r *http.Request) (*http.Response, error) {
		r.AddCookie(cookie)
		return b.client.Transport.RoundTrip(r)
	})
	return &out
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestAFolderKeepsExchangesAndSessionsOverARestart(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "kept")
	opts := []inspector.Option{inspector.WithBodies(), inspector.WithFolder(folder)}
	b := open(t, opts...)
	for _, scene := range exchangetest.All() {
		if !scene.Hangs {
			b.gateway.Play(scene)
		}
	}
	newest := b.newest()
	var before []string
	for n := range newest {
		before = append(before, b.get("/api/exchanges/"+itoa(n+1)))
	}
	if b.pin("2", true) != http.StatusNoContent {
		t.Fatal("it cannot be pinned")
	}
	before[1] = b.get("/api/exchanges/2")
	id := between(before[2], `"id":"`, `"`)

	again := b.reopen(opts...)
	for n, want := range before {
		if got := again.get("/api/exchanges/" + itoa(n+1)); got != want {
			t.Errorf("exchange %d has changed (- want, + got):\n%s", n+1, cmp.Diff(want, got))
		}
	}
	if got := again.get("/api/exchanges/" + id); !strings.Contains(got, `"number":3,`) {
		t.Errorf("%s: %.200s", id, got)
	}
	again.answered(exchange.Start{}, 200)
	if got := again.newest(); got != newest+1 {
		t.Errorf("the next exchange has the number %d", got)
	}
	for _, scene := range exchangetest.All() {
		if scene.Name == "picture" {
			picture := "\x89PNG\r\n\x1a\n" + strings.Repeat("not really a picture ", 4000)
			if again.get("/api/media/"+sumOf([]byte(picture))) != picture {
				t.Error("the picture is another one")
			}
		}
	}
}

func TestTheFilesOfAFolderBelongToTheirOwner(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "kept")
	b := open(t, inspector.WithBodies(), inspector.WithFolder(folder),
		inspector.WithSecrets("station"))
	b.gateway.Play(exchangetest.Picture())
	b.gateway.Play(exchangetest.Lossy())
	if err := b.CloseFolder(); err != nil {
		t.Fatal(err)
	}
	cookie := b.cookie().Value
	files := 0
	err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		want := os.FileMode(0o600)
		if entry.IsDir() {
			want = 0o700
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s: %v", path, info.Mode())
		}
		if entry.IsDir() {
			return nil
		}
		files++
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), cookie) || strings.Contains(string(data), "station") {
			t.Errorf("%s holds the session's token or a secret", path)
		}
		return err
	})
	if err != nil || files != 5 { // two exchanges, a picture, the state and the lock
		t.Errorf("%d files, %v", files, err)
	}
}

func TestAFolderHasNoMoreThanTheMemory(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	opts := []inspector.Option{inspector.WithBodies(), inspector.WithFolder(folder)}
	b := open(t, append(opts, inspector.WithMaxExchanges(4))...)
	b.gateway.Play(exchangetest.Picture())
	b.detail(1)
	for range 6 {
		b.gateway.Play(exchangetest.Lossy())
	}
	b.detail(7)
	smaller := b.reopen(append(opts, inspector.WithMaxExchanges(2))...)
	if got := smaller.count(); got != 2 {
		t.Errorf("%d exchanges", got)
	}
	if err := smaller.CloseFolder(); err != nil {
		t.Fatal(err)
	}
	for pattern, want := range map[string]int{"exchanges/*.json": 2, "media/*": 0} {
		files, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil || len(files) != want {
			t.Errorf("%s: %v, %v", pattern, files, err)
		}
	}
	files, _ := filepath.Glob(filepath.Join(folder, "exchanges/*.json"))
	names := []string{filepath.Base(files[0]), filepath.Base(files[1])}
	if !slices.Equal(names, []string{"6.json", "7.json"}) {
		t.Errorf("kept: %v", names)
	}
}

func TestClearingEmptiesTheFolderAndNumbersGoOn(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	opts := []inspector.Option{inspector.WithFolder(folder)}
	b := open(t, opts...)
	for range 3 {
		b.answered(exchange.Start{}, 200)
	}
	b.detail(3)
	b.do(http.MethodPost, "/api/clear", `{}`)
	again := b.reopen(opts...)
	if got := again.count(); got != 0 {
		t.Errorf("%d exchanges after clearing", got)
	}
	again.answered(exchange.Start{}, 200)
	if got := again.newest(); got != 4 {
		t.Errorf("the next number is %d", got)
	}
}

func TestAFolderBelongsToOneInspectorAtATime(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	first, err := inspector.New(inspector.WithFolder(folder))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := inspector.New(inspector.WithFolder(folder)); err == nil ||
		!strings.Contains(err.Error(), "another gateway uses the folder") {
		t.Errorf("a second one: %v", err)
	}
	if err := first.CloseFolder(); err != nil {
		t.Fatal(err)
	}
	second, err := inspector.New(inspector.WithFolder(folder))
	if err != nil {
		t.Fatal(err)
	}
	if err := second.CloseFolder(); err != nil {
		t.Error(err)
	}
}

// What lies in the folder may be damaged. It stops nothing.
func TestDamagedFilesOfAFolderAreSkipped(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	b := open(t, inspector.WithBodies(), inspector.WithFolder(folder))
	b.gateway.Play(exchangetest.Lossy())
	b.gateway.Play(exchangetest.Picture())
	b.gateway.Play(exchangetest.Lossy())
	b.detail(3)
	if err := b.CloseFolder(); err != nil {
		t.Fatal(err)
	}
	pictures, _ := filepath.Glob(filepath.Join(folder, "media/*"))
	for path, text := range map[string]string{
		"exchanges/1.json": `{"number":`, "exchanges/x.json": "{}", "exchanges/.new-1": "half",
		"state.json": "?", strings.TrimPrefix(pictures[0], folder): "another picture",
	} {
		if err := os.WriteFile(filepath.Join(folder, path), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	again := open(t, inspector.WithBodies(), inspector.WithFolder(folder))
	defer again.CloseFolder()
	if got := again.count(); got != 2 {
		t.Errorf("%d exchanges", got)
	}
	if d := again.detail(2); d.Notes["replay"] == "" ||
		!strings.Contains(d.Client.Request.Body, "gemwire media") {
		t.Errorf("without its picture: %+v", d.Notes)
	}
	if _, err := os.Stat(filepath.Join(folder, "exchanges/.new-1")); err == nil {
		t.Error("a file that was not completed is left")
	}
}

func TestAFolderThatCannotBeWrittenIsReported(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := inspector.New(inspector.WithFolder(file)); err == nil {
		t.Error("a file is no folder")
	}
	folder := t.TempDir()
	b := open(t, inspector.WithFolder(folder))
	if err := os.RemoveAll(filepath.Join(folder, "exchanges")); err != nil {
		t.Fatal(err)
	}
	b.answered(exchange.Start{}, 200)
	b.detail(1)
	if err := b.CloseFolder(); err == nil {
		t.Error("an exchange was lost without an error")
	}
	events := b.listen()
	defer events.end()
	if n := events.next(); n.Store != "folder" || n.StoreError == "" {
		t.Errorf("the page shows %q, %q", n.Store, n.StoreError)
	}
}

func TestWithoutASessionThePageSaysHowToGetALink(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithLinkCommand("kill -HUP 4711 <now>"))
	for path, want := range map[string]string{
		"/":                "kill -HUP 4711 &lt;now&gt;",
		"/api/exchanges/1": `"command":"kill -HUP 4711 <now>"`,
	} {
		request := httptest.NewRequest(http.MethodGet, "http://127.0.0.1"+path, nil)
		answer := httptest.NewRecorder()
		b.Handler().ServeHTTP(answer, request)
		if answer.Code != http.StatusUnauthorized || !strings.Contains(answer.Body.String(), want) {
			t.Errorf("%s: %d %s", path, answer.Code, answer.Body)
		}
	}
}

func TestAnExportedSessionIsImportedByAnotherInspector(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies())
	for _, scene := range exchangetest.All() {
		if !scene.Hangs {
			b.gateway.Play(scene)
		}
	}
	newest := b.newest()
	for n := range newest {
		b.detail(n + 1)
	}
	file := b.get("/api/session")
	if status, header, _ := b.do(http.MethodGet, "/api/session", ""); status != 200 ||
		header.Get("Content-Disposition") != `attachment; filename="gemwire-session.json"` {
		t.Errorf("HTTP %d, %v", status, header)
	}

	other := open(t)
	other.answered(exchange.Start{}, 200)
	status, _, answer := other.do(http.MethodPost, "/api/session", file)
	if status != http.StatusOK || !strings.HasPrefix(answer, `{"numbers":[2,3,`) {
		t.Fatal(status, answer)
	}
	for n := range newest {
		want := strings.NewReplacer(`"number":`+itoa(n+1)+`,"id"`, `"number":`+itoa(n+2)+`,"id"`,
			`"imported":false`, `"imported":true`, `"canReplay":true`, `"canReplay":false`).
			Replace(b.get("/api/exchanges/" + itoa(n+1)))
		if got := other.get("/api/exchanges/" + itoa(n+2)); got != want {
			t.Errorf("exchange %d (- want, + got):\n%s", n+1, cmp.Diff(want, got))
		}
	}
	picture := "\x89PNG\r\n\x1a\n" + strings.Repeat("not really a picture ", 4000)
	if other.get("/api/media/"+sumOf([]byte(picture))) != picture {
		t.Error("the picture is another one")
	}

	if some := b.get("/api/session?numbers=2,3"); strings.Count(some, `"start":`) != 2 {
		t.Errorf("two of them: %.300s", some)
	}
	for _, numbers := range []string{"99", "x", "1,,2"} {
		if status, _, _ := b.do(http.MethodGet, "/api/session?numbers="+numbers,
			""); status != http.StatusNotFound {
			t.Errorf("%s: HTTP %d", numbers, status)
		}
	}
}

// A session may come from anywhere. What it says stays text, within the limits.
func TestAHostileSessionDoesNoHarm(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithMaxExchanges(50), inspector.WithMaxBodySize(4<<10),
		inspector.WithSecrets("our-own-secret"))
	hostile := `{"format":"gemwire-inspector/1","media":{"` + strings.Repeat("a", 64) + `":"` +
		base64.StdEncoding.EncodeToString([]byte("<script>")) + `","x":""},"exchanges":[{
		"number":-7,"bodies":true,"replayOf":99,"pinned":true,
		"start":{"id":"<img src=x>","at":"9999-12-31T23:59:59Z","method":"GET\nX","path":"@evil.test/","retry":-1},
		"client":{"request":{"at":-5,"method":"PO'ST","url":"@evil.test/","status":70000,
			"header":[{"name":"Authorization","value":"Bearer x"},{"name":"X-A\r\nB","value":"v"},{"name":"X-Gemwire-Strict","value":"'; rm -rf /"}],
			"body":{"text":"our-own-secret [gemwire media sha256:` + strings.Repeat("a", 64) + ` text/html 8 bytes] ` +
		strings.Repeat("long ", 2000) + `","media":[{"sha256":"` + strings.Repeat("a", 64) + `"}],"leftOut":-3}}},
		"tries":[{"upstream":{"request":{"at":1e300,"url":"https://evil.test/v1beta/models/m:generateContent","body":{"text":"{}"}}}}],
		"findings":[{"side":"other","kind":"lost","pointer":"/a","detail":"d"},{"side":"client","kind":"strange","pointer":"/a","detail":"d"}],
		"end":{"status":-1,"duration":-1,"usage":{"input_tokens":1,"output_tokens":1,"thinking_tokens":0,"cached_tokens":0,"total_tokens":2}}}]}`
	status, _, answer := b.do(http.MethodPost, "/api/session", hostile)
	if status != http.StatusOK || answer != `{"numbers":[1]}` {
		t.Fatal(status, answer)
	}
	d := b.detail(1)
	body := b.get("/api/exchanges/1")
	if strings.Contains(body, "our-own-secret") || strings.Contains(body, "Bearer x") ||
		strings.Contains(body, "X-A") || !strings.Contains(body, `"imported":true,"strict":false`) ||
		!strings.Contains(body, `"pinned":false`) || d.Summary.ReplayOf != 0 ||
		len(d.Findings) != 0 || len(d.Client.Request.Body) > 4<<10 || !d.Client.Request.Cut {
		t.Errorf("kept: %.3000s", body)
	}
	b.get("/api/exchanges/1/har")
	if command := b.get("/api/exchanges/1/curl/upstream"); strings.Contains(command, "API_KEY") {
		t.Errorf("a key would go to %s", command)
	}
	if status, _, command := b.do(http.MethodGet, "/api/exchanges/1/curl/client",
		""); status == http.StatusOK && strings.Contains(command, "evil.test") {
		t.Errorf("it would call %s", command)
	}
	status, _, _ = b.do(http.MethodGet, "/api/media/"+strings.Repeat("a", 64), "")
	if status != http.StatusNotFound {
		t.Errorf("a medium with another hash: HTTP %d", status)
	}
	for name, test := range map[string]struct {
		file   string
		status int
	}{
		"no session": {`{}`, http.StatusBadRequest},
		"no JSON":    {`{"format":`, http.StatusBadRequest},
		"newer":      {`{"format":"gemwire-inspector/2"}`, http.StatusBadRequest},
		"null for a request": {`{"format":"gemwire-inspector/1","exchanges":[null]}`,
			http.StatusBadRequest},
		"too many": {`{"format":"gemwire-inspector/1","exchanges":[` +
			strings.Repeat(`{},`, 50) + `{}]}`, http.StatusRequestEntityTooLarge},
		"a wrong type": {`{"format":"gemwire-inspector/1","exchanges":[{"number":"1"}]}`, http.StatusBadRequest},
	} {
		if status, _, answer := b.do(http.MethodPost, "/api/session",
			test.file); status != test.status {
			t.Errorf("%s: HTTP %d %s", name, status, answer)
		}
	}
	if got := b.count(); got != 1 {
		t.Errorf("%d exchanges after refused files", got)
	}
}

// Sums of absurd numbers are not finite, and JSON has no time after the year 9999.
func TestAbsurdNumbersOfAnImportHarmNoView(t *testing.T) {
	t.Parallel()
	b := open(t)
	const ended = `{"start":{"id":"req_a","at":"2026-11-20T09:00:00Z","method":"POST","path":"/"},` +
		`"attempts":[{"number":1,"account":"a","started":"9999-12-31T23:59:59Z","status":429,` +
		`"error":"quota","duration":1e300,"wait":1e300}],` +
		`"end":{"status":200,"upstreamModel":"m","cost":{"amount":AMOUNT,"currency":"USD"},` +
		`"rest":{"account":"a","reason":"quota","until":"9999-12-31T23:59:59-12:00"},` +
		`"usage":{"input_tokens":9223372036854775807,"output_tokens":1,"thinking_tokens":0,` +
		`"cached_tokens":-5,"total_tokens":1}}}`
	high := strings.ReplaceAll(ended, "AMOUNT", "1.7e308")
	low := strings.ReplaceAll(ended, "AMOUNT", "-4")
	status, _, answer := b.do(http.MethodPost, "/api/session",
		`{"format":"gemwire-inspector/1","exchanges":[`+high+","+high+","+low+`]}`)
	if status != http.StatusOK {
		t.Fatal(status, answer)
	}
	for _, path := range []string{"/api/overview", "/api/exchanges/1", "/api/exchanges/3",
		"/api/session", "/api/har", "/api/exchanges/1/conversation"} {
		status, _, answer := b.do(http.MethodGet, path, "")
		if status != http.StatusOK {
			t.Errorf("%s: HTTP %d %.200s", path, status, answer)
		}
		for _, absurd := range []string{"e+308", `"amount":-4`, ":-9223", `"cost":-`, ":-5"} {
			if strings.Contains(answer, absurd) {
				t.Errorf("%s has %s", path, absurd)
			}
		}
	}
}
