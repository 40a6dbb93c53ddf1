package main

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestModuleKeepsItsOrder(t *testing.T) {
	t.Parallel()
	imports, err := readImports("../../..")
	if err != nil {
		t.Fatal(err)
	}
	if len(imports["internal/tools/packagemap"]) != 0 || len(imports["pkg/normalize"]) == 0 {
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
		"a/two.go":           "//go:build windows\n\npackage a; import _ \"example.com/m/c\"; import _ \"example.com/more\"",
		"a/a_test.go":        `package a; import _ "example.com/m/d"`,
		"b/b.go":             `package b`,
		"b/testdata/x.go":    `not Go`,
		"b/.hidden/x.go":     `not Go`,
		"c/c.go":             `package c; import _ "example.com/m/b"`,
		"other/go.mod":       "module example.com/m/other\n",
		"other/other.go":     `package other; import _ "example.com/m/a"`,
		"c/deep/inside/d.go": `package inside`,
	} {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := readImports(root)
	if err != nil {
		t.Fatal(err)
	}
	want := graph{"a": {"b", "c"}, "b": nil, "c": {"b"}, "c/deep/inside": nil}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(graph{"a": {"c"}, "b": nil, "c": {"b"}, "c/deep/inside": nil}, got.reduced()); diff != "" {
		t.Error("reduced:", diff)
	}
	if diff := cmp.Diff(graph{"b": nil, "c": {"b"}, "c/deep/inside": nil}, got.reachable("c")); diff != "" {
		t.Error("reachable:", diff)
	}
}

func TestLayoutPointsDownAndKeepsBoxesApart(t *testing.T) {
	t.Parallel()
	imports := graph{
		"cmd/x": {"forms/a", "forms/b", "ground"}, "forms/a": {"forms/a/request", "wire"}, "forms/a/request": {"wire"},
		"forms/b": {"ground"}, "wire": {"ground"}, "ground": nil, "ground/c": {"ground"},
	}
	rows := newLayout(testOrder, imports)
	rowOf := map[string]int{}
	for i, r := range rows {
		for k, n := range r.nodes {
			rowOf[n.label] = i
			if k > 0 && r.nodes[k-1].x+r.nodes[k-1].width/2 > n.x-n.width/2 {
				t.Errorf("%q overlaps %q", r.nodes[k-1].label, n.label)
			}
		}
	}
	for pkg, imported := range imports {
		for _, to := range imported {
			if rowOf[to] <= rowOf[pkg] {
				t.Errorf("%s in row %d imports %s in row %d", pkg, rowOf[pkg], to, rowOf[to])
			}
		}
	}
	drawing := string(draw(rows))
	if again := string(draw(newLayout(testOrder, imports))); again != drawing {
		t.Error("the drawing differs from run to run")
	}
	if got := labelsOf(t, drawing); !slices.Equal(got, imports.packages()) {
		t.Errorf("the drawing shows %v", got)
	}
}

// labelsOf returns the labels of the boxes of a drawing, sorted.
func labelsOf(t *testing.T, drawing string) []string {
	t.Helper()
	var labels []string
	decoder := xml.NewDecoder(strings.NewReader(drawing))
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			slices.Sort(labels)
			return labels
		}
		if err != nil {
			t.Fatal(err)
		}
		if start, ok := token.(xml.StartElement); ok && slices.Contains(start.Attr, xml.Attr{Name: xml.Name{Local: "class"}, Value: "label"}) {
			var text string
			if err := decoder.DecodeElement(&text, &start); err != nil {
				t.Fatal(err)
			}
			labels = append(labels, text)
		}
	}
}
