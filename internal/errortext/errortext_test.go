package errortext_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/errortext"
)

func TestNamesOfPackagesAreTakenOff(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"gateway: the upstream has no account": "the upstream has no account",
		"gateway: gemini: the key is empty":    "the key is empty",
		"/model: must be set":                  "/model: must be set",
		"gemini":                               "gemini",
		"no account":                           "no account",
		"":                                     "",
	} {
		if got := errortext.WithoutPackage(text); got != want {
			t.Errorf("%q is %q, expected %q", text, got, want)
		}
	}
}

var beginning = regexp.MustCompile(`(?:errors\.New|fmt\.Errorf)\("([a-z]+): `)

// Each package whose errors begin with its name must be in the list.
func TestNoPackageIsMissing(t *testing.T) {
	t.Parallel()
	root := os.DirFS(filepath.Join("..", ".."))
	seen := 0
	for _, folder := range []string{"pkg", "internal", "server"} {
		err := fs.WalkDir(root, folder, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".go") ||
				strings.HasSuffix(name, "_test.go") ||
				strings.HasSuffix(filepath.Dir(name), "test") {
				return err
			}
			source, err := fs.ReadFile(root, name)
			for _, found := range beginning.FindAllSubmatch(source, -1) {
				if own := string(found[1]); own == filepath.Base(filepath.Dir(name)) {
					seen++
					if errortext.WithoutPackage(own+": x") != "x" {
						t.Errorf("%s: %s is missing", name, own)
					}
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if seen < 100 {
		t.Errorf("%d errors seen; is the pattern right?", seen)
	}
}
