package normalize_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/google/go-cmp/cmp"
)

func TestSources(t *testing.T) {
	t.Parallel()
	out := normalized(t,
		`{"candidates":[{"groundingMetadata":{"webSearchQueries":["tide","ebb"],"groundingChunks":[
		{"web":{"uri":"https://example.org","title":"Example","domain":"example.org"}},
		{"retrievedContext":{"uri":"gs://b/o","title":"Report","text":"..."}},
		{"retrievedContext":{"documentName":"projects/p/documents/d"}},
		{"maps":{"uri":"https://maps.example.org/1","title":"Harbour","placeId":"p1"}},
		{"image":{"imageUri":"https://example.org/i.png","sourceUri":"https://example.org/i","title":"Boat"}},
		{"image":{"imageUri":"https://example.org/i.png"}},
		{"hologram":{}},
		{}]}}]}`)
	equalJSON(t, asJSON(t, out.Candidates[0].Grounding.Sources), `[
		{"kind":"web","uri":"https://example.org","title":"Example"},
		{"kind":"retrieved","uri":"gs://b/o","title":"Report"},
		{"kind":"retrieved","title":"projects/p/documents/d"},
		{"kind":"maps","uri":"https://maps.example.org/1","title":"Harbour"},
		{"kind":"image","uri":"https://example.org/i","title":"Boat"},
		{"kind":"image","uri":"https://example.org/i.png"},
		{"kind":"unknown"},
		{"kind":"unknown"}]`)
	if diff := cmp.Diff([]string{"tide", "ebb"}, out.Candidates[0].Grounding.Queries); diff != "" {
		t.Errorf("queries: -want +got:\n%s", diff)
	}
}

func TestSupportsReferOnlyToSourcesThatExist(t *testing.T) {
	t.Parallel()
	out := normalized(t,
		`{"candidates":[{"groundingMetadata":{"groundingChunks":[{"web":{}},{"web":{}}],"groundingSupports":[
		{"groundingChunkIndices":[0,1],"confidenceScores":[0.5,0.25]},
		{"groundingChunkIndices":[1,2,-1,0],"confidenceScores":[0.1,0.2,0.3,0.4]},
		{"groundingChunkIndices":[2,0]},
		{"groundingChunkIndices":[0,1],"confidenceScores":[0.5]},
		{"renderedParts":[1]}]}}]}`)
	equalJSON(t, asJSON(t, out.Candidates[0].Grounding.Supports), `[
		{"start":0,"end":0,"sources":[0,1],"confidence":[0.5,0.25]},
		{"start":0,"end":0,"sources":[1,0],"confidence":[0.1,0.4]},
		{"start":0,"end":0,"sources":[0]},
		{"start":0,"end":0,"sources":[0,1]},
		{"start":0,"end":0,"sources":[]}]`)
	want := []int{1, 2, -1, 0}
	if diff := cmp.Diff(want,
		out.Candidates[0].Grounding.Wire.GroundingSupports[1].GroundingChunkIndices); diff != "" {
		t.Errorf("the wire's record has changed: -want +got:\n%s", diff)
	}
}

