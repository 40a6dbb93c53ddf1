package request

import (
	"slices"
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat"
)

// These are the authors of contents. Older requests use function for results.
const (
	userRole     = "user"
	modelRole    = "model"
	functionRole = "function"
)

// setMessages converts the contents.
func (c *converter) setMessages() error {
	b := conversation{converter: c}
	for i := range c.in.Contents {
		if err := b.content(&c.in.Contents[i], i); err != nil {
			return err
		}
	}
	return b.end()
}

// conversation collects the contents. Texts and media of the user, and parts of the model, wait for
// the end of their turn, because consecutive contents of one role become one message.
type conversation struct {
	*converter
	user  []openaiapi.ContentPart
	model modelTurn
	// calls are the calls of the last model turn that has calls.
	calls []pendingCall
	// results is the index of the message before which the next result is inserted.
	results int
	// media are the media of results. They wait for the last result of their turn.
	media []openaiapi.ContentPart
	// answering are the options for converting turns of the model.
	answering []chat.Option
	// said is true if the open turn has contents of the user.
	said bool
}

// content converts the content at a position of the list.
func (b *conversation) content(in *geminiapi.Content, at int) error {
	pointer := "/contents/" + strconv.Itoa(at)
	b.loseRest(pointer, &geminiapi.Content{Unknown: in.Unknown})
	role := jsonx.Deref(in.Role)
	switch role {
	case modelRole:
		return b.answer(in, pointer)
	case "":
		b.report.Add(report.Added, pointer+"/role", "the content has no role")
	case functionRole:
		b.report.Add(report.Approximated, pointer+"/role",
			"results become tool messages, everything else user messages")
	case userRole:
	default:
		return &Error{Pointer: pointer + "/role", Problem: "must be user or model"}
	}
	return b.ask(in, pointer)
}

// ask adds a content of the user. Function results come first.
func (b *conversation) ask(in *geminiapi.Content, pointer string) error {
	if err := b.endAnswer(); err != nil {
		return err
	}
	parts := make([]openaiapi.ContentPart, 0, len(in.Parts))
	results, mixed := 0, false
	for i := range in.Parts {
		p, at := &in.Parts[i], pointer+"/parts/"+strconv.Itoa(i)
		if p.FunctionResponse != nil {
			results++
			mixed = mixed || len(parts) > 0
			if err := b.result(p, at); err != nil {
				return err
			}
			continue
		}
		part, err := b.part(p, at)
		if err != nil {
			return err
		}
		if part.Type != "" {
			parts = append(parts, part)
		}
	}
	b.reportMixed(pointer, results > 0, len(parts) > 0, mixed)
	b.say(parts, results > 0, pointer)
	return nil
}

// reportMixed reports a content with both results and other parts, which become messages of
// different roles.
func (b *conversation) reportMixed(pointer string, results, others, mixed bool) {
	switch {
	case !results || !others:
	case mixed:
		b.report.Add(report.Approximated, pointer,
			"the results come before the other parts, each in a separate message")
	default:
		b.report.Add(report.Approximated, pointer, "each result becomes a separate message")
	}
}

// say adds parts to the user's turn.
func (b *conversation) say(parts []openaiapi.ContentPart, hasResults bool, pointer string) {
	switch {
	case len(parts) == 0 && !hasResults:
		b.report.Add(report.Approximated, pointer, detailEmpty)
	case b.said && !hasResults:
		b.report.Add(report.Approximated, pointer,
			"joined with the content before it, which has the same role")
	}
	b.said = b.said || len(parts) > 0
	b.user = append(b.user, parts...)
}

// endQuestion adds the message of the user, if there is one. Media of results come first.
func (b *conversation) endQuestion() {
	if parts := append(b.media, b.user...); len(parts) > 0 {
		b.out.Messages = append(b.out.Messages,
			openaiapi.ChatMessage{Role: openaiapi.RoleUser, Content: contentOf(parts)})
	}
	b.user, b.media, b.said = nil, nil, false
}

// end completes the conversation after its last content.
func (b *conversation) end() error {
	if err := b.endAnswer(); err != nil {
		return err
	}
	if err := b.checkAnswered(); err != nil {
		return err
	}
	b.endQuestion()
	isCached := jsonx.Deref(b.in.CachedContent) != "" && len(b.out.Messages) > 0
	if isCached || b.unvalidated || slices.ContainsFunc(b.out.Messages, isConversation) {
		return nil
	}
	return &Error{Pointer: "/contents", Problem: "has nothing to answer; add a message of the user"}
}

func isConversation(m openaiapi.ChatMessage) bool {
	return m.Role != openaiapi.RoleSystem && m.Role != openaiapi.RoleDeveloper
}
