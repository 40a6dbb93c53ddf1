package chat_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/internal/test/payloadtest"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/google/go-cmp/cmp"
)

// cited converts a candidate with a text and other members. It returns each annotation as a line:
// the offsets of the span, its text, the address and the title.
func cited(t *testing.T, text, members string) ([]string, openaiapi.Choice) {
	t.Helper()
	choice, _ := openaitest.Candidate(t,
		fmt.Sprintf(`{"content":{"parts":[{"text":%q}]},"finishReason":"STOP",%s}`, text, members))
	var lines []string
	for _, a := range choice.Message.Annotations {
		c := a.URLCitation
		stretch := string([]rune(*choice.Message.Content)[c.StartIndex:c.EndIndex])
		lines = append(lines,
			fmt.Sprintf("%d-%d %q %s %s", c.StartIndex, c.EndIndex, stretch, c.URL, c.Title))
	}
	return lines, choice
}

const webSources = `"groundingChunks":[{"web":{"uri":"https://a.example","title":"A"}},{"web":{"uri":"https://b.example","title":"B"}}]`

func TestSourcesAreAnnotations(t *testing.T) {
	t.Parallel()
	got, choice := cited(t, "One. Two.", `"groundingMetadata":{`+webSources+`,"groundingSupports":[
		{"segment":{"startIndex":0,"endIndex":4,"text":"One."},"groundingChunkIndices":[0,1]},
		{"segment":{"startIndex":5,"endIndex":9,"text":"Two."},"groundingChunkIndices":[1]}]}`)
	want := []string{
		`0-4 "One." https://a.example A`,
		`0-4 "One." https://b.example B`,
		`5-9 "Two." https://b.example B`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if choice.Message.ExtraContent.Google.GroundingMetadata == nil {
		t.Error("the extension lacks the metadata")
	}
}

func TestOffsetsCountCharacters(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"ascii only", "港の灯台", "go 🗼 up", "é̂ combining", "🇩🇪 flag",
		"mixed 灯 and 🗼!"} {
		before := "Über 灯台 🗼: "
		got, _ := cited(t, before+text+" – end",
			fmt.Sprintf(`"groundingMetadata":{%s,"groundingSupports":[
			{"segment":{"startIndex":%d,"endIndex":%d,"text":%q},"groundingChunkIndices":[0]}]}`, webSources, len(before), len(before)+len(text), text))
		start := len([]rune(before))
		want := fmt.Sprintf("%d-%d %q https://a.example A", start, start+len([]rune(text)), text)
		if len(got) == 0 || got[0] != want {
			t.Errorf("%q: got %v, want %s", text, got, want)
		}
	}
}

func TestOffsetsThatAreOffAreRepairedAndReported(t *testing.T) {
	t.Parallel()
	choice, report := openaitest.Candidate(t,
		`{"content":{"parts":[{"text":"One. Two."}]},"finishReason":"STOP","groundingMetadata":{`+
			webSources+`,
		"groundingSupports":[{"segment":{"startIndex":4,"endIndex":8,"text":"Two."},"groundingChunkIndices":[0]}]}}`)
	if c := choice.Message.Annotations[0].URLCitation; c.StartIndex != 5 || c.EndIndex != 9 {
		t.Errorf("got %d to %d", c.StartIndex, c.EndIndex)
	}
	openaitest.Reports(t, report,
		"approximated /candidates/0/groundingMetadata/groundingSupports/0/segment")
}

