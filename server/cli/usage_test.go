package cli_test

import (
	"strings"
	"testing"
)

func TestWrongUsageExitsWithTwoAndSaysWhatIsRight(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	one := writeFile(t, dir+"/a/x.json", smallResponse)
	two := writeFile(t, dir+"/b/x.json", smallResponse)
	same := []string{"convert", "--from", "gemini-response", "--to", "gemini-response"}
	tests := map[string]struct {
		args []string
		want []string // each is on standard error
	}{
		"no command":                  {nil, []string{"a command is missing: batch, chat, convert, count, embed, emulate, env, extract, files, formats, generate, health, keys, launch, models, serve, usage, validate or worker"}},
		"unknown command":             {[]string{"transmogrify"}, []string{`unknown command "transmogrify"`}},
		"a command with a slip":       {[]string{"convret"}, []string{`unknown command "convret"; did you mean convert?`}},
		"a command by its other name": {[]string{"fake"}, []string{`unknown command "fake"; did you mean emulate?`}},
		"a word after a command without arguments": {
			[]string{"usage", "alice"}, []string{`gemwire usage takes no arguments, found "alice"` + "\n"},
		},
		"the value of a switch without its sign": {
			[]string{"serve", "--websocket", "false"},
			[]string{`gemwire serve takes no arguments, found "false"; the value of a switch needs an equals sign, such as --websocket=false`},
		},
		"an unknown command of a command": {
			[]string{"keys", "add"}, []string{`unknown command "add"; the commands are list, new, revoke and set`},
		},
		"an unknown command of a command and a flag": {
			[]string{"keys", "add", "alice", "--key-file", "x"}, []string{`unknown command "add"; the commands are`},
		},
		"a missing argument": {[]string{"keys", "new"}, []string{"an argument is missing; use gemwire keys new NAME [flags]"}},
		"no argument of at least one": {
			[]string{"files", "get"}, []string{"an argument is missing; use gemwire files get "},
		},
		"an argument too many": {
			[]string{"keys", "new", "alice", "bob"}, []string{`"bob" is one argument too many; use gemwire keys new NAME [flags]`},
		},
		"a command with a slip and a flag":   {[]string{"conver", "--from", "x"}, []string{`unknown command "conver"; did you mean convert?`}},
		"a model that is a command":          {[]string{"models", "list"}, []string{`"list" is not the name of a model; 'gemwire models' lists the names`}},
		"help for no command":                {[]string{"help", "frob"}, []string{`unknown command "frob"`}},
		"help for no command of a command":   {[]string{"help", "batch", "rum"}, []string{`unknown command "batch rum"; did you mean run?`}},
		"help for a command and more":        {[]string{"help", "serve", "it"}, []string{"unknown command \"serve it\"\n"}},
		"completions for another shell":      {[]string{"completion", "tcsh"}, []string{`unknown shell "tcsh"; the shells are bash, fish, powershell and zsh`}},
		"a temperature that is too high":     {[]string{"generate", "--temperature", "3", "hi"}, []string{"--temperature: 3 is out of range; must be from 0 to 2"}},
		"a temperature that is not a number": {[]string{"generate", "--temperature", "NaN", "hi"}, []string{"--temperature: NaN is out of range; must be from 0 to 2"}},
		"no tokens":                          {[]string{"generate", "--max-tokens", "0", "hi"}, []string{"--max-tokens: 0 is out of range; must be at least 1"}},
		"a flag with a slip":                 {append(same, "--stict"), []string{"unknown flag: --stict; did you mean --strict?"}},
		"a flag's letters in another order": {
			[]string{"convert", "--form", "gemini-response"},
			[]string{"unknown flag: --form; did you mean --from?"},
		},
		"the beginning of a flag": {append(same, "--no"), []string{"unknown flag: --no; did you mean --no-extensions or --to?"}},
		"a format with a slip": {
			[]string{"convert", "--from", "gemini-respones", "--to", "normalized"},
			[]string{"; did you mean gemini-response?"},
		},
		"a format to check with a slip": {[]string{"validate", "--as", "openai-requset"}, []string{"; did you mean openai-request?"}},
		"a format that nothing is converted to": {
			[]string{"convert", "--to", "agent-ndjson"},
			[]string{"no format can be converted to agent-ndjson"},
		},
		"--pretty of lines": {
			[]string{"convert", "--from", "gemini-stream", "--to", "openai-stream", "--pretty"},
			[]string{"--pretty is for JSON documents; each piece of openai-stream is on one line"},
		},
		"an unknown --output": {
			[]string{"validate", "--as", "normalized", "--output", "yaml"},
			[]string{`--format: unknown form "yaml"; the forms are text, json and github`},
		},
		"an unknown --output of a list": {[]string{"models", "--output", ""}, []string{"the forms are text and json"}},
		"an argument of formats":        {[]string{"formats", "gemini-response"}, []string{`"gemini-response"`}},
		"unknown flag":                  {append(same, "--frobnicate"), []string{"unknown flag: --frobnicate"}},
		"unknown flag of extract": {
			[]string{"extract", "--frobnicate"},
			[]string{"unknown flag: --frobnicate\nRun 'gemwire extract --help' for the usage.\n"},
		},
		"extract with an empty --schema": {[]string{"extract", "--schema="}, []string{"--schema is empty; name a file"}},
		"unknown root flag":              {[]string{"--frobnicate"}, []string{"unknown flag: --frobnicate\nRun 'gemwire --help' for the usage.\n"}},
		"a word for a temperature":       {[]string{"generate", "--temperature", "abc", "hi"}, []string{`--temperature: "abc" is not a number; want one such as 0.5`}},
		"a fraction of a token":          {[]string{"generate", "--max-tokens", "1.5", "hi"}, []string{`--max-tokens: "1.5" is not a whole number; want one such as 4`}},
		"no text to stop at":             {[]string{"generate", "--stop", "", "hi"}, []string{"--stop: the text is empty; leave out the flag"}},
		"a short flag without its value": {[]string{"generate", "hi", "-m"}, []string{"--model: the value is missing; use --model M\nRun 'gemwire generate --help' for the usage.\n"}},
		"no duration":                    {[]string{"files", "list", "--timeout", "soon"}, []string{`--timeout: "soon" is not a duration; want one such as 90s or 5m`, "Run 'gemwire files list --help'"}},
		"flag of a wrong type": {
			append(same, "--created", "yesterday"),
			[]string{`--created: "yesterday" is not a whole number; want one such as 4`},
		},
		"switch with another value": {append(same, "--strict=maybe"), []string{`--strict: "maybe" is not a switch's value; want true or false`}},
		"flag without its value":    {append(same, "--report"), []string{"--report: the value is missing; use --report FILE"}},
		"missing --to":              {[]string{"convert", "--from", "gemini-response"}, []string{"--to is missing", "aisdk-stream"}},
		"missing both":              {[]string{"convert", one}, []string{"--to is missing", "gemini-response, "}},
		"missing --as":              {[]string{"validate", one}, []string{"--as is missing", "gemini-response, "}},
		"unknown --from": {
			[]string{"convert", "--from", "gemini", "--to", "normalized"},
			[]string{`--from: unknown format "gemini"`,
				"did you mean gemini-request, gemini-response or gemini-stream?"},
		},
		"unknown --to": {
			[]string{"convert", "--from", "gemini-response", "--to", "GEMINI-RESPONSE"},
			[]string{`--to: unknown format "GEMINI-RESPONSE"`, "; did you mean gemini-response?"},
		},
		"unknown --as": {[]string{"validate", "--as", "json"}, []string{`--as: unknown format "json"`}},
		"a pair that there is no conversion for": {
			[]string{"convert", "--from", "gemini-response", "--to", "gemini-request"},
			[]string{
				"no conversion from gemini-response to gemini-request; gemini-response can be converted to gemini-response, normalized, openai-response,",
				"and gemini-request can be made from gemini-request, openai-request, responses-request, messages-request or interactions-request",
			},
		},
		"a format that there is no check for": {
			[]string{"validate", "--as", "agent-ndjson"},
			[]string{"no check for agent-ndjson; the formats are gemini-request, gemini-response, "},
		},
		"two inputs of one name with --out": {
			append(same, "--out", dir+"/out", one, two),
			[]string{one + " and " + two + " would both be written to "},
		},
		"one input twice with --out": {
			append(same, "--out", dir+"/out", one, one), []string{"would both be written to "},
		},
		"standard input with --out": {
			append(same, "--out", dir+"/out"),
			[]string{"--out needs files: standard input has no name"},
		},
		"standard input by name with --out": {
			append(same, "--out", dir+"/out", one, "-"), []string{"--out needs files"},
		},
		"standard input twice": {append(same, "-", "-"), []string{"standard input (-) can be read only once"}},
		"an output over its input": {
			append(same, "--out", dir+"/b/../a", one),
			[]string{"--out would overwrite the input " + one},
		},
		"a report over an input": {
			append(same, "--report", dir+"/b/../a/x.json", one),
			[]string{"--report would overwrite the input " + one},
		},
		"a report over an output": {
			append(same, "--out", dir+"/out", "--report", dir+"/out/x.json", one),
			[]string{"--report and the output of " + one + " are one file"},
		},
		"a report on standard output without --out": {
			append(same, "--report", "-", one), []string{"--report - needs --out"},
		},
		"recording and replaying": {
			[]string{"emulate", "--record", "a", "--replay", "b"},
			[]string{"--record and --replay together must name the same file"},
		},
		"a script in a recording": {[]string{"emulate", "--record", "a", "--script", "b"}, []string{"cannot be combined with --script or --key"}},
		"an upstream of nothing":  {[]string{"emulate", "--upstream", "http://127.0.0.1:1"}, []string{"--upstream needs --record"}},
		"strict without a script": {[]string{"emulate", "--strict"}, []string{"--strict needs a --script"}},
		"a negative time":         {append(same, "--created=-1"), []string{"--created must not be negative"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := gemwire(t, smallResponse, test.args...)
			if got.code != 2 {
				t.Errorf("exit code %d, want 2", got.code)
			}
			if got.stdout != "" {
				t.Errorf("standard output: %q", got.stdout)
			}
			if !strings.HasPrefix(got.stderr, "gemwire: ") ||
				!strings.Contains(got.stderr, "--help") {
				t.Errorf("standard error has no message with a hint: %q", got.stderr)
			}
			if strings.Contains(got.stderr, "strconv") {
				t.Errorf("standard error says how flags are read: %q", got.stderr)
			}
			for _, want := range test.want {
				if !strings.Contains(got.stderr, want) {
					t.Errorf("standard error lacks %q:\n%s", want, got.stderr)
				}
			}
		})
	}
	t.Cleanup(func() {
		if names := fileNames(t, dir); len(names) != 2 {
			t.Errorf("wrong usage left files behind: %q", names)
		}
		if readFile(t, one) != smallResponse || readFile(t, two) != smallResponse {
			t.Error("wrong usage changed an input")
		}
	})
}
