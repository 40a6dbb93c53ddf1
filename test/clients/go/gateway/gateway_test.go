package gateway_test

import (
	"bufio"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const (
	model    = "gemini-3.6-flash"
	embedder = "gemini-embedding-001"
	prompt   = "Why is the sky blue?"
	words    = "Tell me more [words 60]"
)

// TestMain builds the programs that the environment does not name.
func TestMain(m *testing.M) {
	code, err := runWithPrograms(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func runWithPrograms(m *testing.M) (int, error) {
	dir, err := os.MkdirTemp("", "gemwire-gateway-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	for _, program := range []struct{ variable, folder, source string }{
		{"GEMWIRE_COMMAND", "../../../..", "./server/cmd/gemwire"},
		{"GEMWIRE_WITNESS", "..", "./witness"},
	} {
		if os.Getenv(program.variable) != "" {
			continue
		}
		path := filepath.Join(dir, strings.ToLower(program.variable))
		build := exec.Command("go", "build", "-o", path, program.source)
		build.Dir, build.Stderr = program.folder, os.Stderr
		if err := build.Run(); err != nil {
			return 0, err
		}
		os.Setenv(program.variable, path)
	}
	return m.Run(), nil
}

// running is a program that says on standard error where it listens.
type running struct {
	url string

	mu    sync.Mutex
	lines []string
}

var listening = regexp.MustCompile(`listening (?:on |.*url=)(http:\S+)`)

// run runs a program until the test ends. It has to end well then, unless it is ended by the signal
// itself.
func run(t *testing.T, program string, env []string, args ...string) *running {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH")}, env...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	stderr, err := cmd.StderrPipe()
	check(t, err)
	check(t, cmd.Start())
	r := &running{}
	found, ended := make(chan string, 1), make(chan struct{})
	go func() {
		defer close(ended)
		r.read(stderr, found)
	}()
	t.Cleanup(func() { // after the end of the test's context, which stops the program
		<-ended
		if exit, failed := errors.AsType[*exec.ExitError](cmd.Wait()); failed &&
			exit.ExitCode() > 0 && program == os.Getenv("GEMWIRE_WITNESS") {
			t.Errorf("the answers are not as OpenAI's description has them:\n%s",
				strings.Join(r.said(""), "\n"))
		}
	})
	select {
	case r.url = <-found:
	case <-ended:
		t.Fatalf("%s does not say where it listens: %s", program, strings.Join(r.said(""), "\n"))
	}
	return r
}

func (r *running) read(stderr io.Reader, found chan<- string) {
	lines := bufio.NewScanner(stderr)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if address := listening.FindStringSubmatch(lines.Text()); address != nil {
			found <- address[1]
			continue
		}
		r.mu.Lock()
		r.lines = append(r.lines, strings.TrimPrefix(lines.Text(), "gemwire: "))
		r.mu.Unlock()
	}
}

// said returns the lines that begin so.
func (r *running) said(prefix string) (out []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, line := range r.lines {
		if strings.HasPrefix(line, prefix) {
			out = append(out, line)
		}
	}
	return out
}

// wait waits until count requests have ended, and returns their log lines.
func (r *running) wait(t *testing.T, count int) []string {
	t.Helper()
	for range 500 {
		if len(r.said("POST ")) >= count {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	lines := r.said("POST ")
	if len(lines) != count {
		t.Fatalf("%d requests, want %d:\n%s", len(lines), count, strings.Join(lines, "\n"))
	}
	return lines
}

// upstream configures the server that answers the gateway's requests.
type upstream struct {
	script string // of the fake server; "" for its own answers
	key    string // the only one that it knows; "" for any
}

// gateway is gemwire serve with a witness before it.
type gateway struct {
	url string
	// witness says what clients were answered, fake what the fake server was asked, where that is a
	// process of its own.
	witness, fake *running
}

// serve runs a gateway until the test ends. The fake server that is built in answers, unless there
// is an upstream.
func serve(t *testing.T, behind upstream, flags ...string) *gateway {
	t.Helper()
	args, env := append([]string{"serve", "--addr", "127.0.0.1:0"}, flags...),
		[]string{"HOME=" + t.TempDir()}
	g := &gateway{}
	if behind != (upstream{}) {
		g.fake = emulate(t, behind)
		args = append(args, "--upstream", "gemini", "--base-url", g.fake.url)
		env = append(env, "GEMINI_API_KEY=any")
	}
	served := run(t, os.Getenv("GEMWIRE_COMMAND"), env, args...)
	g.witness = run(t, os.Getenv("GEMWIRE_WITNESS"), nil, served.url)
	g.url = g.witness.url + "/v1"
	return g
}

func emulate(t *testing.T, u upstream) *running {
	t.Helper()
	args := []string{"emulate", "--addr", "127.0.0.1:0", "--verbose"}
	if u.key != "" {
		args = append(args, "--key", u.key)
	}
	if u.script != "" {
		path := filepath.Join(t.TempDir(), "script.yaml")
		check(t, os.WriteFile(path, []byte(u.script), 0o666))
		args = append(args, "--script", path)
	}
	return run(t, os.Getenv("GEMWIRE_COMMAND"), nil, args...)
}

// Scripts of the fake server.
const (
	slow         = `fixtures: [{reply: [{text: "Once "}, {pause: 60s}, {text: upon a time.}]}]`
	aMoment      = `fixtures: [{times: 1, reply: [{fault: {kind: rateLimited, retryDelay: 1s}}]}, {reply: At last.}]`
	breaksOff    = `fixtures: [{reply: [{text: ["The ", beginning]}, {fault: {kind: unavailable}}]}]`
	noMoreToday  = `fixtures: [{reply: [{fault: {kind: dailyQuota, retryDelay: 2s}}]}]`
	thinking     = `fixtures: [{reply: [{thought: The light scatters.}, {text: It scatters.}]}]`
	grounded     = `fixtures: [{reply: [{text: The tower is closed.}, {grounding: {webSearchQueries: [tower news], groundingChunks: [{web: {uri: "https://news.example/tower", title: Tower}}], groundingSupports: [{segment: {startIndex: 0, endIndex: 20, text: The tower is closed.}, groundingChunkIndices: [0]}]}}]}]`
	answeredLate = "At last."
)

// What the scripts above say.
const (
	thought  = "The light scatters."
	scatters = "It scatters."
	closed   = "The tower is closed."
	source   = "https://news.example/tower"
)

// loop is the script of a loop of tools over three turns, and booked how it ends.
func loop(t *testing.T) upstream {
	t.Helper()
	script, err := os.ReadFile("../../testdata/gateway/loop.yaml")
	check(t, err)
	return upstream{script: string(script)}
}

const (
	question = "Book a table where it is warm."
	booked   = "A table in Porto is booked."
	result   = `{"degrees":21}`
)

// called are the calls of the loop.
var called = []string{
	`get_weather {"city":"Porto"}`, `get_weather {"city":"Lima"}`,
	`book_table {"city":"Porto","people":2}`, `get_weather {"city":"Porto"}`,
}

// Schemas of the two tools of the loop, and of an answer.
var (
	city = map[string]any{"type": "object",
		"properties": map[string]any{"city": map[string]any{"type": "string"}}, "required": []string{"city"}}
	table = map[string]any{"type": "object",
		"properties": map[string]any{"city": map[string]any{"type": "string"},
			"people": map[string]any{"type": "integer"}}, "required": []string{"city", "people"}}
	ticket = map[string]any{"type": "object", "properties": map[string]any{
		"title":    map[string]any{"type": "string"},
		"priority": map[string]any{"type": "string", "enum": []string{"low", "high"}},
	}, "required": []string{"title", "priority"}, "additionalProperties": false}
)

// data returns media as an address. The media have no valid content.
func data(mediaType string, size int) string {
	return "data:" + mediaType + ";base64," + base64.StdEncoding.EncodeToString(make([]byte, size))
}

// sees reports whether an answer names all media of the question.
func sees(answer string, mediaTypes ...string) bool {
	return !slices.ContainsFunc(mediaTypes,
		func(media string) bool { return !strings.Contains(answer, media) })
}

// ended sees that the call of Gemini has ended long before the slow answer would have.
func (g *gateway) ended(t *testing.T) {
	t.Helper()
	begin := time.Now()
	g.fake.wait(t, 1) // which says so at the end of a request
	if took := time.Since(begin); took > 5*time.Second {
		t.Errorf("the call of Gemini went on for %v", took)
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}
