package deploy_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

const nginxFile = "server/deploy/nginx/gemwire.conf"

func TestNginxTakesItsFile(t *testing.T) {
	t.Parallel()
	if out, err := nginx(t, string(read(t, nginxFile)), "-t").CombinedOutput(); err != nil {
		t.Errorf("nginx -t: %v: %s", err, out)
	}
}

// TestNginxSendsChunksOnAsTheyCome: in one lump is how streams arrive behind a proxy that buffers.
func TestNginxSendsChunksOnAsTheyCome(t *testing.T) {
	t.Parallel()
	goOn, upstream, front := make(chan struct{}), freeAddress(t), freeAddress(t)
	serve(t, upstream, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: first\n\n")
		http.NewResponseController(w).Flush()
		select {
		case <-goOn:
			fmt.Fprint(w, "data: second\n\n")
		case <-r.Context().Done():
		}
	})
	startNginx(t, upstream, front)

	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost,
		"http://"+front+"/v1/chat/completions", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept-Encoding", "gzip")
	reply, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	lines := bufio.NewScanner(reply.Body)
	if !lines.Scan() || lines.Text() != "data: first" {
		t.Fatalf("the first chunk is %q: %v", lines.Text(), lines.Err())
	}
	close(goOn) // only now is there a second one
	if lines.Scan(); !lines.Scan() || lines.Text() != "data: second" {
		t.Errorf("the second chunk is %q: %v", lines.Text(), lines.Err())
	}
}

func TestNginxKeepsTheMetricsToItself(t *testing.T) {
	t.Parallel()
	upstream, front := freeAddress(t), freeAddress(t)
	serve(t, upstream, func(http.ResponseWriter, *http.Request) {})
	startNginx(t, upstream, front)
	reply, err := http.Get("http://" + front + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	reply.Body.Close()
	if reply.StatusCode != http.StatusNotFound {
		t.Errorf("/metrics: %s", reply.Status)
	}
}

// startNginx starts nginx with the file of the project, at other addresses.
func startNginx(t *testing.T, upstream, front string) {
	t.Helper()
	settings := string(read(t, nginxFile))
	for old, other := range map[string]string{"server 127.0.0.1:8080;": "server " + upstream + ";",
		"listen 80;": "listen " + front + ";"} {
		if strings.Count(settings, old) != 1 {
			t.Fatalf("%s has no %q", nginxFile, old)
		}
		settings = strings.Replace(settings, old, other, 1)
	}
	cmd, log := nginx(t, settings, "-g", "daemon off;"), new(logBuffer)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		cmd.Wait()
	})
	waitUntilReady(t, "http://"+front, log)
}

// nginx returns a command of nginx with a file for its context http, and skips the test without
// nginx.
func nginx(t *testing.T, settings string, arguments ...string) *exec.Cmd {
	t.Helper()
	program, err := exec.LookPath("nginx")
	if err != nil {
		t.Skip("nginx is not installed")
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "gemwire.conf"), []byte(settings))
	var folders strings.Builder
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		fmt.Fprintf(&folders, "%s_temp_path %s;\n", kind, filepath.Join(dir, kind))
	}
	main := fmt.Sprintf("worker_processes 1;\npid %s;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n%sinclude %s;\n}\n",
		filepath.Join(dir, "pid"), folders.String(), filepath.Join(dir, "gemwire.conf"))
	write(t, filepath.Join(dir, "nginx.conf"), []byte(main))
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), time.Minute)
	t.Cleanup(cancel)
	return exec.CommandContext(ctx, program,
		append([]string{"-e", "stderr", "-p", dir, "-c", filepath.Join(dir, "nginx.conf")},
			arguments...)...)
}

// serve serves at an address until the test ends.
func serve(t *testing.T, addr string, handler http.HandlerFunc) {
	t.Helper()
	server := &http.Server{Addr: addr, Handler: handler}
	go server.ListenAndServe()
	t.Cleanup(func() { server.Close() })
}
