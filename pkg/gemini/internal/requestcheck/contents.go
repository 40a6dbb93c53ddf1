package requestcheck

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/codec"
)

// The roles of a turn.
const (
	roleUser  = "user"
	roleModel = "model"
	// roleFunction and roleTool mark results of functions in older programs and in older Google
	// documents.
	roleFunction = "function"
	roleTool     = "tool"
)

// turns checks that each turn has a role and parts, and checks the order of the turns.
func (v *checker) turns(root *codec.Location, r *geminiapi.GenerateContentRequest) {
	list := root.Member("contents")
	if len(r.Contents) == 0 {
		v.report(&list, ruleRequired, "", "no content; a request needs at least one turn")
		return
	}
	at := list.Element(0)
	for i := range r.Contents {
		at.Index = i
		v.role(&at, textOf(r.Contents[i].Role))
		if len(r.Contents[i].Parts) == 0 {
			v.reportMember(&at, "parts", ruleRequired, "",
				"no part; a turn needs at least one, such as an empty text")
		}
	}
	v.conversation(&list, r)
	v.signatures(&list, r.Contents)
	v.trailingTurn(&list, r.Contents)
}

// role checks a role. An absent role is the user's.
func (v *checker) role(content *codec.Location, role string) {
	switch role {
	case "", roleUser, roleModel, roleFunction, roleTool:
	default:
		v.reportMember(content, "role", ruleOneOf, shortString(role),
			quote(role)+" is not a role; must be user or model")
	}
}

// checkPart allows at most one field of the union. A part may have no such field: a stream may end
// with a lone thought signature, and a part with only video settings was answered. Only an empty
// part is refused ("required oneof field 'data' must have one initialized field").
func (v *checker) checkPart(at *codec.Location, p *geminiapi.Part) {
	set := 0
	for i := range partUnion {
		if partUnion[i].isSet(p) {
			set++
		}
	}
	switch {
	case set > 1:
		v.report(at, ruleOneMember, "",
			"the part holds "+strings.Join(DataOf(p), " and ")+"; it must hold one of them")
	case set == 0 && p.IsEmpty():
		v.report(at, ruleOneMember, "",
			"the part holds no data; it must hold one of "+strings.Join(PartData(), ", "))
	}
}

// partUnion are the members of a part that exclude each other: data in the protocol buffer.
var partUnion = []struct {
	name  string
	isSet func(*geminiapi.Part) bool
}{
	{"text", func(p *geminiapi.Part) bool { return p.Text != nil }},
	{"inlineData", func(p *geminiapi.Part) bool { return p.InlineData != nil }},
	{"fileData", func(p *geminiapi.Part) bool { return p.FileData != nil }},
	{"functionCall", func(p *geminiapi.Part) bool { return p.FunctionCall != nil }},
	{"functionResponse", func(p *geminiapi.Part) bool { return p.FunctionResponse != nil }},
	{"executableCode", func(p *geminiapi.Part) bool { return p.ExecutableCode != nil }},
	{"codeExecutionResult", func(p *geminiapi.Part) bool { return p.CodeExecutionResult != nil }},
	{"toolCall", func(p *geminiapi.Part) bool { return p.ToolCall != nil }},
	{"toolResponse", func(p *geminiapi.Part) bool { return p.ToolResponse != nil }},
}

// DataOf names the union members that a part has.
func DataOf(p *geminiapi.Part) []string {
	var names []string
	for _, datum := range partUnion {
		if datum.isSet(p) {
			names = append(names, datum.name)
		}
	}
	return names
}

// PartData returns the names of all union members.
func PartData() []string {
	names := make([]string, len(partUnion))
	for i, datum := range partUnion {
		names[i] = datum.name
	}
	return names
}
