package genai_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"

	"google.golang.org/genai"
)

const embedder = "gemini-embedding-001"

func TestTextsAreEmbedded(t *testing.T) {
	overBoth(t, func(t *testing.T, client *genai.Client) {
		texts := append(genai.Text("Tea"), genai.Text("Coffee")...)
		embedded, err := client.Models.EmbedContent(t.Context(), embedder, texts,
			&genai.EmbedContentConfig{
				OutputDimensionality: genai.Ptr[int32](256), TaskType: "SEMANTIC_SIMILARITY",
			})
		check(t, err)
		if len(embedded.Embeddings) != 2 || len(embedded.Embeddings[0].Values) != 256 {
			t.Errorf("got %d embeddings", len(embedded.Embeddings))
		}
	})
}

func TestModelsAreListed(t *testing.T) {
	overBoth(t, func(t *testing.T, client *genai.Client) {
		page, err := client.Models.List(t.Context(), &genai.ListModelsConfig{PageSize: 2})
		check(t, err)
		if len(page.Items) != 2 || page.NextPageToken == "" {
			t.Fatalf("%d models, next page %q", len(page.Items), page.NextPageToken)
		}
		seen := map[string]bool{}
		for listed, err := range client.Models.All(t.Context()) {
			check(t, err)
			if seen[listed.Name] {
				t.Errorf("%s is listed twice", listed.Name)
			}
			seen[listed.Name] = true
		}
		got, err := client.Models.Get(t.Context(), model, nil)
		check(t, err)
		if !seen[got.Name] || !strings.HasSuffix(got.Name, "models/"+model) {
			t.Errorf("got %q; listed are %v", got.Name, seen)
		}
	})
}

