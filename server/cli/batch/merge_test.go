package batch_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gemwire/gemwire/pkg/fakegemini"
)

// refusal is the word of refused requests. Wait is called before each answer, unless it is nil.
type refusal struct {
	atomic.Value
	wait atomic.Pointer[func()]
}

// refusing starts a fake server that refuses requests with a word while it is set. It returns the
// flags that make it the Gemini API.
func refusing(t *testing.T) (flags []string, word *refusal) {
	t.Helper()
	fake, err := fakegemini.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(fake.Close)
	address, err := fake.URL()
	if err != nil {
		t.Fatal(err)
	}
	target, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	word = &refusal{}
	word.Store("")
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if wait := word.wait.Load(); wait != nil {
			(*wait)()
		}
		if refused := word.Load().(string); refused != "" && bytes.Contains(body, []byte(refused)) {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(`{"error":{"code":400,"message":"refused","status":"INVALID_ARGUMENT"}}`))
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return []string{"--upstream", "gemini", "--base-url", server.URL, "--api-key-file",
		write(t, "key", "test-key")}, word
}

// mixed returns lines of which every second and the last two have the words bad and worse.
func mixed(line func(id, text string) string) (lines []string) {
	for i := range 12 {
		text := "good"
		switch {
		case i >= 10:
			text = "worse bad"
		case i%2 == 0:
			text = "bad"
		}
		lines = append(lines, line(fmt.Sprint("q", i), text))
	}
	return lines
}

func TestARetryIsMergedInPlaceAndInOrder(t *testing.T) {
	t.Parallel()
	for form, line := range map[string]func(id, text string) string{
		"openai": func(id, text string) string { return chat(id, text, "") },
		"gemini": func(id, text string) string {
			return `{"key":"` + id + `","request":{"model":"gemini-3.6-flash","contents":[{"role":"user","parts":[{"text":"` +
				text + `"}]}]}}`
		},
	} {
		flags, word := refusing(t)
		word.Store("bad")
		in, store := write(t, "in.jsonl", mixed(line)...), t.TempDir()
		out := filepath.Join(t.TempDir(), "answers.jsonl")
		run := slices.Concat([]string{"batch", "run", in, "--out", out, "--store", store}, flags)
		if got := gemwire(t.Context(), run...); got.code != 1 ||
			!strings.Contains(got.stderr, "--out "+out) {
			t.Fatalf("%s: %+v", form, got)
		}
		checkIDs(t, out, "q1 q3 q5 q7 q9")
		checkIDs(t, errorsOf(out), "q0 q2 q4 q6 q8 q10 q11")
		word.Store("worse")
		retry := slices.Concat([]string{"batch", "retry", "--out", out, "--store", store}, flags)
		if got := gemwire(t.Context(), retry...); got.code != 1 ||
			!strings.Contains(got.stderr, "merged") {
			t.Fatalf("%s: %+v", form, got)
		}
		checkIDs(t, out, "q0 q1 q2 q3 q4 q5 q6 q7 q8 q9")
		checkIDs(t, errorsOf(out), "q10 q11")
		if got := gemwire(t.Context(), run...); got.code != 1 { // which is not undone
			t.Errorf("%s: %+v", form, got)
		}
		checkIDs(t, out, "q0 q1 q2 q3 q4 q5 q6 q7 q8 q9")
		word.Store("")
		for range 2 {
			if got := gemwire(t.Context(), retry...); got.code != 0 {
				t.Fatalf("%s: %+v", form, got)
			}
			checkIDs(t, out, "q0 q1 q2 q3 q4 q5 q6 q7 q8 q9 q10 q11")
			if _, err := os.Stat(errorsOf(out)); err == nil {
				t.Errorf("%s: %s is left", form, errorsOf(out))
			}
		}
	}
}

func errorsOf(out string) string { return strings.TrimSuffix(out, ".jsonl") + ".errors.jsonl" }

// checkIDs checks the ids of the lines of a file.
func checkIDs(t *testing.T, path, want string) {
	t.Helper()
	var ids []string
	for text := range strings.Lines(readFile(t, path)) {
		var l struct {
			CustomID string `json:"custom_id"`
			Key      string `json:"key"`
		}
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, l.CustomID+l.Key)
	}
	if got := strings.Join(ids, " "); got != want {
		t.Errorf("%s: %s; want %s", path, got, want)
	}
}

func TestARetryIsNotMergedIntoAnotherFile(t *testing.T) {
	t.Parallel()
	flags, word := refusing(t)
	word.Store("bad")
	in, store := write(t, "in.jsonl", chat("a", "hi", ""), chat("b", "bad", "")), t.TempDir()
	out := filepath.Join(t.TempDir(), "answers.jsonl")
	if got := gemwire(t.Context(), slices.Concat([]string{"batch", "run", in, "--out", out,
		"--store", store}, flags)...); got.code != 1 {
		t.Fatalf("%+v", got)
	}
	other := write(t, "other.jsonl", "mine")
	got := gemwire(t.Context(), slices.Concat([]string{"batch", "retry", "--out", other,
		"--store", store}, flags)...)
	if got.code != 1 || !strings.Contains(got.stderr, "differs from the answers") ||
		readFile(t, other) != "mine\n" {
		t.Errorf("%+v", got)
	}
}

