package agent_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/transform/agent"
	"github.com/google/go-cmp/cmp"
)

// extraction is the result of cutting objects out of a buffer.
type extraction struct {
	Objects []string
	Rest    string
}

func extract(buffer string) extraction {
	objects, rest := agent.ExtractJSONObjects(buffer)
	return extraction{objects, rest}
}

func all(objects ...string) extraction { return extraction{Objects: objects} }

// extractionCases are compared with extractJsonObjects, the function of the agents' TypeScript
// client. If ours differs, the reason says why.
var extractionCases = []struct {
	name, buffer string
	theirs       extraction
	ours         extraction // when reason is not ""
	reason       string
}{
	{name: "nothing", buffer: ""},
	{name: "white space", buffer: " \r\n\t "},
	{name: "text", buffer: "agent started, 3 tools"},
	{
		name: "lines, the last one cut off", buffer: "{\"a\":1}\n{\"b\":2}\n{\"c\":",
		theirs: extraction{[]string{`{"a":1}`, `{"b":2}`}, `{"c":`},
	},
	{
		name: "a backslash and an n between objects", buffer: `{"a":1}\n{"b":2}\n{"c":`,
		theirs: extraction{[]string{`{"a":1}`, `{"b":2}`}, `{"c":`},
	},
	{name: "a brace in a string", buffer: `{"a":"}"}`, theirs: all(`{"a":"}"}`)},
	{name: "a brace and an escaped quote in a string", buffer: `{"a":"\"}"}`, theirs: all(`{"a":"\"}"}`)},
	{name: "an escaped backslash before a quote", buffer: `{"a":"\\"}{"b":1}`, theirs: all(`{"a":"\\"}`, `{"b":1}`)},
	{name: "objects in an object", buffer: `{"a":{"b":{}}}`, theirs: all(`{"a":{"b":{}}}`)},
	{name: "a list", buffer: `[{"a":1},{"b":2}]`, theirs: all(`{"a":1}`, `{"b":2}`)},
	{name: "text around", buffer: `abc{"a":1}xyz`, theirs: all(`{"a":1}`)},
	{name: "white space within", buffer: "{\n \"a\" : 1 }\n", theirs: all("{\n \"a\" : 1 }")},
	{name: "two without anything between", buffer: `{}{}`, theirs: all(`{}`, `{}`)},
	{name: "only a brace", buffer: ` {`, theirs: extraction{Rest: `{`}},
	{name: "cut in a string", buffer: `{"a":"x`, theirs: extraction{Rest: `{"a":"x`}},
	{name: "cut after a backslash", buffer: `{"a":"x\`, theirs: extraction{Rest: `{"a":"x\`}},
	{name: "cut in an object in an object", buffer: `{"a":{"b":1}`, theirs: extraction{Rest: `{"a":{"b":1}`}},
	{name: "not JSON, but balanced", buffer: `{"a":[}`, theirs: all(`{"a":[}`)},
	{name: "escaped JSON in a value", buffer: `{"a":\{\"b\":1}{"b":2}`, theirs: all(`{"a":\{\"b\":1}`, `{"b":2}`)},
	{name: "white space after the brace", buffer: "{\r\n\t }{ \"a\" : {} }", theirs: all("{\r\n\t }", `{ "a" : {} }`)},
	{name: "a first name with a brace and quotes", buffer: `{"{\"a\":":1}`, theirs: all(`{"{\"a\":":1}`)},
	{name: "empty objects in an object", buffer: `{"a":{},"b":[{},{ "c":{}}]}`, theirs: all(`{"a":{},"b":[{},{ "c":{}}]}`)},
	{name: "cut in the first name", buffer: `{"a`, theirs: extraction{Rest: `{"a`}},
	{name: "cut after the first name", buffer: `{"a" `, theirs: extraction{Rest: `{"a" `}},
	{name: "a control character in a string", buffer: "{\"a\":\"\t\"}", theirs: all("{\"a\":\"\t\"}")},
	{name: "other characters", buffer: `é{"ü":"日本 😀"}`, theirs: all(`{"ü":"日本 😀"}`)},
	{
		name: "a closing brace in front", buffer: `}{"a":1}`,
		ours: all(`{"a":1}`), reason: "a brace that closes nothing does not count",
	},
	{
		name: "a closing brace between", buffer: `{"a":1}}{"b":2}`,
		theirs: all(`{"a":1}`),
		ours:   all(`{"a":1}`, `{"b":2}`), reason: "a brace that closes nothing does not count",
	},
	{
		name: "a quote in front", buffer: `"{"a":1}`,
		ours:   all(`{"a":1}`),
		reason: "a quote in front of an object does not turn its strings inside out",
	},
	{
		name:   "an apostrophe's sister between",
		buffer: "{\"a\":1}\n5\" screen\n{\"b\":2}\n{\"c\":3}",
		theirs: all(`{"a":1}`),
		ours:   all(`{"a":1}`, `{"b":2}`, `{"c":3}`),
		reason: "one stray quote must not lose all objects after it",
	},
	{
		name: "a backslash in front", buffer: `\{"a":1}`,
		ours: all(`{"a":1}`), reason: "a backslash means nothing outside of an object",
	},
	{name: "braces in quotes in text", buffer: `"{x}" "{" {"a":1}`, theirs: all(`{"a":1}`)},
	{
		name:   "a brace in quotes, and quotes after them",
		buffer: "unexpected token \"{\" in file\n{\"a\":1}\n{\"b\":\"2\"}\n",
		theirs: all(`{"a":1}`, `{"b":"2"}`),
	},
	{
		name: "a brace in single quotes", buffer: "unexpected token '{' in file\n{\"a\":1}\n",
		theirs: extraction{Rest: "{' in file\n{\"a\":1}\n"},
		ours:   all(`{"a":1}`), reason: "neither a name nor a closing brace follows",
	},
	{
		name: "a brace in text", buffer: "npm ERR! unexpected token { in JSON\n{\"a\":1}\n",
		theirs: extraction{Rest: "{ in JSON\n{\"a\":1}\n"},
		ours:   all(`{"a":1}`), reason: "neither a name nor a closing brace follows",
	},
	{
		name: "a brace at the end of a line", buffer: "f() {\n  {\"a\":1}\n",
		theirs: extraction{Rest: "{\n  {\"a\":1}\n"},
		ours:   all(`{"a":1}`), reason: "neither a name nor a closing brace follows",
	},
	{
		name: "braces around other things", buffer: `{x} {'a':1} {\"b\":2} {1} {"a":1}`,
		theirs: all(`{x}`, `{'a':1}`, `{\"b\":2}`, `{1}`, `{"a":1}`),
		ours:   all(`{"a":1}`), reason: "neither a name nor a closing brace follows",
	},
	{
		name: "words in quotes after braces", buffer: "{\"x\", {\"y\" {\"z\":{\"a\":1}}}",
		theirs: extraction{Rest: "{\"x\", {\"y\" {\"z\":{\"a\":1}}}"},
		ours:   all(`{"z":{"a":1}}`), reason: "no colon follows the name",
	},
	{
		name:   "a line cut in a string",
		buffer: "{\"a\":{\"b\":1},\"c\":\"cut\n{\"d\":2}\n{\"e\":3}\n",
		theirs: extraction{Rest: "{\"a\":{\"b\":1},\"c\":\"cut\n{\"d\":2}\n{\"e\":3}\n"},
		ours:   all(`{"d":2}`, `{"e":3}`),
		reason: "a line feed in a string ends the object that was cut off, with what was in it",
	},
	{
		name: "a line cut after a backslash", buffer: "{\"a\":\"cut\\\n{\"b\":2}\n",
		theirs: extraction{Rest: "{\"a\":\"cut\\\n{\"b\":2}\n"},
		ours:   all(`{"b":2}`), reason: "no backslash escapes a line feed",
	},
	{
		name: "a line cut in the first name", buffer: "{\"a\n{\"b\":2}\n",
		theirs: extraction{Rest: "{\"a\n{\"b\":2}\n"},
		ours:   all(`{"b":2}`), reason: "no name has a line feed",
	},
	{
		name: "a line cut after a value", buffer: "{\"a\":1\n{\"b\":2}\n{\"c\":3}\n",
		theirs: extraction{Rest: "{\"a\":1\n{\"b\":2}\n{\"c\":3}\n"},
		ours:   all(`{"b":2}`, `{"c":3}`), reason: "no object follows a value",
	},
	{
		name: "a line cut before a value", buffer: "{\"a\":\n{\"b\":2}\n{\"c\":3}\n",
		theirs: extraction{Rest: "{\"a\":\n{\"b\":2}\n{\"c\":3}\n"},
		ours:   all(`{"c":3}`),
		reason: "the object that stands for the missing value goes with the one that lacks it",
	},
	{
		name: "a list shortened in a log line", buffer: "got {\"a\":[{\"b\":1}, ...\n{\"c\":3}\n",
		theirs: extraction{Rest: "{\"a\":[{\"b\":1}, ...\n{\"c\":3}\n"},
		ours:   all(`{"c":3}`), reason: "no object follows dots",
	},
	{
		name:   "an object cut in a string, without a line feed",
		buffer: "{\"a\":\"cut {\"b\":1} {\"c\":2} {\"d\":3}",
		theirs: extraction{Rest: "{\"a\":\"cut {\"b\":1} {\"c\":2} {\"d\":3}"},
		ours:   all(`{"c":2}`, `{"d":3}`), reason: "no string follows a word",
	},
	{
		name: "braces after each other in an object", buffer: "{\"a\":{{\"b\":1}",
		theirs: extraction{Rest: "{\"a\":{{\"b\":1}"},
		ours:   all(`{"b":1}`), reason: "no object is a name",
	},
}

func TestObjectsAreCutOutOfABuffer(t *testing.T) {
	t.Parallel()
	for _, c := range extractionCases {
		want := c.theirs
		if c.reason != "" {
			want = c.ours
		}
		if diff := cmp.Diff(want, extract(c.buffer)); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", c.name, c.buffer, diff)
		}
	}
}

func TestTheTableIsRightAboutTheirs(t *testing.T) {
	t.Parallel()
	for _, c := range extractionCases {
		theirs := extractTheirs(c.buffer)
		if diff := cmp.Diff(c.theirs, theirs); diff != "" {
			t.Errorf("%s: %s (-table +theirs):\n%s", c.name, c.buffer, diff)
		}
		if same := cmp.Equal(theirs, extract(c.buffer)); same != (c.reason == "") {
			t.Errorf("%s: %s: same is %t, and the reason is %q", c.name, c.buffer, same, c.reason)
		}
	}
}

// extractTheirs is the state machine of the other function: escapes, quotes and braces count
// everywhere.
func extractTheirs(buffer string) extraction {
	var out extraction
	depth, start, inString, escaped := 0, -1, false, false
	for i := range len(buffer) {
		switch b := buffer[i]; {
		case escaped:
			escaped = false
		case b == '\\':
			escaped = true
		case b == '"':
			inString = !inString
		case inString:
		case b == '{':
			if depth == 0 {
				start = i
			}
			depth++
		case b == '}':
			depth--
			if depth == 0 && start >= 0 {
				out.Objects = append(out.Objects, buffer[start:i+1])
				start = -1
			}
		}
	}
	if depth > 0 && start >= 0 {
		out.Rest = buffer[start:]
	}
	return out
}

func TestExtractingContinuesWithTheRest(t *testing.T) {
	t.Parallel()
	for _, c := range extractionCases {
		whole := extract(c.buffer)
		for cut := range c.buffer {
			first := extract(c.buffer[:cut])
			second := extract(first.Rest + c.buffer[cut:])
			got := extraction{append(first.Objects, second.Objects...), second.Rest}
			if diff := cmp.Diff(whole, got); diff != "" {
				t.Errorf("%s: cut at %d (-whole +parts):\n%s", c.name, cut, diff)
			}
		}
	}
}

// adversarial are inputs that make a backtracking scanner slow, or a forgetful one wrong.
func adversarial(size int) map[string]string {
	return map[string]string{
		"open braces":          strings.Repeat("{", size),
		"closing braces":       strings.Repeat("}", size),
		"empty objects":        strings.Repeat("{}", size/2),
		"deep object":          strings.Repeat("{", size/2) + strings.Repeat("}", size/2),
		"quotes":               strings.Repeat(`"`, size),
		"quotes in an object":  "{" + strings.Repeat(`"`, size),
		"backslashes":          `{"` + strings.Repeat(`\`, size),
		"open objects":         strings.Repeat(`{"`, size/2),
		"spaced open objects":  strings.Repeat(`{ "`, size/3),
		"names of open braces": strings.Repeat(`{"`+strings.Repeat("{", 1022), size/1024),
		"names and no colons":  strings.Repeat(`{"`+strings.Repeat(" ", 1022), size/1024),
		"one name":             `{"` + strings.Repeat("{", size),
		"cut lines":            strings.Repeat(`{"a":"x`+"\n", size/8),
		"cut in depth":         strings.Repeat(strings.Repeat(`{"a":`, 200)+"\"\n", size/1002),
		"depth, then cut":      strings.Repeat(`{"a":`, size/5) + "\"\n",
		"cut at values":        strings.Repeat(`{"a":1   `, size/9),
		"braces far apart":     `{"a":` + strings.Repeat(strings.Repeat(" ", 1000)+"{", size/1001),
		"one long string":      `{"a":"` + strings.Repeat("x", size) + `"}`,
		"escaped quotes":       `{"a":"` + strings.Repeat(`\"`, size/2) + `"}`,
	}
}

func BenchmarkExtractJSONObjects(b *testing.B) {
	for name, buffer := range adversarial(4 << 20) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(buffer)))
			b.ReportAllocs()
			for b.Loop() {
				agent.ExtractJSONObjects(buffer)
			}
		})
	}
}
