package batchapi_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/descriptiontest"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/batchapi"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/bulk/live"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/clientkey"
	"github.com/go-json-experiment/json"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// api is a gateway with batches. Its own handler answers them.
type api struct {
	t       *testing.T
	handler *gateway.Handler
	jobs    *bulk.Service
	header  http.Header
}

// serve returns an api whose batches executor answers. If executor is nil, the gateway answers
// them.
func serve(t *testing.T, executor bulk.Executor, opts ...gateway.Option) *api {
	t.Helper()
	jobs, err := bulk.Open(t.Context(), bulk.WithDirectory(t.TempDir()), bulk.WithMaxBytes(1<<30))
	if err != nil {
		t.Fatal(err)
	}
	handler, err := gateway.New(append([]gateway.Option{gateway.WithBatches(batchapi.New(jobs)),
		gateway.WithAllowedHosts("example.com")}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	if executor == nil {
		executor = live.New(handler)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- jobs.Work(ctx,
			bulk.Worker{Executors: map[string]bulk.Executor{bulk.ExecutorLive: executor},
				Grace: time.Millisecond})
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		handler.Close()
		if err := jobs.Close(); err != nil {
			t.Error(err)
		}
	})
	return &api{t: t, handler: handler, jobs: jobs, header: http.Header{}}
}

// as returns the api for a client with a key.
func (a *api) as(key string) *api {
	out := *a
	out.header = http.Header{"Authorization": {"Bearer " + key}}
	return &out
}

func (a *api) do(method, path, contentType string, body io.Reader) *httptest.ResponseRecorder {
	a.t.Helper()
	r := httptest.NewRequest(method, path, body)
	r.Header = a.header.Clone()
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	answer := httptest.NewRecorder()
	a.handler.ServeHTTP(answer, r)
	return answer
}

func (a *api) get(path string) *httptest.ResponseRecorder {
	return a.do(http.MethodGet, path, "", nil)
}

// upload sends a file, with the file's part before the purpose's part, and returns its id.
func (a *api) upload(name, purpose, content string) *httptest.ResponseRecorder {
	a.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", name)
	if err != nil {
		a.t.Fatal(err)
	}
	_, _ = io.WriteString(part, content)
	_ = form.WriteField("purpose", purpose)
	_ = form.Close()
	return a.do(http.MethodPost, "/v1/files", form.FormDataContentType(), &body)
}

func decode[T any](t *testing.T, answer *httptest.ResponseRecorder, schema string) T {
	t.Helper()
	if answer.Code != http.StatusOK {
		t.Fatalf("HTTP %d: %s", answer.Code, answer.Body)
	}
	descriptiontest.OpenAI(t, schema, answer.Body.Bytes())
	var out T
	if err := json.Unmarshal(answer.Body.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// batch creates a batch from an input.
func (a *api) batch(endpoint, input string) openaiapi.Batch {
	a.t.Helper()
	file := decode[openaiapi.File](a.t, a.upload("in.jsonl", "batch", input), "File")
	body := fmt.Sprintf(`{"input_file_id":%q,"endpoint":%q,"completion_window":"24h","metadata":{"name":"mine"}}`,
		file.ID, endpoint)
	return decode[openaiapi.Batch](a.t,
		a.do(http.MethodPost, "/v1/batches", "application/json", strings.NewReader(body)), "Batch")
}

// ended waits for a batch to end.
func (a *api) ended(id string) openaiapi.Batch {
	a.t.Helper()
	for _, err := range a.jobs.Watch(a.t.Context(), id) {
		if err != nil {
			a.t.Fatal(err)
		}
	}
	return decode[openaiapi.Batch](a.t, a.get("/v1/batches/"+id), "Batch")
}

// countsOf returns the total, answered and failed requests of a batch.
func countsOf(b openaiapi.Batch) [3]int {
	return [3]int{b.RequestCounts.Total, b.RequestCounts.Completed, b.RequestCounts.Failed}
}

// outLine is a line of a batch's output file.
type outLine struct {
	ID       string `json:"id"`
	CustomID string `json:"custom_id"`
	Response *struct {
		StatusCode int    `json:"status_code"`
		RequestID  string `json:"request_id"`
		Body       struct {
			Object string          `json:"object"`
			Error  openaiapi.Error `json:"error"`
		} `json:"body"`
	} `json:"response"`
	Error *struct {
		Code string `json:"code"`
	} `json:"error"`
}

func (a *api) lines(file *string) (out []outLine) {
	a.t.Helper()
	if file == nil {
		a.t.Fatal("there is no such file")
	}
	answer := a.get("/v1/files/" + *file + "/content")
	if answer.Code != http.StatusOK ||
		answer.Header().Get("Content-Length") != fmt.Sprint(answer.Body.Len()) {
		a.t.Fatalf("HTTP %d %v: %s", answer.Code, answer.Header(), answer.Body)
	}
	for text := range strings.Lines(answer.Body.String()) {
		var l outLine
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			a.t.Fatalf("%v: %s", err, text)
		}
		out = append(out, l)
	}
	return out
}

func chat(id, model string) string {
	return fmt.Sprintf(`{"custom_id":%q,"method":"POST","url":"/v1/chat/completions","body":{"model":%q,"messages":[{"role":"user","content":"hello"}]}}`+
		"\n", id, model)
}

const flash = "gemini-3.6-flash"

func TestABatchIsAnsweredByTheGatewayItself(t *testing.T) {
	t.Parallel()
	for endpoint, input := range map[string]string{
		"/v1/chat/completions": chat("a", flash) + chat("b", flash),
		"/v1/responses": `{"custom_id":"a","method":"POST","url":"/v1/responses","body":{"model":"gemini-3.6-flash","input":"hello"}}` +
			"\n" +
			`{"custom_id":"b","method":"POST","url":"/v1/responses","body":{"model":"gemini-3.6-flash","input":"good night"}}`,
		"/v1/embeddings": `{"custom_id":"a","method":"POST","url":"/v1/embeddings","body":{"model":"gemini-embedding-001","input":"hello"}}` +
			"\n" +
			`{"custom_id":"b","method":"POST","url":"/v1/embeddings","body":{"model":"gemini-embedding-001","input":["good","night"]}}`,
	} {
		t.Run(strings.ReplaceAll(endpoint, "/", "_"), func(t *testing.T) {
			t.Parallel()
			a := serve(t, nil)
			begun := a.batch(endpoint, input)
			if begun.Status != openaiapi.BatchStatusValidating ||
				*begun.ExpiresAt != begun.CreatedAt+86_400 || begun.RequestCounts.Total != 0 {
				t.Errorf("it begins as %+v", begun)
			}
			done := a.ended(begun.ID)
			if done.Status != openaiapi.BatchStatusCompleted || countsOf(done) != [3]int{2, 2, 0} ||
				done.Metadata["name"] != "mine" || done.CompletedAt == nil ||
				done.FinalizingAt == nil || done.InProgressAt == nil || done.ErrorFileID != nil ||
				done.Usage == nil || done.Usage.InputTokens == 0 {
				t.Errorf("it ends as %+v", done)
			}
			var ids []string
			for _, l := range a.lines(done.OutputFileID) {
				ids = append(ids, l.CustomID)
				if l.Response.StatusCode != http.StatusOK || l.Response.RequestID == "" ||
					l.Error != nil || !strings.HasPrefix(l.ID, "batch_req_") {
					t.Errorf("%+v", l)
				}
			}
			if !slices.Equal(ids, []string{"a", "b"}) {
				t.Errorf("answers are of %v", ids)
			}
		})
	}
}

// openai-openapi#302, kaapi-backend#723: the errors file has the answers to refused requests. If
// all requests are refused, there is no file of answers.
func TestABatchOfFailuresHasAFileOfErrorsAlone(t *testing.T) {
	t.Parallel()
	a := serve(t, nil)
	done := a.ended(a.batch("/v1/chat/completions", chat("a", "no-such-model")).ID)
	if done.Status != openaiapi.BatchStatusCompleted || done.OutputFileID != nil ||
		countsOf(done) != [3]int{1, 0, 1} {
		t.Errorf("it ends as %+v", done)
	}
	failed := a.lines(done.ErrorFileID)
	if len(failed) != 1 || failed[0].Error != nil ||
		failed[0].Response.StatusCode != http.StatusNotFound ||
		*failed[0].Response.Body.Error.Code != "model_not_found" {
		t.Errorf("%+v", failed)
	}
	shown, err := batchapi.Jobs(a.jobs).Failures(t.Context(), done.ID, 10)
	if err != nil || len(shown) != 1 || shown[0].CustomID != "a" ||
		shown[0].Status != http.StatusNotFound || shown[0].Code != "model_not_found" ||
		shown[0].Message == "" {
		t.Errorf("the inspector shows %+v, %v", shown, err)
	}
}

func TestABatchOfAWrongFileFailsWithAllItsLines(t *testing.T) {
	t.Parallel()
	a := serve(t, nil)
	input := chat("a", flash) + chat("a", flash) + "{\"custom_id\":\n" +
		strings.Replace(chat("b", flash), "/v1/chat/completions", "/v1/embeddings", 1)
	failed := a.ended(a.batch("/v1/chat/completions", input).ID)
	if failed.Status != openaiapi.BatchStatusFailed || failed.FailedAt == nil ||
		failed.Errors == nil || failed.OutputFileID != nil {
		t.Fatalf("it ends as %+v", failed)
	}
	var codes []string
	for _, e := range failed.Errors.Data {
		codes = append(codes, fmt.Sprintf("%d %s", *e.Line, e.Code))
	}
	if want := []string{"2 " + line.CodeDuplicateID, "3 " + line.CodeInvalidJSON,
		"4 " + line.CodeURLMismatch}; !slices.Equal(codes, want) {
		t.Errorf("%v, want %v", codes, want)
	}
	shown, err := batchapi.Jobs(a.jobs).Failures(t.Context(), failed.ID, 2)
	if err != nil || len(shown) != 2 || shown[0].Line != 2 {
		t.Errorf("the inspector shows %+v, %v", shown, err)
	}
}

func TestABatchNamesAMemberAtFaultAsOpenAIDoes(t *testing.T) {
	t.Parallel()
	a := serve(t, nil)
	input := strings.Replace(chat("a", flash), `"role":"user"`, `"role":"narrator"`, 1)
	failed := a.ended(a.batch("/v1/chat/completions", input).ID)
	if failed.Status != openaiapi.BatchStatusFailed || failed.Errors == nil ||
		len(failed.Errors.Data) != 1 {
		t.Fatalf("it ends as %+v", failed)
	}
	const param, pointer = "body.messages[0].role", "/body/messages/0/role: "
	if e := failed.Errors.Data[0]; e.Param == nil || *e.Param != param ||
		!strings.HasPrefix(e.Message, pointer) {
		t.Errorf("%+v, want the param %s and the message %s...", e, param, pointer)
	}
}

func TestABatchEmbedsFiftyThousandTextsAtMost(t *testing.T) {
	t.Parallel()
	a := serve(t, nil)
	texts := strings.Repeat(`"x",`, 1999) + `"x"`
	var input strings.Builder
	for i := range 26 {
		fmt.Fprintf(&input,
			`{"custom_id":"%d","method":"POST","url":"/v1/embeddings","body":{"model":"m","input":[%s]}}`+
				"\n", i, texts)
	}
	failed := a.ended(a.batch("/v1/embeddings", input.String()).ID)
	if failed.Status != openaiapi.BatchStatusFailed || failed.Errors == nil ||
		len(failed.Errors.Data) != 1 {
		t.Fatalf("it ends as %+v", failed)
	}
	if e := failed.Errors.Data[0]; e.Code != line.CodeTooManyTasks || *e.Line != 26 {
		t.Errorf("%+v; expected %s at line 26", e, line.CodeTooManyTasks)
	}
}

// waiting does not answer until it is stopped.
type waiting struct{ begun chan struct{} }

func (w waiting) Run(ctx context.Context, item *bulk.Item) error {
	select {
	case w.begun <- struct{}{}:
	default:
	}
	select {
	case <-item.Stopping():
	case <-ctx.Done():
	}
	return &bulk.LaterError{}
}

// halfway answers the first line of a range, and then waits until it is stopped.
type halfway struct{}

func (h halfway) Run(ctx context.Context, item *bulk.Item) error {
	first := line.Result{Number: item.Lines[0].Number, CustomID: item.Lines[0].CustomID,
		Response: &line.Response{Status: 200, Body: []byte(`{}`)}}
	if err := item.Write(ctx, first); err != nil {
		return err
	}
	select {
	case <-item.Stopping():
	case <-ctx.Done():
	}
	return &bulk.LaterError{Reason: "it is half done"}
}

// Clients show a progress bar from these counts. Most batches have only one or two ranges.
func TestABatchCountsLinesOfUnfinishedRanges(t *testing.T) {
	t.Parallel()
	a := serve(t, halfway{})
	id := a.batch("/v1/chat/completions", chat("a", flash)+chat("b", flash)).ID
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		now := decode[openaiapi.Batch](t, a.get("/v1/batches/"+id), "Batch")
		if countsOf(now) == [3]int{2, 1, 0} && now.Status == openaiapi.BatchStatusInProgress {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("it is %+v", now)
		}
	}
}

// warmbly#333: each request that was not run is reported separately.
func TestABatchIsCanceled(t *testing.T) {
	t.Parallel()
	executor := waiting{make(chan struct{}, 1)}
	a := serve(t, executor)
	id := a.batch("/v1/chat/completions", chat("a", flash)+chat("b", flash)).ID
	<-executor.begun
	canceled := decode[openaiapi.Batch](t,
		a.do(http.MethodPost, "/v1/batches/"+id+"/cancel", "", nil), "Batch")
	if canceled.Status != openaiapi.BatchStatusCancelling &&
		canceled.Status != openaiapi.BatchStatusCancelled || canceled.CancellingAt == nil {
		t.Errorf("it is %+v", canceled)
	}
	done := a.ended(id)
	if done.Status != openaiapi.BatchStatusCancelled || done.CancelledAt == nil ||
		done.OutputFileID != nil {
		t.Errorf("it ends as %+v", done)
	}
	for _, l := range a.lines(done.ErrorFileID) {
		if l.Response != nil || l.Error == nil || l.Error.Code != "batch_cancelled" {
			t.Errorf("%+v", l)
		}
	}
	if again := a.do(http.MethodPost, "/v1/batches/"+id+"/cancel", "",
		nil); again.Code != http.StatusBadRequest {
		t.Errorf("it is canceled again: HTTP %d: %s", again.Code, again.Body)
	}
}

// The cursor of OpenAI's clients is the id of the last item of a page.
func TestFilesAndBatchesAreListedPageByPage(t *testing.T) {
	t.Parallel()
	a := serve(t, nil)
	var files, ids []string
	for range 5 {
		batch := a.batch("/v1/chat/completions", chat("a", flash))
		files, ids = append(files, batch.InputFileID), append(ids, batch.ID)
	}
	slices.Reverse(files)
	slices.Reverse(ids)
	var gotFiles, gotIDs []string
	for after, more := "", true; more; {
		page := decode[openaiapi.ListFilesResponse](t,
			a.get("/v1/files?purpose=batch&limit=2&after="+after), "ListFilesResponse")
		for _, f := range page.Data {
			gotFiles = append(gotFiles, f.ID)
		}
		after, more = *page.LastID, page.HasMore
	}
	for after, more := "", true; more; {
		page := decode[openaiapi.ListBatchesResponse](t, a.get("/v1/batches?limit=2&after="+after),
			"ListBatchesResponse")
		for _, b := range page.Data {
			gotIDs = append(gotIDs, b.ID)
		}
		after, more = *page.LastID, page.HasMore
	}
	if !slices.Equal(gotFiles, files) || !slices.Equal(gotIDs, ids) {
		t.Errorf("files %v, want %v; batches %v, want %v", gotFiles, files, gotIDs, ids)
	}
	if oldest := decode[openaiapi.ListFilesResponse](t,
		a.get("/v1/files?order=asc&limit=1&purpose=batch"),
		"ListFilesResponse"); *oldest.FirstID != files[4] {
		t.Errorf("the oldest is %s", *oldest.FirstID)
	}
}

// litellm#37527: a file for batches ends in .jsonl. Other files may have any name.
func TestAFileForBatchesIsJSONL(t *testing.T) {
	t.Parallel()
	a := serve(t, nil)
	if answer := a.upload("in.csv", "batch", "x"); answer.Code != http.StatusBadRequest ||
		!strings.Contains(answer.Body.String(), ".jsonl") {
		t.Errorf("HTTP %d: %s", answer.Code, answer.Body)
	}
	notes := decode[openaiapi.File](t, a.upload("notes.txt", "user_data", "text"), "File")
	body := fmt.Sprintf(`{"input_file_id":%q,"endpoint":"/v1/responses","completion_window":"24h"}`,
		notes.ID)
	if answer := a.do(http.MethodPost, "/v1/batches", "application/json",
		strings.NewReader(body)); answer.Code != http.StatusBadRequest {
		t.Errorf("HTTP %d: %s", answer.Code, answer.Body)
	}
	if list := decode[openaiapi.ListFilesResponse](t, a.get("/v1/files"),
		"ListFilesResponse"); len(list.Data) != 1 {
		t.Errorf("a file that was refused is kept: %+v", list.Data)
	}
	deleted := decode[openaiapi.DeletedFile](t,
		a.do(http.MethodDelete, "/v1/files/"+notes.ID, "", nil), "DeletedFile")
	if again := a.get("/v1/files/" + notes.ID); !deleted.Deleted ||
		again.Code != http.StatusNotFound {
		t.Errorf("%+v, then HTTP %d", deleted, again.Code)
	}
}

func TestABatchBelongsToItsClient(t *testing.T) {
	t.Parallel()
	keys, err := clientkey.Read([]byte("keys:\n- {name: ann, hash: '" + clientkey.Hash("ann's") +
		"', models: [gemini-3.6-flash]}\n- {name: bob, hash: '" + clientkey.Hash("bob's") + "'}\n"))
	if err != nil {
		t.Fatal(err)
	}
	a := serve(t, nil, gateway.WithClientKeys(keys))
	ann, bob := a.as("ann's"), a.as("bob's")
	done := ann.ended(ann.batch("/v1/chat/completions", chat("a", flash)).ID)
	if done.RequestCounts.Completed != 1 {
		t.Errorf("%+v", done)
	}
	for _, path := range []string{"/v1/batches/" + done.ID, "/v1/files/" + done.InputFileID,
		"/v1/files/" + *done.OutputFileID + "/content"} {
		if answer := bob.get(path); answer.Code != http.StatusNotFound {
			t.Errorf("bob gets %s: HTTP %d: %s", path, answer.Code, answer.Body)
		}
		if answer := ann.get(path); answer.Code != http.StatusOK {
			t.Errorf("ann gets %s: HTTP %d: %s", path, answer.Code, answer.Body)
		}
	}
	second := ann.ended(ann.batch("/v1/chat/completions", chat("a", flash)).ID)
	for path, want := range map[string]string{
		"/v1/batches?limit=1": second.ID + " true",
		"/v1/batches?limit=2": second.ID + "," + done.ID +
			" false",
		"/v1/files?limit=1&purpose=batch": second.InputFileID + " true",
		"/v1/files?limit=2&purpose=batch": second.InputFileID + "," +
			done.InputFileID + " false",
		"/v1/files?limit=1&purpose=batch&after=" + second.InputFileID: done.InputFileID + " false",
	} {
		if got := ann.page(path); got != want {
			t.Errorf("ann lists %s: %s, want %s", path, got, want)
		}
		if got := bob.page(path); got != " false" {
			t.Errorf("bob lists %s: %s", path, got)
		}
	}
	body := fmt.Sprintf(`{"input_file_id":%q,"endpoint":"/v1/chat/completions","completion_window":"24h"}`,
		done.InputFileID)
	if answer := bob.do(http.MethodPost, "/v1/batches", "application/json",
		strings.NewReader(body)); answer.Code != http.StatusBadRequest {
		t.Errorf("bob's batch of ann's file: HTTP %d: %s", answer.Code, answer.Body)
	}
	other := ann.ended(ann.batch("/v1/chat/completions", chat("a", "gemini-3.5-pro")).ID)
	if failed := ann.lines(other.ErrorFileID); failed[0].Response.StatusCode != http.StatusNotFound {
		t.Errorf("ann's batch reaches a model that her key is not for: %+v", failed)
	}
}

// page returns the ids of a list, and whether the list has more pages.
func (a *api) page(path string) string {
	a.t.Helper()
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
		HasMore bool `json:"has_more"`
	}
	if answer := a.get(path); answer.Code != http.StatusOK ||
		json.Unmarshal(answer.Body.Bytes(), &list) != nil {
		a.t.Fatalf("HTTP %d: %s", answer.Code, answer.Body)
	}
	var ids []string
	for _, one := range list.Data {
		ids = append(ids, one.ID)
	}
	return fmt.Sprint(strings.Join(ids, ","), " ", list.HasMore)
}

