package cli_test

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/gemwire/gemwire/server/cli"
	"github.com/google/go-cmp/cmp"
)

// streamOutputs are the formats that a Gemini stream is converted to. Those that are documents are
// written whole or not at all.
var streamOutputs = []streamOutput{
	{"gemini-stream", false},
	{"gemini-response", true},
	{"normalized", true},
	{"normalized-stream", false},
	{"openai-response", true},
	{"openai-stream", false},
	{"aisdk-stream", false},
}

type streamOutput struct {
	format   string
	document bool
}

// ending is the end of a Gemini stream.
type ending string

const (
	endsDone      ending = "done"
	endsBlocked   ending = "blocked"
	endsError     ending = "error of the API"
	endsTruncated ending = "truncated"
	endsElse      ending = "something else"
)

func endingOf(body []byte) ending {
	_, err := normalize.Accumulate(normalize.Events(gemini.NewStreamReader(bytes.NewReader(body)).All()))
	blocked, isBlocked := errors.AsType[*normalize.BlockedError](err)
	reply, isReply := errors.AsType[*gemini.Error](err)
	switch {
	case err == nil:
		return endsDone
	case isBlocked && blocked != nil:
		return endsBlocked
	case isReply && reply.FromAPI():
		return endsError
	case errors.Is(err, wire.ErrTruncated):
		return endsTruncated
	default:
		return endsElse
	}
}

// checkStreamConversions converts a stream to formats. It checks the exit code, standard output and
// standard error, and that the output is valid in its format.
func checkStreamConversions(t *testing.T, body string, end ending, outputs []streamOutput) {
	t.Helper()
	for _, to := range outputs {
		got := convert(t, body, "gemini-stream", to.format, "--quiet")
		fails := end != endsDone && end != endsBlocked &&
			(end != endsError || to.format != "gemini-stream")
		if fails != (got.code == 1) || fails != strings.HasPrefix(got.stderr, "gemwire: -: ") ||
			strings.Count(got.stderr, "\n") != got.code {
			t.Errorf("to %s, %s: exit code %d, standard error %q", to.format, end, got.code,
				got.stderr)
		}
		if to.document && fails {
			if got.stdout != "" {
				t.Errorf("to %s, %s: standard output %q", to.format, end, got.stdout)
			}
			continue
		}
		if to.document && strings.Count(got.stdout, "\n") != 1 {
			t.Errorf("to %s: %d lines", to.format, strings.Count(got.stdout, "\n"))
		}
		if to.format == "gemini-stream" && fails {
			continue // as truncated as its input
		}
		found := gemwire(t, got.stdout, "validate", "--as", to.format)
		if strings.HasPrefix(to.format, "gemini-") &&
			found.code <= gemwire(t, body, "validate", "--as", "gemini-stream").code {
			found = result{} // as valid as the input
		}
		if found != (result{}) {
			t.Errorf("validate --as %s: %+v of\n%s", to.format, found, got.stdout)
		}
		again := convert(t, got.stdout, to.format, to.format)
		if diff := cmp.Diff(result{0, got.stdout, ""}, again, allowUnexported); diff != "" {
			t.Errorf("%s to itself (- once, + twice):\n%s", to.format, diff)
		}
		if done := strings.HasSuffix(got.stdout,
			"data: [DONE]\n\n"); done != (to.format == "openai-stream" && !fails) {
			t.Errorf("to %s, %s: [DONE] is %v", to.format, end, done)
		}
	}
}

// checkWaysToNormalized checks that three ways have the same result: merging a stream first,
// normalising it first, and writing it in canonical form first.
func checkWaysToNormalized(t *testing.T, body string, end ending) {
	t.Helper()
	if end != endsDone && end != endsBlocked {
		return
	}
	want := convert(t, body, "gemini-stream", "normalized").stdout
	for via, from := range map[string]string{
		"gemini-response": "gemini-response", "normalized-stream": "normalized-stream",
		"gemini-stream": "gemini-stream",
	} {
		got := convert(t, convert(t, body, "gemini-stream", via).stdout, from, "normalized").stdout
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("normalized (- directly, + by %s):\n%s", via, diff)
		}
	}
}

