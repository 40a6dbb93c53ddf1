package gemini_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
)

func embedding(text string) geminiapi.EmbedContentRequest {
	return geminiapi.EmbedContentRequest{Content: &geminiapi.Content{Parts: []geminiapi.Part{gemini.TextPart(text)}}}
}

func TestEmbeddingsAreAskedForInTheFormOfTheService(t *testing.T) {
	t.Parallel()
	const project = "https://europe-west4-aiplatform.googleapis.com/v1/projects/p/locations/europe-west4/publishers/google/models/"
	embed := func(model string, change func(*geminiapi.EmbedContentRequest)) func(*testing.T,
		*gemini.Client) error {
		return func(t *testing.T, c *gemini.Client) error {
			req := embedding("Hello")
			req.Model = &model
			change(&req)
			_, err := c.EmbedContent(t.Context(), &req)
			return err
		}
	}
	plain := func(*geminiapi.EmbedContentRequest) {}
	expectCalls(t, []call{
		{
			name:    "Gemini API",
			request: "POST " + apiAddress + "models/gemini-embedding-2:embedContent",
			body:    `{"content":{"parts":[{"text":"Hello"}]},"model":"models/gemini-embedding-2","outputDimensionality":8}`,
			do: embed("gemini-embedding-2",
				func(r *geminiapi.EmbedContentRequest) { r.OutputDimensionality = new(8) }),
		},
		{
			name: "Vertex AI, second generation", opts: vertexOptions(),
			request: "POST " + project + "gemini-embedding-2:embedContent",
			body:    `{"content":{"parts":[{"text":"Hello"}]}}`,
			do:      embed("gemini-embedding-2", plain),
		},
		{
			name: "Vertex AI, first generation", opts: vertexOptions(),
			request: "POST " + project + "text-embedding-005:predict",
			body:    `{"instances":[{"content":"Hello","task_type":"CLUSTERING","title":"T"}],"parameters":{"autoTruncate":false,"outputDimensionality":8}}`,
			answer:  `{"predictions":[{"embeddings":{"values":[1]}}]}`,
			do: embed("text-embedding-005", func(r *geminiapi.EmbedContentRequest) {
				r.TaskType, r.AutoTruncate, r.Title = new(geminiapi.TaskTypeRetrievalQuery),
					new(false), new("T")
				r.EmbedContentConfig = &geminiapi.EmbedContentConfig{TaskType: new(geminiapi.TaskTypeClustering),
					OutputDimensionality: new(8)}
			}),
		},
		{
			name: "several", request: "POST " + apiAddress + "models/m:batchEmbedContents",
			answer: `{"embeddings":[{"values":[1]},{"values":[2]}]}`,
			body:   `{"requests":[{"content":{"parts":[{"text":"a"}]},"model":"models/m"},{"content":{"parts":[{"text":"b"}]},"model":"models/m"}]}`,
			do: func(t *testing.T, c *gemini.Client) error {
				requests := []geminiapi.EmbedContentRequest{embedding("a"), embedding("b")}
				requests[1].Model = new("m")
				_, err := c.BatchEmbedContents(t.Context(),
					&geminiapi.BatchEmbedContentsRequest{Requests: requests})
				if requests[0].Model != nil || *requests[1].Model != "m" {
					t.Error("the requests were written to")
				}
				return err
			},
		},
		{
			name: "several at Vertex AI", opts: vertexOptions(),
			request: "POST " + project + "text-embedding-005:predict",
			body:    `{"instances":[{"content":"a"},{"content":"b"}]}`,
			answer:  `{"predictions":[{"embeddings":{"values":[1]}},{"embeddings":{"values":[2]}}]}`,
			do: func(t *testing.T, c *gemini.Client) error {
				requests := []geminiapi.EmbedContentRequest{embedding("a"), embedding("b")}
				response, err := c.BatchEmbedContents(t.Context(),
					&geminiapi.BatchEmbedContentsRequest{Requests: requests},
					gemini.WithModel("text-embedding-005"))
				if err == nil && !slices.Equal(response.Embeddings[1].Values, []float64{2}) {
					t.Error(response.Embeddings)
				}
				return err
			},
		},
	})
}

func TestAPredictionIsAnsweredAsAnEmbedding(t *testing.T) {
	t.Parallel()
	doer := &recordingDoer{answers: []string{`{"predictions":[{"embeddings":{"values":[0.5,-1],"statistics":{"token_count":3,"truncated":true}}}]}`}}
	client := newClient(t, append(vertexOptions(), gemini.WithHTTPClient(doer))...)
	request := embedding("Hello")
	response, err := client.EmbedContent(t.Context(), &request,
		gemini.WithModel("text-embedding-005"))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(response.Embedding.Values, []float64{0.5, -1}) ||
		*response.UsageMetadata.PromptTokenCount != 3 || !*response.Truncated {
		t.Errorf("got %+v", response)
	}
}

func TestInputThatCannotBeEmbeddedIsNotSent(t *testing.T) {
	t.Parallel()
	vertex := newClient(t,
		append(vertexOptions(), gemini.WithHTTPClient(refusing{t}),
			gemini.WithModel("text-embedding-005"))...)
	image := embedding("look")
	image.Content.Parts = append(image.Content.Parts, geminiapi.Part{InlineData: &geminiapi.Blob{}})
	if _, err := vertex.EmbedContent(t.Context(), &image); err == nil {
		t.Error("an image was taken for text")
	}
	short := embedding("a")
	short.OutputDimensionality = new(8)
	both := &geminiapi.BatchEmbedContentsRequest{Requests: []geminiapi.EmbedContentRequest{short,
		embedding("b")}}
	if _, err := vertex.BatchEmbedContents(t.Context(), both); err == nil {
		t.Error("two lengths were taken for one")
	}
	if _, err := vertex.BatchEmbedContents(t.Context(), both,
		gemini.WithModel("gemini-embedding-2")); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("got %v", err)
	}
	none := newClient(t, gemini.WithHTTPClient(refusing{t}))
	if _, err := none.EmbedContent(t.Context(), nil); !errors.Is(err, gemini.ErrModelRequired) {
		t.Errorf("got %v", err)
	}
}

func TestVectorsAreNeverGivenToTheWrongRequest(t *testing.T) {
	t.Parallel()
	two := &geminiapi.BatchEmbedContentsRequest{Requests: []geminiapi.EmbedContentRequest{embedding("a"),
		embedding("b")}}
	for _, opts := range [][]gemini.ClientOption{nil, vertexOptions()} {
		doer := &recordingDoer{answers: []string{`{"embeddings":[{"values":[1]}],"predictions":[{"embeddings":{"values":[1]}}]}`}}
		client := newClient(t,
			append(opts, gemini.WithHTTPClient(doer), gemini.WithModel("text-embedding-005"))...)
		if response, err := client.BatchEmbedContents(t.Context(), two); err == nil {
			t.Errorf("one vector answers two requests: %+v", response)
		}
	}
}
