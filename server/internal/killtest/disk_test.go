//go:build unix

package killtest

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// fewRights is the user that gateways run as if the test runs as root, who may read everything.
const fewRights = 65534

// withFewRights makes a gateway run as a user with few rights. It returns the program for it.
func withFewRights(t *testing.T, f *fleet) {
	t.Helper()
	if os.Getuid() != 0 {
		return
	}
	program := filepath.Join(f.folder, "program")
	data, err := os.ReadFile(os.Args[0])
	if err == nil {
		err = os.WriteFile(program, data, 0o755)
	}
	for _, folder := range []string{f.folder, filepath.Dir(f.folder), filepath.Dir(f.store)} {
		if err == nil {
			err = os.Chmod(folder, 0o755)
		}
	}
	if err == nil {
		err = os.Chmod(f.keys, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	f.program = program
	f.attributes = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: fewRights, Gid: fewRights}}
}

// A folder or a file without rights is named.
func TestAStoreWithoutRightsIsNamed(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it starts processes")
	}
	filled, l := filledStore(t, newUpstream(t), true)
	for name, forbid := range map[string]func(t *testing.T, f *fleet) (path string){
		"the folder cannot be made": func(t *testing.T, f *fleet) string {
			if err := os.Chmod(filepath.Dir(f.store), 0o555); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.Chmod(filepath.Dir(f.store), 0o755) })
			return f.store
		},
		"a file cannot be read": func(t *testing.T, f *fleet) string {
			if err := os.CopyFS(f.store, os.DirFS(filled.store)); err != nil {
				t.Fatal(err)
			}
			if os.Getuid() == 0 {
				if err := filepath.WalkDir(f.store, func(path string, _ fs.DirEntry, _ error) error {
					return os.Chown(path, fewRights, fewRights)
				}); err != nil {
					t.Fatal(err)
				}
			}
			path, _ := blockIn(t, f.store, "GEMWIRE_STORE_DOCUMENTS")
			if err := os.Chmod(path, 0); err != nil {
				t.Fatal(err)
			}
			return path
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFleet(t, filepath.Join(t.TempDir(), "store"), newUpstream(t))
			keys, err := os.ReadFile(filled.keys)
			if err == nil {
				err = os.WriteFile(f.keys, keys, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			withFewRights(t, f)
			path := forbid(t, f)
			if said := f.refusal(t); !strings.Contains(said, path) ||
				!strings.Contains(said, "permission denied") {
				t.Fatalf("the error is %s", said)
			}
			f.checkWithoutStore(t, l)
		})
	}
}

// TestAGatewayOnAFullDiskAnswersWhatNeedsNoStore needs a small disk, such as
//
//	mount -t tmpfs -o size=64m tmpfs /mnt && GEMWIRE_SMALL_DISK=/mnt go test -run FullDisk ./server/internal/killtest
func TestAGatewayOnAFullDiskAnswersWhatNeedsNoStore(t *testing.T) {
	disk := os.Getenv("GEMWIRE_SMALL_DISK")
	if disk == "" {
		t.Skip("there is no small disk")
	}
	f, l := filledStore(t, newUpstream(t), false)
	store := f.store
	f.store = filepath.Join(disk, "gateway")
	if err := os.CopyFS(f.store, os.DirFS(store)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(f.store) })
	r := f.start(t)
	ballast := filepath.Join(disk, "ballast")
	var left syscall.Statfs_t
	if err := syscall.Statfs(disk, &left); err != nil {
		t.Fatal(err)
	}
	size := int64(left.Bavail)*int64(left.Bsize) - 1<<20
	if err := os.WriteFile(ballast, make([]byte, size), 0o600); err != nil {
		t.Fatal(err)
	}
	time.Sleep(1100 * time.Millisecond) // until the gateway looks at the disk again
	const respond = `{"model":"gemini-3.6-flash","input":"alice full"}`
	if answer, ok := l.post("alice", "/v1/responses", respond); !ok ||
		!strings.Contains(answer, `"store":false`) {
		t.Errorf("a response on a full disk: %s", answer)
	}
	if log := f.logs(); !strings.Contains(log, "MB left") || !strings.Contains(log, f.store) {
		t.Errorf("the log is %s", log)
	}
	if answer, ok := l.post("alice", "/v1/chat/completions", fmt.Sprintf(
		`{"model":"gemini-3.6-flash","messages":[%s]}`, question("x"))); !ok {
		t.Errorf("a chat completion on a full disk: %s", answer)
	}
	l.checkAll(t)
	_ = r.Process.Signal(syscall.SIGTERM)
	_ = r.Wait()
	f.running = nil
	f.start(t) // on the full disk
	l.checkAll(t)
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	time.Sleep(1100 * time.Millisecond)
	if answer, ok := l.post("alice", "/v1/responses", respond); !ok ||
		!strings.Contains(answer, `"store":true`) {
		t.Errorf("there is room again: %s", answer)
	}
}