func TestSpansAreConvertedFromBytesToCharacters(t *testing.T) {
	t.Parallel()
	const (
		japanese = `{"text":"潮は満ちる。潮は引く。"}`          // three bytes a character
		emoji    = `{"text":"🌊 up, 🌊 down"}`         // four bytes a character
		accents  = `{"text":"e\u0301te\u0301 naïf"}` // two bytes for each mark and for ï
		thoughts = `{"text":"潮?","thought":true},{"text":"Up. "},{"inlineData":{"data":"AA=="}},{"text":"Down."}`
	)
	tests := []struct {
		name, parts, segment string
		want                 normalize.Span
	}{
		{"ASCII", `{"text":"Up. Down."}`, `{"startIndex":4,"endIndex":9,"text":"Down."}`, normalize.Span{Start: 4, End: 9, Text: "Down."}},
		{"no start is 0", `{"text":"Up. Down."}`, `{"endIndex":3,"text":"Up."}`, normalize.Span{Start: 0, End: 3, Text: "Up."}},
		{"CJK", japanese, `{"startIndex":18,"endIndex":33,"text":"潮は引く。"}`, normalize.Span{Start: 6, End: 11, Text: "潮は引く。"}},
		{"CJK without text", japanese, `{"startIndex":18,"endIndex":33}`, normalize.Span{Start: 6, End: 11}},
		{"emoji", emoji, `{"startIndex":9,"endIndex":18,"text":"🌊 down"}`, normalize.Span{Start: 6, End: 12, Text: "🌊 down"}},
		{"combining marks", accents, `{"startIndex":8,"endIndex":13,"text":"naïf"}`, normalize.Span{Start: 6, End: 10, Text: "naïf"}},
		{"whole text", japanese, `{"endIndex":33}`, normalize.Span{Start: 0, End: 11}},
		{"empty segment", japanese, `{}`, normalize.Span{}},

		{"no part named: the answer without thoughts", thoughts, `{"startIndex":4,"endIndex":9,"text":"Down."}`, normalize.Span{Start: 4, End: 9, Text: "Down."}},
		{"part named", thoughts, `{"partIndex":3,"endIndex":5,"text":"Down."}`, normalize.Span{Start: 4, End: 9, Text: "Down."}},
		{"part named, without text", thoughts, `{"partIndex":3,"startIndex":1,"endIndex":3}`, normalize.Span{Start: 5, End: 7}},
		{"thought named", thoughts, `{"partIndex":0,"endIndex":5,"text":"Down."}`, normalize.Span{Start: 4, End: 9, Text: "Down.", Approximated: true}},
		{"thought named, without text", thoughts, `{"partIndex":0,"endIndex":2}`, normalize.Span{Start: 0, End: 2, Approximated: true}},
		{"image named", thoughts, `{"partIndex":2,"endIndex":3}`, normalize.Span{Start: 0, End: 3, Approximated: true}},
		{"no such part", thoughts, `{"partIndex":9,"endIndex":3,"text":"Up."}`, normalize.Span{Start: 0, End: 3, Text: "Up.", Approximated: true}},

		{"one too far", `{"text":"Up. Down."}`, `{"startIndex":5,"endIndex":10,"text":"Down."}`, normalize.Span{Start: 4, End: 9, Text: "Down.", Approximated: true}},
		{"one too near", `{"text":"Up. Down."}`, `{"startIndex":3,"endIndex":8,"text":"Down."}`, normalize.Span{Start: 4, End: 9, Text: "Down.", Approximated: true}},
		{"end off by one", `{"text":"Up. Down."}`, `{"startIndex":4,"endIndex":8,"text":"Down."}`, normalize.Span{Start: 4, End: 9, Text: "Down.", Approximated: true}},
		{"one too far among CJK", japanese, `{"startIndex":19,"endIndex":34,"text":"潮は引く。"}`, normalize.Span{Start: 6, End: 11, Text: "潮は引く。", Approximated: true}},
		{"characters instead of bytes", japanese, `{"startIndex":6,"endIndex":11,"text":"潮は引く。"}`, normalize.Span{Start: 6, End: 11, Text: "潮は引く。", Approximated: true}},
		{"no end", `{"text":"Up. Down."}`, `{"startIndex":4,"text":"Down."}`, normalize.Span{Start: 4, End: 9, Text: "Down.", Approximated: true}},
		{"the nearest of several before", `{"text":"a-b a-b a-b"}`, `{"startIndex":5,"endIndex":8,"text":"a-b"}`, normalize.Span{Start: 4, End: 7, Text: "a-b", Approximated: true}},
		{"the nearest of several after", `{"text":"a-b a-b a-b"}`, `{"startIndex":7,"endIndex":10,"text":"a-b"}`, normalize.Span{Start: 8, End: 11, Text: "a-b", Approximated: true}},
		{"far away", `{"text":"` + strings.Repeat("潮", 5000) + `Up."}`, `{"endIndex":3,"text":"Up."}`, normalize.Span{Start: 5000, End: 5003, Text: "Up.", Approximated: true}},
		{"beyond the end", `{"text":"Up. Down."}`, `{"startIndex":900,"endIndex":905,"text":"Down."}`, normalize.Span{Start: 4, End: 9, Text: "Down.", Approximated: true}},

		{"nowhere", japanese, `{"startIndex":3,"endIndex":9,"text":"Up."}`, normalize.Span{Start: 1, End: 3, Text: "Up.", Approximated: true}},
		{"nowhere and beyond the end", `{"text":"Up."}`, `{"startIndex":2,"endIndex":99,"text":"no"}`, normalize.Span{Start: 2, End: 3, Text: "no", Approximated: true}},
		{"inside characters", japanese, `{"startIndex":4,"endIndex":7}`, normalize.Span{Start: 1, End: 3, Approximated: true}},
		{"inside characters with another text", japanese, `{"startIndex":4,"endIndex":7,"text":"x"}`, normalize.Span{Start: 1, End: 3, Text: "x", Approximated: true}},
		{"end before start", `{"text":"Up. Down."}`, `{"startIndex":4,"endIndex":2}`, normalize.Span{Start: 4, End: 4, Approximated: true}},
		{"negative", `{"text":"Up."}`, `{"startIndex":-5,"endIndex":-1}`, normalize.Span{Approximated: true}},
		{"enormous", thoughts, `{"partIndex":3,"startIndex":9223372036854775807,"endIndex":-9223372036854775808}`, normalize.Span{Start: 9, End: 9, Approximated: true}},
		{"no text to point into", ``, `{"startIndex":1,"endIndex":2,"text":"Up."}`, normalize.Span{Text: "Up.", Approximated: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out := normalized(t,
				`{"candidates":[{"content":{"parts":[`+tt.parts+
					`]},"groundingMetadata":{"groundingSupports":[{"segment":`+tt.segment+`}]}}]}`)
			if diff := cmp.Diff(tt.want, out.Candidates[0].Grounding.Supports[0].Span); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// The conversion keeps a table with the character offset at regular byte intervals. The test
// compares every offset of texts around that interval with plain counting.
func TestEveryOffsetIsConvertedLikePlainCounting(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{"a", "é", "潮", "🌊", "aé潮🌊"} {
		for size := range 200 {
			text := strings.Repeat(unit, size)
			parts := []geminiapi.Part{{Text: &text}}
			var supports []geminiapi.GroundingSupport
			for offset := 0; offset <= len(text); offset += 1 + len(text)/50 {
				supports = append(supports,
					geminiapi.GroundingSupport{Segment: &geminiapi.Segment{StartIndex: new(offset),
						EndIndex: new(len(text))}})
			}
			out, err := normalize.FromResponse(
				&geminiapi.GenerateContentResponse{Candidates: []geminiapi.Candidate{{
					Content:           &geminiapi.Content{Parts: parts},
					GroundingMetadata: &geminiapi.GroundingMetadata{GroundingSupports: supports},
				}}})
			if err != nil {
				t.Fatal(err)
			}
			for i, s := range out.Candidates[0].Grounding.Supports {
				offset := *supports[i].Segment.StartIndex
				inside := offset < len(text) && !utf8.RuneStart(text[offset])
				for offset < len(text) && !utf8.RuneStart(text[offset]) {
					offset--
				}
				want := normalize.Span{Start: utf8.RuneCountInString(text[:offset]),
					End: utf8.RuneCountInString(text), Approximated: inside}
				if s.Span != want {
					t.Fatalf("%d times %q: offset %d is %+v, want %+v", size, unit,
						*supports[i].Segment.StartIndex, s.Span, want)
				}
			}
		}
	}
}

func TestRecordedSegmentsStandWhereTheirTextStands(t *testing.T) {
	t.Parallel()
	segments, approximated := 0, 0
	for _, p := range corpustest.Payloads(t, corpustest.Response) {
		r, err := gemini.DecodeResponse(p.Read(t))
		if err != nil {
			continue
		}
		out, err := normalize.FromResponse(r)
		if err != nil {
			continue
		}
		for _, c := range out.Candidates {
			if c.Grounding == nil {
				continue
			}
			text := []rune(c.Text())
			for i, s := range c.Grounding.Supports {
				segments++
				if got := string(text[s.Start:s.End]); got != s.Text {
					t.Errorf("%s: support %d points at %q, its text is %q", p.Name, i, got, s.Text)
				}
				if s.Approximated {
					approximated++
				}
			}
		}
	}
	if segments < corpustest.AtLeast(100) {
		t.Errorf("only %d segments are recorded", segments)
	}
	t.Logf("%d segments, %d of them not where their offsets say", segments, approximated)
}
