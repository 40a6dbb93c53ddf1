package structured_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/structured"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// mended parses a text with repairs, and returns the JSON and the repairs, one to a line.
func mended(text string) (string, []string, error) {
	var repairs []string
	value, err := structured.Parse[jsontext.Value](text,
		structured.WithRepair(func(r structured.Repair) {
			repairs = append(repairs, fmt.Sprintf("%s %d: %s", r.Pointer, r.Offset, r.Reason()))
		}))
	if err == nil {
		_ = value.Compact(jsontext.PreserveRawStrings(true))
	}
	return string(value), repairs, err
}

func TestSlipsOfModelsAreMendedAndNamed(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text, want string
		repairs    []string
	}{
		"nothing to mend":         {`{"a":"// it's “no” [slip,]"}`, `{"a":"// it's “no” [slip,]"}`, nil},
		"a trailing comma":        {`{"a":[1,2,],}`, `{"a":[1,2]}`, []string{"/a 9: trailing comma", " 11: trailing comma"}},
		"in a list of objects":    {`{"a":[{"b":1},]}`, `{"a":[{"b":1}]}`, []string{"/a 13: trailing comma"}},
		"a comma and a break":     {"[1,\n]", `[1]`, []string{" 2: trailing comma"}},
		"comments":                {"{ // one\n\"a\":1, # two\n/* three\n*/ \"b\":2}", `{"a":1,"b":2}`, []string{" 2: comment", " 16: comment", " 22: comment"}},
		"a comment by a comma":    {"[1 /* a */, /* b */ ]", `[1]`, []string{" 3: comment", " 10: trailing comma", " 12: comment"}},
		"words of Python":         {`{"a": True, "b": [None, False]}`, `{"a":true,"b":[null,false]}`, []string{"/a 6: Python literal", "/b/0 18: Python literal", "/b/1 24: Python literal"}},
		"a list of such words":    {`[True, None]`, `[true,null]`, []string{"/0 1: Python literal", "/1 7: Python literal"}},
		"single quotes":           {`{'a': 'say "x"', 'b\'s': '\u00e9\n'}`, `{"a":"say \"x\"","b's":"\u00e9\n"}`, []string{"/a 1: other quotes", "/a 6: other quotes", "/b's 17: other quotes", "/b's 25: other quotes"}},
		"typographic quotes":      {`{“a”: „b“, ‘c’: “it’s”}`, `{"a":"b","c":"it’s"}`, []string{"/a 1: other quotes", "/a 10: other quotes", "/c 19: other quotes", "/c 28: other quotes"}},
		"one kind in a list":      {`["x", 'y']`, `["x","y"]`, []string{"/1 6: other quotes"}},
		"names in no quotes":      {`{a: 1, $b-c : {d_1:2}}`, `{"a":1,"$b-c":{"d_1":2}}`, []string{"/a 1: name without quotes", "/$b-c 7: name without quotes", "/$b-c/d_1 15: name without quotes"}},
		"line breaks in a string": {"{\"a\":\"x\n\r\n\ty\x01\",\"b\":\"\t\"}", `{"a":"x\n\r\n\ty\u0001","b":"\t"}`, []string{"/a 7: control character in a string", "/b 20: control character in a string"}},
		"an apostrophe":           {`{"a":"it\'s"}`, `{"a":"it's"}`, []string{"/a 8: escaped single quote"}},
		"no comma":                {`{"a":1 "b":[{"c":2} {"c":3}]}`, `{"a":1,"b":[{"c":2},{"c":3}]}`, []string{" 7: missing comma", "/b 20: missing comma"}},
		"no comma, by lines":      {"{\"a\":\"x\"\n\"b\":[1\n2\ntrue]}", `{"a":"x","b":[1,2,true]}`, []string{" 9: missing comma", "/b 16: missing comma", "/b 18: missing comma"}},
		"no comma of names":       {"{a: 1\nb: [2]\n\tc: 3}", `{"a":1,"b":[2],"c":3}`, []string{"/a 1: name without quotes", " 6: missing comma", "/b 6: name without quotes", " 14: missing comma", "/c 14: name without quotes"}},
		"no comma of strings":     {`["a" "b"]`, `["a","b"]`, []string{" 5: missing comma"}},
		"no comma by brackets":    {`[{"a":1}{"a":2}[3]"b"]`, `[{"a":1},{"a":2},[3],"b"]`, []string{" 8: missing comma", " 15: missing comma", " 18: missing comma"}},
		"encoded twice":           {`"{\"a\":[\"b\\n\"]}"`, `{"a":["b\n"]}`, []string{" 0: encoded twice"}},
		"encoded in a fence":      {"So:\n" + fence + "json\n\"[1]\"\n" + fence, `[1]`, []string{" 12: encoded twice"}},
		"cut off too":             {`{'a': True, "b": [1, 2`, `{"a":true,"b":[1]}`, []string{"/a 1: other quotes", "/a 6: Python literal", "/b 19: cut off; closed with ]}"}},
		"cut off in a string":     {`{a: 1, "b": "x y`, `{"a":1,"b":"x y"}`, []string{"/a 1: name without quotes", `/b 16: cut off; closed with "}`}},
		"cut off after slips":     {"{\"a\":1, // one\n", `{"a":1}`, nil},
		"in prose":                {"Well: {'a': [1,],} and so on.", `{"a":[1]}`, []string{"/a 7: other quotes", "/a 14: trailing comma", " 16: trailing comma"}},
		"in a fence":              {"x\n" + fence + "json\n{\n  \"a\": 1, // why\n}\n" + fence, `{"a":1}`, []string{" 20: trailing comma", " 22: comment"}},
		"after one that cannot":   {`{"a": is no JSON, {'b': 1}`, `{"b":1}`, []string{"/b 19: other quotes"}},
		"all of them": {
			"{name: 'x', # c\n \"on\": True \"text\": \"a\nb\", “list”: [1,],}",
			`{"name":"x","on":true,"text":"a\nb","list":[1]}`,
			[]string{
				"/name 1: name without quotes", "/name 7: other quotes", " 12: comment",
				"/on 23: Python literal", " 28: missing comma",
				"/text 38: control character in a string", "/list 43: other quotes",
				"/list 57: trailing comma", " 59: trailing comma",
			},
		},
	}
	tests["cut off after slips"] = struct {
		text, want string
		repairs    []string
	}{"{\"a\":1, /* one */ \"b", `{"a":1}`, []string{" 6: cut off; closed with }"}}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, repairs, err := mended(test.text)
			if err != nil || got != test.want {
				t.Errorf("%q: got %s, %v", test.text, got, err)
			}
			if diff := cmp.Diff(test.repairs, repairs); diff != "" {
				t.Errorf("%q: repairs (-want +got):\n%s", test.text, diff)
			}
			plain, err := structured.Parse[jsontext.Value](test.text)
			if test.repairs != nil && err == nil && string(plain) == test.want {
				t.Errorf("%q is taken without a repair: %s", test.text, plain)
			}
		})
	}
}

