package gateway_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/descriptiontest"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/batches"
	"github.com/gemwire/gemwire/server/gateway/clientkey"
)

// fileKeeper is a service that stores files and batches in memory. The batches never begin.
type fileKeeper struct {
	batches.Service
	mu    sync.Mutex
	files []keptFile
}

type keptFile struct {
	openaiapi.File
	owner   batches.Owner
	content []byte
}

func (k *fileKeeper) CreateFile(_ context.Context, owner batches.Owner,
	upload batches.Upload) (*openaiapi.File, error) {
	content, err := io.ReadAll(upload.Content)
	if err != nil {
		return nil, err
	}
	details, err := upload.Details()
	if err != nil {
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	file := openaiapi.File{
		ID: "file-" + strconv.Itoa(len(k.files)), Object: openaiapi.ObjectTypeFile,
		Bytes:    int64(len(content)),
		Filename: upload.Filename, Purpose: details.Purpose, Status: openaiapi.FileStatusProcessed,
	}
	k.files = append(k.files, keptFile{file, owner, content})
	return &file, nil
}

func (k *fileKeeper) find(owner batches.Owner, id string) (*keptFile, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i := range k.files {
		if k.files[i].ID == id && k.files[i].owner == owner {
			return &k.files[i], nil
		}
	}
	return nil, batches.ErrNotFound
}

func (k *fileKeeper) File(_ context.Context, owner batches.Owner, id string) (*openaiapi.File,
	error) {
	file, err := k.find(owner, id)
	if err != nil {
		return nil, err
	}
	return &file.File, nil
}

func (k *fileKeeper) Files(_ context.Context, owner batches.Owner,
	page batches.FilePage) ([]openaiapi.File, bool, error) {
	var out []openaiapi.File
	for _, file := range k.files {
		if file.owner == owner && (page.Purpose == "" || page.Purpose == file.Purpose) {
			out = append(out, file.File)
		}
	}
	return out[:min(len(out), page.Limit)], len(out) > page.Limit, nil
}

func (k *fileKeeper) OpenFile(_ context.Context, owner batches.Owner, id string) (io.ReadCloser,
	int64, error) {
	file, err := k.find(owner, id)
	if err != nil {
		return nil, 0, err
	}
	return io.NopCloser(bytes.NewReader(file.content)), file.Bytes, nil
}

func (k *fileKeeper) CreateBatch(_ context.Context, owner batches.Owner,
	in *openaiapi.CreateBatchRequest) (*openaiapi.Batch, error) {
	if _, err := k.find(owner, in.InputFileID); err != nil {
		return nil, &batches.RefusedError{Param: "/input_file_id",
			Message: "there is no file " + in.InputFileID}
	}
	return &openaiapi.Batch{
		ID: "batch_0", Object: openaiapi.ObjectTypeBatch, Endpoint: in.Endpoint,
		InputFileID:      in.InputFileID,
		CompletionWindow: in.CompletionWindow, Status: openaiapi.BatchStatusValidating,
		Metadata: in.Metadata,
	}, nil
}

func (k *fileKeeper) Batches(_ context.Context, _ batches.Owner,
	page batches.Page) ([]openaiapi.Batch, bool, error) {
	all := []openaiapi.Batch{
		{ID: "batch_1", Object: openaiapi.ObjectTypeBatch, CompletionWindow: "24h", Status: openaiapi.BatchStatusCompleted},
		{ID: "batch_0", Object: openaiapi.ObjectTypeBatch, CompletionWindow: "24h", Status: openaiapi.BatchStatusCompleted},
	}
	if page.After != "" {
		return nil, false, nil
	}
	return all[:min(page.Limit, len(all))], page.Limit < len(all), nil
}

// uploadFile sends a file as a form.
func uploadFile(handler http.Handler, content string,
	headers ...string) *httptest.ResponseRecorder {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, _ := form.CreateFormFile("file", "in.jsonl") // into memory, which does not fail
	_, _ = io.WriteString(part, content)
	_ = form.WriteField("purpose", "batch")
	_ = form.Close()
	return post(handler, "/v1/files", body.String(),
		append([]string{"Content-Type", form.FormDataContentType()}, headers...)...)
}

func TestFilesAreKeptAndGivenBack(t *testing.T) {
	t.Parallel()
	handler := newGateway(t, gateway.WithBatches(&fileKeeper{}))

	created := uploadFile(handler, "one\ntwo\n")
	if created.Code != http.StatusOK {
		t.Fatalf("HTTP %d: %s", created.Code, created.Body)
	}
	descriptiontest.OpenAI(t, "File", created.Body.Bytes())
	if found := do(handler, http.MethodGet,
		"/v1/files/file-0"); found.Body.String() != created.Body.String() {
		t.Errorf("it is described as %s, was %s", found.Body, created.Body)
	}
	listed := do(handler, http.MethodGet, "/v1/files?purpose=batch&limit=1")
	descriptiontest.OpenAI(t, "ListFilesResponse", listed.Body.Bytes())
	wantInOrder(t, listed.Body.String(), `"data":[{"id":"file-0"`,
		`"first_id":"file-0","last_id":"file-0","has_more":false`)
	content := do(handler, http.MethodGet, "/v1/files/file-0/content")
	if content.Body.String() != "one\ntwo\n" ||
		content.Header().Get("Content-Type") != "application/octet-stream" {
		t.Errorf("%v: %q", content.Header(), content.Body)
	}
}

func TestAListNamesItsFirstAndLastItem(t *testing.T) {
	t.Parallel()
	handler := newGateway(t, gateway.WithBatches(&fileKeeper{}))
	for path, want := range map[string]string{
		"/v1/batches":               `"first_id":"batch_1","last_id":"batch_0","has_more":false`,
		"/v1/batches?limit=1":       `"first_id":"batch_1","last_id":"batch_1","has_more":true`,
		"/v1/batches?after=batch_0": `"data":[]`,
		"/v1/files":                 `"data":[]`,
		"/v1/batches?limit=100":     `"batch_0"`,
		"/v1/batches?limit=101":     `limit: must be between 1 and 100`,
		"/v1/batches?limit=0":       `limit: must be between 1 and 100`,
		"/v1/files?limit=10000":     `"data":[]`,
		"/v1/files?limit=10001":     `limit: must be between 1 and 10000`,
		"/v1/files?limit=0":         `limit: must be between 1 and 10000`,
		"/v1/files?order=asc":       `"data":[]`,
		"/v1/files?order=sideways":  `order: must be asc or desc`,
	} {
		answer := do(handler, http.MethodGet, path)
		isRefused := strings.Contains(want, "must be")
		if got := answer.Body.String(); !strings.Contains(got, want) ||
			isRefused != (answer.Code == http.StatusBadRequest) {
			t.Errorf("%s: HTTP %d: %s", path, answer.Code, got)
		}
	}
}

// brokenFiles has files whose reader fails after some bytes.
type brokenFiles struct{ fileKeeper }

func (k *brokenFiles) OpenFile(ctx context.Context, owner batches.Owner, id string) (io.ReadCloser,
	int64, error) {
	content, size, err := k.fileKeeper.OpenFile(ctx, owner, id)
	return io.NopCloser(io.MultiReader(io.LimitReader(content, 3),
		iotest.ErrReader(errors.New("the disk is broken")))), size, err
}

func TestObserversHearHowManyBytesOfAFileCameAndWent(t *testing.T) {
	t.Parallel()
	d := &diary{}
	handler := newGateway(t, gateway.WithBatches(&fileKeeper{}), gateway.WithObserver(d))
	content := strings.Repeat("0123456789abcdef", 10_000) // several reads
	if created := uploadFile(handler, content); created.Code != http.StatusOK ||
		d.last().end.BytesIn != int64(len(content)) {
		t.Errorf("HTTP %d, %d bytes came, want %d", created.Code, d.last().end.BytesIn,
			len(content))
	}
	answer := do(handler, http.MethodGet, "/v1/files/file-0/content")
	if end := d.last().end; answer.Body.Len() != len(content) ||
		end.BytesOut != int64(len(content)) || end.Status != http.StatusOK || end.ErrorType != "" {
		t.Errorf("%d bytes, %+v", answer.Body.Len(), end)
	}
}

func TestAFileThatBreaksOffCutsTheConnection(t *testing.T) {
	t.Parallel()
	d := &diary{}
	handler := newGateway(t, gateway.WithBatches(&brokenFiles{}), gateway.WithObserver(d))
	uploadFile(handler, "one\ntwo\n")
	server := httptest.NewServer(handler)
	defer server.Close()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
		server.URL+"/v1/files/file-0/content", nil)
	if err != nil {
		t.Fatal(err)
	}
	client := server.Client()
	defer client.CloseIdleConnections()
	answer, err := client.Do(request)
	if err != nil {
		return // cut before its head
	}
	defer func() { _ = answer.Body.Close() }()
	if got, err := io.ReadAll(answer.Body); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%q, %v", got, err)
	}
}