func TestEveryExampleStreamConvertsToEveryFormatAndIsValidThere(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob(payload("stream-*"))
	if err != nil || len(paths) != 10 {
		t.Fatalf("%d example streams, %v", len(paths), err)
	}
	endings := map[string]ending{"stream-blocked.sse": endsBlocked, "stream-error.sse": endsError}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			want := endsDone
			if end, ok := endings[filepath.Base(path)]; ok {
				want = end
			}
			body := readFile(t, path)
			if got := endingOf([]byte(body)); got != want {
				t.Fatalf("it ends in %s, want %s", got, want)
			}
			checkStreamConversions(t, body, want, streamOutputs)
			checkWaysToNormalized(t, body, want)
			if got := gemwire(t, "", "validate", "--as", "gemini-stream", path); got != (result{}) {
				t.Errorf("validate --as gemini-stream: %+v", got)
			}
		})
	}
}

// The command converts every recorded stream to one of the formats. The tests of the conversion
// packages convert each stream to each format.
func TestRecordedStreamsConvertToEveryFormat(t *testing.T) {
	t.Parallel()
	count := map[ending]int{}
	total := 0
	for _, recorded := range corpustest.Payloads(t, corpustest.Stream) {
		body := recorded.Read(t)
		end := endingOf(body)
		count[end]++
		total++
		to := total % (len(streamOutputs) + 1)
		t.Run(recorded.Name, func(t *testing.T) {
			if to == len(streamOutputs) {
				checkWaysToNormalized(t, string(body), end)
				return
			}
			checkStreamConversions(t, string(body), end, streamOutputs[to:to+1])
		})
	}
	t.Logf("%d streams: %v", total, count)
	if total < corpustest.AtLeast(610) || count[endsDone] < corpustest.AtLeast(500) {
		t.Errorf("%d streams: %v", total, count)
	}
}

// pieces are inputs in two pieces, with the required output after the first.
var pieces = []struct{ from, to, first, rest, want string }{
	{"gemini-stream", "gemini-stream", firstChunk, lastChunk, `"one"`},
	{"gemini-stream", "normalized-stream", firstChunk, lastChunk, `"one"`},
	{"gemini-stream", "openai-stream", firstChunk, lastChunk, `"one"`},
	{"gemini-stream", "aisdk-stream", firstChunk, lastChunk, `"one"`},
	{"normalized-stream", "normalized-stream", `{"type":"text_delta","text":"one"}` + "\n", `{"type":"done"}`, `"one"`},
	{"openai-stream", "openai-stream", "data: " + completionChunk + "\n\n", "data: [DONE]\n\n", `"one"`},
	{"agent-ndjson", "aisdk-stream", `{"type":"message","role":"assistant","content":"one","delta":true}` + "\n", "", `"one"`},
	{"aisdk-stream", "aisdk-stream", `{"type":"text-delta","id":"0","delta":"one"}` + "\n", finishPart, `"one"`},
}

const (
	firstChunk = `data: {"candidates":[{"content":{"parts":[{"text":"one"}],"role":"model"}}],"responseId":"r"}` +
		"\r\n\r\n"
	lastChunk = `data: {"candidates":[{"content":{"parts":[{"text":"two"}],"role":"model"},"finishReason":"STOP"}]}` +
		"\r\n\r\n"
	completionChunk = `{"id":"r","object":"chat.completion.chunk","created":0,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"one"},"finish_reason":null}]}`
	finishPart      = `{"type":"finish","usage":{"inputTokens":{},"outputTokens":{}},"finishReason":{"unified":"stop"}}`
)

func TestAPieceOfAStreamIsWrittenBeforeTheNextPieceArrives(t *testing.T) {
	t.Parallel()
	for _, test := range pieces {
		t.Run(test.from+" to "+test.to, func(t *testing.T) {
			t.Parallel()
			stdin, write := io.Pipe()
			read, stdout := io.Pipe()
			code := make(chan int, 1)
			var stderr bytes.Buffer
			go func() {
				code <- cli.Run(t.Context(),
					[]string{"convert", "--strict", "--from", test.from, "--to", test.to}, stdin,
					stdout, &stderr)
				stdout.Close()
			}()
			timeout := time.AfterFunc(20*time.Second,
				func() { read.CloseWithError(errors.New("nothing was written")) })
			defer timeout.Stop()

			go io.WriteString(write, test.first) // the input stays open
			output := bufio.NewReader(read)
			for {
				line, err := output.ReadString('\n')
				if err != nil {
					t.Fatalf("before %s: %v, %s", test.want, err, &stderr)
				}
				if strings.Contains(line, test.want) {
					break
				}
			}
			go func() {
				io.WriteString(write, test.rest)
				write.Close()
			}()
			if _, err := io.Copy(io.Discard, output); err != nil {
				t.Error(err)
			}
			if got := <-code; got != 0 || stderr.Len() != 0 {
				t.Errorf("exit code %d, standard error %q", got, &stderr)
			}
		})
	}
}

