package main

import (
	"cmp"
	"slices"
)

// A node is a package in its row, or a point where an import passes a row in between.
type node struct {
	label string // the package, "" for a point
	width float64
	x     float64 // of the middle
	up    []*node // the importers, or points on the way to them
	down  []*node
}

// A row holds nodes from left to right.
type row struct {
	layer string // the name of the layer, "" for its second row and those behind
	nodes []*node
}

const (
	letterWidth = 7.3
	boxPadding  = 18
	pointWidth  = 6
	nodeGap     = 18
	sweeps      = 40
	rounds      = 50 // of moving apart
)

// newLayout gives each package a row: layer by layer, and inside a layer importers above what they
// import. It then moves the nodes of each row to where the imports are short and cross little.
func newLayout(ls layers, g graph) []*row {
	rows, rowOf := assignRows(ls, g)
	nodes := map[string]*node{}
	for _, pkg := range g.packages() {
		n := &node{label: pkg, width: float64(len(pkg))*letterWidth + boxPadding}
		nodes[pkg] = n
		rows[rowOf[pkg]].nodes = append(rows[rowOf[pkg]].nodes, n)
	}
	for _, pkg := range g.packages() {
		for _, imported := range g[pkg] {
			last := nodes[pkg]
			for i := rowOf[pkg] + 1; i < rowOf[imported]; i++ {
				point := &node{width: pointWidth}
				rows[i].nodes = append(rows[i].nodes, point)
				connect(last, point)
				last = point
			}
			connect(last, nodes[imported])
		}
	}
	for i := range sweeps {
		for _, r := range rows {
			r.arrange(i < sweeps/2)
		}
	}
	return rows
}

func connect(upper, lower *node) {
	upper.down = append(upper.down, lower)
	lower.up = append(lower.up, upper)
}

// assignRows returns empty rows, and the row of each package.
func assignRows(ls layers, g graph) (rows []*row, rowOf map[string]int) {
	rowOf = map[string]int{}
	for i, layer := range ls {
		depth := depths(g, func(pkg string) bool { index, _ := ls.find(pkg); return index == i })
		first := len(rows)
		for pkg, d := range depth {
			rowOf[pkg] = first + d
			for len(rows) <= first+d {
				rows = append(rows, &row{})
			}
		}
		if len(rows) > first {
			rows[first].layer = layer.name
		}
	}
	return rows, rowOf
}

// depths returns, for the packages inside, the length of the longest way to each from another one inside.
func depths(g graph, inside func(pkg string) bool) map[string]int {
	depth := map[string]int{}
	var lower func(pkg string, to int)
	lower = func(pkg string, to int) {
		depth[pkg] = max(depth[pkg], to)
		for _, imported := range g[pkg] {
			if inside(imported) {
				lower(imported, depth[pkg]+1)
			}
		}
	}
	for pkg := range g {
		if inside(pkg) {
			lower(pkg, 0)
		}
	}
	return depth
}

// arrange moves each node of a row to the middle of its neighbours in other rows, as far as the widths
// allow. With reorder, nodes may pass one another.
func (r *row) arrange(reorder bool) {
	for _, n := range r.nodes {
		sum, neighbours := 0.0, append(slices.Clone(n.up), n.down...)
		for _, neighbour := range neighbours {
			sum += neighbour.x
		}
		if len(neighbours) > 0 {
			n.x = sum / float64(len(neighbours))
		}
	}
	if reorder {
		slices.SortStableFunc(r.nodes, func(a, b *node) int { return cmp.Compare(a.x, b.x) })
	}
	r.space()
}

// space moves nodes that overlap apart: a node goes half of the way and its neighbour the other half, again
// and again, until what is left is small enough to push them all to the right.
func (r *row) space() {
	for round := range rounds {
		share := 0.5
		if round == rounds-1 {
			share = 0
		}
		for i, n := range r.nodes[1:] {
			before := r.nodes[i]
			overlap := max(0, before.x+(before.width+n.width)/2+nodeGap-n.x)
			before.x -= overlap * share
			n.x += overlap * (1 - share)
		}
	}
}