func TestABatchBeginsByItsFile(t *testing.T) {
	t.Parallel()
	handler := newGateway(t, gateway.WithBatches(&fileKeeper{}))
	uploadFile(handler, "one\n")
	answer := post(handler, "/v1/batches",
		`{"input_file_id":"file-0","endpoint":"/v1/chat/completions","completion_window":"24h","metadata":{"a":"b"}}`)
	descriptiontest.OpenAI(t, "Batch", answer.Body.Bytes())
	wantInOrder(t, answer.Body.String(), `"status":"validating"`, `"completed_at":null`,
		`"metadata":{"a":"b"}`)
}

// An error that is known at once is the answer to the request, not a failed batch
// (openai-python#1643).
func TestAnInvalidBatchIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	handler := newGateway(t, gateway.WithBatches(&fileKeeper{}))
	uploadFile(handler, "one\n")
	batch := func(members string) string {
		return `{"input_file_id":"file-0","endpoint":"/v1/responses","completion_window":"24h"` +
			members + `}`
	}
	for body, param := range map[string]string{
		`{}`:                         "input_file_id",
		`{"input_file_id":"file-0"}`: "endpoint",
		`{"input_file_id":"file-0","endpoint":"/v1/images"}`:                              "endpoint",
		`{"input_file_id":"file-0","endpoint":"/v1/responses"}`:                           "completion_window",
		`{"input_file_id":"file-0","endpoint":"/v1/responses","completion_window":"1h"}`:  "completion_window",
		`{"input_file_id":"file-9","endpoint":"/v1/responses","completion_window":"24h"}`: "input_file_id",
		batch(`,"input_file":"x"`): "input_file",
		batch(`,"metadata":{"` + strings.Repeat("n", 65) + `":"v"}`): "metadata." +
			strings.Repeat("n", 65),
		batch(`,"metadata":{"n":"` + strings.Repeat("v", 513) + `"}`):        "metadata.n",
		batch(`,"metadata":["n"]`):                                           "metadata",
		batch(`,"output_expires_after":{"anchor":"created_at","seconds":1}`): "output_expires_after",
		batch(`,"output_expires_after":{"anchor":"now","seconds":3600}`):     "output_expires_after",
		batch(`,"metadata":{` + seventeen() + `}`):                           "metadata",
	} {
		answer := post(handler, "/v1/batches", body)
		problem := errorOf(t, answer, http.StatusBadRequest)
		if problem.Param == nil || *problem.Param != param {
			t.Errorf("%s: %s", body, answer.Body)
		}
	}
	for _, query := range []string{"limit=0", "limit=101", "limit=many"} {
		errorOf(t, do(handler, http.MethodGet, "/v1/batches?"+query), http.StatusBadRequest)
	}
	for _, query := range []string{"limit=0", "limit=10001", "order=up"} {
		errorOf(t, do(handler, http.MethodGet, "/v1/files?"+query), http.StatusBadRequest)
	}
}

