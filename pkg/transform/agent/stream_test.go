package agent_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/pkg/aisdk"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/agent"
	"github.com/google/go-cmp/cmp"
)

const (
	snapshot = `{"type":"snapshot_request","requestId":"req-1","instruction":"Fill the login form"}`
	sandbox  = `{"type":"sandbox","sandbox_id":"sbx_123"}`
)

// turn returns the parts of a turn as lines.
func turn(t *testing.T, s *agent.Stream) (string, error) {
	t.Helper()
	var out strings.Builder
	for part, err := range s.Parts() {
		if err != nil {
			if part != nil {
				t.Errorf("a part came with the error: %v", part)
			}
			return out.String(), err
		}
		if err := aisdk.WritePart(&out, part); err != nil {
			t.Fatal(err)
		}
	}
	return out.String(), nil
}

// Each input in testdata/streams is a whole connection. The golden file has its turns in order.
func TestTheGoldenStreams(t *testing.T) {
	t.Parallel()
	inputs, err := filepath.Glob(filepath.Join("testdata", "streams", "*.input"))
	if err != nil || len(inputs) == 0 {
		t.Fatalf("no inputs: %v", err)
	}
	for _, path := range inputs {
		name := strings.TrimSuffix(filepath.Base(path), ".input")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			input, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, filepath.Join("streams", name+".parts.ndjson"),
				turns(t, strings.NewReader(string(input))))
			if t.Failed() {
				return
			}
			golden(t, filepath.Join("streams", name+".parts.ndjson"),
				turns(t, iotest.OneByteReader(strings.NewReader(string(input)))))
		})
	}
}

// turns continues after every relay request, to the end of the input.
func turns(t *testing.T, r io.Reader) string {
	t.Helper()
	s := agent.NewStream(r, numbered())
	var out strings.Builder
	for {
		lines, err := turn(t, s)
		if err != nil && !errors.Is(err, agent.ErrTruncated) {
			t.Fatal(err)
		}
		out.WriteString(lines)
		if s.RelayRequest() == nil {
			return out.String()
		}
	}
}

func TestATurnEndsWithARelayRequestAndTheNextContinuesAfterIt(t *testing.T) {
	t.Parallel()
	const input = hello + "\n" + snapshot + "\n" + world + thanks
	for name, r := range map[string]io.Reader{
		"whole":        strings.NewReader(input),
		"byte by byte": iotest.OneByteReader(strings.NewReader(input)),
	} {
		s := agent.NewStream(r, numbered(), agent.WithFinishUsage(aisdkapi.Usage{}),
			agent.WithResponseID("sess"))
		for i, want := range []struct{ parts, relay string }{
			{`{"type":"response-metadata","id":"sess"}
{"type":"text-start","id":"b1"}
{"type":"text-delta","id":"b1","delta":"Hello "}
{"type":"text-end","id":"b1"}
{"type":"tool-call","toolCallId":"req-1","toolName":"getFormSnapshot","input":"{\"instruction\":\"Fill the login form\"}"}
{"type":"finish","usage":{"inputTokens":{},"outputTokens":{}},"finishReason":{"unified":"tool-calls"}}
`, snapshot},
			{`{"type":"response-metadata","id":"sess"}
{"type":"text-start","id":"b2"}
{"type":"text-delta","id":"b2","delta":"world!"}
{"type":"text-end","id":"b2"}
{"type":"text-start","id":"b3"}
{"type":"text-delta","id":"b3","delta":"Done."}
{"type":"text-end","id":"b3"}
{"type":"finish","usage":{"inputTokens":{},"outputTokens":{}},"finishReason":{"unified":"stop"}}
`, ""},
			{"", ""}, // the input has ended, and was finished once
		} {
			got, err := turn(t, s)
			if diff := cmp.Diff(want.parts, got); err != nil || diff != "" {
				t.Errorf("%s, turn %d: %v (-want +got):\n%s", name, i, err, diff)
			}
			if string(s.RelayRequest()) != want.relay {
				t.Errorf("%s, turn %d: relay request %s", name, i, s.RelayRequest())
			}
		}
	}
}

