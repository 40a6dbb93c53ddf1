package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestModulesKeepTheirOrder(t *testing.T) {
	t.Parallel()
	imports, err := readImports("../..", inside...)
	if err != nil {
		t.Fatal(err)
	}
	if len(imports["tools/packagemap"]) != 0 || len(imports["server/gateway"]) == 0 ||
		len(imports["pkg/normalize"]) == 0 {
		t.Fatalf("not the imports of this module: %v", imports)
	}
	for _, violation := range order.check(imports) {
		t.Error(violation)
	}
}

var testOrder = layers{
	{name: "programs", rooms: []string{"cmd/*"}},
	{name: "forms", rooms: []string{"forms/*"}},
	{name: "wire", rooms: []string{"wire"}},
	{name: "ground", rooms: []string{"ground", "forms"}, open: true},
}

func TestCheckFindsWhatBreaksTheOrder(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		from, to string
		want     []string
	}{
		"down":                  {from: "cmd/a", to: "ground"},
		"up":                    {"wire", "forms/a", []string{"wire must not import forms/a, which is not below it"}},
		"aside":                 {"forms/a", "forms/b", []string{"forms/a must not import forms/b, which is not below it"}},
		"aside in open layer":   {from: "ground/a", to: "forms"},
		"inside a room":         {from: "forms/a/request", to: "forms/a"},
		"inside, upwards":       {from: "wire", to: "wire/internal/frames"},
		"room above its own":    {"forms", "forms/a", []string{"forms must not import forms/a, which is not below it"}},
		"for tests":             {"wire", "ground/agroundtest", []string{"wire must not import ground/agroundtest, which is not below it"}},
		"from tests":            {from: "ground/agroundtest", to: "wire"},
		"layer that is missing": {"elsewhere", "ground", []string{"elsewhere has no layer; give it one in order.go"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := testOrder.check(graph{test.from: {test.to}, test.to: nil})
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadImports(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":             "module example.com/m\n\ngo 1.26\n",
		"root.go":            `package m; import _ "example.com/m/a"`,
		"a/one.go":           `package a; import ("fmt"; _ "example.com/m/c"; _ "example.com/m/b"); var _ = fmt.Sprint`,
		"a/two.go":           `package a; import _ "example.com/m/c"; import _ "strings"`,
		"a/a_test.go":        `package a; import _ "example.com/m/d"`,
		"b/b.go":             `package b`,
		"b/testdata/x.go":    `not Go`,
		"b/.hidden/x.go":     `not Go`,
		"c/c.go":             `package c; import _ "example.com/m/b"`,
		"other/go.mod":       "module example.com/m/other\n",
		"other/other.go":     `package other; import _ "example.com/m/a"`,
		"c/deep/inside/d.go": `package inside`,
		"d/d.go":             `package d`,
	} {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755),
			os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := readImports(root)
	if err != nil {
		t.Fatal(err)
	}
	want := graph{"a": {"b", "c"}, "b": nil, "c": {"b"}, "c/deep/inside": nil, "d": nil}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(graph{"a": {"c"}, "b": nil, "c": {"b"}, "c/deep/inside": nil, "d": nil},
		got.reduced()); diff != "" {
		t.Error("reduced:", diff)
	}
}

func TestReadImportsReadsTheModulesOfAWorkspace(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.work":       "go 1.26\n\nuse (\n\t.\n\t./server\n)\n",
		"go.mod":        "module example.com/m\n\ngo 1.26\n",
		"a/a.go":        "package a",
		"server/go.mod": "module example.com/m/server\n\ngo 1.26\n",
		"server/s/s.go": `package s; import _ "example.com/m/a"`,
	} {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755),
			os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := readImports(root, "server")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(graph{"a": nil, "server/s": {"a"}}, got); diff != "" {
		t.Error(diff)
	}
}

func TestPageShowsPackagesInTheirLayersAndNoArrowUp(t *testing.T) {
	t.Parallel()
	imports := graph{
		"cmd/x-y": {"forms/a", "ground"}, "examples/e": {"cmd/x-y"}, "forms/a": {"ground", "wire"},
		"wire": {"ground"}, "ground": nil, "ground/agroundtest": {"wire"},
	}
	want := `
## The SDK

` + "```mermaid" + `
flowchart TD
  subgraph layer0["programs"]
    cmd_x_y["cmd/x-y"]
  end
  subgraph layer1["forms"]
    forms_a["forms/a"]
  end
  subgraph layer2["wire"]
    wire["wire"]
  end
  subgraph layer3["ground"]
    ground["ground"]
  end
  cmd_x_y --> forms_a
  forms_a --> wire
  wire --> ground
` + "```\n"
	if diff := cmp.Diff(pageHead+want, string(page(testOrder, imports))); diff != "" {
		t.Error(diff)
	}
}

func TestPageShowsAnotherModuleAsOneBox(t *testing.T) {
	t.Parallel()
	order := layers{{name: "programs", rooms: []string{"server/*"}},
		{name: "wire", rooms: []string{"wire", "wire2"}}}
	imports := graph{"server/a": {"server/b", "wire", "wire2"}, "server/b": nil, "wire": nil,
		"wire2": nil}
	want := `
## The server

` + "```mermaid" + `
flowchart TD
  subgraph layer0["programs"]
    server_a["server/a"]
    server_b["server/b"]
  end
  module_The_SDK(["The SDK"])
  server_a --> server_b
  server_a --> module_The_SDK
` + "```\n"
	if _, got, _ := strings.Cut(string(page(order, imports)), "\n## The server"); "\n## The server"+
		got != want {
		t.Error(cmp.Diff(want, "\n## The server"+got))
	}
}
