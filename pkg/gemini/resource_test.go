package gemini_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// call is a call of a client, and the request that it should send.
type call struct {
	name    string
	opts    []gemini.ClientOption
	do      func(*testing.T, *gemini.Client) error
	answer  string
	request string // method and address
	body    string
}

const apiAddress = "https://generativelanguage.googleapis.com/v1beta/"

func vertexOptions() []gemini.ClientOption {
	return []gemini.ClientOption{gemini.WithVertexAI("p", "europe-west4"),
		gemini.WithTokenSource(oneToken("t"))}
}

// expectCalls makes each call and compares its request.
func expectCalls(t *testing.T, calls []call) {
	t.Helper()
	for _, tt := range calls {
		if tt.answer == "" {
			tt.answer = "{}"
		}
		doer := &recordingDoer{answers: []string{tt.answer}}
		client := newClient(t, append(tt.opts, gemini.WithHTTPClient(doer))...)
		if err := tt.do(t, client); err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		request := doer.requests[0]
		if got := request.Method + " " + request.URL.String(); got != tt.request {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.request)
		}
		if got := doer.bodies[0]; got != tt.body {
			t.Errorf("%s: the body is %s, want %s", tt.name, got, tt.body)
		}
	}
}

func TestEveryMethodOfTheServicesCallsItsEndpoint(t *testing.T) {
	t.Parallel()
	expectCalls(t, []call{
		{
			name: "models.get", request: "GET " + apiAddress + "models/gemini-x",
			do: func(t *testing.T, c *gemini.Client) error {
				_, err := c.Models.Get(t.Context(), "gemini-x")
				return err
			},
		},
		{
			name: "caches.create", request: "POST " + apiAddress + "cachedContents",
			body: `{"contents":[{"parts":[{"text":"long"}],"role":"user"}],"model":"models/m","ttl":"300s"}`,
			do: func(t *testing.T, c *gemini.Client) error {
				_, err := c.CachedContents.Create(t.Context(), &geminiapi.CachedContent{
					Model: new("m"), Contents: []geminiapi.Content{gemini.UserText("long")},
					TTL: new("300s"),
				})
				return err
			},
		},
		{
			name: "caches.get", request: "GET " + apiAddress + "cachedContents/c",
			do: func(t *testing.T, c *gemini.Client) error {
				_, err := c.CachedContents.Get(t.Context(), "c")
				return err
			},
		},
		{
			name:    "caches.update",
			request: "PATCH " + apiAddress + "cachedContents/c?updateMask=ttl",
			body:    `{"ttl":"600s"}`,
			do: func(t *testing.T, c *gemini.Client) error {
				_, err := c.CachedContents.Update(t.Context(), "cachedContents/c",
					&geminiapi.CachedContent{TTL: new("600s")}, nil)
				return err
			},
		},
		{
			name:    "caches.update with a mask",
			request: "PATCH " + apiAddress + "cachedContents/c?updateMask=expireTime%2CdisplayName",
			body:    `{"expireTime":"2030-01-01T00:00:00Z"}`,
			do: func(t *testing.T, c *gemini.Client) error {
				change := &geminiapi.CachedContent{ExpireTime: new("2030-01-01T00:00:00Z")}
				_, err := c.CachedContents.Update(t.Context(), "c", change,
					[]string{"expireTime", "displayName"})
				return err
			},
		},
		{
			name: "caches.delete", request: "DELETE " + apiAddress + "cachedContents/c",
			do: func(t *testing.T,
				c *gemini.Client) error {
				return c.CachedContents.Delete(t.Context(), "c")
			},
		},
		{
			name: "files.get by its address", request: "GET " + apiAddress + "files/abc-1",
			do: func(t *testing.T, c *gemini.Client) error {
				_, err := c.Files.Get(t.Context(),
					"https://elsewhere.example/v1beta/files/abc-1:download?alt=media")
				return err
			},
		},
		{
			name: "files.delete", request: "DELETE " + apiAddress + "files/abc-1",
			do: func(t *testing.T,
				c *gemini.Client) error {
				return c.Files.Delete(t.Context(), "files/abc-1")
			},
		},
		{
			name:    "batches.create inline",
			request: "POST " + apiAddress + "models/m:batchGenerateContent",
			body:    `{"batch":{"displayName":"d","inputConfig":{"requests":{"requests":[{"metadata":{"k":1},"request":{"contents":[],"store":false}}]}},"model":"models/m"}}`,
			do: func(t *testing.T, c *gemini.Client) error {
				_, err := c.Batches.Create(t.Context(), &geminiapi.GenerateContentBatch{
					Model: new("m"), DisplayName: new("d"),
					InputConfig: &geminiapi.BatchInputConfig{Requests: &geminiapi.InlinedRequests{Requests: []geminiapi.InlinedRequest{{
						Request:  &geminiapi.GenerateContentRequest{Contents: []geminiapi.Content{}},
						Metadata: []byte(`{"k":1}`),
					}}}},
				})
				return err
			},
		},
		{
			name:    "batches.create by a file",
			opts:    []gemini.ClientOption{gemini.WithModel("tunedModels/t")},
			request: "POST " + apiAddress + "tunedModels/t:batchGenerateContent",
			body:    `{"batch":{"inputConfig":{"fileName":"files/f"},"model":"tunedModels/t"}}`,
			do: func(t *testing.T, c *gemini.Client) error {
				_, err := c.Batches.Create(t.Context(), &geminiapi.GenerateContentBatch{
					InputConfig: &geminiapi.BatchInputConfig{FileName: new("files/f")},
				})
				return err
			},
		},
		{
			name:    "batches.createEmbeddings inline",
			request: "POST " + apiAddress + "models/e:asyncBatchEmbedContent",
			body:    `{"batch":{"displayName":"d","inputConfig":{"requests":{"requests":[{"metadata":{"key":"1"},"request":{"content":{"parts":[{"text":"Hello"}],"role":"user"},"model":"models/e"}}]}},"model":"models/e"}}`,
			do: func(t *testing.T, c *gemini.Client) error {
				request := &geminiapi.EmbedContentRequest{Model: new("e"),
					Content: new(gemini.UserText("Hello"))}
				_, err := c.Batches.CreateEmbeddings(t.Context(), &geminiapi.EmbedContentBatch{
					DisplayName: new("d"), InputConfig: &geminiapi.EmbedContentInputConfig{Requests: &geminiapi.InlinedEmbedContentRequests{
						Requests: []geminiapi.InlinedEmbedContentRequest{{Request: request,
							Metadata: []byte(`{"key":"1"}`)}},
					}},
				})
				if *request.Model != "e" {
					t.Error("the caller's request is written to")
				}
				return err
			},
		},
		{
			name:    "batches.createEmbeddings from a file",
			request: "POST " + apiAddress + "models/e:asyncBatchEmbedContent",
			body:    `{"batch":{"inputConfig":{"fileName":"files/f"},"model":"models/e"}}`,
			do: func(t *testing.T, c *gemini.Client) error {
				_, err := c.Batches.CreateEmbeddings(t.Context(), &geminiapi.EmbedContentBatch{
					Model:       new("models/e"),
					InputConfig: &geminiapi.EmbedContentInputConfig{FileName: new("files/f")},
				})
				return err
			},
		},
		{
			name: "batches.getEmbeddings", request: "GET " + apiAddress + "batches/b",
			do: func(t *testing.T, c *gemini.Client) error {
				_, err := c.Batches.GetEmbeddings(t.Context(), "batches/b")
				return err
			},
		},
		{
			name: "batches.get", request: "GET " + apiAddress + "batches/b",
			do: func(t *testing.T, c *gemini.Client) error {
				_, err := c.Batches.Get(t.Context(), "batches/b")
				return err
			},
		},
		{
			name: "batches.cancel", request: "POST " + apiAddress + "batches/b:cancel", body: "{}",
			do: func(t *testing.T,
				c *gemini.Client) error {
				return c.Batches.Cancel(t.Context(), "b")
			},
		},
		{
			name: "batches.delete", request: "DELETE " + apiAddress + "batches/b",
			do: func(t *testing.T,
				c *gemini.Client) error {
				return c.Batches.Delete(t.Context(), "b")
			},
		},
	})
}

