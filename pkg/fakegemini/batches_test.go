package fakegemini_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
)

func inlined(texts ...string) *geminiapi.GenerateContentBatch {
	var requests []geminiapi.InlinedRequest
	for _, text := range texts {
		requests = append(requests, geminiapi.InlinedRequest{
			Request:  &geminiapi.GenerateContentRequest{Contents: []geminiapi.Content{gemini.UserText(text)}},
			Metadata: []byte(`{"id":"` + text + `"}`),
		})
	}
	return &geminiapi.GenerateContentBatch{
		DisplayName: new("d"),
		InputConfig: &geminiapi.BatchInputConfig{Requests: &geminiapi.InlinedRequests{Requests: requests}},
	}
}

func TestABatchGoesThroughItsStates(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := clientOf(t, geminitest.NewServer(t, geminitest.WithBatchTime(time.Hour)),
			gemini.WithModel("gemini-2.5-flash"))
		made, err := client.Batches.Create(t.Context(), inlined("a", "b"))
		if err != nil || *made.Metadata.State != geminiapi.BatchStatePending || made.Done != nil ||
			made.Metadata.BatchStats.PendingRequestCount.Int64() != 2 {
			t.Fatalf("got %+v, %v", made, err)
		}
		for _, want := range []geminiapi.BatchState{geminiapi.BatchStatePending,
			geminiapi.BatchStateRunning, geminiapi.BatchStateSucceeded} {
			got, err := client.Batches.Get(t.Context(), *made.Name)
			if err != nil || *got.Metadata.State != want ||
				*got.Metadata.Model != "models/gemini-2.5-flash" {
				t.Fatalf("got %+v, %v, want %s", got.Metadata, err, want)
			}
			made = got
			time.Sleep(30 * time.Minute)
		}
		results := made.Response.InlinedResponses.InlinedResponses
		if !*made.Done || len(results) != 2 ||
			made.Metadata.BatchStats.SuccessfulRequestCount.Int64() != 2 ||
			made.Metadata.EndTime == nil {
			t.Fatalf("got %+v", made)
		}
		alone, err := client.GenerateContent(t.Context(),
			&geminiapi.GenerateContentRequest{Contents: []geminiapi.Content{gemini.UserText("b")}})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := *results[1].Response.Candidates[0].Content.Parts[0].Text,
			*alone.Candidates[0].Content.Parts[0].Text; got != want ||
			!strings.Contains(string(results[1].Metadata), `"id": "b"`) {
			t.Errorf("got %q with %s, want %q", got, results[1].Metadata, want)
		}
	})
}

func TestRequestsOfABatchAreAnsweredByTheScript(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t, geminitest.WithAPIKeys("k"), geminitest.WithScript(
		geminitest.On(geminitest.Prompt("a")).Reply(geminitest.Text("from the script")),
		geminitest.On(geminitest.Prompt("b")).Reply(geminitest.Unavailable()),
		geminitest.On(geminitest.Prompt("c")).Reply(geminitest.Reset()),
	))
	client := clientOf(t, srv, gemini.WithModel("gemini-2.5-flash"))
	made, err := client.Batches.Create(t.Context(), inlined("a", "b", "c", "d"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := client.Batches.Get(t.Context(), *made.Name)
	if err != nil || got.Metadata.BatchStats.FailedRequestCount.Int64() != 2 {
		t.Fatalf("got %+v, %v", got, err)
	}
	results := got.Response.InlinedResponses.InlinedResponses
	if text := *results[0].Response.Candidates[0].Content.Parts[0].Text; text != "from the script" {
		t.Error(text)
	}
	if *results[1].Error.Code != 14 || results[2].Error == nil || results[3].Response == nil {
		t.Errorf("got %+v", results)
	}
}

func TestABatchThatStallsEndsWithWhoAsks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := geminitest.NewServer(t,
			geminitest.WithScript(geminitest.On(geminitest.Prompt("a")).Reply(geminitest.Stall())))
		client := clientOf(t, srv, gemini.WithModel("gemini-2.5-flash"))
		made, err := client.Batches.Create(t.Context(), inlined("a"))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := client.Batches.Get(t.Context(), *made.Name,
			gemini.WithTimeout(time.Minute)); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %+v, %v", got, err)
		}
		if err := client.Batches.Cancel(t.Context(), *made.Name); err != nil {
			t.Error(err)
		}
		got, err := client.Batches.Get(t.Context(), *made.Name)
		if err != nil || *got.Metadata.State != geminiapi.BatchStateCancelled {
			t.Errorf("got %+v, %v", got, err)
		}
	})
}

