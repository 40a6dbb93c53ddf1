package reverse_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/interactions/internal/steps"
	"github.com/gemwire/gemwire/pkg/transform/interactions/reverse"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// recorded returns the recordings whose names end with a suffix, by their names. The test is
// skipped if there are no recordings.
func recorded(t *testing.T, suffix string) map[string][]byte {
	t.Helper()
	root := corpustest.Shared(t, "corpus-interactions")
	paths, err := filepath.Glob(filepath.Join(root, "*", "*"+suffix))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	out := map[string][]byte{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(path)] = data
	}
	return out
}

const responses, streams = ".response.json", ".stream.jsonl"

// lines returns the events of a recorded stream.
func lines(data []byte) (out []string) {
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "{") {
			out = append(out, line)
		}
	}
	return out
}

// asBody returns events as the body of a stream.
func asBody(events []string) []byte {
	var out strings.Builder
	for _, event := range events {
		out.WriteString("data: " + strings.ReplaceAll(event, "\n", " ") + "\n\n")
	}
	return []byte(out.String() + "event: done\ndata: [DONE]\n\n")
}

func convert(document []byte, opts ...reverse.Option) ([]byte, report.Report, error) {
	in, err := interactions.DecodeResponse(document)
	if err != nil {
		return nil, nil, err
	}
	out, entries, err := reverse.ToGemini(in, opts...)
	if err != nil {
		return nil, entries, err
	}
	data, err := gemini.EncodeResponse(out)
	return data, entries, err
}

// converted is the result of a stream.
type converted struct {
	chunks []*geminiapi.GenerateContentResponse
	report report.Report
	err    error
}

func convertStream(events []string, opts ...reverse.Option) converted {
	s := reverse.NewStream(opts...)
	var out converted
	for c, err := range s.Chunks(interactions.NewStreamReader(bytes.NewReader(asBody(events))).All()) {
		if err != nil {
			out.err = err
		} else {
			out.chunks = append(out.chunks, c)
		}
	}
	out.report = s.Report()
	return out
}

func (c *converted) encode() []byte {
	var out []byte
	for _, chunk := range c.chunks {
		data, err := gemini.EncodeResponse(chunk)
		if err != nil {
			return []byte(err.Error())
		}
		out = append(append(out, data...), '\n')
	}
	return out
}

func (c *converted) merged() *geminiapi.GenerateContentResponse {
	out, _ := normalize.MergeChunks(c.chunks...)
	return out
}

