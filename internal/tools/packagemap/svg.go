package main

import (
	"bytes"
	"fmt"
	"math"
)

const (
	boxHeight  = 26
	rowHeight  = 76
	nameWidth  = 110 // of the column with the layers' names
	sideMargin = 20
)

const style = `<style>
svg { color-scheme: light dark; background: #ffffff; font: 12px ui-monospace, Menlo, Consolas, monospace; }
.layer { fill: #f3f5f8; } .name { fill: #5b6472; font-weight: bold; }
.box { fill: #ffffff; stroke: #7b8696; } .label { fill: #1b1f24; text-anchor: middle; }
.import { fill: none; stroke: #7b8696; } .head { fill: #7b8696; }
@media (prefers-color-scheme: dark) {
svg { background: #0d1117; } .layer { fill: #161b22; } .name { fill: #9aa4b2; }
.box { fill: #21262d; stroke: #8b949e; } .label { fill: #e6edf3; }
.import { stroke: #8b949e; } .head { fill: #8b949e; }
}
</style>
<defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">` +
	`<path class="head" d="M0 0L8 4L0 8z"/></marker></defs>
`

// draw returns the layout as an SVG document.
func draw(rows []*row) []byte {
	left, right := extent(rows)
	width := right - left + nameWidth + 2*sideMargin
	shift := nameWidth + sideMargin - left
	for _, r := range rows {
		for _, n := range r.nodes {
			n.x = math.Round(n.x + shift)
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" role="img">`+"\n",
		width, len(rows)*rowHeight)
	b.WriteString("<title>The packages and what they import</title>\n" + style)
	drawLayers(&b, rows, width)
	for i, r := range rows {
		for _, n := range r.nodes {
			drawImports(&b, n, i)
		}
	}
	for i, r := range rows {
		for _, n := range r.nodes {
			drawBox(&b, n, top(i))
		}
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// top is the upper edge of the boxes of a row.
func top(row int) int { return row*rowHeight + (rowHeight-boxHeight)/2 }

// extent returns the outermost edges of all nodes.
func extent(rows []*row) (left, right float64) {
	left, right = math.Inf(1), math.Inf(-1)
	for _, r := range rows {
		for _, n := range r.nodes {
			left, right = min(left, n.x-n.width/2), max(right, n.x+n.width/2)
		}
	}
	return left, right
}

// drawLayers draws a band behind the rows of each layer, with its name.
func drawLayers(b *bytes.Buffer, rows []*row, width float64) {
	for i, r := range rows {
		if r.layer == "" {
			continue
		}
		height := rowHeight
		for next := i + 1; next < len(rows) && rows[next].layer == ""; next++ {
			height += rowHeight
		}
		fmt.Fprintf(b, `<rect class="layer" x="0" y="%d" width="%.0f" height="%d"/>`, i*rowHeight+2, width, height-4)
		fmt.Fprintf(b, `<text class="name" x="%d" y="%d">%s</text>`+"\n", sideMargin, top(i)+17, r.layer)
	}
}

// drawImports draws the lines from a node in a row to those below it, with a head where one arrives.
func drawImports(b *bytes.Buffer, n *node, row int) {
	from, to := top(row)+boxHeight, top(row+1)
	if n.label == "" {
		fmt.Fprintf(b, `<path class="import" d="M%.0f %dV%d"/>`+"\n", n.x, top(row), from)
	}
	for _, target := range n.down {
		head := ""
		if target.label != "" {
			head = ` marker-end="url(#head)"`
		}
		between := (from + to) / 2
		fmt.Fprintf(b, `<path class="import" d="M%.0f %dC%.0f %d %.0f %d %.0f %d"%s/>`+"\n",
			n.x, from, n.x, between, target.x, between, target.x, to, head)
	}
}

// drawBox draws a package.
func drawBox(b *bytes.Buffer, n *node, y int) {
	if n.label == "" {
		return
	}
	fmt.Fprintf(b, `<rect class="box" x="%.0f" y="%d" width="%.0f" height="%d" rx="4"/>`, n.x-n.width/2, y, n.width, boxHeight)
	fmt.Fprintf(b, `<text class="label" x="%.0f" y="%d">%s</text>`+"\n", n.x, y+17, n.label)
}
