package request

import (
	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
	"github.com/gemwire/gemwire/pkg/transform/internal/functions"
	"github.com/gemwire/gemwire/pkg/transform/internal/object"
	"github.com/gemwire/gemwire/pkg/transform/internal/refusal"
	"github.com/gemwire/gemwire/pkg/transform/messages/internal/callid"
	"github.com/go-json-experiment/json/jsontext"
)

// addCall adds a call of a client tool. It omits ids that package messages made, because Gemini
// sent none. The signature in an id takes precedence over one that thinking carries, because it
// cannot belong to another call.
func (a *answer) addCall(block *anthropicapi.ContentBlock, at conversation.Location) error {
	if jsonx.Deref(block.Name) == "" {
		return &refusal.Error{Pointer: at.Pointer("/name"), Problem: conversation.NamelessCall}
	}
	id, entries, isIntact := envelope.CutFromID(jsonx.Deref(block.ID))
	called := &struct { // one allocation
		function     geminiapi.FunctionCall
		name, wireID string
	}{name: functions.Name(jsonx.Deref(block.Name)), wireID: callid.Gemini(id)}
	called.function.Name, called.function.Args = &called.name, a.input(block, at)
	if called.wireID != "" {
		called.function.ID = &called.wireID
	}
	part := geminiapi.Part{FunctionCall: &called.function,
		ThoughtSignature: a.sealOf(envelope.Call)}
	if len(entries) > 0 && entries[0].Signature != "" {
		part.ThoughtSignature = &entries[0].Signature
	}
	if !isIntact {
		a.ReportDamaged(at.Pointer("/id"), part.ThoughtSignature != nil)
	}
	a.keepCall(&part, id, at)
	return nil
}

// input returns the input of a call as the object that Gemini requires. It stays byte for byte as
// the model wrote it. Clients have sent the object as a string
// (github.com/anthropics/claude-code/issues/6749).
func (a *answer) input(block *anthropicapi.ContentBlock, at conversation.Location) jsontext.Value {
	switch block.Input.Kind() {
	case jsontext.KindBeginObject:
		return block.Input
	case 0, jsontext.KindNull:
		return jsontext.Value("{}")
	}
	text := string(block.Input)
	if block.Input.Kind() == jsontext.KindString {
		plain, err := jsontext.AppendUnquote(nil, block.Input)
		if err == nil {
			text = string(plain)
		}
		if args, ok := object.As(text); ok {
			return args
		}
	}
	a.Report.Add(report.Approximated, at.Pointer("/input"), "put into a JSON object, because Gemini requires one")
	return object.Of("input", text)
}
