package packages_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// codex replaces the agent. As codex does, it sends its prompt to the gateway that its arguments
// name, and prints the answer. It needs only bash, because the empty root has no HTTP client.
const codex = `#!/bin/bash
set -eu
url=$(sed 's/.*base_url = "\([^"]*\)".*/\1/' <<<"$6")
address=${url#http://}
address=${address%%/*}
body='{"model":"gemini-3.6-flash","input":"'"${*: -1}"'"}'
exec 3<>"/dev/tcp/${address%:*}/${address#*:}"
printf 'POST /v1/responses HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s' \
  "$address" "$GEMWIRE_KEY" "${#body}" "$body" >&3
cat <&3
`

// emulate starts the fake server, asks it as a client of the Gemini API does, and stops it.
const emulate = `
set -eu
%s emulate --addr 127.0.0.1:8787 2>/tmp/emulate.log &
for i in $(seq 100); do
  if (exec 3<>/dev/tcp/127.0.0.1/8787) 2>/dev/null; then break; fi
  sleep 0.1
done
body='{"contents":[{"role":"user","parts":[{"text":"hello fake"}]}]}'
exec 3<>/dev/tcp/127.0.0.1/8787
printf 'POST /v1beta/models/gemini-3.6-flash:generateContent HTTP/1.1\r\nHost: fake\r\nx-goog-api-key: any\r\nContent-Type: application/json\r\nContent-Length: %%d\r\nConnection: close\r\n\r\n%%s' "${#body}" "$body" >&3
cat <&3
kill $!
wait
`

// inRoot runs a script of bash in another root, without any network but the loopback device.
func inRoot(t *testing.T, root, script string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "unshare", "--net", "--pid", "--fork", "--kill-child", "sh", "-c",
		`ip link set lo up && exec chroot "$0" /bin/bash -c "$1"`, root, script)
	cmd.Env = []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LC_ALL=C"}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, script, out)
	}
	return string(out)
}

// needsRoot skips a test that cannot change the root.
func needsRoot(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" || os.Getuid() != 0 {
		t.Skip("another root needs Linux and root")
	}
}

// debian returns an empty Debian: the packages that each Debian has, and no others.
func debian(t *testing.T) string {
	t.Helper()
	needsRoot(t)
	root := filepath.Join(t.TempDir(), "root")
	err := run(".", nil, "mmdebstrap", "--quiet", "--variant=essential",
		"--aptopt=Acquire::Check-Valid-Until \"false\"", "trixie", root)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// put copies a file into a root.
func put(t *testing.T, from, root, to string, mode os.FileMode) {
	t.Helper()
	to = filepath.Join(root, to)
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, read(t, from), mode); err != nil {
		t.Fatal(err)
	}
}

func TestAnEmptyDebianInstallsThePackageAndCodexIsAnswered(t *testing.T) {
	root := debian(t)
	put(t, snapshot(t, "gemwire_*_"+thisPlatform+".deb"), root, "/tmp/gemwire.deb", 0o644)
	if err := os.WriteFile(filepath.Join(root, "usr/local/bin/codex"), []byte(codex), 0o755); err != nil {
		t.Fatal(err)
	}

	began := time.Now()
	inRoot(t, root, "dpkg -i /tmp/gemwire.deb")
	installed := time.Now()
	out := inRoot(t, root, `gemwire launch codex -- exec "Explain this project"`)
	fmt.Printf("packages: dpkg -i in an empty Debian: %.1f s; gemwire launch codex to its answer: %.1f s\n",
		installed.Sub(began).Seconds(), time.Since(installed).Seconds())
	for _, want := range []string{
		"gemwire: started a gateway at http://127.0.0.1:", "HTTP/1.1 200 OK", "You said: Explain this project",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the answer has no %q:\n%s", want, out)
		}
	}

	if out := inRoot(t, root, "gemwire --version"); !strings.HasPrefix(out, "gemwire ") {
		t.Errorf("gemwire --version prints %s", out)
	}
	if out := inRoot(t, root, fmt.Sprintf(emulate, "gemwire")); !strings.Contains(out, "You said: hello fake") {
		t.Errorf("the fake answers %s", out)
	}
	files := inRoot(t, root, "dpkg -L gemwire")
	for _, want := range []string{
		"/usr/bin/gemwire", "/usr/share/man/man1/gemwire.1", "/usr/share/man/man1/gemwire-launch.1",
		"/usr/share/bash-completion/completions/gemwire", "/usr/share/zsh/vendor-completions/_gemwire",
		"/usr/share/fish/vendor_completions.d/gemwire.fish", "/usr/share/doc/gemwire/copyright",
		"/usr/lib/systemd/system/gemwire.service", "/etc/gemwire/gateway.yaml", "/etc/gemwire/credentials",
	} {
		if !strings.Contains(files, want+"\n") {
			t.Errorf("the package has no %s", want)
		}
	}
	inRoot(t, root, "bash -n /usr/share/bash-completion/completions/gemwire")
	unit := inRoot(t, root, "cat /usr/lib/systemd/system/gemwire.service")
	if !strings.Contains(unit, "\nExecStart=/usr/bin/gemwire serve") || strings.Contains(unit, "/usr/local") {
		t.Errorf("the unit starts another command:\n%s", unit)
	}
	if out := inRoot(t, root, "gemwire serve --check --config /etc/gemwire/gateway.yaml"); !strings.Contains(out, "ok") {
		t.Errorf("the settings are wrong: %s", out)
	}

	inRoot(t, root, "echo '# mine' >>/etc/gemwire/gateway.yaml; dpkg -i /tmp/gemwire.deb; dpkg -r gemwire")
	out = inRoot(t, root, "cat /etc/gemwire/gateway.yaml; command -v gemwire || echo removed")
	if !strings.Contains(out, "# mine") || !strings.HasSuffix(out, "removed\n") {
		t.Errorf("dpkg -r removes the command and keeps the settings, but there is:\n%s", out)
	}
	inRoot(t, root, "dpkg -P gemwire; test ! -e /etc/gemwire")
}

func TestTheArchiveRunsInAnEmptyRoot(t *testing.T) {
	needsRoot(t)
	archive := snapshot(t, "gemwire_*_"+thisPlatform+".tar.gz")
	root := t.TempDir()
	if err := run(root, nil, "tar", "-xzf", archive); err != nil {
		t.Fatal(err)
	}
	command := "/" + strings.TrimSuffix(filepath.Base(archive), ".tar.gz") + "/gemwire"
	for arguments, want := range map[string]string{"--version": "gemwire ", "generate hello": "You said: hello\n"} {
		words := append([]string{"--net", "chroot", root, command}, strings.Fields(arguments)...)
		out, err := exec.CommandContext(t.Context(), "unshare", words...).Output()
		if err != nil || !strings.HasPrefix(string(out), want) {
			t.Errorf("gemwire %s in an empty root: %v: %s", arguments, err, out)
		}
	}
}
