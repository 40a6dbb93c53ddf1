package fakegemini_test

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/go-json-experiment/json/jsontext"
)

// clientOf returns a client of a server, through its network in memory.
func clientOf(t *testing.T, srv *geminitest.Server, opts ...gemini.ClientOption) *gemini.Client {
	t.Helper()
	client, err := gemini.NewClient(append([]gemini.ClientOption{gemini.WithAPIKey("k"),
		gemini.WithHTTPClient(srv.HTTPClient()), gemini.WithMaxAttempts(1)}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// expectRefusal fails unless an error is one of the server's, with a status and a part of its
// message.
func expectRefusal(t *testing.T, what string, err error, status int, message string) {
	t.Helper()
	reported, ok := errors.AsType[*gemini.Error](err)
	if !ok || reported.HTTPStatus != status || !strings.Contains(reported.Message, message) {
		t.Errorf("%s: got %v, want %d %s", what, err, status, message)
	}
}

func TestModelsAreListedPageByPage(t *testing.T) {
	t.Parallel()
	client := clientOf(t, geminitest.NewServer(t, geminitest.WithModels("my-model")))
	var names []string
	for model, err := range client.Models.List(t.Context(), gemini.WithPageSize(5)) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, *model.Name)
	}
	if len(names) < 20 || names[len(names)-1] != "models/my-model" ||
		!slices.Contains(names, "models/gemini-2.5-flash") {
		t.Error(names)
	}
	model, err := client.Models.Get(t.Context(), "gemini-2.5-flash")
	if err != nil || *model.InputTokenLimit != 1048576 || !*model.Thinking {
		t.Errorf("got %+v, %v", model, err)
	}
	_, err = client.Models.Get(t.Context(), "gemini1")
	expectRefusal(t, "no model", err, 404,
		"Model is not found: models/gemini1 for api version v1beta")
}

func TestAPageThatIsMissingIsRefused(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t)
	for _, path := range []string{"/v1beta/models", "/v1beta/files", "/v1beta/cachedContents",
		"/v1beta/batches"} {
		for _, query := range []string{"?pageToken=x", "?pageToken=CgFh", "?pageSize=many"} {
			reply, err := srv.HTTPClient().Get("https://generativelanguage.googleapis.com" + path +
				query + "&key=k")
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(reply.Body)
			reply.Body.Close()
			if err != nil || reply.StatusCode != http.StatusBadRequest ||
				!strings.Contains(string(body), "INVALID_ARGUMENT") {
				t.Errorf("%s: %s %s %v", path+query, reply.Status, body, err)
			}
		}
	}
}

// orderOf lists the names of the members of an object, and of the objects in it, in order.
func orderOf(object jsontext.Value) []string {
	var names []string
	for name, value := range jsonx.Members(object) {
		names = append(names, name)
		for inner := range jsonx.Members(value) {
			names = append(names, name+"."+inner)
		}
	}
	return names
}

func TestResourcesHaveTheMembersOfRecordedOnesInTheirOrder(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t)
	recorded := func(endpoint, feature string) []string {
		for _, payload := range corpustest.EndpointPayloads(t, endpoint, corpustest.Response) {
			if strings.Contains(payload.Name, feature) {
				return orderOf(payload.Read(t))
			}
		}
		if !testing.Short() { // which has a part of the answers only
			t.Fatalf("no recorded answer of %s has %s in its name", endpoint, feature)
		}
		t.Skipf("no answer of %s with %s in its name is in a short run", endpoint, feature)
		return nil
	}
	header := http.Header{"X-Goog-Api-Key": {"k"}}
	_, file := send(t, srv, "/upload/v1beta/files", http.Header{
		"X-Goog-Api-Key": {"k"}, "Content-Type": {"multipart/related; boundary=b"},
	}, "--b\r\nContent-Type: application/json\r\n\r\n{\"file\":{\"displayName\":\"sample.pdf\"}}\r\n--b\r\nContent-Type: application/pdf\r\n\r\n%PDF\r\n--b--\r\n")
	if got, want := orderOf(jsontext.Value(file)),
		recorded("files", "uploads_a_pdf"); !slices.Equal(got, want) {
		t.Errorf("files:\n got %q\nwant %q", got, want)
	}
	_, cached := send(t, srv, "/v1beta/cachedContents", header,
		`{"model":"models/gemini-2.5-flash","contents":[{"parts":[{"text":"`+
			strings.Repeat("word ", 2000)+`"}]}],"ttl":"300s"}`)
	if got, want := orderOf(jsontext.Value(cached)),
		recorded("cachedContents", "creates_uses_extends"); !slices.Equal(got, want) {
		t.Errorf("caches:\n got %q\nwant %q", got, want)
	}
	const batch = `{"batch":{"displayName":"d","inputConfig":{"requests":{"requests":[{"request":` +
		hello + `,"metadata":{"custom_id":"0"}}]}}}}`
	_, made := send(t, srv, "/v1beta/models/gemini-2.5-flash:batchGenerateContent", header, batch)
	if got, want := orderOf(jsontext.Value(made)),
		recorded("batchGenerateContent", "batch_with_gemini"); !slices.Equal(got, want) {
		t.Errorf("batches:\n got %q\nwant %q", got, want)
	}
}

