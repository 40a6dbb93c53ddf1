package interactions_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	wire "github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/interactions"
	"github.com/google/go-cmp/cmp"
)

// modes are the forms of the output.
var modes = map[string][]interactions.Option{
	"with extensions":    nil,
	"without extensions": {interactions.WithoutExtensions()},
}

func encode(t testing.TB, r *interactionsapi.Interaction) string {
	t.Helper()
	data, err := wire.EncodeResponse(r)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(data), `,"`, ",\n\"")
}

// accumulated returns the interaction that events add up to.
func accumulated(t testing.TB, events []interactionsapi.StreamEvent) *interactionsapi.Interaction {
	t.Helper()
	var a wire.Accumulator
	for i := range events {
		if err := a.Push(&events[i]); err != nil {
			t.Error(err)
		}
	}
	return a.Interaction()
}

// events converts a stream.
func events(t testing.TB, chunks []*geminiapi.GenerateContentResponse, failure error,
	opts ...interactions.Option) ([]interactionsapi.StreamEvent, report.Report, error) {
	t.Helper()
	s := interactions.NewStream(opts...)
	var all []interactionsapi.StreamEvent
	for e, err := range s.Events(openaitest.Pairs(chunks, failure)) {
		if err != nil {
			return all, s.Report(), err
		}
		all = append(all, e)
	}
	return all, s.Report(), nil
}

func TestEveryRecordedAnswerConverts(t *testing.T) {
	t.Parallel()
	openaitest.ForEveryRecordedResponse(t,
		func(t *testing.T, in *geminiapi.GenerateContentResponse, body []byte) {
			for name, opts := range modes {
				out, entries, err := interactions.FromGemini(in, opts...)
				if err != nil {
					t.Fatal(err)
				}
				if err := wire.ValidateResponse(out); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				checkPointers(t, name, body, entries)
				checkUsage(t, in, out)
				checkSteps(t, in, out)
			}
		})
}

// checkPointers checks that a report points to existing values, or for added values to missing
// ones.
func checkPointers(t testing.TB, name string, body []byte, entries report.Report) {
	t.Helper()
	document := openaitest.Tree(t, body)
	for _, e := range entries {
		if e.Kind != report.Added && !openaitest.Exists(document, e.Pointer) {
			t.Errorf("%s: the input has no %s", name, e.Pointer)
		}
		if e.Detail == "" {
			t.Errorf("%s: %s has no detail", name, e.Pointer)
		}
	}
}

// checkUsage checks that the total is the sum of input, output, thoughts and tool use.
func checkUsage(t testing.TB, in *geminiapi.GenerateContentResponse,
	out *interactionsapi.Interaction) {
	t.Helper()
	u := out.Usage
	if u == nil {
		if in.UsageMetadata != nil {
			t.Error("the interaction has no counts")
		}
		return
	}
	if sum := *u.TotalInputTokens + *u.TotalOutputTokens + *u.TotalThoughtTokens +
		*u.TotalToolUseTokens; sum != *u.TotalTokens {
		t.Errorf("the counts add up to %d, the total is %d", sum, *u.TotalTokens)
	}
	if *u.TotalCachedTokens > *u.TotalInputTokens {
		t.Errorf("%d cached tokens of %d", *u.TotalCachedTokens, *u.TotalInputTokens)
	}
}

