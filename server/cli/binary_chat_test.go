package cli_test

import (
	"bufio"
	"io"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"
	"testing"

	"github.com/gemwire/gemwire/pkg/geminitest"
)

// interruptChat interrupts an answer, after which the chat must continue. Then it interrupts the
// chat.
func interruptChat(t *testing.T, binary string) {
	if runtime.GOOS == "windows" || signal.Ignored(syscall.SIGINT) {
		t.Skip("no signals to send")
	}
	server := geminitest.NewServer(t, geminitest.WithScript(
		geminitest.On(geminitest.Prompt("slow")).Reply(geminitest.Text("Once upon\n"),
			geminitest.Stall()),
		geminitest.On().Reply(geminitest.Text("Yes.")),
	))
	key := writeFile(t, t.TempDir()+"/key", "any")
	cmd := exec.CommandContext(t.Context(), binary, "chat", "--base-url", server.URL(),
		"--api-key-file", key)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(stdout)
	for _, step := range []struct{ typed, answered string }{{"slow\n", "Once upon\n"},
		{"quick\n", "Yes.\n"}} {
		if _, err := io.WriteString(stdin, step.typed); err != nil {
			t.Fatal(err)
		}
		if line, err := lines.ReadString('\n'); line != step.answered {
			t.Fatalf("%q was answered by %q, %v", step.typed, line, err)
		}
		if step.typed == "slow\n" {
			if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
				t.Fatal(err)
			}
		}
	}
	stdin.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}
