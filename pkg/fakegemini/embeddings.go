package fakegemini

import (
	"cmp"
	"net/http"
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/answer"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/embedding"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/received"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/refusal"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/gemini/models"
)

// EmbedContent makes one vector.
func (a *api) EmbedContent(w http.ResponseWriter, r *http.Request, id geminiapi.ModelID) {
	request := received.From(r)
	model, why := a.embeddingModel(request)
	var body *geminiapi.EmbedContentRequest
	if why == nil {
		body, why = bodyOf[geminiapi.EmbedContentRequest](request)
	}
	if why == nil {
		why = a.checkEmbedding(body, model, "EmbedContentRequest", "")
	}
	if why != nil {
		refuse(w, r, why)
		return
	}
	response := &geminiapi.EmbedContentResponse{Embedding: new(vectorOf(body, model))}
	if model.CountsTokens || request.Backend == models.VertexAI {
		response.UsageMetadata = embeddingUsage(request, *body)
	}
	if request.Backend == models.VertexAI {
		response.Truncated = new(false)
	}
	writeResource(w, payloadOf(response, []string{"embedding", "usageMetadata"}))
}

// embeddingModel returns the properties of the vectors of the model in the path.
func (a *api) embeddingModel(request *received.Request) (embedding.Model, *refusal.Refusal) {
	model, ok := embedding.ModelOf(request.Model)
	if why := a.checkModel(request); why != nil || !ok {
		return model, refusal.UnknownModel(request.Route)
	}
	return model, nil
}

// checkEmbedding returns why the server refuses to embed a content. at is the location of its
// request in a batch.
func (a *api) checkEmbedding(body *geminiapi.EmbedContentRequest, model embedding.Model, message,
	at string) *refusal.Refusal {
	size := outputSize(body, model)
	switch {
	case a.settings.unchecked && size >= 1 && size <= model.Size:
		return nil
	case len(body.Unknown) > 0:
		return refusal.UnknownMembers(body.Unknown)
	case len(jsonx.Deref(body.Content).Parts) == 0:
		return refusal.UnspecifiedMember(message, at+"content")
	case size < 1 || size > model.Size:
		return refusal.InvalidArgument()
	default:
		return nil
	}
}

// outputSize returns the length of the vector.
func outputSize(body *geminiapi.EmbedContentRequest, model embedding.Model) int {
	config := jsonx.Deref(body.EmbedContentConfig)
	size := cmp.Or(config.OutputDimensionality, body.OutputDimensionality)
	if size == nil {
		return model.Size
	}
	return *size
}

func vectorOf(body *geminiapi.EmbedContentRequest,
	model embedding.Model) geminiapi.ContentEmbedding {
	config := jsonx.Deref(body.EmbedContentConfig)
	task := jsonx.Deref(cmp.Or(config.TaskType, body.TaskType))
	return geminiapi.ContentEmbedding{Values: model.Vector(body.Content, task,
		outputSize(body, model))}
}

// embeddingUsage counts the tokens of contents.
func embeddingUsage(request *received.Request,
	bodies ...geminiapi.EmbedContentRequest) *geminiapi.EmbeddingUsageMetadata {
	count := answer.Count(questionOf(request, bodies))
	return &geminiapi.EmbeddingUsageMetadata{PromptTokenCount: count.TotalTokens,
		PromptTokenDetails: count.PromptTokensDetails}
}

// questionOf returns a question with the contents of embedding requests, to count their tokens.
func questionOf(request *received.Request, bodies []geminiapi.EmbedContentRequest) answer.Question {
	content := &geminiapi.GenerateContentRequest{}
	for _, body := range bodies {
		content.Contents = append(content.Contents, jsonx.Deref(body.Content))
	}
	return answer.Question{Request: content, Model: request.Model, Backend: request.Backend}
}

// maxEmbedded is the maximum number of contents in one request.
const maxEmbedded = 100

