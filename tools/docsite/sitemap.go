package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"go.yaml.in/yaml/v3"
)

// siteMap is the content of docs/site.yaml.
type siteMap struct {
	// Name is the name of the site.
	Name string `yaml:"name"`
	// Summary is one sentence about the site.
	Summary string `yaml:"summary"`
	// Repository is the address of the source files that are not pages.
	Repository string `yaml:"repository"`
	// Home is the first page.
	Home string `yaml:"home"`
	// Sections are the parts of the navigation, in their order.
	Sections []section `yaml:"sections"`
}

type section struct {
	Title string  `yaml:"title"`
	Pages []entry `yaml:"pages"`
}

// entry is one page in the navigation.
type entry struct {
	// Page is the path of the Markdown file, relative to docs/.
	Page string `yaml:"page"`
	// Title is the text of the link in the navigation; by default the heading of the page.
	Title string `yaml:"title"`
}

// readSiteMap reads docs/site.yaml. It refuses unknown members and pages that are listed twice.
func readSiteMap(repository fs.FS) (*siteMap, error) {
	file, err := repository.Open("docs/site.yaml")
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	decoder := yaml.NewDecoder(file)
	decoder.KnownFields(true)
	var out siteMap
	if err := decoder.Decode(&out); err != nil {
		return nil, fmt.Errorf("docs/site.yaml: %w", err)
	}
	if out.Home == "" {
		return nil, errors.New("docs/site.yaml: home is missing")
	}
	seen := map[string]bool{}
	for _, e := range out.entries() {
		if seen[e.Page] {
			return nil, fmt.Errorf("docs/site.yaml: %s is listed twice", e.Page)
		}
		seen[e.Page] = true
	}
	return &out, nil
}

// entries returns all pages in the order in which a reader turns them.
func (m *siteMap) entries() []entry {
	out := []entry{{Page: m.Home}}
	for _, s := range m.Sections {
		out = append(out, s.Pages...)
	}
	return out
}

// sourceOf returns the path in the repository of a page that the site map names.
func sourceOf(page string) string { return path.Join("docs", page) }

// targetOf returns the path in the site, without its ending, of a Markdown file of the repository.
func targetOf(source string) string {
	inDocs, ok := strings.CutPrefix(source, "docs/")
	if !ok {
		return strings.ToLower(strings.TrimSuffix(source, ".md"))
	}
	dir, file := path.Split(strings.TrimSuffix(inDocs, ".md"))
	if file == "README" {
		file = "index"
	}
	return dir + file
}

// relative returns the link from one file of the site to another.
func relative(from, to string) string {
	fromDirs, toDirs := strings.Split(from, "/"), strings.Split(to, "/")
	fromDirs = fromDirs[:len(fromDirs)-1]
	for len(fromDirs) > 0 && len(toDirs) > 1 && fromDirs[0] == toDirs[0] {
		fromDirs, toDirs = fromDirs[1:], toDirs[1:]
	}
	return strings.Repeat("../", len(fromDirs)) + strings.Join(toDirs, "/")
}
