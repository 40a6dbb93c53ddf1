package responses_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/report"
	toresponses "github.com/gemwire/gemwire/pkg/transform/responses"
)

// Each value of an answer is visible in the response, or the report has an entry at its pointer or
// above it.
func TestNothingOfARecordedAnswerIsLostSilently(t *testing.T) {
	t.Parallel()
	most := leaftest.Enough(20)
	openaitest.ForEveryRecordedResponse(t,
		func(t *testing.T, _ *geminiapi.GenerateContentResponse, wire []byte) {
			for mode, opts := range modes {
				checkComplete(t, mode, wire, most, opts...)
			}
		})
}

// tells reports whether an entry at the pointer or above it says how a value was converted. An
// entry for an added value does not.
func tells(entries report.Report, pointer string) bool {
	return append(entries.Of(report.Lost), entries.Of(report.Approximated)...).Covers(pointer)
}

// checkComplete changes each value of an answer in turn, up to a limit.
func checkComplete(t testing.TB, name string, wire []byte, most int, opts ...toresponses.Option) {
	t.Helper()
	leaves, err := leaftest.All(wire)
	if err != nil {
		t.Fatal(err)
	}
	before, report := visible(t, wire, opts...)
	for _, l := range leaftest.Sample(leaves, most) {
		changed := l.Change(wire)
		if _, err := gemini.DecodeResponse(changed); err != nil {
			continue // what cannot be read is not lost silently
		}
		after, reportAfter := visible(t, changed, opts...)
		if after == before && !tells(report, l.Pointer) && !tells(reportAfter, l.Pointer) {
			t.Errorf("%s: %s is lost silently", name, l.Pointer)
		}
	}
}

// visible returns what a client sees of an answer.
func visible(t testing.TB, wire []byte, opts ...toresponses.Option) (string, report.Report) {
	t.Helper()
	in, err := gemini.DecodeResponse(wire)
	if err != nil {
		t.Fatal(err)
	}
	out, report, err := toresponses.FromGemini(in, opts...)
	if err != nil {
		return err.Error(), nil
	}
	data, err := responses.EncodeResponse(out)
	if err != nil {
		return err.Error(), report
	}
	return string(data), report
}

// The corpus has only recorded values. These responses have every member of the description, so a
// new member that the conversion ignores fails the test.
func TestNothingOfTheDescriptionIsLostSilently(t *testing.T) {
	t.Parallel()
	tests := map[string]*geminiapi.GenerateContentResponse{"a refused prompt": {}, "all": {},
		"all but unknown members": {}}
	for _, r := range tests {
		leaftest.Fill(r)
	}
	tests["all"].PromptFeedback.BlockReason = nil
	tests["all but unknown members"].PromptFeedback.BlockReason = nil
	// the whole record is often kept with them
	leaftest.Clear(tests["all but unknown members"], "Unknown")
	usable := *tests["all"]
	usable.Candidates = []geminiapi.Candidate{usableCandidate()}
	tests["with sources that can be converted"] = &usable
	for name, part := range filledParts() {
		tests[name] = &geminiapi.GenerateContentResponse{
			Candidates: []geminiapi.Candidate{{Content: &geminiapi.Content{Parts: []geminiapi.Part{part}}}},
		}
	}
	for name, r := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wire, err := gemini.EncodeResponse(r)
			if err != nil {
				t.Fatal(err)
			}
			for mode, opts := range modes {
				checkComplete(t, mode, wire, leaftest.Enough(1<<30), opts...)
			}
		})
	}
}

// usableCandidate is a filled candidate with valid indices, so that sources become annotations and
// log probabilities belong to tokens.
func usableCandidate() geminiapi.Candidate {
	var c geminiapi.Candidate
	leaftest.Fill(&c)
	support := &c.GroundingMetadata.GroundingSupports[0]
	support.GroundingChunkIndices[0] = 0
	*support.Segment = geminiapi.Segment{StartIndex: new(0), EndIndex: new(4), Text: new("text")}
	*c.URLContextMetadata.URLMetadata[0].URLRetrievalStatus = geminiapi.URLRetrievalStatusSuccess
	c.Content.Parts = []geminiapi.Part{{Text: new("text of an answer")}}
	return c
}