func TestNothingIsReadAfterARelayRequest(t *testing.T) {
	t.Parallel()
	forbidden := iotest.ErrReader(errors.New("was read"))
	s := agent.NewStream(io.MultiReader(strings.NewReader(hello+snapshot), forbidden))
	if _, err := turn(t, s); err != nil || s.RelayRequest() == nil {
		t.Errorf("%v, relay request %s", err, s.RelayRequest())
	}
}

func TestPartsComeBeforeMoreIsRead(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	defer w.Close()
	go io.WriteString(w, hello+"\n") // and then nothing more
	want := []aisdkapi.Part{aisdkapi.TextStart{ID: "b1"},
		aisdkapi.TextDelta{ID: "b1", Delta: "Hello "}}
	for part, err := range agent.MapNDJSON(r, numbered()) {
		if diff := cmp.Diff(want[0], part); err != nil || diff != "" {
			t.Fatalf("%v\n%s", err, diff)
		}
		if want = want[1:]; len(want) == 0 {
			break
		}
	}
}

func TestAnInputThatIsNoWholeStreamOfEventsEndsInAnError(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		input  string
		err    error
		offset int64
	}{
		"empty":                      {"", agent.ErrNoEvent, 0},
		"white space":                {"\r\n \t\n", agent.ErrNoEvent, 0},
		"a byte order mark":          {"\uFEFF", agent.ErrNoEvent, 0},
		"an empty list":              {"[]", agent.ErrNoEvent, 0},
		"a banner":                   {"starting ...\n", agent.ErrNoEvent, 0},
		"binary":                     {"\x1f\x8b\x08\x00\x00{\x00\xff\xfe\x00}", agent.ErrNoEvent, 0},
		"an event stream":            {"data: {\"candidates\":[{\"finishReason\":\"STOP\"}]}\n\n", agent.ErrNoEvent, 0},
		"a completion":               {`{"object":"chat.completion","choices":[]}`, agent.ErrNoEvent, 0},
		"parts":                      {`{"type":"text-delta","id":"0","delta":"x"}`, agent.ErrNoEvent, 0},
		"an event that is not JSON":  {`{"type":"message",}`, agent.ErrNoEvent, 0},
		"cut after an event":         {hello + "\n" + world[:40], agent.ErrTruncated, int64(len(hello)) + 1},
		"cut after an event, a line": {hello + "\n" + world[:40] + "\r\n\n", agent.ErrTruncated, int64(len(hello)) + 1},
		"cut after a name":           {hello + `{"type":`, agent.ErrTruncated, int64(len(hello))},
		"cut after a brace":          {hello + `{`, agent.ErrTruncated, int64(len(hello))},
		"cut in the first event":     {hello[:40], agent.ErrTruncated, 0},
		"cut in a list":              {"[" + hello + "," + world[:60], agent.ErrTruncated, int64(len(hello)) + 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, r := range []io.Reader{strings.NewReader(test.input),
				iotest.OneByteReader(strings.NewReader(test.input))} {
				got, err := turn(t, agent.NewStream(r, numbered()))
				if !strings.Contains(got, `{"type":"error","error":"agent: at byte `) ||
					!strings.HasSuffix(got, `"finishReason":{"unified":"error"}}`+"\n") {
					t.Errorf("got %s", got)
				}
				fault, ok := errors.AsType[*agent.InputError](err)
				if !ok || !errors.Is(err, test.err) {
					t.Fatalf("got %v", err)
				}
				if pointer, offset := fault.Location(); pointer != "" || offset != test.offset ||
					fault.Reason() == "" {
					t.Errorf("%s at %q, %d", fault.Reason(), pointer, offset)
				}
			}
		})
	}
}

func TestEveryBeginningOfAStreamIsWholeOrAnError(t *testing.T) {
	t.Parallel()
	const input = hello + "\n" + sandbox + "\n" + world + "\n"
	ends := map[int]bool{len(hello): true, len(hello + sandbox + "\n"): true, len(input) - 1: true}
	for at := range len(input) + 1 {
		_, err := turn(t, agent.NewStream(strings.NewReader(input[:at]), numbered()))
		if whole := ends[at] || ends[at-1]; whole != (err == nil) {
			t.Errorf("%q: %v", input[:at], err)
		}
	}
}

