package script_test

import (
	_ "embed" // a script
	"errors"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/document"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/script"
	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

// everything is a script that uses every name.
//
//go:embed testdata/everything.yaml
var everything []byte

func TestAScriptIsTheSameInYAMLAndJSONAndReadAgain(t *testing.T) {
	t.Parallel()
	first, err := script.Read(everything)
	if err != nil {
		t.Fatal(err)
	}
	written, err := json.Marshal(first)
	if err != nil {
		t.Fatal(err)
	}
	second, err := script.Read(written)
	if err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(second)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(written), string(again)); diff != "" {
		t.Errorf("-first +second\n%s", diff)
	}
	for _, want := range []string{"9007199254740993", `"regexp":"\\d+"`, `"signature":""`,
		`"turn":0`, `"pause":"1.5s"`} {
		if !strings.Contains(string(written), want) {
			t.Errorf("%s is missing in %s", want, written)
		}
	}
}

func TestValuesAtTheirLimitsAreTaken(t *testing.T) {
	t.Parallel()
	for _, file := range []string{
		"fixtures:\n- reply: {blocks: [{text: a}], tokensPerSecond: 0, jitter: 0, chunkTokens: 0}",
		"fixtures:\n- reply: {blocks: [{text: a}], jitter: 1}",
		"fixtures:\n- reply: [{text: a, candidate: 0}, {text: b, candidate: 7}]",
		"fixtures:\n- match: {chance: 0}\n  reply: a",
		"fixtures:\n- match: {chance: 1}\n  reply: a",
		"fixtures:\n- replies: [a, b]\n  times: 2",
		"fixtures:\n- reply: [{text: a, signature: c2ln}, {thought: a, signature: c2ln}, {call: {name: f}, signature: c2ln}, {json: {}, signature: c2ln}]",
	} {
		if _, err := script.Read([]byte(file)); err != nil {
			t.Errorf("%v in %s", err, file)
		}
	}
}