func TestAStreamThatFailsIsPrintedWithItsLocation(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ from, to, input, stdout, stderr string }{
		"no input":        {"gemini-stream", "gemini-stream", "", "", "/0: offset 0: the stream is truncated: the body is empty\n"},
		"no last chunk":   {"gemini-stream", "gemini-stream", firstChunk, `"one"`, "/1: offset 97: the stream is truncated: no finish reason\n"},
		"a chunk cut off": {"gemini-stream", "normalized-stream", firstChunk + `data: {"cand`, `"one"`, "/1: offset 109: the stream is truncated: the last event is incomplete\n"},
		"a chunk that is invalid": {
			"gemini-stream", "gemini-stream",
			firstChunk + "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":7}]}}]}\n\n" +
				lastChunk, `"one"`,
			"/1/candidates/0/content/parts/0/text: offset 147: a string was expected, found a number\n",
		},
		"a call without a name": {
			"gemini-stream", "normalized-stream",
			firstChunk +
				`data: {"candidates":[{"content":{"parts":[{"functionCall":{"args":{"a":1}}}]}}]}` +
				"\n\n", `"one"`,
			"/1/candidates/0/content/parts/0/functionCall: offset 103: functionCall missing 'name' field\n",
		},
		"a call without a name, merged": {
			"gemini-stream", "normalized",
			firstChunk +
				`data: {"candidates":[{"content":{"parts":[{"functionCall":{"args":{"a":1}}}]}}]}` +
				"\n\n" + lastChunk, "",
			"/1/candidates/0/content/parts/0/functionCall: offset 103: functionCall missing 'name' field\n",
		},
		"a call without a name, to OpenAI": {
			"gemini-stream", "openai-stream",
			firstChunk +
				`data: {"candidates":[{"content":{"parts":[{"functionCall":{"args":{"a":1}}}]}}]}` +
				"\n\n", `data: {"error":{`,
			"/1/candidates/0/content/parts/0/functionCall: offset 103: functionCall missing 'name' field\n",
		},
		"truncated, to OpenAI":     {"gemini-stream", "openai-stream", firstChunk, `data: {"error":{`, "/1: offset 97: the stream is truncated: no finish reason\n"},
		"truncated, to the AI SDK": {"gemini-stream", "aisdk-stream", firstChunk, `{"type":"error",`, "/1: offset 97: the stream is truncated: no finish reason\n"},
		"a page": {
			"gemini-stream", "gemini-stream", "<html>Bad gateway</html>", "",
			"not an answer but an error: ",
		},
		"normalised events without an end": {
			"normalized-stream", "normalized-stream", `{"type":"text_delta","text":"one"}` + "\n",
			`"one"`,
			"/1: offset 34: the stream is truncated: no event is done or error\n",
		},
		"a normalised event after the end": {
			"normalized-stream", "normalized", `{"type":"done"}` + "\n" + `{"type":"done"}` + "\n",
			"", "/1: offset 16: an event after the last event of the stream\n",
		},
		"what is no normalised event": {
			"normalized-stream", "normalized-stream", `{"type":"done","more":1}`, "",
			"/0/more: offset 15: the format has no such member\n",
		},
		"normalised events that are not JSON": {
			"normalized-stream", "normalized-stream", `{"type":"start"}` + "\n" + `{"type":"do`,
			`"start"`, "/1/type: offset 28: the input ends too early\n",
		},
		"normalised events of an error": {
			"normalized-stream", "normalized",
			`{"type":"error","error":{"category":"server","message":"busy"}}`, "",
			"/0: not an answer but an error: busy\n",
		},
		"parts without a finish": {"aisdk-stream", "aisdk-stream", `{"type":"text-start","id":"0"}` + "\n", `"text-start"`, "/1: the stream is truncated: its last part is not finish\n"},
		"a part with a fault": {
			"aisdk-stream", "aisdk-stream", finishPart + "\n" + `{"type":"text-start","id":7}`,
			`"finish"`, "/1/id: offset 97: a string was expected\n",
		},
		"a completion without [DONE]": {"openai-stream", "openai-stream", "data: " + completionChunk + "\n\n", `"one"`, "/1: offset 165: the stream is truncated: neither [DONE] nor an error\n"},
		"a completion that continues after [DONE]": {
			"openai-stream", "openai-stream", "data: [DONE]\n\ndata: " + completionChunk + "\n\n",
			"[DONE]", "/1: offset 20: a second stream begins after the first\n",
		},
		"a completion with a fault": {
			"openai-stream", "openai-stream",
			`data: {"choices":[{"delta":{"tool_calls":[{"function":{"name":[1]}}]}}]}` + "\n\n", "",
			"/0/choices/0/delta/tool_calls/0/function/name: offset 62: a string was expected, found a list\n",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := convert(t, test.input, test.from, test.to)
			if got.code != 1 || !strings.HasPrefix(got.stderr, "gemwire: -: "+test.stderr) ||
				strings.Count(got.stderr, "\n") != 1 {
				t.Errorf("exit code %d, standard error\n%swant\n%s", got.code, got.stderr,
					test.stderr)
			}
			if !strings.Contains(got.stdout, test.stdout) ||
				(test.stdout == "") != (got.stdout == "") ||
				strings.Contains(got.stdout, "[DONE]\n\ndata") {
				t.Errorf("standard output %q, want %s", got.stdout, test.stdout)
			}

			dir := t.TempDir()
			in := writeFile(t, filepath.Join(dir, "in"), test.input)
			got = convert(t, "", test.from, test.to, "--out", filepath.Join(dir, "out"), in)
			if got.code != 1 || got.stdout != "" ||
				!strings.HasPrefix(got.stderr, "gemwire: "+in+": "+test.stderr) {
				t.Errorf("with --out: %+v", got)
			}
			if names := fileNames(t, filepath.Join(dir, "out")); len(names) != 0 {
				t.Errorf("left behind: %q", names)
			}

			if test.to == test.from {
				got = gemwire(t, "", "validate", "--as", test.from, in)
				if got.code != 1 || !strings.Contains(got.stdout, in+": "+test.stderr) ||
					got.stderr != "" {
					t.Errorf("validate: %+v", got)
				}
			}
		})
	}
}

