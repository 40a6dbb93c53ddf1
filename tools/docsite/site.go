package main

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
)

//go:embed assets
var assets embed.FS

//go:embed layout.html
var layoutText string

var layout = template.Must(template.New("layout").Parse(layoutText))

// site is the documentation: its pages, and the files that they show.
type site struct {
	repository fs.FS
	siteMap    *siteMap
	pages      []*page
	bySource   map[string]*page
	// assets are pictures by their paths in the site.
	assets map[string][]byte
}

// build returns the files of the site by their paths. Equal sources give equal files.
func build(repository fs.FS) (map[string][]byte, error) {
	s, err := load(repository)
	if err != nil {
		return nil, err
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	entries, err := fs.ReadDir(assets, "assets")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if out["assets/"+e.Name()], err = assets.ReadFile("assets/" + e.Name()); err != nil {
			return nil, err
		}
	}
	for i, p := range s.pages {
		body, err := s.render(p)
		if err != nil {
			return nil, err
		}
		if out[p.target+".html"], err = s.layOut(i, body); err != nil {
			return nil, err
		}
		if out[p.target+".md"], err = s.plainMarkdown(p); err != nil {
			return nil, err
		}
	}
	for name, data := range s.assets {
		out[name] = data
	}
	if out["assets/search-index.js"], err = s.searchIndex(); err != nil {
		return nil, err
	}
	out["llms.txt"] = s.llms()
	return out, nil
}

// load reads the site map and all its pages.
func load(repository fs.FS) (*site, error) {
	m, err := readSiteMap(repository)
	if err != nil {
		return nil, err
	}
	s := &site{repository: repository, siteMap: m, bySource: map[string]*page{}, assets: map[string][]byte{}}
	for _, e := range m.entries() {
		p, err := parse(repository, sourceOf(e.Page))
		if err != nil {
			return nil, err
		}
		s.pages = append(s.pages, p)
		s.bySource[p.source] = p
	}
	return s, s.readAssets()
}

// readAssets reads the pictures that pages show.
func (s *site) readAssets() error {
	for _, p := range s.pages {
		for _, target := range p.targets {
			if ext := path.Ext(target); strings.Contains(target, ":") || ext != ".png" && ext != ".svg" {
				continue
			}
			source := path.Join(path.Dir(p.source), target)
			data, err := fs.ReadFile(s.repository, source)
			if err != nil {
				return fmt.Errorf("%s: %w", p.source, err)
			}
			s.assets[strings.TrimPrefix(source, "docs/")] = data
		}
	}
	return nil
}

