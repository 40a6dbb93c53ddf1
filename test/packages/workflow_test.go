package packages_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestTheWorkflowReleasesWithTheGoreleaserOfTheseTests(t *testing.T) {
	module := regexp.MustCompile(`(?m)^\s+github\.com/goreleaser/goreleaser/v2 (v\S+)`).FindSubmatch(read(t, "go.mod"))
	workflow := string(read(t, filepath.Join(project, ".github/workflows/release.yml")))
	if module == nil || !strings.Contains(workflow, "\n          version: "+string(module[1])+" ") {
		t.Errorf("release.yml has another version of goreleaser than %q", module)
	}
}

// TestThePagesNameFilesThatAReleaseHas replaces the version of the snapshot with the version of the
// pages.
func TestThePagesNameFilesThatAReleaseHas(t *testing.T) {
	names := regexp.MustCompile(`gemwire_0\.1\.0_(\w+?)(\.tar\.gz|\.zip|\.deb|\.rpm)\b`)
	found := 0
	for _, page := range []string{"README.md", "docs/install.md"} {
		for _, name := range names.FindAllString(string(read(t, filepath.Join(project, page))), -1) {
			found++
			snapshot(t, strings.Replace(name, "0.1.0", version(t), 1))
		}
	}
	if found < 4 {
		t.Errorf("the pages name only %d files", found)
	}
	for file := range checksums(t) {
		if !strings.HasPrefix(file, "gemwire_"+version(t)+"_") {
			t.Errorf("checksums.txt has %s", file)
		}
	}
}
