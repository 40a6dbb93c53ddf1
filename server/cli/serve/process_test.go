//go:build unix

package serve_test

import (
	"net"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/cli/clitest"
)

// TestTheProcessIsAServiceOfSystemd runs the real command under a socket like systemd's, and sends
// it the signals that systemd sends.
func TestTheProcessIsAServiceOfSystemd(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it builds the command")
	}
	if signal.Ignored(syscall.SIGHUP) { // as under nohup, which the command heeds
		t.Skip("SIGHUP is ignored here")
	}
	folder := t.TempDir()
	binary := filepath.Join(folder, "gemwire")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary,
		"github.com/gemwire/gemwire/server/cmd/gemwire").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	socket := filepath.Join(folder, "notify")
	systemd, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer systemd.Close()
	wantState := func(pattern string) {
		t.Helper()
		buf := make([]byte, 1000)
		_ = systemd.SetReadDeadline(time.Now().Add(30 * time.Second))
		n, err := systemd.Read(buf)
		if err != nil || !regexp.MustCompile(pattern).Match(buf[:n]) {
			t.Fatalf("%s, %v; want %s", buf[:n], err, pattern)
		}
	}
	log := new(clitest.Output)
	cmd := exec.CommandContext(t.Context(), binary, "serve", "--addr", "127.0.0.1:0")
	cmd.Env = append(os.Environ(), "NOTIFY_SOCKET="+socket)
	cmd.Stderr = log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	wantState(`^READY=1$`)
	for range 2 {
		if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		wantState(`^RELOADING=1\nMONOTONIC_USEC=[1-9][0-9]*$`)
		wantState(`^READY=1$`)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	wantState(`^STOPPING=1$`)
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, log)
	}
}

// TestMakeRunAnswersThePrintedCurl does what a newcomer does with a fresh clone.
func TestMakeRunAnswersThePrintedCurl(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it builds the command")
	}
	for _, tool := range []string{"make", "curl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	stdout, stderr := new(clitest.Output), new(clitest.Output)
	run := exec.CommandContext(t.Context(), "make", "-s", "-C", filepath.Join("..", "..", ".."),
		"run", "ADDR=127.0.0.1:0", "INSPECT_ADDR=127.0.0.1:0")
	run.Stdout, run.Stderr = stdout, stderr
	run.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	// the whole group, as Ctrl-C does
	end := func() error { return syscall.Kill(-run.Process.Pid, syscall.SIGTERM) }
	run.Cancel = end
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = end(), run.Wait() })
	for deadline := time.Now().Add(4 * time.Minute); !strings.Contains(stdout.String(),
		"Ctrl-C stops the gateway") && time.Now().Before(deadline); {
		time.Sleep(50 * time.Millisecond) // it is built, on a machine that does other things too
	}
	printed := stdout.String()

	command := regexp.MustCompile(`(?s)  (curl .*?)\n\n`).FindStringSubmatch(printed)
	if command == nil {
		t.Fatalf("no curl in\n%s\n%s", printed, stderr)
	}
	out, err := exec.CommandContext(t.Context(), "sh", "-c",
		"curl -sS --fail "+strings.TrimPrefix(command[1], "curl ")).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "You said: hello") {
		t.Errorf("%v\n%s\n%s", err, command[1], out)
	}
	page := regexp.MustCompile(`http://127\.0\.0\.1:[0-9]+/\?token=\S+`).FindString(printed)
	jar, _ := cookiejar.New(nil)
	reply, err := (&http.Client{Jar: jar}).Get(page)
	if err != nil {
		t.Fatal(err)
	}
	if body := text(t, reply); reply.StatusCode != http.StatusOK ||
		!strings.Contains(body, "<html") {
		t.Errorf("the inspector: %s %s", reply.Status, body)
	}
	for _, entry := range clientPages(t) {
		if !strings.Contains(printed, "\n  "+entry.title+" ") {
			t.Errorf("nothing for %s is printed:\n%s", entry.title, printed)
		}
	}
	if !strings.Contains(printed, "\n\n  GEMINI_API_KEY=... make run\n") {
		t.Errorf("it does not say where to put a key:\n%s", printed)
	}
}