func TestTheInspectorShowsJobs(t *testing.T) {
	t.Parallel()
	a := serve(t, nil)
	done := a.ended(a.batch("/v1/chat/completions", chat("a", flash)).ID)
	jobs, err := batchapi.Jobs(a.jobs).Jobs(t.Context(), 10)
	if err != nil || len(jobs) != 1 {
		t.Fatalf("%+v, %v", jobs, err)
	}
	if j := jobs[0]; j.ID != done.ID || j.State != "completed" || !j.HasEnded || j.Total != 1 ||
		j.Completed != 1 || j.InputTokens == 0 || j.EndedAt.IsZero() {
		t.Errorf("%+v", j)
	}
	if _, err := openai.DecodeBatch(a.get("/v1/batches/" + done.ID).Body.Bytes()); err != nil {
		t.Error(err)
	}
}

func TestTheInspectorShowsWhyAJobRests(t *testing.T) {
	t.Parallel()
	a := serve(t, waiting{make(chan struct{}, 1)})
	until := time.Date(2126, 11, 23, 8, 0, 0, 0, time.FixedZone("", -3600))
	for shown, parking := range map[string]bulk.Parking{
		"lunch": {Reason: "lunch"}, "the quota is used up, until 2126-11-23 09:00 UTC": {Reason: "the quota is used up", Until: until},
	} {
		job, err := a.jobs.Submit(t.Context(),
			bulk.Submission{Input: strings.NewReader(chat("a", flash))})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.jobs.Park(t.Context(), job.ID, parking); err != nil {
			t.Fatal(err)
		}
		jobs, err := batchapi.Jobs(a.jobs).Jobs(t.Context(), 1)
		if err != nil || len(jobs) != 1 || jobs[0].ID != job.ID || jobs[0].Resting != shown {
			t.Errorf("%+v, %v; want %q", jobs, err, shown)
		}
	}
}

