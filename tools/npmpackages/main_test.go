package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// release writes archives that have a text as the command, with their checksums.
func release(t *testing.T, archives map[string]string) string {
	t.Helper()
	dist := t.TempDir()
	var sums strings.Builder
	for name, command := range archives {
		var data bytes.Buffer
		if strings.HasSuffix(name, ".zip") {
			files := zip.NewWriter(&data)
			w, err := files.Create("gemwire_folder/gemwire.exe")
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprint(w, command)
			files.Close()
		} else {
			zipped := gzip.NewWriter(&data)
			files := tar.NewWriter(zipped)
			for name, text := range map[string]string{
				"gemwire_folder/share/bash-completion/completions/gemwire": "a completion",
				"gemwire_folder/gemwire":                                   command,
			} {
				header := tar.Header{Typeflag: tar.TypeReg, Name: name, Size: int64(len(text))}
				if err := files.WriteHeader(&header); err != nil {
					t.Fatal(err)
				}
				fmt.Fprint(files, text)
			}
			files.Close()
			zipped.Close()
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(data.Bytes()), name)
		if err := os.WriteFile(filepath.Join(dist, name), data.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	err := os.WriteFile(filepath.Join(dist, "checksums.txt"), []byte(sums.String()), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	return dist
}

// This test does not run in parallel, because it changes to the root of the repository.
func TestEachArchiveBecomesAPackageThatTheLauncherDependsOn(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	dist, out := release(t, map[string]string{
		"gemwire_1.2.3_linux_amd64.tar.gz":  "for Linux",
		"gemwire_1.2.3_darwin_arm64.tar.gz": "for macOS",
		"gemwire_1.2.3_windows_amd64.zip":   "for Windows",
		"gemwire_1.2.3_source.tar.gz":       "not a binary",
	}), t.TempDir()
	if err := write(dist, out); err != nil {
		t.Fatal(err)
	}
	var launcher manifest
	text, err := os.ReadFile(filepath.Join(out, "gemwire", "package.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &launcher); err != nil {
		t.Fatal(err)
	}
	if launcher.Version != "1.2.3" || len(launcher.OptionalDependencies) != 3 {
		t.Errorf("%s", text)
	}
	for file, want := range map[string]string{
		"linux-x64/bin/gemwire":     "for Linux",
		"darwin-arm64/bin/gemwire":  "for macOS",
		"win32-x64/bin/gemwire.exe": "for Windows",
	} {
		path := filepath.Join(out, filepath.FromSlash(file))
		got, err := os.ReadFile(path)
		if err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", file, got, err)
			continue
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o755 {
			t.Errorf("%s: mode %v, %v", file, info.Mode(), err)
		}
		name := "@gemwire/" + strings.Split(file, "/")[0]
		if launcher.OptionalDependencies[name] != "1.2.3" {
			t.Errorf("the launcher does not depend on %s", name)
		}
	}
}

// This test does not run in parallel, because it changes to the root of the repository.
func TestWrongArchivesAreErrors(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	changed := release(t, map[string]string{"gemwire_1.2.3_linux_amd64.tar.gz": "for Linux"})
	file, err := os.OpenFile(filepath.Join(changed, "gemwire_1.2.3_linux_amd64.tar.gz"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(file, "more")
	file.Close()
	for dist, want := range map[string]string{
		changed: "checksums.txt does not have its SHA-256",
		release(t, map[string]string{
			"gemwire_1.2.3_linux_amd64.tar.gz": "new", "gemwire_1.2.2_linux_arm64.tar.gz": "old",
		}): "has archives of 1.2.2 and of 1.2.3",
		release(t, map[string]string{"gemwire_1.2.3_source.tar.gz": "sources"}): "has no archives of a release",
		t.TempDir(): "checksums.txt",
	} {
		if err := write(dist, t.TempDir()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error with %q", err, want)
		}
	}
}
