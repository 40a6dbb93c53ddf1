package modellist

import (
	"slices"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/turn/message"
)

// Page is a page of a list of models in the form of Anthropic's API.
type Page struct {
	limit         int
	after, before string
}

// Page sizes that Anthropic's clients expect.
const (
	defaultPage = 20
	largestPage = 1000
)

// PageOf returns the page that a client requests.
func PageOf(params anthropicapi.ListModelsParams) (Page, *problem.Problem) {
	page := Page{limit: defaultPage}
	if params.Limit != nil {
		page.limit = *params.Limit
	}
	if page.limit < 1 || page.limit > largestPage {
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

// Of returns the page of a list, with the limits of each model. If an id is not in the list, the
// page before or after it is empty.
func (p Page) Of(names []string,
	limits func(name string) models.Limits) *anthropicapi.ListModelsResponse {
	out := &anthropicapi.ListModelsResponse{Data: []anthropicapi.Model{}}
	if i := slices.Index(names, p.after); p.after != "" {
		names = following(names, i)
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
		out.Data = append(out.Data, Describe(name, limits(name)))
	}
	if len(names) > 0 {
		out.FirstID, out.LastID = &names[0], &names[len(names)-1]
	}
	return out
}

// following returns the elements after an index, or none for -1.
func following(names []string, i int) []string {
	if i < 0 {
		return nil
	}
	return names[i+1:]
}

// Describe returns a model in the form of Anthropic's API. The creation time is unknown, for which
// Anthropic uses the year 1970. Unknown limits are omitted.
func Describe(name string, limits models.Limits) anthropicapi.Model {
	description := "Gemini, through this gateway"
	out := anthropicapi.Model{
		Type: "model", ID: name, DisplayName: message.DisplayName(name),
		CreatedAt: "1970-01-01T00:00:00Z", Description: &description,
	}
	if limits.Input > 0 {
		out.MaxInputTokens = wiretype.Present(limits.Input)
	}
	if limits.Output > 0 {
		out.MaxTokens = wiretype.Present(limits.Output)
	}
	return out
}