func TestTheInspectorShowsNoMoreFailuresThanItIsAskedFor(t *testing.T) {
	t.Parallel()
	a := serve(t, nil)
	failed := a.ended(a.batch("/v1/chat/completions",
		chat("a", "none")+chat("b", "none")+chat("c", "none")).ID)
	for most, want := range map[int]int{0: 0, 2: 2, 3: 3, 4: 3} {
		if shown, err := batchapi.Jobs(a.jobs).Failures(t.Context(), failed.ID, most); err != nil ||
			len(shown) != want {
			t.Errorf("%d of 3: %+v, %v", most, shown, err)
		}
	}
}

// A job whose input is invalid has sent no line, but its faults are counted.
func TestTheInspectorCountsTheInvalidLinesOfAFailedJob(t *testing.T) {
	t.Parallel()
	a := serve(t, nil)
	failed := a.ended(a.batch("/v1/chat/completions", "{}\n"+chat("a", flash)+"[]\n").ID)
	jobs, err := batchapi.Jobs(a.jobs).Jobs(t.Context(), 1)
	if err != nil || len(jobs) != 1 || jobs[0].State != "failed" {
		t.Fatalf("%+v, %v", jobs, err)
	}
	lines, err := batchapi.Jobs(a.jobs).Failures(t.Context(), failed.ID, 10)
	if err != nil || len(lines) < 2 || jobs[0].Failed != int64(len(lines)) {
		t.Errorf("%d failed lines above %+v, %v", jobs[0].Failed, lines, err)
	}
}

