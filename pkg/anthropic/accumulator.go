package anthropic

import (
	"fmt"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json/jsontext"
)

// Accumulator builds a message from the events of a stream, like Anthropic's clients. It joins
// texts, thoughts and inputs, and replaces signatures and counts. A fallback replaces the model.
// Unknown members of the event that ends a block are added to the block. The zero value is ready to
// use. It is not safe for use by several goroutines.
type Accumulator struct {
	message  anthropicapi.Message
	started  bool
	open     bool       // the last block has begun but not ended
	text     joinedText // of the open block: text, thoughts, input or compaction
	hasInput bool       // text is an input
}

// Push adds an event. It returns an *[Error] for an event of type error. It also returns an error
// if clients cannot place the event: before message_start, or for a block that is not the next or
// not open. An event that Push refuses changes nothing.
func (a *Accumulator) Push(e *anthropicapi.StreamEvent) error {
	switch e.Type {
	case anthropicapi.EventTypeMessageStart:
		return a.start(e)
	case anthropicapi.EventTypeContentBlockStart:
		return a.beginBlock(e)
	case anthropicapi.EventTypeContentBlockDelta:
		return a.extendBlock(e)
	case anthropicapi.EventTypeContentBlockStop:
		if !a.isOpen(e) {
			return misplaced(e)
		}
		if e.Unknown != nil {
			block := a.block()
			block.Unknown = jsonx.MergeObjects(block.Unknown, e.Unknown)
		}
		a.settle()
		a.open = false
	case anthropicapi.EventTypeMessageDelta:
		return a.change(e)
	case anthropicapi.EventTypeError:
		body := anthropicapi.ErrorResponse{Type: string(e.Type), RequestID: e.RequestID}
		if e.Error != nil {
			body.Error = *e.Error
		}
		return &Error{Response: body}
	}
	return nil
}

// Message returns the message so far, which later events change. Before message_start it is empty.
func (a *Accumulator) Message() *anthropicapi.Message {
	if a.open {
		a.settle()
	}
	return &a.message
}

func misplaced(e *anthropicapi.StreamEvent) error {
	return fmt.Errorf("anthropic: unexpected event of type %s", e.Type)
}

func (a *Accumulator) start(e *anthropicapi.StreamEvent) error {
	if a.started || e.Message == nil {
		return misplaced(e)
	}
	a.started, a.message = true, *e.Message
	a.message.Content = append([]anthropicapi.ContentBlock{}, e.Message.Content...)
	return nil
}

func (a *Accumulator) beginBlock(e *anthropicapi.StreamEvent) error {
	if !a.started || a.open || e.ContentBlock == nil ||
		jsonx.Deref(e.Index) != len(a.message.Content) {
		return misplaced(e)
	}
	a.message.Content = append(a.message.Content, *e.ContentBlock)
	if later := e.ContentBlock.To; later != nil &&
		e.ContentBlock.Type == anthropicapi.BlockTypeFallback {
		a.message.Model = later.Model
	}
	a.open, a.hasInput, a.text = true, false, joinedText{more: a.text.more[:0]}
	block := a.block()
	for _, text := range []*string{block.Text, block.Thinking} {
		a.text.add(jsonx.Deref(text))
	}
	return nil
}

// isOpen reports whether an event belongs to the open block.
func (a *Accumulator) isOpen(e *anthropicapi.StreamEvent) bool {
	return a.open && jsonx.Deref(e.Index) == len(a.message.Content)-1
}

// block returns the last block.
func (a *Accumulator) block() *anthropicapi.ContentBlock {
	return &a.message.Content[len(a.message.Content)-1]
}

