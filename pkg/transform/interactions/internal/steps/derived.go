package steps

import (
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
)

// IsDerived reports whether package interactions made a step from the metadata of an answer. Such a
// step has {"extra_content":{"google":{"derived":true}}}, and Gemini's answer has no part for it.
func IsDerived(s *interactionsapi.Step) bool {
	if s.Unknown == nil {
		return false
	}
	google := objectOrNil(jsonx.Member(objectOrNil(jsonx.Member(s.Unknown, "extra_content")),
		"google"))
	return string(jsonx.Member(google, "derived")) == "true"
}
