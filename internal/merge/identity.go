package merge

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
)

// The members that identify a response.
const (
	memberResponseID   = "/responseId"
	memberModelVersion = "/modelVersion"
	memberCreateTime   = "/createTime"
)

// identity has the locations of the members that identify the response. Nearly every chunk repeats
// them.
type identity struct{ id, model, created repeatedText }

// repeatedText has the locations of a text that chunks repeat. If the chunks have several texts, it
// is the first.
type repeatedText struct {
	text      string
	locations Locations
}

func (i *identity) add(chunk *geminiapi.GenerateContentResponse, at Location) {
	i.id.add(chunk.ResponseID, at)
	i.model.add(chunk.ModelVersion, at)
	i.created.add(chunk.CreateTime, at)
}

func (r *repeatedText) add(member *string, at Location) {
	text := jsonx.Deref(member)
	if text == "" || r.text != "" && text != r.text {
		return
	}
	r.text = text
	r.locations.Add(at)
}
