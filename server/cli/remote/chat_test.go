package remote_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini/chats"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/cli"
	"github.com/gemwire/gemwire/server/cli/process"
	"github.com/go-json-experiment/json"
)

func TestChatAnswersEachLineOfAPipe(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t, geminitest.WithScript(
		geminitest.On(geminitest.Prompt("one")).Reply(geminitest.Text("First.")),
		geminitest.On(geminitest.Prompt("two")).Reply(geminitest.Text("Second.")),
	))
	got := ask(t, server, "one\n\nthis is \\\ntwo", "chat", "--system", "Be brief.")
	wantResult(t, got, 0, "First.\nSecond.\n", "")
	last := server.Requests()[1].Content
	if len(last.Contents) != 3 || *last.Contents[1].Parts[0].Text != "First." ||
		*last.Contents[2].Parts[0].Text != "this is \ntwo" || last.SystemInstruction == nil {
		t.Errorf("%+v", last)
	}
}

func TestChatEndsAPipeWithItsFirstFailure(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t, geminitest.WithScript(
		geminitest.On(geminitest.Prompt("bad")).Reply(geminitest.InternalError()),
		geminitest.On().Reply(geminitest.Text("Yes.")),
	))
	got := ask(t, server, "good\nbad\nlost\n", "chat")
	wantResult(t, got, 1, "Yes.\n", "gemwire: 500 INTERNAL: ...")
	if len(server.Requests()) != 2 {
		t.Errorf("%d requests", len(server.Requests()))
	}
	refused := ask(t, geminitest.NewServer(t), "[block prompt: SAFETY]\n", "chat")
	wantResult(t, refused, 1, "", "gemwire: the prompt was refused: SAFETY\n")
}

func TestChatKeepsItsHistoryInAFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.json")
	server := geminitest.NewServer(t)
	ask(t, server, "one\n", "chat", "--history", path)
	ask(t, server, "two\n", "chat", "--history", path)
	var history chats.History
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &history); err != nil || len(history.Contents) != 4 {
		t.Errorf("%s, %v", data, err)
	}
	if last := server.Requests()[1].Content; len(last.Contents) != 3 {
		t.Errorf("%+v", last)
	}
	broken := writeFile(t, "broken.json", `{"contents":[`)
	got := ask(t, server, "three\n", "chat", "--history", broken)
	wantResult(t, got, 1, "", "gemwire: "+broken+": ...")
	nowhere := filepath.Join(t.TempDir(), "no folder", "history.json")
	got = ask(t, server, "three\n", "chat", "--history", nowhere)
	wantResult(t, got, 1, "You said: three\n", "gemwire: "+nowhere+": no such file or directory\n")
}

func TestChatCommands(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	note, saved := writeFile(t, "note.txt", "A note."), filepath.Join(dir, "saved.json")
	tests := map[string]struct {
		lines  string
		code   int
		stderr string
		check  func(t *testing.T, requests []geminitest.Request)
	}{
		"/exit leaves":             {"/exit\nnever\n", 0, "", func(t *testing.T, r []geminitest.Request) { wantRequests(t, r, 0) }},
		"/help lists them":         {"/help\n", 0, "  /file FILE ...", nil},
		"/usage before anything":   {"/usage\n", 0, "gemwire: nothing yet\n", nil},
		"a slip":                   {"/exti\n", 1, "gemwire: unknown command /exti; did you mean /exit?; /help lists the commands\n", nil},
		"one without its argument": {"/model\n", 1, "gemwire: wrong arguments for /model; see /help\n", nil},
		"/clear forgets": {"one\n/clear\ntwo\n", 0, "", func(t *testing.T, r []geminitest.Request) {
			wantRequests(t, r, 2)
			if len(r[1].Content.Contents) != 1 {
				t.Errorf("%+v", r[1].Content)
			}
		}},
		"/model continues with another": {"one\n/model gemini-2.5-flash\ntwo\n", 0, "",
			func(t *testing.T, r []geminitest.Request) {
				wantRequests(t, r, 2)
				if r[1].Model != "gemini-2.5-flash" || len(r[1].Content.Contents) != 3 {
					t.Errorf("%s: %+v", r[1].Model, r[1].Content)
				}
			}},
		"/file goes along with the next turn alone": {"/file " + note + "\none\ntwo\n", 0, "",
			func(t *testing.T, r []geminitest.Request) {
				wantRequests(t, r, 2)
				if first := r[0].Content.Contents[0].Parts; len(first) != 2 ||
					first[0].InlineData == nil {
					t.Errorf("%+v", first)
				}
				if last := r[1].Content.Contents[2].Parts; len(last) != 1 {
					t.Errorf("%+v", last)
				}
			}},
		"/save writes it": {"one\n/save " + saved + "\n", 0, "",
			func(t *testing.T, _ []geminitest.Request) {
				if data, err := os.ReadFile(saved); err != nil ||
					!strings.HasPrefix(string(data), `{"contents":[{"parts":[{"text":"one"}]`) {
					t.Errorf("%s, %v", data, err)
				}
			}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := geminitest.NewServer(t)
			wantResult(t, ask(t, server, test.lines, "chat"), test.code, "...", test.stderr)
			if test.check != nil {
				test.check(t, server.Requests())
			}
		})
	}
}