func TestUnknownMembersOfResourcesAreRefused(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t)
	for path, body := range map[string]string{
		"/v1beta/cachedContents":                               `{"model":"models/gemini-2.5-flash","colour":1}`,
		"/v1beta/models/gemini-embedding-001:embedContent":     `{"content":{"parts":[{"text":"a"}]},"colour":1}`,
		"/v1beta/models/gemini-2.5-flash:batchGenerateContent": `{"colour":1}`,
	} {
		_, answer := send(t, srv, path, http.Header{"X-Goog-Api-Key": {"k"}}, body)
		if !strings.Contains(answer,
			`Invalid JSON payload received. Unknown name \"colour\": Cannot find field.`) {
			t.Errorf("%s: %s", path, answer)
		}
	}
}

func TestEmbeddingsOfTheFakeServer(t *testing.T) {
	t.Parallel()
	client := clientOf(t, geminitest.NewServer(t))
	one := geminiapi.EmbedContentRequest{Content: new(gemini.UserText("Hello")),
		OutputDimensionality: new(16)}
	single, err := client.EmbedContent(t.Context(), &one, gemini.WithModel("gemini-embedding-2"))
	if err != nil || len(single.Embedding.Values) != 16 ||
		*single.UsageMetadata.PromptTokenCount != 1 {
		t.Fatalf("got %+v, %v", single, err)
	}
	both, err := client.BatchEmbedContents(t.Context(),
		&geminiapi.BatchEmbedContentsRequest{Requests: []geminiapi.EmbedContentRequest{one, one}},
		gemini.WithModel("gemini-embedding-2"))
	if err != nil || len(both.Embeddings) != 2 ||
		!slices.Equal(both.Embeddings[1].Values, single.Embedding.Values) {
		t.Errorf("got %+v, %v", both, err)
	}
	for what, tt := range map[string]struct {
		request geminiapi.EmbedContentRequest
		model   string
		status  int
		message string
	}{
		"a model that answers": {one, "gemini-2.5-flash", 404, "is not supported for embedContent"},
		"no content":           {geminiapi.EmbedContentRequest{}, "gemini-embedding-001", 400, "* EmbedContentRequest.content: content is not specified"},
		"too long a vector":    {geminiapi.EmbedContentRequest{Content: one.Content, OutputDimensionality: new(4000)}, "gemini-embedding-001", 400, "Request contains an invalid argument."},
	} {
		_, err := client.EmbedContent(t.Context(), &tt.request, gemini.WithModel(tt.model))
		expectRefusal(t, what, err, tt.status, tt.message)
	}
	many := make([]geminiapi.EmbedContentRequest, 101)
	_, err = client.BatchEmbedContents(t.Context(),
		&geminiapi.BatchEmbedContentsRequest{Requests: many},
		gemini.WithModel("gemini-embedding-2"))
	expectRefusal(t, "too many contents", err, 400, "at most 100 requests can be in one batch")
}

