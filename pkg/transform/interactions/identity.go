package interactions

import (
	"cmp"
	"strings"
	"time"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	wire "github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/report"
)

// objectName is the member object of each interaction.
const objectName = "interaction"

// idPrefix begins the ids of Google's interactions.
const idPrefix = "v1_"

// identity is what an interaction says about itself before its steps.
type identity struct {
	id, model *string
	agent     *interactionsapi.AgentName
	madeOf    string // the id of the response that the id was made of
}

// identify returns the identity of an interaction, and the report entries about that of the
// response. kept is the interaction in the extension of the answer, or nil.
func (o *options) identify(responseID, version string,
	kept *interactionsapi.Interaction) (out identity, entries report.Report) {
	id, entries := o.identifyBy(responseID, kept, &out)
	texts := &struct{ id, model string }{id: id} // one allocation
	if id != "" {
		out.id = &texts.id
	}
	out.agent = o.agent
	if kept != nil && kept.Agent != nil {
		out.agent = kept.Agent
	}
	if model := cmp.Or(o.model, version); model != "" && !isAgent(model, out.agent) {
		texts.model = model
		out.model = &texts.model
	}
	if o.plain && version != "" && version != jsonx.Deref(out.model) &&
		!isAgent(version, out.agent) {
		entries.Add(report.Approximated, "/modelVersion", detailOtherModel)
	}
	return out, entries
}

// identifyBy returns the id of an interaction, and the report entries about the id of the response.
func (o *options) identifyBy(responseID string, kept *interactionsapi.Interaction,
	out *identity) (id string, entries report.Report) {
	if o.withoutID {
		if o.plain && responseID != "" {
			entries.Add(report.Lost, "/responseId", detailNoID)
		}
		return "", entries
	}
	id = o.id
	if kept != nil {
		id = cmp.Or(id, jsonx.Deref(kept.ID))
	}
	if id == "" && strings.HasPrefix(responseID, idPrefix) {
		id = responseID // of an interaction, whose id has no id of a response
	}
	if id == "" && responseID != "" {
		id, out.madeOf = wire.NewID(responseID, responseID), responseID
		entries.Add(report.Added, "/responseId",
			"an id of the interaction that has the id of the response")
	} else if o.plain && responseID != "" && !hasResponseID(id, responseID) {
		entries.Add(report.Lost, "/responseId", detailOtherID)
	}
	return id, entries
}

// isAgent reports whether a name is that of the agent, which Gemini's answer has as its model.
func isAgent(name string, agent *interactionsapi.AgentName) bool {
	return agent != nil && name == string(*agent)
}

const (
	detailNoID       = "an interaction that is not stored has no id"
	detailOtherID    = "the interaction has another id"
	detailOtherModel = "replaced by the name of the request"
)

// time returns when the interaction was created, and the report entries about it.
func (o *options) time(createTime string) (created *string, entries report.Report) {
	const pointer = "/createTime"
	switch {
	case o.created != nil:
		if o.plain && createTime != "" {
			entries.Add(report.Lost, pointer, "another time was set")
		}
		return new(o.created.UTC().Format(time.RFC3339)), entries
	case createTime != "":
		return new(createTime), entries
	default:
		return nil, nil
	}
}
