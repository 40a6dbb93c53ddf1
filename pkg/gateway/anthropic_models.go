package gateway

import (
	"net/http"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/gateway/internal/problem"
	"github.com/gemwire/gemwire/pkg/gateway/internal/turn/message"
)

// anthropicModelsForm lists the models for Anthropic's clients.
var anthropicModelsForm = anthropicOperation("models")

// ListModels lists a page of the models that the client may use.
func (s anthropicServer) ListModels(w http.ResponseWriter, r *http.Request, params anthropicapi.ListModelsParams) {
	s.serve(w, r, &anthropicModelsForm, func(c *call) *problem.Problem {
		page, p := modelPageOf(params)
		if p != nil {
			return p
		}
		names, p := c.modelNames()
		if p != nil {
			return p
		}
		names = slices.DeleteFunc(names, func(name string) bool { return c.permitModel(name) != nil })
		if strings.HasPrefix(r.UserAgent(), message.ClaudeCode) {
			names = append(names, message.NamesForClaudeCode(names)...)
		}
		list := page.of(names)
		return c.writeJSON(func(dst []byte) ([]byte, error) { return anthropic.AppendModels(dst, list) })
	})
}

// RetrieveModel describes a model.
func (s anthropicServer) RetrieveModel(w http.ResponseWriter, r *http.Request, name string, _ anthropicapi.RetrieveModelParams) {
	s.serve(w, r, &anthropicModelsForm, func(c *call) *problem.Problem {
		c.end.Model = message.ModelOf(name)
		if p := c.permitModel(c.end.Model); p != nil {
			return p
		}
		if p := c.findModel(c.end.Model); p != nil {
			return p
		}
		model := describeModelForAnthropic(name)
		return c.writeJSON(func(dst []byte) ([]byte, error) { return anthropic.AppendModel(dst, &model) })
	})
}

// modelPage is a page of a list of models.
type modelPage struct {
	limit         int
	after, before string
}

// The limits of a page, of which Anthropic's clients know.
const (
	defaultModelPage = 20
	largestModelPage = 1000
)

func modelPageOf(params anthropicapi.ListModelsParams) (modelPage, *problem.Problem) {
	page := modelPage{limit: defaultModelPage}
	if params.Limit != nil {
		page.limit = *params.Limit
	}
	if page.limit < 1 || page.limit > largestModelPage {
		return page, problem.Invalid("", "/limit", "limit: must be between 1 and 1000")
	}
	if params.AfterID != nil {
		page.after = *params.AfterID
	}
	if params.BeforeID != nil {
		page.before = *params.BeforeID
	}
	return page, nil
}

// of returns the page of a list. Of an id that is not in it nothing is behind, and nothing before.
func (p modelPage) of(names []string) *anthropicapi.ListModelsResponse {
	out := &anthropicapi.ListModelsResponse{Data: []anthropicapi.Model{}}
	if i := slices.Index(names, p.after); p.after != "" {
		names = behind(names, i)
	}
	if i := slices.Index(names, p.before); p.before != "" {
		names = names[:max(i, 0)]
		if begin := len(names) - p.limit; begin > 0 {
			names, out.HasMore = names[begin:], true
		}
	}
	if len(names) > p.limit {
		names, out.HasMore = names[:p.limit], true
	}
	for _, name := range names {
		out.Data = append(out.Data, describeModelForAnthropic(name))
	}
	if len(names) > 0 {
		out.FirstID, out.LastID = &names[0], &names[len(names)-1]
	}
	return out
}

// behind returns what is behind an element, nothing for -1.
func behind(names []string, i int) []string {
	if i < 0 {
		return nil
	}
	return names[i+1:]
}

// describeModelForAnthropic describes a model. Since when there is one is not known, for which Anthropic has the year 1970.
func describeModelForAnthropic(name string) anthropicapi.Model {
	description := "Gemini, by this gateway"
	return anthropicapi.Model{
		Type: "model", ID: name, DisplayName: message.DisplayName(name), CreatedAt: "1970-01-01T00:00:00Z", Description: &description,
	}
}