func TestCachesOfVertexAIBelongToAProject(t *testing.T) {
	t.Parallel()
	const project = "https://europe-west4-aiplatform.googleapis.com/v1/projects/p/locations/europe-west4/"
	get := func(name string) func(*testing.T, *gemini.Client) error {
		return func(t *testing.T, c *gemini.Client) error {
			_, err := c.CachedContents.Get(t.Context(), name)
			return err
		}
	}
	expectCalls(t, []call{
		{name: "by id", opts: vertexOptions(), request: "GET " + project + "cachedContents/7", do: get("7")},
		{name: "by name", opts: vertexOptions(), request: "GET " + project + "cachedContents/7", do: get("cachedContents/7")},
		{
			name: "by the whole name", opts: vertexOptions(),
			do:      get("projects/q/locations/us-central1/cachedContents/7"),
			request: "GET https://us-central1-aiplatform.googleapis.com/v1/projects/q/locations/us-central1/cachedContents/7",
		},
		{
			name: "create", opts: vertexOptions(), request: "POST " + project + "cachedContents",
			body: `{"model":"projects/p/locations/europe-west4/publishers/google/models/m"}`,
			do: func(t *testing.T, c *gemini.Client) error {
				_, err := c.CachedContents.Create(t.Context(),
					&geminiapi.CachedContent{Model: new("m")})
				return err
			},
		},
	})
}

