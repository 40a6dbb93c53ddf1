package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gemwire/gemwire/server/cli"
)

// This test does not run in parallel, because it sets the pages' date in the environment.
func TestEveryCommandHasAPageWithItsFlagsAndEqualSourcesGiveEqualFiles(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	dir, again := t.TempDir(), t.TempDir()
	for _, folder := range []string{dir, again} {
		if err := write(folder); err != nil {
			t.Fatal(err)
		}
	}
	for _, cmd := range append(cli.NewCommand().Commands(), cli.NewCommand()) {
		checkPage(t, cmd,
			filepath.Join(dir, "man/man1", strings.ReplaceAll(cmd.CommandPath(), " ", "-")+".1"))
	}
	if diff := cmp.Diff(contents(t, dir), contents(t, again)); diff != "" {
		t.Error(diff)
	}
	if names := contents(t, dir); len(names) < 9 || names["zsh/site-functions/_gemwire"] == "" {
		t.Errorf("%d files", len(names))
	}
}

func checkPage(t *testing.T, cmd *cobra.Command, file string) {
	t.Helper()
	page, err := os.ReadFile(file)
	if err != nil {
		t.Error(err)
		return
	}
	text := strings.ReplaceAll(string(page), `\-`, "-")
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && !strings.Contains(text, "--"+f.Name) {
			t.Errorf("%s lacks --%s", file, f.Name)
		}
	})
	if strings.Contains(text, "spf13") || !strings.Contains(text, "Nov 2023") {
		t.Errorf("%s has another date, or names what made it", file)
	}
}

// contents returns the text of the files below a folder.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, path))
		texts[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

func TestIndentedLinesKeepTheirForm(t *testing.T) {
	t.Parallel()
	got := keepIndented("One\ntwo:\n  a   b\n     c\nthree\n\n  last")
	want := "One\ntwo:\n\n```\n  a   b\n     c\n```\n\nthree\n\n\n```\n  last\n```\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
