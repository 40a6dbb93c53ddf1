package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// rules has, for each file in .vale/styles/gemwire, sentences in which the rule must find its
// phrase, and sentences in which it must find nothing.
var rules = map[string]struct {
	level     string
	bad, good []string
}{
	"Behind": {levelError,
		[]string{
			"The last event needs no blank line behind it.",
			"Writes behind the end fail.",
			"A text Behind a call is kept.",
		},
		[]string{
			"The gateway runs behind a proxy.",
			"The gateway runs behind the reverse proxy.",
			"A server behind a TLS load balancer sees plain HTTP.",
			"The last event does not need a blank line after it.",
		}},
	"BehindElsewhere": {levelWarning,
		[]string{"A comma stands behind Paris.", "The text comes behind."},
		[]string{"The gateway runs behind nginx.", "A comma stands after Paris."}},
	"Causative": {levelWarning,
		[]string{
			"The gateway has the requests of a file answered by Gemini.",
			"SIGHUP has the settings read again.",
		},
		[]string{"SIGHUP reloads the settings.", "The request has been answered by Gemini."}},
	"GoOn": {levelError,
		[]string{"The stream goes on.", "Requests go on by the old settings."},
		[]string{"The stream continues.", "The log goes on standard error."}},
	"IsNone": {levelError,
		[]string{
			`--priority: "x" is none; expected high, normal or low`,
			"It returns nil when there are none.",
		},
		[]string{`--priority: "x" is not a priority`, "The value is none of the three."}},
	"IsTold": {levelError,
		[]string{
			"The observer is told when a candidate finishes.",
			"Counts were never told.",
			"The members are told.",
		},
		[]string{"The observer is called when a candidate finishes.", "The counts are reported."}},
	"Phrases": {levelError,
		[]string{
			"Another try is in vain.",
			"It lets go of the request.",
			"It lets go.",
			"The target is the request in the making.",
			"A stream that comes to its end has a usage.",
			"Requests under way keep their settings.",
			"Such a one has no key.",
			"A test that runs beside others is slow.",
			"Then nobody knows the cost.",
			"Call so many times at most.",
			"The item as far as it was sent.",
			"The latter wins.",
			"It answers whatever happens meanwhile.",
			"Attempts multiply.",
			"A key rests for a minute.",
			"The address in front of the version.",
			"The client went away.",
			"It lists what there is.",
			"Delete removes files that there are none of.",
		},
		[]string{
			"A retry cannot help.",
			"Requests in flight keep their settings.",
			"It uses as few tokens as far as possible.",
			"There are so many that the test is slow.",
			"Besides, the cost is unknown.",
			"The proxy is in front of the gateway.",
			"The rest of the keys is unused.",
		}},
	"SentenceLength": {levelSuggestion,
		[]string{strings.Repeat("word ", 26) + "ends."},
		[]string{strings.Repeat("word ", 20) + "ends. " + strings.Repeat("Word ", 20) + "ends."}},
	"Tells": {levelWarning,
		[]string{"A server that tells counts is trusted.", "The values told by it."},
		[]string{"The index helps to tell apart two calls.", "A server that reports counts."}},
	"ThatOf": {levelWarning,
		[]string{"Location returns that of the whole.", "Keys are those of the client."},
		[]string{"Location returns the location of the document.", "Say that of three calls two fail."}},
	"ThereIsNo": {levelSuggestion,
		[]string{"There is no key."},
		[]string{"The client has no key."}},
	"ThereIsNot": {levelError,
		[]string{"A value that there is not is no error."},
		[]string{"There is not enough memory.", "A missing value is not an error."}},
	"WhatIs": {levelWarning,
		[]string{
			"The types are what is wrong.",
			"An error for what is no stream.",
			"A line is refused, and one that has no id too.",
			"Nothing is sent until the chunk is there or the grace is over.",
		},
		[]string{"What is a stream?", "The error says what failed."}},
}

