package main

import (
	"fmt"
	"strings"
)

// layer is a set of rooms that do not import each other. A package may import packages of its own
// room and of lower layers.
type layer struct {
	name string
	// rooms are folders with all their subfolders. "gen" is one room, and "cmd/*" makes each folder
	// in cmd a room. The longest pattern that matches a package applies.
	rooms []string
	// open allows the rooms of the layer to import each other.
	open bool
}

// layers are listed from the top down.
type layers []layer

// order is the order of the modules. The SDK never imports the server, and no package imports a
// tool.
var order = layers{
	{name: "workshop", rooms: []string{"tools/*"}},
	{name: "programs", rooms: []string{"cmd/*", "examples/*", "server/cmd/*", "server/examples/*"}},
	{name: "command", rooms: []string{"server/cli"}},
	{name: "executors by batches", rooms: []string{"server/bulk/geminibatch"}},
	{name: "executors", rooms: []string{"server/bulk/live", "server/bulk/batchapi"}},
	{name: "gateway", rooms: []string{"server/gateway", "server/inspector", "server/usage", "server/keyfile"},
		open: true},
	{name: "bulk jobs", rooms: []string{"server/bulk"}},
	{name: "store", rooms: []string{"server/store"}},
	{name: "stored responses", rooms: []string{"server/gateway/responsestore"}},
	{name: "foundations of the server", rooms: []string{"server/ratecard", "server/internal",
		"server/money", "server/quota"}, open: true},
	{name: "agents", rooms: []string{"pkg/toolloop"}},
	{name: "tests of Gemini's callers", rooms: []string{"pkg/geminitest"}},
	{name: "for callers",
		rooms: []string{"pkg/structured", "pkg/websearch", "pkg/mediafetch", "pkg/provider",
			"pkg/fakegemini", "pkg/openaitest", "pkg/responsestest", "pkg/anthropictest",
			"pkg/interactionstest", "pkg/interactionsbridge",
			"pkg/telemetry/*"}},
	{name: "table of forms", rooms: []string{"pkg/transform/forms"}},
	{name: "forms", rooms: []string{"pkg/transform/*"}},
	{name: "between forms", rooms: []string{"pkg/transform/internal"}},
	{name: "a form", rooms: []string{"pkg/transform"}},
	{name: "schemas", rooms: []string{"pkg/transform/schema"}},
	{name: "meaning", rooms: []string{"pkg/normalize"}},
	{name: "wires", rooms: []string{"pkg/gemini", "pkg/openai", "pkg/anthropic", "pkg/aisdk"}},
	{name: "interactions", rooms: []string{"pkg/interactions"}},
	{name: "chunks", rooms: []string{"internal/merge", "internal/usagetotal"}},
	{name: "wire types", rooms: []string{"gen"}},
	{name: "foundations",
		rooms: []string{"api", "internal", "pkg/report", "pkg/wire", "pkg/wiretype",
			"pkg/validation"}, open: true},
}

// find returns the index of a package's layer, and its room. The index is -1 if no pattern matches.
func (ls layers) find(pkg string) (index int, room string) {
	index, longest := -1, 0
	for i, layer := range ls {
		for _, pattern := range layer.rooms {
			if r, ok := roomOf(pkg, pattern); ok && len(pattern) > longest {
				index, room, longest = i, r, len(pattern)
			}
		}
	}
	return index, room
}

// roomOf returns the folder that is the room of a package by a pattern of [layer].
func roomOf(pkg, pattern string) (room string, ok bool) {
	folder, each := strings.CutSuffix(pattern, "/*")
	rest, below := strings.CutPrefix(pkg, folder+"/")
	if each {
		first, _, _ := strings.Cut(rest, "/")
		return folder + "/" + first, below
	}
	return folder, below || pkg == folder
}

// check returns all violations of the order: packages without a layer, imports of a higher layer or
// of another room of the same layer, and imports of test packages.
func (ls layers) check(imports graph) []string {
	var violations []string
	for _, pkg := range imports.packages() {
		if isForTests(pkg) {
			continue
		}
		from, room := ls.find(pkg)
		if from < 0 {
			violations = append(violations, pkg+" has no layer; give it one in order.go")
			continue
		}
		for _, imported := range imports[pkg] {
			to, other := ls.find(imported)
			aside := to == from && room != other && !ls[from].open
			if to < from || aside || isForTests(imported) {
				violations = append(violations,
					fmt.Sprintf("%s must not import %s, which is not below it", pkg, imported))
			}
		}
	}
	return violations
}

// isForTests reports by its name whether only tests use a package. Packages of pkg with such a name
// are for users' tests, and are checked like other packages.
func isForTests(pkg string) bool {
	return strings.HasSuffix(pkg, "test") &&
		(!strings.HasPrefix(pkg, "pkg/") || strings.Contains(pkg, "/internal/"))
}
