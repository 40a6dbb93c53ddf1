package message

import (
	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/gemwire/gemwire/server/gateway/internal/signature"
	"github.com/go-json-experiment/json/jsontext"
)

// The signatures of a text are in an extension of its block. Many clients drop the extension, so
// the gateway also remembers the signatures.

// extension is the member of a text block that has its signatures.
const extension = "extra_content"

// question returns the hash of the conversation before an answer.
func question(memory *signature.Memory, before []anthropicapi.InputMessage) *signature.Question {
	out := memory.Question()
	for i := range before {
		addMessage(out, &before[i])
	}
	return out
}

// addMessage adds a message's texts, media and call ids. The ids also stand for the results of the
// calls.
func addMessage(q *signature.Question, m *anthropicapi.InputMessage) {
	q.Add(string(m.Role))
	if text, ok := m.Content.AsString(); ok {
		q.Add(text)
		return
	}
	blocks, _ := m.Content.AsValue()
	for i := range blocks {
		b := &blocks[i]
		source, _ := b.Source.AsValue()
		for _, said := range []*string{b.Text, b.ID, b.ToolUseID, source.Data, source.URL,
			source.FileID} {
			if said != nil {
				q.Add(*said)
			}
		}
	}
}

// recallTexts adds the remembered extensions to the texts of a conversation. An extension that the
// client sent back takes precedence.
func recallTexts(memory *signature.Memory, messages []anthropicapi.InputMessage) {
	asked := memory.Question()
	for i := range messages {
		m := &messages[i]
		if m.Role == anthropicapi.RoleAssistant {
			recallAnswer(m, func(text string) jsontext.Value {
				kept := memory.Answer(asked)
				kept.Add(text)
				return jsontext.Value(kept.Find())
			})
		}
		addMessage(asked, m)
	}
}

// recallAnswer adds the extensions that find returns to the texts of a message.
func recallAnswer(m *anthropicapi.InputMessage, find func(text string) jsontext.Value) {
	if text, ok := m.Content.AsString(); ok {
		if kept := find(text); kept != nil {
			m.Content = wiretype.ValueOf([]anthropicapi.ContentBlock{{
				Type: anthropicapi.BlockTypeText, Text: &text, Unknown: kept,
			}})
		}
		return
	}
	blocks, _ := m.Content.AsValue()
	for i := range blocks {
		b := &blocks[i]
		if b.Type != anthropicapi.BlockTypeText || jsonx.Member(b.Unknown, extension) != nil {
			continue
		}
		if kept := find(jsonx.Deref(b.Text)); kept != nil {
			b.Unknown = jsonx.MergeObjects(b.Unknown, kept)
		}
	}
}

// Edit remembers the extensions of texts, and removes them if the client must not get them.
func (x *extra) Edit(document any) {
	switch d := document.(type) {
	case *anthropicapi.Message:
		for i := range d.Content {
			b := &d.Content[i]
			if b.Type != anthropicapi.BlockTypeText || b.Unknown == nil {
				continue
			}
			x.text = x.signing.Memory.Answer(x.question)
			x.text.Add(jsonx.Deref(b.Text))
			b.Unknown = x.keep(b.Unknown)
		}
	case *anthropicapi.StreamEvent:
		x.editEvent(d)
	}
}

// editEvent does the same for an event of a stream.
func (x *extra) editEvent(e *anthropicapi.StreamEvent) {
	switch e.Type {
	case anthropicapi.EventTypeContentBlockStart:
		x.text = nil
		if e.ContentBlock.Type == anthropicapi.BlockTypeText {
			x.text = x.signing.Memory.Answer(x.question)
		}
	case anthropicapi.EventTypeContentBlockDelta:
		if x.text != nil {
			x.text.Add(jsonx.Deref(e.Delta.Text))
		}
	case anthropicapi.EventTypeContentBlockStop:
		if x.text != nil && e.Unknown != nil {
			e.Unknown = x.keep(e.Unknown)
		}
	}
}

// keep remembers the extension of the text, and returns the extension for the client.
func (x *extra) keep(extension jsontext.Value) jsontext.Value {
	x.text.Keep(string(extension))
	if !x.signing.ByExtension {
		return nil
	}
	return extension
}