func TestATableOfAnswersKeepsTheColumnsOfTheInput(t *testing.T) {
	t.Parallel()
	flags, word := refusing(t)
	word.Store("bad")
	folder, store := t.TempDir(), t.TempDir()
	template := write(t, "kind.json", `{"url": "/v1/chat/completions", "body": {"model": "gemini-3.6-flash", "messages": [{"role": "user", "content": "{{review}}"}]}}`)
	variables := write(t, "reviews.csv", "city;review;stars", `Rome;"good; ""really""";5`,
		"Oslo;bad;1", "Bern;fine;4")
	out := filepath.Join(folder, "kind.csv")
	run := slices.Concat([]string{"batch", "run", "--template", template, "--variables", variables,
		"--out", out, "--store", store}, flags)
	if got := gemwire(t.Context(), run...); got.code != 1 {
		t.Fatalf("%+v", got)
	}
	checkTable(t, out, [][]string{
		{"city", "review", "stars", "custom_id", "answer", "error"},
		{"Rome", `good; "really"`, "5", "request-1", `*good; "really"`, ""},
		{"Oslo", "bad", "1", "request-2", "", "*refused"},
		{"Bern", "fine", "4", "request-3", "*fine", ""},
	})
	checkIDs(t, filepath.Join(folder, "kind.errors.jsonl"), "request-2")
	word.Store("")
	retry := slices.Concat([]string{"batch", "retry", "--out", out, "--store", store}, flags)
	for _, command := range [][]string{retry, retry, run} {
		if got := gemwire(t.Context(), command...); got.code != 0 {
			t.Fatalf("%v: %+v", command, got)
		}
		checkTable(t, out, [][]string{
			{"city", "review", "stars", "custom_id", "answer", "error"},
			{"Rome", `good; "really"`, "5", "request-1", `*good; "really"`, ""},
			{"Oslo", "bad", "1", "request-2", "*bad", ""},
			{"Bern", "fine", "4", "request-3", "*fine", ""},
		})
	}
}

// checkTable compares a table. A cell that begins with * must contain the rest.
func checkTable(t *testing.T, path string, want [][]string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(readFile(t, path))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.EqualFunc(rows, want, func(row, want []string) bool {
		return slices.EqualFunc(row, want, func(cell, want string) bool {
			part, isPart := strings.CutPrefix(want, "*")
			return cell == want || isPart && strings.Contains(cell, part)
		})
	}) {
		t.Errorf("%s: %q; want %q", path, rows, want)
	}
}

func TestATableHasAColumnForEachMemberOfTheAnswers(t *testing.T) {
	t.Parallel()
	schema := `"response_format":{"type":"json_schema","json_schema":{"name":"k","schema":{"type":"object","additionalProperties":false,"required":["kind","review"],"properties":{"kind":{"type":"boolean"},"review":{"type":"string"}}}}},`
	template := write(t, "kind.json", chat("v-{{id}}", "{{review}}", schema))
	variables := write(t, "reviews.jsonl", `{"id":7,"review":"good"}`,
		`{"review":"fine","id":8,"custom_id":"x"}`)
	out := filepath.Join(t.TempDir(), "kind.tsv")
	if got := gemwire(t.Context(), "batch", "run", "--template", template, "--variables",
		variables, "--out", out, "--store", t.TempDir()); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	in := csv.NewReader(strings.NewReader(readFile(t, out)))
	in.Comma = '\t'
	rows, err := in.ReadAll()
	if err != nil || len(rows) != 3 {
		t.Fatal(rows, err)
	}
	if want := []string{"id", "review", "custom_id", "request_id", "kind", "answer_review",
		"error"}; !slices.Equal(rows[0], want) {
		t.Errorf("%q; want %q", rows[0], want)
	}
	if row := rows[2]; !slices.Equal(row[:4], []string{"8", "fine", "x", "v-8"}) ||
		row[4] != "true" && row[4] != "false" || row[5] == "" || row[6] != "" {
		t.Errorf("%q", row)
	}
}

func TestATableOfRequestsHasTheirIDs(t *testing.T) {
	t.Parallel()
	in := write(t, "in.jsonl", chat("a", "hi", ""), chat("b", "there", ""))
	out := filepath.Join(t.TempDir(), "answers.csv")
	if got := gemwire(t.Context(), "batch", "run", in, "--out", out, "--store",
		t.TempDir()); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	checkTable(t, out, [][]string{{"custom_id", "answer", "error"}, {"a", "*hi", ""},
		{"b", "*there", ""}})
}