// checkSteps checks that texts, calls and signatures of a turn are in the steps, in their order.
func checkSteps(t testing.TB, in *geminiapi.GenerateContentResponse,
	out *interactionsapi.Interaction) {
	t.Helper()
	if len(in.Candidates) == 0 || in.Candidates[0].Content == nil {
		return
	}
	var want, got []string
	for _, p := range in.Candidates[0].Content.Parts {
		if s := jsonx.Deref(p.ThoughtSignature); s != "" {
			want = append(want, "signature "+s)
		}
		if p.FunctionCall != nil {
			want = append(want, "call "+jsonx.Deref(p.FunctionCall.Name))
		}
		if p.FunctionCall == nil && jsonx.Deref(p.Text) != "" && !jsonx.Deref(p.Thought) {
			want = append(want, "text "+*p.Text)
		}
	}
	for i := range out.Steps {
		s := &out.Steps[i]
		switch s.Type {
		case interactionsapi.StepTypeFunctionCall:
			got = append(got, "call "+*s.Name)
		case interactionsapi.StepTypeModelOutput:
			for _, c := range wire.ContentOf(s) {
				if c.Type == interactionsapi.ContentTypeText && *c.Text != "" {
					got = append(got, "text "+*c.Text)
				}
			}
		}
		if s.Signature != nil && s.Type != interactionsapi.StepTypeFunctionCall {
			got = append(got, "signature "+*s.Signature)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-parts +steps):\n%s", diff)
	}
}

func TestTheEventsOfEveryRecordedStreamAreInOrderAndMakeTheWholeInteraction(t *testing.T) {
	t.Parallel()
	count := 0
	for _, p := range corpustest.Payloads(t, corpustest.Stream) {
		chunks, failure := openaitest.ReadStream(p.Read(t))
		for name, opts := range modes {
			all, _, err := events(t, chunks, failure, opts...)
			checkGrammar(t, p.Name, all, err != nil)
			if faults := wire.CheckSequence(all); err == nil && faults != nil {
				t.Errorf("%s, %s: %v", p.Name, name, faults)
			}
			for i := range all {
				if fault := wire.ValidateEvent(&all[i]); fault != nil {
					t.Errorf("%s, %s: %v", p.Name, name, fault)
				}
			}
			if err != nil || failure != nil {
				continue // a failed stream has no whole interaction
			}
			merged, _ := normalize.MergeChunks(chunks...)
			whole, _, err := interactions.FromGemini(merged, opts...)
			if errors.Is(err, normalize.ErrNoCandidates) {
				continue
			}
			if err != nil {
				t.Errorf("%s, %s: %v", p.Name, name, err)
				continue
			}
			count++
			if diff := cmp.Diff(encode(t, whole), encode(t, accumulated(t, all))); diff != "" {
				t.Errorf("%s, %s (-whole +accumulated):\n%s", p.Name, name, diff)
			}
		}
	}
	if count < corpustest.AtLeast(800) {
		t.Errorf("only %d streams", count)
	}
}

// checkGrammar checks the order of events: created, status_update, steps one after the other with
// indexes without a gap, completed.
func checkGrammar(t testing.TB, name string, all []interactionsapi.StreamEvent, hasFailed bool) {
	t.Helper()
	open, next := -1, 0
	for i := range all {
		e := &all[i]
		fail := func(what string) { t.Errorf("%s: event %d, %s: %s", name, i, e.EventType, what) }
		if (i == 0) != (e.EventType == interactionsapi.EventTypeInteractionCreated) {
			fail("interaction.created is not the first event")
		}
		isLast := i == len(all)-1 && !hasFailed
		if isLast != (e.EventType == interactionsapi.EventTypeInteractionCompleted) {
			fail("interaction.completed is not the last event")
		}
		switch e.EventType {
		case interactionsapi.EventTypeStepStart:
			if open >= 0 || *e.Index != next {
				fail("a step begins within another one, or with a wrong index")
			}
			open = next
			next++
		case interactionsapi.EventTypeStepDelta:
			if *e.Index != open {
				fail("a delta without its step")
			}
		case interactionsapi.EventTypeStepStop:
			if *e.Index != open {
				fail("a stop without its step")
			}
			open = -1
		default:
			if open >= 0 {
				fail("a step has no end")
			}
		}
	}
	if open >= 0 {
		t.Errorf("%s: the last step has no end", name)
	}
}

func TestNothingOfARecordedAnswerIsLostSilently(t *testing.T) {
	t.Parallel()
	most := leaftest.Enough(60)
	openaitest.ForEveryRecordedResponse(t,
		func(t *testing.T, _ *geminiapi.GenerateContentResponse, body []byte) {
			for name, opts := range modes {
				checkComplete(t, name, body, most, opts...)
			}
		})
}

