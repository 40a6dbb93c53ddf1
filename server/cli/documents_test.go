package cli_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	// namedPath finds paths of the repository in code spans, such as `pkg/gemini`,
	// `pkg/normalize/usage.go`, `pkg/gemini.ValidateRequest` and `gen/...`. FORM stands for the
	// name of any output form.
	namedPath = regexp.MustCompile("`((?:api|bench|cmd|docs|examples|gen|internal|pkg|test)/[^`\\s]+)`")
	namedLink = regexp.MustCompile(`\]\(([^)#:]*[./][^)#:]*)\)`)
	// exportedName is the name after a package's path.
	exportedName = regexp.MustCompile(`\.([A-Z]\w*)$`)
)

func TestTheDocumentsNameWhatIsThere(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	for _, document := range append(pages(t), "CONTRIBUTING.md", "SECURITY.md") {
		file := filepath.Join(root, document)
		text := readFile(t, file)
		for _, link := range namedLink.FindAllStringSubmatch(text, -1) {
			if !matches(t, filepath.Join(filepath.Dir(file), link[1])) {
				t.Errorf("%s links to %s, which is not there", document, link[1])
			}
		}
		for _, path := range namedPath.FindAllStringSubmatch(text, -1) {
			if !namesWhatIsThere(t, root, path[1]) {
				t.Errorf("%s names %s, which is not there", document, path[1])
			}
		}
	}
}

// namesWhatIsThere reports whether a path names an existing file, or a package that exports the
// name after it.
func namesWhatIsThere(t *testing.T, root, path string) bool {
	t.Helper()
	path = strings.TrimSuffix(strings.ReplaceAll(path, "FORM", "chat"), "/...")
	exported := exportedName.FindStringSubmatch(path)
	if exported == nil {
		return matches(t, filepath.Join(root, path))
	}
	declared := regexp.MustCompile(`(?m)^(func|func \(.*\)|type|var|const|\t) ?` + exported[1] +
		`\b`)
	sources, err := filepath.Glob(filepath.Join(root, strings.TrimSuffix(path, exported[0]),
		"*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range sources {
		if !strings.HasSuffix(source, "_test.go") && declared.MatchString(readFile(t, source)) {
			return true
		}
	}
	return false
}

func matches(t *testing.T, pattern string) bool {
	t.Helper()
	found, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return len(found) > 0
}

var (
	makeTarget  = regexp.MustCompile(`(?m)^([a-z][a-z_-]*):`)
	namedTarget = regexp.MustCompile("(?m)(?:^|`)make ([a-z][a-z_-]*)")
)

// make check tests two of the projects that gemwire comes from.
func TestTheTargetsOfMakeThatTheDocumentsNameAreThere(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	targets := map[string]bool{}
	for _, target := range makeTarget.FindAllStringSubmatch(readFile(t,
		filepath.Join(root, "Makefile")), -1) {
		targets[target[1]] = true
	}
	named := map[string]bool{"check": true}
	for _, document := range append(pages(t), "CONTRIBUTING.md") {
		for _, target := range namedTarget.FindAllStringSubmatch(readFile(t,
			filepath.Join(root, document)), -1) {
			named[target[1]] = true
		}
	}
	for target := range named {
		if !targets[target] {
			t.Errorf("there is no make %s", target)
		}
	}
	if len(named) < 5 {
		t.Errorf("only %v are named", named)
	}
}