func TestStrictStopsAStreamBeforeItsFirstLoss(t *testing.T) {
	t.Parallel()
	inputs := map[string]struct{ from, to, path, before, after, lost string }{
		"a second candidate": {
			"gemini-stream", "aisdk-stream", payload("stream-two-candidates.sse"),
			"A walk along the", "old town wall", "/1/candidates/0",
		},
		"a second candidate next to the first": {
			"gemini-stream", "aisdk-stream",
			writeFile(t, filepath.Join(t.TempDir(), "stream"),
				`{"candidates":[{"content":{"parts":[{"text":"before"}]}}]}
				{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f"}},{"text":"after"}]}},{"index":1,"finishReason":"STOP"}]}
				{"candidates":[{"finishReason":"STOP"}]}`),
			"before", "after", "/1/candidates/1",
		},
		"text between the events of an agent": {
			"agent-ndjson", "aisdk-stream",
			writeFile(t, filepath.Join(t.TempDir(), "agent"),
				`{"type":"message","role":"assistant","content":"before","delta":true} noise {"type":"message","role":"assistant","content":"after","delta":true}`),
			"before", "after", "/-",
		},
		"what only extensions carry": {
			"gemini-stream", "openai-stream", payload("stream-code-execution.sse"),
			"I plot the parabola", "The lowest point", "/1/candidates/0/content/parts/0",
		},
	}
	for name, test := range inputs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			entries := filepath.Join(dir, "report.json")
			args := []string{"--no-extensions", "--report", entries, test.path}
			if got := convert(t, "", test.from, test.to, args...); got.code != 0 ||
				!strings.Contains(got.stdout, test.after) {
				t.Errorf("without --strict: %+v", got)
			}
			got := convert(t, "", test.from, test.to, append(args, "--strict")...)
			if got.code != 1 || !strings.Contains(got.stdout, test.before) ||
				strings.Contains(got.stdout, test.after) || strings.Contains(got.stdout, "[DONE]") {
				t.Errorf("%+v", got)
			}
			if end := gemwire(t, got.stdout, "validate", "--as", test.to); end.code != 0 ||
				!strings.Contains(got.stdout, `"error"`) {
				t.Errorf("it does not end as its format wants: %+v\n%s", end, got.stdout)
			}
			if want := "gemwire: " + test.path + ": " + test.lost +
				": lost: "; !strings.Contains(got.stderr, want) {
				t.Errorf("standard error lacks %s:\n%s", want, got.stderr)
			}
			lost := 0
			for _, entry := range readReport(t, readFile(t, entries)) {
				if entry.Kind == report.Lost {
					lost++
				}
			}
			if lost == 0 || lost != strings.Count(got.stderr, "\n") {
				t.Errorf("%d losses in the report, on standard error\n%s", lost, got.stderr)
			}
			convert(t, "", test.from, test.to,
				append(args, "--strict", "--out", filepath.Join(dir, "out"))...)
			if names := fileNames(t, filepath.Join(dir, "out")); len(names) != 0 {
				t.Errorf("left behind: %q", names)
			}
		})
	}
}