func TestEventsThatHaveNoPartsAreAStreamToo(t *testing.T) {
	t.Parallel()
	for _, input := range []string{`{"type":"tool_use"}`, `{"type":"stderr","content":"x"}`,
		`{"type":"message","role":"user","content":"x"}`} {
		got, err := turn(t, agent.NewStream(strings.NewReader(input)))
		if err != nil || !strings.HasSuffix(got, `"finishReason":{"unified":"stop"}}`+"\n") {
			t.Errorf("%s: %s, %v", input, got, err)
		}
	}
}

func TestARunThatFailedEndsInAnErrorPart(t *testing.T) {
	t.Parallel()
	for input, want := range map[string]string{
		hello + `{"type":"result","status":"error","error":{"type":"E", "message":"too many turns"}}`: `{"type":"text-end","id":"b1"}
{"type":"error","error":{"type":"E","message":"too many turns"}}
{"type":"finish","usage":{"inputTokens":{},"outputTokens":{}},"finishReason":{"unified":"error"}}
`,
		`{"type":"result","status":"error"}`: `{"type":"error","error":"the run of the agent failed"}
{"type":"finish","usage":{"inputTokens":{},"outputTokens":{}},"finishReason":{"unified":"error"}}
`,
		`{"type":"result","status":"success"}`: `{"type":"finish","usage":{"inputTokens":{},"outputTokens":{}},"finishReason":{"unified":"stop"}}
`,
	} {
		got, err := turn(t,
			agent.NewStream(strings.NewReader(input), numbered(),
				agent.WithFinishUsage(aisdkapi.Usage{})))
		if err != nil || !strings.HasSuffix(got, want) {
			t.Errorf("%s: %v\n%s", input, err, got)
		}
	}
}

func TestAFailureClosesTheStreamWithAPartAndAnError(t *testing.T) {
	t.Parallel()
	reset := errors.New(`read "tcp": connection reset`)
	r := io.MultiReader(strings.NewReader(hello+world[:20]), iotest.ErrReader(reset))
	s := agent.NewStream(r, numbered(), agent.WithFinishUsage(aisdkapi.Usage{}))
	got, err := turn(t, s)
	want := `{"type":"text-start","id":"b1"}
{"type":"text-delta","id":"b1","delta":"Hello "}
{"type":"text-end","id":"b1"}
{"type":"error","error":"agent: reading events at byte 89: read \"tcp\": connection reset"}
{"type":"finish","usage":{"inputTokens":{},"outputTokens":{}},"finishReason":{"unified":"error"}}
`
	if diff := cmp.Diff(want, got); !errors.Is(err, reset) || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if again, err := turn(t, s); again != "" || !errors.Is(err, reset) {
		t.Errorf("then %v and %s", err, again)
	}
}

func TestAnEventOverTheLimitFailsTheStream(t *testing.T) {
	t.Parallel()
	for _, err := range agent.MapNDJSON(strings.NewReader(sandbox+snapshot),
		agent.WithObjectLimit(50)) {
		if err == nil {
			continue
		}
		tooLarge, ok := errors.AsType[*agent.ObjectTooLargeError](err)
		if !ok || tooLarge.Offset != int64(len(sandbox)) || tooLarge.Limit != 50 {
			t.Errorf("got %v", err)
		}
		return
	}
	t.Error("no error")
}

func TestALoopThatBreaksOffContinuesWithTheNextEvent(t *testing.T) {
	t.Parallel()
	s := agent.NewStream(strings.NewReader(thanks+sandbox), numbered())
	for part := range s.Parts() {
		if diff := cmp.Diff(aisdkapi.Part(aisdkapi.TextStart{ID: "b1"}), part); diff != "" {
			t.Error(diff)
		}
		break
	}
	got, err := turn(t, s)
	if !strings.HasPrefix(got, `{"type":"response-metadata"}`+"\n") || err != nil {
		t.Errorf("got %s, %v", got, err)
	}
	for range agent.NewStream(strings.NewReader(thanks), agent.WithResponseID("x")).Results() {
		break // must stop
	}
}