// wait asks until a condition holds.
func wait(t *testing.T, done func() bool) {
	t.Helper()
	for range 500 {
		if done() {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatal("waited without a result")
}

func TestFilesAreUploadedUsedAndDeleted(t *testing.T) {
	t.Parallel()
	client := newClient(t, emulate(t), "any")
	const size = 20 << 20 // more than the client sends at once
	file, err := client.Files.Upload(t.Context(), bytes.NewReader(make([]byte, size)),
		&genai.UploadFileConfig{
			MIMEType: "application/pdf", DisplayName: "A report",
		})
	check(t, err)
	wait(t, func() bool {
		file, err = client.Files.Get(t.Context(), file.Name, nil)
		check(t, err)
		return file.State != genai.FileStateProcessing
	})
	if file.State != genai.FileStateActive || *file.SizeBytes != size ||
		file.MIMEType != "application/pdf" || file.DisplayName != "A report" {
		t.Fatalf("got %+v", file)
	}
	answer, err := client.Models.GenerateContent(t.Context(), model,
		[]*genai.Content{genai.NewContentFromParts([]*genai.Part{
			genai.NewPartFromURI(file.URI, file.MIMEType), genai.NewPartFromText("Sum it up."),
		}, genai.RoleUser)}, nil)
	check(t, err)
	checkAnswer(t, answer)
	listed := 0
	for f, err := range client.Files.All(t.Context()) {
		check(t, err)
		if f.Name == file.Name {
			listed++
		}
	}
	if listed != 1 {
		t.Errorf("the file is listed %d times", listed)
	}
	_, err = client.Files.Delete(t.Context(), file.Name, nil)
	check(t, err)
	_, err = client.Files.Get(t.Context(), file.Name, nil)
	checkError(t, err, http.StatusForbidden, "")
}

func TestContentIsCachedUsedAndDeleted(t *testing.T) {
	overBoth(t, func(t *testing.T, client *genai.Client) {
		if isThroughGateway() && strings.HasSuffix(t.Name(), "Vertex_AI") {
			t.Skip("the gateway calls by a key here, which reaches no project")
		}
		cached, err := client.Caches.Create(t.Context(), model, &genai.CreateCachedContentConfig{
			Contents: genai.Text(strings.Repeat("The sky is blue, the sea is deep. ", 1000)),
			TTL:      time.Hour, DisplayName: "Sky and sea",
		})
		check(t, err)
		answer, err := client.Models.GenerateContent(t.Context(), model,
			genai.Text("What is deep?"), &genai.GenerateContentConfig{CachedContent: cached.Name})
		check(t, err)
		if answer.UsageMetadata.CachedContentTokenCount == 0 ||
			answer.UsageMetadata.CachedContentTokenCount != cached.UsageMetadata.TotalTokenCount {
			t.Errorf("%d tokens are used of the cache, which has %d",
				answer.UsageMetadata.CachedContentTokenCount, cached.UsageMetadata.TotalTokenCount)
		}
		updated, err := client.Caches.Update(t.Context(), cached.Name,
			&genai.UpdateCachedContentConfig{TTL: 5 * time.Hour})
		check(t, err)
		if !updated.ExpireTime.After(cached.ExpireTime.Add(time.Hour)) {
			t.Errorf("it expired at %v, and does at %v", cached.ExpireTime, updated.ExpireTime)
		}
		listed := 0
		for c, err := range client.Caches.All(t.Context()) {
			check(t, err)
			if c.Name == cached.Name && c.DisplayName == "Sky and sea" {
				listed++
			}
		}
		if listed != 1 {
			t.Errorf("it is listed %d times", listed)
		}
		_, err = client.Caches.Delete(t.Context(), cached.Name, nil)
		check(t, err)
		_, err = client.Models.GenerateContent(t.Context(), model, genai.Text("What is deep?"),
			&genai.GenerateContentConfig{CachedContent: cached.Name})
		if err == nil {
			t.Error("a deleted cache is used")
		}
	})
}

func TestBatchIsRun(t *testing.T) {
	t.Parallel()
	client := newClient(t, emulate(t), "any")
	batch, err := client.Batches.Create(t.Context(), model,
		&genai.BatchJobSource{InlinedRequests: []*genai.InlinedRequest{
			{Contents: genai.Text("One"), Metadata: map[string]string{"key": "first"}},
			{Contents: genai.Text("Two"), Config: &genai.GenerateContentConfig{Temperature: genai.Ptr[float32](0)}},
		}}, &genai.CreateBatchJobConfig{DisplayName: "Two questions"})
	check(t, err)
	batch = finished(t, client, batch)
	if batch.State != genai.JobStateSucceeded || batch.DisplayName != "Two questions" ||
		len(batch.Dest.InlinedResponses) != 2 {
		t.Fatalf("got %+v", batch)
	}
	for _, r := range batch.Dest.InlinedResponses {
		checkAnswer(t, r.Response)
	}
	listed := 0
	for b, err := range client.Batches.All(t.Context()) {
		check(t, err)
		if b.Name == batch.Name {
			listed++
		}
	}
	if listed != 1 {
		t.Errorf("it is listed %d times", listed)
	}
	_, err = client.Batches.Delete(t.Context(), batch.Name, nil)
	check(t, err)
	_, err = client.Batches.Get(t.Context(), batch.Name, nil)
	checkError(t, err, http.StatusNotFound, "")
}

func finished(t *testing.T, client *genai.Client, batch *genai.BatchJob) *genai.BatchJob {
	t.Helper()
	wait(t, func() bool {
		var err error
		batch, err = client.Batches.Get(t.Context(), batch.Name, nil)
		check(t, err)
		return batch.State == genai.JobStateSucceeded || batch.State == genai.JobStateFailed ||
			batch.State == genai.JobStateCancelled
	})
	return batch
}

func TestBatchOfAFileIsRun(t *testing.T) {
	t.Parallel()
	client := newClient(t, emulate(t), "any")
	lines := `{"key":"a","request":{"contents":[{"role":"user","parts":[{"text":"One"}]}]}}` +
		"\n" +
		`{"key":"b","request":{"contents":[{"role":"user","parts":[{"text":"Two"}]}]}}` + "\n"
	file, err := client.Files.Upload(t.Context(), strings.NewReader(lines),
		&genai.UploadFileConfig{MIMEType: "application/jsonl"})
	check(t, err)
	batch, err := client.Batches.Create(t.Context(), model,
		&genai.BatchJobSource{FileName: file.Name}, nil)
	check(t, err)
	batch = finished(t, client, batch)
	if batch.State != genai.JobStateSucceeded || batch.Dest.FileName == "" {
		t.Fatalf("got %+v", batch)
	}
	answers, err := client.Files.Download(t.Context(),
		genai.NewDownloadURIFromFile(&genai.File{Name: batch.Dest.FileName,
			DownloadURI: batch.Dest.FileName}), nil)
	check(t, err)
	if strings.Count(string(answers), `"response"`) != 2 ||
		!strings.Contains(string(answers), `"key":"b"`) &&
			!strings.Contains(string(answers), `"key": "b"`) {
		t.Errorf("got %s", answers)
	}
}

func TestBatchIsCancelled(t *testing.T) {
	t.Parallel()
	client := newClient(t, emulate(t), "any")
	batch, err := client.Batches.Create(t.Context(), model,
		&genai.BatchJobSource{InlinedRequests: []*genai.InlinedRequest{{Contents: genai.Text("One")}}},
		nil)
	check(t, err)
	check(t, client.Batches.Cancel(t.Context(), batch.Name, nil))
	if state := finished(t, client, batch).State; state != genai.JobStateCancelled &&
		state != genai.JobStateSucceeded {
		t.Errorf("got %s", state)
	}
}
