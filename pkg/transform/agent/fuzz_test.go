package agent_test

import (
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/pkg/aisdk"
	"github.com/gemwire/gemwire/pkg/transform/agent"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// pieces reads s in pieces whose sizes depend on a seed.
type pieces struct {
	s    string
	seed uint64
}

func (p *pieces) Read(b []byte) (int, error) {
	if p.s == "" {
		return 0, io.EOF
	}
	p.seed = p.seed*6364136223846793005 + 1442695040888963407
	n := copy(b, p.s[:min(len(p.s), int(p.seed>>60)+1)])
	p.s = p.s[n:]
	return n, nil
}

// FuzzExtractJSONObjects checks that the objects are in the buffer in order and balanced. Text
// between them without quotes, backslashes and braces is skipped as in the TypeScript client. Any
// split of the input gives the same result, for the reader and for repeated calls with the rest. A
// JSON object is found unchanged. No buffer costs more than one of the following lines.
func FuzzExtractJSONObjects(f *testing.F) {
	for i, c := range extractionCases {
		f.Add(c.buffer, uint64(i))
	}
	f.Fuzz(checkExtraction)
}

func checkExtraction(t *testing.T, buffer string, seed uint64) {
	t.Helper()
	whole := extract(buffer)
	if outside := between(t, buffer, whole); !strings.ContainsAny(outside, `"\{}`) {
		if diff := cmp.Diff(extractTheirs(buffer), whole); diff != "" {
			t.Fatalf("%q (-theirs +ours):\n%s", buffer, diff)
		}
	}
	if value := jsontext.Value(buffer); value.Kind() == '{' &&
		value.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
		if diff := cmp.Diff(all(strings.Trim(buffer, " \t\r\n")), whole); diff != "" {
			t.Fatalf("%q is an object (-want +got):\n%s", buffer, diff)
		}
	}
	const last = `{"c":3}`
	more := extract(buffer + "\n" + `{"b":2}` + "\n" + last + "\n")
	if n := len(more.Objects); more.Rest != "" || n == 0 || more.Objects[n-1] != last {
		t.Fatalf("%q hides two lines: %q", buffer, more)
	}
	checkSplits(t, buffer, seed, whole)
}

// Significant bytes of the scanner in any order. Mutations of the fuzzer are seldom as dense.
func TestAnySequenceOfBracesAndQuotesIsSplitAnywhere(t *testing.T) {
	t.Parallel()
	tokens := []string{"{", "}", `"`, `\`, ":", ",", "[", "]", " ", "\n", "x", `{"`, `"a":`,
		`{"a":`, `{"a":1}`, "{}"}
	random := rand.New(rand.NewPCG(3, 4))
	rounds := 20_000
	if testing.Short() {
		rounds /= 20
	}
	for range rounds {
		var buffer strings.Builder
		for range random.IntN(16) {
			buffer.WriteString(tokens[random.IntN(len(tokens))])
		}
		checkExtraction(t, buffer.String(), random.Uint64())
	}
}

// between returns the text outside of the objects and the rest. They must be in the buffer in
// order.
func between(t *testing.T, buffer string, whole extraction) (outside string) {
	t.Helper()
	left := buffer
	for _, object := range whole.Objects {
		before, after, found := strings.Cut(left, object)
		if !found || !balanced(object) || !headed(object) {
			t.Fatalf("%q is not the next object in %q", object, left)
		}
		outside, left = outside+before, after
	}
	if !strings.HasSuffix(left, whole.Rest) || whole.Rest != "" && whole.Rest[0] != '{' {
		t.Fatalf("the rest is %q, left is %q", whole.Rest, left)
	}
	return outside + strings.TrimSuffix(left, whole.Rest)
}

// headed reports whether an object is empty or starts with a name.
func headed(object string) bool {
	head := strings.TrimLeft(object[1:], " \t\r\n")
	return head == "}" || head[0] == '"'
}

// balanced reports whether braces outside of strings balance at the last byte and not earlier.
func balanced(object string) bool {
	depth := 0
	inString := false
	for i := 0; i < len(object); i++ {
		switch b := object[i]; {
		case b == '\\':
			i++
		case b == '"':
			inString = !inString
		case inString:
		case b == '{':
			depth++
		case b == '}':
			depth--
			if depth == 0 {
				return i == len(object)-1
			}
		}
	}
	return false
}

func checkSplits(t *testing.T, buffer string, seed uint64, whole extraction) {
	t.Helper()
	streamed, err := read(agent.NewExtractor(&pieces{buffer, seed}))
	want := whole
	want.Rest = strings.TrimRight(want.Rest, " \t\r\n")
	if diff := cmp.Diff(want, streamed); err != nil || diff != "" {
		t.Fatalf("%q in pieces: %v (-want +got):\n%s", buffer, err, diff)
	}
	var joined extraction
	in := &pieces{buffer, seed}
	for piece := make([]byte, 16); ; {
		n, err := in.Read(piece)
		if err != nil {
			break
		}
		objects, rest := agent.ExtractJSONObjects(joined.Rest + string(piece[:n]))
		joined.Objects, joined.Rest = append(joined.Objects, objects...), rest
	}
	if diff := cmp.Diff(whole, joined); diff != "" {
		t.Fatalf("%q with the rest: (-want +got):\n%s", buffer, diff)
	}
}

// FuzzMapNDJSON checks that each turn is a well-formed stream of parts for any input, and that any
// split of the input gives the same parts.
func FuzzMapNDJSON(f *testing.F) {
	for _, event := range agentEvents {
		f.Add(hello+event+"\n"+world+snapshot+thanks, uint64(1))
	}
	for _, c := range extractionCases {
		f.Add(c.buffer+"\n"+hello+world+"\n"+snapshot+thanks, uint64(3))
		f.Add(strings.ReplaceAll(c.buffer, `"a":`,
			`"type":"message","role":"assistant","content":"A","a":`)+"\n"+thanks, uint64(4))
	}
	inputs, err := filepath.Glob(filepath.Join("testdata", "streams", "*.input"))
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range inputs {
		input, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(input), uint64(2))
	}
	f.Fuzz(func(t *testing.T, input string, seed uint64) {
		whole := checkedTurns(t, strings.NewReader(input))
		split := checkedTurns(t, &pieces{input, seed})
		if diff := cmp.Diff(whole, split); diff != "" {
			t.Fatalf("%q in pieces (-whole +split):\n%s", input, diff)
		}
	})
}

