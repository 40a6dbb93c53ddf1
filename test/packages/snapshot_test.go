package packages_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// project is the root of the repository, dist the folder with the files of a release.
var project, dist = func() (string, string) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		panic(err)
	}
	return root, filepath.Join(root, "dist")
}()

// goStandIn compiles for this platform only. For another platform it writes a text in place of a
// binary.
const goStandIn = `#!/bin/sh
go=%q
if [ "$1" = build ] && [ "${GOOS:-%[2]s}/${GOARCH:-%[3]s}" != %[2]s/%[3]s ]; then
  for word; do
    if [ "$last" = -o ]; then echo "stand-in for $GOOS/$GOARCH" >"$word"; fi
    last=$word
  done
  exit
fi
exec "$go" "$@"
`

// buildSnapshot makes the files of a release and the npm packages, once for all tests. With
// GEMWIRE_SNAPSHOT=keep the tests use the files that an earlier run has left.
var buildSnapshot = sync.OnceValue(func() error {
	if os.Getenv("GEMWIRE_SNAPSHOT") == "keep" {
		return nil
	}
	tools, err := os.MkdirTemp("", "packages")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tools)
	goreleaser := filepath.Join(project, "bin", "goreleaser")
	err = run(".", nil, "go", "build", "-o", goreleaser, "github.com/goreleaser/goreleaser/v2")
	if err != nil {
		return err
	}
	goCommand, err := exec.LookPath("go")
	if err != nil {
		return err
	}
	script := fmt.Sprintf(goStandIn, goCommand, runtime.GOOS, runtime.GOARCH)
	if err := os.WriteFile(filepath.Join(tools, "go"), []byte(script), 0o700); err != nil {
		return err
	}
	environment := []string{
		"PATH=" + tools + string(os.PathListSeparator) + os.Getenv("PATH"),
		// goreleaser wants a remote, which a copy of the repository may not have.
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=remote.origin.url",
		"GIT_CONFIG_VALUE_0=https://github.com/gemwire/gemwire",
	}
	err = run(project, environment, goreleaser, "release", "--snapshot", "--clean", "--skip=sbom,sign")
	if err != nil {
		return err
	}
	return run(project, nil, "go", "run", "./tools/npmpackages", "dist", "dist/npm")
})

// run runs a program in a folder.
func run(folder string, environment []string, program string, arguments ...string) error {
	began := time.Now()
	cmd := exec.Command(program, arguments...)
	cmd.Dir, cmd.Env = folder, append(os.Environ(), environment...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %q: %w\n%s", program, arguments, err, out)
	}
	fmt.Printf("packages: %s %s: %.0f s\n",
		filepath.Base(program), strings.Join(arguments, " "), time.Since(began).Seconds())
	return nil
}

// failed is whether a test has said why the snapshot could not be built.
var failed atomic.Bool

// snapshot returns the path of a file of the release, of which the pattern is the name.
func snapshot(t *testing.T, pattern string) string {
	t.Helper()
	if err := buildSnapshot(); err != nil {
		if !failed.CompareAndSwap(false, true) {
			t.Fatal("the snapshot could not be built; the first test that failed says why")
		}
		t.Fatal(err)
	}
	found, err := filepath.Glob(filepath.Join(dist, pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("dist/%s are the files %q: %v", pattern, found, err)
	}
	return found[0]
}

// version returns the version of the snapshot.
func version(t *testing.T) string {
	t.Helper()
	name := filepath.Base(snapshot(t, "gemwire_*_linux_amd64.tar.gz"))
	return strings.TrimSuffix(strings.TrimPrefix(name, "gemwire_"), "_linux_amd64.tar.gz")
}

// thisPlatform is the end of the names of files for this platform.
const thisPlatform = runtime.GOOS + "_" + runtime.GOARCH

// read returns the content of a file.
func read(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// checksums returns the SHA-256 of the files of the release, by their names.
func checksums(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for line := range strings.Lines(string(read(t, snapshot(t, "checksums.txt")))) {
		sum, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if !ok {
			t.Fatalf("checksums.txt: %q", line)
		}
		out[name] = sum
	}
	return out
}

func TestEachFileOfTheReleaseHasItsChecksum(t *testing.T) {
	sums := checksums(t)
	for _, system := range []string{"linux", "darwin", "windows"} {
		for _, arch := range []string{"amd64", "arm64"} {
			format := ".tar.gz"
			if system == "windows" {
				format = ".zip"
			}
			name := "gemwire_" + version(t) + "_" + system + "_" + arch
			names := []string{name + format}
			if system == "linux" {
				names = append(names, name+".deb", name+".rpm")
			}
			for _, name := range names {
				sum := sha256.Sum256(read(t, snapshot(t, name)))
				if sums[name] != hex.EncodeToString(sum[:]) {
					t.Errorf("%s: the checksum is %q, want %x", name, sums[name], sum)
				}
			}
		}
	}
}

// shared are the files that come with the command, by the folders of an archive.
var shared = []string{
	"LICENSE",
	"README.md",
	"share/bash-completion/completions/gemwire",
	"share/fish/vendor_completions.d/gemwire.fish",
	"share/man/man1/gemwire-launch.1",
	"share/man/man1/gemwire.1",
	"share/zsh/site-functions/_gemwire",
}

func TestArchivesOfAllPlatformsHaveTheCommandItsPagesAndCompletions(t *testing.T) {
	for _, archive := range []struct{ platform, format, binary, content string }{
		{"linux_amd64", ".tar.gz", "gemwire", ""},
		{"linux_arm64", ".tar.gz", "gemwire", ""},
		{"darwin_amd64", ".tar.gz", "gemwire", "stand-in for darwin/amd64\n"},
		{"darwin_arm64", ".tar.gz", "gemwire", "stand-in for darwin/arm64\n"},
		{"windows_amd64", ".zip", "gemwire.exe", "stand-in for windows/amd64\n"},
		{"windows_arm64", ".zip", "gemwire.exe", "stand-in for windows/arm64\n"},
	} {
		name := "gemwire_" + version(t) + "_" + archive.platform
		files := unpacked(t, snapshot(t, name+archive.format))
		for _, file := range append([]string{archive.binary}, shared...) {
			if len(files[name+"/"+file]) == 0 {
				t.Errorf("%s%s has no %s", name, archive.format, file)
			}
		}
		if archive.platform == thisPlatform || archive.content == "" {
			continue
		}
		if got := string(files[name+"/"+archive.binary]); got != archive.content {
			t.Errorf("%s has the binary %.40q", name, got)
		}
	}
}

// unpacked returns the files of an archive.
func unpacked(t *testing.T, archive string) map[string][]byte {
	t.Helper()
	data := read(t, archive)
	if strings.HasSuffix(archive, ".zip") {
		return unzipped(t, data)
	}
	decompressed, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	out, files := map[string][]byte{}, tar.NewReader(decompressed)
	for {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		if out[header.Name], err = io.ReadAll(files); err != nil {
			t.Fatal(err)
		}
	}
}

func unzipped(t *testing.T, data []byte) map[string][]byte {
	t.Helper()
	files, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, f := range files.File {
		content, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if out[f.Name], err = io.ReadAll(content); err != nil {
			t.Fatal(err)
		}
		content.Close()
	}
	return out
}
