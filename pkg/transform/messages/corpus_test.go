package messages_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
	"github.com/gemwire/gemwire/pkg/transform/messages"
	"github.com/google/go-cmp/cmp"
)

func TestEveryRecordedResponseConverts(t *testing.T) {
	t.Parallel()
	openaitest.ForEveryRecordedResponse(t,
		func(t *testing.T, in *geminiapi.GenerateContentResponse, wire []byte) {
			for name, opts := range modes {
				out, report, err := messages.FromGemini(in, opts...)
				if err != nil {
					t.Fatal(err)
				}
				checkMessage(t, name, out)
				checkPointers(t, name, wire, report)
				checkUsage(t, name, in, &out.Usage)
				checkSignatures(t, name, in, out)
			}
		})
}

func TestNothingOfARecordedResponseIsLostSilently(t *testing.T) {
	t.Parallel()
	most := leaftest.Enough(60)
	openaitest.ForEveryRecordedResponse(t,
		func(t *testing.T, _ *geminiapi.GenerateContentResponse, wire []byte) {
			for name, opts := range modes {
				checkComplete(t, name, wire, most, opts...)
			}
		})
}

func TestEveryRecordedStreamAccumulatesToTheWholeMessage(t *testing.T) {
	t.Parallel()
	count := map[string]int{}
	for _, p := range corpustest.Payloads(t, corpustest.Stream) {
		wire, failure := openaitest.ReadStream(p.Read(t))
		for name, opts := range modes {
			out := convertStream(t, wire, failure, opts...)
			if out.err != nil {
				count[name+" failed"]++
				if failure != nil && !errors.Is(out.err, failure) {
					t.Errorf("%s: %s: the stream fails with %v instead of %v", p.Name, name,
						out.err, failure)
				}
				continue
			}
			count[name]++
			if diff := cmp.Diff(encode(t, unary(t, wire, opts...)),
				encode(t, accumulate(t, out.events))); diff != "" {
				t.Errorf("%s: %s: -whole +accumulated: %s", p.Name, name, diff)
			}
		}
	}
	t.Log(count)
	if count["plain"] < corpustest.AtLeast(400) {
		t.Errorf("only %d streams", count["plain"])
	}
}

func TestNothingOfARecordedStreamIsLostSilently(t *testing.T) {
	t.Parallel()
	most := leaftest.Enough(30)
	for _, p := range corpustest.Payloads(t, corpustest.Stream) {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			wire, failure := openaitest.ReadStream(p.Read(t))
			if failure != nil {
				return // the error reports the missing value
			}
			for name, opts := range modes {
				checkStreamComplete(t, name, encodeAll(t, wire), most, opts...)
			}
		})
	}
}

// checkPointers checks that a report points to existing values, or for added values to missing
// ones.
func checkPointers(t testing.TB, name string, wire []byte, entries report.Report) {
	t.Helper()
	document := openaitest.Tree(t, wire)
	for _, e := range entries {
		if e.Kind != report.Added && !openaitest.Exists(document, e.Pointer) {
			t.Errorf("%s: the input has no %s", name, e.Pointer)
		}
		if e.Detail == "" {
			t.Errorf("%s: %s has no detail", name, e.Pointer)
		}
	}
}

// checkUsage checks that the token counts add up.
func checkUsage(t testing.TB, name string, in *geminiapi.GenerateContentResponse,
	u *anthropicapi.Usage) {
	t.Helper()
	w := in.UsageMetadata
	if w == nil || w.TotalTokenCount == nil {
		return
	}
	if jsonx.Deref(w.PromptTokenCount)+jsonx.Deref(w.CandidatesTokenCount)+
		jsonx.Deref(w.ThoughtsTokenCount)+
		jsonx.Deref(w.ToolUsePromptTokenCount) != *w.TotalTokenCount {
		return // a recording that was changed by hand
	}
	read, _ := u.CacheReadInputTokens.Value()
	created, _ := u.CacheCreationInputTokens.Value()
	if sum := *u.InputTokens + read + created + u.OutputTokens; sum != *w.TotalTokenCount {
		t.Errorf("%s: the counts add up to %d, the total is %d", name, sum, *w.TotalTokenCount)
	}
}

