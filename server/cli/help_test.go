package cli_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// This test does not run in parallel, because it changes to the root of the repository, where the
// examples' files are.
func TestTheExamplesOfHelpWorkFromTheRootOfTheRepository(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	help := gemwire(t, "", "--help")
	examples := 0
	_, text, _ := strings.Cut(help.stdout, "\nTry it")
	for _, line := range strings.Split(text, "\n") {
		command, ok := strings.CutPrefix(line, "  gemwire ")
		if !ok {
			continue
		}
		examples++
		var args []string
		for _, arg := range strings.Fields(command) {
			if files, err := filepath.Glob(arg); err == nil && len(files) > 0 {
				args = append(args, files...)
			} else {
				args = append(args, arg)
			}
		}
		got := gemwire(t, "", args...)
		if got.code != 0 || got.stderr != "" {
			t.Errorf("%s: %+v", command, got)
		}
		if args[0] == "convert" &&
			!strings.HasPrefix(strings.TrimPrefix(got.stdout, "data: "), "{") {
			t.Errorf("%s printed no document: %q", command, got.stdout)
		}
		if args[0] == "validate" && (got.stdout != "" || len(args) < 10) {
			t.Errorf("%s: %q of %d files", command, got.stdout, len(args)-3)
		}
	}
	if examples != 6 {
		t.Errorf("help shows %d examples, want 6:\n%s", examples, help.stdout)
	}
}

func TestHelpNamesFormatsConversionsFlagsAndExitCodes(t *testing.T) {
	t.Parallel()
	tests := map[string][]string{
		"--help": {
			"gemini-request ", "gemini-response ", "gemini-stream ", "openai-request ",
			"openai-response ",
			"openai-stream ", "responses-request ", "responses-response ", "responses-stream ",
			"messages-request ",
			"messages-response ", "messages-stream ", "normalized ", "normalized-stream ",
			"aisdk-stream ", "agent-ndjson ",
			"gemini-response     ->  openai-response\n", "\n  0  success", "\n  1  ",
			"\n  2  wrong usage",
			"gemwire: FILE: /json/pointer: offset N: message",
		},
		"convert --help": {
			"--from FORMAT", "--to FORMAT", "--model M", "--id ID", "--created UNIX",
			"--no-extensions",
			"--include-usage", "--strict", "--quiet", "--pretty", "--report FILE", "--out DIR",
			"gemini-response     ->  normalized\n",
		},
		"validate --help": {"--as FORMAT", "file: /json/pointer: message", "--strict", "github", "\n  openai-response "},
		"help convert":    {"gemwire convert [--from FORMAT] --to FORMAT [flags] [FILE...]"},
	}
	for command, wants := range tests {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			got := gemwire(t, "", strings.Fields(command)...)
			if got.code != 0 || got.stderr != "" {
				t.Errorf("%+v", got)
			}
			for _, want := range wants {
				if !strings.Contains(got.stdout, want) {
					t.Errorf("help lacks %q:\n%s", want, got.stdout)
				}
			}
			for _, line := range strings.Split(got.stdout, "\n") {
				if len(line) > 120 {
					t.Errorf("a line of %d columns: %s", len(line), line)
				}
			}
		})
	}
}

func TestShellsCompleteFormats(t *testing.T) {
	t.Parallel()
	for flag, want := range map[string]string{"convert --from": "gemini-request\n",
		"convert --to": "openai-response\n", "validate --as": "normalized\n"} {
		got := gemwire(t, "",
			append([]string{"__complete"}, append(strings.Fields(flag), "")...)...)
		if got.code != 0 || !strings.Contains(got.stdout, want) {
			t.Errorf("%s: %+v", flag, got)
		}
	}
}
