package requestcheck

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/wire"
)

// The roles of a turn.
const (
	roleUser  = "user"
	roleModel = "model"
	// roleFunction marks results of functions in older programs. The Gemini API still takes it.
	roleFunction = "function"
)

// turns checks the roles of the turns, and how the turns follow each other.
func (v *checker) turns(root *wire.Location, r *geminiapi.GenerateContentRequest) {
	list := root.Member("contents")
	if len(r.Contents) == 0 {
		v.report(&list, ruleRequired, "", "there is no content; a request needs at least one turn")
		return
	}
	at := list.Element(0)
	for i := range r.Contents {
		at.Index = i
		v.role(&at, textOf(r.Contents[i].Role))
	}
	endsInCalls := v.conversation(&list, r)
	v.signatures(&list, r.Contents)
	v.trailingTurn(&list, r.Contents, endsInCalls)
}

// role: an absent one is that of the user.
func (v *checker) role(content *wire.Location, role string) {
	switch {
	case role == "", role == roleUser, role == roleModel:
	case role == roleFunction && v.backend != VertexAI:
	default:
		v.reportMember(content, "role", ruleOneOf, shortString(role), quote(role)+" is no role; must be user or model")
	}
}

// checkContent: a turn without parts is refused by both backends.
func (v *checker) checkContent(at *wire.Location, c *geminiapi.Content) {
	if len(c.Parts) == 0 {
		v.reportMember(at, "parts", ruleRequired, "", "there is no part; a turn needs at least one, if only an empty text")
	}
}

// systemInstruction may have any role, but holds text alone.
func (v *checker) systemInstruction(root *wire.Location, c *geminiapi.Content) {
	if c == nil {
		return
	}
	at := root.Member("systemInstruction")
	list := at.Member("parts")
	part := list.Element(0)
	for i := range c.Parts {
		part.Index = i
		if kinds := dataOf(&c.Parts[i]); len(kinds) > 0 && kinds[0] != "text" {
			v.reportMember(&part, kinds[0], ruleTextOnly, "", "a system instruction holds text alone")
		}
	}
}

// checkPart: one field of the union, no more and no less. A lone thought signature is what a stream may
// end with; both backends take it back as it came.
func (v *checker) checkPart(at *wire.Location, p *geminiapi.Part) {
	set := 0
	for i := range partUnion {
		if partUnion[i].isSet(p) {
			set++
		}
	}
	switch {
	case set > 1:
		v.report(at, ruleOneMember, "", "the part holds "+strings.Join(dataOf(p), " and ")+"; it must hold one of them")
	case set == 0 && len(p.Unknown) > 0 && v.isReturned(at): // data of a kind that no description knows
	case set == 0 && p.AudioTranscription == nil && textOf(p.ThoughtSignature) == "":
		v.report(at, ruleOneMember, "", "the part holds no data; it must hold one of "+strings.Join(partUnionNames(), ", "))
	}
}

// partUnion are the members of a part that exclude each other, the data of the protocol buffer.
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

// dataOf names the members of the union that a part holds.
func dataOf(p *geminiapi.Part) []string {
	var names []string
	for _, datum := range partUnion {
		if datum.isSet(p) {
			names = append(names, datum.name)
		}
	}
	return names
}

func partUnionNames() []string {
	names := make([]string, len(partUnion))
	for i, datum := range partUnion {
		names[i] = datum.name
	}
	return names
}