// check finds pages that the navigation lacks, and links without a target.
func (s *site) check() error {
	var problems []error
	err := fs.WalkDir(s.repository, "docs", func(source string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(source, ".md") && s.bySource[source] == nil {
			problems = append(problems, fmt.Errorf("%s is not in docs/site.yaml", source))
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, p := range s.pages {
		for _, target := range p.targets {
			if _, err := s.resolve(p, target, ".html"); err != nil {
				problems = append(problems, err)
			}
		}
	}
	return errors.Join(problems...)
}

// resolve returns what a link of a page becomes in the site. A link to a page becomes one to its
// file with the given ending. A link to another file of the repository leads to the repository.
func (s *site) resolve(p *page, link, ending string) (string, error) {
	at, err := url.Parse(link)
	if err != nil {
		return "", fmt.Errorf("%s: %w", p.source, err)
	}
	if at.Scheme != "" {
		return link, nil
	}
	source := p.source
	if at.Path != "" {
		source = path.Join(path.Dir(p.source), at.Path)
	}
	if linked := s.bySource[source]; linked != nil {
		isHeading := func(h heading) bool { return h.ID == at.Fragment }
		if at.Fragment != "" && !slices.ContainsFunc(linked.headings, isHeading) {
			return "", fmt.Errorf("%s links to %s, but %s has no such heading", p.source, link, source)
		}
		out := ""
		if at.Path != "" {
			out = relative(p.target, linked.target+ending)
		}
		if at.Fragment != "" {
			out += "#" + at.Fragment
		}
		return out, nil
	}
	if _, ok := s.assets[strings.TrimPrefix(source, "docs/")]; ok {
		return relative(p.target, strings.TrimPrefix(source, "docs/")), nil
	}
	info, err := fs.Stat(s.repository, source)
	if err != nil {
		return "", fmt.Errorf("%s links to %s, which does not exist", p.source, link)
	}
	kind := "blob"
	if info.IsDir() {
		kind = "tree"
	}
	out := s.siteMap.Repository + "/" + kind + "/main/" + source
	if at.Fragment != "" {
		out += "#" + at.Fragment
	}
	return out, nil
}

// layoutData has the values that the layout of a page shows.
type layoutData struct {
	Title, Site, Summary string
	Root                 string // the path from the page to the root of the site
	Markdown, Edit       string
	Sections             []navSection
	Section              string
	Headings             []heading
	Body                 template.HTML
	Previous, Next       *navLink
	IsHome               bool
}

type navSection struct {
	Title string
	Links []navLink
	Open  bool
}

type navLink struct {
	Title, Href string
	Current     bool
}

// layOut returns a page with the navigation around its body.
func (s *site) layOut(index int, body []byte) ([]byte, error) {
	p := s.pages[index]
	data := layoutData{
		Title:    p.title,
		Site:     s.siteMap.Name,
		Summary:  firstSentence(p.summary),
		Root:     strings.Repeat("../", strings.Count(p.target, "/")),
		Markdown: path.Base(p.target) + ".md",
		Edit:     s.siteMap.Repository + "/edit/main/" + p.source,
		Body:     template.HTML(body), //nolint:gosec // our own pages
		IsHome:   index == 0,
	}
	for _, section := range s.siteMap.Sections {
		nav := navSection{Title: section.Title}
		for _, e := range section.Pages {
			link := s.navLink(p, e)
			nav.Open = nav.Open || link.Current
			nav.Links = append(nav.Links, link)
		}
		if nav.Open {
			data.Section = nav.Title
		}
		data.Sections = append(data.Sections, nav)
	}
	for _, h := range p.headings {
		if h.Level == 2 || h.Level == 3 && len(p.headings) < 30 {
			data.Headings = append(data.Headings, h)
		}
	}
	entries := s.siteMap.entries()
	if index > 0 {
		link := s.navLink(p, entries[index-1])
		data.Previous = &link
	}
	if index+1 < len(entries) {
		link := s.navLink(p, entries[index+1])
		data.Next = &link
	}
	var b bytes.Buffer
	err := layout.Execute(&b, data)
	return b.Bytes(), err
}

func (s *site) navLink(from *page, e entry) navLink {
	to := s.bySource[sourceOf(e.Page)]
	return navLink{cmp.Or(e.Title, to.title), relative(from.target, to.target+".html"), to == from}
}

var (
	fence    = regexp.MustCompile("(?m)^```")
	linkMark = regexp.MustCompile(`\]\(([^()\s]+)\)`)
)

// plainMarkdown returns the Markdown of a page for readers of the site: its links lead to the
// Markdown of other pages.
func (s *site) plainMarkdown(p *page) ([]byte, error) {
	parts := fence.Split(string(p.markdown), -1)
	var failed error
	for i := 0; i < len(parts); i += 2 { // the others are code
		parts[i] = linkMark.ReplaceAllStringFunc(parts[i], func(link string) string {
			out, err := s.resolve(p, link[2:len(link)-1], ".md")
			if err != nil {
				failed = err
			}
			return "](" + out + ")"
		})
	}
	return []byte(strings.Join(parts, "```")), failed
}

// llms returns the index for programs that read the site, as llmstxt.org describes it.
func (s *site) llms() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\n> %s\n", s.siteMap.Name, strings.TrimSpace(s.siteMap.Summary))
	write := func(title string, entries []entry) {
		fmt.Fprintf(&b, "\n## %s\n\n", title)
		for _, e := range entries {
			p := s.bySource[sourceOf(e.Page)]
			fmt.Fprintf(&b, "- [%s](%s.md)", p.title, p.target)
			if p.summary != "" {
				fmt.Fprintf(&b, ": %s", firstSentence(p.summary))
			}
			b.WriteByte('\n')
		}
	}
	write("Home", []entry{{Page: s.siteMap.Home}})
	for _, section := range s.siteMap.Sections {
		write(section.Title, section.Pages)
	}
	return b.Bytes()
}

// firstSentence returns the first sentence of a paragraph.
func firstSentence(paragraph string) string {
	if i := strings.Index(paragraph, ". "); i >= 0 {
		return paragraph[:i+1]
	}
	return strings.TrimSuffix(paragraph, ":")
}
