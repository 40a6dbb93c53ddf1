package request

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/gemwire/gemwire/pkg/transform/internal/target"
	"github.com/gemwire/gemwire/pkg/transform/responses/internal/toolname"
)

const (
	detailCached = target.DetailCached
	detailEmpty  = "omitted, because it is empty"
)

// setInput converts the instructions and the input into contents and the system instruction.
func (c *converter) setInput() error {
	items, _ := c.in.Input.AsValue()
	text, isText := c.in.Input.AsString()
	b := &c.history
	*b = history{Conversation: conversation.New(&c.Request, "/input", len(items)), items: items,
		names: c.names}
	b.IDMember, b.InstructionsAt = "/call_id", "/instructions"
	if instructions := jsonx.Deref(c.in.Instructions); instructions != "" {
		b.AddInstructions([]geminiapi.Part{{Text: &instructions}})
	}
	if isText {
		if err := b.askText(text); err != nil {
			return err
		}
	}
	for i := range items {
		if err := b.item(&items[i], i); err != nil {
			return err
		}
	}
	return b.end(c.trailing)
}

// history collects the contents of the input's items.
type history struct {
	conversation.Conversation
	items  []openaiapi.ResponseItem
	names  *toolname.Names
	answer answer
	update configuration
	// looked counts the signatures and items that were looked at: to find signatures of parts,
	// items after a part, and the call of a local_shell_call_output.
	looked int
}

// askText adds an input that is a single text.
func (b *history) askText(text string) error {
	at := conversation.Of("/input", conversation.Whole)
	if text == "" {
		b.LeaveOut(at, true)
		return nil
	}
	return b.Add(&conversation.Turn{Role: conversation.User, Parts: []geminiapi.Part{{Text: &text}},
		Index: at.Index})
}

// endsCutOff reports whether the last item is part of a message, as a client has it after a stream
// that failed.
func (b *history) endsCutOff() bool {
	if len(b.items) == 0 {
		return false
	}
	last := &b.items[len(b.items)-1]
	return isModels(last) && last.Status == openaiapi.ResponseItemStatusIncomplete
}

// end completes the conversation and puts it into the request. It omits a cut-off end of the model
// if the model does not continue it.
func (b *history) end(policy TrailingTurnPolicy) error {
	if err := b.endAnswer(); err != nil {
		return err
	}
	if policy == TrailingTurnKept && b.Traits.RefusesTrailingModelTurn && b.endsCutOff() {
		policy = TrailingTurnTrimmed
	}
	isAnswer := func(index int) bool { return isModels(&b.items[index]) }
	if err := b.End(conversation.TrailingTurnPolicy(policy), isAnswer); err != nil {
		return err
	}
	b.Sign("")
	b.Finish()
	return nil
}