// Lines for embeddings have only input tokens.
func TestUsageOfABatchIsThereWhenEitherSideHasTokens(t *testing.T) {
	t.Parallel()
	for name, usage := range map[string]line.Usage{"none": {},
		"input": {InputTokens: 3, CachedTokens: 1}, "output": {OutputTokens: 2,
			ThinkingTokens: 1}} {
		a := serve(t, executorFunc(func(ctx context.Context, item *bulk.Item) error {
			l := item.Lines[0]
			response := &line.Response{Status: 200, Body: []byte(`{}`)}
			return item.Write(ctx,
				line.Result{Number: l.Number, CustomID: l.CustomID, Response: response,
					Usage: usage})
		}))
		done := a.ended(a.batch("/v1/chat/completions", chat("a", flash)).ID)
		if usage == (line.Usage{}) {
			if done.Usage != nil {
				t.Errorf("%s: %+v", name, done.Usage)
			}
			continue
		}
		if u := done.Usage; u == nil || int64(u.InputTokens) != usage.InputTokens ||
			int64(u.OutputTokens) != usage.OutputTokens ||
			int64(u.TotalTokens) != usage.InputTokens+usage.OutputTokens ||
			int64(u.InputTokensDetails.CachedTokens) != usage.CachedTokens ||
			int64(u.OutputTokensDetails.ReasoningTokens) != usage.ThinkingTokens {
			t.Errorf("%s: %+v", name, u)
		}
	}
}

