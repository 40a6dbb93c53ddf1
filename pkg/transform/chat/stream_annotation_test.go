package chat_test

import (
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/transform/chat"
)

// groundedStream has its sources only in the second of four chunks.
var groundedStream = []string{
	`{"candidates":[{"content":{"parts":[{"text":"灯台は"}]}}]}`,
	`{"candidates":[{"content":{"parts":[{"text":"1902年🗼"}]},"groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://a.example","title":"A"}}],
		"groundingSupports":[{"segment":{"startIndex":9,"endIndex":20,"text":"1902年🗼"},"groundingChunkIndices":[0]}],"searchEntryPoint":{"renderedContent":"<div>"}}}]}`,
	`{"candidates":[{"content":{"parts":[{"text":"に。"}]}}]}`,
	`{"candidates":[{"finishReason":"STOP"}]}`,
}

func TestAnnotationsStandBeforeTheFinishAndCountCharacters(t *testing.T) {
	t.Parallel()
	out := stream(t, groundedStream, chat.WithoutExtensions())
	hasChoices(t, out.chunks,
		`{"index":0,"delta":{"role":"assistant","content":"灯台は"},"finish_reason":null}`,
		`{"index":0,"delta":{"content":"1902年🗼"},"finish_reason":null}`,
		`{"index":0,"delta":{"content":"に。"},"finish_reason":null}`,
		`{"index":0,"delta":{"annotations":[{"type":"url_citation","url_citation":{"start_index":3,"end_index":9,"url":"https://a.example","title":"A"}}]},"finish_reason":null}`,
		`{"index":0,"delta":{},"finish_reason":"stop"}`,
	)
	openaitest.Reports(t, ofPath(out.report, "grounding"),
		"lost /1/candidates/0/groundingMetadata/searchEntryPoint")
}

func TestMetadataOfOneChunkIsInTheLastDelta(t *testing.T) {
	t.Parallel()
	out := stream(t, groundedStream)
	openaitest.Subset(t, choicesOf(t, out.chunks)[3],
		`{"delta":{"annotations":[{"url_citation":{"start_index":3}}],
		"extra_content":{"google":{"grounding_metadata":{"searchEntryPoint":{"renderedContent":"<div>"}}}}}}`)
	openaitest.Reports(t, ofPath(out.report, "grounding"))
}

func TestSourcesOfSeveralChunksAreOneList(t *testing.T) {
	t.Parallel()
	bodies := []string{
		`{"candidates":[{"content":{"parts":[{"text":"ab"}]},"groundingMetadata":{"groundingChunks":[{"web":{"uri":"u1","title":"1"}}]}}]}`,
		`{"candidates":[{"groundingMetadata":{"groundingChunks":[{"web":{"uri":"u2","title":"2"}}],"groundingSupports":[{"segment":{"endIndex":1},"groundingChunkIndices":[0]}]}}]}`,
		`{"candidates":[{"groundingMetadata":{"groundingSupports":[{"segment":{"startIndex":1,"endIndex":2,"text":"x"},"groundingChunkIndices":[0,1],"confidenceScores":[0.5,1]}]},"finishReason":"STOP"}]}`,
	}
	out := stream(t, bodies)
	openaitest.Subset(t, choicesOf(t, out.chunks)[1], `{"delta":{"annotations":[
		{"type":"url_citation","url_citation":{"start_index":0,"end_index":1,"url":"u2","title":"2"}},
		{"type":"url_citation","url_citation":{"start_index":1,"end_index":2,"url":"u1","title":"1"}},
		{"type":"url_citation","url_citation":{"start_index":1,"end_index":2,"url":"u2","title":"2"}}]}}`)
	openaitest.Reports(t, ofPath(out.report, "grounding"),
		"approximated /1/candidates/0/groundingMetadata/groundingSupports/0/groundingChunkIndices",
		"approximated /2/candidates/0/groundingMetadata/groundingSupports/0/segment")

	out = stream(t, bodies, chat.WithoutExtensions())
	openaitest.Reports(t, ofPath(out.report, "grounding"),
		"approximated /1/candidates/0/groundingMetadata/groundingSupports/0/groundingChunkIndices",
		"lost /2/candidates/0/groundingMetadata/groundingSupports/0/confidenceScores",
		"approximated /2/candidates/0/groundingMetadata/groundingSupports/0/segment")
}

func TestCitationsThatAreOffAreReportedWhereTheyStood(t *testing.T) {
	t.Parallel()
	out := stream(t, []string{
		`{"candidates":[{"content":{"parts":[{"text":"abc"}]},"citationMetadata":{"citations":[{"startIndex":0,"endIndex":2,"uri":"u1"}]}}]}`,
		`{"candidates":[{"index":1,"finishReason":"STOP"},{"citationMetadata":{"citationSources":[{"startIndex":1,"endIndex":99,"uri":"u2"}]},"finishReason":"STOP"}]}`,
	})
	openaitest.Subset(t, choicesOf(t, out.chunks)[1],
		`{"delta":{"annotations":[{"url_citation":{"start_index":1,"end_index":3,"url":"u2"}},{"url_citation":{"start_index":0,"end_index":2,"url":"u1"}}]}}`)
	openaitest.Reports(t, ofPath(out.report, "citation"),
		"approximated /1/candidates/1/citationMetadata/citationSources/0")
}