// The meaning of these texts is unclear. The first half of a pair has no meaning without the
// second.
func TestAStringThatIsCutOffWithinAPairLosesTheHalf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"a":"x\ud7ff`:       `{"a":"x\ud7ff"}`,
		`{"a":"x\ud800`:       `{"a":"x"}`,
		`{"a":"x\udbff`:       `{"a":"x"}`,
		`{"a":"x\uDBFF\udff`:  `{"a":"x"}`,
		`{"a":"x\udbff\udfff`: `{"a":"x\udbff\udfff"}`,
		`{"a":"x\uDBFF\uDFFF`: `{"a":"x\uDBFF\uDFFF"}`,
		`{"a":"x\ue000`:       `{"a":"x\ue000"}`,
		`{"a":"x\u00e`:        `{"a":"x"}`,
		`{"a":"x\`:            `{"a":"x"}`,
	} {
		if got, _, err := mended(text); err != nil || got != want {
			t.Errorf("%s: %s, %v; want %s", text, got, err, want)
		}
	}
}

func TestAmbiguousTextsAreNotRepaired(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"quotes in a string":                    `{"a":"he said "hi" to me"}`,
		"quotes in a string, and commas":        `{"a":["he said "yes", "no" and more"]}`,
		"an apostrophe in quotes":               `{'a':'it's'}`,
		"no quote at the end":                   `{"a":"x, "b":"y"}`,
		"no quote at the end of a line":         "{\"a\":\"x,\n\"b\":\"y\"}",
		"no quote at the end of all":            "{\"a\":\"x\n}",
		"typographic and plain quotes":          `{“a": “b", “c": 1}`,
		"typographic quotes, no end":            `{“a`,
		"adjacent strings":                      `["a""b"]`,
		"two numbers":                           `{"a":[1, 2 3]}`,
		"a number with a space":                 `{"a":12 345}`,
		"a number with commas":                  `{"a":1,000}`,
		"a date":                                `{"a":2026-01-31}`,
		"a sum":                                 `{"a":1+2}`,
		"a zero in front":                       `{"a":007}`,
		"hexadecimals":                          `{"a":0x1F}`,
		"no number":                             `{"a":NaN}`,
		"nothing":                               `{"a":undefined}`,
		"no value":                              `{"a":}`,
		"no value, and a comma":                 `{"a":,"b":1}`,
		"two commas":                            `{"a":[1,,2]}`,
		"a comma in front":                      `{"a":[,1]}`,
		"an ellipsis":                           `{"a":[1,2,...]}`,
		"words":                                 `{"a": b c}`,
		"no colon":                              `{"a":1,"b" 2}`,
		"an equals sign":                        `{"a"="b", "c":1}`,
		"a semicolon":                           `{"a":1;"b":2}`,
		"strings in a sum":                      `{"a":"x" + "y"}`,
		"an escape of no meaning":               `{"a":"C:\data\x"}`,
		"a bracket of the other kind":           `{"a":[1}`,
		"a tuple":                               `{"a":("x","y")}`,
		"a call":                                `{"a":ObjectId("x")}`,
		"a comment over all":                    `{"a":1, // x "b":2}`,
		"a comment without an end":              `{"a":1, /* x "b":2}`,
		"a name that is invalid":                `{a b: 1, "c":2}`,
		"names on one line":                     `{a: 1 b: 2}`,
		"a part of a text that is not repaired": `{"":[0 0,{A:null}], "A":true}`,
		"a name by an expression":               `{[a]: 1, "c":2}`,
		"a quoted line break":                   "> {\"a\":\"x\n> y\"}",
		"a string with JSON that is invalid":    `"{\"a\":1,}"`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var repairs []structured.Repair
			got, err := structured.Parse[map[string]any](text,
				structured.WithRepair(func(r structured.Repair) { repairs = append(repairs, r) }))
			if err == nil || repairs != nil {
				t.Errorf("%q: got %v, repaired %v", text, got, repairs)
			}
		})
	}
}

