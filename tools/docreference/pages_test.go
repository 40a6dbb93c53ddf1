package docreference

import (
	"bytes"
	"flag"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the pages of docs/reference")

// root is the repository.
var root = filepath.Join("..", "..")

// notice begins each page.
const notice = "<!-- Written by go generate ./tools/docreference. DO NOT EDIT. -->\n\n"

// generators write the pages, by their paths in docs/reference.
var generators = map[string]func(t *testing.T) string{
	"settings.md":  settingsPage,
	"command.md":   commandPage,
	"endpoints.md": endpointsPage,
	"headers.md":   headersPage,
	"errors.md":    errorsPage,
	"metrics.md":   metricsPage,
	"script.md":    scriptPage,
}

// TestReferencePagesAreCurrent compares the pages with the code. With -update it writes them.
func TestReferencePagesAreCurrent(t *testing.T) {
	folder := filepath.Join(root, "docs", "reference")
	pages := lossPages(t)
	for name, generate := range generators {
		pages[name] = generate(t)
	}
	for name, page := range pages {
		path := filepath.Join(folder, filepath.FromSlash(name))
		want := []byte(notice + wrapped(strings.TrimRight(page, "\n")) + "\n")
		got, err := os.ReadFile(path)
		if err == nil && bytes.Equal(got, want) {
			continue
		}
		if !*update {
			t.Errorf("docs/reference/%s is stale; run go generate ./tools/docreference\n%s", name, cmp.Diff(string(got), string(want)))
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var found []string
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			found = append(found, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(pages)), found); diff != "" {
		t.Errorf("docs/reference has other pages than those of the generators (- generated, + found):\n%s", diff)
	}
}

// cell returns a text as a cell of a table. A bar in it gets a backslash.
func cell(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
}

// code returns a text in backticks, and nothing for an empty text.
func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}

// row returns a row of a table.
func row(cells ...string) string {
	for i := range cells {
		cells[i] = cell(cells[i])
	}
	return "| " + strings.Join(cells, " | ") + " |\n"
}

// head returns the head of a table.
func head(cells ...string) string {
	return row(cells...) + strings.Repeat("|---", len(cells)) + "|\n"
}

// wrapped breaks the paragraphs of a page at column 100. Tables, headings and code stay.
func wrapped(page string) string {
	const width = 100
	var out, paragraph []string
	flush := func() {
		line := ""
		for _, word := range paragraph {
			if line != "" && len(line)+1+len(word) > width {
				out = append(out, line)
				line = ""
			}
			line = strings.TrimPrefix(line+" "+word, " ")
		}
		if line != "" {
			out = append(out, line)
		}
		paragraph = nil
	}
	isCode := false
	for line := range strings.SplitSeq(page, "\n") {
		isFence := strings.HasPrefix(line, "```")
		if isCode || isFence || line == "" || strings.HasPrefix(line, "|") || strings.HasPrefix(line, "#") {
			flush()
			out = append(out, line)
		} else {
			paragraph = append(paragraph, strings.Fields(line)...)
		}
		isCode = isCode != isFence
	}
	flush()
	return strings.Join(out, "\n")
}
