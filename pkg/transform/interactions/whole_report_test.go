package interactions_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	wire "github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/interactions"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// answers are whole answers of Gemini that together have each kind of part and of metadata.
var answers = map[string]string{
	"all kinds of parts": `{"responseId":"r1","modelVersion":"gemini-3.5-flash","createTime":"2026-11-01T10:00:00.5Z","candidates":[{"index":0,"finishReason":"STOP","finishMessage":"done","content":{"role":"model","parts":[
		{"text":"Let me see.","thought":true},
		{"text":"Hm.","thought":true,"thoughtSignature":"AA=="},
		{"text":"It is "},{"text":"warm.","partMetadata":{"k":"v"}},
		{"text":"Signed.","thoughtSignature":"AQ=="},
		{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo=","displayName":"a.png"},"mediaResolution":{"level":"MEDIA_RESOLUTION_HIGH"}},
		{"fileData":{"mimeType":"video/mp4","fileUri":"gs://b/v.mp4"},"videoMetadata":{"startOffset":"1s","fps":2},"thoughtSignature":"Ag=="},
		{"inlineData":{"mimeType":"audio/L16;codec=pcm;rate=24000","data":"AAAA"}},
		{"executableCode":{"language":"PYTHON","code":"print(1)"}},
		{"codeExecutionResult":{"outcome":"OUTCOME_DEADLINE_EXCEEDED","output":"1\n"}},
		{"toolCall":{"toolType":"GOOGLE_SEARCH_WEB","id":"s1","args":{"queries":["weather"]},"toolName":"x"},"thoughtSignature":"Aw=="},
		{"toolResponse":{"toolType":"GOOGLE_SEARCH_WEB","id":"s1","response":{"search_suggestions":"<b>"}}},
		{"functionCall":{"id":"c1","name":"f","args":{"b":1.0,"a":12345678901234567890}},"thoughtSignature":"BA=="},
		{"functionCall":{"name":"g","args":{}}},
		{"functionCall":{"id":"c2","name":"h","args":{}},"thought":true},
		{"functionCall":{"id":"c3","name":"h","args":{}},"thought":true,"partMetadata":{"k":"v"}},
		{"functionResponse":{"id":"c1","name":"f","response":{"output":"x"},"willContinue":true}},
		{"inventedKind":{"at":1}},
		{"text":"","thoughtSignature":"BQ=="}],"later":1},
		"safetyRatings":[{"category":"HARM_CATEGORY_HARASSMENT","probability":"LOW"}],"avgLogprobs":-0.5,
		"logprobsResult":{"chosenCandidates":[{"token":"a","logProbability":-0.5}]},"tokenCount":7,"other":true}],
		"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":5,"thoughtsTokenCount":3,"toolUsePromptTokenCount":2,"cachedContentTokenCount":4,"totalTokenCount":20,
		"promptTokensDetails":[{"modality":"TEXT","tokenCount":8},{"modality":"IMAGE","tokenCount":2}],"candidatesTokensDetails":[{"modality":"TEXT","tokenCount":5}],
		"cacheTokensDetails":[{"modality":"TEXT","tokenCount":4}],"toolUsePromptTokensDetails":[{"modality":"TEXT","tokenCount":2,"later":1}],
		"serviceTier":"priority","trafficType":"ON_DEMAND","initialPromptTokenCount":9},
		"modelStatus":{"message":"old"},"turnToken":"t","later":[1]}`,
	"sources": `{"responseId":"r2","modelVersion":"gemini-2.5-flash","candidates":[{"finishReason":"STOP","content":{"role":"model","parts":[{"text":"Grüße 🌍 aus Kōchi."},{"text":" Ende."}]},
		"groundingMetadata":{"webSearchQueries":["kochi"],"imageSearchQueries":["kochi castle"],"searchEntryPoint":{"renderedContent":"<div>","sdkBlob":"AA=="},
		"groundingChunks":[{"web":{"uri":"https://a.example","title":"a","domain":"a.example"}},{"web":{"uri":"https://b.example","title":"b"}},
		{"maps":{"uri":"https://maps.example","placeId":"p1","title":"Castle","text":"t","placeAnswerSources":{"reviewSnippets":[{"reviewId":"v1","title":"Nice","googleMapsUri":"https://r.example","review":"good"}]}}},
		{"retrievedContext":{"uri":"doc","title":"d.pdf","text":"passage","pageNumber":3,"mediaId":"m","customMetadata":[{"key":"k","stringValue":"v"},{"key":"n","numericValue":2}]}},
		{"image":{"sourceUri":"https://i.example","imageUri":"https://i.example/i.png","title":"i"}},{"web":{"uri":"https://unused.example"}}],
		"groundingSupports":[{"segment":{"startIndex":0,"endIndex":13,"text":"Grüße 🌍 "},"groundingChunkIndices":[0,1,2],"confidenceScores":[0.5,0.6,0.7]},
		{"segment":{"partIndex":1,"startIndex":1,"endIndex":6,"text":"Ende."},"groundingChunkIndices":[3,4]},
		{"segment":{"partIndex":7,"startIndex":1,"endIndex":6},"groundingChunkIndices":[0]},{"groundingChunkIndices":[0]}],
		"googleMapsWidgetContextToken":"w","retrievalMetadata":{"googleSearchDynamicRetrievalScore":0.5}},
		"citationMetadata":{"citationSources":[{"startIndex":0,"endIndex":3,"uri":"https://c.example"}]},
		"urlContextMetadata":{"urlMetadata":[{"retrievedUrl":"https://u.example","urlRetrievalStatus":"URL_RETRIEVAL_STATUS_PAYWALL"}]}}]}`,
	"a refused prompt":  `{"responseId":"r3","modelVersion":"m","promptFeedback":{"blockReason":"PROHIBITED_CONTENT","blockReasonMessage":"no","safetyRatings":[{"category":"HARM_CATEGORY_HARASSMENT","probability":"HIGH","blocked":true}]},"usageMetadata":{"promptTokenCount":4,"totalTokenCount":4}}`,
	"a filtered answer": `{"responseId":"r4","candidates":[{"finishReason":"SAFETY","finishMessage":"filtered","content":{"parts":[{"text":"Half"}]}}]}`,
	"candidates":        `{"candidates":[{"index":1,"finishReason":"STOP","content":{"parts":[{"text":"b"}]}},{"index":0,"finishReason":"CONTINUATION","continuationToken":"tok","content":{"role":"user","parts":[{"text":"a"}]}}]}`,
	"odd counts":        `{"candidates":[{"finishReason":"MAX_TOKENS","content":{"parts":[{"text":"a"}]}}],"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":5,"thoughtsTokenCount":3,"cachedContentTokenCount":40,"totalTokenCount":15}}`,
}