func wantRequests(t *testing.T, requests []geminitest.Request, want int) {
	t.Helper()
	if len(requests) != want {
		t.Fatalf("%d requests, want %d", len(requests), want)
	}
}

func TestHelpNamesTheCommandsOfAChat(t *testing.T) {
	t.Parallel()
	help := gemwire(t, "", "chat", "--help").stdout
	for _, name := range []string{"/file", "/model", "/clear", "/save", "/usage", "/help",
		"/exit"} {
		if !strings.Contains(help, "\n  "+name+" ") {
			t.Errorf("help lacks %s", name)
		}
	}
}

// lockedBuffer is written to by the command while the test reads it.
type lockedBuffer struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.all.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.all.String()
}

// waitFor waits until a buffer holds a text.
func waitFor(t *testing.T, b *lockedBuffer, text string) {
	t.Helper()
	for range 1000 {
		if strings.Contains(b.String(), text) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%q does not hold %q", b, text)
}

func TestAnInterruptCancelsAnAnswerAndNotTheChat(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t, geminitest.WithScript(
		geminitest.On(geminitest.Prompt("slow")).Reply(geminitest.Text("Once upon"),
			geminitest.Stall()),
		geminitest.On().Reply(geminitest.Text("Yes.")),
	))
	ctx, interrupts := process.WithInterrupts(t.Context())
	stdin, lines := io.Pipe()
	var stdout, stderr lockedBuffer
	exit := make(chan int, 1)
	go func() { exit <- cli.Run(ctx, append([]string{"chat"}, at(t, server)...), stdin, &stdout, &stderr) }()
	io.WriteString(lines, "slow\n")
	waitFor(t, &stdout, "Once upon")
	if !interrupts.Caught(os.Interrupt) {
		t.Error("the interrupt was not caught")
	}
	waitFor(t, &stderr, "cancelled; the turn does not count")
	io.WriteString(lines, "quick\n")
	waitFor(t, &stdout, "Yes.")
	lines.Close()
	if code := <-exit; code != 0 {
		t.Errorf("exit code %d: %s", code, &stderr)
	}
	if interrupts.Caught(os.Interrupt) {
		t.Error("an interrupt was caught that was not for an answer")
	}
	if last := server.Requests()[1].Content; len(last.Contents) != 1 {
		t.Errorf("the cancelled turn was kept: %+v", last)
	}
}

func TestASignalEndsACallAtOnce(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"generate", "Go"}, {"generate", "--stream", "Go"}, {"chat"}} {
		server := scripted(t, geminitest.Text("Once upon"), geminitest.Stall())
		ctx, cancel := context.WithCancelCause(t.Context())
		stdin, lines := io.Pipe()
		var stdout, stderr lockedBuffer
		exit := make(chan int, 1)
		go func() { exit <- cli.Run(ctx, append(args, at(t, server)...), stdin, &stdout, &stderr) }()
		if args[0] == "chat" {
			io.WriteString(lines, "Go\n")
		}
		for len(server.Requests()) == 0 {
			time.Sleep(10 * time.Millisecond)
		}
		cancel(&process.SignalError{Signal: 15})
		if code := <-exit; code != 143 || stderr.String() != "gemwire: interrupted\n" {
			t.Errorf("%q: exit code %d, %s", args, code, &stderr)
		}
		lines.Close()
	}
}