// seventeen returns more members than metadata may have.
func seventeen() string {
	var members []string
	for i := range 17 {
		members = append(members, `"n`+strconv.Itoa(i)+`":"v"`)
	}
	return strings.Join(members, ",")
}

func TestFilesBelongToTheirClient(t *testing.T) {
	t.Parallel()
	keys, err := clientkey.Read([]byte("keys:\n- {name: ann, hash: '" + clientkey.Hash("ann's") +
		"'}\n- {name: bob, hash: '" + clientkey.Hash("bob's") + "'}\n"))
	if err != nil {
		t.Fatal(err)
	}
	handler := newGateway(t, gateway.WithBatches(&fileKeeper{}), gateway.WithClientKeys(keys))
	if answer := uploadFile(handler, "one\n", "Authorization",
		"Bearer ann's"); answer.Code != http.StatusOK {
		t.Fatalf("HTTP %d: %s", answer.Code, answer.Body)
	}
	for _, path := range []string{"/v1/files/file-0", "/v1/files/file-0/content"} {
		if answer := do(handler, http.MethodGet, path, "Authorization",
			"Bearer ann's"); answer.Code != http.StatusOK {
			t.Errorf("%s is not there for its owner: %s", path, answer.Body)
		}
		errorOf(t, do(handler, http.MethodGet, path, "Authorization", "Bearer bob's"),
			http.StatusNotFound)
		errorOf(t, do(handler, http.MethodGet, path), http.StatusUnauthorized)
	}
}

func TestWithoutAServiceThereAreNoFilesAndNoBatches(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	for _, path := range []string{"/v1/files", "/v1/files/file-0", "/v1/files/file-0/content",
		"/v1/batches", "/v1/batches/batch_0"} {
		if problem := errorOf(t, do(handler, http.MethodGet, path),
			http.StatusNotFound); !strings.Contains(problem.Message, "--store") {
			t.Errorf("%s: %s", path, problem.Message)
		}
	}
	errorOf(t, uploadFile(handler, "x"), http.StatusNotFound)
	if _, err := gateway.New(gateway.WithBatches(&fileKeeper{}), gateway.WithCallersKey(),
		gateway.WithUpstream(gateway.Upstream{Service: gateway.GeminiAPI})); err == nil {
		t.Error("batches are asked by keys of callers, which no client sends")
	}
}