func TestMethodsThatVertexAIDoesNotHaveAreUnsupported(t *testing.T) {
	t.Parallel()
	client := newClient(t, append(vertexOptions(), gemini.WithHTTPClient(refusing{t}))...)
	_, getErr := client.Files.Get(t.Context(), "f")
	_, uploadErr := client.Files.Upload(t.Context(), strings.NewReader("x"), nil)
	_, embeddingsErr := client.Batches.CreateEmbeddings(t.Context(),
		&geminiapi.EmbedContentBatch{Model: new("m")})
	_, batchErr := client.Batches.Create(t.Context(),
		&geminiapi.GenerateContentBatch{Model: new("m")})
	_, modelErr := client.Models.Get(t.Context(), "m")
	for _, err := range []error{getErr, uploadErr, embeddingsErr, batchErr, modelErr} {
		if !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("got %v", err)
		}
	}
}

// refusing is a Doer that must not be called.
type refusing struct{ t *testing.T }

func (r refusing) Do(request *http.Request) (*http.Response, error) {
	r.t.Errorf("%s %s was sent", request.Method, request.URL)
	return nil, errors.New("refused")
}

func TestNamesThatMayLeadElsewhereAreRefused(t *testing.T) {
	t.Parallel()
	client := newClient(t, gemini.WithHTTPClient(refusing{t}))
	for _, name := range []string{"", ".", "..", "files/", "files/..", "files/a/b", "models/a",
		"files/a\n", "../files/a", "projects/p/locations/l/files/a"} {
		if _, err := client.Files.Get(t.Context(), name); err == nil {
			t.Errorf("%q was accepted", name)
		}
		if err := client.Files.Delete(t.Context(), name); err == nil {
			t.Errorf("%q was accepted to be deleted", name)
		}
	}
	expectCalls(t, []call{{
		name:    "other characters are escaped",
		request: "GET " + apiAddress + "files/a%20b%3Fc%23d%25%3Ae",
		do: func(t *testing.T, c *gemini.Client) error {
			_, err := c.Files.Get(t.Context(), "files/a b?c#d%:e")
			return err
		},
	}})
}

func TestAChangeOfNothingIsNotSent(t *testing.T) {
	t.Parallel()
	client := newClient(t, gemini.WithHTTPClient(refusing{t}))
	if cached, err := client.CachedContents.Update(t.Context(), "c",
		&geminiapi.CachedContent{DisplayName: new("d")}, nil); err == nil {
		t.Errorf("got %+v", cached)
	}
}

