package merge

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
)

// The members of a response that say which one it is.
const (
	memberResponseID   = "/responseId"
	memberModelVersion = "/modelVersion"
	memberCreateTime   = "/createTime"
)

// identity is where the members stand that say which response it is. Nearly every chunk repeats
// them.
type identity struct{ id, model, created repeatedText }

// repeatedText is where a text stands that chunks repeat. Of several texts it is the first.
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