type executorFunc func(context.Context, *bulk.Item) error

func (f executorFunc) Run(ctx context.Context, item *bulk.Item) error { return f(ctx, item) }

func TestAnErrorOfTheWholeFileHasNoLine(t *testing.T) {
	t.Parallel()
	a := serve(t, nil)
	failed := a.ended(a.batch("/v1/chat/completions", "\n").ID)
	if failed.Errors == nil || len(failed.Errors.Data) != 1 || failed.Errors.Data[0].Line != nil ||
		failed.Errors.Data[0].Code != line.CodeEmptyFile {
		t.Errorf("%+v", failed.Errors)
	}
}

func TestFilesOfABatchExpireWhenItsClientWants(t *testing.T) {
	t.Parallel()
	a := serve(t, executorFunc(func(ctx context.Context, item *bulk.Item) error {
		for i, l := range item.Lines {
			response := &line.Response{Status: []int{200, 400}[i], Body: []byte(`{}`)}
			if err := item.Write(ctx,
				line.Result{Number: l.Number, CustomID: l.CustomID,
					Response: response}); err != nil {
				return err
			}
		}
		return nil
	}))
	file := decode[openaiapi.File](t,
		a.upload("in.jsonl", "batch", chat("a", flash)+chat("b", flash)), "File")
	body := fmt.Sprintf(`{"input_file_id":%q,"endpoint":"/v1/chat/completions","completion_window":"24h",`+
		`"output_expires_after":{"anchor":"created_at","seconds":7200}}`, file.ID)
	done := a.ended(decode[openaiapi.Batch](t,
		a.do(http.MethodPost, "/v1/batches", "application/json", strings.NewReader(body)),
		"Batch").ID)
	for _, id := range []*string{done.OutputFileID, done.ErrorFileID} {
		made := decode[openaiapi.File](t, a.get("/v1/files/"+*id), "File")
		if made.ExpiresAt == nil || *made.ExpiresAt-made.CreatedAt < 7199 ||
			*made.ExpiresAt-made.CreatedAt > 7201 {
			t.Errorf("%+v; it should expire two hours later", made)
		}
	}
}