// repository is the root of the repository.
func repository(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func vale(t *testing.T, documents ...*document) []finding {
	t.Helper()
	config := filepath.Join(repository(t), ".vale.ini")
	found, err := runVale(".", config, levelSuggestion, documents)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestEachRuleFindsItsPhraseAndNothingElse(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(repository(t), ".vale/styles/gemwire/*.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var documents []*document
	expected := map[string]bool{} // by path, whether the rule must find something
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".yml")
		rule, ok := rules[name]
		if !ok || len(rule.bad) == 0 || len(rule.good) == 0 {
			t.Errorf("the rule %s has no sentence that it must find, or none that it must not", name)
		}
		for bad, sentences := range map[bool][]string{true: rule.bad, false: rule.good} {
			for i, s := range sentences {
				d := &document{path: fmt.Sprintf("%s/%t/%d", name, bad, i), ext: ".txt"}
				d.add(s, i+1)
				documents = append(documents, d)
				expected[d.path] = bad
			}
		}
	}
	if len(files) != len(rules) {
		t.Errorf("%d rules are tested, and %d files have rules", len(rules), len(files))
	}
	found := map[string][]finding{}
	for _, f := range vale(t, documents...) {
		name, _, _ := strings.Cut(f.Path, "/")
		if f.Rule == "gemwire."+name {
			found[f.Path] = append(found[f.Path], f)
		}
	}
	for path, bad := range expected {
		name, _, _ := strings.Cut(path, "/")
		switch list := found[path]; {
		case bad && len(list) == 0:
			t.Errorf("%s: the phrase is not found", path)
		case !bad && len(list) > 0:
			t.Errorf("%s: found %v, want nothing", path, list)
		case bad && list[0].Severity != rules[name].level:
			t.Errorf("%s: level %s, want %s", path, list[0].Severity, rules[name].level)
		}
	}
}

const goSource = `// Package a writes behind
// the end.
//
//	behind it in code
package a

//go:generate tool behind it

import "errors"

// Example:
//   - one item behind
//     the end
type t struct {
	A int ` + "`json:\"behind it x\" jsonschema_description:\"A key that rests behind it.\"`" + `
}

/* A block
 * behind the end. */
var err = errors.New("a value behind " +
	"the end")

var help = ` + "`" + `First line behind
the end.

    behind it in code
` + "`" + `

var payload = "{\"text\": \"behind the end\"}"

var key = "behind"

func f() string { return "x" } // behind the end
`

func TestGoCommentsAndStringsAreFoundWhereTheyAre(t *testing.T) {
	got := found(t, "a.go", goSource, "gemwire.Behind")
	want := []int{1, 12, 15, 19, 20, 23, 33}
	if !slices.Equal(got, want) {
		t.Errorf("found in lines %v, want %v", got, want)
	}
	// A test is read without its strings and without the output of its examples.
	test := goSource + "\n// Output:\n// behind the end\n"
	got = found(t, "a_test.go", test, "gemwire.Behind")
	want = []int{1, 12, 19, 33}
	if !slices.Equal(got, want) {
		t.Errorf("found in lines %v of a test, want %v", got, want)
	}
	if got := found(t, "b.go", "// Code generated by x. DO NOT EDIT.\n\n"+goSource, "gemwire.Behind"); got != nil {
		t.Errorf("found in lines %v of a generated file, want none", got)
	}
}

func TestMarkdownIsFoundWhereItIs(t *testing.T) {
	const source = "# Behind the end\n\nA text behind\nthe end of `behind it`.\n\n" +
		"```\nbehind the end\n```\n\n- An item behind\n  the end\n- Another behind it\n\n" +
		"| a | b |\n|---|---|\n| c | behind it |\n"
	got := found(t, "a.md", source, "gemwire.Behind")
	if want := []int{1, 3, 10, 12, 16}; !slices.Equal(got, want) {
		t.Errorf("found in lines %v, want %v", got, want)
	}
}

func TestTextsOfThePageAreFoundWhereTheyAre(t *testing.T) {
	const source = "// A comment behind\n// the end.\nconst a = 'it stands behind it';\n" +
		"const b = `value ${f('a call behind it')} behind\nthe end`;\n" +
		"const c = x.replace(/['\"]/g, '') / 2; /* behind it */\n" +
		"const d = 'behind';\n"
	got := found(t, "a.ts", source, "gemwire.Behind")
	if want := []int{1, 3, 4, 4, 6}; !slices.Equal(got, want) {
		t.Errorf("found in lines %v, want %v", got, want)
	}
	const page = "<html>\n<p>A text behind it.</p>\n<a title=\"A tip behind it\">a</a>\n</html>\n"
	got = found(t, "a.html", page, "gemwire.Behind")
	if want := []int{2, 3}; !slices.Equal(got, want) {
		t.Errorf("found in lines %v of the page, want %v", got, want)
	}
}

// found returns the lines of a source in which a rule finds something.
func found(t *testing.T, path, source, rule string) []int {
	t.Helper()
	d, err := read(path, []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	if d == nil {
		return nil
	}
	var lines []int
	for _, f := range vale(t, d) {
		if f.Rule == rule {
			lines = append(lines, f.Line)
		}
	}
	slices.Sort(lines)
	return lines
}

func TestLongLines(t *testing.T) {
	long := strings.Repeat("word ", 21) // 105 columns
	for name, c := range map[string]struct {
		path, source string
		want         []int
	}{
		"comment":            {"a.go", "// " + long + "\npackage a\n", []int{1}},
		"tabs count 4":       {"a.go", "package a\n\nfunc f() {\n\t\t// " + long[:90] + "end\n}\n", []int{4}},
		"trailing comment":   {"a.go", "package a\n\nvar a = 1 // " + long + "\n", []int{3}},
		"code of a comment":  {"a.go", "// A is:\n//\n//\t" + long + "\npackage a\n", nil},
		"code":               {"a.go", "package a\n\nvar a = \"" + long + "\"\n", nil},
		"address":            {"a.go", "// See https://example.com/" + strings.Repeat("a", 90) + " here\npackage a\n", nil},
		"output":             {"a_test.go", "package a\n\nfunc ExampleA() {\n\t// Output:\n\t// " + long + "\n}\n", nil},
		"block":              {"a.go", "/*\n" + long + "\n*/\npackage a\n", []int{2}},
		"100 columns":        {"a.go", "// " + strings.Repeat("abc ", 24) + "a\npackage a\n", nil},
		"paragraph":          {"a.md", "short\n" + long + "\n", []int{2}},
		"table and heading":  {"a.md", "# " + long + "\n\n| " + long + "|\n", nil},
		"block of code":      {"a.md", "```\n" + long + "\n```\n\n" + long + "\n", []int{5}},
		"one word":           {"a.md", strings.Repeat("a", 120) + "\n", nil},
		"other kind of file": {"a.ts", "// " + long + "\n", nil},
	} {
		var got []int
		for _, f := range longLines(c.path, []byte(c.source)) {
			got = append(got, f.Line)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: long lines %v, want %v", name, got, c.want)
		}
	}
}

func TestRoomsAndCleanList(t *testing.T) {
	root := t.TempDir()
	write := func(name, content string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(root, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("pkg/a/a.go", "package a\n")
	write(cleanList, "# comment\n\npkg/a\n")
	rooms, err := readClean(root)
	if err != nil || !slices.Equal(rooms, []string{"pkg/a"}) {
		t.Errorf("rooms %v, error %v; want pkg/a", rooms, err)
	}
	for file, want := range map[string]bool{"pkg/a/a.go": true, "pkg/ab/a.go": false, "a.go": false} {
		if got := within(file, rooms); got != want {
			t.Errorf("%s is in a clean room: %t, want %t", file, got, want)
		}
	}
	if !within("server/cli/cli.go", []string{"."}) {
		t.Error("the whole tree lacks a file")
	}
	write(cleanList, "pkg/a\npkg/b\n")
	if _, err := readClean(root); err == nil || !strings.Contains(err.Error(), `clean.txt:2: "pkg/b"`) {
		t.Errorf("error %v, want one that names line 2 and the missing room", err)
	}
}

func TestGeneratedFilesAndTestDataHaveNoProse(t *testing.T) {
	for file, want := range map[string]bool{
		"gen/geminiapi/types.go": false, "pkg/a/testdata/a.md": false, "README.md": true,
		"test/clients/node_modules/x/README.md": false, "server/inspector/page/dist/main.js": false,
		"server/inspector/page/src/list.ts": true, "pkg/gemini/client.go": true,
	} {
		if got := hasProse(file); got != want {
			t.Errorf("%s has prose: %t, want %t", file, got, want)
		}
	}
}

func TestCountsAreByRoom(t *testing.T) {
	var out bytes.Buffer
	err := printCounts(&out, []finding{
		{Path: "pkg/a/b/c.go", Rule: "gemwire.Behind", Severity: levelError},
		{Path: "pkg/a/a.go", Rule: "gemwire.Tells", Severity: levelWarning},
		{Path: "README.md", Rule: "gemwire.LineLength", Severity: levelError},
	})
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for l := range strings.Lines(out.String()) {
		rows = append(rows, strings.Join(strings.Fields(l), " "))
	}
	want := []string{"errors warnings long sentences long lines", "0 0 0 1 .", "1 1 0 0 pkg/a", "1 1 0 1 total"}
	if !slices.Equal(rows, want) {
		t.Errorf("table %q, want %q", rows, want)
	}
}