func TestAnAnswerEncodedTwiceStaysAStringForAStringType(t *testing.T) {
	t.Parallel()
	report := func(r structured.Repair) { t.Errorf("repaired: %v", r) }
	parsesTo(t, `"{\"a\":1}"`, `{"a":1}`, structured.WithRepair(report))
	parsesTo(t, `"no {\"a\":1}"`, jsontext.Value(`"no {\"a\":1}"`), structured.WithRepair(report))
	parsesTo(t, `"{\"id\":\"a\"}"`, order{ID: "a"}, structured.WithRepair(nil))
	_, err := structured.Parse[order](`"{\"id\":\"\"}"`, structured.WithRepair(nil))
	if invalid, ok := errors.AsType[*structured.InvalidError](err); !ok ||
		invalid.Violations[0].Pointer != "/id" || invalid.Violations[0].Position.Offset != 0 {
		t.Errorf("got %v", err)
	}
}

func TestAnAnswerWithoutASlipIsPreferredToOneThatIsMended(t *testing.T) {
	t.Parallel()
	report := func(r structured.Repair) { t.Errorf("repaired: %v", r) }
	parsesTo(t, `{"id":"a",} or {"id":"b"}`, order{ID: "b"}, structured.WithRepair(report))
	parsesTo(t, `{'id':'a'} or {'id':'b'}`, order{ID: "a"}, structured.WithRepair(nil))
	parsesTo(t, `{'x':'a'} or {'id':'b'} or {"id":"c`, order{ID: "b"}, structured.WithRepair(nil))
}

