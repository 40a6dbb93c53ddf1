package gateway_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/openai/openai-go/v3"
)

// batchFile sends lines as a file for batches, and returns its id.
func batchFile(t *testing.T, client openai.Client, lines ...string) string {
	t.Helper()
	content := strings.NewReader(strings.Join(lines, "\n"))
	file, err := client.Files.New(t.Context(),
		openai.FileNewParams{File: openai.File(content, "requests.jsonl", "application/jsonl"),
			Purpose: openai.FilePurposeBatch})
	check(t, err)
	if file.Status != "processed" || file.Bytes == 0 {
		t.Errorf("the file is %s", file.RawJSON())
	}
	return file.ID
}

// beginBatch begins a batch of chat completions.
func beginBatch(t *testing.T, client openai.Client, file string) *openai.Batch {
	t.Helper()
	batch, err := client.Batches.New(t.Context(), openai.BatchNewParams{
		InputFileID: file, Endpoint: openai.BatchNewParamsEndpointV1ChatCompletions,
		CompletionWindow: openai.BatchNewParamsCompletionWindow24h,
	})
	check(t, err)
	return batch
}

// endOfBatch asks for a batch until it has ended.
func endOfBatch(t *testing.T, client openai.Client, id string) *openai.Batch {
	t.Helper()
	for range 300 {
		batch, err := client.Batches.Get(t.Context(), id)
		check(t, err)
		switch batch.Status {
		case openai.BatchStatusCompleted, openai.BatchStatusFailed, openai.BatchStatusExpired,
			openai.BatchStatusCancelled:
			return batch
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("the batch %s does not end", id)
	return nil
}

func batchLine(id, content string) string {
	return fmt.Sprintf(`{"custom_id":%q,"method":"POST","url":"/v1/chat/completions","body":{"model":%q,"messages":[{"role":"user","content":%q}]}}`,
		id, model, content)
}

func TestOpenAIGoRunsBatches(t *testing.T) {
	t.Parallel()
	client := connect(serve(t, upstream{}, "--store", t.TempDir()))
	begun := beginBatch(t, client,
		batchFile(t, client, batchLine("a", "hello"), batchLine("b", "good night")))
	if begun.Status != openai.BatchStatusValidating || begun.ExpiresAt != begun.CreatedAt+86_400 {
		t.Errorf("the batch begins as %s", begun.RawJSON())
	}
	batch := endOfBatch(t, client, begun.ID)
	if batch.Status != openai.BatchStatusCompleted || batch.RequestCounts.Completed != 2 ||
		batch.Usage.TotalTokens == 0 {
		t.Fatalf("the batch ends as %s", batch.RawJSON())
	}
	content, err := client.Files.Content(t.Context(), batch.OutputFileID)
	check(t, err)
	defer content.Body.Close()
	said := map[string]string{}
	for lines := bufio.NewScanner(content.Body); lines.Scan(); {
		var line struct {
			CustomID string `json:"custom_id"`
			Response struct {
				Body openai.ChatCompletion `json:"body"`
			} `json:"response"`
		}
		check(t, json.Unmarshal(lines.Bytes(), &line))
		said[line.CustomID] = line.Response.Body.Choices[0].Message.Content
	}
	if len(said) != 2 || !strings.Contains(said["a"], "hello") ||
		!strings.Contains(said["b"], "good night") {
		t.Errorf("the answers are %q", said)
	}
}

func TestOpenAIGoListsCancelsAndDeletes(t *testing.T) {
	t.Parallel()
	client := connect(serve(t, upstream{script: slow}, "--store", t.TempDir()))
	var ids []string
	for range 3 {
		ids = append([]string{beginBatch(t, client,
			batchFile(t, client, batchLine("a", "hello"))).ID}, ids...)
	}
	var listed []string
	for pages := client.Batches.ListAutoPaging(t.Context(),
		openai.BatchListParams{Limit: openai.Int(2)}); pages.Next(); {
		listed = append(listed, pages.Current().ID)
	}
	if strings.Join(listed, " ") != strings.Join(ids, " ") {
		t.Errorf("listed are %v, want %v", listed, ids)
	}
	_, err := client.Batches.Cancel(t.Context(), ids[0])
	check(t, err)
	if batch := endOfBatch(t, client, ids[0]); batch.Status != openai.BatchStatusCancelled ||
		batch.CancelledAt == 0 {
		t.Errorf("the batch ends as %s", batch.RawJSON())
	}
	file := batchFile(t, client, batchLine("a", "hello"))
	deleted, err := client.Files.Delete(t.Context(), file)
	check(t, err)
	if _, err := client.Files.Get(t.Context(), file); !deleted.Deleted || err == nil {
		t.Errorf("the file is still there: %v", err)
	}
}