// uploadAs sends a form with the given parts unchanged.
func (a *api) uploadAs(parts string) *httptest.ResponseRecorder {
	a.t.Helper()
	return a.do(http.MethodPost, "/v1/files", "multipart/form-data; boundary=b",
		strings.NewReader(strings.ReplaceAll(parts, "\n", "\r\n")))
}

const purposePart = "--b\nContent-Disposition: form-data; name=\"purpose\"\n\nbatch\n"

func filePart(name string) string {
	return "--b\nContent-Disposition: form-data; name=\"file\"; filename=\"" + name + "\"\n\nx\n"
}

// The client chooses the name, which may be anything. No name may make a file, or a list of files,
// impossible to return.
func TestAFileMayHaveAnyName(t *testing.T) {
	t.Parallel()
	a := serve(t, nil)
	for name, disposition := range map[string]string{
		"in.jsonl":             "attachment; filename=in.jsonl",
		"two words.jsonl":      `attachment; filename="two words.jsonl"`,
		"\xff\xfe.jsonl":       "attachment; filename*=utf-8''%EF%BF%BD.jsonl",
		"grüße.jsonl":          "attachment; filename*=utf-8''gr%C3%BC%C3%9Fe.jsonl",
		"a%22b\\\"c.jsonl":     `attachment; filename="a%22b\"c.jsonl"`,
		"":                     "attachment; filename=upload",
		"../../etc/pass.jsonl": "attachment; filename=pass.jsonl",
	} {
		file := decode[openaiapi.File](t, a.uploadAs(purposePart+filePart(name)+"--b--\n"), "File")
		content := a.get("/v1/files/" + file.ID + "/content")
		if got := content.Header().Get("Content-Disposition"); got != disposition ||
			content.Body.String() != "x" {
			t.Errorf("%q: %q, want %q: %s", name, got, disposition, content.Body)
		}
	}
	if list := decode[openaiapi.ListFilesResponse](t, a.get("/v1/files"),
		"ListFilesResponse"); len(list.Data) != 7 {
		t.Errorf("%d files are listed", len(list.Data))
	}
}

