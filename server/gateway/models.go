package gateway

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/anthropicserver"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/server/gateway/internal/modellist"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/turn/message"
	"github.com/gemwire/gemwire/server/gateway/internal/upstream"
	"github.com/go-chi/chi/v5"
)

// modelsForm lists the models.
var modelsForm = openAIOperation("models")

// ListModels lists the models that the client may use: first the configured names, then the
// upstream's models. Clients request this list before anything else (any-llm#935).
func (s openAIServer) ListModels(w http.ResponseWriter, r *http.Request) {
	if isFromAnthropicsClient(r) { // who has another list in the same place
		parsed := anthropicserver.ServerInterfaceWrapper{Handler: anthropicServer{setup: s.setup},
			ErrorHandlerFunc: s.refuseParameter}
		parsed.ListModels(w, r)
		return
	}
	s.serve(w, r, &modelsForm, func(c *call) *problem.Problem {
		names, p := c.modelNames()
		if p != nil {
			return p
		}
		names = slices.DeleteFunc(names,
			func(name string) bool { return c.permitModel(name) != nil })
		return c.writeTagged(func(dst []byte) ([]byte, error) { return c.appendModels(dst, names) })
	})
}

// RetrieveModel returns the metadata of a model.
func (s openAIServer) RetrieveModel(w http.ResponseWriter, r *http.Request, name string) {
	if isFromAnthropicsClient(r) {
		anthropicServer{setup: s.setup}.RetrieveModel(w, r, name,
			anthropicapi.RetrieveModelParams{})
		return
	}
	s.serve(w, r, &modelsForm, func(c *call) *problem.Problem { return c.retrieveModel(name) })
}

// retrieveLongName returns the metadata of a model whose name has slashes, such as
// "tunedModels/mine". The path in the API description does not match such names.
func (s openAIServer) retrieveLongName(w http.ResponseWriter, r *http.Request) {
	name := chi.URLParam(r, "*")
	if unescaped, err := url.PathUnescape(name); err == nil {
		name = unescaped
	}
	s.RetrieveModel(w, r, name)
}

// retrieveModel returns the metadata of a model under the name that the client uses.
func (c *call) retrieveModel(name string) *problem.Problem {
	if p := c.askFor(name); p != nil {
		return p
	}
	if p := c.findModelOrHint(name); p != nil {
		return p
	}
	model := describeModel(name)
	return c.writeJSON(func(dst []byte) ([]byte, error) { return openai.AppendModel(dst, &model) })
}

// findModelOrHint returns a problem with a hint if a model does not exist.
func (c *call) findModelOrHint(name string) *problem.Problem {
	p := c.findModel(name)
	if p != nil && p.Code == problem.CodeModelNotFound {
		c.hintModel(p)
	}
	return p
}

// findModel returns a problem if a model does not exist. The upstream may have models that it does
// not list.
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

// modelNotFound refuses a model that does not exist or that the client may not use. The message
// does not say which.
func modelNotFound(name string) *problem.Problem {
	return &problem.Problem{
		Status: http.StatusNotFound, Type: problem.TypeInvalidRequest,
		Code:    problem.CodeModelNotFound,
		Message: "unknown model " + name + ", or this key may not use it",
	}
}

// describeModel returns the metadata of a model. Its creation time is unknown.
func describeModel(name string) openaiapi.Model {
	return openaiapi.Model{ID: name, Object: openaiapi.ObjectTypeModel, OwnedBy: "google"}
}

// writeJSON writes the answer that encode appends.
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

// listingTime is how long a client waits for the upstream's list of models, if the gateway has none
// yet. Claude Code gives up after 3 seconds.
const listingTime = 1500 * time.Millisecond

// describingTime is the time limit of one call for the description of a model.
const describingTime = 10 * time.Second

// modelNames returns the model names that clients may use: the configured names and the upstream's
// models. If the upstream is slow, the table of models replaces its list. If the upstream fails, it
// still returns the configured names.
func (c *call) modelNames() ([]string, *problem.Problem) {
	names, err := c.namesOfModels(listingTime)
	if errors.Is(err, modellist.ErrLate) && c.request.Context().Err() == nil {
		names = append(names, c.tabledNames(names)...)
		if len(names) > 0 {
			return names, nil
		}
	}
	if err != nil && !errors.Is(err, errors.ErrUnsupported) && len(c.givenNames()) == 0 {
		return nil, c.ofCall(err)
	}
	return names, nil
}

// namesOfModels returns the names that are known within the time limit, with the upstream's error.
func (c *call) namesOfModels(within time.Duration) ([]string, error) {
	names := c.givenNames()
	listed, err := c.listedModels(within)
	c.listed = make(map[string]modellist.Listed, len(listed))
	for _, model := range listed {
		if !slices.Contains(names, model.Name) {
			names = append(names, model.Name)
		}
		c.listed[model.Name] = model
	}
	if err != nil {
		return names, err
	}
	for _, name := range c.bridgedNames() {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, nil
}

// limitsOfModel returns the limits of the model that a name of Anthropic's clients stands for. The
// limits come from the upstream's list, or else from the table of models.
func (c *call) limitsOfModel(name string) models.Limits {
	asked, p := c.route(message.ModelOf(name))
	if p != nil {
		return models.Limits{}
	}
	return c.listed[asked[0]].Limits.Or(c.modelAt(asked[0]).Limits)
}

// modelAt returns what is known now about a model at the upstream's service.
func (c *call) modelAt(name string) *models.Model {
	return c.facts.At(name, c.modelService(), c.modelTime())
}

// modelService returns the upstream's service.
func (s *settings) modelService() models.Backends {
	if s.upstream.isVertexAI() {
		return models.VertexAI
	}
	return models.GeminiAPI
}

// targetOf returns the target of a request to a model.
func (c *call) targetOf(model string) transform.Target {
	return transform.Target{Model: model, ForVertexAI: c.upstream.isVertexAI(), Time: c.modelTime()}
}

// givenNames returns the configured names: sorted aliases first, then sorted models.
func (s *settings) givenNames() []string {
	names := s.aliases.names()
	var others []string
	if _, isAlias := s.aliases.find(s.defaultModel); !isAlias {
		others = append(others, s.defaultModel)
	}
	others = slices.AppendSeq(others, maps.Keys(s.models))
	for name, fallbacks := range s.fallbacks {
		others = append(append(others, name), fallbacks...)
	}
	slices.Sort(others)
	others = slices.DeleteFunc(slices.Compact(others), func(name string) bool { return name == "" })
	return append(names, others...)
}

// describedByUpstream asks the upstream for one model. It returns the error if the upstream does
// not describe the model.
func (c *call) describedByUpstream(name string) error {
	ctx, cancel := context.WithTimeout(c.request.Context(), describingTime)
	defer cancel()
	return c.runOnUpstream(ctx, func(client *gemini.Client) error {
		_, err := client.Models.Get(ctx, name)
		return err
	})
}

// runOnUpstream makes a call that is not for a model, with an account that is available.
func (c *call) runOnUpstream(ctx context.Context, try func(*gemini.Client) error) error {
	own, p := c.ownAccount()
	if p != nil {
		return p
	}
	return c.pool.Run(ctx, &upstream.Call{
		Models: []string{""}, Method: "models", Attempts: c.maxAttempts(), Only: own,
		OnAttempt: c.onAttempt(), RequestID: c.id,
		Try: func(t *upstream.Try) error { return try(t.Account.Client) },
	})
}
