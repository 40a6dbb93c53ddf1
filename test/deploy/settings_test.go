package deploy_test

import (
	"io/fs"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/gateway/config"
)

// sortedKeys returns the names of a map in order.
func sortedKeys[V any](of map[string]V) []string { return slices.Sorted(maps.Keys(of)) }

// load reads settings as the gateway does.
func load(t *testing.T, file string, environment map[string]string) *config.Config {
	t.Helper()
	if file != "" {
		file = path(t, file)
	}
	settings, err := config.Load(config.Sources{File: file,
		LookupEnv: func(name string) (string, bool) {
			value, there := environment[name]
			return value, there
		}})
	if err != nil {
		t.Fatal(err)
	}
	return settings
}

// deploymentFiles are the files that name parts of the command.
func deploymentFiles(t *testing.T) []string {
	t.Helper()
	out := []string{"docs/deployment.md", ".goreleaser.yaml", ".github/workflows/release.yml"}
	err := filepath.WalkDir(path(t, "server/deploy"),
		func(name string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() && entry.Name() != "client-keys" {
				name, err = filepath.Rel(path(t, "."), name)
				out = append(out, name)
			}
			return err
		})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestVariablesOfTheEnvironmentAreSettings(t *testing.T) {
	t.Parallel()
	known := map[string]bool{
		"GEMWIRE_CONFIG": true,
		"GEMWIRE_PORT":   true, // set by Kubernetes, and not a setting of gemwire
	}
	for _, s := range config.Settings() {
		known[s.Variable()] = true
	}
	found := 0
	for _, file := range deploymentFiles(t) {
		for _, name := range regexp.MustCompile(
			`\bGEMWIRE_[A-Z_]+\b`).FindAllString(string(read(t, file)), -1) {
			found++
			if !known[name] {
				t.Errorf("%s: there is no setting %s", file, name)
			}
		}
	}
	if found < 10 {
		t.Errorf("%d variables found; is the pattern right?", found)
	}
}

func TestFilesOfSettingsLoad(t *testing.T) {
	t.Parallel()
	for _, file := range deploymentFiles(t) {
		if filepath.Base(file) == "gateway.yaml" {
			load(t, file, nil)
		}
	}
}

func TestCommandsAndTheirFlagsExist(t *testing.T) {
	t.Parallel()
	gemwire := build(t)
	help := map[string]string{}
	for _, command := range []string{"serve", "health"} {
		text, err := exec.CommandContext(t.Context(), gemwire, command, "--help").CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v", command, err)
		}
		help[command] = string(text)
	}
	found := 0
	call := regexp.MustCompile(`gemwire[",]* (serve|health)([^\n|;]*)`)
	for _, file := range deploymentFiles(t) {
		for _, match := range call.FindAllStringSubmatch(string(read(t, file)), -1) {
			for _, flag := range regexp.MustCompile(`--[a-z-]+`).FindAllString(match[2], -1) {
				found++
				if !strings.Contains(help[match[1]], flag+" ") &&
					!strings.Contains(help[match[1]], flag+"\n") {
					t.Errorf("%s: gemwire %s has no %s", file, match[1], flag)
				}
			}
		}
	}
	if found < 3 {
		t.Errorf("%d flags found; is the pattern right?", found)
	}
}

func TestPathsOfThePageExist(t *testing.T) {
	t.Parallel()
	page := string(read(t, "docs/deployment.md"))
	for _, match := range regexp.MustCompile(`\]\(([^)#:]+)[^)]*\)`).FindAllStringSubmatch(page,
		-1) {
		if found, _ := filepath.Glob(path(t, filepath.Join("docs", match[1]))); len(found) == 0 {
			t.Errorf("there is no %s", match[1])
		}
	}
	for _, name := range regexp.MustCompile(`\bserver/deploy/[a-z./-]*[a-z]`).FindAllString(page,
		-1) {
		if name == "server/deploy/client-keys" { // which readers make
			continue
		}
		if found, _ := filepath.Glob(path(t, name)); len(found) == 0 {
			t.Errorf("there is no %s", name)
		}
	}
	for _, name := range regexp.MustCompile(`\bgemwire_[a-z_]+`).FindAllString(page, -1) {
		metric := strings.TrimPrefix(name, "gemwire_")
		if !strings.Contains(string(read(t, "server/gateway/metrics/metrics.go")), `"`+metric+`"`) {
			t.Errorf("there is no metric %s", name)
		}
	}
}
