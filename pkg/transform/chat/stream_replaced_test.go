package chat_test

import (
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/transform/chat"
)

func TestValuesThatALaterChunkReplacesAreReportedAtEachLocation(t *testing.T) {
	t.Parallel()
	out := stream(t, []string{
		`{"candidates":[{"content":{"parts":[{"text":"a"}]},"safetyRatings":[{"category":"one"}]}]}`,
		`{"candidates":[{"content":{"parts":[{"text":"b"}]},"safetyRatings":[{"category":"one"}]}]}`,
		`{"candidates":[{"finishReason":"STOP","safetyRatings":[{"category":"two"}]}]}`,
	})
	openaitest.Reports(t, ofPath(out.report, "safetyRatings"),
		"approximated /0/candidates/0/safetyRatings", "approximated /1/candidates/0/safetyRatings")
}

func TestCandidatesWithoutAnIndexHaveLocationsOfTheirOwn(t *testing.T) {
	t.Parallel()
	out := stream(t, []string{
		`{"candidates":[{"content":{"role":"model","parts":[{"text":"a"}]}},{"content":{"role":"user","parts":[{"text":"b"}]}}]}`,
		`{"candidates":[{"content":{"role":"model"},"finishReason":"STOP"},{"content":{"role":"model"},"finishReason":"STOP"}]}`,
	})
	openaitest.Reports(t, ofPath(out.report, "role"), "approximated /0/candidates/1/content/role")
}

// The supports of a chunk without sources refer to the sources of all earlier chunks.
func TestSupportsOfEarlierSourcesAreShown(t *testing.T) {
	t.Parallel()
	out := stream(t, []string{
		`{"candidates":[{"content":{"parts":[{"text":"ab"}]},"groundingMetadata":{"groundingChunks":[{"web":{"uri":"u1","title":"1"}}]}}]}`,
		`{"candidates":[{"groundingMetadata":{"groundingChunks":[{"web":{"uri":"u1","title":"1"}},{"web":{"title":"2"}}]}}]}`,
		`{"candidates":[{"groundingMetadata":{"groundingSupports":[{"segment":{"endIndex":1},"groundingChunkIndices":[0,1,9]}]},"finishReason":"STOP"}]}`,
	}, chat.WithoutExtensions())
	openaitest.Reports(t, ofPath(out.report, "grounding"),
		"lost /1/candidates/0/groundingMetadata/groundingChunks/1",
		"lost /2/candidates/0/groundingMetadata/groundingSupports/0/groundingChunkIndices/1",
		"lost /2/candidates/0/groundingMetadata/groundingSupports/0/groundingChunkIndices/2")
}

func TestAnIdentityThatTheChunksDoNotHaveIsLostWhereverItStood(t *testing.T) {
	t.Parallel()
	late := []string{
		`{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}`,
		`{"responseId":"r","modelVersion":"m"}`,
		`{"responseId":"other"}`,
		`{"candidates":[{"finishReason":"STOP"}],"responseId":"r","modelVersion":"m"}`,
	}
	out := stream(t, late, chat.WithoutExtensions())
	openaitest.Reports(t, ofPath(out.report, "responseId"),
		"lost /1/responseId", "approximated /2/responseId", "lost /3/responseId")
	openaitest.Reports(t, ofPath(out.report, "modelVersion"), "lost /1/modelVersion",
		"lost /3/modelVersion")

	out = stream(t, []string{late[1], late[3]}, chat.WithoutExtensions(), chat.WithID("i"),
		chat.WithModelName("n"))
	openaitest.Reports(t, ofPath(out.report, "responseId"), "lost /0/responseId",
		"lost /1/responseId")
	openaitest.Reports(t, ofPath(out.report, "modelVersion"), "lost /0/modelVersion",
		"lost /1/modelVersion")
}