func TestEveryKindOfSourceWithAnAddressIsAnAnnotation(t *testing.T) {
	t.Parallel()
	got, _ := cited(t, "abc", `"groundingMetadata":{"groundingChunks":[
		{"web":{"uri":"https://web.example","domain":"web.example"}},
		{"retrievedContext":{"uri":"gs://bucket/doc.pdf","title":"Doc","text":"passage"}},
		{"maps":{"uri":"https://maps.example/1","title":"Lighthouse","placeId":"p1"}},
		{"image":{"sourceUri":"https://page.example","imageUri":"https://page.example/i.png","title":"Photo"}},
		{"retrievedContext":{"title":"no address"}},
		{"somethingNew":{"uri":"https://new.example"}}]}`)
	want := []string{
		`3-3 "" https://web.example https://web.example`,
		`3-3 "" gs://bucket/doc.pdf Doc`,
		`3-3 "" https://maps.example/1 Lighthouse`,
		`3-3 "" https://page.example Photo`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSourcesThatNoStretchRestsOnStandAtTheEnd(t *testing.T) {
	t.Parallel()
	got, _ := cited(t, "灯台🗼", `"groundingMetadata":{`+webSources+`,"groundingSupports":[
		{"segment":{"startIndex":0,"endIndex":6,"text":"灯台"},"groundingChunkIndices":[1]},
		{"renderedParts":[1],"groundingChunkIndices":[1]}]}`)
	want := []string{`0-2 "灯台" https://b.example B`, `3-3 "" https://b.example B`,
		`3-3 "" https://a.example A`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestCitationsAndPagesAreAnnotations(t *testing.T) {
	t.Parallel()
	got, choice := cited(t, "One. Two.", `"citationMetadata":{"citationSources":[
			{"startIndex":0,"endIndex":4,"uri":"https://one.example","license":"MIT"},{"startIndex":5,"endIndex":9,"license":"no address"}],
			"citations":[{"startIndex":5,"endIndex":9,"uri":"https://two.example","title":"Two"}]},
		"urlContextMetadata":{"urlMetadata":[{"retrievedUrl":"https://read.example","urlRetrievalStatus":"URL_RETRIEVAL_STATUS_SUCCESS"},
			{"retrievedUrl":"https://paywall.example","urlRetrievalStatus":"URL_RETRIEVAL_STATUS_PAYWALL"},
			{"retrievedUrl":"https://untold.example"}]}`)
	want := []string{
		`0-4 "One." https://one.example https://one.example`,
		`5-9 "Two." https://two.example Two`,
		`9-9 "" https://read.example https://read.example`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if google := choice.Message.ExtraContent.Google; google.CitationMetadata == nil ||
		len(google.URLContextMetadata.URLMetadata) != 3 {
		t.Error("the extension lacks something")
	}
}

func TestASourceIsAnnotatedOnceForAStretch(t *testing.T) {
	t.Parallel()
	got, _ := cited(t, "One.",
		`"groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://a.example","title":"A"}},
		{"web":{"uri":"https://a.example","title":"A"}},{"web":{"uri":"https://a.example","title":"Another"}}],"groundingSupports":[
		{"segment":{"endIndex":4,"text":"One."},"groundingChunkIndices":[0,1,2]},{"segment":{"endIndex":4,"text":"One."},"groundingChunkIndices":[0]}]},
		"citationMetadata":{"citationSources":[{"endIndex":4,"uri":"https://a.example"}]}`)
	want := []string{
		`0-4 "One." https://a.example A`,
		`0-4 "One." https://a.example Another`,
		`0-4 "One." https://a.example https://a.example`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestACitationWithoutTextIsInNoText(t *testing.T) {
	t.Parallel()
	choice, report := openaitest.Candidate(t,
		`{"finishReason":"RECITATION","citationMetadata":{"citations":[{"startIndex":10,"endIndex":90,"uri":"https://a.example"}]}}`)
	if c := choice.Message.Annotations[0].URLCitation; c.StartIndex != 0 || c.EndIndex != 0 {
		t.Errorf("got %+v", c)
	}
	openaitest.Reports(t, report, "approximated /candidates/0/citationMetadata/citations/0")
}

func TestWithoutExtensionsTheRestOfTheSourcesIsReported(t *testing.T) {
	t.Parallel()
	choice, report := openaitest.Candidate(t,
		`{"content":{"parts":[{"text":"One. Two."}]},"finishReason":"STOP",
		"groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://a.example","title":"A","domain":"a.example"}},{"retrievedContext":{"title":"no address"}}],
			"groundingSupports":[{"segment":{"endIndex":4,"text":"One."},"groundingChunkIndices":[0,1,7],"confidenceScores":[0.5,0.25,1]},
				{"segment":{"startIndex":5,"endIndex":9,"text":"Two."},"groundingChunkIndices":[1]}],
			"searchEntryPoint":{"renderedContent":"<div>"},"webSearchQueries":["a","b"],"retrievalMetadata":{}},
		"citationMetadata":{"citationSources":[{"endIndex":4,"uri":"https://b.example","license":"MIT"},{"endIndex":4,"license":"none"}]},
		"urlContextMetadata":{"urlMetadata":[{"retrievedUrl":"https://c.example","urlRetrievalStatus":"URL_RETRIEVAL_STATUS_ERROR"}]}}`,
		chat.WithoutExtensions())
	if len(choice.Message.Annotations) != 2 {
		t.Errorf("got %d annotations", len(choice.Message.Annotations))
	}
	openaitest.Reports(t, report,
		"lost /candidates/0/citationMetadata/citationSources/0/license",
		"lost /candidates/0/citationMetadata/citationSources/1",
		"lost /candidates/0/groundingMetadata/groundingChunks/0/web/domain",
		"lost /candidates/0/groundingMetadata/groundingChunks/1",
		"lost /candidates/0/groundingMetadata/groundingSupports/0/confidenceScores",
		"lost /candidates/0/groundingMetadata/groundingSupports/0/groundingChunkIndices/1",
		"lost /candidates/0/groundingMetadata/groundingSupports/0/groundingChunkIndices/2",
		"lost /candidates/0/groundingMetadata/groundingSupports/1",
		"lost /candidates/0/groundingMetadata/searchEntryPoint",
		"lost /candidates/0/groundingMetadata/webSearchQueries",
		"lost /candidates/0/urlContextMetadata",
	)
}

func TestAGroundedAnswerHasAllItsAnnotations(t *testing.T) {
	t.Parallel()
	out, report := openaitest.Convert(t, string(payloadtest.Grounded()))
	message := out.Choices[0].Message
	if len(message.Annotations) != 26 {
		t.Errorf("%d annotations", len(message.Annotations))
	}
	for _, a := range message.Annotations {
		stretch := string([]rune(*message.Content)[a.URLCitation.StartIndex:a.URLCitation.EndIndex])
		if !strings.HasSuffix(stretch, ".") && !strings.HasSuffix(stretch, "。") {
			t.Errorf("%q is no sentence", stretch)
		}
	}
	openaitest.Reports(t, report, "added /createTime")
}
