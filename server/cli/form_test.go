package cli_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/forms"
	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/estimate"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/bulk/live"
	"github.com/gemwire/gemwire/server/cli"
	"github.com/gemwire/gemwire/server/cli/serve"
	"github.com/gemwire/gemwire/server/cli/setup"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/config"
	"github.com/gemwire/gemwire/server/inspector"
	"github.com/gemwire/gemwire/server/internal/toyformtest"
)

// A new form needs only a folder such as toyformtest, and a row of a table. No program needs a
// change.
var withToy = append(forms.All(), toyformtest.Form())

// post sends a body to a handler.
func post(t *testing.T, handler http.Handler, path, body string) (*httptest.ResponseRecorder,
	string) {
	t.Helper()
	request := httptest.NewRequest(http.MethodPost, "http://localhost"+path,
		strings.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	out := httptest.NewRecorder()
	handler.ServeHTTP(out, request)
	return out, out.Body.String()
}

func TestTheGatewayServesANewForm(t *testing.T) {
	t.Parallel()
	handler, err := gateway.New(gateway.WithForms(withToy))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(handler.Close)
	const asked = `{"model":"gemini-3.6-flash","shout":"hello"`
	out, body := post(t, handler, "/toy/shout", asked+`}`)
	if out.Code != http.StatusOK || !strings.HasPrefix(body, `{"echo":"`) ||
		!strings.Contains(body, "HELLO") || out.Header().Get("X-Toy-Id") == "" {
		t.Errorf("%d %v %s", out.Code, out.Header(), body)
	}
	if out, body := post(t, handler, "/toy/shout",
		asked+`,"stream":true}`); out.Code != http.StatusOK || !strings.Contains(body, "HELLO") {
		t.Errorf("a stream: %d %s", out.Code, body)
	}
	if out, body := post(t, handler, "/toy/shout",
		`{"shout":`); out.Code != http.StatusBadRequest || !strings.HasPrefix(body, `{"wrong":"`) {
		t.Errorf("a broken request: %d %s", out.Code, body)
	}
	if out, _ := post(t, handler, "/v1/chat/completions",
		`{"model":"gemini-3.6-flash","messages":[{"role":"user","content":"hi"}]}`); out.Code != http.StatusOK {
		t.Errorf("chat_completions: %d", out.Code)
	}
}

func TestPathsOfFormsThatTheTableLacksAreNotFound(t *testing.T) {
	t.Parallel()
	handler, err := gateway.New(gateway.WithForms(transform.Forms{toyformtest.Form()}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(handler.Close)
	for _, path := range []string{"/v1/chat/completions", "/v1/responses", "/v1/messages"} {
		if out, body := post(t, handler, path, `{}`); out.Code != http.StatusNotFound ||
			!strings.Contains(body, "does not serve POST "+path) {
			t.Errorf("%s: HTTP %d %s", path, out.Code, body)
		}
	}
}

func TestBulkJobsAnswerANewForm(t *testing.T) {
	t.Parallel()
	handler, err := gateway.New(gateway.WithForms(withToy))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(handler.Close)
	const in = `{"custom_id":"a","method":"POST","url":"/toy/shout","body":{"model":"gemini-3.6-flash","shout":"hello"}}`
	var lines []line.Line
	for l, err := range line.NewReader(strings.NewReader(in), line.WithForms(withToy)).Lines() {
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, l)
	}
	if tokens, err := estimate.Of(&lines[0], "gemini-3.6-flash",
		estimate.WithForms(withToy)); err != nil || tokens.Input == 0 {
		t.Errorf("estimated %+v, %v", tokens, err)
	}
	var got []line.Result
	item := bulk.NewItem(&bulk.Job{}, 0, lines, nil,
		func(_ context.Context, result line.Result) error {
			got = append(got, result)
			return nil
		})
	if err := live.New(handler).Run(t.Context(), item); err != nil || len(got) != 1 ||
		!strings.Contains(string(got[0].Response.Body), "HELLO") {
		t.Errorf("%v, %+v", err, got)
	}
	const refused = `{"custom_id":"a","method":"POST","url":"/toy/shout","body":{"model":"m","shout":"hello","stream":true}}`
	if err := readAll(line.NewReader(strings.NewReader(refused),
		line.WithForms(withToy))); err == nil || !strings.Contains(err.Error(), "/body/stream") {
		t.Errorf("a stream: %v", err)
	}
}

// readAll returns the error of an input.
func readAll(r *line.Reader) (failed error) {
	for _, err := range r.Lines() {
		if err != nil {
			failed = err
		}
	}
	return failed
}

func TestTheCommandConvertsAndValidatesANewForm(t *testing.T) {
	t.Parallel()
	const answer = `{"candidates":[{"content":{"role":"model","parts":[{"text":"hello"}]},"finishReason":"STOP"}]}`
	for _, test := range []struct{ args, in, want string }{
		{"convert --from gemini-response --to toy-response", answer, `{"echo":"HELLO"}` + "\n"},
		{"convert --from gemini-stream --to toy-stream", "data: " + answer + "\n\n", `{"echo":"HELLO"}` + "\n"},
		{"convert --from gemini-stream --to toy-response", "data: " + answer + "\n\n", `{"echo":"HELLO"}` + "\n"},
		{"convert --from toy-request --to toy-request", `{ "shout": "hello" }`, `{"shout":"hello"}` + "\n"},
		{"convert --to gemini-request", `{"shout":"hello"}`, `{"contents":[{"parts":[{"text":"hello"}],"role":"user"}]}` + "\n"},
		{"validate --as toy-request", `{"shout":"hello"}`, ""},
		{"validate --as toy-response", `{"echo":"HELLO"}`, ""},
	} {
		var stdout, stderr bytes.Buffer
		code := cli.Run(t.Context(), strings.Fields(test.args), strings.NewReader(test.in), &stdout,
			&stderr, cli.WithForms(withToy))
		if code != 0 || stdout.String() != test.want {
			t.Errorf("%s: %d %q, expected %q; %s", test.args, code, stdout.String(), test.want,
				stderr.String())
		}
	}
	var stdout, stderr bytes.Buffer
	if code := cli.Run(t.Context(), []string{"validate", "--as", "toy-request"},
		strings.NewReader(`{}`), &stdout, &stderr, cli.WithForms(withToy)); code != 1 {
		t.Errorf("a request without a text: %d %s", code, stdout.String())
	}
}

func TestTheInspectorShowsANewForm(t *testing.T) {
	t.Parallel()
	ins, err := inspector.New(inspector.WithBodies(), inspector.WithForms(withToy))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(ins.Close)
	handler, err := gateway.New(gateway.WithForms(withToy), gateway.WithObserver(ins))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(handler.Close)
	post(t, handler, "/toy/shout", `{"model":"gemini-3.6-flash","shout":"hello","whisper":1}`)

	page := httptest.NewServer(ins.Handler())
	t.Cleanup(page.Close)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	get := func(address string) string {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	get(ins.URL(strings.TrimPrefix(page.URL, "http://")))
	shown := get(page.URL + "/api/exchanges/1")
	for _, want := range []string{`"form":"toy"`, "HELLO", `"here":"/whisper"`,
		`"there":"/contents"`} {
		if !strings.Contains(shown, want) {
			t.Errorf("%s is not in %s", want, shown)
		}
	}
}

// This test does not run in parallel, because it sets the environment.
func TestCommandsOfTheGatewayAndOfJobsKnowANewForm(t *testing.T) {
	for _, name := range []string{"GEMINI_API_KEY", "GOOGLE_API_KEY", "GEMWIRE_CONFIG"} {
		t.Setenv(name, "")
	}
	folder := t.TempDir()
	in, out := writeFile(t, folder+"/in.jsonl",
		`{"custom_id":"a","method":"POST","url":"/toy/shout","body":{"model":"gemini-3.6-flash","shout":"hello"}}`+
			"\n"),
		folder+"/out.jsonl"
	run := func(args ...string) (string, string) {
		t.Helper()
		var stdout, stderr bytes.Buffer
		if code := cli.Run(t.Context(), args, strings.NewReader(""), &stdout, &stderr,
			cli.WithForms(withToy)); code != 0 {
			t.Errorf("%v: exit code %d\n%s", args, code, stderr.String())
		}
		return stdout.String(), stderr.String()
	}
	if said, _ := run("batch", "estimate", in); !strings.Contains(said, "/toy/shout") {
		t.Errorf("estimate: %s", said)
	}
	run("batch", "run", in, "--out", out, "--store", folder+"/jobs")
	if answers := readFile(t, out); !strings.Contains(answers, "HELLO") {
		t.Errorf("answers: %s", answers)
	}
	started, err := serve.Start(setup.WithForms(t.Context(), withToy),
		config.Sources{Flags: []config.Flag{{Name: "addr", Text: "127.0.0.1:0"}}}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer started.Stop()
	reply, err := http.Post(started.URL+"/toy/shout", "application/json",
		strings.NewReader(`{"model":"gemini-3.6-flash","shout":"hello"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	if body, err := io.ReadAll(reply.Body); err != nil || !strings.Contains(string(body), "HELLO") {
		t.Errorf("serve: %v %s", err, body)
	}
}
