package aisdk_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	jsonleaf "github.com/gemwire/gemwire/internal/test/leaftest"
	aisdkwire "github.com/gemwire/gemwire/pkg/aisdk"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/aisdk"
	"github.com/go-json-experiment/json/jsontext"
)

// A conversion that loses something silently gives the same parts and report for two streams that
// differ there.
func TestNothingOfARecordedStreamIsLostSilently(t *testing.T) {
	t.Parallel()
	most := jsonleaf.Enough(25)
	forEveryRecordedStream(t, func(t *testing.T, s recordedStream) {
		for version, opts := range versions {
			checkComplete(t, version, encodeChunks(t, s.chunks), s.err, most, opts...)
		}
	})
}

// The corpus has only recorded values. These streams have every member of the description, so a new
// member that the conversion ignores fails the test.
func TestNothingOfTheDescriptionIsLostSilently(t *testing.T) {
	t.Parallel()
	streams := map[string][]*geminiapi.GenerateContentResponse{}
	for _, name := range []string{"one chunk", "a record that is replaced", "another candidate"} {
		chunks := []*geminiapi.GenerateContentResponse{filledChunk(), filledChunk()}
		switch name {
		case "one chunk":
			chunks = chunks[:1]
		case "a record that is replaced":
			chunks = append(chunks, &geminiapi.GenerateContentResponse{
				UsageMetadata: &geminiapi.UsageMetadata{TotalTokenCount: new(1)},
				Candidates:    []geminiapi.Candidate{{SafetyRatings: []geminiapi.SafetyRating{{}}}},
			})
		case "another candidate":
			chunks[1].Candidates[0].Index = new(1)
		}
		streams[name] = chunks
	}
	refused := filledChunk()
	jsonleaf.Fill(&refused.PromptFeedback)
	streams["a refused prompt"] = []*geminiapi.GenerateContentResponse{refused}
	for name, part := range jsonleaf.FillEach[geminiapi.Part]() {
		finish := geminiapi.FinishReasonStop
		streams[name] = []*geminiapi.GenerateContentResponse{{Candidates: []geminiapi.Candidate{{
			Content: &geminiapi.Content{Parts: []geminiapi.Part{part}}, FinishReason: &finish,
		}}}}
	}
	for name, chunks := range streams {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for version, opts := range versions {
				checkComplete(t, version, encodeChunks(t, chunks), nil, jsonleaf.Enough(1<<30),
					opts...)
			}
		})
	}
}

