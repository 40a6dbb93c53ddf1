package deploy_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goreleaser/goreleaser/v2/pkg/config"
)

const releaseFile = ".goreleaser.yaml"

func TestGoreleaserTakesItsFile(t *testing.T) {
	t.Parallel()
	readRelease(t) // by goreleaser's own types, which take no other members
	wrong := strings.Replace(string(read(t, releaseFile)), "mod_timestamp", "modified", 1)
	if _, err := config.LoadReader(strings.NewReader(wrong)); err == nil {
		t.Error("a member that there is not is taken")
	}
}

func readRelease(t *testing.T) config.Project {
	t.Helper()
	settings, err := config.Load(path(t, releaseFile))
	if err != nil {
		t.Fatal(err)
	}
	return settings
}

// TestReleasesAreTheSameForEqualSources: if releases contained the time of the build or a path of
// the machine, a user could not check which sources a release comes from.
func TestReleasesAreTheSameForEqualSources(t *testing.T) {
	t.Parallel()
	settings := readRelease(t)
	for _, b := range settings.Builds {
		if b.ModTimestamp != "{{ .CommitTimestamp }}" || !slices.Contains(b.Flags, "-trimpath") ||
			!slices.Contains(b.Env, "CGO_ENABLED=0") {
			t.Errorf("%s: %+v", b.Binary, b)
		}
	}
	for _, a := range settings.Archives {
		infos := map[string]config.FileInfo{"binaries": a.BuildsInfo}
		for _, f := range a.Files {
			infos[f.Source] = f.Info
		}
		for name, info := range infos {
			if info.Owner != "root" || info.Group != "root" || info.MTime != "{{ .CommitDate }}" ||
				info.Mode == 0 {
				t.Errorf("%s in archives: %+v", name, info)
			}
		}
	}
}

func TestReleasesHaveWhatTheRepositoryHas(t *testing.T) {
	t.Parallel()
	settings := readRelease(t)
	commands, err := os.ReadDir(path(t, "cmd"))
	if err != nil {
		t.Fatal(err)
	}
	var mains []string
	for _, b := range settings.Builds {
		mains = append(mains, filepath.Base(b.Main))
	}
	for _, c := range commands {
		if !slices.Contains(mains, c.Name()) {
			t.Errorf("cmd/%s is in no release", c.Name())
		}
	}
	for _, f := range settings.Archives[0].Files {
		if strings.HasPrefix(f.Source, "bin/share/") &&
			slices.Contains(settings.Before.Hooks, "make package-files") {
			continue
		}
		if found, _ := filepath.Glob(path(t, f.Source)); len(found) == 0 {
			t.Errorf("there is no %s", f.Source)
		}
	}
}

func TestTheChecksumsAreSignedAndArchivesHaveAnSBOM(t *testing.T) {
	t.Parallel()
	settings := readRelease(t)
	if s := settings.Signs[0]; s.Artifacts != "checksum" ||
		!slices.Contains(s.Args, "--bundle=${signature}") {
		t.Errorf("%+v", s)
	}
	if s := settings.SBOMs[0]; s.Artifacts != "archive" ||
		!slices.Contains(s.Args, "spdx-json=$document") {
		t.Errorf("%+v", s)
	}
	if workflow := ".github/workflows/release.yml@refs/tags/{{ .Tag }}"; !strings.Contains(
		settings.Release.Footer, workflow) {
		t.Errorf("what the certificate names is not %s: %s", workflow, settings.Release.Footer)
	}
}

// TestActionsOfWorkflowsArePinned: a tag can be moved to other code, a commit cannot.
func TestActionsOfWorkflowsArePinned(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(path(t, ".github/workflows/*.yml"))
	if err != nil || len(files) < 3 {
		t.Fatalf("%q: %v", files, err)
	}
	pinned := regexp.MustCompile(`uses: [\w.-]+(/[\w.-]+)+@[0-9a-f]{40} # v\d`)
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(string(source), "\n") {
			if strings.Contains(line, "uses: ") && !pinned.MatchString(line) {
				t.Errorf("%s: %s", filepath.Base(file), line)
			}
		}
	}
}
