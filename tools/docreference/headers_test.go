package docreference

import (
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/transform/forms"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/clientkey"
)

// ownHeaders are the headers that begin with x-gemwire. The test holds them to the code.
var ownHeaders = []struct{ name, in, meaning, more string }{
	{"x-gemwire-losses", "answer", "the number of values that the conversion lost",
		"The number counts the values of the request that did not reach Gemini, and the values of the answer that\n" +
			"did not reach the client. Changed and added values do not count. `0` means that nothing was lost. For a stream it counts only the values of the request,\n" +
			"because the headers are sent before the answer is complete.\n\n" +
			"To see the values themselves, send `x-gemwire-report: true`, or open the [inspector](../inspector.md).\n" +
			"[What a conversion loses](losses.md) lists all losses, with the reason and what to do."},
	{"x-gemwire-budget-reset", "answer", "the time when a budget that is used up resets", ""},
	{"x-gemwire-budget-warning", "answer", "a budget that is used up by at least 80 %, and when it resets",
		"[Usage and budgets](../spending.md) explains budgets."},
	{"x-gemwire-model", "answer", "the model that answered",
		"The name is the one in Gemini's answer. It differs from the requested name if an alias or a fallback applies, or if\n" +
			"Google answers with another model. A stream that begins without a chunk has the requested name."},
	{"x-gemwire-strict", "request", "`true` refuses a request that would lose a value",
		"A loss in the request is a 400 with the code `lossy_conversion`, also for a stream. A loss that appears only\n" +
			"in Gemini's answer ends the stream with an error. The setting `strict` does the same for all requests."},
	{"x-gemwire-report", "request", "`true` adds the list of losses to the answer",
		"The list is in `extra_content.gemwire` of the answer. Each entry has the JSON pointer of the value, what happened\n" +
			"(`lost`, `approximated` or `added`) and the reason:\n\n```json\n" +
			`{"request": [{"pointer": "/user", "kind": "lost", "detail": "..."}], "answer": []}` + "\n```"},
	{"x-gemwire-estimated", "answer", "`true` if the token count is an estimate",
		"With `upstream: openai` and `count_tokens: estimate`, the gateway estimates the tokens of a prompt, because such\n" +
			"servers do not count them."},
	{"x-gemwire-max-body-size", "answer", "the limit that a body exceeded, in bytes",
		"A 413 has this header, so that a program can send less."},
}

// otherHeaders are the headers that other APIs define.
var otherHeaders = []struct{ name, meaning string }{
	{"x-request-id, request-id", "The id of the request. Messages has `request-id`. The log, traces and the inspector have the same id."},
	{"retry-after, retry-after-ms", "How long to wait before a retry."},
	{"x-should-retry", "`false` marks an error that a retry cannot fix."},
	{"x-ratelimit-limit-requests, x-ratelimit-limit-tokens", "The limit of the client key, per minute."},
	{"x-ratelimit-remaining-requests, x-ratelimit-remaining-tokens", "How much of the limit remains."},
	{"x-ratelimit-reset-requests, x-ratelimit-reset-tokens", "When the full limit is available again."},
	{"openai-processing-ms", "The milliseconds that the request took."},
}

var headerInSource = regexp.MustCompile(`"X-Gemwire-[A-Za-z-]+"`)

