package normalize_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/google/go-cmp/cmp"
)

// streamedCall is a stream of one call with the given pieces, one per chunk.
func streamedCall(t testing.TB, pieces ...string) stream {
	t.Helper()
	chunks := []string{withParts(`{"functionCall":{"name":"f","willContinue":true}}`)}
	for _, piece := range pieces {
		chunks = append(chunks, withParts(`{"functionCall":{`+piece+`,"willContinue":true}}`))
	}
	return streamOf(t, append(chunks, withParts(`{"functionCall":{}}`),
		`{"candidates":[{"finishReason":"STOP"}]}`)...)
}

// partial is a piece of a call with partial arguments.
func partial(entries string) string { return `"partialArgs":[` + entries + `]` }

func TestStreamedArguments(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		pieces []string
		deltas string // separated by |
		aside  string // the partial arguments that could not be written
	}{
		{"no arguments", nil, `{}`, ""},
		{"pieces that say nothing", []string{`"id":"x"`, partial(``)}, `{}`, ""},
		{"values of all kinds", []string{partial(`{"jsonPath":"$.s","stringValue":"x"},{"jsonPath":"$.n","numberValue":0.5},{"jsonPath":"$.b","boolValue":false},{"jsonPath":"$.z","nullValue":"NULL_VALUE"}`)},
			`{"s":"x","n":0.5,"b":false,"z":null|}`, ""},
		{"numbers", []string{partial(`{"jsonPath":"$.i","numberValue":12345678901},{"jsonPath":"$.m","numberValue":-0.25},{"jsonPath":"$.e","numberValue":1e+30},{"jsonPath":"$.x","numberValue":"Infinity"}`)},
			`{"i":12345678901,"m":-0.25,"e":1e+30,"x":"Infinity"|}`, ""},
		{"a string in pieces, with its end", []string{
			partial(`{"jsonPath":"$.s","stringValue":"New","willContinue":true}`),
			partial(`{"jsonPath":"$.s","stringValue":" York","willContinue":true}`),
			partial(`{"jsonPath":"$.s","stringValue":""}`)},
			`{"s":"New| York|"|}`, ""},
		{"a string whose last piece has text", []string{
			partial(`{"jsonPath":"$.s","stringValue":"New","willContinue":true}`),
			partial(`{"jsonPath":"$.s","stringValue":" York"}`)},
			`{"s":"New| York"|}`, ""},
		{"a string that an entry without a value ends", []string{
			partial(`{"jsonPath":"$.s","stringValue":"New","willContinue":true}`),
			partial(`{"jsonPath":"$.s"},{"jsonPath":"$.t","boolValue":true}`)},
			`{"s":"New|","t":true|}`, ""},
		{"a string that nothing ends", []string{partial(`{"jsonPath":"$.s","stringValue":"New","willContinue":true}`)}, `{"s":"New|"}`, ""},
		{"characters that need escapes, at the seams", []string{
			partial(`{"jsonPath":"$.s","stringValue":"a\"\\","willContinue":true}`),
			partial(`{"jsonPath":"$.s","stringValue":"\n</潮\u0000","willContinue":true}`),
			partial(`{"jsonPath":"$.s","stringValue":"😀"}`)},
			`{"s":"a\"\\|\n</潮\u0000|😀"|}`, ""},
		{"nested objects and arrays", []string{
			partial(`{"jsonPath":"$.a.b[0].c","numberValue":1}`),
			partial(`{"jsonPath":"$.a.b[0].d","numberValue":2}`),
			partial(`{"jsonPath":"$.a.b[1].c","numberValue":3}`),
			partial(`{"jsonPath":"$.a.e","numberValue":4}`),
			partial(`{"jsonPath":"$.f[0][0]","numberValue":5}`),
			partial(`{"jsonPath":"$.f[0][1]","numberValue":6}`),
			partial(`{"jsonPath":"$.f[1][0]","numberValue":7}`)},
			`{"a":{"b":[{"c":1|,"d":2|},{"c":3|}],"e":4|},"f":[[5|,6|],[7|]]}`, ""},
		{"the end of an array", []string{
			partial(`{"jsonPath":"$.a[0]","numberValue":1}`), partial(`{"jsonPath":"$.a[]"}`),
			partial(`{"jsonPath":"$.b","numberValue":2}`)},
			`{"a":[1|],"b":2|}`, ""},
		{"empty containers", []string{partial(`{"jsonPath":"$.o"}`), partial(`{"jsonPath":"$.a[]"}`), partial(`{"jsonPath":"$.p.q"}`), partial(`{"jsonPath":"$.l[0]"},{"jsonPath":"$.l[1]"},{"jsonPath":"$.l[2][]"}`)},
			`{"o":|{},"a":[|],"p":{"q":|{}},"l":[{},{},[|]]}`, ""},
		{"the end of the root", []string{partial(`{"jsonPath":"$"}`), partial(`{"jsonPath":"$.a","numberValue":1}`)}, `{|"a":1|}`, ""},
		{"a container that is announced", []string{partial(`{"jsonPath":"$.o"}`), partial(`{"jsonPath":"$.o.x","numberValue":1}`), partial(`{"jsonPath":"$.a"}`), partial(`{"jsonPath":"$.a[0]","numberValue":2}`), partial(`{"jsonPath":"$.a"}`)},
			`{"o":|{"x":1|},"a":|[2|]}`, ""},
		{"a value that is announced", []string{partial(`{"jsonPath":"$.s","willContinue":true}`), partial(`{"jsonPath":"$.s","stringValue":"x"}`), partial(`{"jsonPath":"$.n"}`), partial(`{"jsonPath":"$.n","numberValue":1}`)},
			`{"s":|"x"|,"n":|1|}`, ""},
		{"names in quotes", []string{partial(`{"jsonPath":"$['a.b'][\"c d\"]","numberValue":1}`), partial(`{"jsonPath":"$['a.b']['it\\'s \"\\u6f6e\"']","numberValue":2}`)},
			`{"a.b":{"c d":1|,"it's \"潮\"":2|}}`, ""},
		{"paths without the root", []string{partial(`{"jsonPath":"a.b","numberValue":1},{"jsonPath":"['c']","numberValue":2},{"jsonPath":".d","numberValue":3}`)},
			`{"a":{"b":1},"c":2,"d":3|}`, ""},
		{"another value while a string is open is held", []string{
			partial(`{"jsonPath":"$.s","stringValue":"a","willContinue":true}`),
			partial(`{"jsonPath":"$.t","stringValue":"x","willContinue":true}`),
			partial(`{"jsonPath":"$.u","numberValue":1}`),
			partial(`{"jsonPath":"$.s","stringValue":"b"}`),
			partial(`{"jsonPath":"$.t","stringValue":"y"}`)},
			`{"s":"a|b","t":"x|y","u":1|}`, ""},
		{"held arguments are written at the end", []string{
			partial(`{"jsonPath":"$.s","stringValue":"a","willContinue":true},{"jsonPath":"$.t","stringValue":"x","willContinue":true},{"jsonPath":"$.u","numberValue":1}`)},
			`{"s":"a|","t":"x","u":1}`, ""},
		{"an element before those in front of it is held", []string{
			partial(`{"jsonPath":"$.a[2]","numberValue":2}`),
			partial(`{"jsonPath":"$.a[1].x","stringValue":"p","willContinue":true}`),
			partial(`{"jsonPath":"$.a[0]","numberValue":0}`),
			partial(`{"jsonPath":"$.a[1].x","stringValue":"q"}`)},
			`{"a":[0,{"x":"p|q"},2|]}`, ""},
		{"pieces of a held string stay in order", []string{
			partial(`{"jsonPath":"$.s","stringValue":"","willContinue":true},{"jsonPath":"$.a[1]","stringValue":"p","willContinue":true},{"jsonPath":"$.a[0]","numberValue":0},{"jsonPath":"$.a[1]","stringValue":"q"},{"jsonPath":"$.s","stringValue":""}`)},
			`{"s":"","a":[0,"pq"|]}`, ""},
		{"an element whose place stays empty", []string{partial(`{"jsonPath":"$.a[0]","numberValue":0},{"jsonPath":"$.a[2]","numberValue":2},{"jsonPath":"$.b[1000000000]","numberValue":3}`)},
			`{"a":[0|]}`,
			`{"jsonPath":"$.a[2]","numberValue":2},{"jsonPath":"$.b[1000000000]","numberValue":3}`},
		{"a second value for a member", []string{partial(`{"jsonPath":"$.a","numberValue":1},{"jsonPath":"$.b","numberValue":2}`), partial(`{"jsonPath":"$.a","stringValue":"x"},{"jsonPath":"$.b","numberValue":3}`)},
			`{"a":1,"b":2|}`,
			`{"jsonPath":"$.a","stringValue":"x"},{"jsonPath":"$.b","numberValue":3}`},
		{"a member of a container that is closed", []string{partial(`{"jsonPath":"$.a.x","numberValue":1},{"jsonPath":"$.b","numberValue":2},{"jsonPath":"$.a.y","numberValue":3},{"jsonPath":"$.c[0]","numberValue":4},{"jsonPath":"$.d[0]","numberValue":5},{"jsonPath":"$.c[1]","numberValue":6}`)},
			`{"a":{"x":1},"b":2,"c":[4],"d":[5|]}`,
			`{"jsonPath":"$.a.y","numberValue":3},{"jsonPath":"$.c[1]","numberValue":6}`},
		{"an object that is an array, and the other way round", []string{partial(`{"jsonPath":"$.a.x","numberValue":1},{"jsonPath":"$.a[0]","numberValue":2},{"jsonPath":"$.a","numberValue":3},{"jsonPath":"$.b[0]","numberValue":4},{"jsonPath":"$.b.x","numberValue":5},{"jsonPath":"$[0]","numberValue":6},{"jsonPath":"$","numberValue":7}`)},
			`{"a":{"x":1},"b":[4|]}`,
			`{"jsonPath":"$.a[0]","numberValue":2},{"jsonPath":"$.a","numberValue":3},{"jsonPath":"$.b.x","numberValue":5},{"jsonPath":"$[0]","numberValue":6},{"jsonPath":"$","numberValue":7}`},
		{"invalid paths",
			[]string{partial(`{"numberValue":1},{"jsonPath":"$..a","numberValue":1},{"jsonPath":"$.a[-1]","numberValue":1},{"jsonPath":"$['a","numberValue":1},{"jsonPath":"$['a'","numberValue":1},` +
				`{"jsonPath":"$['\\q']","numberValue":1},{"jsonPath":"$['a']b","numberValue":1},{"jsonPath":"$.a[].b","numberValue":1},{"jsonPath":"$.","numberValue":1},{"jsonPath":"$.a[99999999999]","numberValue":1}`)},
			`{}`, `{"numberValue":1},{"jsonPath":"$..a","numberValue":1},{"jsonPath":"$.a[-1]","numberValue":1},{"jsonPath":"$['a","numberValue":1},{"jsonPath":"$['a'","numberValue":1},` +
				`{"jsonPath":"$['\\q']","numberValue":1},{"jsonPath":"$['a']b","numberValue":1},{"jsonPath":"$.a[].b","numberValue":1},{"jsonPath":"$.","numberValue":1},{"jsonPath":"$.a[99999999999]","numberValue":1}`},
		{"a value of a kind that is newer", []string{partial(`{"jsonPath":"$.a","listValue":[1]},{"jsonPath":"$.b","numberValue":1,"confidence":2}`)},
			`{"b":1|}`, `{"jsonPath":"$.a","listValue":[1]},{"jsonPath":"$.b","confidence":2}`},
		{"an object and partial arguments", []string{`"args":{"a":{"b": 1.50},"c":[]}`, partial(`{"jsonPath":"$.d","numberValue":1}`), `"args":{"a":2}`, `"args":[3]`},
			`{"a":{"b":1.50},"c":[]|,"d":1|}`, `{"jsonPath":"$[\"a\"]","value":2},{"args":[3]}`},
		{"all of the arguments once more", []string{
			partial(`{"jsonPath":"$.s","stringValue":"New","willContinue":true}`),
			partial(`{"jsonPath":"$.s","stringValue":" York"}`),
			partial(`{"jsonPath":"$.a.x","numberValue":1},{"jsonPath":"$.a.y[0]","boolValue":true},{"jsonPath":"$.n","nullValue":"NULL_VALUE"}`),
			`"args":{"a":{"y":[true],"x":1},"n":null,"s":"New Yor\u006b"}`},
			`{"s":"New| York"|,"a":{"x":1,"y":[true]},"n":null|}`, ""},
		{"values once more", []string{
			partial(`{"jsonPath":"$.a.x","numberValue":1},{"jsonPath":"$.b","stringValue":"s"},{"jsonPath":"$.a.x","numberValue":1},{"jsonPath":"$.b","stringValue":"s"},{"jsonPath":"$.a"}`)},
			`{"a":{"x":1},"b":"s"|}`, ""},
		{"values that are nearly the same", []string{`"args":{"a":9007199254740993,"b":{"x":1}}`, `"args":{"a":9007199254740992,"b":{"x":1,"y":2}}`},
			`{"a":9007199254740993,"b":{"x":1}|}`,
			`{"jsonPath":"$[\"a\"]","value":9007199254740992},{"jsonPath":"$[\"b\"]","value":{"x":1,"y":2}}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var deltas []string
			var extra *geminiapi.Part
			var incomplete bool
			for _, e := range checkStream(t, streamedCall(t, test.pieces...)) {
				switch e.Type {
				case normalize.EventToolCallDelta:
					deltas = append(deltas, e.ArgumentsDelta)
				case normalize.EventToolCallDone:
					extra, incomplete = e.Extra, e.Incomplete
				}
			}
			if diff := cmp.Diff(test.deltas, strings.Join(deltas, "|")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			aside := "[]"
			if extra != nil {
				aside = asJSON(t, extra.FunctionCall.PartialArgs)
			}
			equalJSON(t, aside, "["+test.aside+"]")
			if incomplete != (test.aside != "") {
				t.Errorf("the call is incomplete: %v", incomplete)
			}
		})
	}
}

func TestArgumentsAreNotNestedWithoutLimit(t *testing.T) {
	t.Parallel()
	deep := partial(`{"jsonPath":"$` + strings.Repeat(".a", 100_000) +
		`","numberValue":1},{"jsonPath":"$` + strings.Repeat("[0]", 600) +
		`","numberValue":1},{"jsonPath":"$` + strings.Repeat(".b", 400) + `","numberValue":1}`)
	events := checkStream(t, streamedCall(t, deep))
	done := events[len(events)-3]
	if done.Type != normalize.EventToolCallDone || len(done.Extra.FunctionCall.PartialArgs) != 2 ||
		strings.Count(string(done.Arguments), `"b"`) != 400 {
		t.Errorf("got %.100s", done.Arguments)
	}
}

func TestHeldArgumentsAreBounded(t *testing.T) {
	t.Parallel()
	var entries []string
	for i := range 1500 {
		entries = append(entries,
			fmt.Sprintf(`{"jsonPath":"$.list[%d]","numberValue":%d}`, 1499-i, i))
	}
	events := checkStream(t, streamedCall(t, partial(strings.Join(entries, ","))))
	done := events[len(events)-3]
	if kept := 1500 - strings.Count(string(done.Arguments),
		",") - 1; len(done.Extra.FunctionCall.PartialArgs) != kept || kept < 400 || kept > 1499 {
		t.Errorf("%d are kept aside, and %d were not written",
			len(done.Extra.FunctionCall.PartialArgs), kept)
	}
}

// The codec never decodes such a text, but a caller may construct it.
func TestArgumentsThatAreNotUTF8(t *testing.T) {
	t.Parallel()
	s := streamedCall(t, partial(`{"jsonPath":"$.a","stringValue":"x"}`),
		partial(`{"jsonPath":"$.a","stringValue":"x"}`))
	call := s.chunks[1].Candidates[0].Content.Parts[0].FunctionCall
	call.PartialArgs[0].JSONPath, call.PartialArgs[0].StringValue = new("$.b\xff"), new("y\xff")
	for _, e := range checkStream(t, s) {
		if e.Type == normalize.EventToolCallDone &&
			string(e.Arguments) != "{\"b\uFFFD\":\"y\uFFFD\",\"a\":\"x\"}" {
			t.Errorf("got %s", e.Arguments)
		}
	}
}

// The first of the recorded ways to end a call is in TestStreamedArguments.
func TestWaysToEndAStreamedCall(t *testing.T) {
	t.Parallel()
	const stop = `{"candidates":[{"finishReason":"STOP"}]}`
	tests := map[string][]string{
		"in one piece":                {withParts(`{"functionCall":{"name":"f","partialArgs":[{"jsonPath":"$.a","numberValue":2}]}}`), stop},
		"a last piece with arguments": {withParts(`{"functionCall":{"name":"f","willContinue":true}}`), withParts(`{"functionCall":{"partialArgs":[{"jsonPath":"$.a","numberValue":2}]}}`), withParts(`{"text":""}`), stop},
		"a piece without content in between": {withParts(`{"functionCall":{"name":"f","willContinue":true}}`),
			withParts(`{"functionCall":{"willContinue":true}}`),
			withParts(`{"functionCall":{"partialArgs":[{"jsonPath":"$.a","numberValue":2}],"willContinue":true}}`),
			withParts(`{"functionCall":{}}`), stop},
		"the stop":                {withParts(`{"functionCall":{"name":"f","partialArgs":[{"jsonPath":"$.a","numberValue":2}],"willContinue":true}}`), stop},
		"all pieces in one chunk": {withParts(`{"functionCall":{"name":"f","willContinue":true}},{"functionCall":{"partialArgs":[{"jsonPath":"$.a","numberValue":2}],"willContinue":true}},{"functionCall":{}}`), stop},
		"twice":                   {withParts(`{"functionCall":{"name":"f","partialArgs":[{"jsonPath":"$.a","numberValue":2}]}}`), withParts(`{"functionCall":{}}`), withParts(`{"functionCall":{}}`), stop},
		"the object at the end":   {withParts(`{"functionCall":{"name":"f","willContinue":true}}`), withParts(`{"functionCall":{"args":{"a":2}}}`), stop},
	}
	for name, chunks := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := merged(streamOf(t, chunks...).chunks...)
			equalJSON(t, asJSON(t, got.Candidates[0].Content),
				`{"parts":[{"functionCall":{"name":"f","args":{"a":2}}}]}`)
			checkStream(t, streamOf(t, chunks...))
		})
	}
}

// The time to find repetitions must not depend on the product of the text's length and the number
// of repetitions.
func TestRepeatedArgumentsTakeLinearTime(t *testing.T) {
	t.Parallel()
	pieces := []string{partial(`{"jsonPath":"$.long","stringValue":"` +
		strings.Repeat("x", 100_000) + `"},{"jsonPath":"$.b","numberValue":1}`)}
	for range 2000 {
		pieces = append(pieces,
			partial(`{"jsonPath":"$.long","stringValue":"y"},{"jsonPath":"$`+
				strings.Repeat(".b", 1000)+`"}`))
	}
	started := time.Now()
	events := checkStream(t, streamedCall(t, pieces...))
	if done := events[len(events)-3]; !done.Incomplete || time.Since(started) > time.Minute {
		t.Errorf("after %v: %.200s", time.Since(started), done.Arguments)
	}
}
