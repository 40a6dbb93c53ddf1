//go:build !windows

package remote_test

import (
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/cli"
	"github.com/gemwire/gemwire/server/cli/process"
)

// screen is a terminal with the text that was written to it.
type screen struct {
	lockedBuffer
	keyboard, terminal *os.File
}

func newScreen(t *testing.T) *screen {
	t.Helper()
	keyboard, terminal, err := pty.Open()
	if err != nil {
		t.Skip("no terminals here: ", err)
	}
	s := &screen{keyboard: keyboard, terminal: terminal}
	copied := make(chan struct{})
	go func() {
		io.Copy(&s.lockedBuffer, keyboard)
		close(copied)
	}()
	t.Cleanup(func() {
		terminal.Close()
		keyboard.Close()
		<-copied
	})
	return s
}

// The tests here do not run in parallel, because they change the environment.
func TestOnATerminalThoughtsAreDimmed(t *testing.T) {
	for name, test := range map[string]struct {
		noColor, term, want string
	}{
		"with colours": {"", "xterm", "\x1b[2mHm.\x1b[0m\r\n\r\nHello.\r\n"},
		"NO_COLOR":     {"1", "xterm", "Thinking:\r\nHm.\r\n\r\nHello.\r\n"},
		"a dumb one":   {"", "dumb", "Thinking:\r\nHm.\r\n\r\nHello.\r\n"},
	} {
		t.Setenv("NO_COLOR", test.noColor)
		t.Setenv("TERM", test.term)
		server := scripted(t, geminitest.Thought("Hm."), geminitest.Text("Hello."))
		s := newScreen(t)
		var stderr lockedBuffer
		code := cli.Run(t.Context(),
			append([]string{"generate", "--quiet", "Go"}, at(t, server)...), strings.NewReader(""),
			s.terminal, &stderr)
		waitFor(t, &s.lockedBuffer, "Hello.\r\n")
		if got := s.String(); code != 0 || got != test.want || stderr.String() != "" {
			t.Errorf("%s: %d, %q, %s", name, code, got, &stderr)
		}
	}
}

func TestAModelCannotControlTheTerminal(t *testing.T) {
	server := scripted(t, geminitest.Text("red \x1b[31m\x07 tab\t."))
	s := newScreen(t)
	var stderr lockedBuffer
	cli.Run(t.Context(), append([]string{"generate", "--quiet", "Go"}, at(t, server)...),
		strings.NewReader(""), s.terminal, &stderr)
	waitFor(t, &s.lockedBuffer, "\r\n")
	if got := s.String(); strings.ContainsAny(got, "\x1b\x07") ||
		!strings.Contains(got, `red \u001b[31m\u0007 tab`) {
		t.Errorf("%q", got)
	}
	piped := ask(t, server, "", "generate", "--quiet", "Go")
	if piped.stdout != "red \x1b[31m\x07 tab\t.\n" {
		t.Errorf("a pipe gets %q", piped.stdout)
	}
}

func TestAnUploadShowsItsProgressOnATerminalAlone(t *testing.T) {
	server := geminitest.NewServer(t)
	large := writeFile(t, "large.txt", strings.Repeat("0123456789abcde\n", 1<<19))
	s := newScreen(t)
	var stdout lockedBuffer
	code := cli.Run(t.Context(), append([]string{"files", "upload", large}, at(t, server)...),
		strings.NewReader(""), &stdout, s.terminal)
	waitFor(t, &s.lockedBuffer, "%")
	if got := s.String(); code != 0 || !strings.Contains(got, "large.txt") {
		t.Errorf("%d, %q", code, got)
	}
	if got := ask(t, server, "", "files", "upload", large); got.stderr != "" {
		t.Errorf("a pipe gets %q", got.stderr)
	}
}

func TestAChatOnATerminalEditsLines(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	server := geminitest.NewServer(t, geminitest.WithScript(
		geminitest.On(geminitest.Prompt("slow")).Reply(geminitest.Text("Once upon"),
			geminitest.Stall()),
		geminitest.On(geminitest.PromptExactly("bad")).Reply(geminitest.InternalError()),
	))
	s := newScreen(t)
	var stderr lockedBuffer
	ctx, interrupts := process.WithInterrupts(t.Context())
	exit := make(chan int, 1)
	go func() {
		exit <- cli.Run(ctx, append([]string{"chat"}, at(t, server)...), s.terminal, s.terminal,
			&stderr)
	}()
	press := func(keys, until string) {
		t.Helper()
		s.keyboard.WriteString(keys)
		waitFor(t, &s.lockedBuffer, until)
	}
	waitFor(t, &s.lockedBuffer, "> ")
	waitFor(t, &stderr, "talking with gemini-3.6-flash; /help lists commands, Ctrl-D leaves\n")
	// Ctrl-C clears the line, and an arrow key moves the cursor back
	press("forgotten\x03helo\x1b[Dl\r", "You said: hello\r\n")
	press("bad\r", "bad\r\n> ") // a failure is not the end
	press("slow\r", "Once upon")
	for !interrupts.Caught(os.Interrupt) {
		time.Sleep(10 * time.Millisecond)
	}
	waitFor(t, &stderr, "cancelled; the turn does not count")
	press("again\r", "You said: again\r\n")
	s.keyboard.WriteString("\x04")
	select {
	case code := <-exit:
		if code != 0 || !strings.Contains(stderr.String(), "gemwire: 500 INTERNAL") {
			t.Errorf("exit code %d, %s", code, &stderr)
		}
	case <-time.After(time.Minute):
		t.Errorf("Ctrl-D did not end it: %q", s)
	}
}
