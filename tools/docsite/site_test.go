package main

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

var repository = os.DirFS(filepath.Join("..", ".."))

func built(t *testing.T) map[string][]byte {
	t.Helper()
	files, err := build(repository)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestEveryPageOfTheDocsIsInTheNavigation(t *testing.T) {
	t.Parallel()
	files := built(t)
	home := string(files["index.html"])
	pages := 0
	err := fs.WalkDir(repository, "docs", func(source string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(source, ".md") || source == "docs/README.md" {
			return err
		}
		pages++
		if href := targetOf(source) + ".html"; !strings.Contains(home, `<li><a href="`+href+`">`) {
			t.Errorf("the navigation has no link to %s", href)
		}
		return nil
	})
	if err != nil || pages < 25 {
		t.Errorf("%d pages, %v", pages, err)
	}
}

var (
	hrefs = regexp.MustCompile(`(?:href|src)="([^"]+)"`)
	ids   = regexp.MustCompile(` id="([^"]+)"`)
)

// The links are followed in the written files, so that the test does not trust the code that made
// them.
func TestLinksAndAnchorsOfTheSiteResolve(t *testing.T) {
	t.Parallel()
	files := built(t)
	anchors := map[string]map[string]bool{}
	for name, data := range files {
		anchors[name] = map[string]bool{}
		for _, id := range ids.FindAllSubmatch(data, -1) {
			if anchors[name][string(id[1])] && strings.HasSuffix(name, ".html") {
				t.Errorf("%s has the id %s twice", name, id[1])
			}
			anchors[name][string(id[1])] = true
		}
	}
	links := 0
	for name, data := range files {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		for _, match := range hrefs.FindAllSubmatch(data, -1) {
			href := string(match[1])
			if strings.Contains(href, ":") {
				continue
			}
			links++
			file, fragment, _ := strings.Cut(href, "#")
			target := name
			if file != "" {
				target = path.Join(path.Dir(name), file)
			}
			if files[target] == nil || fragment != "" && !anchors[target][fragment] {
				t.Errorf("%s links to %s, which does not exist", name, href)
			}
		}
	}
	if links < 1000 {
		t.Errorf("only %d links", links)
	}
}

func TestLinksOfTheMarkdownResolve(t *testing.T) {
	t.Parallel()
	files := built(t)
	for name, data := range files {
		if !strings.HasSuffix(name, ".md") {
			continue
		}
		for i, part := range fence.Split(string(data), -1) {
			if i%2 == 1 {
				continue
			}
			for _, match := range linkMark.FindAllStringSubmatch(part, -1) {
				file, _, _ := strings.Cut(match[1], "#")
				if file != "" && !strings.Contains(file, ":") && files[path.Join(path.Dir(name), file)] == nil {
					t.Errorf("%s links to %s, which does not exist", name, match[1])
				}
			}
		}
	}
}

func TestPagesLoadNothingFromOtherServers(t *testing.T) {
	t.Parallel()
	loaded := regexp.MustCompile(`(?:src|srcset|action)="[a-z]*:?//|<link [^>]*href="[a-z]*:?//|@import|url\(`)
	for name, data := range built(t) {
		if ext := path.Ext(name); ext != ".html" && ext != ".css" {
			continue
		}
		if found := loaded.Find(data); found != nil {
			t.Errorf("%s loads %s", name, found)
		}
	}
}

func TestTwoBuildsAreEqual(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff(built(t), built(t)); diff != "" {
		t.Error(diff)
	}
}

func TestEveryPageIsInTheSearchIndexAndInLLMsTxt(t *testing.T) {
	t.Parallel()
	files := built(t)
	script := strings.TrimSuffix(strings.TrimPrefix(string(files["assets/search-index.js"]), "window.searchIndex = "), ";\n")
	var entries []searchEntry
	if err := json.Unmarshal([]byte(script), &entries); err != nil {
		t.Fatal(err)
	}
	indexed := map[string]bool{}
	for _, e := range entries {
		file, _, _ := strings.Cut(e.URL, "#")
		indexed[file] = true
	}
	for name := range files {
		page, ok := strings.CutSuffix(name, ".html")
		if !ok {
			continue
		}
		if !indexed[name] {
			t.Errorf("the search index has no %s", name)
		}
		if !strings.Contains(string(files["llms.txt"]), "("+page+".md)") {
			t.Errorf("llms.txt has no %s.md", page)
		}
	}
}

func TestBuildRefuses(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		files map[string]string
		want  string
	}{
		"a page that is not in the site map": {map[string]string{"docs/b.md": "# B\n"}, "docs/b.md is not in docs/site.yaml"},
		"a link without a file":              {map[string]string{"docs/a.md": "# A\n\n[b](b.md)\n"}, "docs/a.md links to b.md, which does not exist"},
		"a link without a heading":           {map[string]string{"docs/a.md": "# A\n\n[b](#b)\n"}, "docs/a.md links to #b, but docs/a.md has no such heading"},
		"a page without a heading":           {map[string]string{"docs/a.md": "A\n"}, "docs/a.md has no heading of level 1"},
		"HTML":                               {map[string]string{"docs/a.md": "# A\n\n<div>a</div>\n"}, "docs/a.md has HTML"},
		"an unknown member of the site map":  {map[string]string{"docs/site.yaml": "home: a.md\nhouse: b.md\n"}, "field house not found"},
		"a page that is listed twice": {
			map[string]string{"docs/site.yaml": "home: a.md\nsections: [{title: S, pages: [{page: a.md}]}]\n"},
			"a.md is listed twice",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"docs/site.yaml": "home: a.md\n", "docs/a.md": "# A\n"}
			maps.Copy(files, test.files)
			_, err := build(mapFS(files))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func TestAPageHasAnchorsLinksAndCode(t *testing.T) {
	t.Parallel()
	files, err := build(mapFS(map[string]string{
		"docs/site.yaml": "name: S\nrepository: https://example.test/r\nhome: README.md\nsections: [{title: T, pages: [{page: x/a.md}, {page: ../CHANGES.md}]}]\n",
		"docs/README.md": "# Home\n",
		"docs/x/a.md": "# A\n\n## What is `x-y`?\n\n## What is `x-y`?\n\n[home](../README.md) [README.md](../README.md) [code](../../go.mod) [changes](../../CHANGES.md#v1)\n\n" +
			"```console\n$ gemwire <x>\nout\n```\n\n```go\nfunc f() { g(\"s\") }\n```\n",
		"CHANGES.md": "# Changes\n\n## v1\n",
		"go.mod":     "",
	}))
	if err != nil {
		t.Fatal(err)
	}
	page := string(files["x/a.html"])
	for _, want := range []string{
		`<h2 id="what-is-x-y">What is <code>x-y</code>? <a class="anchor" href="#what-is-x-y" aria-label="Link to What is x-y?">`,
		`<h2 id="what-is-x-y-1">`,
		`<a href="../index.html">home</a> <a href="../index.html">Home</a>`,
		`<a href="https://example.test/r/blob/main/go.mod">code</a>`,
		`<a href="../changes.html#v1">changes</a>`,
		`<span class="prompt">$ </span>gemwire &lt;x&gt;`,
		`<span class="output">out`,
		`<span class="keyword">func</span> f() { g(<span class="string">&#34;s&#34;</span>) }`,
		`<a class="next" rel="next" href="../changes.html"><span>Next</span> Changes</a>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s:\n%s", want, page)
		}
	}
	if got := string(files["x/a.md"]); !strings.Contains(got, "[home](../index.md) [README.md](../index.md) [code](https://example.test/r/blob/main/go.mod) [changes](../changes.md#v1)") {
		t.Errorf("got %s", got)
	}
}

func TestWriteRefusesAFolderOfOthers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	site := filepath.Join(dir, "site")
	for _, files := range []map[string][]byte{{"old.html": nil}, {"x/new.html": []byte("new")}} {
		if err := write(site, files); err != nil {
			t.Fatal(err)
		}
	}
	var left []string
	err := fs.WalkDir(os.DirFS(site), ".", func(name string, d fs.DirEntry, err error) error {
		if !d.IsDir() {
			left = append(left, name)
		}
		return err
	})
	if diff := cmp.Diff([]string{marker, "x/new.html"}, slices.Sorted(slices.Values(left))); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if err := write(dir, nil); err == nil {
		t.Error("write replaced a folder that it did not write")
	}
	if _, err := os.Stat(site); err != nil {
		t.Error(err)
	}
}

func mapFS(files map[string]string) fs.FS {
	out := fstest.MapFS{}
	for name, data := range files {
		out[name] = &fstest.MapFile{Data: []byte(data)}
	}
	return out
}