// Events in any order, with noise between them, also make well-formed streams. The fuzzer seldom
// makes such inputs.
func TestAnySequenceOfEventsIsAWellFormedStream(t *testing.T) {
	t.Parallel()
	events := append([]string{hello, world, thanks, snapshot, sandbox}, agentEvents...)
	noise := []string{"", "\n", ", ", "5\" ", "} ", "\\", "{bad}", "log: x=1\n", "\xff",
		"unexpected \"{\" in\n", "unexpected '{' ", "f() {\n", "{\"type\":\"message\",\"content\":\"cut\n", "{\"type\":\n"}
	random := rand.New(rand.NewPCG(1, 2))
	requests := 0
	for range 300 {
		var input strings.Builder
		for range random.IntN(20) {
			input.WriteString(events[random.IntN(len(events))] + noise[random.IntN(len(noise))])
		}
		whole := checkedTurns(t, strings.NewReader(input.String()))
		split := checkedTurns(t, &pieces{input.String(), random.Uint64()})
		if diff := cmp.Diff(whole, split); diff != "" {
			t.Fatalf("%q in pieces (-whole +split):\n%s", input.String(), diff)
		}
		requests += len(whole) - 1
	}
	if requests < 100 {
		t.Errorf("only %d relay requests in all sequences", requests)
	}
}

// checkedTurns reads all turns of a stream and checks each.
func checkedTurns(t *testing.T, r io.Reader) (out [][]aisdkapi.Part) {
	t.Helper()
	s := agent.NewStream(r, numbered())
	blocks := map[string]bool{}
	for {
		var parts []aisdkapi.Part
		var failure error
		for part, err := range s.Parts() {
			if failure = err; err != nil {
				break
			}
			parts = append(parts, part)
		}
		if _, ok := errors.AsType[*agent.InputError](failure); failure != nil && !ok {
			t.Fatal(failure)
		}
		out = append(out, parts)
		checkTurn(t, parts, blocks, s.RelayRequest() != nil, failure != nil)
		if s.RelayRequest() == nil {
			return out
		}
	}
}

// checkTurn checks the grammar of a turn: consecutive blocks, then one finish. The finish is
// tool-calls if there is a relay request. It is error if the input is invalid or the run of the
// agent failed. blocks has the ids that have been used.
func checkTurn(t *testing.T, parts []aisdkapi.Part, blocks map[string]bool, relay, failed bool) {
	t.Helper()
	open, calls, errs := "", 0, 0
	for i, part := range parts {
		checkRoundTrip(t, part)
		bad := false
		switch p := part.(type) {
		case aisdkapi.TextStart:
			bad = open != "" || blocks[p.ID]
			open, blocks[p.ID] = p.ID, true
		case aisdkapi.TextDelta:
			bad = p.ID != open
		case aisdkapi.TextEnd:
			bad = p.ID != open
			open = ""
		case aisdkapi.ToolCall:
			calls++
			bad = open != "" || p.ToolCallID == "" || jsontext.Value(p.Input).Kind() != '{' ||
				!jsontext.Value(p.Input).IsValid(jsontext.AllowDuplicateNames(true),
					jsontext.AllowInvalidUTF8(true))
		case aisdkapi.Finish:
			wanted := aisdkapi.UnifiedFinishReasonStop
			switch {
			case relay:
				wanted = aisdkapi.UnifiedFinishReasonToolCalls
			case failed,
				// by a result, in this turn or an earlier one
				p.FinishReason.Unified == aisdkapi.UnifiedFinishReasonError:
				wanted = aisdkapi.UnifiedFinishReasonError
			}
			bad = open != "" || i != len(parts)-1 || p.FinishReason.Unified != wanted
		case aisdkapi.ErrorPart:
			errs++
			bad = open != ""
		case aisdkapi.ResponseMetadata:
		default:
			bad = true
		}
		if bad {
			t.Fatalf("part %d does not belong there: %+v", i, parts)
		}
	}
	if len(parts) == 0 || parts[len(parts)-1].PartType() != aisdkapi.PartTypeFinish ||
		(calls == 1) != relay || calls > 1 || failed && errs == 0 {
		t.Fatalf("the turn ends wrongly (relay request: %t): %+v", relay, parts)
	}
}

func checkRoundTrip(t *testing.T, part aisdkapi.Part) {
	t.Helper()
	line, err := aisdk.EncodePart(part)
	if err != nil {
		t.Fatal(err)
	}
	if !jsontext.Value(line).IsValid() || strings.Contains(string(line), "\n") {
		t.Fatalf("%s is not one line of JSON", line)
	}
	back, err := aisdk.DecodePart(line)
	if diff := cmp.Diff(part, back); err != nil || diff != "" {
		t.Fatalf("%s: %v\n%s", line, err, diff)
	}
}