func TestListsReadPageAfterPage(t *testing.T) {
	t.Parallel()
	doer := &recordingDoer{answers: []string{
		`{"models":[{"name":"models/a"},{"name":"models/b"}],"nextPageToken":"t&1"}`,
		`{"nextPageToken":"t2"}`,
		`{"models":[{"name":"models/c"}]}`,
	}}
	client := newClient(t, gemini.WithHTTPClient(doer))
	var names []string
	for model, err := range client.Models.List(t.Context(), gemini.WithPageSize(2)) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, *model.Name)
	}
	if !slices.Equal(names, []string{"models/a", "models/b", "models/c"}) {
		t.Error(names)
	}
	var queries []string
	for _, request := range doer.requests {
		queries = append(queries, request.URL.RawQuery)
	}
	if !slices.Equal(queries,
		[]string{"pageSize=2", "pageSize=2&pageToken=t%261", "pageSize=2&pageToken=t2"}) {
		t.Error(queries)
	}
}

func TestAListThatIsLeftAsksForNoMore(t *testing.T) {
	t.Parallel()
	doer := &recordingDoer{answers: []string{`{"files":[{"name":"files/a"},{"name":"files/b"}],"nextPageToken":"more"}`}}
	client := newClient(t, gemini.WithHTTPClient(doer))
	for range client.Files.List(t.Context()) {
		break
	}
	if len(doer.requests) != 1 {
		t.Errorf("%d requests", len(doer.requests))
	}
}

func TestAListEndsWithItsError(t *testing.T) {
	t.Parallel()
	for name, answers := range map[string][]string{
		"an answer that is invalid":     {`{"operations":[{"name":"batches/a"}],"nextPageToken":"t"}`, `[]`},
		"the same page again and again": {`{"operations":[{"name":"batches/a"}],"nextPageToken":"t"}`, `{"nextPageToken":"t"}`},
	} {
		client := newClient(t, gemini.WithHTTPClient(&recordingDoer{answers: answers}),
			gemini.WithMaxAttempts(1))
		batches, failed := 0, 0
		for batch, err := range client.Batches.List(t.Context()) {
			if _, isTyped := errors.AsType[*gemini.CallError](err); isTyped {
				failed++
			} else if *batch.Name == "batches/a" {
				batches++
			}
		}
		if batches != 1 || failed != 1 {
			t.Errorf("%s: %d batches, %d errors", name, batches, failed)
		}
	}
}

func TestAListWhosePagesRepeatEnds(t *testing.T) {
	t.Parallel()
	for name, tokens := range map[string][]string{
		"one page":          {"a"},
		"two in turns":      {"a", "b"},
		"after a beginning": {"x", "y", "a", "b", "c", "a", "b", "c"},
	} {
		pages := 0
		client := newClient(t,
			gemini.WithHTTPClient(gemini.DoerFunc(func(*http.Request) (*http.Response, error) {
				pages++
				if pages > 100 {
					return nil, errors.New("it does not end")
				}
				return httpReply(200, "application/json",
						`{"models":[{}],"files":[{}],"operations":[{}],"cachedContents":[{}],"nextPageToken":"`+
							tokens[(pages-1)%len(tokens)]+`"}`),
					nil
			})), gemini.WithMaxAttempts(1))
		lists := map[string]error{}
		for _, err := range client.Models.List(t.Context()) {
			lists["models"] = err
		}
		pages = 0
		for _, err := range client.Files.List(t.Context()) {
			lists["files"] = err
		}
		pages = 0
		for _, err := range client.Batches.List(t.Context()) {
			lists["batches"] = err
		}
		pages = 0
		for _, err := range client.CachedContents.List(t.Context()) {
			lists["caches"] = err
		}
		for list, err := range lists {
			if _, isTyped := errors.AsType[*gemini.CallError](err); !isTyped ||
				!errors.Is(err, gemini.ErrPagesRepeat) {
				t.Errorf("%s: %s: %v", name, list, err)
			}
		}
	}
}

func TestAnEmptyAnswerToADeletionIsEnough(t *testing.T) {
	t.Parallel()
	client := newClient(t, gemini.WithHTTPClient(&recordingDoer{answers: []string{""}}))
	if err := client.Files.Delete(t.Context(), "a"); err != nil {
		t.Error(err)
	}
}
