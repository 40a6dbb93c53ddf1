package request

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/openai/request/internal/mediapart"
)

// setMessages converts the messages into contents and the system instruction.
func (c *converter) setMessages() error {
	b := conversation{converter: c, turns: make([]turn, 0, len(c.in.Messages)), awaiting: -1}
	b.media = mediapart.Converter{VertexAI: c.vertex, PartResolution: c.traits.PartMediaResolution}
	for i := range c.in.Messages {
		if err := b.message(&c.in.Messages[i], i); err != nil {
			return err
		}
	}
	if err := b.end(); err != nil {
		return err
	}
	b.sign()
	b.setMediaResolution()
	c.out.Contents = b.contents()
	c.messages = b.firstMessages()
	if len(b.system) > 0 {
		c.out.SystemInstruction = &geminiapi.Content{Parts: b.system}
	}
	return nil
}

// conversation collects what the messages say.
type conversation struct {
	*converter
	system []geminiapi.Part
	// lastInstructions is how many parts of the system stand behind the last turn.
	lastInstructions int
	turns            []turn
	// awaiting is the index of the last turn with calls, behind which their results go; -1 before there
	// is one.
	awaiting int
	media    mediapart.Converter
	empty    bool // A message without content was left out.
	// noExtension is that of a message without one.
	noExtension openaiapi.GoogleExtraContent
}

// message converts the message at a position of the list.
func (b *conversation) message(m *openaiapi.ChatMessage, at int) error {
	b.loseMessageMembers(m, at)
	switch m.Role {
	case openaiapi.RoleSystem, openaiapi.RoleDeveloper:
		return b.instruct(m, at)
	case openaiapi.RoleUser:
		return b.ask(m, at)
	case openaiapi.RoleAssistant:
		return b.answer(m, at)
	case openaiapi.RoleTool, openaiapi.RoleFunction:
		return b.result(m, at)
	default:
		return &Error{Pointer: location{message: at}.pointer("/role"), Problem: "must be system, developer, user, assistant, tool or function"}
	}
}

// instruct adds a message of the system to the one instruction that Gemini knows.
func (b *conversation) instruct(m *openaiapi.ChatMessage, at int) error {
	b.extension(m.ExtraContent, location{message: at}, inMessage)
	texts, err := b.content(m, at)
	switch {
	case err != nil:
		return err
	case len(texts) == 0:
		b.reportEmpty(at)
	case len(b.turns) > 0:
		b.report.Add(transform.Approximated, location{message: at}.pointer(""), "Gemini hears all instructions before the conversation")
	}
	b.system = append(b.system, texts...)
	b.lastInstructions += len(texts)
	return nil
}

// setMediaResolution sets the resolution for all media of a request whose parts ask for one, unless that has one.
func (b *conversation) setMediaResolution() {
	var report transform.Report
	b.config().MediaResolution, report = b.media.Resolution(b.config().MediaResolution)
	b.report = append(b.report, report...)
}

func (b *conversation) ask(m *openaiapi.ChatMessage, at int) error {
	b.extension(m.ExtraContent, location{message: at}, inMessage)
	parts, err := b.content(m, at)
	if err != nil {
		return err
	}
	if last := b.last(); isEmpty(m) && at == len(b.in.Messages)-1 && (last == nil || last.role == modelRole) {
		parts = emptyText() // which the model is to answer
	}
	return b.add(turn{role: userRole, parts: parts, message: at})
}

// emptyText returns the parts of a turn that says nothing, which Gemini has been seen to answer.
func emptyText() []geminiapi.Part { return []geminiapi.Part{{Text: new("")}} }

const detailEmpty = "empty, and left out"

// reportEmpty reports a message without anything that could be a part of a turn. Some models and versions of the API
// refuse an empty text (github.com/langchain-ai/langchainjs/issues/9922), so that it is sent only in place of
// nothing at all.
func (b *conversation) reportEmpty(at int) {
	b.report.Add(transform.Approximated, location{message: at}.pointer(""), detailEmpty)
	b.empty = b.empty || isEmpty(&b.in.Messages[at])
}

// isEmpty reports whether the content of a message has nothing but empty texts.
func isEmpty(m *openaiapi.ChatMessage) bool {
	text, ok := plainText(m)
	return ok && text == ""
}

// location is a message, or an element of one of its lists, as the beginning of a JSON pointer. It becomes a
// pointer only when there is something to say about it.
type location struct {
	message int
	list    string // a member, or several with slashes between them; "" for the message itself
	item    int
}

// pointer returns the JSON pointer, with the rest behind it.
func (p location) pointer(rest string) string {
	out := "/messages/" + strconv.Itoa(p.message)
	if p.list != "" {
		out += "/" + p.list + "/" + strconv.Itoa(p.item)
	}
	return out + rest
}
