package main

import (
	"archive/zip"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAProxyHasTheFilesOfEachModuleAlone(t *testing.T) {
	t.Parallel()
	tree, proxy := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		"go.mod":             "module example.com/m\n\ngo 1.26\n",
		"a/a.go":             "package a\n",
		".gitignore":         "/bin\n",
		"bin/built":          "not of the module",
		"server/go.mod":      "module example.com/m/server\n\ngo 1.26\n",
		"server/s/s.go":      "package s\n",
		"test/t/go.mod":      "module example.com/m/test/t\n",
		"test/t/t.go":        "package t\n",
		"test/data/file.txt": "text",
	} {
		file := filepath.Join(tree, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git := exec.Command("git", "init", "-q")
	git.Dir = tree
	if out, err := git.CombinedOutput(); err != nil {
		t.Fatalf("git init: %v: %s", err, out)
	}
	if err := write(proxy, tree, "v1.2.3"); err != nil {
		t.Fatal(err)
	}
	for of, want := range map[string][]string{
		"example.com/m":        {".gitignore", "a/a.go", "go.mod", "test/data/file.txt"},
		"example.com/m/server": {"go.mod", "s/s.go"},
	} {
		archive, err := zip.OpenReader(filepath.Join(proxy, of, "@v", "v1.2.3.zip"))
		if err != nil {
			t.Fatal(err)
		}
		defer archive.Close()
		var got []string
		for _, file := range archive.File {
			name, err := filepath.Rel(of+"@v1.2.3", file.Name)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, name)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", of, diff)
		}
	}
}

func TestATreeWithoutAModuleIsAnError(t *testing.T) {
	t.Parallel()
	if err := write(t.TempDir(), t.TempDir(), "v1.2.3"); err == nil {
		t.Error("there is no error")
	}
}
