package models_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini/models"
)

// everydayFiles are the files whose examples use the default model, as patterns of path.Match with
// "**" for any folders.
var everydayFiles = []string{
	"README.md", "docs/**", "examples/**", "server/examples/**", "server/deploy/**", ".github/**",
	"api/openapi/*.yaml",
	"pkg/**/doc.go", "pkg/**/*example_test.go", "pkg/geminitest/documented_test.go",
	"server/inspector/page/src/**", "server/cli/**/*.go", "CONTRIBUTING.md", "SECURITY.md",
	"pkg/**/*.go", "server/**/*.go",
}

// otherModels are the places that are about another model, with the reason.
var otherModels = []struct {
	files  string
	models []string
	why    string
}{
	{"docs/*.md", []string{"gemini-3.1-pro-preview"}, "a broken stream and a comparison name a second model"},
	{"docs/architecture/requests.md", []string{"gemini-3.5-flash", "gemini-3.8-flash-tts"}, "a name that another model answers to, and one that is no version"},
	{"docs/conversion.md", []string{"gemini-3.5-flash-lite", "gemini-3.1-flash-image"}, "the output of a payload of examples/payloads"},
	{"docs/command.md", []string{"gemini-3.5-flash", "gemini-2.5-pro", "gemini-3.8-flash"}, "the warnings about models that another one answers for or that end"},
	{"docs/aliases.md", []string{"gemini-3.5-flash"}, "the example of a model that another one answers for"},
	{"docs/interactions.md", []string{"gemini-3.5-transcribe"}, "a model that only the Interactions API has"},
	{"docs/reference/losses.md", []string{"gemini-2.5-flash", "gemini-3.1-flash-image"}, "models whose losses differ"},
	{"docs/reference/losses/*.md", []string{"gemini-2.5-flash", "gemini-3.1-flash-image"}, "models whose losses differ"},
	{"server/internal/modelname/modelname.go", []string{"gemini-2.0-flash", "gemini-3.5-flash-lite", "gemini-2.5-pro", "gemini-2.5"}, "models that were shut down, and a part of a name"},
	{"docs/testing.md", []string{"gemini-2.5-pro"}, "a pattern that matches several models"},
	{"docs/testing.md", []string{"gemini-3.6-falsh"}, "a typo that the fake server refuses"},
	{"server/examples/gateway/gateway.yaml", []string{"gemini-3.5-flash-lite", "gemini-3.1-pro-preview"}, "aliases, fallbacks and time limits name a second model"},
	{"examples/payloads/response-text.json", []string{"gemini-3.5-flash-lite"}, "payloads come from several models"},
	{"examples/payloads/response-image.json", []string{"gemini-3.1-flash-image"}, "an answer with an image"},
	{"examples/payloads/response-logprobs.json", []string{"gemini-2.0-flash"}, "later models give no log probabilities at the Gemini API"},
	{"examples/payloads/response-tool-calls-no-ids.json", []string{"gemini-2.5-flash"}, "Gemini 3 gives each call an id"},
	{"examples/payloads/response-two-candidates.json", []string{"gemini-2.5-flash"}, "Gemini 3 refuses a second candidate"},
	{"examples/payloads/stream-two-candidates.sse", []string{"gemini-2.5-flash"}, "Gemini 3 refuses a second candidate"},
	{"examples/payloads/*", []string{"gemini-2.5-pro", "gemini-2.5-flash", "gemini-2.5-flash-lite", "gemini-3-pro-preview", "gemini-3.1-pro-preview"}, "answers of an older model: how they differ is what the payload shows"},
	{"server/gateway/exchange/outcome.go", []string{"gemini-3.5-flash"}, "the example of a model that another one answers for"},
	{"pkg/transform/interactions/reverse/request/doc.go", []string{"gemini-3.8-flash-tts"}, "the example of a model that only the Interactions API has"},
	{"pkg/transform/*/request/option.go", []string{"gemini-3.5-flash"}, "the same"},
	{"pkg/gemini/validate.go", []string{"gemini-3.5-flash"}, "the same"},
	{"server/ratecard/cost.go", []string{"gemini-flash-latest"}, "the example of a name that Google moves on"},
	{"server/ratecard/price.go", []string{"gemini-2.5-pro"}, "a model with a price for long prompts"},
	{"pkg/gemini/models/*", nil, "the package is about how models differ"},
	{"server/internal/modelname/modelname.go", nil, "the package is about names that stand for models"},
	{"docs/inspector.md", []string{"gemini-3.6"}, "a search finds models by the beginning of their names"},
	{"server/inspector/internal/search/doc.go", []string{"gemini-3.6"}, "the same"},
	{"pkg/gemini/validate_example_test.go", []string{"gemini-3.8-flash"}, "a model without the level MINIMAL"},
	{"api/openapi/gemini.yaml", nil, "descriptions say which model has a member, and since when"},
}