func TestABatchFromAFileAnswersInAFile(t *testing.T) {
	t.Parallel()
	client := clientOf(t, geminitest.NewServer(t), gemini.WithModel("gemini-2.5-flash"))
	const lines = `{"key":"one","request":` + hello + `}` + "\n\n" +
		`{"key":"two","request":{"contents":[{"role":"narrator","parts":[{"text":"x"}]}]}}` +
		"\nnot JSON\n"
	file, err := client.Files.Upload(t.Context(), strings.NewReader(lines),
		&geminiapi.File{MIMEType: new("application/jsonl")})
	if err != nil {
		t.Fatal(err)
	}
	made, err := client.Batches.Create(t.Context(),
		&geminiapi.GenerateContentBatch{InputConfig: &geminiapi.BatchInputConfig{FileName: file.Name}})
	if err != nil {
		t.Fatal(err)
	}
	made, err = client.Batches.Get(t.Context(), *made.Name)
	if err != nil || *made.Metadata.State != geminiapi.BatchStateSucceeded ||
		made.Metadata.BatchStats.FailedRequestCount.Int64() != 2 {
		t.Fatalf("got %+v, %v", made, err)
	}
	var out bytes.Buffer
	if _, err := client.Files.Download(t.Context(), *made.Response.ResponsesFile,
		&out); err != nil {
		t.Fatal(err)
	}
	var results []*geminiapi.BatchResultLine
	for line := range bytes.Lines(out.Bytes()) {
		result, err := gemini.Decode[geminiapi.BatchResultLine](line)
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, result)
	}
	if len(results) != 3 || *results[0].Key != "one" || results[0].Response == nil ||
		*results[1].Key != "two" || *results[1].Error.Code != 3 || results[2].Error == nil {
		t.Errorf("got %s", out.String())
	}
}

func TestABatchIsCancelledAndDeleted(t *testing.T) {
	t.Parallel()
	client := clientOf(t, geminitest.NewServer(t), gemini.WithModel("gemini-2.5-flash"))
	made, err := client.Batches.Create(t.Context(), inlined("a"))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := client.Batches.Cancel(t.Context(), *made.Name); err != nil {
			t.Fatal(err)
		}
	}
	got, err := client.Batches.Get(t.Context(), *made.Name)
	if err != nil || *got.Metadata.State != geminiapi.BatchStateCancelled || *got.Error.Code != 1 ||
		got.Response != nil || !*got.Done {
		t.Errorf("got %+v, %v", got, err)
	}
	count := 0
	for _, err := range client.Batches.List(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		count++
	}
	if count != 1 {
		t.Errorf("%d batches", count)
	}
	if err := client.Batches.Delete(t.Context(), *made.Name); err != nil {
		t.Error(err)
	}
	expectRefusal(t, "a deleted batch", client.Batches.Delete(t.Context(), *made.Name), 404,
		"Requested entity was not found.")
	expectRefusal(t, "cancelling it", client.Batches.Cancel(t.Context(), *made.Name), 404,
		"Requested entity was not found.")
}

func TestBatchesThatTheRealServerRefuses(t *testing.T) {
	t.Parallel()
	client := clientOf(t, geminitest.NewServer(t))
	_, err := client.Batches.Create(t.Context(), inlined("a"), gemini.WithModel("gpt-4"))
	expectRefusal(t, "no such model", err, 404,
		"models/gpt-4 is not found for API version v1beta, or is not supported for batchGenerateContent.")
	_, err = client.Batches.Create(t.Context(), inlined("a"),
		gemini.WithModel("gemini-embedding-001"))
	expectRefusal(t, "a model that answers nothing", err, 404,
		"is not supported for batchGenerateContent.")
	_, err = client.Batches.Create(t.Context(), inlined(), gemini.WithModel("gemini-2.5-flash"))
	expectRefusal(t, "no requests", err, 400, "invalid argument")
	_, err = client.Batches.Create(t.Context(), &geminiapi.GenerateContentBatch{
		InputConfig: &geminiapi.BatchInputConfig{FileName: new("files/none")},
	}, gemini.WithModel("gemini-2.5-flash"))
	expectRefusal(t, "no file", err, 403, "You do not have permission to access the File none")
}

func TestBatchesAreInTheTroubleThatATestWants(t *testing.T) {
	t.Parallel()
	client := clientOf(t, geminitest.NewServer(t, geminitest.WithBatchTrouble(
		geminitest.BatchTrouble{Reverses: true, Loses: 3, Doubles: 2},
		geminitest.BatchTrouble{Ends: geminiapi.BatchStateExpired, Loses: 2},
		geminitest.BatchTrouble{Ends: geminiapi.BatchStateFailed},
	)), gemini.WithModel("gemini-2.5-flash"))
	for _, want := range []struct {
		state geminiapi.BatchState
		ids   string // of the results
		code  int
	}{
		{geminiapi.BatchStateSucceeded, "c a a", 0}, // d has the metadata of c
		{geminiapi.BatchStateExpired, "a c", 4},
		{geminiapi.BatchStateFailed, "", 13},
		{geminiapi.BatchStateSucceeded, "a b c d", 0},
	} {
		made, err := client.Batches.Create(t.Context(), inlined("a", "b", "c", "d"))
		if err != nil {
			t.Fatal(err)
		}
		if made, err = client.Batches.Get(t.Context(), *made.Name); err != nil {
			t.Fatal(err)
		}
		var ids []string
		if output := made.Metadata.Output; output != nil {
			for _, result := range output.InlinedResponses.InlinedResponses {
				_, rest, _ := strings.Cut(string(result.Metadata), `: "`)
				ids = append(ids, rest[:1])
			}
		}
		code := 0
		if made.Error != nil {
			code = *made.Error.Code
		}
		if *made.Metadata.State != want.state || strings.Join(ids, " ") != want.ids ||
			code != want.code || !*made.Done {
			t.Errorf("%s with the results %v and the code %d, want %+v", *made.Metadata.State, ids,
				code, want)
		}
	}
}