// headersPage lists the headers. It fails for one of the gateway that the list lacks.
func headersPage(t *testing.T) string {
	found := map[string]bool{}
	err := fs.WalkDir(os.DirFS(filepath.Join(root, "server", "gateway")), ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		data, err := os.ReadFile(filepath.Join(root, "server", "gateway", name))
		for _, header := range headerInSource.FindAllString(string(data), -1) {
			found[strings.ToLower(strings.Trim(header, `"`))] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range found {
		if !slices.ContainsFunc(ownHeaders, func(h struct{ name, in, meaning, more string }) bool { return h.name == name }) {
			t.Errorf("the gateway has the header %s, which ownHeaders lacks", name)
		}
	}
	var b strings.Builder
	b.WriteString("# Headers\n\n```sh\ncurl -i http://127.0.0.1:8080/v1/chat/completions -H 'Content-Type: application/json' \\\n" +
		"  -H 'x-gemwire-report: true' \\\n" +
		"  -d '{\"model\": \"gemini-3.6-flash\", \"user\": \"u1\", \"messages\": [{\"role\": \"user\", \"content\": \"hello\"}]}'\n```\n\n" +
		"The answer has `x-gemwire-losses: 1`, because Gemini has no member `user`.\n\n" + head("header", "of the", "meaning"))
	for _, h := range ownHeaders {
		if !found[h.name] {
			t.Errorf("the gateway has no header %s", h.name)
		}
		b.WriteString(row(fmt.Sprintf("[`%s`](#%s)", h.name, h.name), h.in, h.meaning))
	}
	for _, h := range ownHeaders {
		fmt.Fprintf(&b, "\n## %s\n\n%s.\n\n%s\n", h.name, strings.ToUpper(h.meaning[:1])+h.meaning[1:], h.more)
	}
	b.WriteString("\n## Headers of other APIs\n\nThe clients of these APIs read them.\n\n" + head("header of the answer", "meaning"))
	for _, h := range otherHeaders {
		b.WriteString(row("`"+strings.ReplaceAll(h.name, ", ", "`, `")+"`", h.meaning))
	}
	return b.String()
}

// standardHeaders are headers of HTTP that no client of an API needs to know.
var standardHeaders = []string{"Cache-Control", "Connection", "Content-Length", "Content-Security-Policy",
	"Content-Type", "Vary", "Www-Authenticate", "X-Accel-Buffering", "X-Content-Type-Options"}

// TestThePageNamesEachHeaderOfAnAnswer sends requests that get each kind of answer: a whole answer,
// a stream, an error of the client, of its key and of its limits, and each API.
func TestThePageNamesEachHeaderOfAnAnswer(t *testing.T) {
	t.Parallel()
	keys, err := clientkey.Read([]byte(`{"keys": [{"name": "a", "hash": "` + clientkey.Hash("key-a") +
		`", "requests_per_minute": 4, "tokens_per_minute": 100000},
		{"name": "c", "hash": "` + clientkey.Hash("key-c") + `"},
		{"name": "d", "hash": "` + clientkey.Hash("key-d") + `", "tokens_per_minute": 20}]}`))
	if err != nil {
		t.Fatal(err)
	}
	limited, err := gateway.New(gateway.WithForms(forms.All()), gateway.WithClientKeys(keys), gateway.WithMaxBodySize(900))
	if err != nil {
		t.Fatal(err)
	}
	defer limited.Close()
	const hello = `{"model": "gemini-3.6-flash", "max_tokens": 99, "messages": [{"role": "user", "content": "hello"}]`
	seen := map[string]bool{}
	for _, request := range []struct {
		path, body, key string
		status          int
	}{
		{"/v1/chat/completions", hello + `}`, "key-a", http.StatusOK},
		{"/v1/chat/completions", hello + `, "stream": true}`, "key-a", http.StatusOK},
		{"/v1/messages", hello + `}`, "key-a", http.StatusOK},
		{"/v1beta/models/gemini-3.6-flash:generateContent", `{"contents": [{"parts": [{"text": "a"}]}]}`, "key-a", http.StatusOK},
		{"/v1/chat/completions", hello + `}`, "key-a", http.StatusTooManyRequests},
		{"/v1/chat/completions", strings.Replace(hello, "hello", strings.Repeat("many words ", 30), 1) + `}`, "key-d", http.StatusOK},
		{"/v1/chat/completions", hello + `}`, "key-d", http.StatusTooManyRequests}, // for minutes
		{"/v1/chat/completions", hello + `}`, "key-b", http.StatusUnauthorized},
		{"/v1/chat/completions", hello + strings.Repeat(" ", 900) + `}`, "key-c", http.StatusRequestEntityTooLarge},
	} {
		in := httptest.NewRequest(http.MethodPost, "http://127.0.0.1"+request.path, strings.NewReader(request.body))
		in.Header.Set("Content-Type", "application/json")
		in.Header.Set("Authorization", "Bearer "+request.key)
		answer := httptest.NewRecorder()
		limited.ServeHTTP(answer, in)
		if answer.Code != request.status {
			t.Errorf("%s: HTTP %d, want %d: %s", request.path, answer.Code, request.status, answer.Body)
		}
		for name := range answer.Header() {
			seen[name] = true
		}
	}
	named := map[string]bool{}
	for _, header := range otherHeaders {
		for name := range strings.SplitSeq(header.name, ", ") {
			named[http.CanonicalHeaderKey(name)] = true
		}
	}
	for name := range named {
		if !seen[name] {
			t.Errorf("no answer has the header %s", name)
		}
	}
	for _, header := range ownHeaders {
		named[http.CanonicalHeaderKey(header.name)] = true
	}
	for name := range seen {
		if !named[name] && !slices.Contains(standardHeaders, name) {
			t.Errorf("an answer has the header %s, which the page lacks", name)
		}
	}
}
