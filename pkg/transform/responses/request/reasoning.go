package request

import (
	"encoding/base64"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
	"github.com/go-json-experiment/json"
)

// reason converts a reasoning item: its thoughts are parts of the turn, and what is encrypted in it signs them and the
// parts behind it.
func (b *history) reason(item *openaiapi.ResponseItem, at conversation.Location) error {
	b.answer.begin(at.Index)
	signatures := b.signatures(optional.Value(item.EncryptedContent), at)
	thoughts := b.thoughts(item, at)
	for i := range thoughts {
		part := geminiapi.Part{Text: thoughts[i], Thought: new(true)}
		if s := takeKind(signatures, envelope.Thought); s != nil {
			part.ThoughtSignature = optional.Text(s.Signature)
		}
		b.answer.turn.Parts = conversation.AppendPart(b.answer.turn.Parts, &part)
	}
	for s := takeKind(signatures, envelope.Thought); s != nil; s = takeKind(signatures, envelope.Thought) {
		part := geminiapi.Part{Thought: new(true), ThoughtSignature: optional.Text(s.Signature)} // of a thought without a text
		b.answer.turn.Parts = conversation.AppendPart(b.answer.turn.Parts, &part)
	}
	b.keepWhole(signatures, at)
	b.answer.tokens = append(b.answer.tokens, token{item: at.Index, entries: signatures})
	return nil
}

// takeKind takes the first signature of a kind of part that has no copy of its part, nil if there is none.
func takeKind(list []signature, kind envelope.Kind) *signature {
	for i := range list {
		if s := &list[i]; !s.used && !s.anyKind && s.Kind == kind && s.Part == "" {
			s.used = true
			return s
		}
	}
	return nil
}

// keepWhole adds the parts that have no place in the Responses API and so stand in the token itself.
func (b *history) keepWhole(signatures []signature, at conversation.Location) {
	for i := range signatures {
		s := &signatures[i]
		switch {
		case s.Kind == envelope.None && s.Part == "" && !s.anyKind:
			s.used = true // it signs nothing
		case s.Part != "":
			s.used = true
			b.keepCopy(s, at)
		}
	}
}

// keepCopy adds the part that is in a signature's entry.
func (b *history) keepCopy(s *signature, at conversation.Location) {
	var part geminiapi.Part
	if err := json.Unmarshal([]byte(s.Part), &part); err != nil {
		b.Report.Add(transform.Lost, at.Pointer("/encrypted_content"), "a part in it is no part of Gemini's")
		return
	}
	if s.Signature != "" {
		part.ThoughtSignature = &s.Signature
	}
	turn := &b.answer.turn
	if call := part.FunctionCall; call != nil {
		turn.Calls = append(turn.Calls, conversation.Call{
			ID: optional.Value(call.ID), WireID: call.ID, Name: optional.Value(call.Name), At: at, NoMember: true,
		})
	}
	if result := part.FunctionResponse; result != nil {
		serve(turn.Calls, result)
	}
	b.answer.shift = s.Ordinal - len(turn.Parts)
	turn.Parts = conversation.AppendPart(turn.Parts, &part)
}

// serve marks a call whose result is in the model's own turn, as it is where Google runs the functions of
// a server that the request names.
func serve(calls []conversation.Call, result *geminiapi.FunctionResponse) {
	for i := range calls {
		if call := &calls[i]; !call.Served && call.Name == optional.Value(result.Name) && optional.Value(call.WireID) == optional.Value(result.ID) {
			call.Served = true
			return
		}
	}
}

// thoughts returns the texts of a reasoning item that are not empty: those of the summary, or else the thoughts themselves.
func (b *history) thoughts(item *openaiapi.ResponseItem, at conversation.Location) []*string {
	summary := b.thoughtTexts(item.Summary, "summary", at)
	content, _ := item.Content.AsValue()
	whole := b.thoughtTexts(content, "content", at)
	if text, ok := item.Content.AsString(); ok && text != "" {
		whole = []*string{&text}
	}
	if len(summary) == 0 {
		return whole
	}
	if len(whole) > 0 {
		b.Report.Add(transform.Lost, at.Pointer("/content"), "the summary tells the thoughts")
	}
	return summary
}

func (b *history) thoughtTexts(list []openaiapi.ResponseContentPart, member string, at conversation.Location) []*string {
	var out []*string
	for i := range list {
		p, at := &list[i], at.In(member, i)
		kind := partType(p)
		text, isText := textOf(p, kind)
		if !isText {
			b.Report.Add(transform.Lost, at.Pointer(""), detailNoSuchPart)
			continue
		}
		b.losePartMembers(p, kind, at)
		if optional.Value(text) != "" {
			out = append(out, text)
		}
	}
	return out
}

// signatures returns what the encrypted content of a reasoning item signs, and reports what is not Gemini's.
func (b *history) signatures(encrypted string, at conversation.Location) []signature {
	const member = "/encrypted_content"
	if encrypted == "" {
		return nil
	}
	if entries, ok := envelope.Parse(encrypted); ok {
		out := make([]signature, len(entries))
		for i := range entries {
			out[i].Entry = entries[i]
		}
		return out
	}
	switch {
	case envelope.IsToken(encrypted):
		b.Report.Add(transform.Lost, at.Pointer(member), "it has been damaged on its way, and its thought signatures are left out")
	case isGemini(encrypted):
		return []signature{{Entry: envelope.Entry{Signature: encrypted}, anyKind: true}}
	default:
		b.Report.Add(transform.Lost, at.Pointer(member), "only the maker of another model understands it")
	}
	return nil
}

// isGemini reports whether a text looks like a thought signature that Gemini has made, as some gateways pass them on
// bare: base64 of either alphabet, whose first byte is one of those that all recorded signatures but four of 661 begin
// with. OpenAI's own begin with "gAAAA", which is 0x80.
func isGemini(text string) bool {
	encoding := base64.RawStdEncoding
	if strings.ContainsAny(text, "-_") {
		encoding = base64.RawURLEncoding
	}
	data, err := encoding.DecodeString(strings.TrimRight(text, "="))
	if err != nil || len(data) < shortestSignature {
		return false
	}
	return data[0] == 0x01 || data[0] == 0x0a || data[0] == 0x12
}

// shortestSignature is fewer bytes than any recorded signature of Gemini's has that was not made up.
const shortestSignature = 16