var namedModel = regexp.MustCompile(`\bgemini-(?:\d[\w.-]*\w|(?:pro|flash|flash-lite)-latest)`)

// Everyday examples and comments use only the default model. A model that is retired or routed is
// in no example, unless the example is about it.
func TestExamplesUseTheDefaultModel(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..", "..")
	used := make([]bool, len(otherModels))
	files := 0
	for _, file := range everyday(t, root) {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		files++
		isCode := (strings.HasPrefix(file, "pkg/") ||
			strings.HasPrefix(file, "server/") && !strings.HasPrefix(file, "server/cli/")) &&
			strings.HasSuffix(file, ".go") && !isShown(file)
		for number, line := range strings.Split(string(text), "\n") {
			if isCode && !strings.HasPrefix(strings.TrimSpace(line), "//") {
				continue
			}
			for _, model := range namedModel.FindAllString(line, -1) {
				if strings.TrimSuffix(model, "-001") != models.Default &&
					!allowed(file, model, used) {
					t.Errorf("%s:%d names %s; examples use %s", file, number+1, model,
						models.Default)
				}
			}
		}
	}
	for i, other := range otherModels {
		if !used[i] {
			t.Errorf("nothing in %s names one of %v: the row can go", other.files, other.models)
		}
	}
	if files < 100 {
		t.Errorf("only %d files were read", files)
	}
}

// allowed reports whether a file may name a model, and marks the row that allows it.
func allowed(file, model string, used []bool) bool {
	ok := false
	for i, other := range otherModels {
		if fits, _ := path.Match(other.files, file); fits &&
			(other.models == nil || slices.Contains(other.models, model)) {
			used[i], ok = true, true
		}
	}
	return ok
}

// isShown reports whether go doc or the documentation shows a test's source.
func isShown(file string) bool {
	return strings.HasSuffix(file, "example_test.go") ||
		strings.HasSuffix(file, "/documented_test.go")
}

// everyday returns the paths of everydayFiles, relative to the root.
func everyday(t *testing.T, root string) []string {
	t.Helper()
	patterns := make([]*regexp.Regexp, len(everydayFiles))
	for i, pattern := range everydayFiles {
		quoted := regexp.QuoteMeta(pattern)
		quoted = strings.ReplaceAll(quoted, `/\*\*`, `(/.*)?`)
		patterns[i] = regexp.MustCompile("^" + strings.ReplaceAll(quoted, `\*`, `[^/]*`) + "$")
	}
	var files []string
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		file, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		file = filepath.ToSlash(file)
		if entry.IsDir() {
			if base := entry.Name(); base == ".git" || base == "node_modules" ||
				base == "testdata" {
				return filepath.SkipDir
			}
			return nil
		}
		if strings.HasSuffix(file, "_test.go") && !strings.HasPrefix(file, "examples/") &&
			!isShown(file) {
			return nil
		}
		if slices.ContainsFunc(patterns,
			func(p *regexp.Regexp) bool { return p.MatchString(file) }) {
			files = append(files, file)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
