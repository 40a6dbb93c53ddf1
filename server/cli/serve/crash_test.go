package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/cli"
	"github.com/gemwire/gemwire/server/cli/clitest"
	"github.com/gemwire/gemwire/server/internal/engine/enginetest"
	"github.com/nats-io/nats-server/v2/server"
)

// crashArguments is the variable with the arguments of a process that a test kills, one a line.
const crashArguments = "SERVE_TEST_ARGUMENTS"

// runArguments runs the command of a process that a test has started.
func runArguments(arguments string) int {
	return cli.Run(context.Background(), strings.Split(arguments, "\n"), strings.NewReader(""), os.Stdout,
		os.Stderr)
}

// gatewayProcess is a gateway in a process of its own.
type gatewayProcess struct {
	*exec.Cmd
	url string
}

// startProcess starts a gateway with a store and an upstream.
func startProcess(t *testing.T, store, upstream string, args ...string) *gatewayProcess {
	t.Helper()
	log := new(clitest.Output)
	p := &gatewayProcess{Cmd: exec.CommandContext(t.Context(), os.Args[0])}
	args = append([]string{"serve", "--addr", "127.0.0.1:0", "--store", store, "--upstream",
		"gemini", "--base-url", upstream}, args...)
	p.Env = append(os.Environ(), crashArguments+"="+strings.Join(args, "\n"), "GEMINI_API_KEY=key")
	p.Stderr = log
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.kill() })
	p.url = log.WaitFor(t, `msg=listening url=(http://\S+)`)[1]
	return p
}

// kill ends the process as kill -9 does.
func (p *gatewayProcess) kill() {
	_ = p.Process.Kill()
	_ = p.Wait()
}

// post posts JSON and returns the body of the answer.
func (p *gatewayProcess) post(t *testing.T, path, body string) []byte {
	t.Helper()
	reply, err := http.Post(p.url+path, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	data, err := io.ReadAll(reply.Body)
	if err != nil || reply.StatusCode != http.StatusOK {
		t.Fatalf("HTTP %d: %s, %v", reply.StatusCode, data, err)
	}
	return data
}

// The client keeps ids only, as many do.
func TestASignatureReachesGeminiAfterItsGatewayWasKilled(t *testing.T) {
	t.Parallel()
	signature := strings.Repeat("EjQ+BB/d", 100_000)
	for name, store := range map[string]func() string{
		"in a folder": func() string { return filepath.Join(t.TempDir(), "store") },
		"on a server": func() string {
			return enginetest.Server(t, &server.Options{StoreDir: t.TempDir(),
				SyncAlways: true}).ClientURL()
		},
	} {
		for _, streams := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, streams: %v", name, streams), func(t *testing.T) {
				t.Parallel()
				upstream := geminitest.NewServer(t, geminitest.WithScript(
					geminitest.On(geminitest.Turn(0)).Reply(geminitest.Signed(signature,
						geminitest.Call("f", "{}"))).Unchecked(),
					geminitest.On(geminitest.Turn(1), geminitest.Signature(signature)).
						Reply(geminitest.Text("done")).Unchecked()))
				at := store()
				first := startProcess(t, at, upstream.URL())
				const question = `{"role":"user","content":"x"}`
				const tools = `"tools":[{"type":"function","function":{"name":"f"}}]`
				answer := first.post(t, "/v1/chat/completions", fmt.Sprintf(
					`{"model":"gemini-3.6-flash","stream":%v,%s,"messages":[%s]}`, streams, tools,
					question))
				first.kill() // at once
				id := regexp.MustCompile(`"id":"([^"]*__gwm1_[^"]*)"`).FindSubmatch(answer)
				if id == nil {
					t.Fatalf("no id has the name of a signature: %.300s", answer)
				}
				second := startProcess(t, at, upstream.URL())
				answer = second.post(t, "/v1/chat/completions", fmt.Sprintf(
					`{"model":"gemini-3.6-flash",%s,"messages":[%s,{"role":"assistant","tool_calls":`+
						`[{"id":%q,"type":"function","function":{"name":"f","arguments":"{}"}}]},`+
						`{"role":"tool","tool_call_id":%q,"content":"y"}]}`, tools, question, id[1],
					id[1]))
				if !bytes.Contains(answer, []byte(`"done"`)) || !json.Valid(answer) {
					t.Errorf("%s", answer)
				}
				upstream.AssertCalled(geminitest.Signature(signature))
			})
		}
	}
}
