package serve_test

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/openai"
)

// batchAs begins a batch of greetings with a client's key, and returns its id.
func (r *running) batchAs(t *testing.T, name string, requests int) (id string) {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	_ = form.WriteField("purpose", "batch")
	part, err := form.CreateFormFile("file", "requests.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for i := range requests {
		fmt.Fprintf(part, `{"custom_id":"%d","method":"POST","url":"/v1/chat/completions",`+
			`"body":%s}`+"\n", i, strings.Replace(greeting, "{", `{"max_tokens":50,`, 1))
	}
	_ = form.Close()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.URL+"/v1/files",
		&body)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer key-of-"+name)
	request.Header.Set("Content-Type", form.FormDataContentType())
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	file, err := openai.DecodeFile([]byte(text(t, reply)))
	if err != nil {
		t.Fatal(err)
	}
	status, answer := r.as(t, name, http.MethodPost, "/v1/batches", fmt.Sprintf(
		`{"input_file_id":%q,"endpoint":"/v1/chat/completions","completion_window":"24h"}`,
		file.ID))
	batch, err := openai.DecodeBatch([]byte(answer))
	if err != nil || status != http.StatusOK {
		t.Fatalf("HTTP %d: %s, %v", status, answer, err)
	}
	return batch.ID
}

// waitForBatch waits until a condition holds for a batch.
func (r *running) waitForBatch(t *testing.T, name, id string,
	holds func(*openaiapi.Batch) bool) *openaiapi.Batch {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		_, answer := r.as(t, name, http.MethodGet, "/v1/batches/"+id, "")
		batch, err := openai.DecodeBatch([]byte(answer))
		if err != nil {
			t.Fatal(err)
		}
		if holds(batch) {
			return batch
		}
		if time.Now().After(deadline) {
			t.Fatalf("the batch of %s stays %s", name, answer)
		}
	}
}

// The budget of alice ends in the middle of her batch, and is raised later.
func TestABatchStopsAtTheBudgetOfItsKeyAndContinues(t *testing.T) {
	t.Parallel()
	const requests, budget = 100, 400
	folder := t.TempDir()
	store, keys := filepath.Join(folder, "store"), filepath.Join(folder, "keys.yaml")
	const alice, others = `alice, budget: {tokens: %d, period: total}`, `admin, admin: true`
	keyFile(t, keys, fmt.Sprintf(alice, budget), "bob", others)
	r := serve(t, "--store", store, "--key-file", keys)
	ofAlice, ofBob := r.batchAs(t, "alice", requests), r.batchAs(t, "bob", requests)
	isCompleted := func(batch *openaiapi.Batch) bool {
		return batch.Status == openaiapi.BatchStatusCompleted
	}
	r.waitForBatch(t, "bob", ofBob, isCompleted)
	reason := regexp.MustCompile("paused until .*: no more lines are answered: the budget of " +
		"the key alice, 400 tokens in total, is used up; it does not reset")
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		_, status, _ := run(t, "batch", "status", ofAlice, "--store", store)
		if reason.MatchString(status) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the status is %s", status)
		}
	}
	done := r.waitForBatch(t, "alice", ofAlice, func(batch *openaiapi.Batch) bool {
		return int64(batch.RequestCounts.Completed) == r.requestsOf(t, "alice")
	})
	var tokens int64
	for _, row := range r.usage(t).Rows {
		if row.Client == "alice" {
			tokens += row.Tokens()
		}
	}
	n := int64(done.RequestCounts.Completed)
	if done.RequestCounts.Failed != 0 || n == 0 || n == requests || tokens < budget ||
		tokens > budget+tokens/max(n, 1) {
		t.Errorf("%+v, %d tokens", done.RequestCounts, tokens)
	}

	keyFile(t, keys, fmt.Sprintf(alice, 1_000_000), "bob", others)
	r.Stderr.WaitFor(t, "client keys reloaded")
	if code, _, stderr := run(t, "batch", "resume", ofAlice, "--store", store); code != 0 {
		t.Fatal(stderr)
	}
	batch := r.waitForBatch(t, "alice", ofAlice, isCompleted)
	if batch.RequestCounts.Completed != requests || r.requestsOf(t, "alice") != requests {
		t.Errorf("%+v, %d requests are counted", batch.RequestCounts, r.requestsOf(t, "alice"))
	}
}