func TestNothingOfAnAnswerIsLostSilently(t *testing.T) {
	t.Parallel()
	for name, body := range answers {
		for mode, opts := range modes {
			t.Run(name+", "+mode, func(t *testing.T) {
				t.Parallel()
				in := openaitest.Decode(t, body)
				canonical, err := gemini.EncodeResponse(in)
				if err != nil {
					t.Fatal(err)
				}
				_, entries := visible(t, canonical, opts...)
				checkPointers(t, name, canonical, entries)
				checkComplete(t, name, canonical, 1000, opts...)
				inventions, err := leaftest.Inventions(canonical)
				if err != nil {
					t.Fatal(err)
				}
				before, entries := visible(t, canonical, opts...)
				for _, l := range inventions {
					after, changed := visible(t, l.Change(canonical), opts...)
					if after == before && !tells(entries, l.Pointer) && !aboutOrBelow(changed, l.Pointer) {
						t.Errorf("what is new in %q is lost silently", l.Pointer)
					}
				}
				checkStreamComplete(t, name, []string{string(canonical)}, 1000, opts...)
			})
		}
	}
}

// aboutOrBelow reports whether an entry covers a pointer, or points into it.
func aboutOrBelow(entries report.Report, pointer string) bool {
	for _, e := range entries {
		if e.Kind != report.Added && strings.HasPrefix(e.Pointer, pointer) {
			return true
		}
	}
	return tells(entries, pointer)
}

func TestAnAnswerAsAStreamIsTheSameInteraction(t *testing.T) {
	t.Parallel()
	for name, body := range answers {
		for mode, opts := range modes {
			chunks := openaitest.AsStream(openaitest.Decode(t, body))
			for kind, stream := range map[string][]*geminiapi.GenerateContentResponse{
				"in pieces": chunks, "in one chunk": {openaitest.Decode(t, body)},
			} {
				if kind == "in pieces" && name == "candidates" {
					continue // the first chunk has the second candidate alone
				}
				merged, _ := normalize.MergeChunks(stream...)
				whole, _, err := interactions.FromGemini(merged, opts...)
				if err != nil {
					t.Fatal(name, err)
				}
				all, _, err := events(t, stream, nil, opts...)
				if err != nil {
					t.Fatal(name, err)
				}
				checkGrammar(t, name, all, false)
				if diff := cmp.Diff(joined(t, whole), joined(t, accumulated(t, all))); diff != "" {
					t.Errorf("%s, %s, %s (-whole +stream):\n%s", name, mode, kind, diff)
				}
			}
		}
	}
}

// joined returns an interaction as JSON in canonical form. Texts that follow each other are joined,
// because a stream cannot keep them apart.
func joined(t testing.TB, r *interactionsapi.Interaction) string {
	t.Helper()
	out := *r
	out.Steps = slices.Clone(r.Steps)
	for i := range out.Steps {
		s := &out.Steps[i]
		s.Summary = joinTexts(s.Summary)
		if content := wire.ContentOf(s); content != nil {
			s.Content = wiretype.ValueOf(joinTexts(content))
		}
	}
	value := jsontext.Value(strings.ReplaceAll(encode(t, &out), ",\n\"", `,"`))
	if err := value.Canonicalize(jsontext.CanonicalizeRawInts(false)); err != nil {
		t.Fatal(err)
	}
	if err := value.Indent(); err != nil {
		t.Fatal(err)
	}
	return string(value)
}

func joinTexts(content []interactionsapi.Content) (out []interactionsapi.Content) {
	for _, c := range content {
		last := len(out) - 1
		if c.Type != interactionsapi.ContentTypeText || last < 0 || out[last].Type != c.Type {
			out = append(out, c)
			continue
		}
		begin := len(*out[last].Text)
		for _, a := range c.Annotations {
			a.StartIndex, a.EndIndex = new(*a.StartIndex+begin), new(*a.EndIndex+begin)
			out[last].Annotations = append(slices.Clone(out[last].Annotations), a)
		}
		out[last].Text = new(*out[last].Text + *c.Text)
		out[last].Unknown = jsonx.MergeObjects(out[last].Unknown, c.Unknown)
	}
	return out
}
