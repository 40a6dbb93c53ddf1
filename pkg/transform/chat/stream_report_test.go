package chat_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/transform/chat"
)

func TestAValueThatNoChunkHasIsAddedAtTheFirstChunk(t *testing.T) {
	t.Parallel()
	bodies := []string{`{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}`,
		`{"candidates":[{"finishReason":"STOP"}]}`}
	out := stream(t, bodies)
	openaitest.Reports(t, out.report, "added /0/createTime", "added /0/modelVersion",
		"added /0/responseId")
	out = stream(t, bodies, chat.WithID("i"), chat.WithModelName("m"),
		chat.WithCreated(time.Unix(7, 0)))
	openaitest.Reports(t, out.report)
}

func TestLateValuesAreNotAdded(t *testing.T) {
	t.Parallel()
	out := stream(t, []string{
		`{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}`,
		`{"responseId":"r","modelVersion":"m","createTime":"2026-11-20T10:00:00Z","candidates":[{"finishReason":"STOP"}]}`,
	})
	openaitest.Reports(t, out.report)
}

func TestTextsThatAreJoinedAreReportedWhereTheLastOfThemStood(t *testing.T) {
	t.Parallel()
	out := stream(t, []string{
		`{"candidates":[{"content":{"parts":[{"text":"a","thoughtSignature":"s"}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"text":"b"}]}}]}`,
		`{"candidates":[{"content":{"role":"model"},"finishReason":"STOP"}]}`,
	}, chat.WithoutExtensions())
	openaitest.Reports(t, ofPath(out.report, "content"),
		"lost /0/candidates/0/content/parts/0/thoughtSignature",
		"approximated /1/candidates/0/content/parts")
}

func TestASignatureIsReplacedByALaterOneOfTheSameCallOnly(t *testing.T) {
	t.Parallel()
	out := stream(t, []string{
		`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","willContinue":true},"thoughtSignature":"one"}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"functionCall":{},"thoughtSignature":"two"}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"g","willContinue":true},"thoughtSignature":"three"}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"functionCall":{}}]},"finishReason":"STOP"}]}`,
	})
	openaitest.Reports(t, ofPath(out.report, "thoughtSignature"),
		"approximated /0/candidates/0/content/parts/0/thoughtSignature")
}

func TestMembersNextToATextAreReported(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{`"text":"a"`, `"text":"a","thought":true`} {
		out := stream(t, []string{
			`{"candidates":[{"content":{"parts":[{` + kind + `,"videoMetadata":{"fps":2}}]}}]}`,
			`{"candidates":[{"finishReason":"STOP"}]}`,
		}, chat.WithoutExtensions())
		if entries := ofPath(out.report,
			"content"); !entries.Covers("/0/candidates/0/content/parts/0/videoMetadata/fps") {
			t.Errorf("%s: %v", kind, entries)
		}
	}
}

func TestListsThatGrowReplaceNothing(t *testing.T) {
	t.Parallel()
	for _, list := range []string{
		`"urlContextMetadata":{"urlMetadata":[{"retrievedUrl":"%s"}]}`,
		`"citationMetadata":{"citationSources":[{"uri":"%s"}]}`,
		`"citationMetadata":{"citations":[{"uri":"%s"}]}`,
		`"groundingMetadata":{"webSearchQueries":["%s"],"imageSearchQueries":["%[1]s"],"retrievalQueries":["%[1]s"]}`,
		`"groundingMetadata":{"groundingChunks":[{"web":{"uri":"%s"}}],"sourceFlaggingUris":[{"sourceId":"%[1]s"}]}`,
		`"groundingMetadata":{"groundingSupports":[{"segment":{"text":"%s"}}]}`,
		`"groundingAttributions":[{"sourceId":{"groundingPassage":{"passageId":"%s"}}}]`,
		`"logprobsResult":{"chosenCandidates":[{"token":"%s"}],"topCandidates":[{"candidates":[{"token":"%[1]s"}]}]}`,
	} {
		var bodies []string
		for _, text := range []string{"one", "two"} {
			bodies = append(bodies,
				`{"candidates":[{"content":{"parts":[{"text":"one two"}]},"finishReason":"STOP",`+
					fmt.Sprintf(list, text)+`}]}`)
		}
		out := stream(t, bodies, chat.WithID("i"), chat.WithModelName("m"),
			chat.WithCreated(time.Unix(7, 0)))
		t.Log(list)
		openaitest.Reports(t, out.report)
	}
}

// Some streams list only new sources in each chunk, while the supports count all sources.
func TestSourcesThatAreSentAreNotLostWhereSupportsCountThoseOfAll(t *testing.T) {
	t.Parallel()
	out := stream(t, []string{
		`{"responseId":"r","modelVersion":"m","candidates":[{"content":{"parts":[{"text":"one two"}]},"groundingMetadata":{
			"groundingChunks":[{"web":{"uri":"https://a.example","title":"A"}}],
			"groundingSupports":[{"segment":{"startIndex":0,"endIndex":3,"text":"one"},"groundingChunkIndices":[0]}]}}]}`,
		`{"candidates":[{"finishReason":"STOP","groundingMetadata":{
			"groundingChunks":[{"web":{"uri":"https://b.example","title":"B"}}],
			"groundingSupports":[{"segment":{"startIndex":4,"endIndex":7,"text":"two"},"groundingChunkIndices":[1]}]}}]}`,
	}, chat.WithoutExtensions())
	openaitest.Reports(t, ofPath(out.report, "groundingMetadata"))
}