func TestResultsSayWhatEachEventStandsFor(t *testing.T) {
	t.Parallel()
	input := `{"type":"init","session_id":"s1","timestamp":"now"}` + "oops {\"b\":bad}\n" +
		snapshot + sandbox + ` tail`
	s := agent.NewStream(strings.NewReader(input), numbered())
	var got []agent.Result
	for range 2 {
		for result, err := range s.Results() {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, result)
		}
	}
	want := []agent.Result{
		{
			Parts:         []aisdkapi.Part{aisdkapi.ResponseMetadata{}},
			SessionUpdate: agent.SessionUpdate{GeminiSessionID: "s1"},
			Report: report.Report{{Pointer: "/0/timestamp", Kind: report.Lost,
				Detail: "event at byte 0: no part has a member for it"}},
		},
		{Report: report.Report{
			{Pointer: "/-", Kind: report.Lost, Detail: "byte 51: skipped 4 bytes of text outside of objects"},
			{Pointer: "/1", Kind: report.Lost, Detail: "event at byte 56: not a JSON object, at its byte 5: not JSON"},
		}},
		{
			Parts: []aisdkapi.Part{call("req-1", "getFormSnapshot",
				`{"instruction":"Fill the login form"}`), finishCalls},
			SessionUpdate: agent.SessionUpdate{PendingRequestID: "req-1"},
			RelayRequest:  []byte(snapshot),
		},
		{Parts: []aisdkapi.Part{aisdkapi.ResponseMetadata{}}, SessionUpdate: agent.SessionUpdate{SandboxID: "sbx_123"}},
		{
			Parts: []aisdkapi.Part{finishZero},
			Report: report.Report{{Pointer: "/-", Kind: report.Lost,
				Detail: "byte 191: skipped 4 bytes of text outside of objects"}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if s.Skipped() != 1 {
		t.Errorf("%d objects skipped", s.Skipped())
	}
}

func TestObjectsThatAreNotJSONAreSkippedAndCounted(t *testing.T) {
	t.Parallel()
	input := `{"type":"init",}` + hello + `{"a"` + "\n\n"
	s := agent.NewStream(strings.NewReader(input), numbered())
	got, err := turn(t, s)
	if !errors.Is(err, agent.ErrTruncated) || strings.Count(got, "\n") != 5 || s.Skipped() != 2 {
		t.Errorf("%v, %d skipped:\n%s", err, s.Skipped(), got)
	}
	want := report.Report{
		{Pointer: "/0", Kind: report.Lost, Detail: "event at byte 0: not a JSON object, at its byte 14: not JSON"},
		{Pointer: "/2", Kind: report.Lost, Detail: "event at byte 85: not a JSON object, at its byte 4: it ends too early"},
	}
	if diff := cmp.Diff(want, s.Report()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDiscardedInputIsReportedAndNotMapped(t *testing.T) {
	t.Parallel()
	r := strings.NewReader(hello + snapshot + "oops\n" + world + `{"b":bad}{"a"` + "\n")
	s := agent.NewStream(r, numbered())
	if _, err := turn(t, s); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the end stays the end
		if err := s.Discard(); err != nil {
			t.Fatal(err)
		}
	}
	const detail = ": it comes after the request that ends the turn"
	want := report.Report{
		{Pointer: "/-", Kind: report.Lost, Detail: "byte 152: skipped 4 bytes of text outside of objects"},
		{Pointer: "/2", Kind: report.Lost, Detail: "event at byte 157" + detail},
		{Pointer: "/3", Kind: report.Lost, Detail: "event at byte 226" + detail},
		{Pointer: "/4", Kind: report.Lost, Detail: "event at byte 235" + detail},
	}
	if diff := cmp.Diff(want, s.Report()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if rest, err := turn(t, s); rest != "" || err != nil {
		t.Errorf("then %s, %v", rest, err)
	}
}

func TestAFailureWhileDiscardingIsAnError(t *testing.T) {
	t.Parallel()
	reset := errors.New("connection reset")
	s := agent.NewStream(io.MultiReader(strings.NewReader(snapshot+hello), iotest.ErrReader(reset)))
	if _, err := turn(t, s); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.Discard(); !errors.Is(err, reset) {
			t.Errorf("got %v", err)
		}
	}
}
