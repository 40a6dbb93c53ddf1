package packages_test

import (
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// npmPackage is a package as npm publish sends it: its package.json and its archive.
type npmPackage struct {
	manifest map[string]any
	archive  []byte
}

// packNpm packs the npm packages of the snapshot, once for all tests. The keys are their folders.
var packNpm = sync.OnceValues(func() (map[string]npmPackage, error) {
	if err := buildSnapshot(); err != nil {
		return nil, err
	}
	to, err := os.MkdirTemp("", "npm")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(to)
	manifests, err := filepath.Glob(filepath.Join(dist, "npm", "*", "package.json"))
	if err != nil {
		return nil, err
	}
	out := map[string]npmPackage{}
	for _, file := range manifests {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var p npmPackage
		if err := json.Unmarshal(text, &p.manifest); err != nil {
			return nil, err
		}
		folder := filepath.Dir(file)
		cmd := exec.Command("npm", "pack", "--silent", "--pack-destination", to)
		cmd.Dir, cmd.Env = folder, npmEnvironment(to, "http://127.0.0.1:1")
		name, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("npm pack in %s: %w", folder, err)
		}
		if p.archive, err = os.ReadFile(filepath.Join(to, strings.TrimSpace(string(name)))); err != nil {
			return nil, err
		}
		out[filepath.Base(folder)] = p
	}
	return out, nil
})

// packed returns the npm packages of the snapshot, by their folders.
func packed(t *testing.T) map[string]npmPackage {
	t.Helper()
	out, err := packNpm()
	if err != nil {
		t.Fatal(err)
	}
	if len(out) != 7 {
		t.Fatalf("there are %d npm packages, want the launcher and six platforms", len(out))
	}
	return out
}

// registry serves the npm packages of the snapshot, as a registry does, and returns its URL.
func registry(t *testing.T) string {
	t.Helper()
	replies := map[string][]byte{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reply, ok := replies[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Write(reply)
	}))
	t.Cleanup(server.Close)
	for folder, p := range packed(t) {
		file := "/files/" + folder + ".tgz"
		replies[file] = p.archive
		strong, weak := sha512.Sum512(p.archive), sha1.Sum(p.archive)
		described := maps.Clone(p.manifest)
		described["dist"] = map[string]string{
			"tarball":   server.URL + file,
			"integrity": "sha512-" + base64.StdEncoding.EncodeToString(strong[:]),
			"shasum":    hex.EncodeToString(weak[:]),
		}
		name, version := described["name"].(string), described["version"].(string)
		about, err := json.Marshal(map[string]any{
			"name": name, "dist-tags": map[string]string{"latest": version},
			"versions": map[string]any{version: described},
		})
		if err != nil {
			t.Fatal(err)
		}
		replies["/"+name] = about
	}
	return server.URL
}

// npm returns a command of npm for a user whose files are in home.
func npm(t *testing.T, home, registry string, arguments ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 2*time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, arguments[0], arguments[1:]...)
	cmd.Dir = home
	cmd.Env = npmEnvironment(home, registry)
	return cmd
}

// npmEnvironment returns the environment of npm for a user. Requests to servers other than the
// registry fail.
func npmEnvironment(home, registry string) []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home,
		"npm_config_registry=" + registry, "npm_config_update_notifier=false",
		"npm_config_audit=false", "npm_config_fund=false",
		"http_proxy=http://127.0.0.1:1", "https_proxy=http://127.0.0.1:1", "no_proxy=127.0.0.1",
	}
}

func TestNpxRunsTheFakeServerAndEndsWithIt(t *testing.T) {
	home, url := t.TempDir(), registry(t)
	cmd := npm(t, home, url, "npx", "--yes", "gemwire", "emulate", "--addr", "127.0.0.1:0")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	fake := listening(t, stderr)
	if answer := ask(t, fake); !strings.Contains(answer, "You said: hello npm") {
		t.Errorf("the fake answers %s", answer)
	}

	// As a terminal does, to npx, the launcher and the command.
	if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, stderr)
	cmd.Wait()
	if _, err := http.Get(fake); err == nil {
		t.Error("the fake still runs after npx ended")
	}
}

// listening returns the URL that a command prints as the one that it listens on.
func listening(t *testing.T, output io.Reader) string {
	t.Helper()
	var all bytes.Buffer
	buffer := make([]byte, 4096)
	for {
		n, err := output.Read(buffer)
		all.Write(buffer[:n])
		if match := regexp.MustCompile(`listening on (http://\S+)\n`).FindSubmatch(all.Bytes()); match != nil {
			return string(match[1])
		}
		if err != nil {
			t.Fatalf("%v: %s", err, all.Bytes())
		}
	}
}

// ask sends a prompt to a fake server.
func ask(t *testing.T, fake string) string {
	t.Helper()
	reply, err := http.Post(fake+"/v1beta/models/gemini-3.6-flash:generateContent?key=any", "application/json",
		strings.NewReader(`{"contents":[{"role":"user","parts":[{"text":"hello npm"}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func TestThePackedLauncherInstallsTheBinaryOfThisPlatformOnly(t *testing.T) {
	home, url := t.TempDir(), registry(t)
	file := filepath.Join(home, "gemwire.tgz")
	if err := os.WriteFile(file, packed(t)["gemwire"].archive, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := npm(t, home, url, "npm", "install", "./gemwire.tgz").CombinedOutput(); err != nil {
		t.Fatalf("npm install: %v: %s", err, out)
	}
	binaries, err := filepath.Glob(filepath.Join(home, "node_modules", "@gemwire", "*"))
	if err != nil || len(binaries) != 1 {
		t.Fatalf("the installed binaries are %q: %v", binaries, err)
	}
	launcher := filepath.Join(home, "node_modules", ".bin", "gemwire")
	out, err := npm(t, home, url, launcher, "generate", "hello").Output()
	if err != nil || string(out) != "You said: hello\n" {
		t.Errorf("gemwire generate: %v: %s", err, out)
	}
	err = npm(t, home, url, launcher, "no-such-command").Run()
	if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 2 {
		t.Errorf("an unknown command ends with %v, want the exit code 2 of the binary", err)
	}

	if err := os.RemoveAll(binaries[0]); err != nil {
		t.Fatal(err)
	}
	text, err := npm(t, home, url, launcher, "--version").CombinedOutput()
	want := "the package @gemwire/" + filepath.Base(binaries[0]) + " is not installed"
	if err == nil || !strings.Contains(string(text), want) {
		t.Errorf("without the binary: %v: %s", err, text)
	}
}

func TestTheLauncherPassesATerminationOn(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no SIGTERM")
	}
	home, url := t.TempDir(), registry(t)
	if out, err := npm(t, home, url, "npm", "install", "gemwire").CombinedOutput(); err != nil {
		t.Fatalf("npm install: %v: %s", err, out)
	}
	cmd := npm(t, home, url, filepath.Join(home, "node_modules", ".bin", "gemwire"), "emulate", "--addr", "127.0.0.1:0")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	fake := listening(t, stderr)
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, stderr)
	err = cmd.Wait()
	if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 128+int(syscall.SIGTERM) {
		t.Errorf("after SIGTERM the launcher ends with %v, want the exit code of the command", err)
	}
	if _, err := http.Get(fake); err == nil {
		t.Error("the fake still runs after the launcher ended")
	}
}
