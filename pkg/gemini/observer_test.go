package gemini_test

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/google/go-cmp/cmp"
)

// notes is an observer that stores what it sees of calls.
type notes struct {
	calls    []gemini.CallInfo
	attempts []gemini.AttemptInfo
	chunks   []gemini.ChunkInfo
	results  []gemini.CallResult
}

func (n *notes) Begin(ctx context.Context, call gemini.CallInfo) (context.Context,
	gemini.Observation) {
	n.calls = append(n.calls, call)
	return ctx, n
}
func (n *notes) Attempt(a gemini.AttemptInfo) { n.attempts = append(n.attempts, a) }
func (n *notes) Chunk(c gemini.ChunkInfo)     { n.chunks = append(n.chunks, c) }
func (n *notes) End(r gemini.CallResult)      { n.results = append(n.results, r) }

// after is a Doer that answers after a second.
func after(body, contentType string) gemini.Doer {
	return gemini.DoerFunc(func(*http.Request) (*http.Response, error) {
		time.Sleep(time.Second)
		return httpReply(200, contentType, body), nil
	})
}

func TestAnObserverSeesWhatAnAnswerSaysOfItself(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		body string
		want gemini.CallResult
	}{
		"an answer": {
			`{"candidates":[{"finishReason":"STOP"},{"index":1,"finishReason":"MAX_TOKENS"},{"index":2}],"responseId":"r","modelVersion":"v","usageMetadata":{"totalTokenCount":3}}`,
			gemini.CallResult{
				ResponseID: "r", ModelVersion: "v",
				Usage:         &geminiapi.UsageMetadata{TotalTokenCount: new(3)},
				FinishReasons: []geminiapi.FinishReason{"STOP", "MAX_TOKENS"},
			},
		},
		"a refusal":        {`{"promptFeedback":{"blockReason":"SAFETY"}}`, gemini.CallResult{BlockReason: "SAFETY"}},
		"feedback":         {`{"promptFeedback":{"safetyRatings":[]}}`, gemini.CallResult{}},
		"no finish reason": {`{"candidates":[{"finishReason":"FINISH_REASON_UNSPECIFIED"}]}`, gemini.CallResult{}},
	} {
		synctest.Test(t, func(t *testing.T) {
			var seen notes
			client := newClient(t, gemini.WithObserver(&seen),
				gemini.WithHTTPClient(after(tt.body, "application/json")))
			if _, err := client.GenerateContent(t.Context(), prompt("m")); err != nil {
				t.Fatal(err)
			}
			tt.want.Duration, tt.want.Attempts, tt.want.HTTPStatus = time.Second, 1, 200
			if diff := cmp.Diff([]gemini.CallResult{tt.want}, seen.results); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
			if len(seen.attempts) != 1 || seen.attempts[0].Duration != time.Second ||
				seen.attempts[0].Number != 1 || len(seen.chunks) != 0 {
				t.Errorf("%s: %+v, %+v", name, seen.attempts, seen.chunks)
			}
		})
	}
}

func TestAnObserverSeesTheLastOfWhatChunksSay(t *testing.T) {
	t.Parallel()
	const events = `data: {"candidates":[{"content":{"parts":[{"text":"a"}]}}],"responseId":"r","modelVersion":"v","usageMetadata":{"totalTokenCount":3}}` +
		"\r\n\r\n" +
		`data: {"candidates":[{"content":{"parts":[{"text":"b"}]},"finishReason":"STOP"}],"usageMetadata":{"totalTokenCount":5}}` +
		"\r\n\r\n" +
		`data: {"usageMetadata":{"promptTokenCount":0}}` + "\r\n\r\n"
	for _, isLeft := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			var seen notes
			client := newClient(t, gemini.WithObserver(&seen),
				gemini.WithHTTPClient(after(events, "text/event-stream")))
			for _, err := range client.StreamGenerateContent(t.Context(), prompt("m")) {
				if err != nil {
					t.Fatal(err)
				}
				time.Sleep(2 * time.Second)
				if isLeft {
					break
				}
			}
			chunks := []gemini.ChunkInfo{{Number: 1, Since: time.Second},
				{Number: 2, Since: 3 * time.Second}, {Number: 3, Since: 5 * time.Second}}
			want := gemini.CallResult{
				Duration: 7 * time.Second, Attempts: 1, HTTPStatus: 200, Chunks: 3, ResponseID: "r",
				ModelVersion:  "v",
				Usage:         &geminiapi.UsageMetadata{TotalTokenCount: new(5)},
				FinishReasons: []geminiapi.FinishReason{"STOP"},
			}
			if isLeft {
				chunks = chunks[:1]
				want.Duration, want.Chunks, want.IsLeft, want.Usage,
					want.FinishReasons = 3*time.Second,
					1, true, &geminiapi.UsageMetadata{TotalTokenCount: new(3)}, nil
			}
			if diff := cmp.Diff([]gemini.CallResult{want}, seen.results) +
				cmp.Diff(chunks, seen.chunks); diff != "" {
				t.Errorf("left %v: %s", isLeft, diff)
			}
			if !seen.calls[0].IsStream || seen.calls[0].IsVertexAI || seen.calls[0].Model != "m" {
				t.Errorf("%+v", seen.calls[0])
			}
		})
	}
}