// A stream that is refused or fails may have sent anything before, in any order.
func TestNothingWithARefusalIsLostSilently(t *testing.T) {
	t.Parallel()
	const (
		reason = `{"promptFeedback":{"blockReason":"SAFETY","safetyRatings":[{"probability":"HIGH"}]}}`
		words  = `{"promptFeedback":{"blockReasonMessage":"not this"}}`
		text   = `{"candidates":[{"content":{"role":"user","parts":[{"text":"a"}]},"finishMessage":"m"}]}`
		end    = `{"candidates":[{"finishReason":"MAX_TOKENS"}]}`
	)
	for name, tt := range map[string]struct {
		chunks []string
		finish string
	}{
		"words alone":                                  {[]string{words}, `"content-filter"`},
		"a reason before an answer":                    {[]string{reason, text, end}, `"content-filter"`},
		"a reason after an answer":                     {[]string{text, end, reason}, `"content-filter"`},
		"a reason after one that does not end":         {[]string{text, reason, words}, `"content-filter"`},
		"words next to an answer":                      {[]string{words, text, end}, `"length"`},
		"a text next to a candidate that does not end": {[]string{words, text}, `"interrupted"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stream := []byte("[" + strings.Join(tt.chunks, ",") + "]")
			checkComplete(t, "V4", stream, nil, jsonleaf.Enough(1<<30), aisdk.ForV4())
			if parts, _ := visible(stream, nil, aisdk.ForV4()); !strings.Contains(parts,
				`"finishReason":{"unified":`+tt.finish) {
				t.Errorf("no finish by %s in %s", tt.finish, parts)
			}
		})
	}
}

func TestACallWhosePiecesContradictOneAnotherIsNoCall(t *testing.T) {
	t.Parallel()
	stream := []byte(`[{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","id":"1","willContinue":true}}]}}]},
		{"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.a.x","numberValue":1},{"jsonPath":"$.b","numberValue":2}],"willContinue":true}}]}}]},
		{"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.a.y","numberValue":3}]}}]},"finishReason":"STOP"}]}]`)
	for version, opts := range versions {
		parts, _ := visible(stream, nil, opts...)
		if strings.Contains(parts, `"type":"tool-call"`) ||
			!strings.Contains(parts, `"incomplete":true`) ||
			!strings.Contains(parts, `"unified":"stop"`) {
			t.Errorf("%s: %s", version, parts)
		}
		checkComplete(t, version, stream, nil, 1000, opts...)
	}
}

// Calls are held back while they wait for a result that would show that the server runs them. This
// must have a limit.
func TestCallsDoNotWaitWithoutLimit(t *testing.T) {
	t.Parallel()
	s := aisdk.NewStream()
	var parts []aisdkapi.Part
	push := func(part string) {
		out, err := s.Push(decodeChunks(t, chunkOf(part))[0])
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, out...)
	}
	for i := range 250 {
		push(fmt.Sprintf(`{"functionCall":{"name":"f","id":"c%d"}}`, i))
	}
	waited := len(parts)
	push(`{"functionResponse":{"name":"f","id":"c249","response":{}}}`)
	push(`{"text":"a"}`)
	if waited < 100*3 || waited > 1+200*4 {
		t.Errorf("%d parts of 250 calls came before the first result", waited)
	}
	for _, part := range parts {
		call, isCall := part.(aisdkapi.ToolCall)
		start, isStart := part.(aisdkapi.ToolInputStart)
		if byServer := call.ProviderExecuted != nil ||
			start.ProviderExecuted != nil; (isCall || isStart) &&
			byServer != (call.ToolCallID+start.ID == "c249") {
			t.Errorf("run by the server is %v: %+v %+v", byServer, call, start)
		}
	}
}

// filledChunk returns a chunk with everything except parts, of a candidate that has ended.
func filledChunk() *geminiapi.GenerateContentResponse {
	var chunk geminiapi.GenerateContentResponse
	jsonleaf.Fill(&chunk)
	chunk.PromptFeedback.BlockReason = nil
	chunk.Candidates[0].Index = nil
	chunk.Candidates[0].Content.Parts = nil
	return &chunk
}

// checkComplete changes each value of a stream in turn, up to a limit. Then the parts must change,
// or the report of either stream must have an entry at the value or above it.
func checkComplete(t testing.TB, name string, stream []byte, end error, most int,
	opts ...aisdk.Option) {
	t.Helper()
	leaves, err := jsonleaf.All(stream)
	if err != nil {
		t.Fatal(err)
	}
	before, report := visible(stream, end, opts...)
	for _, l := range jsonleaf.Sample(leaves, most) {
		if isFraming(l.Pointer) {
			continue
		}
		after, changed := visible(l.Change(stream), end, opts...)
		if after == before && !tells(report, l.Pointer) && !tells(changed, l.Pointer) &&
			!jsonleaf.IsRunningTotal(stream, l.Pointer) {
			t.Errorf("%s: %s is lost silently", name, l.Pointer)
		}
	}
}

// isFraming reports whether a value only says how a call was split, which is no information. A last
// piece can announce more or not, with the same meaning.
func isFraming(pointer string) bool { return strings.HasSuffix(pointer, "/functionCall/willContinue") }

// visible returns the parts of a stream as a list of its chunks. It returns an error if the input
// is not a stream.
func visible(stream []byte, end error, opts ...aisdk.Option) (string, report.Report) {
	var list []jsontext.Value
	dec := jsontext.NewDecoder(bytes.NewReader(stream))
	_, _ = dec.ReadToken()
	for dec.PeekKind() == '{' {
		value, err := dec.ReadValue()
		if err != nil {
			return err.Error(), nil
		}
		list = append(list, value.Clone())
	}
	s := recordedStream{err: end}
	for _, value := range list {
		chunk, err := gemini.DecodeResponse(value)
		if err != nil {
			return err.Error(), nil
		}
		s.chunks = append(s.chunks, chunk)
	}
	return s.visible(opts)
}

// visible pushes all chunks, including those after the end, which other callers would not read.
func (s recordedStream) visible(opts []aisdk.Option) (string, report.Report) {
	var out strings.Builder
	stream := aisdk.NewStream(append(opts[:len(opts):len(opts)], sameIDs()...)...)
	write := func(parts []aisdkapi.Part, _ error) {
		for _, part := range parts {
			if err := aisdkwire.WritePart(&out, part, aisdkwire.ForV4()); err != nil {
				out.WriteString(err.Error())
			}
		}
	}
	for _, chunk := range s.chunks {
		write(stream.Push(chunk))
	}
	write(stream.Close(s.err))
	return out.String(), stream.Report()
}

// tells reports whether an entry at the pointer or above it says how a value was converted. An
// entry for an added value does not.
func tells(entries report.Report, pointer string) bool {
	var about report.Report
	for _, e := range entries {
		if e.Kind != report.Added {
			about = append(about, e)
		}
	}
	return about.Covers(pointer)
}
