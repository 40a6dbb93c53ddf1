package killtest

import (
	"cmp"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// replica is a gateway in a process of its own.
type replica struct {
	*process
	name   string // in the paths of its calls
	url    *url.URL
	killed time.Time
}

// fleet starts gateways on one store, and balances requests over those that run.
type fleet struct {
	*httptest.Server
	folder, store, keys string
	upstream            *upstream
	args                []string
	program             string // "" for the test's own
	attributes          *syscall.SysProcAttr

	mu      sync.Mutex
	started int
	running []*replica
	turn    int
	dead    []*replica
}

func newFleet(t *testing.T, store string, u *upstream, args ...string) *fleet {
	f := &fleet{folder: t.TempDir(), store: store, upstream: u, args: args}
	f.keys = filepath.Join(f.folder, "keys.yaml")
	f.Server = httptest.NewServer(&httputil.ReverseProxy{
		Rewrite:  func(r *httputil.ProxyRequest) { r.SetURL(f.next()) },
		ErrorLog: log.New(new(discard), "", 0), // killed gateways
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) {
			w.WriteHeader(http.StatusBadGateway)
		},
	})
	t.Cleanup(f.Close)
	return f
}

type discard struct{}

func (*discard) Write(p []byte) (int, error) { return len(p), nil }

// next returns the gateway whose turn it is.
func (f *fleet) next() *url.URL {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.running) == 0 {
		return &url.URL{Scheme: "http", Host: "127.0.0.1:1"}
	}
	f.turn++
	return f.running[f.turn%len(f.running)].url
}

var listening = regexp.MustCompile(`msg=listening url=(http://127\.0\.0\.1:\d+)`)

// start starts a gateway, and waits until it listens. Then it gets requests.
func (f *fleet) start(t *testing.T) *replica {
	t.Helper()
	f.mu.Lock()
	f.started++
	r := &replica{name: fmt.Sprint("g", f.started)}
	f.mu.Unlock()
	path := filepath.Join(f.folder, r.name+".log")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r.process = f.launch(t, file, r.name)
	for deadline := time.Now().Add(time.Minute); r.url == nil; time.Sleep(10 * time.Millisecond) {
		text, _ := os.ReadFile(path)
		if found := listening.FindSubmatch(text); found != nil {
			r.url, err = url.Parse(string(found[1]))
		}
		if err != nil || time.Now().After(deadline) {
			t.Errorf("%v: the gateway does not start:\n%s", err, text)
			return r
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.running = append(f.running, r)
	return r
}

// launch starts the process of a gateway.
func (f *fleet) launch(t *testing.T, log *os.File, name string) *process {
	t.Helper()
	args := append([]string{"serve", "--addr", "127.0.0.1:0", "--store", f.store, "--key-file",
		f.keys, "--upstream", "gemini", "--base-url", f.upstream.URL + "/" + name}, f.args...)
	return startProgram(t, cmp.Or(f.program, os.Args[0]), f.attributes, log,
		commandVariable+"="+strings.Join(args, "\n"), "GEMINI_API_KEY=any")
}

// waitFor waits until a gateway has logged a text.
func (r *replica) waitFor(t *testing.T, f *fleet, text string) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		log, _ := os.ReadFile(filepath.Join(f.folder, r.name+".log"))
		if strings.Contains(string(log), text) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("no %q in\n%s", text, log)
		}
	}
}

// kill kills the gateway that runs the longest, unless it is the only one.
func (f *fleet) kill() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.running) < 2 {
		return false
	}
	r := f.running[0]
	f.running, f.dead = f.running[1:], append(f.dead, r)
	r.kill()
	r.killed = time.Now()
	return true
}

// logs returns what all gateways have logged, but for the requests.
func (f *fleet) logs() string {
	files, _ := filepath.Glob(filepath.Join(f.folder, "*.log"))
	var out strings.Builder
	for _, file := range files {
		text, _ := os.ReadFile(file)
		for line := range strings.Lines(string(text)) {
			if !strings.Contains(line, "level=INFO") && !strings.Contains(line, "msg=request ") {
				out.WriteString(filepath.Base(file) + ": " + line)
			}
		}
	}
	return out.String()
}