func TestErrorsAboutAMendedValuePointIntoTheText(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ text, want string }{
		"after a comment":    {"{ /* c */ 'id': \"a\", \"lines\": [{'sku': \"b\", \"count\": 0,}]}", "/lines/0/count: line 1, column 54 (offset 53): must be greater than 0, found 0"},
		"in other quotes":    {"{'id': ''}", `/id: line 1, column 8 (offset 7): must be set, found ""`},
		"missing characters": {"So {'lines': [],}", "/id: line 1, column 4 (offset 3): must be set"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := structured.Parse[order](test.text, structured.WithRepair(nil))
			if want := "structured: invalid: " + test.want; err == nil || err.Error() != want {
				t.Errorf("%q:\ngot  %v\nwant %s", test.text, err, want)
			}
		})
	}
	_, err := structured.Parse[order](`{'id': 7}`, structured.WithRepair(nil))
	if decode, ok := errors.AsType[*structured.DecodeError](err); !ok || decode.Pointer != "/id" ||
		decode.Offset != 7 {
		t.Errorf("got %v", err)
	}
}

func TestAPieceOfABrokenAnswerIsNoCandidate(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"outer": {"inner": "value"} text`,
		`Text before {"outer": {"inner": "value"} text`,
		`{"recommendations":[{"id":"a"},]}`,
		`{"outer": {"inner": "value"}`,
		`{"outer": True, "more": {"inner": "value"}`,
		`{'outer': {"inner": "value"}, 'more': [{"inner": "value"}]}`,
		"{\n// note\n\"outer\": {\"inner\": \"value\"}}",
		`[{"inner": "value"} {"inner": "value"}]`,
		`{color: red, order: {"inner": "value"}}`,
		`{'color': red, 'order': {"inner": "value"}}`,
		`{'` + strings.Repeat("x", 300) + `': {"inner": "value"}}`,
		`{ /*` + strings.Repeat("x", 300) + `*/ x: {"inner": "value"}}`,
		"{\n# note\n\"outer\" /* a */ : /* b */ {\"inner\": \"value\"}}",
	} {
		for _, c := range structured.Candidates(text) {
			if !c.Truncated {
				t.Errorf("%q: %s", text, c.Text)
			}
		}
		type part struct {
			Inner string `json:"inner"`
		}
		for _, opts := range [][]structured.Option{nil, {structured.WithRepair(nil)}} {
			if got, err := structured.Parse[part](text, opts...); err == nil && got.Inner != "" {
				t.Errorf("%q: got %+v", text, got)
			}
		}
	}
}

func TestADraftIsNoAnswer(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"think":                   "<think>maybe {\"id\":\"draft\"}</think>\n{\"id\":\"a\"}",
		"over lines":              "<think>\n{\"id\":\"draft\"}\n</think>\n\n{\"id\":\"a\"}",
		"thought of Gemini":       "<thought>{\"id\":\"draft\"}</thought>{\"id\":\"a\"}",
		"in capitals, indented":   "  <Thinking>{\"id\":\"draft\"}</THINKING> {\"id\":\"a\"}",
		"in brackets":             "[THINK]maybe {\"id\":\"draft\"}[/THINK]\n{\"id\":\"a\"}",
		"in brackets, over lines": "[THINK]\n[{\"id\":\"draft\"}]\n[/THINK]{\"id\":\"a\"}",
		"no beginning, brackets":  "{\"id\":\"draft\"}\n[/THINK]\n{\"id\":\"a\"}",
		"brackets in the answer":  "{\"id\":\"a\",\"note\":\"[THINK]x[/THINK]\"}",
		"without its beginning":   "maybe {\"id\":\"draft\"}\n</think>\n{\"id\":\"a\"}",
		"two of them":             "<think>{\"id\":\"1\"}</think>\nHm.\n<think>{\"id\":\"2\"}</think>\n{\"id\":\"a\"}",
		"with an open brace":      "<think>\nuse {\"id\": \"\n</think>\n{\"id\":\"a\"}",
		"in a fence of its own": "<think>\n" + fence + "json\n{\"id\":\"draft\"}\n" + fence +
			"\n</think>\n{\"id\":\"a\"}",
		"with a fence open": "<think>\n" + fence + "json\n{\"id\":\n</think>\n" + fence +
			"json\n{\"id\":\"a\"}\n" + fence,
		"a tag in the answer":     "{\"id\":\"a\",\"note\":\"<think>x</think>\"}",
		"a tag within a sentence": "Between <think> and </think>: {\"id\":\"a\"}",
	} {
		if got, err := structured.Parse[order](text); err != nil || got.ID != "a" {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
		sameAsParse[order](t, text, 1)
	}
	for _, text := range []string{"<think>{\"id\":\"draft\"}",
		"<think>\n{\"id\":\"draft\"}\n</think>\nDone.", "{\"id\":\"draft\"}\n</think>"} {
		_, err := structured.Parse[order](text, structured.WithRepair(nil))
		if _, ok := errors.AsType[*structured.NotFoundError](err); !ok {
			t.Errorf("%q: %v", text, err)
		}
		for value, err := range structured.ParseStream[order](inDeltas(text[:len(text)-1], 1,
			nil)) {
			if err == nil && strings.HasPrefix(text, "<think>") {
				t.Errorf("%q: a partial value %+v", text, value)
			}
		}
	}
}

func TestJSONInQuotedLinesIsRead(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"over lines":     "> {\n>   \"id\": \"a\",\n> \"note\": \"> x\"\n> }\n",
		"of a quotation": "He wrote:\n\n>> {\"note\": \"> x\",\r\n>> \"id\":\r\n> > \"a\"}\r\n\r\nYes.",
		"in a fence": "> " + fence + "json\n> {\"id\": \"a\", \"note\": \"> x\"}\n> " +
			fence,
		"in one line":       "> {\"id\": \"a\", \"note\": \"> x\"}",
		"without spaces":    ">{\"id\":\n>\"a\",\"note\":\"> x\"\n>}",
		"not in its middle": "{\"id\": \"a\",\n\"note\": \"> x\"}",
	} {
		got, err := structured.Parse[order](text)
		if err != nil || got.ID != "a" || *got.Note != "> x" {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
		sameAsParse[order](t, text, 3)
	}
	_, err := structured.Parse[order]("> {\n> \"id\": 7}")
	if want := "structured: /id: line 2, column 9 (offset 12): expected a string, found 7"; err == nil ||
		err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if got := shapes("> [1,\n> \"b\"]"); !cmp.Equal(got, []string{"[1,\n  \"b\"]"}) {
		t.Errorf("got %q", got)
	}
}

func TestManyRepairsAtManyLevelsTakeNoQuadraticMemory(t *testing.T) {
	t.Parallel()
	const levels, count = 9_000, 5_000
	text := strings.Repeat("[", levels) + "[1]" + strings.Repeat("[1,]", count) +
		strings.Repeat("]", levels)
	text = strings.ReplaceAll(text, "][", "],[")
	commas, named := 0, 0
	_, err := structured.Parse[jsontext.Value](text,
		structured.WithRepair(func(r structured.Repair) {
			if commas++; r.Pointer != "" {
				named++
			}
		}))
	if err != nil || commas != count || named < 100 || named > 1_000 {
		t.Errorf("%v, %d repairs, %d with a pointer", err, commas, named)
	}
}

// slips are functions that make a typical error of models in JSON. Each gets a token of the JSON,
// and the text after it.
var slips = []func(token, next string) string{
	func(token, _ string) string { return token },
	func(token, next string) string {
		if (next == "}" || next == "]") && token != "{" && token != "[" {
			return token + ","
		}
		return token
	},
	func(token, _ string) string { return token + " /* a comment, \"with\": 1 */ " },
	func(token, _ string) string { return token + " // a comment]\n" },
	func(token, _ string) string { return token + "\n# a comment}\n" },
	func(token, _ string) string {
		return map[string]string{"true": "True", "false": "False", "null": "None"}[token]
	},
	func(token, _ string) string {
		if token == "," {
			return "\n"
		}
		return token
	},
	func(token, _ string) string {
		if strings.HasPrefix(token, `"`) && !strings.ContainsAny(token, `\'`) {
			return "'" + token[1:len(token)-1] + "'"
		}
		return token
	},
	func(token, _ string) string {
		if strings.HasPrefix(token, `"`) && !strings.ContainsAny(token, "\\“”„‘’") {
			return "“" + token[1:len(token)-1] + "”"
		}
		return token
	},
	func(token, _ string) string {
		if strings.HasPrefix(token, `"`) && !strings.Contains(token, `\\`) {
			return strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(token)
		}
		return token
	},
	func(token, next string) string {
		if next == ":" && identifier.MatchString(token) {
			return strings.Trim(token, `"`)
		}
		return token
	},
}

var identifier = regexp.MustCompile(`^"[A-Za-z_$][A-Za-z0-9_$-]{0,60}"$`)

// broken returns a JSON text with slips, by turns.
func broken(text string, turns []byte) string {
	decoder := jsontext.NewDecoder(strings.NewReader(text))
	var tokens []string
	for {
		before := decoder.InputOffset()
		if _, err := decoder.ReadToken(); err != nil {
			break
		}
		raw := text[before:decoder.InputOffset()]
		token := strings.TrimLeft(raw, " \t\r\n,:")
		if separator := strings.Trim(raw[:len(raw)-len(token)], " \t\r\n"); separator != "" {
			tokens = append(tokens, separator)
		}
		tokens = append(tokens, token)
	}
	var out strings.Builder
	for i, token := range tokens {
		next := ""
		if i+1 < len(tokens) {
			next = tokens[i+1]
		}
		slip := slips[0]
		if len(turns) > 0 && next != "" {
			slip = slips[int(turns[i%len(turns)])%len(slips)]
		}
		if slipped := slip(token, next); slipped != "" {
			token = slipped
		}
		out.WriteString(token)
	}
	return out.String()
}

// FuzzRepair adds typical errors of models to a JSON text. The repaired text has the original
// values, or there is an error. Each error is reported.
func FuzzRepair(f *testing.F) {
	for i, text := range []string{
		`{"a":[1,2,{"b":null}],"c":"x y","d":true}`, `[{"a":"it's"},{"a":"say \"x\""},false]`,
		`{"text":"a\n\tb","n":-1.5e3,"e":{},"l":[]}`,
		`["a","b",["c"],"“d”"]`, `{"a":{"b":{"c":[[[1],[2]]]}}}`,
	} {
		f.Add(text, []byte{byte(i), 1, 2, 3, 4, 5, 6, 7, 8, 9})
		f.Add(text, []byte{6})
		f.Add(text, []byte{10, 0, 2})
		f.Add(text, []byte{7, 1})
	}
	f.Fuzz(func(t *testing.T, text string, turns []byte) {
		value := jsontext.Value(text)
		if !value.IsValid() || value.Kind() != '{' && value.Kind() != '[' {
			t.Skip()
		}
		text = broken(text, turns)
		repairs := 0
		got, err := structured.Parse[jsontext.Value](text,
			structured.WithRepair(func(r structured.Repair) {
				if repairs++; r.Kind == "" || text[r.Offset:] == "" && r.Dropped > 0 ||
					r.Offset+r.Dropped > len(text) {
					t.Errorf("%q: a repair %+v", text, r)
				}
			}))
		if err != nil {
			return
		}
		if jsontext.Value(text).IsValid() == (repairs > 0) {
			t.Errorf("%q: %d repairs", text, repairs)
		}
		if err := value.Canonicalize(); err != nil {
			t.Skip()
		}
		if err := got.Canonicalize(); err != nil || string(got) != string(value) {
			t.Errorf("%q: got %s, %v; it was %s", text, got, err, value)
		}
	})
}

// FuzzRepairKeepsEveryCharacter mends any text. All letters, digits and signs of the JSON must be
// in the text, in the same order. A letter, digit or sign of the text may be missing only if a
// repair names it.
func FuzzRepairKeepsEveryCharacter(f *testing.F) {
	for _, text := range append([]string{
		`{'a': True, "b": [1, 2,], c: "x`, "{“a”: 'it\\'s', // no\n\"b\":\"x\ny\"}", `["a" "b"]`,
		`"{\"a\":1}"`, "{\"a\":\"\x01\"}",
	}, texts...) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var repairs []structured.Repair
		got, err := structured.Parse[jsontext.Value](text,
			structured.WithRepair(func(r structured.Repair) { repairs = append(repairs, r) }))
		if err != nil || repairs == nil {
			return
		}
		last := repairs[len(repairs)-1]
		if repairs[0].Kind == structured.RepairEncodedTwice {
			var content string
			if err := json.Unmarshal([]byte(text[last.Offset:last.Offset+last.Dropped]),
				&content); err != nil || strings.TrimSpace(content) != string(got) {
				t.Errorf("%q: got %s", text, got)
			}
			return
		}
		rest := text
		for i := len(repairs) - 1; i >= 0; i-- {
			r := repairs[i]
			switch r.Kind {
			case structured.RepairComment, structured.RepairCutOff:
				rest = rest[:r.Offset] + rest[r.Offset+r.Dropped:]
			case structured.RepairLiteral:
				rest = rest[:r.Offset] + r.Added + rest[r.Offset+r.Dropped:]
			}
		}
		if was, is := signs(rest), signs(string(got)); !strings.Contains(was, is) {
			t.Errorf("%q: got %s, of %v:\n%s\n%s", text, got, repairs, was, is)
		}
	})
}

// signs returns the content of a text without its structure: letters in lower case, digits, and all
// other characters. It omits white space, JSON punctuation, quotes and escapes.
func signs(text string) string {
	const structure = " \t\r\n\b\f{}[],:\"'\\“”„‘’/"
	text = strings.NewReplacer(`\\`, "", `\n`, "", `\t`, "", `\r`, "", `\b`, "", `\f`,
		"").Replace(text)
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if strings.HasPrefix(text[i:], `\u00`) && len(text) >= i+6 &&
			(text[i+4] == '0' || text[i+4] == '1') {
			i += 5 // a control character
			continue
		}
		if text[i] >= ' ' {
			out.WriteByte(text[i])
		}
	}
	return strings.ToLower(strings.Map(func(r rune) rune {
		if strings.ContainsRune(structure, r) {
			return -1
		}
		return r
	}, out.String()))
}
