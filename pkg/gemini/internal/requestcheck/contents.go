package requestcheck

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
)

// The roles of a turn.
const (
	roleUser  = "user"
	roleModel = "model"
	// roleFunction marks results of functions in older programs. The Gemini API still takes it.
	roleFunction = "function"
)

func (v *checker) contents(root *location, r *geminiapi.GenerateContentRequest) {
	list := root.member("contents")
	if len(r.Contents) == 0 {
		v.report(&list, ruleRequired, "", "there is no content; a request needs at least one turn")
		return
	}
	at := list.element(0)
	for i := range r.Contents {
		at.index = i
		v.role(&at, textOf(r.Contents[i].Role))
		v.content(&at, &r.Contents[i])
	}
	endsInCalls := v.conversation(&list, r)
	v.signatures(&list, r.Contents)
	v.trailingTurn(&list, r.Contents, endsInCalls)
}

// role: an absent one is that of the user.
func (v *checker) role(content *location, role string) {
	switch {
	case role == "", role == roleUser, role == roleModel:
	case role == roleFunction && v.backend != VertexAI:
	default:
		v.reportMember(content, "role", ruleOneOf, shortString(role), quote(role)+" is no role; must be user or model")
	}
}

// content checks a turn's parts. A turn without any is refused by both backends.
func (v *checker) content(at *location, c *geminiapi.Content) {
	list := at.member("parts")
	if len(c.Parts) == 0 {
		v.report(&list, ruleRequired, "", "there is no part; a turn needs at least one, if only an empty text")
	}
	part := list.element(0)
	for i := range c.Parts {
		part.index = i
		v.part(&part, &c.Parts[i])
	}
	v.unknown(at, c.Unknown)
}

// systemInstruction may have any role, but holds text alone.
func (v *checker) systemInstruction(root *location, c *geminiapi.Content) {
	if c == nil {
		return
	}
	at := root.member("systemInstruction")
	v.content(&at, c)
	list := at.member("parts")
	part := list.element(0)
	for i := range c.Parts {
		part.index = i
		if kinds := dataOf(&c.Parts[i]); len(kinds) > 0 && kinds[0] != "text" {
			v.reportMember(&part, kinds[0], ruleTextOnly, "", "a system instruction holds text alone")
		}
	}
}

func (v *checker) part(at *location, p *geminiapi.Part) {
	v.partData(at, p)
	v.blob(at, p.InlineData)
	v.fileData(at, p.FileData)
	v.functionCall(at, p.FunctionCall)
	v.functionResponse(at, p.FunctionResponse)
	v.serverSideTools(at, p)
	v.code(at, p)
	v.partSettings(at, p)
	checkExclusive(v, at, p, partExclusives)
	v.unknown(at, p.Unknown)
}

// partData: one field of the union, no more and no less. A lone thought signature is what a stream may
// end with; both backends take it back as it came.
func (v *checker) partData(at *location, p *geminiapi.Part) {
	set := 0
	for i := range partUnion {
		if partUnion[i].isSet(p) {
			set++
		}
	}
	switch {
	case set > 1:
		v.report(at, ruleOneMember, "", "the part holds "+strings.Join(dataOf(p), " and ")+"; it must hold one of them")
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

// code checks what server-run code leaves in a turn.
func (v *checker) code(part *location, p *geminiapi.Part) {
	if c := p.ExecutableCode; c != nil {
		at := part.member("executableCode")
		checkEnum(v, &at, "language", c.Language)
		v.unknown(&at, c.Unknown)
	}
	if c := p.CodeExecutionResult; c != nil {
		at := part.member("codeExecutionResult")
		checkEnum(v, &at, "outcome", c.Outcome)
		v.unknown(&at, c.Unknown)
	}
}

// serverSideTools checks the calls of server-run tools and what came of them.
func (v *checker) serverSideTools(part *location, p *geminiapi.Part) {
	if c := p.ToolCall; c != nil {
		at := part.member("toolCall")
		v.object(&at, "args", c.Args)
		checkEnum(v, &at, "toolType", c.ToolType)
		checkExclusive(v, &at, c, toolCallExclusives)
		v.unknown(&at, c.Unknown)
	}
	if c := p.ToolResponse; c != nil {
		at := part.member("toolResponse")
		v.object(&at, "response", c.Response)
		checkEnum(v, &at, "toolType", c.ToolType)
		v.unknown(&at, c.Unknown)
	}
}

// partSettings checks what a part says about its data.
func (v *checker) partSettings(part *location, p *geminiapi.Part) {
	v.videoMetadata(part, p)
	v.partMediaResolution(part, p.MediaResolution)
	v.object(part, "partMetadata", p.PartMetadata)
	checkEnum(v, part, "mediaProcessing", p.MediaProcessing)
	if s := p.SpeechMetadata; s != nil {
		v.leaf(part, "speechMetadata", s.Unknown)
	}
	if p.AudioTranscription == nil {
		return
	}
	at := part.member("audioTranscription")
	v.unknown(&at, p.AudioTranscription.Unknown)
	v.duration(&at, "startOffset", p.AudioTranscription.StartOffset)
	v.duration(&at, "endOffset", p.AudioTranscription.EndOffset)
	words := at.member("words")
	word := words.element(0)
	for i := range p.AudioTranscription.Words {
		word.index = i
		v.duration(&word, "startOffset", p.AudioTranscription.Words[i].StartOffset)
		v.duration(&word, "endOffset", p.AudioTranscription.Words[i].EndOffset)
		v.unknown(&word, p.AudioTranscription.Words[i].Unknown)
	}
}
