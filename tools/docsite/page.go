package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// page is one Markdown file of the site.
type page struct {
	source   string // the path in the repository
	target   string // the path in the site, without its ending
	markdown []byte
	document ast.Node
	title    string
	summary  string // the first paragraph as text
	headings []heading
	// targets are the links to other files, as the Markdown has them.
	targets []string
}

type heading struct {
	Level int
	ID    string
	Text  string
	node  ast.Node
}

// parse reads a Markdown file.
func parse(repository fs.FS, source string) (*page, error) {
	markdown, err := fs.ReadFile(repository, source)
	if err != nil {
		return nil, err
	}
	p := &page{source: source, target: targetOf(source), markdown: markdown}
	engine := goldmark.New(goldmark.WithExtensions(extension.GFM))
	p.document = engine.Parser().Parse(text.NewReader(markdown))
	used := map[string]int{}
	err = ast.Walk(p.document, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch node := node.(type) {
		case *ast.Heading:
			plain := plainText(node, markdown)
			id := uniqueAnchor(used, plain)
			node.SetAttributeString("id", []byte(id))
			p.headings = append(p.headings, heading{node.Level, id, plain, node})
			if node.Level == 1 && p.title == "" {
				p.title = plain
			}
		case *ast.Paragraph:
			if p.summary == "" {
				p.summary = plainText(node, markdown)
			}
		case *ast.Link:
			p.targets = append(p.targets, string(node.Destination))
		case *ast.Image:
			p.targets = append(p.targets, string(node.Destination))
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return nil, err
	}
	if p.title == "" {
		return nil, fmt.Errorf("%s has no heading of level 1", source)
	}
	return p, nil
}

// anchor returns the anchor that GitHub gives a heading, so that links are valid in both places.
func anchor(heading string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(heading) {
		switch {
		case unicode.IsLetter(r), unicode.IsNumber(r), r == '_', r == '-':
			b.WriteRune(r)
		case r == ' ':
			b.WriteByte('-')
		}
	}
	return b.String()
}

// uniqueAnchor returns the anchor of a heading; a repeated one gets a number, as on GitHub.
func uniqueAnchor(used map[string]int, heading string) string {
	id := anchor(heading)
	n := used[id]
	used[id]++
	if n > 0 {
		id += "-" + strconv.Itoa(n)
	}
	return id
}

// plainText returns the text of a node without its marks.
func plainText(node ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(node, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			b.Write(unescape(n.Segment.Value(source)))
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		case *ast.AutoLink:
			b.Write(n.Label(source))
		case *ast.RawHTML:
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	return strings.TrimSpace(b.String())
}

func unescape(b []byte) []byte {
	return util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(b)))
}

// pageRenderer writes a page as HTML.
type pageRenderer struct {
	site *site
	page *page
}

// render returns the body of a page as HTML.
func (s *site) render(p *page) ([]byte, error) {
	r := &pageRenderer{s, p}
	engine := goldmark.New(
		goldmark.WithExtensions(extension.GFM),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(r, 1)), html.WithUnsafe()),
	)
	var b bytes.Buffer
	if err := engine.Renderer().Render(&b, p.markdown, p.document); err != nil {
		return nil, fmt.Errorf("%s: %w", p.source, err)
	}
	return wrapTables(b.Bytes()), nil
}

func (r *pageRenderer) RegisterFuncs(register renderer.NodeRendererFuncRegisterer) {
	register.Register(ast.KindHeading, r.heading)
	register.Register(ast.KindLink, r.link)
	register.Register(ast.KindImage, r.image)
	register.Register(ast.KindFencedCodeBlock, r.code)
	register.Register(ast.KindHTMLBlock, r.htmlBlock)
	register.Register(east.KindTableCell, r.tableCell)
}

func (r *pageRenderer) heading(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*ast.Heading)
	raw, _ := n.AttributeString("id")
	id, _ := raw.([]byte)
	if entering {
		_, err := fmt.Fprintf(w, "<h%d id=\"%s\">", n.Level, id)
		return ast.WalkContinue, err
	}
	if n.Level > 1 {
		label := util.EscapeHTML([]byte("Link to " + plainText(n, source)))
		if _, err := fmt.Fprintf(w, " <a class=\"anchor\" href=\"#%s\" aria-label=\"%s\">#</a>", id, label); err != nil {
			return ast.WalkStop, err
		}
	}
	_, err := fmt.Fprintf(w, "</h%d>\n", n.Level)
	return ast.WalkContinue, err
}

