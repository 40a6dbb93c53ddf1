package deploy_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/fakegemini"
)

// build builds the command as the Dockerfile says, and returns where it is.
func build(t *testing.T) string {
	t.Helper()
	if err := builtCommand(); err != nil {
		t.Fatal(err)
	}
	return path(t, builtAt)
}

// builtAt is the path of the command of these tests, next to the one of make build.
const builtAt = "bin/deploy/gemwire"

// builtCommand builds the command, once for all tests.
var builtCommand = sync.OnceValue(func() error {
	source, err := os.ReadFile(filepath.Join(project, dockerfile))
	if err != nil {
		return err
	}
	image, err := parseImage(source)
	if err != nil {
		return err
	}
	arguments := slices.Clone(image.build)
	output := slices.Index(arguments, "-o") + 1
	if output == 0 {
		return fmt.Errorf("go %q has no -o", arguments)
	}
	arguments[output] = builtAt
	cmd := exec.Command("go", arguments...)
	cmd.Dir, cmd.Env = project, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go %q: %w: %s", arguments, err, out)
	}
	return nil
})

const hello = `{"model": "gemini-3.6-flash", "messages": [{"role": "user", "content": "hello"}]}`

func TestTheCommandRunsInAnEmptyRoot(t *testing.T) {
	t.Parallel()
	root := emptyRoot(t)
	gateway := startInRoot(t, root, nil)
	gateway.want(t, http.MethodGet, "/healthz", "", "ok")
	gateway.want(t, http.MethodGet, "/readyz", "", "ready")
	gateway.want(t, http.MethodPost, "/v1/chat/completions", hello, `"finish_reason":"stop"`)

	health := root.command(t, root.image.health, gateway.environment)
	if out, err := health.CombinedOutput(); err != nil {
		t.Errorf("the health check of the image: %v: %s", err, out)
	}
	gateway.stop(t)
	if err := root.command(t, root.image.health, gateway.environment).Run(); err == nil {
		t.Error("the health check passes when nothing runs")
	}
	entries, err := os.ReadDir(filepath.Join(root.dir, "tmp"))
	if err == nil {
		t.Errorf("the gateway made /tmp: %v", entries)
	}
}

func TestTheImageTrustsTheAuthoritiesOfItsBundle(t *testing.T) {
	t.Parallel()
	fake, err := fakegemini.NewHandler()
	if err != nil {
		t.Fatal(err)
	}
	upstream := httptest.NewTLSServer(fake)
	t.Cleanup(upstream.Close)
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE",
		Bytes: upstream.Certificate().Raw})
	for name, test := range map[string]struct {
		bundle []byte
		want   string
	}{
		"with the authority":    {authority, `"finish_reason":"stop"`},
		"without the authority": {nil, "certificate signed by unknown authority"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := emptyRoot(t)
			write(t, filepath.Join(root.dir, "etc/ssl/certs/ca-certificates.crt"), test.bundle)
			gateway := startInRoot(t, root,
				[]string{"GEMINI_API_KEY=a-key", "GEMWIRE_BASE_URL=" + upstream.URL})
			if _, text := gateway.ask(t, http.MethodPost, "/v1/chat/completions",
				hello); !strings.Contains(text, test.want) {
				t.Errorf("the answer has no %q: %s", test.want, text)
			}
			gateway.stop(t)
		})
	}
}

func TestTheImageKnowsTimeZones(t *testing.T) {
	t.Parallel()
	gateway := startInRoot(t, emptyRoot(t), []string{"TZ=Asia/Kolkata"})
	gateway.stop(t)
	if log := gateway.log.String(); !strings.Contains(log, `+05:30"`) {
		t.Errorf("the log is in another time zone: %s", log)
	}
}

// TestTheImageRefusesToListenWithoutKeys: in a container the other side is another machine.
func TestTheImageRefusesToListenWithoutKeys(t *testing.T) {
	t.Parallel()
	root := emptyRoot(t)
	out, err := root.command(t, append(root.image.entrypoint, root.image.command...),
		root.image.environment).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "key_file") {
		t.Errorf("it ends with %v: %s", err, out)
	}
}

