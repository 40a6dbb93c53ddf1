package gemini_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/google/go-cmp/cmp"
)

// The replies of an answer in two parts. The second one has no reason to continue.
const (
	cutHere = `{"candidates":[{"content":{"role":"model","parts":[{"text":"think","thought":true},{"text":"Hel"}]},` +
		`"finishReason":"CONTINUATION","continuationToken":"t1"}],"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":1,"totalTokenCount":6,` +
		`"promptTokensDetails":[{"modality":"TEXT","tokenCount":5}]},"responseId":"r1"}`
	cutAgain = `{"candidates":[{"content":{"role":"model","parts":[{"text":"lo "}]},"continuationToken":"t2"}],` +
		`"usageMetadata":{"promptTokenCount":6,"candidatesTokenCount":1,"totalTokenCount":7}}`
	theEnd = `{"candidates":[{"content":{"role":"model","parts":[{"text":"world"},{"text":"","thoughtSignature":"s"}]},"finishReason":"STOP"}],` +
		`"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":2,"totalTokenCount":9,"promptTokensDetails":[{"modality":"TEXT","tokenCount":7}]}}`
	joined = `{"candidates":[{"content":{"parts":[{"text":"think","thought":true},{"text":"Hello world"},{"text":"","thoughtSignature":"s"}],"role":"model"},"finishReason":"STOP"}],"responseId":"r1",` +
		`"usageMetadata":{"candidatesTokenCount":4,"initialPromptTokenCount":5,"promptTokenCount":18,"promptTokensDetails":[{"modality":"TEXT","tokenCount":12}],"totalTokenCount":22}}`
)

func TestAnAnswerInSeveralRepliesIsJoined(t *testing.T) {
	t.Parallel()
	server := &recordingDoer{answers: []string{cutHere, cutAgain, theEnd}}
	client := newClient(t, gemini.WithHTTPClient(server))
	req := prompt("m")
	got, err := client.GenerateContent(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := gemini.EncodeResponse(got)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(joined, string(encoded)); diff != "" {
		t.Error(diff)
	}
	for i, token := range []string{"", "t1", "t2"} {
		if got := strings.Contains(server.bodies[i],
			`"continuationToken":"`+token+`"`); got != (token != "") {
			t.Errorf("request %d: %s", i, server.bodies[i])
		}
	}
	if req.ContinuationToken != nil {
		t.Error("the caller's request was changed")
	}
}

func TestWithoutContinuationTheFirstReplyIsTheAnswer(t *testing.T) {
	t.Parallel()
	server := &recordingDoer{answers: []string{cutHere}}
	client := newClient(t, gemini.WithContinuation(0), gemini.WithHTTPClient(server))
	got, err := client.GenerateContent(t.Context(), prompt("m"))
	if err != nil || *got.Candidates[0].ContinuationToken != "t1" || len(server.requests) != 1 {
		t.Error(got, err)
	}
}

func TestAnAnswerWithMoreRepliesThanAskedForKeepsItsToken(t *testing.T) {
	t.Parallel()
	server := &recordingDoer{answers: []string{cutHere, cutAgain}}
	client := newClient(t, gemini.WithHTTPClient(server), gemini.WithContinuation(1))
	got, err := client.GenerateContent(t.Context(), prompt("m"))
	if err != nil || *got.Candidates[0].ContinuationToken != "t2" || len(server.requests) != 2 {
		t.Error(got, err)
	}
}

func TestStreamsThatContinueEachOtherAreOne(t *testing.T) {
	t.Parallel()
	events := func(chunks ...string) string { return "data: " + strings.Join(chunks, "\r\n\r\ndata: ") + "\r\n\r\n" }
	server := &recordingDoer{answers: []string{events(cutHere), events(cutAgain), events(theEnd)}}
	client := newClient(t, gemini.WithHTTPClient(server))
	var text string
	var last *geminiapi.GenerateContentResponse
	for chunk, err := range client.StreamGenerateContent(t.Context(), prompt("m")) {
		if err != nil {
			t.Fatal(err)
		}
		if last != nil &&
			(last.Candidates[0].FinishReason != nil ||
				last.Candidates[0].ContinuationToken != nil) {
			t.Error("a chunk that is not the last ends the answer")
		}
		for _, part := range chunk.Candidates[0].Content.Parts {
			text += *part.Text
		}
		last = chunk
	}
	if text != "thinkHello world" || *last.UsageMetadata.TotalTokenCount != 22 ||
		len(server.requests) != 3 {
		t.Error(text, last.UsageMetadata)
	}
}

func TestALoopThatIsLeftAsksForNoMore(t *testing.T) {
	t.Parallel()
	server := &recordingDoer{answers: []string{"data: " + cutHere + "\r\n\r\n"}}
	client := newClient(t, gemini.WithHTTPClient(server))
	for range client.StreamGenerateContent(t.Context(), prompt("m")) {
		break
	}
	if len(server.requests) != 1 {
		t.Errorf("%d requests", len(server.requests))
	}
}