// filledParts returns parts with each single member, with all others, and one of each kind of
// media.
func filledParts() map[string]geminiapi.Part {
	out := leaftest.FillEach[geminiapi.Part]()
	for kind, mimeType := range map[string]string{"an image": "image/png", "a sound": "audio/wav",
		"a film": "video/mp4"} {
		var p geminiapi.Part
		leaftest.Fill(&p.InlineData)
		leaftest.Fill(&p.VideoMetadata)
		leaftest.Fill(&p.ThoughtSignature)
		p.InlineData.MIMEType = &mimeType
		out[kind] = p
	}
	return out
}

func TestNothingOfARecordedStreamIsLostSilently(t *testing.T) {
	t.Parallel()
	most := leaftest.Enough(40)
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

// encodeAll returns chunks in canonical form, with the member names of reports.
func encodeAll(t testing.TB, wire []*geminiapi.GenerateContentResponse) []string {
	t.Helper()
	var out []string
	for _, c := range wire {
		data, err := gemini.EncodeResponse(c)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(data))
	}
	return out
}

// checkStreamComplete changes each value of the stream's chunks in turn, up to a limit, like
// checkComplete.
func checkStreamComplete(t testing.TB, name string, bodies []string, most int,
	opts ...toresponses.Option) {
	t.Helper()
	leaves, err := leaftest.AllOfChunks(bodies)
	if err != nil {
		t.Fatal(err)
	}
	stream := []byte("[" + strings.Join(bodies, ",") + "]")
	wire := openaitest.DecodeAll(t, bodies)
	before, report := visibleStream(wire, opts...)
	wire = openaitest.DecodeAll(t, bodies)
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
		if after == before && !tells(report, pointer) && !tells(changed, pointer) &&
			!leaftest.IsRunningTotal(stream, pointer) {
			t.Errorf("%s: %s is lost silently", name, pointer)
		}
	}
}

// visibleStream returns what a client sees of a stream.
func visibleStream(wire []*geminiapi.GenerateContentResponse, opts ...toresponses.Option) (string,
	report.Report) {
	var out strings.Builder
	report, err := toresponses.WriteStream(&out, openaitest.Pairs(wire, nil), opts...)
	if err != nil {
		fmt.Fprintln(&out, err)
	}
	return out.String(), report
}

// The recorded streams have only recorded values. These have every member of the description twice
// with different values, so a new member that the conversion ignores fails the test.
func TestNothingOfTheDescriptionIsLostSilentlyInAStream(t *testing.T) {
	t.Parallel()
	for name, wire := range filledStreams() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for mode, opts := range modes {
				checkStreamComplete(t, mode, encodeAll(t, wire), leaftest.Enough(1<<30), opts...)
			}
		})
	}
}

// filledStreams returns streams of filled chunks, whole and with their parts one by one.
func filledStreams() map[string][]*geminiapi.GenerateContentResponse {
	out := map[string][]*geminiapi.GenerateContentResponse{}
	out["whole chunks"], out["a refusal"], out["chunks without unknown members"] = twoChunks(),
		twoChunks(), twoChunks()
	for i := range 2 {
		leaftest.Clear(out["chunks without unknown members"][i], "Unknown")
		out["a refusal"][i].Candidates = nil
		for _, name := range []string{"whole chunks", "chunks without unknown members"} {
			out[name][i].PromptFeedback.BlockReason = nil
			c := &out[name][i].Candidates[0]
			c.Index, c.Content.Parts = new(0), []geminiapi.Part{{Text: new(fmt.Sprint("part ", i))}}
			c.GroundingMetadata.GroundingSupports[0].GroundingChunkIndices[0] = 0
			*c.URLContextMetadata.URLMetadata[0].URLRetrievalStatus = geminiapi.URLRetrievalStatusSuccess
		}
	}
	for name, part := range filledParts() {
		out[name] = []*geminiapi.GenerateContentResponse{
			{Candidates: []geminiapi.Candidate{{Content: &geminiapi.Content{Parts: []geminiapi.Part{{Text: new("a")}, part}}}}},
			{Candidates: []geminiapi.Candidate{{Content: &geminiapi.Content{Parts: []geminiapi.Part{part}}, FinishReason: new(geminiapi.FinishReasonStop)}}},
		}
	}
	return out
}

// twoChunks returns chunks with equal member names and different values.
func twoChunks() []*geminiapi.GenerateContentResponse {
	first, second := leaftest.Pair[geminiapi.GenerateContentResponse]()
	return []*geminiapi.GenerateContentResponse{first, second}
}
