package fakegemini_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
)

func inlinedContents(texts ...string) *geminiapi.EmbedContentBatch {
	var requests []geminiapi.InlinedEmbedContentRequest
	for _, text := range texts {
		request := &geminiapi.EmbedContentRequest{Content: new(gemini.UserText(text)),
			OutputDimensionality: new(8)}
		if text == "" {
			request.Content = nil
		}
		requests = append(requests,
			geminiapi.InlinedEmbedContentRequest{Request: request,
				Metadata: []byte(`{"id":"` + text + `"}`)})
	}
	return &geminiapi.EmbedContentBatch{
		DisplayName: new("d"),
		InputConfig: &geminiapi.EmbedContentInputConfig{Requests: &geminiapi.InlinedEmbedContentRequests{Requests: requests}},
	}
}

func TestABatchOfEmbeddingsHasTheVectorsThatOneCallHas(t *testing.T) {
	t.Parallel()
	client := clientOf(t, geminitest.NewServer(t), gemini.WithModel("gemini-embedding-001"))
	made, err := client.Batches.CreateEmbeddings(t.Context(), inlinedContents("one", "", "two"))
	if err != nil || *made.Metadata.State != geminiapi.BatchStatePending ||
		*made.Metadata.DisplayName != "d" ||
		!strings.HasSuffix(*made.Metadata.Type, ".EmbedContentBatch") {
		t.Fatalf("got %+v, %v", made, err)
	}
	done, err := client.Batches.GetEmbeddings(t.Context(), *made.Name)
	if err != nil || !*done.Done || done.Metadata.BatchStats.FailedRequestCount.Int64() != 1 {
		t.Fatalf("got %+v, %v", done, err)
	}
	results := done.Response.InlinedResponses.InlinedResponses
	if len(results) != 3 || results[1].Error == nil ||
		!strings.Contains(string(results[2].Metadata), `"two"`) {
		t.Fatalf("got %+v", results)
	}
	alone, err := client.EmbedContent(t.Context(),
		&geminiapi.EmbedContentRequest{Content: new(gemini.UserText("two")),
			OutputDimensionality: new(8)})
	if err != nil || len(alone.Embedding.Values) != 8 ||
		!slices.Equal(alone.Embedding.Values, results[2].Response.Embedding.Values) {
		t.Errorf("got %v, want %v (%v)", results[2].Response.Embedding, alone, err)
	}
	untyped, err := client.Batches.Get(t.Context(), *made.Name)
	if err != nil || !strings.Contains(string(untyped.Response.InlinedResponses.InlinedResponses[0].Response.Unknown),
		"embedding") {
		t.Errorf("Get loses the vectors: %v", err)
	}
}

func TestABatchOfEmbeddingsFromAFileAnswersInAFile(t *testing.T) {
	t.Parallel()
	client := clientOf(t, geminitest.NewServer(t), gemini.WithModel("gemini-embedding-001"))
	const lines = `{"key":"one","request":{"content":{"parts":[{"text":"x"}]}}}` + "\nnot JSON\n"
	file, err := client.Files.Upload(t.Context(), strings.NewReader(lines),
		&geminiapi.File{MIMEType: new("application/jsonl")})
	if err != nil {
		t.Fatal(err)
	}
	made, err := client.Batches.CreateEmbeddings(t.Context(),
		&geminiapi.EmbedContentBatch{InputConfig: &geminiapi.EmbedContentInputConfig{FileName: file.Name}})
	if err != nil {
		t.Fatal(err)
	}
	done, err := client.Batches.GetEmbeddings(t.Context(), *made.Name)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := client.Files.Download(t.Context(), *done.Response.ResponsesFile,
		&out); err != nil {
		t.Fatal(err)
	}
	first, second, _ := bytes.Cut(out.Bytes(), []byte("\n"))
	result, err := gemini.Decode[geminiapi.EmbedContentResultLine](first)
	if err != nil || *result.Key != "one" || len(result.Response.Embedding.Values) == 0 ||
		!bytes.Contains(second, []byte(`"error"`)) {
		t.Errorf("got %s, %v", out.String(), err)
	}
}

func TestBatchesOfEmbeddingsThatTheRealServerRefuses(t *testing.T) {
	t.Parallel()
	client := clientOf(t, geminitest.NewServer(t), gemini.WithModel("gemini-embedding-001"))
	_, err := client.Batches.CreateEmbeddings(t.Context(), inlinedContents("a"),
		gemini.WithModel("gemini-2.5-flash"))
	expectRefusal(t, "a model that embeds nothing", err, 404,
		"is not supported for asyncBatchEmbedContent.")
	_, err = client.Batches.CreateEmbeddings(t.Context(), nil)
	expectRefusal(t, "no requests", err, 400, "invalid argument")
	_, err = client.Batches.CreateEmbeddings(t.Context(), &geminiapi.EmbedContentBatch{
		InputConfig: &geminiapi.EmbedContentInputConfig{FileName: new("files/none")},
	})
	expectRefusal(t, "no file", err, 403, "You do not have permission to access the File none")
}