func (a *Accumulator) extendBlock(e *anthropicapi.StreamEvent) error {
	if !a.isOpen(e) || e.Delta == nil {
		return misplaced(e)
	}
	d, block := e.Delta, a.block()
	switch d.Type {
	case anthropicapi.DeltaTypeTextDelta:
		a.text.add(jsonx.Deref(d.Text))
	case anthropicapi.DeltaTypeThinkingDelta:
		a.text.add(jsonx.Deref(d.Thinking))
	case anthropicapi.DeltaTypeInputJSONDelta:
		a.text.add(jsonx.Deref(d.PartialJSON))
		a.hasInput = a.hasInput || !a.text.isEmpty()
	case anthropicapi.DeltaTypeSignatureDelta:
		block.Signature = jsonx.CopyOf(d.Signature) // the caller may reuse the event
	case anthropicapi.DeltaTypeCitationsDelta:
		if d.Citation != nil {
			list, _ := block.Citations.AsList()
			block.Citations = wiretype.ListOf(append(list[:len(list):len(list)], *d.Citation))
		}
	case anthropicapi.DeltaTypeCompactionDelta:
		content, _ := d.Content.Value()
		a.text.add(content)
		block.EncryptedContent = d.EncryptedContent
	}
	return nil
}

// settle stores the accumulated text in the open block.
func (a *Accumulator) settle() {
	block := a.block()
	switch {
	case a.hasInput:
		block.Input = jsontext.Value(a.text.String())
	case block.Text != nil:
		block.Text = new(a.text.String())
	case block.Thinking != nil:
		block.Thinking = new(a.text.String())
	case block.Type == anthropicapi.BlockTypeCompaction && !a.text.isEmpty():
		block.Content = wiretype.StringOf[wiretype.OneOrList[anthropicapi.ContentBlock]](a.text.String())
	}
}

// change applies a message_delta.
func (a *Accumulator) change(e *anthropicapi.StreamEvent) error {
	if !a.started || a.open || e.Delta == nil {
		return misplaced(e)
	}
	d, m := e.Delta, &a.message
	if reason, ok := d.StopReason.Value(); ok {
		m.StopReason = &reason
	}
	if sequence, ok := d.StopSequence.Value(); ok {
		m.StopSequence = &sequence
	}
	replace(&m.StopDetails, d.StopDetails)
	replace(&m.Container, d.Container)
	replace(&m.ContextManagement, e.ContextManagement)
	if e.InputTransformations != nil {
		m.InputTransformations = e.InputTransformations
	}
	if e.Usage != nil {
		addUsage(&m.Usage, e.Usage)
	}
	return nil
}

// addUsage replaces the counts that a later usage has.
func addUsage(u, later *anthropicapi.Usage) {
	u.OutputTokens = later.OutputTokens
	if later.InputTokens != nil {
		u.InputTokens = later.InputTokens
	}
	replace(&u.CacheCreationInputTokens, later.CacheCreationInputTokens)
	replace(&u.CacheReadInputTokens, later.CacheReadInputTokens)
	replace(&u.CacheCreation, later.CacheCreation)
	replace(&u.OutputTokensDetails, later.OutputTokensDetails)
	replace(&u.ServerToolUse, later.ServerToolUse)
	replace(&u.ServiceTier, later.ServiceTier)
	replace(&u.InferenceGeo, later.InferenceGeo)
	replace(&u.Speed, later.Speed)
	if later.Iterations != nil {
		u.Iterations = later.Iterations
	}
	if later.FallbackCredit != nil {
		u.FallbackCredit = later.FallbackCredit
	}
}

// replace takes a later value, but takes null only if there is no earlier value.
func replace[T any](value *wiretype.Nullable[T], later wiretype.Nullable[T]) {
	if _, ok := later.Value(); ok || value.IsZero() {
		*value = later
	}
}

// joinedText is the text of a block so far. Most whole answers have it in one piece, which is not
// copied.
type joinedText struct {
	first string
	more  []byte // the whole text, after the second piece
}

func (t *joinedText) isEmpty() bool { return t.first == "" }

func (t *joinedText) add(piece string) {
	switch {
	case piece == "":
	case t.first == "":
		t.first = piece
	case len(t.more) == 0:
		t.more = append(append(t.more, t.first...), piece...)
	default:
		t.more = append(t.more, piece...)
	}
}

// String returns the text.
func (t *joinedText) String() string {
	if len(t.more) == 0 {
		return t.first
	}
	return string(t.more)
}
