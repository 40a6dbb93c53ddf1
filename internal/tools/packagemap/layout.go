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
	for _, r := range rows {
		r.space()
	}
	for i := range sweeps {
		sweep(rows, i < sweeps/2)
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

// sweep goes through the rows down and up again, and moves each node to the middle of its neighbours in
// the row before, as far as the widths allow. While reorder is set, nodes may pass one another.
func sweep(rows []*row, reorder bool) {
	for _, r := range rows {
		r.pull(reorder, func(n *node) []*node { return n.up })
	}
	for _, r := range slices.Backward(rows) {
		r.pull(reorder, func(n *node) []*node { return n.down })
	}
}

func (r *row) pull(reorder bool, neighbours func(*node) []*node) {
	for _, n := range r.nodes {
		sum, count := 0.0, 0.0
		for _, neighbour := range neighbours(n) {
			sum, count = sum+neighbour.x, count+1
		}
		if count > 0 {
			n.x = sum / count
		}
	}
	if reorder {
		slices.SortStableFunc(r.nodes, func(a, b *node) int { return cmp.Compare(a.x, b.x) })
	}
	r.space()
}

// space moves nodes that overlap apart, in sum of squares as little as possible: neighbours that push
// each other form a block, which stands at the mean of where its nodes want to be.
func (r *row) space() {
	type block struct{ sum, count float64 }
	var blocks []block
	offsets := make([]float64, len(r.nodes))
	for i, n := range r.nodes {
		if i > 0 {
			before := r.nodes[i-1]
			offsets[i] = offsets[i-1] + (before.width+n.width)/2 + nodeGap
		}
		last := block{n.x - offsets[i], 1}
		for len(blocks) > 0 {
			before := blocks[len(blocks)-1]
			if before.sum/before.count <= last.sum/last.count {
				break
			}
			last = block{before.sum + last.sum, before.count + last.count}
			blocks = blocks[:len(blocks)-1]
		}
		blocks = append(blocks, last)
	}
	i := 0
	for _, b := range blocks {
		for range int(b.count) {
			r.nodes[i].x = b.sum/b.count + offsets[i]
			i++
		}
	}
}
