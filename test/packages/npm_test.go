package packages_test

import (
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// registry serves the npm packages of the snapshot, as a registry does, and returns its URL.
func registry(t *testing.T) string {
	t.Helper()
	snapshot(t, "checksums.txt")
	folders, err := filepath.Glob(filepath.Join(dist, "npm", "*", "package.json"))
	if err != nil || len(folders) != 7 {
		t.Fatalf("the npm packages are %q: %v", folders, err)
	}
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	for _, manifest := range folders {
		var described map[string]any
		if err := json.Unmarshal(read(t, manifest), &described); err != nil {
			t.Fatal(err)
		}
		packed := pack(t, filepath.Dir(manifest))
		name, version := described["name"].(string), described["version"].(string)
		file := "/files/" + filepath.Base(filepath.Dir(manifest)) + ".tgz"
		strong, weak := sha512.Sum512(packed), sha1.Sum(packed)
		described["dist"] = map[string]string{
			"tarball":   server.URL + file,
			"integrity": "sha512-" + base64.StdEncoding.EncodeToString(strong[:]),
			"shasum":    hex.EncodeToString(weak[:]),
		}
		about := map[string]any{
			"name": name, "dist-tags": map[string]string{"latest": version},
			"versions": map[string]any{version: described},
		}
		mux.HandleFunc("GET "+file, func(w http.ResponseWriter, _ *http.Request) { w.Write(packed) })
		mux.HandleFunc("GET /"+name, func(w http.ResponseWriter, _ *http.Request) {
			json.NewEncoder(w).Encode(about)
		})
	}
	return server.URL
}

// pack returns the archive that npm publish sends for a folder.
func pack(t *testing.T, folder string) []byte {
	t.Helper()
	to := t.TempDir()
	cmd := npm(t, to, "http://127.0.0.1:1", "npm", "pack", "--silent", "--pack-destination", to)
	cmd.Dir = folder
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("npm pack in %s: %v", folder, err)
	}
	return read(t, filepath.Join(to, strings.TrimSpace(string(out))))
}

// npm returns a command of npm for a user whose files are in home. Requests to any server but the
// registry fail.
func npm(t *testing.T, home, registry string, arguments ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 2*time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, arguments[0], arguments[1:]...)
	cmd.Dir = home
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home,
		"npm_config_registry=" + registry, "npm_config_update_notifier=false",
		"npm_config_audit=false", "npm_config_fund=false",
		"http_proxy=http://127.0.0.1:1", "https_proxy=http://127.0.0.1:1", "no_proxy=127.0.0.1",
	}
	return cmd
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
	if err := os.WriteFile(file, pack(t, filepath.Join(dist, "npm", "gemwire")), 0o600); err != nil {
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
	if err := cmd.Wait(); err != nil {
		t.Errorf("after SIGTERM the launcher ends with %v", err)
	}
	if _, err := http.Get(fake); err == nil {
		t.Error("the fake still runs after the launcher ended")
	}
}