func TestEmbeddingsOfVertexAI(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t)
	client, err := gemini.NewClient(gemini.WithVertexAI("p", "us-central1"),
		gemini.WithTokenSource(oneToken("t")), gemini.WithHTTPClient(srv.HTTPClient()))
	if err != nil {
		t.Fatal(err)
	}
	for _, model := range []string{"text-embedding-005", "gemini-embedding-2"} {
		response, err := client.EmbedContent(t.Context(), &geminiapi.EmbedContentRequest{
			Content: new(gemini.UserText("Why is the sky blue?")), OutputDimensionality: new(8),
		}, gemini.WithModel(model))
		if err != nil || len(response.Embedding.Values) != 8 ||
			*response.UsageMetadata.PromptTokenCount != 6 || *response.Truncated {
			t.Errorf("%s: got %+v, %v", model, response, err)
		}
	}
}

// The fake server accepts what the real server accepted for embeddings, caches and batches. It
// answers with the same number of vectors, and with at least the same length.
func TestRecordedRequestsForResourcesAreAccepted(t *testing.T) {
	t.Parallel()
	paths := map[string]string{
		"batchEmbedContents":   "/v1beta/models/{model}:batchEmbedContents",
		"batchGenerateContent": "/v1beta/models/gemini-2.5-flash:batchGenerateContent",
		"cachedContents":       "/v1beta/cachedContents",
	}
	seen := 0
	for endpoint, path := range paths {
		requests := map[string]corpustest.Payload{}
		for _, p := range corpustest.EndpointPayloads(t, endpoint, corpustest.Request) {
			requests[p.Name] = p
		}
		for _, answer := range corpustest.EndpointPayloads(t, endpoint, corpustest.Response) {
			request, ok := requests[answer.Pair]
			body := request.Read
			if !ok || len(body(t)) < 50 { // a change, which is of a cache that is not there
				continue
			}
			model := modelIn(t, body(t))
			// some recordings are older than the shutdown of their model
			handler := newHandler(t, geminitest.WithModels(model))
			reply := do(t, handler, strings.ReplaceAll(path, "{model}", model), body(t))
			if reply.Code != http.StatusOK {
				t.Errorf("%s: %d %s", request.Name, reply.Code, reply.Body)
				continue
			}
			got, want := lengthsOf(t, reply.Body.Bytes()), lengthsOf(t, answer.Read(t))
			isShorter := func(a, b int) int { return min(a-b, 0) } // one recording was cut
			if slices.CompareFunc(got, want, isShorter) != 0 {
				t.Errorf("%s: vectors of %d, recorded %d", request.Name, got, want)
			}
			seen++
		}
	}
	if seen < corpustest.AtLeast(10) {
		t.Errorf("only %d requests", seen)
	}
}

// modelIn returns the model of the first request of a batch of embeddings, "" for another body.
func modelIn(t *testing.T, body []byte) string {
	t.Helper()
	batch, err := gemini.Decode[geminiapi.BatchEmbedContentsRequest](body)
	if err != nil || len(batch.Requests) == 0 {
		return ""
	}
	return strings.TrimPrefix(*batch.Requests[0].Model, "models/")
}

func lengthsOf(t *testing.T, answer []byte) []int {
	t.Helper()
	response, err := gemini.Decode[geminiapi.BatchEmbedContentsResponse](answer)
	if err != nil {
		t.Fatal(err)
	}
	var lengths []int
	for _, vector := range response.Embeddings {
		lengths = append(lengths, len(vector.Values))
	}
	return lengths
}

func TestResourcesAreSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	client := clientOf(t, geminitest.NewServer(t), gemini.WithModel("gemini-2.5-flash"))
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			file, err := client.Files.Upload(t.Context(), strings.NewReader("x"), nil)
			if err != nil {
				t.Error(err)
				return
			}
			made, err := client.Batches.Create(t.Context(), inlined("a"))
			if err != nil {
				t.Error(err)
				return
			}
			for range 2 {
				all.Go(func() { _ = client.Batches.Cancel(t.Context(), *made.Name) })
				all.Go(func() {
					if _, err := client.Batches.Get(t.Context(), *made.Name); err != nil {
						t.Error(err)
					}
				})
			}
			if err := client.Files.Delete(t.Context(), *file.Name); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for file := range client.Files.List(t.Context()) {
		t.Errorf("%s was deleted", *file.Name)
	}
}
