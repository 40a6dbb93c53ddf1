package serve_test

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/openai"
)

// beginBatch sends a file of requests and begins a batch of it.
func (r *running) beginBatch(t *testing.T, requests int) *openaiapi.Batch {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	_ = form.WriteField("purpose", "batch")
	part, err := form.CreateFormFile("file", "requests.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for i := range requests {
		fmt.Fprintf(part,
			`{"custom_id":"%d","method":"POST","url":"/v1/chat/completions","body":{"model":"gemini-3.6-flash","messages":[{"role":"user","content":"hello"}]}}`+
				"\n", i)
	}
	_ = form.Close()
	file, err := openai.DecodeFile(r.post(t, "/v1/files", form.FormDataContentType(), &body))
	if err != nil {
		t.Fatal(err)
	}
	request := fmt.Sprintf(`{"input_file_id":%q,"endpoint":"/v1/chat/completions","completion_window":"24h"}`,
		file.ID)
	batch, err := openai.DecodeBatch(r.post(t, "/v1/batches", "application/json",
		strings.NewReader(request)))
	if err != nil {
		t.Fatal(err)
	}
	return batch
}

func (r *running) post(t *testing.T, path, contentType string, body io.Reader) []byte {
	t.Helper()
	reply, err := http.Post(r.URL+path, contentType, body)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	data, err := io.ReadAll(reply.Body)
	if err != nil || reply.StatusCode != http.StatusOK {
		t.Fatalf("HTTP %d: %s, %v", reply.StatusCode, data, err)
	}
	return data
}

// batch asks for a batch until it has ended.
func (r *running) endedBatch(t *testing.T, id string) *openaiapi.Batch {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(
		deadline); time.Sleep(50 * time.Millisecond) {
		_, body := r.Get(t, "/v1/batches/"+id)
		batch, err := openai.DecodeBatch([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		if batch.CompletedAt != nil || batch.FailedAt != nil {
			return batch
		}
	}
	t.Fatal("the batch does not end")
	return nil
}

func TestBatchesOutliveTheProcess(t *testing.T) {
	t.Parallel()
	const requests = 1000
	store := filepath.Join(t.TempDir(), "bulk")
	first := serve(t, "--store", store)
	id := first.beginBatch(t, requests).ID
	if code := first.Terminate(t); code != 0 {
		t.Fatalf("exit code %d\n%s", code, first.Stderr)
	}
	second := serve(t, "--store", store, "--bulk-limit-requests", "1000000")
	batch := second.endedBatch(t, id)
	if batch.Status != openaiapi.BatchStatusCompleted || batch.RequestCounts.Completed != requests {
		t.Fatalf("it ends as %+v", batch)
	}
	_, output := second.Get(t, "/v1/files/"+*batch.OutputFileID+"/content")
	for i := range requests {
		if n := strings.Count(output, fmt.Sprintf(`"custom_id":"%d"`, i)); n != 1 {
			t.Fatalf("request %d has %d results", i, n)
		}
	}
}

func TestMetricsOfBatchesAreAmongThoseOfRequests(t *testing.T) {
	t.Parallel()
	r := serve(t, "--store", filepath.Join(t.TempDir(), "bulk"))
	r.endedBatch(t, r.beginBatch(t, 20).ID)
	const completed = `gemwire_bulk_jobs_total{state="completed"} 1`
	_, text := r.Get(t, "/metrics")
	for deadline := time.Now().Add(10 * time.Second); !strings.Contains(text, "\n"+completed) &&
		time.Now().Before(deadline); {
		// because it is counted after it becomes visible
		time.Sleep(20 * time.Millisecond)
		_, text = r.Get(t, "/metrics")
	}
	for _, want := range []string{
		completed,
		`gemwire_bulk_lines_total{executor="live",status="200"} 20`,
		`gemwire_requests_total{client="",form="chat_completions",model="gemini-3.6-flash",status="200"} 20`,
		"go_goroutines ",
	} {
		if !strings.Contains(text, "\n"+want) {
			t.Errorf("/metrics has no %s\n%s", want, text)
		}
	}
}

func TestAStoreThatCannotBeReachedIsReported(t *testing.T) {
	t.Parallel()
	if code, _, stderr := run(t, "serve", "--addr", "127.0.0.1:0", "--store",
		"nats://127.0.0.1:1"); code == 0 || !strings.Contains(stderr, "gemwire: connect to the store: ") {
		t.Errorf("%d: %s", code, stderr)
	}
}

// No caller is connected to send a key when a request of a batch runs.
func TestABatchNeedsAStoreThatLastsAndTheGatewaysOwnAccounts(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"no store":     nil,
		"memory":       {"--store", "memory"},
		"callers' key": {"--store", filepath.Join(t.TempDir(), "store"), "--callers-key", "--upstream", "gemini"},
	} {
		r := serve(t, args...)
		if status, body := r.Get(t, "/v1/batches"); status != http.StatusNotFound &&
			status != http.StatusUnauthorized || status == http.StatusNotFound && !strings.Contains(body, "--store FOLDER") {
			t.Errorf("%s: HTTP %d: %s", name, status, body)
		}
	}
}
