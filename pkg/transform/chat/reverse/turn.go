package reverse

import (
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/internal/layout"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// memberContent is among the unknown members if it is a list.
const memberContent = "content"

// turn collects the parts of a message.
type turn struct {
	*options
	report *reporter
	at     string                       // the pointer of the message
	google openaiapi.GoogleExtraContent // of the message; used members are removed
	parts  []geminiapi.Part
	// refused is true if the message has a refusal. malformed names a malformed call.
	refused   bool
	malformed string
}

// message adds the parts of a message: the parts of its layout, else thoughts, text, refusal, media
// and calls, in this order. A refusal that only says that the prompt was refused is not a part.
func (t *turn) message(m *openaiapi.ResponseMessage, isBlocked bool) {
	if isBlocked && m.Refusal != nil {
		t.report.add(report.Approximated, t.at+"/refusal",
			"omitted, because it only repeats that the prompt was refused")
		m = new(*m)
		m.Refusal = nil
	}
	if t.restore(m) {
		return
	}
	thoughts := thoughtsIn(m.ReasoningContent, m.Unknown, t.report, t.at)
	t.think(thoughts.Text(), thoughts.Member())
	t.contents(m.Content, m.Unknown)
	t.signText()
	t.refuse(m.Refusal)
	for i := range m.Images {
		t.image(&m.Images[i], t.at+"/images/"+strconv.Itoa(i))
	}
	t.speak(m.Audio)
	for i := range m.ToolCalls {
		t.call(&m.ToolCalls[i], geminiapi.Part{}, t.at+"/tool_calls/"+strconv.Itoa(i))
	}
	t.functionCall(m.FunctionCall)
	t.sign(&thoughts)
}

// think adds the thoughts of a member. The pointer of the member is relative to the message.
func (t *turn) think(thoughts, member string) {
	switch {
	case thoughts == "":
	case t.noThoughts:
		t.report.add(report.Lost, t.at+member, "thoughts were not requested")
	default:
		t.parts = append(t.parts, geminiapi.Part{Text: &thoughts, Thought: new(true)})
	}
}

// contents adds the text of a message, or the texts in a list of parts.
func (t *turn) contents(text *string, unknown jsontext.Value) {
	if text != nil {
		t.say(unwrap(*text, t.wrapped))
		return
	}
	content := jsonx.Member(unknown, memberContent)
	// The server answers with the object itself.
	if content.Kind() == jsontext.KindBeginObject {
		t.say(string(content))
		return
	}
	for i, element := range jsonx.Elements(content) {
		t.contentPart(element, t.at+"/content/"+strconv.Itoa(i))
	}
}

func (t *turn) say(text string) {
	if text != "" {
		t.parts = append(t.parts, geminiapi.Part{Text: &text})
	}
}

// unwrap returns the value of an object's member. If the text is not such an object, it returns the
// text.
func unwrap(text, member string) string {
	if member == "" {
		return text
	}
	var value string
	if json.Unmarshal(jsonx.Member(jsontext.Value(text), member), &value) != nil {
		return text
	}
	return value
}

// signText assigns the signature of the message to its text. Without a text the signature is a part
// of its own, as in Gemini's answers.
func (t *turn) signText() {
	signature := t.google.ThoughtSignature
	t.google.ThoughtSignature = nil
	if signature == nil {
		return
	}
	last := lastText(t.parts)
	if checksum := t.google.Checksum; checksum != nil {
		t.google.Checksum = nil
		if layout.IsChanged(jsonx.Deref(textOf(last)), checksum) {
			t.report.add(report.Lost, t.at+"/extra_content/google/thought_signature",
				layout.DetailChanged)
			return
		}
	}
	if last == nil {
		t.parts = append(t.parts, geminiapi.Part{Text: new(""), ThoughtSignature: signature})
		return
	}
	last.ThoughtSignature = signature
}

func textOf(p *geminiapi.Part) *string {
	if p == nil {
		return nil
	}
	return p.Text
}

// lastText returns the last text that is not a thought, or nil.
func lastText(parts []geminiapi.Part) *geminiapi.Part {
	for i := len(parts) - 1; i >= 0; i-- {
		if parts[i].Text != nil && !jsonx.Deref(parts[i].Thought) {
			return &parts[i]
		}
	}
	return nil
}

// refuse adds a refusal. In Gemini's answers it is a text.
func (t *turn) refuse(refusal *string) {
	if jsonx.Deref(refusal) != "" {
		t.refused = true
		t.report.add(report.Approximated, t.at+"/refusal", "converted to a text of the answer")
		t.say(*refusal)
	}
}

// text returns the answer's text without thoughts. Positions refer to it.
func (t *turn) text() string { return textIn(t.parts) }

// textIn returns the joined text of some parts.
func textIn(parts []geminiapi.Part) string {
	var out strings.Builder
	writeText(&out, parts)
	return out.String()
}

func writeText(out *strings.Builder, parts []geminiapi.Part) {
	for i := range parts {
		if p := &parts[i]; p.Text != nil && !jsonx.Deref(p.Thought) {
			out.WriteString(*p.Text)
		}
	}
}
