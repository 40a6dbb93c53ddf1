package interactions

import (
	"cmp"
	"encoding/base64"
	"time"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
)

// objectName is the member object of each interaction.
const objectName = "interaction"

// idPrefix begins the ids of Google's interactions.
const idPrefix = "v1_"

// madeID returns an id in the form of Google's: a protocol buffer with the id of the first response
// of a conversation as field 1, and the id of this response as field 2.
func madeID(responseID string) string {
	if responseID == "" {
		return ""
	}
	var message []byte
	for _, tag := range []byte{0x0a, 0x12} { // fields 1 and 2, with a length
		message = append(message, tag)
		for n := len(responseID); ; n >>= 7 {
			if n < 0x80 {
				message = append(message, byte(n))
				break
			}
			message = append(message, byte(n)|0x80)
		}
		message = append(message, responseID...)
	}
	return idPrefix + base64.RawURLEncoding.EncodeToString(message)
}

// identity is what an interaction says about itself before its steps.
type identity struct {
	id, model, created *string
	agent              *interactionsapi.AgentName
}

// identify returns the identity of an interaction, and the report entries about that of the
// response. kept is the interaction in the extension of the answer, or nil.
func (o *options) identify(responseID, version string,
	kept *interactionsapi.Interaction) (out identity, entries report.Report) {
	id := o.id
	if kept != nil {
		id = cmp.Or(id, jsonx.Deref(kept.ID))
	}
	if id == "" && responseID != "" {
		id = madeID(responseID)
		entries.Add(report.Added, "/responseId", "an id of the interaction that has the id of the response")
	} else if o.plain && responseID != "" {
		entries.Add(report.Lost, "/responseId", detailOtherID)
	}
	out.id = jsonx.NonEmpty(id)
	out.agent = o.agent
	if kept != nil && kept.Agent != nil {
		out.agent = kept.Agent
	}
	if model := cmp.Or(o.model, version); model != "" && (out.agent == nil || o.model != "") {
		out.model = &model
	}
	if o.plain && version != "" && version != jsonx.Deref(out.model) {
		entries.Add(report.Approximated, "/modelVersion", detailOtherModel)
	}
	return out, entries
}

const (
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
		return &createTime, entries
	default:
		return nil, nil
	}
}
