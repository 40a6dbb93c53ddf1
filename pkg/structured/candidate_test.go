package structured_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/structured"
	"github.com/google/go-cmp/cmp"
)

const fence = "```"

// shape is a candidate without its position, in one line.
func shape(c structured.Candidate) string {
	text := c.Text
	if c.Fenced {
		text = "<" + c.Info + "> " + text
	}
	if c.Truncated {
		text += " ..."
	}
	return text
}

func shapes(text string) []string {
	var all []string
	for _, c := range structured.Candidates(text) {
		all = append(all, shape(c))
	}
	return all
}

func TestCandidatesAreTheJSONInATextInOrderOfPreference(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text string
		want []string
	}{
		"nothing":                {"", nil},
		"prose":                  {"No, I can't say \"that\".", nil},
		"an object":              {`{"a":1}`, []string{`{"a":1}`}},
		"a list":                 {" [1,2]\n", []string{`[1,2]`}},
		"a string":               {`"a {} b"`, []string{`"a {} b"`}},
		"a number":               {"-1.5e3\n", []string{`-1.5e3`}},
		"a word":                 {"null", []string{`null`}},
		"numbers of prose":       {"I saw 3 of 4, true.", nil},
		"in prose":               {`Sure: {"a":1}. Bye`, []string{`{"a":1}`}},
		"several in prose":       {`{"a":1} or ["b"], {"c":3}`, []string{`{"a":1}`, `["b"]`, `{"c":3}`}},
		"values within values":   {`{"a":[{"b":["c"]}]}`, []string{`{"a":[{"b":["c"]}]}`}},
		"brackets in strings":    {`x {"a":"}]{[\"}"} y`, []string{`{"a":"}]{[\"}"}`}},
		"JSON in a string":       {`{"a":"{\"b\":1} [2]"}`, []string{`{"a":"{\"b\":1} [2]"}`}},
		"brackets of prose":      {`use {braces}, [see below] or {"a":1}`, []string{`{"a":1}`}},
		"a stray brace":          {`{ {"a":1}`, []string{`{"a":1}`}},
		"a stray closing brace":  {`} ] {"a":1} }`, []string{`{"a":1}`}},
		"a stray bracket":        {`[ {"a":1} and more`, []string{`{"a":1}`}},
		"a stray quote":          {`5" {"a":1} "`, []string{`{"a":1}`}},
		"a bracket and a quote":  {`["oh {"a":1}`, []string{`{"a":1}`}},
		"a brace and a quote":    {`{"oh {"a":1}`, []string{`{"a":1}`}},
		"a quote over numbers":   {"[\"oh [1,[2]] no\nmore", []string{`[1,[2]]`}},
		"backslashes":            {`\ \" \\ {"a":"\\"} \`, []string{`{"a":"\\"}`}},
		"a fence":                {fence + "json\n{\"a\":1}\n" + fence, []string{`<json> {"a":1}`}},
		"more backticks":         {fence + "`json\n" + fence + "\n{\"a\":1}\n" + fence + "`", []string{`<json> {"a":1}`}},
		"any info string":        {fence + "js title=\"a.json\"\n{\"a\":1}\n" + fence, []string{`<js title="a.json"> {"a":1}`}},
		"no info string":         {fence + "\n{\"a\":1}\n" + fence, []string{`<> {"a":1}`}},
		"an indented fence":      {"1. So:\n   " + fence + "json\n   {\"a\":1}\n   " + fence, []string{`<json> {"a":1}`}},
		"a fence after words":    {"So: " + fence + "json\n{\"a\":1}\n" + fence, []string{`<json> {"a":1}`}},
		"a fence in one line":    {"So: " + fence + `json {"a":1} ` + fence + " done", []string{`<json> {"a":1}`}},
		"a fence without spaces": {fence + `{"a":1}` + fence, []string{`<> {"a":1}`}},
		"a fence without an end": {"So:\n" + fence + "json\n{\"a\":1}\n", []string{`<json> {"a":1}`}},
		"two without an end":     {fence + "\nx\n" + fence + "json\n{\"a\":1}", []string{`<json> {"a":1}`}},
		"a fence with CR LF":     {"So:\r\n" + fence + "json\r\n{\"a\":1}\r\n" + fence + "\r\n", []string{`<json> {"a":1}`}},
		"a byte order mark":      {"\uFEFF{\"a\":1}", []string{`{"a":1}`}},
		"a mark and a fence":     {"\uFEFF" + fence + "json x\n{\"a\":1}\n" + fence, []string{`<json x> {"a":1}`}},
		"backticks in a string":  {fence + "json\n{\"a\":\"" + fence + "\"}\n" + fence + "\n{\"b\":\"2\"}", []string{"<json> {\"a\":\"```\"}", `{"b":"2"}`}},
		"a scalar in a fence":    {"So:\n" + fence + "json\n\"a {} [1]\"\n" + fence, []string{`<json> "a {} [1]"`}},
		"a number in a line":     {"So " + fence + "42" + fence, []string{`<> 42`}},
		"a string with words":    {"So:\n" + fence + "\n\"a\" is it\n" + fence, nil},
		"lines of JSON":          {fence + "jsonl\n{\"a\":\"1\"}\n{\"a\":\"2\"}\n" + fence, []string{`<jsonl> {"a":"1"}`, `<jsonl> {"a":"2"}`}},
		"the order of places": {
			`{"front":""} {"prose":""} {} [1]` + "\n" + fence + "py\nx = {\"py\":\"\"}, {}\n" +
				fence + "\n" + fence + "JSON5\n{}\n" + fence,
			[]string{`{"front":""}`, `<JSON5> {}`, `<py> {"py":""}`, `{"prose":""}`, `{}`, `[1]`,
				`<py> {}`},
		},
		"a sign in front":                {`[1] says {"a":"b"}`, []string{`{"a":"b"}`, `[1]`}},
		"truncated":                      {`So: {"a":[1,"b`, []string{`{"a":[1,"b ...`}},
		"truncated after a break":        {"{\"a\":[1,\"b\n\n", []string{`{"a":[1,"b ...`}},
		"truncated in a fence":           {"So {\"c\":\"\"}\n" + fence + "json\n{\"a\":[1,\"b\n", []string{`{"c":""}`, `<json> {"a":[1,"b ...`}},
		"parts of a truncated one":       {`{"a":[{"b":1},{"c"`, []string{`{"a":[{"b":1},{"c" ...`}},
		"parts of a broken one":          {`{"a":[{"b":1},],"c":{}} {"d":2}`, []string{`{"d":2}`}},
		"an escape after a fault":        {`{"a":x, "b":"\"}", "c":[""]} ["d"]`, []string{`["d"]`}},
		"a fault before a fence":         {"{\"a\":x, [\"b\"]\n" + fence + "\n}\n[\"c\"]\n" + fence, []string{`<> ["c"]`}},
		"a fault before a fence, closed": {"{\"a\":x, [\"b\"]}\n" + fence + "\n[\"c\"]\n" + fence, []string{`<> ["c"]`}},
		"after an open one":              {`{"a": is the key of {"d":2}`, []string{`{"d":2}`}},
		"after a wrong escape":           {`{"a":"\x } ", "b":{"c":""}} ["d"]`, []string{`["d"]`}},
		"nearly JSON":                    {`{'a':1} {a:1} [1,] {"a":01} ["a` + "\n" + `"] {"a" 1} [tru] [-] [1.] [1e] ["\x"] ["\u12g4"]`, nil},
		"no breaks by other bytes":       {"é{\"ü\":\"ß\x7f\"}\x00", []string{"{\"ü\":\"ß\x7f\"}"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, shapes(test.text)); diff != "" {
				t.Errorf("%q (-want +got):\n%s", test.text, diff)
			}
		})
	}
}

func TestCandidatesHaveTheirPosition(t *testing.T) {
	t.Parallel()
	text := "\uFEFFé {\"a\":1}\r\n\r\n" + fence + "json\n  [\"ü\"]\n" + fence + "\n{\"b\""
	var got []string
	for _, c := range structured.Candidates(text) {
		if !strings.HasPrefix(text[c.Offset:], c.Text) {
			t.Errorf("%q is not at %d", c.Text, c.Offset)
		}
		got = append(got, fmt.Sprintf("%v, kind %v", c, c.Kind))
	}
	want := []string{
		"a list of 6 bytes at line 4, column 3 (offset 27), kind [",
		"an object of 7 bytes at line 1, column 3 (offset 6), kind {",
		"the beginning of an object of 4 bytes at line 6, column 1 (offset 38), kind {",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := structured.Candidates(`"a secret"`)[0].String(); got != "a scalar of 10 bytes at line 1, column 1 (offset 0)" {
		t.Errorf("got %s", got)
	}
}
