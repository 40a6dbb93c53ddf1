package openai_test

import (
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/transform/openai"
)

func TestWhatNoChunkTellsIsAddedWhereTheFirstWouldHaveToldIt(t *testing.T) {
	t.Parallel()
	bodies := []string{`{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}`, `{"candidates":[{"finishReason":"STOP"}]}`}
	out := stream(t, bodies)
	reports(t, out.report, "added /0/responseId", "added /0/modelVersion", "added /0/createTime")
	out = stream(t, bodies, openai.WithID("i"), openai.WithModel("m"), openai.WithCreated(time.Unix(7, 0)))
	reports(t, out.report)
}

func TestWhatComesTooLateIsNotAdded(t *testing.T) {
	t.Parallel()
	out := stream(t, []string{
		`{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}`,
		`{"responseId":"r","modelVersion":"m","createTime":"2026-11-20T10:00:00Z","candidates":[{"finishReason":"STOP"}]}`,
	})
	reports(t, out.report)
}

func TestTextsThatAreJoinedAreReportedWhereTheLastOfThemStood(t *testing.T) {
	t.Parallel()
	out := stream(t, []string{
		`{"candidates":[{"content":{"parts":[{"text":"a","thoughtSignature":"s"}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"text":"b"}]}}]}`,
		`{"candidates":[{"content":{"role":"model"},"finishReason":"STOP"}]}`,
	}, openai.WithoutExtensions())
	reports(t, ofPath(out.report, "content"), "lost /0/candidates/0/content/parts/0/thoughtSignature", "approximated /1/candidates/0/content/parts")
}