func TestAMistakeIsReportedWithItsLineAndWhatWouldBeRight(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ file, want string }{
		"a slip in a name": {
			"fixtures:\n- match: {promt: hi}\n  reply: x\n",
			`script: line 2: /fixtures/0/match/promt: match has no "promt"; did you mean "prompt"?`,
		},
		"letters that are swapped": {
			"fixtures:\n- reply:\n    blocks:\n    - fualt: unavailable\n",
			`script: line 4: /fixtures/0/reply/blocks/0/fualt: a block of a reply has no "fualt"; did you mean "fault"?`,
		},
		"a name in another place": {
			"fixtures:\n- prompt: hi\n  reply: x\n",
			`script: line 2: /fixtures/0/prompt: a fixture has no "prompt"; it belongs in match`,
		},
		"a name in JSON": {
			"{\"fixtures\": [\n{\"reply\": [{\"texts\": \"a\"}]}]}",
			`script: line 2: /fixtures/0/reply/0/texts: a block of a reply has no "texts"; did you mean "text"?`,
		},
		"a name like no other": {
			"list: []",
			`script: line 1: /list: a script has no "list"; expected one of $schema, strict, seed, models, fixtures`,
		},
		"a name in a condition": {
			"fixtures:\n- match: {prompt: {contain: a}}\n  reply: x",
			`script: line 2: /fixtures/0/match/prompt/contain: a condition for a text has no "contain"; did you mean "contains"?`,
		},
		"an unknown fault": {
			"fixtures:\n- reply:\n  - fault: {kind: boom}",
			`script: line 3: /fixtures/0/reply/0: "boom" is not a fault; expected one of contentType, cut, `,
		},
		"a fault that takes no such thing": {
			"fixtures:\n- reply:\n  - fault: {kind: cut, message: a}",
			`script: line 3: /fixtures/0/reply/0: the fault cut does not accept message`,
		},
		"two things in a block": {
			"fixtures:\n- reply:\n  - text: a\n    pause: 1s",
			`script: line 3: /fixtures/0/reply/0: want one of text, json, thought, call,`,
		},
		"a duration without a unit": {
			"fixtures:\n- reply:\n  - pause: \"5\"",
			`script: line 3: /fixtures/0/reply/0/pause: want a duration such as "200ms" or "1.5s"`,
		},
		"a number for a text": {
			"fixtures:\n- match:\n    signature: 5\n  reply: x",
			`script: line 3: /fixtures/0/match/signature: want a text; found a number`,
		},
		"an invalid expression": {
			"fixtures:\n- match:\n    prompt:\n      regexp: '('\n  reply: x",
			"script: line 4: /fixtures/0/match/prompt/regexp: error parsing regexp: missing closing ): `(`",
		},
		"no reply":                 {"fixtures:\n- match: {turn: 1}", `script: line 2: /fixtures/0: the fixture has no reply`},
		"an empty reply":           {"fixtures:\n- reply: []", `script: line 2: /fixtures/0/reply: the answer is empty`},
		"both kinds of reply":      {"fixtures:\n- reply: a\n  replies: [b]", `/fixtures/0: want one of reply and replies`},
		"a block after the end":    {"fixtures:\n- reply: [{fault: {kind: cut}}, {text: a}]", `/fixtures/0/reply: nothing can come after the fault cut`},
		"too few times":            {"fixtures:\n- replies: [a, b]\n  times: 1", `/fixtures/0/times: times is 1 and there are 2 replies`},
		"a negative pace":          {"fixtures:\n- reply: {blocks: [{text: a}], tokensPerSecond: -1}", `/fixtures/0/reply: tokensPerSecond must not be negative`},
		"a negative jitter":        {"fixtures:\n- reply: {blocks: [{text: a}], jitter: -0.1}", `/fixtures/0/reply: jitter must be between 0 and 1`},
		"a jitter above one":       {"fixtures:\n- reply: {blocks: [{text: a}], jitter: 1.1}", `/fixtures/0/reply: jitter must be between 0 and 1`},
		"negative chunks":          {"fixtures:\n- reply: {blocks: [{text: a}], chunkTokens: -1}", `/fixtures/0/reply: chunkTokens must not be negative`},
		"a chunk that is a number": {"fixtures:\n- reply: [{chunk: 7}]", `/fixtures/0/reply/0: a chunk must be an object`},
		"a signature of no part":   {"fixtures:\n- reply: [{pause: 1s, signature: c2ln}]", `/fixtures/0/reply/0: only a text, json, thought, call or data may have a signature`},
		"a negative candidate":     {"fixtures:\n- reply: [{text: a, candidate: -1}]", `/fixtures/0/reply/0: the index of a candidate must be from 0 to 7`},
		"a ninth candidate":        {"fixtures:\n- reply: [{text: a, candidate: 8}]", `/fixtures/0/reply/0: the index of a candidate must be from 0 to 7`},
		"a pause of a candidate":   {"fixtures:\n- reply: [{text: a}, {pause: 1s, candidate: 1}]", `/fixtures/0/reply/1: a chunk, a pause or a fault must not have a candidate`},
		"negative times":           {"fixtures:\n- reply: a\n  times: -1", `/fixtures/0/times: times must not be negative`},
		"a chance above one":       {"fixtures:\n- match: {chance: 2}\n  reply: a", `/fixtures/0/match: chance must be between 0 and 1`},
		"a name twice":             {"fixtures: []\nfixtures: []", `line 2: `},
		"broken YAML":              {"fixtures:\n  - a: b\n c", `script: line `},
		"an empty file":            {"", `script: line 1: the file is empty`},
		"a file that holds null":   {"null", `script: line 1: a null is not valid here`},
		"only a separator":         {"\n---\n", `script: line 3: a null is not valid here`},
		"two documents":            {"fixtures: []\n---\nfixtures: []", `script: line 2: a second document begins; expected one in a file`},
		"two values of JSON":       {"{}\n{}", `script: line 1: after the document: did not find expected`},
		"a list of nothing":        {"fixtures:\n", `script: line 1: /fixtures: a null is not valid here`},
		"a match with nothing":     {"fixtures:\n- match:\n  reply: a", `script: line 2: /fixtures/0/match: a null is not valid here`},
		"infinity":                 {"seed: .inf", `script: line 1: /seed: JSON has no such number`},
		"a strange tag":            {"seed: !!binary aGk=", `script: line 1: /seed: the tag !!binary is not valid here`},
		"an anchor in itself":      {"fixtures: &a\n- *a", `too many values`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := script.Read([]byte(test.file))
			if failure, ok := errors.AsType[*document.Error](err); !ok || failure.Line() < 1 ||
				failure.Reason() == "" {
				t.Fatalf("got %#v", err)
			}
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("got  %s\nwant %s", err, test.want)
			}
		})
	}
}

func TestNullIsAValueWhereAnyJSONStands(t *testing.T) {
	t.Parallel()
	for _, file := range []string{
		"fixtures:\n- reply: [{json: null}]",
		"fixtures:\n- reply: [{json: {a: [null]}}]",
		"fixtures:\n- reply: [{call: {name: f, args: {a: null}}}]",
		"fixtures: []\n...\n",
	} {
		if _, err := script.Read([]byte(file)); err != nil {
			t.Errorf("%q: %v", file, err)
		}
	}
}

func TestAliasesOfAliasesEndInAnError(t *testing.T) {
	t.Parallel()
	file := "fixtures: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 12 {
		name, before := string(rune('a'+i+1)), string(rune('a'+i))
		if i == 0 {
			before = "a0"
		}
		file += name + ": &" + name + " [" +
			strings.TrimSuffix(strings.Repeat("*"+before+", ", 10), ", ") + "]\n"
	}
	if _, err := script.Read([]byte(file)); err == nil {
		t.Error("a file with a trillion values was read")
	}
}

func FuzzRead(f *testing.F) {
	f.Add(everything)
	f.Add([]byte(`{"fixtures": [{"match": {"prompt": ["a", {"exact": ""}]}, "reply": [{"text": ["a", "b"]}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		first, err := script.Read(data)
		if err != nil {
			return
		}
		written, err := json.Marshal(first)
		if err != nil {
			t.Fatal(err)
		}
		second, err := script.Read(written)
		if err != nil {
			t.Fatalf("%v in %s", err, written)
		}
		if again, err := json.Marshal(second); err != nil || string(again) != string(written) {
			t.Fatalf("%v\n%s\n%s", err, written, again)
		}
	})
}
