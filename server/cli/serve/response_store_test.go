package serve_test

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/openai/responses"
)

// createResponse has the gateway answer, and returns the response.
func (r *running) createResponse(t *testing.T, body string) (id, text string) {
	t.Helper()
	reply, err := http.Post(r.URL+"/v1/responses", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	data, err := io.ReadAll(reply.Body)
	if err != nil {
		t.Fatal(err)
	}
	response, err := responses.DecodeResponse(data)
	if err != nil || reply.StatusCode != http.StatusOK {
		t.Fatalf("HTTP %d: %s, %v", reply.StatusCode, data, err)
	}
	return response.ID, responses.Text(response)
}

func TestResponsesInAFolderOutliveTheProcess(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store")
	first := serve(t, "--store", path)
	id, _ := first.createResponse(t, `{"model":"gemini-3.6-flash","input":"hello"}`)
	first.HangUp() // which leaves the store open
	first.Stderr.WaitFor(t, `msg="settings reloaded"`)
	id, _ = first.createResponse(t,
		`{"model":"gemini-3.6-flash","input":"again","previous_response_id":"`+id+`"}`)
	if code := first.Terminate(t); code != 0 {
		t.Fatalf("exit code %d\n%s", code, first.Stderr)
	}
	second := serve(t, "--store", path)
	if status, body := second.Get(t, "/v1/responses/"+id); status != http.StatusOK ||
		!strings.Contains(body, "You said: again") {
		t.Errorf("HTTP %d: %s", status, body)
	}
	second.createResponse(t,
		`{"model":"gemini-3.6-flash","input":"once more","previous_response_id":"`+id+`"}`)
}

func TestAStoreThatCannotBeOpenedIsReported(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := run(t, "serve", "--addr", "127.0.0.1:0", "--store", file); code == 0 ||
		!strings.Contains(stderr, "gemwire: make the directory of the store: ") || !strings.Contains(stderr, file) {
		t.Errorf("%d: %s", code, stderr)
	}
}

func TestAGatewayThatNeedsNoStoreStartsWithoutItAndUsesItLater(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "store")
	if err := os.WriteFile(folder, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r := serve(t, "--store", folder, "--store-required=false", "--inspect", "--inspect-addr",
		"127.0.0.1:0")
	link := r.Stderr.WaitFor(t, `(http://127\.0\.0\.1:[0-9]+)(/\?token=[0-9A-Z]+)`)
	jar, _ := cookiejar.New(nil)
	browser := &http.Client{Jar: jar}
	browse := func(path string) (int, string) {
		t.Helper()
		reply, err := browser.Get(link[1] + path)
		if err != nil {
			t.Fatal(err)
		}
		defer reply.Body.Close()
		return reply.StatusCode, text(t, reply)
	}
	browse(link[2])
	if status, body := browse("/api/jobs"); status == http.StatusOK ||
		!strings.Contains(body, "the store is not available") {
		t.Errorf("the jobs in the inspector: HTTP %d: %s", status, body)
	}
	if reply := r.ask(t, "gemini-3.6-flash", false); reply.StatusCode != http.StatusOK {
		t.Errorf("a chat completion: %s", reply.Status)
	}
	if status, body := r.Get(t, "/v1/responses/resp_x"); status != http.StatusServiceUnavailable ||
		!strings.Contains(body, "the store of the gateway is not available") {
		t.Errorf("a stored response: HTTP %d: %s", status, body)
	}
	if status, body := r.Get(t, "/v1/batches"); status != http.StatusServiceUnavailable {
		t.Errorf("batches: HTTP %d: %s", status, body)
	}
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	r.Stderr.WaitFor(t, `msg="the store is available"`)
	id, _ := r.createResponse(t, `{"model":"gemini-3.6-flash","input":"hello"}`)
	if status, body := r.Get(t, "/v1/responses/"+id); status != http.StatusOK {
		t.Errorf("a stored response: HTTP %d: %s", status, body)
	}
	if status, body := r.Get(t, "/v1/batches"); status != http.StatusOK {
		t.Errorf("batches: HTTP %d: %s", status, body)
	}
	job := r.beginBatch(t, 1).ID
	if status, body := browse("/api/jobs"); status != http.StatusOK || !strings.Contains(body, job) {
		t.Errorf("the jobs in the inspector: HTTP %d: %s", status, body)
	}
}
