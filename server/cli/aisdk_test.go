package cli_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/google/go-cmp/cmp"
)

// Events of an agent, one per line.
const (
	agentText    = `{"type":"message","role":"assistant","content":"Filling.","delta":true}` + "\n"
	agentRequest = `{"type":"snapshot_request","requestId":"req-1","instruction":"Fill the form"}` +
		"\n"
	agentMessage = `{"type":"message","role":"assistant","content":"Filled.","delta":false}` + "\n"
)

func TestAnAgentsStreamEndsWithTheFirstRequestToTheClient(t *testing.T) {
	t.Parallel()
	const stray = "{ oops\n"
	lost := func(pointer, detail string) report.Entry {
		return report.Entry{Pointer: pointer, Kind: report.Lost, Detail: detail}
	}
	tests := map[string]struct {
		input, finish string
		lost          []report.Entry
	}{
		"a message":            {agentText + agentMessage, "stop", nil},
		"a request at the end": {agentText + agentRequest + "\n", "tool-calls", nil},
		"text after a request": {agentRequest + stray, "tool-calls", []report.Entry{lost("/-", "byte 78: skipped 6 bytes of text outside of objects")}},
		"events after requests": {agentText + agentRequest + stray + agentMessage + agentRequest +
			`{"type":`, "tool-calls", []report.Entry{
			lost("/-", "byte 150: skipped 6 bytes of text outside of objects"),
			lost("/2", "event at byte 157: it comes after the request that ends the turn"),
			lost("/3", "event at byte 229: it comes after the request that ends the turn"),
			lost("/4", "event at byte 307: it comes after the request that ends the turn"),
		}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			allEntries := filepath.Join(t.TempDir(), "report.json")
			got := convert(t, test.input, "agent-ndjson", "aisdk-stream", "--quiet", "--report",
				allEntries)
			lines := strings.Split(strings.TrimSuffix(got.stdout, "\n"), "\n")
			last := lines[len(lines)-1]
			if got.code != 0 || got.stderr != "" ||
				strings.Count(got.stdout, `{"type":"finish"`) != 1 ||
				!strings.HasPrefix(last, `{"type":"finish"`) ||
				!strings.HasSuffix(last, `"finishReason":{"unified":"`+test.finish+`"}}`) {
				t.Errorf("%+v", got)
			}
			var entries []report.Entry
			for _, entry := range readReport(t, readFile(t, allEntries)) {
				entries = append(entries, entry.Entry)
			}
			if diff := cmp.Diff(test.lost, entries); diff != "" {
				t.Errorf("report (-want +got):\n%s", diff)
			}
			if checked := gemwire(t, got.stdout, "validate", "--as",
				"aisdk-stream"); checked.code != 0 {
				t.Errorf("validate: %+v", checked)
			}
			strict := convert(t, test.input, "agent-ndjson", "aisdk-stream", "--strict")
			if strict.stdout != got.stdout || (strict.code == 0) != (test.lost == nil) ||
				strings.Count(strict.stderr, ": lost: ") != len(test.lost) {
				t.Errorf("strict: %+v", strict)
			}
		})
	}
}

func TestAnAgentsInputThatIsNoWholeStreamIsAnErrorInTheCommandToo(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ input, want string }{
		"nothing":                {"", "offset 0: nothing in the input is an event of an agent"},
		"binary":                 {"\x00\x01{\xff", "offset 0: nothing in the input is an event of an agent"},
		"a stream of Gemini":     {firstChunk + lastChunk, "offset 0: nothing in the input is an event of an agent"},
		"cut within an event":    {agentText + agentMessage[:30], "offset 72: the input ends within an event"},
		"cut, and a line feed":   {agentText + agentMessage[:30] + "\n", "offset 72: the input ends within an event"},
		"cut in the first event": {agentText[:50], "offset 0: the input ends within an event"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, args := range [][]string{nil, {"--strict"}} {
				got := convert(t, test.input, "agent-ndjson", "aisdk-stream", args...)
				if got.code != 1 ||
					!strings.HasSuffix(got.stdout, `"finishReason":{"unified":"error"}}`+"\n") {
					t.Errorf("%s: %+v", args, got)
				}
				if args == nil && !strings.HasSuffix(got.stderr, "gemwire: -: "+test.want+"\n") {
					t.Errorf("it says %s", got.stderr)
				}
				if checked := gemwire(t, got.stdout, "validate", "--as",
					"aisdk-stream"); checked.code != 0 {
					t.Errorf("%s: validate: %+v", args, checked)
				}
			}
		})
	}
}

func TestStrictTakesTheEventsOfTheExample(t *testing.T) {
	t.Parallel()
	plain := convert(t, "", "agent-ndjson", "aisdk-stream", payload("agent-events.ndjson"))
	strict := convert(t, "", "agent-ndjson", "aisdk-stream", "--strict",
		payload("agent-events.ndjson"))
	if strict.code != 0 || strict.stdout == "" || strict.stdout != plain.stdout {
		t.Errorf("got %+v", strict)
	}
}

func TestBracesInALogLineLoseNoEventOfAnAgent(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		`Unexpected token "{" in file`, `unexpected token '{'`,
		`npm ERR! unexpected token { in JSON`,
		`{"type":"message","role":"assistant","content":"cut`,
	} {
		got := convert(t, line+"\n"+agentText+agentMessage, "agent-ndjson", "aisdk-stream")
		if got.code != 0 || strings.Count(got.stdout, `"delta":"Fill`) != 2 {
			t.Errorf("after %s: %+v", line, got)
		}
	}
}

func TestAPartAfterFinishIsAnError(t *testing.T) {
	t.Parallel()
	input := finishPart + "\n" + finishPart + "\n"
	const want = "/1: it comes after finish, which ends the stream\n"
	if got := gemwire(t, input, "validate", "--as", "aisdk-stream"); got.code != 1 ||
		got.stdout != "-: "+want {
		t.Errorf("validate: %+v", got)
	}
	if got := convert(t, input, "aisdk-stream", "aisdk-stream"); got.code != 1 ||
		!strings.HasSuffix(got.stderr, want) {
		t.Errorf("convert: %+v", got)
	}
}