func TestAnInvalidUploadLeavesNoFile(t *testing.T) {
	t.Parallel()
	a := serve(t, nil)
	for name, test := range map[string]struct{ form, param string }{
		"a name that is too long":      {purposePart + filePart(strings.Repeat("n", 2000)) + "--b--\n", "file"},
		"a purpose that is not a text": {strings.Replace(purposePart, "batch", "\xff", 1) + filePart("in.jsonl") + "--b--\n", "purpose"},
		"a purpose after the file":     {filePart("in.jsonl") + strings.Replace(purposePart, "batch", "\xff", 1) + "--b--\n", "purpose"},
		"no purpose":                   {filePart("in.jsonl") + "--b--\n", "purpose"},
		"an empty purpose":             {filePart("in.jsonl") + strings.Replace(purposePart, "batch", "", 1) + "--b--\n", "purpose"},
		"two purposes":                 {purposePart + purposePart + filePart("in.jsonl") + "--b--\n", "purpose"},
		"two files":                    {purposePart + filePart("in.jsonl") + filePart("in.jsonl") + "--b--\n", "file"},
		"no file":                      {purposePart + "--b--\n", "file"},
		"a form that is cut off":       {purposePart + filePart("in.jsonl"), ""},
		"one within the file":          {purposePart + strings.TrimSuffix(filePart("in.jsonl"), "\n"), ""},
		"nothing":                      {"", "file"},
		"a name that is not a text":    {"--b\nContent-Disposition: form-data; name=\"\xff\"\n\n" + strings.Repeat("x", 2000) + "\n--b--\n", "\ufffd"},
	} {
		answer := a.uploadAs(test.form)
		var failed struct {
			Error openaiapi.Error `json:"error"`
		}
		if err := json.Unmarshal(answer.Body.Bytes(), &failed); err != nil ||
			answer.Code != http.StatusBadRequest || failed.Error.Type != "invalid_request_error" {
			t.Errorf("%s: HTTP %d: %s, %v", name, answer.Code, answer.Body, err)
			continue
		}
		if param := failed.Error.Param; test.param != "" &&
			(param == nil || *param != test.param) || test.param == "" && param != nil {
			t.Errorf("%s: %s", name, answer.Body)
		}
	}
	if list := decode[openaiapi.ListFilesResponse](t, a.get("/v1/files"),
		"ListFilesResponse"); len(list.Data) != 0 {
		t.Errorf("there are files: %+v", list.Data)
	}
}