// link writes a link. If its text is the name of a page's file, as on GitHub, the site shows the
// title of the page.
func (r *pageRenderer) link(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		_, err := w.WriteString("</a>")
		return ast.WalkContinue, err
	}
	href, err := r.site.resolve(r.page, string(node.(*ast.Link).Destination), ".html")
	if err != nil {
		return ast.WalkStop, err
	}
	if _, err := fmt.Fprintf(w, "<a href=\"%s\">", util.EscapeHTML(util.URLEscape([]byte(href), false))); err != nil {
		return ast.WalkStop, err
	}
	file, _, _ := strings.Cut(string(node.(*ast.Link).Destination), "#")
	linked := r.site.bySource[path.Join(path.Dir(r.page.source), file)]
	if shown := plainText(node, source); linked == nil || file == "" || path.Base(shown) != path.Base(file) {
		return ast.WalkContinue, nil
	}
	_, err = w.Write(util.EscapeHTML([]byte(linked.title)))
	return ast.WalkSkipChildren, err
}

// image writes a picture of the repository. The lines of an SVG become part of the page, so that
// they have the colours of its theme.
func (r *pageRenderer) image(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	n := node.(*ast.Image)
	alt := util.EscapeHTML([]byte(plainText(n, source)))
	destination := string(n.Destination)
	href, err := r.site.resolve(r.page, destination, ".html")
	if err != nil {
		return ast.WalkStop, err
	}
	if drawing, ok := r.site.assets[path.Join(path.Dir(r.page.target), href)]; ok && strings.HasSuffix(href, ".svg") {
		inline := svgStyle.ReplaceAll(bytes.TrimSpace(drawing), nil)
		inline = bytes.Replace(inline, []byte("<svg "), fmt.Appendf(nil, "<svg class=\"drawing\" role=\"img\" aria-label=\"%s\" ", alt), 1)
		_, err = fmt.Fprintf(w, "<span class=\"figure\">%s</span>", inline)
	} else {
		_, err = fmt.Fprintf(w, "<a class=\"picture\" href=\"%s\"><img src=\"%s\" alt=\"%s\" loading=\"lazy\"></a>", util.EscapeHTML([]byte(href)), util.EscapeHTML([]byte(href)), alt)
	}
	return ast.WalkSkipChildren, err
}

var svgStyle = regexp.MustCompile(`(?s)\s*<style>.*?</style>`)

func (r *pageRenderer) code(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	n := node.(*ast.FencedCodeBlock)
	var code bytes.Buffer
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		code.Write(line.Value(source))
	}
	language := string(n.Language(source))
	_, err := fmt.Fprintf(w, "<div class=\"code\"><pre><code data-language=\"%s\">%s</code></pre></div>\n",
		util.EscapeHTML([]byte(language)), highlight(language, code.String()))
	return ast.WalkContinue, err
}

// htmlBlock leaves comments out. Pages have no other HTML.
func (r *pageRenderer) htmlBlock(_ util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	var block bytes.Buffer
	for i := range node.Lines().Len() {
		line := node.Lines().At(i)
		block.Write(line.Value(source))
	}
	if !bytes.HasPrefix(bytes.TrimSpace(block.Bytes()), []byte("<!--")) {
		return ast.WalkStop, fmt.Errorf("%s has HTML: %s", r.page.source, block.Bytes())
	}
	return ast.WalkContinue, nil
}

// tableCell writes a cell with the name of its column, which a narrow screen shows in the cell.
func (r *pageRenderer) tableCell(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	tag := "td"
	head := node.Parent()
	if head.Kind() == east.KindTableHeader && node.HasChildren() {
		tag = "th" // an empty one would be a header without a name
	}
	if !entering {
		_, err := fmt.Fprintf(w, "</%s>\n", tag)
		return ast.WalkContinue, err
	}
	if head.Kind() == east.KindTableHeader {
		_, err := fmt.Fprintf(w, "<%s>", tag)
		return ast.WalkContinue, err
	}
	column := 0
	for before := node.PreviousSibling(); before != nil; before = before.PreviousSibling() {
		column++
	}
	name := head.Parent().FirstChild().FirstChild()
	for ; column > 0 && name != nil; column-- {
		name = name.NextSibling()
	}
	label := ""
	if name != nil {
		label = plainText(name, source)
	}
	_, err := fmt.Fprintf(w, "<td data-column=\"%s\">", util.EscapeHTML([]byte(label)))
	return ast.WalkContinue, err
}

// Code in the cells of tables may break after each slash, because JSON pointers are long.
var (
	cell     = regexp.MustCompile(`(?s)<td[^>]*>.*?</td>`)
	cellCode = regexp.MustCompile(`<code>[^<]*</code>`)
	slash    = regexp.MustCompile(`([^<>/])/([^<])`)
)

// wrapTables lets each table scroll by itself on a narrow screen, and lets code in its cells break
// after slashes.
func wrapTables(body []byte) []byte {
	body = cell.ReplaceAllFunc(body, func(cell []byte) []byte {
		return cellCode.ReplaceAllFunc(cell, func(code []byte) []byte {
			return slash.ReplaceAll(code, []byte("$1/<wbr>$2"))
		})
	})
	body = bytes.ReplaceAll(body, []byte("<table>"), []byte("<div class=\"table\"><table>"))
	return bytes.ReplaceAll(body, []byte("</table>"), []byte("</table></div>"))
}