// BatchEmbedContents makes several vectors.
func (a *api) BatchEmbedContents(w http.ResponseWriter, r *http.Request, id geminiapi.ModelID) {
	request := received.From(r)
	model, why := a.embeddingModel(request)
	var body *geminiapi.BatchEmbedContentsRequest
	if why == nil {
		body, why = bodyOf[geminiapi.BatchEmbedContentsRequest](request)
	}
	if why == nil {
		why = a.checkEmbeddings(body, model, "models/"+id)
	}
	if why != nil {
		refuse(w, r, why)
		return
	}
	response := &geminiapi.BatchEmbedContentsResponse{}
	for i := range body.Requests {
		response.Embeddings = append(response.Embeddings, vectorOf(&body.Requests[i], model))
	}
	if model.CountsTokens {
		response.UsageMetadata = embeddingUsage(request, body.Requests...)
	}
	writeResource(w, payloadOf(response, []string{"embeddings", "usageMetadata"}))
}

// checkEmbeddings returns why the server refuses to embed several contents. Older clients also name
// the model next to the requests, which was recorded with an answer.
func (a *api) checkEmbeddings(body *geminiapi.BatchEmbedContentsRequest, model embedding.Model,
	name string) *refusal.Refusal {
	const message = "BatchEmbedContentsRequest"
	if len(body.Requests) > maxEmbedded {
		return refusal.TooManyRequests()
	}
	for i := range body.Requests {
		at := "requests[" + strconv.Itoa(i) + "]."
		if jsonx.Deref(body.Requests[i].Model) != name && !a.settings.unchecked {
			return refusal.ModelOfOtherForm(message, at+"model")
		}
		if why := a.checkEmbedding(&body.Requests[i], model, message, at); why != nil {
			return why
		}
	}
	return nil
}

// Predict makes vectors from texts, for Vertex AI.
func (a *api) Predict(w http.ResponseWriter, r *http.Request, _ geminiapi.ModelID) {
	request := received.From(r)
	model, why := a.embeddingModel(request)
	var body *geminiapi.PredictRequest
	if why == nil {
		body, why = bodyOf[geminiapi.PredictRequest](request)
	}
	if why == nil && len(body.Instances) == 0 {
		why = refusal.InvalidArgument()
	}
	contents := instancesOf(body)
	for i := 0; i < len(contents) && why == nil; i++ {
		why = a.checkEmbedding(&contents[i], model, "PredictRequest", "")
	}
	if why != nil {
		refuse(w, r, why)
		return
	}
	response := &geminiapi.PredictResponse{}
	for i := range contents {
		response.Predictions = append(response.Predictions,
			predictionOf(request, &contents[i], model))
	}
	billable := answer.Count(questionOf(request, contents)).TotalBillableCharacters
	response.Metadata = &geminiapi.PredictMetadata{BillableCharacterCount: billable}
	writeResource(w, payloadOf(response, []string{"predictions", "metadata"}))
}

// instancesOf returns the texts of a request as contents to embed.
func instancesOf(body *geminiapi.PredictRequest) []geminiapi.EmbedContentRequest {
	if body == nil {
		return nil
	}
	size := jsonx.Deref(body.Parameters).OutputDimensionality
	contents := make([]geminiapi.EmbedContentRequest, len(body.Instances))
	for i, instance := range body.Instances {
		content := gemini.UserText(jsonx.Deref(instance.Content))
		contents[i] = geminiapi.EmbedContentRequest{Content: &content, TaskType: instance.TaskType,
			OutputDimensionality: size}
	}
	return contents
}

func predictionOf(request *received.Request, content *geminiapi.EmbedContentRequest,
	model embedding.Model) geminiapi.EmbeddingPrediction {
	return geminiapi.EmbeddingPrediction{Embeddings: &geminiapi.PredictedEmbedding{
		Values: vectorOf(content, model).Values,
		Statistics: &geminiapi.PredictStatistics{
			TokenCount: embeddingUsage(request, *content).PromptTokenCount, Truncated: new(false),
		},
	}}
}