// checkSignatures checks that each signed call of the model has its signature in the block directly
// before it, or in its id.
func checkSignatures(t testing.TB, name string, in *geminiapi.GenerateContentResponse,
	out *anthropicapi.Message) {
	t.Helper()
	var want []string
	for _, c := range in.Candidates[:min(len(in.Candidates), 1)] {
		if c.Content == nil {
			continue
		}
		for _, p := range c.Content.Parts {
			if p.FunctionCall != nil {
				want = append(want, jsonx.Deref(p.ThoughtSignature))
			}
		}
	}
	inIDs := name != "plain" // the request of those with server tools does not mention thinking
	if got := carried(out.Content, false); (name == "plain" || name == "signatures in ids") &&
		!slices.Equal(want, got) {
		t.Errorf("%s: thinking blocks carry %q, want %q", name, got, want)
	}
	if got := carried(out.Content, true); inIDs && !slices.Equal(want, got) {
		t.Errorf("%s: ids carry %q, want %q", name, got, want)
	}
}

// carried returns for each call the signature in the block before it, or in its id.
func carried(blocks []anthropicapi.ContentBlock, inID bool) (out []string) {
	visible := 0
	var before []envelope.Entry
	for i := range blocks {
		b := &blocks[i]
		if b.Type == anthropicapi.BlockTypeThinking {
			before, _ = envelope.Parse(jsonx.Deref(b.Signature))
			continue
		}
		if b.Type == anthropicapi.BlockTypeToolUse {
			entries := before
			if inID {
				_, entries, _ = envelope.CutFromID(jsonx.Deref(b.ID))
			}
			signature := ""
			for _, e := range entries {
				if e.Kind == envelope.Call && e.Ordinal == visible {
					signature = e.Signature
				}
			}
			out = append(out, signature)
		}
		visible++
		before = nil
	}
	return out
}

// checkComplete changes each value of a response in turn, up to a limit. Each change must show in
// the output or in the report.
func checkComplete(t testing.TB, name string, wire []byte, most int, opts ...messages.Option) {
	t.Helper()
	leaves, err := leaftest.All(wire)
	if err != nil {
		t.Fatal(err)
	}
	before, report := visible(t, wire, opts...)
	for _, l := range leaftest.Sample(leaves, most) {
		after, changed := visible(t, l.Change(wire), opts...)
		if after == before && !tells(report, l.Pointer) && !tells(changed, l.Pointer) {
			t.Errorf("%s: %s is lost silently", name, l.Pointer)
		}
	}
}

// visible returns the output, or the error for an input that cannot be converted.
func visible(t testing.TB, wire []byte, opts ...messages.Option) (string, report.Report) {
	t.Helper()
	in, err := gemini.DecodeResponse(wire)
	if err != nil {
		return err.Error(), nil
	}
	out, report, err := messages.FromGemini(in, opts...)
	if err != nil {
		return err.Error(), nil
	}
	return encode(t, out), report
}

// tells reports whether an entry at the pointer or above it says how a value was converted. An
// entry for an added value does not.
func tells(entries report.Report, pointer string) bool {
	about := slices.DeleteFunc(slices.Clone(entries),
		func(e report.Entry) bool { return e.Kind == report.Added })
	return about.Covers(pointer)
}

// encodeAll returns chunks in canonical form, with the member names of reports.
func encodeAll(t testing.TB, wire []*geminiapi.GenerateContentResponse) (out []string) {
	t.Helper()
	for _, c := range wire {
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
	opts ...messages.Option) {
	t.Helper()
	leaves, err := leaftest.AllOfChunks(bodies)
	if err != nil {
		t.Fatal(err)
	}
	before, report := visibleStream(openaitest.DecodeAll(t, bodies), opts...)
	checkPointers(t, name, []byte("["+strings.Join(bodies, ",")+"]"), report)
	stream := []byte("[" + strings.Join(bodies, ",") + "]")
	wire := openaitest.DecodeAll(t, bodies)
	for _, l := range leaftest.Sample(leaves, most) {
		changedChunk, err := gemini.DecodeResponse(l.Change([]byte(bodies[l.Chunk])))
		if err != nil {
			continue // what cannot be read is not lost silently
		}
		original := wire[l.Chunk]
		wire[l.Chunk] = changedChunk
		after, changed := visibleStream(wire, opts...)
		wire[l.Chunk] = original
		pointer := fmt.Sprintf("/%d%s", l.Chunk, l.Pointer)
		if strings.HasSuffix(pointer, "/index") {
			continue // it says whose content this is
		}
		if after == before && !tells(report, pointer) && !tells(changed, pointer) &&
			!leaftest.IsRunningTotal(stream, pointer) {
			t.Errorf("%s: %s is lost silently", name, pointer)
		}
	}
}

// visibleStream returns what a client sees of a stream.
func visibleStream(wire []*geminiapi.GenerateContentResponse, opts ...messages.Option) (string,
	report.Report) {
	var out strings.Builder
	report, err := messages.WriteStream(&out, openaitest.Pairs(wire, nil), opts...)
	if err != nil {
		fmt.Fprintln(&out, err)
	}
	return out.String(), report
}