// accumulated returns the interaction that the events of a stream make.
func accumulated(t *testing.T, events []string) *interactionsapi.Interaction {
	t.Helper()
	var all interactions.Accumulator
	for _, line := range events {
		event, err := interactions.DecodeEvent([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		if err := all.Push(event); err != nil {
			t.Fatal(err)
		}
	}
	return all.Interaction()
}

// comparable returns an answer as JSON, with the differences between a stream and a whole answer
// removed: the signature of a text follows it on an empty text, an extension comes before its text,
// pieces of raw sound are parts, and empty texts are left out.
func comparable(t *testing.T, in *geminiapi.GenerateContentResponse) string {
	t.Helper()
	out := *in
	out.Candidates = nil
	for i := range in.Candidates {
		c := in.Candidates[i]
		if c.Content != nil {
			content := *c.Content
			content.Parts = joined(content.Parts)
			if c.Content = &content; content.Parts == nil {
				c.Content = nil
			}
		}
		out.Candidates = append(out.Candidates, c)
	}
	data, err := gemini.EncodeResponse(&out)
	if err != nil {
		t.Fatal(err)
	}
	return indented(t, data)
}

func joined(parts []geminiapi.Part) (out []geminiapi.Part) {
	for _, p := range parts {
		last := len(out) - 1
		switch isEmptyText := p.Text != nil && *p.Text == ""; {
		case isEmptyText && p.ThoughtSignature == nil && p.Unknown == nil:
		case isEmptyText && p.ThoughtSignature != nil && last >= 0 && out[last].Text != nil &&
			out[last].Unknown == nil && out[last].ThoughtSignature == nil:
			out[last].ThoughtSignature, out[last].Unknown = p.ThoughtSignature, p.Unknown
		default:
			out = append(out, p)
		}
	}
	return out
}

func indented(t *testing.T, data []byte) string {
	t.Helper()
	value := jsontext.Value(data)
	if err := value.Canonicalize(jsontext.CanonicalizeRawInts(false),
		jsontext.CanonicalizeRawFloats(false)); err != nil {
		t.Fatal(err)
	}
	if err := value.Indent(); err != nil {
		t.Fatal(err)
	}
	return string(value)
}

func TestEveryRecordedInteractionIsConverted(t *testing.T) {
	t.Parallel()
	for name, data := range recorded(t, responses) {
		in, err := interactions.DecodeResponse(data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		out, entries, err := reverse.ToGemini(in)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		plain, _, err := reverse.ToGemini(in, reverse.WithoutExtensions())
		if err != nil {
			t.Fatal(err)
		}
		if err := gemini.ValidateResponse(plain); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if entries.Of(report.Lost) != nil {
			t.Errorf("%s: %v", name, entries)
		}
		checkPointers(t, name, data, entries)
		checkCounts(t, name, in, out)
		checkSteps(t, name, in, out)
	}
}

// checkPointers checks that a report points to existing values.
func checkPointers(t *testing.T, name string, document []byte, entries report.Report) {
	t.Helper()
	tree := openaitest.Tree(t, document)
	for _, e := range entries {
		if e.Kind != report.Added && !openaitest.Exists(tree, e.Pointer) || e.Detail == "" {
			t.Errorf("%s: %v", name, e)
		}
	}
}

// checkCounts checks that the total is the sum of its terms.
func checkCounts(t *testing.T, name string, in *interactionsapi.Interaction,
	out *geminiapi.GenerateContentResponse) {
	t.Helper()
	u := out.UsageMetadata
	if u == nil {
		t.Errorf("%s: no counts", name)
		return
	}
	sum := jsonx.Deref(u.PromptTokenCount) + jsonx.Deref(u.CandidatesTokenCount) +
		jsonx.Deref(u.ThoughtsTokenCount) + jsonx.Deref(u.ToolUsePromptTokenCount)
	if got := jsonx.Deref(u.TotalTokenCount); got != sum || got != jsonx.Deref(in.Usage.TotalTokens) {
		t.Errorf("%s: %d tokens in all, the sum is %d", name, got, sum)
	}
}

// checkSteps checks that the parts of an answer are the same steps again.
func checkSteps(t *testing.T, name string, in *interactionsapi.Interaction,
	out *geminiapi.GenerateContentResponse) {
	t.Helper()
	var entries report.Report
	back := steps.Steps{Report: &entries}
	if len(out.Candidates) > 0 && out.Candidates[0].Content != nil {
		for i := range out.Candidates[0].Content.Parts {
			back.Add(&out.Candidates[0].Content.Parts[i], fmt.Sprint("/", i))
		}
	}
	list, _ := back.All()
	want, got := encode(t, withoutAnnotations(in.Steps)), encode(t, list)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: other steps (-want +got):\n%s", name, diff)
	}
}

// withoutAnnotations returns steps without annotations, which the metadata have.
func withoutAnnotations(list []interactionsapi.Step) []interactionsapi.Step {
	var out []interactionsapi.Step
	for _, s := range list {
		content := interactions.ContentOf(&s)
		if len(content) > 0 {
			s.Content = interactionsapi.Step{}.Content
			var blocks []interactionsapi.Content
			for _, c := range content {
				c.Annotations = nil
				blocks = append(blocks, c)
			}
			data, _ := json.Marshal(blocks)
			_ = json.Unmarshal(data, &s.Content)
		}
		out = append(out, s)
	}
	return out
}

func encode(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return indented(t, data)
}

func TestTheChunksOfEveryRecordedStreamEqualTheWholeAnswer(t *testing.T) {
	t.Parallel()
	for name, data := range recorded(t, streams) {
		checkStream(t, name, lines(data))
		plain := convertStream(lines(data), reverse.WithoutExtensions())
		for i, c := range plain.chunks {
			if err := gemini.ValidateChunk(c); err != nil {
				t.Errorf("%s: chunk %d: %v", name, i, err)
			}
		}
	}
}

// checkStream checks a stream and the steps that its chunks make.
func checkStream(t *testing.T, name string, events []string) {
	t.Helper()
	checkEqual(t, name, events)
	out := convertStream(events)
	checkSteps(t, name, accumulated(t, events), out.merged())
}

// checkEqual compares a stream with the whole answer for the same interaction.
func checkEqual(t *testing.T, name string, events []string, opts ...reverse.Option) {
	t.Helper()
	out := convertStream(events, opts...)
	if out.err != nil {
		t.Errorf("%s: %v", name, out.err)
		return
	}
	in := accumulated(t, events)
	whole, _, err := reverse.ToGemini(in, opts...)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if diff := cmp.Diff(comparable(t, whole), comparable(t, out.merged())); diff != "" {
		t.Errorf("%s: -whole +streamed: %s", name, diff)
	}
	for i, c := range out.chunks {
		if isLast := i == len(out.chunks)-1; len(c.Candidates) > 0 &&
			(c.Candidates[0].FinishReason != nil) != isLast {
			t.Errorf("%s: chunk %d of %d has a finish reason, or the last one has none", name, i,
				len(out.chunks))
		}
	}
	checkPointers(t, name, []byte("["+strings.Join(events, ",")+"]"), out.report)
}

func TestNothingOfARecordedInteractionIsLostSilently(t *testing.T) {
	t.Parallel()
	changed := 0
	for name, data := range recorded(t, responses) {
		changed += checkLeaves(t, name, data, 200)
		changed += checkLeaves(t, name, data, 60, reverse.WithoutExtensions())
	}
	t.Logf("%d leaves changed", changed)
}

// checkLeaves changes values of an interaction one after the other. The answer or a report must
// show the change, or the changed interaction is refused.
func checkLeaves(t *testing.T, name string, document []byte, most int, opts ...reverse.Option) int {
	t.Helper()
	before, entries, err := convert(document, opts...)
	if err != nil {
		return 0
	}
	leaves, err := leaftest.All(document)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	inventions, err := leaftest.Inventions(document)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	leaves = append(leaftest.Sample(leaves, leaftest.Enough(most)),
		leaftest.Sample(inventions, leaftest.Enough(most))...)
	for _, l := range leaves {
		after, entriesAfter, err := convert(l.Change(document), opts...)
		if err == nil && bytes.Equal(before, after) && !entries.Covers(l.Pointer) &&
			!entriesAfter.Covers(l.Pointer) && !reportsMore(entries, entriesAfter, l.Pointer) {
			t.Errorf("%s: %s is lost silently", name, l.Pointer)
		}
	}
	return len(leaves)
}

// reportsMore reports whether a later report has an entry below a pointer that the earlier one does
// not have, as for a new member of an object.
func reportsMore(before, after report.Report, pointer string) bool {
	for _, e := range after {
		if strings.HasPrefix(e.Pointer, pointer+"/") && !before.Covers(e.Pointer) {
			return true
		}
	}
	return false
}

func TestNothingOfARecordedStreamIsLostSilently(t *testing.T) {
	t.Parallel()
	changed := 0
	for name, data := range recorded(t, streams) {
		changed += checkEventLeaves(t, name, lines(data), 150)
		changed += checkEventLeaves(t, name, lines(data), 50, reverse.WithoutExtensions())
	}
	t.Logf("%d leaves changed", changed)
}

// checkEventLeaves changes values of the events of a stream one after the other.
func checkEventLeaves(t *testing.T, name string, events []string, most int,
	opts ...reverse.Option) int {
	t.Helper()
	before := convertStream(events, opts...)
	if before.err != nil {
		return 0
	}
	leaves, err := leaftest.AllOfChunks(events)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var inventions []leaftest.ChunkLeaf
	for i, event := range events {
		list, err := leaftest.Inventions([]byte(event))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, l := range list {
			inventions = append(inventions, leaftest.ChunkLeaf{Chunk: i, Leaf: l})
		}
	}
	leaves = append(leaftest.Sample(leaves, leaftest.Enough(most)),
		leaftest.Sample(inventions, leaftest.Enough(most))...)
	for _, l := range leaves {
		after := convertStream(l.ChangeIn(events), opts...)
		at := fmt.Sprintf("/%d%s", l.Chunk, l.Pointer)
		if name == fuzzed && l.Pointer == "/index" {
			continue // it only says which events belong together, and events may have none
		}
		if after.err == nil && bytes.Equal(before.encode(), after.encode()) &&
			!before.report.Covers(at) && !after.report.Covers(at) &&
			!reportsMore(before.report, after.report, at) {
			t.Errorf("%s: %s is lost silently", name, at)
		}
	}
	return len(leaves)
}
