package main

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// searchEntry is one section of a page: a heading and the text below it.
type searchEntry struct {
	Page    string `json:"p"`
	Heading string `json:"h,omitzero"`
	URL     string `json:"u"`
	Text    string `json:"t"`
}

// searchIndex returns a script that has the text of all pages, so that the search also works for a
// page that was opened from a folder.
func (s *site) searchIndex() ([]byte, error) {
	var entries []searchEntry
	for _, p := range s.pages {
		entries = append(entries, sectionsOf(p)...)
	}
	data, err := json.Marshal(entries)
	if err != nil {
		return nil, err
	}
	return append(append([]byte("window.searchIndex = "), data...), ";\n"...), nil
}

// sectionsOf divides a page at its headings.
func sectionsOf(p *page) []searchEntry {
	var out []searchEntry
	var text strings.Builder
	flush := func() {
		if len(out) > 0 {
			out[len(out)-1].Text = strings.Join(strings.Fields(text.String()), " ")
		}
		text.Reset()
	}
	headings := p.headings
	for node := p.document.FirstChild(); node != nil; node = node.NextSibling() {
		if h, ok := node.(*ast.Heading); ok && len(headings) > 0 && headings[0].node == node {
			flush()
			entry := searchEntry{Page: p.title, URL: p.target + ".html"}
			if h.Level > 1 {
				entry.Heading, entry.URL = headings[0].Text, entry.URL+"#"+headings[0].ID
			}
			out = append(out, entry)
			headings = headings[1:]
			continue
		}
		text.WriteString(blockText(node, p.markdown) + "\n")
	}
	flush()
	return out
}

// blockText returns the text of a block, with blanks between the cells of a table.
func blockText(node ast.Node, source []byte) string {
	var b bytes.Buffer
	_ = ast.Walk(node, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if n.Kind() == ast.KindHTMLBlock {
			return ast.WalkSkipChildren, nil
		}
		if !entering {
			if n.Type() == ast.TypeBlock || n.Kind() == east.KindTableCell {
				b.WriteByte(' ')
			}
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			b.Write(unescape(n.Segment.Value(source)))
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			for i := range n.Lines().Len() {
				line := n.Lines().At(i)
				b.Write(line.Value(source))
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}