// checkComplete changes each value of an answer in turn, up to a limit. Each change must show in
// the output or in the report.
func checkComplete(t testing.TB, name string, body []byte, most int, opts ...interactions.Option) {
	t.Helper()
	leaves, err := leaftest.All(body)
	if err != nil {
		t.Fatal(err)
	}
	before, entries := visible(t, body, opts...)
	for _, l := range leaftest.Sample(leaves, most) {
		after, changed := visible(t, l.Change(body), opts...)
		if after == before && !tells(entries, l.Pointer) && !tells(changed, l.Pointer) {
			t.Errorf("%s: %s is lost silently", name, l.Pointer)
		}
	}
}

// visible returns the output, or the error for an input that cannot be converted.
func visible(t testing.TB, body []byte, opts ...interactions.Option) (string, report.Report) {
	t.Helper()
	in, err := gemini.DecodeResponse(body)
	if err != nil {
		return err.Error(), nil
	}
	out, entries, err := interactions.FromGemini(in, opts...)
	if err != nil {
		return err.Error(), nil
	}
	return encode(t, out), entries
}

// tells reports whether an entry at the pointer or above it says how a value was converted. An
// entry for an added value does not.
func tells(entries report.Report, pointer string) bool {
	about := slices.DeleteFunc(slices.Clone(entries),
		func(e report.Entry) bool { return e.Kind == report.Added })
	return about.Covers(pointer)
}

func TestNothingOfARecordedStreamIsLostSilently(t *testing.T) {
	t.Parallel()
	most := leaftest.Enough(30)
	for _, p := range corpustest.Payloads(t, corpustest.Stream) {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			chunks, failure := openaitest.ReadStream(p.Read(t))
			if failure != nil {
				return // the error reports the missing value
			}
			for name, opts := range modes {
				checkStreamComplete(t, name, encodeAll(t, chunks), most, opts...)
			}
		})
	}
}

// encodeAll returns chunks in canonical form, with the member names of reports.
func encodeAll(t testing.TB, chunks []*geminiapi.GenerateContentResponse) (out []string) {
	t.Helper()
	for _, c := range chunks {
		data, err := gemini.EncodeResponse(c)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(data))
	}
	return out
}

// checkStreamComplete does the same as checkComplete for the chunks of a stream.
func checkStreamComplete(t testing.TB, name string, bodies []string, most int,
	opts ...interactions.Option) {
	t.Helper()
	leaves, err := leaftest.AllOfChunks(bodies)
	if err != nil {
		t.Fatal(err)
	}
	stream := []byte("[" + strings.Join(bodies, ",") + "]")
	chunks := openaitest.DecodeAll(t, bodies)
	before, entries := visibleStream(chunks, opts...)
	checkPointers(t, name, stream, entries)
	for _, l := range leaftest.Sample(leaves, most) {
		changedChunk, err := gemini.DecodeResponse(l.Change([]byte(bodies[l.Chunk])))
		if err != nil {
			continue // what cannot be read is not lost silently
		}
		original := chunks[l.Chunk]
		chunks[l.Chunk] = changedChunk
		after, changed := visibleStream(chunks, opts...)
		chunks[l.Chunk] = original
		pointer := fmt.Sprintf("/%d%s", l.Chunk, l.Pointer)
		if strings.HasSuffix(pointer, "/index") {
			continue // it says whose content this is
		}
		if after == before && !tells(entries, pointer) && !tells(changed, pointer) &&
			!leaftest.IsRunningTotal(stream, pointer) {
			t.Errorf("%s: %s is lost silently", name, pointer)
		}
	}
}

// visibleStream returns what a client sees of a stream.
func visibleStream(chunks []*geminiapi.GenerateContentResponse, opts ...interactions.Option) (string,
	report.Report) {
	var out strings.Builder
	entries, err := interactions.WriteStream(&out, openaitest.Pairs(chunks, nil), opts...)
	if err != nil {
		fmt.Fprintln(&out, err)
	}
	return out.String(), entries
}