// imageRoot is a folder with what the image has, and nothing else.
type imageRoot struct {
	dir   string
	image image
}

// emptyRoot puts what the Dockerfile copies into an empty folder.
func emptyRoot(t *testing.T) imageRoot {
	t.Helper()
	if runtime.GOOS != "linux" || os.Getuid() != 0 {
		t.Skip("another root needs Linux and root")
	}
	root := imageRoot{dir: t.TempDir(), image: readImage(t)}
	// The parents of the folder are root's alone otherwise, and the image's user is another.
	for dir := root.dir; dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	sources := map[string]string{
		"/out/gemwire":                       build(t),
		"/etc/ssl/certs/ca-certificates.crt": "/etc/ssl/certs/ca-certificates.crt",
	}
	for to, from := range root.image.files {
		install(t, sources[from], filepath.Join(root.dir, to))
	}
	return root
}

// install copies an executable file with a process of its own. A process that a parallel test
// starts holds each file open that this process writes at that moment. The kernel runs no file that
// is open for writing: "text file busy" (https://go.dev/issue/22315).
func install(t *testing.T, from, to string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), "install", "-D", "-m", "0755", from,
		to).CombinedOutput(); err != nil {
		t.Fatalf("install %s: %v: %s", from, err, out)
	}
}

// command returns a command of the image, as its user.
func (r imageRoot) command(t *testing.T, arguments, environment []string) *exec.Cmd {
	t.Helper()
	user, group, _ := strings.Cut(r.image.user, ":")
	uid, err := strconv.ParseUint(user, 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	gid, err := strconv.ParseUint(group, 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, arguments[0], arguments[1:]...)
	cmd.Dir, cmd.Env = "/", environment
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Chroot:     r.dir,
		Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)},
		Pdeathsig:  syscall.SIGKILL,
	}
	return cmd
}

// process is a gateway that runs.
type process struct {
	cmd         *exec.Cmd
	url         string
	environment []string
	log         *logBuffer
}

// startInRoot starts what the image starts, at another port, and waits until it is ready.
func startInRoot(t *testing.T, root imageRoot, more []string) *process {
	t.Helper()
	addr := freeAddress(t)
	out := &process{url: "http://" + addr, log: new(logBuffer)}
	out.environment = append(append(append(out.environment, root.image.environment...),
		"GEMWIRE_ADDR="+addr), more...)
	out.cmd = root.command(t, append(root.image.entrypoint, root.image.command...), out.environment)
	out.cmd.Stdout, out.cmd.Stderr = out.log, out.log
	if err := out.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { out.cmd.Process.Kill() })
	waitUntilReady(t, out.url, out.log)
	return out
}

func waitUntilReady(t *testing.T, url string, log fmt.Stringer) {
	t.Helper()
	for range 600 {
		if reply, err := http.Get(url + "/readyz"); err == nil {
			reply.Body.Close()
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("it does not listen: %s", log)
}

// want asks the gateway, which is to answer with a text that has this part.
func (p *process) want(t *testing.T, method, path, body, part string) {
	t.Helper()
	if status, text := p.ask(t, method, path, body); status != http.StatusOK ||
		!strings.Contains(text, part) {
		t.Errorf("%s %s: %d, want 200 and %q: %s\n%s", method, path, status, part, text, p.log)
	}
}

// ask asks the gateway. JSON that it answers is without spaces.
func (p *process) ask(t *testing.T, method, path, body string) (status int, text string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, p.url+path,
		strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	answer, err := io.ReadAll(reply.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply.StatusCode, compact(answer)
}

// compact returns JSON without spaces, and other text as it is.
func compact(text []byte) string {
	var out bytes.Buffer
	if json.Compact(&out, text) != nil {
		return string(text)
	}
	return out.String()
}

// stop ends the gateway as the image's stop signal does.
func (p *process) stop(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("it ends with %v: %s", err, p.log)
	}
}

// freeAddress returns a free address of this machine.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// logBuffer is a log that can be read while it is written.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements [io.Writer].
func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

// String returns what was written.
func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}
