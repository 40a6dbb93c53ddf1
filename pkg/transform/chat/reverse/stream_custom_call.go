package reverse

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/go-json-experiment/json"
)

// memberCustom is the member of a piece with what it says of the call of a custom tool.
const memberCustom = "custom"

// functionOf returns what a piece says of a function. A custom tool takes a text, which is an argument of a function here, as in a
// whole answer.
func (s *Stream) functionOf(piece *openaiapi.ToolCallChunk, at string) (function openaiapi.FunctionCallChunk, isCustom bool) {
	function = jsonx.Deref(piece.Function)
	s.report.loseUnknown(at+"/function", function.Unknown)
	var custom openaiapi.CustomToolCall
	said := jsonx.Member(piece.Unknown, memberCustom)
	switch {
	case said == nil:
		return function, false
	case piece.Function != nil || json.Unmarshal(said, &custom) != nil:
		s.report.lose(at+"/"+memberCustom, true)
		return function, false
	}
	s.report.loseUnknown(at+"/"+memberCustom, custom.Unknown)
	s.report.add(report.Approximated, at+"/"+memberCustom+"/input", "an argument of that name")
	return openaiapi.FunctionCallChunk{Name: jsonx.NonEmpty(custom.Name), Arguments: jsonx.NonEmpty(custom.Input)}, true
}