// Data without an owner belongs to a gateway without keys. If the gateway had keys before, its
// pages are still full.
func TestPagesWithoutAnOwnerAreFullAmongThoseWithOwners(t *testing.T) {
	t.Parallel()
	a := serve(t, nil)
	var ids []string
	for i := range 9 {
		owner := ""
		if i%3 > 0 {
			owner = "ann"
		}
		file, err := a.jobs.PutFile(t.Context(),
			bulk.File{Owner: owner, Name: "in.jsonl", Purpose: bulk.PurposeBatch},
			strings.NewReader(chat("a", flash)))
		if err != nil {
			t.Fatal(err)
		}
		job, err := a.jobs.Submit(t.Context(),
			bulk.Submission{Owner: owner, InputFile: file.ID, Format: line.OpenAI})
		if err != nil {
			t.Fatal(err)
		}
		if owner == "" {
			ids = append([]string{job.ID, file.ID}, ids...)
		}
	}
	for i := range 3 {
		batches := decode[openaiapi.ListBatchesResponse](t,
			a.get(fmt.Sprintf("/v1/batches?limit=%d", i+1)), "ListBatchesResponse")
		files := decode[openaiapi.ListFilesResponse](t,
			a.get(fmt.Sprintf("/v1/files?purpose=batch&limit=%d", i+1)), "ListFilesResponse")
		if len(batches.Data) != i+1 || len(files.Data) != i+1 || batches.HasMore != (i < 2) ||
			files.HasMore != (i < 2) ||
			batches.Data[i].ID != ids[2*i] || files.Data[i].ID != ids[2*i+1] {
			t.Errorf("page of %d: %+v, %+v; want %v", i+1, batches, files, ids)
		}
	}
}

// The list includes jobs of the command, with lines of any form.
func TestJobsOfTheCommandAreBatchesToo(t *testing.T) {
	t.Parallel()
	a := serve(t, nil)
	job, err := a.jobs.Submit(t.Context(),
		bulk.Submission{Input: strings.NewReader(`{"key":"a","request":{"contents":[{"parts":[{"text":"hi"}]}]}}`),
			Model: flash})
	if err != nil {
		t.Fatal(err)
	}
	if done := a.ended(job.ID); done.Status != openaiapi.BatchStatusCompleted ||
		done.OutputFileID == nil {
		t.Errorf("%+v", done)
	}
	if list := decode[openaiapi.ListBatchesResponse](t, a.get("/v1/batches"),
		"ListBatchesResponse"); len(list.Data) != 1 {
		t.Errorf("%+v", list)
	}
}
