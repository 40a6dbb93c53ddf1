package request

import (
	"encoding/base64"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
	"github.com/go-json-experiment/json"
)

// reason converts a reasoning item. Its thoughts become parts of the turn. Its encrypted content
// signs these and other parts, or has parts that have no item in the Responses API. The positions
// in Gemini's turn determine the order of such parts among the thoughts.
func (b *history) reason(item *openaiapi.ResponseItem, at conversation.Location) error {
	b.answer.begin(at.Index)
	signatures := b.signatures(jsonx.Deref(item.EncryptedContent), at)
	thoughts := b.thoughts(item, at)
	unsigned := len(thoughts) - countThoughts(signatures)
	for i := range signatures {
		s := &signatures[i]
		if !s.isOfItem() {
			continue
		}
		for ; unsigned > 0 && len(b.answer.turn.Parts)+b.answer.shift < s.Ordinal; unsigned-- {
			thoughts = b.keepThought(thoughts, nil)
		}
		b.answer.shift = s.Ordinal - len(b.answer.turn.Parts)
		s.used = true
		if s.Part != "" {
			b.keepCopy(s, at)
		} else {
			thoughts = b.keepThought(thoughts, jsonx.NonEmpty(s.Signature))
		}
	}
	for len(thoughts) > 0 {
		thoughts = b.keepThought(thoughts, nil)
	}
	b.signEarlier(signatures)
	b.answer.tokens = append(b.answer.tokens, token{item: at.Index, entries: signatures})
	return nil
}

// isOfItem reports whether a signature belongs to a part of its own reasoning item: a thought, or a
// part in the token.
func (s *signature) isOfItem() bool {
	return !s.anyKind && (s.Part != "" || s.Kind == envelope.Thought)
}

// countThoughts returns the number of signatures for thoughts whose texts are in the item.
func countThoughts(signatures []signature) int {
	n := 0
	for i := range signatures {
		if s := &signatures[i]; s.isOfItem() && s.Part == "" {
			n++
		}
	}
	return n
}

// keepThought adds the first thought, or an empty thought if the list is empty. It returns the
// other thoughts.
func (b *history) keepThought(thoughts []*string, signed *string) []*string {
	part := geminiapi.Part{Thought: new(true), ThoughtSignature: signed}
	if len(thoughts) > 0 {
		part.Text, thoughts = thoughts[0], thoughts[1:]
	}
	b.answer.turn.Parts = conversation.AppendPart(b.answer.turn.Parts, &part)
	return thoughts
}

// signEarlier assigns signatures to parts before the item. For example, the result of code is in
// one item with the code. The signature of a call is always before the call, never after it.
// Entries that sign nothing are marked as used.
func (b *history) signEarlier(signatures []signature) {
	parts := b.answer.turn.Parts
	for i := range signatures {
		s := &signatures[i]
		if s.used || s.anyKind {
			continue
		}
		at := s.Ordinal - b.answer.shift
		if s.Kind == envelope.None {
			s.used = true
		} else if s.Kind != envelope.Call && at >= 0 && at < len(parts) &&
			parts[at].ThoughtSignature == nil && kindOfPart(&parts[at]) == s.Kind {
			parts[at].ThoughtSignature, s.used = jsonx.NonEmpty(s.Signature), true
		}
	}
}

// keepCopy adds the part in a signature's entry.
func (b *history) keepCopy(s *signature, at conversation.Location) {
	var part geminiapi.Part
	if err := json.Unmarshal([]byte(s.Part), &part); err != nil {
		b.Report.Add(report.Lost, at.Pointer("/encrypted_content"),
			"a part in it is not a Gemini part")
		return
	}
	if s.Signature != "" {
		part.ThoughtSignature = &s.Signature
	}
	turn := &b.answer.turn
	if call := part.FunctionCall; call != nil {
		turn.Calls = append(turn.Calls, conversation.Call{
			ID: jsonx.Deref(call.ID), WireID: call.ID, Name: jsonx.Deref(call.Name), At: at,
			NoMember: true,
		})
	}
	if result := part.FunctionResponse; result != nil {
		turn.Serve(result)
	}
	turn.Parts = conversation.AppendPart(turn.Parts, &part)
}

// thoughts returns the non-empty texts of a reasoning item: the summary, else the full thoughts.
func (b *history) thoughts(item *openaiapi.ResponseItem, at conversation.Location) []*string {
	summary := b.thoughtTexts(item.Summary, "summary", at)
	content, _ := item.Content.AsValue()
	whole := b.thoughtTexts(content, "content", at)
	if text, ok := item.Content.AsString(); ok && text != "" {
		whole = []*string{new(text)}
	}
	if len(summary) == 0 {
		return whole
	}
	if len(whole) > 0 {
		b.Report.Add(report.Lost, at.Pointer("/content"), "the summary is used for the thoughts")
	}
	return summary
}

func (b *history) thoughtTexts(list []openaiapi.ResponseContentPart, member string,
	at conversation.Location) []*string {
	var out []*string
	for i := range list {
		p, at := &list[i], at.In(member, i)
		kind := partType(p)
		text, isText := textOf(p, kind)
		if !isText {
			b.Report.Add(report.Lost, at.Pointer(""), detailNoSuchPart)
			continue
		}
		b.losePartMembers(p, kind, at)
		if text == nil {
			b.LoseText(at)
		}
		if jsonx.Deref(text) != "" {
			out = append(out, text)
		}
	}
	return out
}

// signatures returns the entries in the encrypted content of a reasoning item. It reports content
// that is not Gemini's.
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
		b.Report.Add(report.Lost, at.Pointer(member), conversation.DetailDamaged)
	case isGemini(encrypted):
		return []signature{{Entry: envelope.Entry{Signature: encrypted}, anyKind: true}}
	default:
		b.Report.Add(report.Lost, at.Pointer(member),
			"only the provider of another model can read it")
	}
	return nil
}

// isGemini reports whether a text looks like a thought signature of Gemini. Some gateways pass on
// bare signatures. A signature is base64 of either alphabet. Its first byte is one of those that
// begin all but four of 661 recorded signatures. OpenAI's signatures begin with "gAAAA", which is
// 0x80.
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

// shortestSignature is shorter, in bytes, than any recorded signature of Gemini that is genuine.
const shortestSignature = 16