func TestTheReportOfAStreamCountsItsChunks(t *testing.T) {
	t.Parallel()
	call := report.Entry{Pointer: "/3/candidates/0/content/parts/0/functionCall/id",
		Kind: report.Added}
	second := report.Entry{Pointer: "/4/candidates/1/content/parts/0/functionCall/id",
		Kind: report.Added}
	tests := map[string][]report.Entry{
		"normalized-stream": {call, second},
		"openai-stream":     {call, second},
		"gemini-response":   nil,
		"aisdk-stream":      {{Pointer: "/1/candidates/0", Kind: report.Lost}},
		"normalized":        {call, second},
		"gemini-stream":     nil,
	}
	for to, wants := range tests {
		t.Run(to, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "report.json")
			if got := convert(t, "", "gemini-stream", to, "--report", path,
				payload("stream-two-candidates.sse")); got.code != 0 {
				t.Errorf("%+v", got)
			}
			entries := readReport(t, readFile(t, path))
			found := map[report.Entry]bool{}
			for _, entry := range entries {
				found[report.Entry{Pointer: entry.Pointer, Kind: entry.Kind}] = true
			}
			for _, want := range wants {
				if !found[want] {
					t.Errorf("no %v in %v", want, entries)
				}
			}
			if wants == nil && len(entries) > 0 {
				t.Errorf("%v", entries)
			}
		})
	}
}

func TestAStreamOfChunksHasTheUsageUnlessItIsNotWanted(t *testing.T) {
	t.Parallel()
	file := payload("stream-text.sse")
	flags := []string{"--model", "my-model", "--id", "chatcmpl-7", "--created", "1788000000", file}
	with := convert(t, "", "gemini-stream", "openai-stream", flags...).stdout
	without := convert(t, "", "gemini-stream", "openai-stream",
		append(flags, "--include-usage=false")...).stdout
	if !strings.Contains(with, `"choices":[],"usage":{"prompt_tokens":11,`) ||
		strings.Contains(without, `"usage"`) || !strings.HasSuffix(without, "[DONE]\n\n") {
		t.Errorf("with usage\n%swithout\n%s", with, without)
	}
	head := `data: {"id":"chatcmpl-7","object":"chat.completion.chunk","created":1788000000,"model":"my-model",`
	if chunks := strings.Count(with, "data: {"); chunks != strings.Count(with, head) ||
		chunks != 5 {
		t.Errorf("%d chunks:\n%s", chunks, with)
	}
}

func TestAByteOrderMarkInFrontOfAStreamIsAccepted(t *testing.T) {
	t.Parallel()
	for _, test := range pieces {
		plain := convert(t, test.first+test.rest, test.from, test.to)
		marked := convert(t, "\ufeff"+test.first+test.rest, test.from, test.to, "--strict")
		if diff := cmp.Diff(plain, marked, allowUnexported); plain.code != 0 || diff != "" {
			t.Errorf("%s to %s: exit code %d\n%s", test.from, test.to, plain.code, diff)
		}
	}
}

func TestValidateOfAStreamThatCannotBeReadFindsNothingWrongWithIt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, as := range []string{"gemini-stream", "normalized-stream", "openai-stream",
		"aisdk-stream"} {
		got := gemwire(t, "", "validate", "--as", as, dir)
		if want := (result{1, "", "gemwire: " + dir + ": is a directory\n"}); got != want {
			t.Errorf("as %s: %+v", as, got)
		}
	}
}

func TestStrictDoesNotHideWhyAStreamFails(t *testing.T) {
	t.Parallel()
	const in = `{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishMessage":"m"}]}` + "\n" +
		`{"error":{"code":503,"message":"overloaded","status":"UNAVAILABLE"}}` + "\n"
	for _, to := range []string{"openai-stream", "aisdk-stream", "normalized-stream"} {
		got, strict := convert(t, in, "gemini-stream", to),
			convert(t, in, "gemini-stream", to, "--strict")
		if strict != got || got.code != 1 || !strings.Contains(got.stderr, "overloaded") {
			t.Errorf("%s: got %+v, without --strict %+v", to, strict, got)
		}
	}
}
