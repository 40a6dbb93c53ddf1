package gateway

import (
	"net/http"
	"net/url"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/go-chi/chi/v5"
)

// modelsForm lists the models.
var modelsForm = openAIOperation("models")

// ListModels lists the models that the client may use: first the names that the gateway was given, then those of the
// upstream. Clients ask for it before anything else (any-llm#935).
func (s openAIServer) ListModels(w http.ResponseWriter, r *http.Request) {
	if isFromAnthropicsClient(r) { // who has another list in the same place
		s.anthropicAPI().ListModels(w, r)
		return
	}
	s.serve(w, r, &modelsForm, func(c *call) *problem.Problem {
		names, p := c.modelNames()
		if p != nil {
			return p
		}
		list := &openaiapi.ListModelsResponse{Object: openaiapi.ObjectTypeList, Data: []openaiapi.Model{}}
		for _, name := range names {
			if c.permitModel(name) == nil {
				list.Data = append(list.Data, describeModel(name))
			}
		}
		return c.writeJSON(func(dst []byte) ([]byte, error) { return openai.AppendModels(dst, list) })
	})
}

// RetrieveModel describes a model.
func (s openAIServer) RetrieveModel(w http.ResponseWriter, r *http.Request, name string) {
	if isFromAnthropicsClient(r) {
		anthropicServer{setup: s.setup}.RetrieveModel(w, r, name, anthropicapi.RetrieveModelParams{})
		return
	}
	s.serve(w, r, &modelsForm, func(c *call) *problem.Problem { return c.retrieveModel(name) })
}

// retrieveLongName describes a model whose name has slashes, such as "tunedModels/mine", which the description's path
// does not have.
func (s openAIServer) retrieveLongName(w http.ResponseWriter, r *http.Request) {
	name := chi.URLParam(r, "*")
	if unescaped, err := url.PathUnescape(name); err == nil {
		name = unescaped
	}
	s.RetrieveModel(w, r, name)
}

// retrieveModel describes a model under the name that the client has for it.
func (c *call) retrieveModel(name string) *problem.Problem {
	if p := c.askFor(name); p != nil {
		return p
	}
	if p := c.findModel(name); p != nil {
		if p.Code == problem.CodeModelNotFound {
			c.hintModel(p)
		}
		return p
	}
	model := describeModel(name)
	return c.writeJSON(func(dst []byte) ([]byte, error) { return openai.AppendModel(dst, &model) })
}

// findModel returns why there is no model of a name. What the upstream does not list it may have all the same.
func (c *call) findModel(name string) *problem.Problem {
	names, p := c.modelNames()
	if p != nil {
		return p
	}
	id := c.nameOf(name)
	for _, known := range names {
		if known == name || known == id {
			return nil
		}
	}
	if c.upstream.isVertexAI() { // which cannot be asked
		if models.IsGoogles(name) {
			return nil
		}
		return modelNotFound(name)
	}
	err := c.describedByUpstream(name)
	if p := problem.OfInbound(err); p != nil {
		return p
	}
	switch category := gemini.CategoryOf(err); {
	case err == nil:
		return nil
	case category.Retryable(), category == gemini.CategoryAuth:
		return c.failed(err)
	default: // of names that cannot be one, too
		return modelNotFound(name)
	}
}

// modelNotFound refuses a model that is not there, or not for the client, which is not told which.
func modelNotFound(name string) *problem.Problem {
	return &problem.Problem{
		Status: http.StatusNotFound, Type: problem.TypeInvalidRequest, Code: problem.CodeModelNotFound,
		Message: "there is no model " + name + ", or not for this key",
	}
}

// describeModel describes a model. Since when there is one is not known.
func describeModel(name string) openaiapi.Model {
	return openaiapi.Model{ID: name, Object: openaiapi.ObjectTypeModel, OwnedBy: "google"}
}

// writeJSON writes an answer that encode appends.
func (c *call) writeJSON(encode func(dst []byte) ([]byte, error)) *problem.Problem {
	buf := takeBuffer()
	defer buf.release()
	var err error
	if buf.data, err = encode(buf.data); err != nil {
		return c.failed(err)
	}
	c.writeWhole(http.StatusOK, buf.data)
	return nil
}
