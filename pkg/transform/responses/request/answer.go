package request

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
)

// answer is a turn of the model while it is built. Its items come one after the other: thoughts,
// messages, calls. A reasoning item before a part carries the part's signature.
type answer struct {
	turn   conversation.Turn
	tokens []token
	// shift is the position of the last signed part in Gemini's turn minus its position here. The
	// two differ because adjacent texts are joined for clients, and clients omit items.
	shift int
}

// token holds the statements of one reasoning item about later parts.
type token struct {
	item    int // the position of the reasoning item
	entries []signature
	// passed is true if another item of the model is between the token and the next item.
	passed bool
}

// signature is a thought signature that waits for its part.
type signature struct {
	envelope.Entry
	// anyKind is true if the kind of the signed part is unknown, as for a bare signature.
	anyKind bool
	used    bool
}

// isOpen reports whether the turn has started.
func (a *answer) isOpen() bool { return len(a.turn.Parts) > 0 || len(a.tokens) > 0 }

// begin sets the position where the turn starts.
func (a *answer) begin(index int) {
	if !a.isOpen() {
		a.turn = conversation.Turn{Role: conversation.Model, Index: index,
			Parts: make([]geminiapi.Part, 0, 2)}
	}
}

// keep adds a part of an item to the turn, with its signature. coming is the number of the item's
// parts from this one on.
func (b *history) keep(part *geminiapi.Part, at conversation.Location, coming int) {
	a := &b.answer
	a.begin(at.Index)
	if signed := b.take(kindOfPart(part), at.Index, coming); signed != nil {
		part.ThoughtSignature = jsonx.NonEmpty(*signed)
	}
	a.turn.Parts = conversation.AppendPart(a.turn.Parts, part)
}

// pass marks the tokens before an item as tokens of earlier items.
func (a *answer) pass() {
	for i := len(a.tokens) - 1; i >= 0 && !a.tokens[i].passed; i-- {
		a.tokens[i].passed = true
	}
}

// kindOfPart returns the envelope's kind of a part.
func kindOfPart(p *geminiapi.Part) envelope.Kind {
	switch {
	case p.FunctionCall != nil:
		return envelope.Call
	case conversation.HasData(p):
		return envelope.Other
	case jsonx.Deref(p.Thought):
		return envelope.Thought
	default:
		return envelope.Text
	}
}

// take returns the signature of the turn's next part, or nil. The nearest token counts, except for
// consecutive tokens whose parts all follow. In a token, the signature for the part's position
// counts. Otherwise it is the first signature for this kind of part, unless that belongs to another
// part of the item. index is the position of the item.
func (b *history) take(kind envelope.Kind, index, coming int) *string {
	a := &b.answer
	position := len(a.turn.Parts) + a.shift
	if found := b.findInRow(kind, position, index, coming); found != nil {
		return a.use(found)
	}
	for i := len(a.tokens) - 1; i >= 0 && b.looked < mostLooked; i-- {
		t := &a.tokens[i]
		b.looked += 1 + len(t.entries)
		found := t.find(kind, position)
		if found == nil && !t.passed {
			found = t.first(kind)
			if found != nil && !found.anyKind && found.Ordinal > position &&
				found.Ordinal < position+coming {
				found = nil
			}
		}
		if found != nil {
			return a.use(found)
		}
	}
	return nil
}

// use marks a signature as used and returns it.
func (a *answer) use(found *signature) *string {
	found.used = true
	if !found.anyKind {
		a.shift = found.Ordinal - len(a.turn.Parts)
	}
	return &found.Signature
}

// findInRow returns the next part's signature from consecutive tokens. It returns nil if there is
// only one token. In Gemini's answer each token was directly before its part. So a client has moved
// the tokens together, or has omitted parts between them. If as many parts of the kind follow as
// are signed, no part is missing. Then the signature for the position counts, or else the first. If
// fewer parts follow, it returns nil, and the nearest token counts.
func (b *history) findInRow(kind envelope.Kind, position, index, coming int) *signature {
	tokens := b.answer.tokens
	row := len(tokens)
	for row > 0 && !tokens[row-1].passed {
		row--
	}
	if tokens = tokens[row:]; len(tokens) < 2 || b.looked >= mostLooked {
		return nil
	}
	var exact, first *signature
	waiting := 0
	for i := range tokens {
		t := &tokens[i]
		b.looked += 1 + len(t.entries)
		if exact == nil {
			exact = t.find(kind, position)
		}
		if first == nil {
			first = t.first(kind)
		}
		waiting += t.count(kind)
	}
	if waiting < 2 || b.following(kind, index)+coming-1 < waiting {
		return nil
	}
	if exact != nil {
		return exact
	}
	return first
}

// following counts the items of a kind from an index up to the next reasoning item or the end of
// the model's turn.
func (b *history) following(kind envelope.Kind, index int) (n int) {
	for i := index; i < len(b.items) && isModels(&b.items[i]); i++ {
		b.looked++
		switch item := kindOf(&b.items[i]); {
		case item == openaiapi.ResponseItemTypeReasoning:
			return n
		case item == openaiapi.ResponseItemTypeMCPCall: // nothing signs its texts
		case kindOfItem(item) == kind:
			n++
		}
	}
	return n
}

// kindOfItem returns the envelope's kind of the part that an item of the model becomes.
func kindOfItem(item openaiapi.ResponseItemType) envelope.Kind {
	switch item {
	case openaiapi.ResponseItemTypeMessage:
		return envelope.Text
	case openaiapi.ResponseItemTypeCodeInterpreterCall,
		openaiapi.ResponseItemTypeImageGenerationCall:
		return envelope.Other
	default:
		return envelope.Call
	}
}

// mostLooked limits how many signatures and items a conversion looks at, which bounds the time for
// a hostile request. The signatures of a turn are searched for each of its parts, and the items for
// each result of a local shell. A turn with 1,000 signatures followed by 1,000 unsigned parts uses
// a fifth of the limit.
const mostLooked = 10_000_000

// find returns the signature for a kind and a position, or nil.
func (t *token) find(kind envelope.Kind, position int) *signature {
	for i := range t.entries {
		if s := &t.entries[i]; !s.used && !s.anyKind && s.Kind == kind && s.Ordinal == position {
			return s
		}
	}
	return nil
}

// first returns the first signature for a kind of part, or nil.
func (t *token) first(kind envelope.Kind) *signature {
	for i := range t.entries {
		if s := &t.entries[i]; !s.used && (s.anyKind || s.Kind == kind) {
			return s
		}
	}
	return nil
}

// count returns the number of signatures for a kind of part.
func (t *token) count(kind envelope.Kind) (n int) {
	for i := range t.entries {
		if s := &t.entries[i]; !s.used && (s.anyKind || s.Kind == kind) {
			n++
		}
	}
	return n
}

// endAnswer adds the turn to the conversation, if there is one.
func (b *history) endAnswer() error {
	a := &b.answer
	if !a.isOpen() {
		return nil
	}
	for i := range a.tokens {
		b.keepTrailing(&a.tokens[i])
		b.loseSignatures(&a.tokens[i])
	}
	turn := a.turn
	*a = answer{}
	if len(turn.Parts) == 0 {
		return nil
	}
	return b.Add(&turn)
}

// keepTrailing adds the signature of a text after the last item, because Gemini ends streams with a
// signed empty text.
func (b *history) keepTrailing(t *token) {
	if t.passed {
		return
	}
	for i := range t.entries {
		if s := &t.entries[i]; !s.used && !s.anyKind && s.Kind == envelope.Text &&
			s.Signature != "" {
			s.used = true
			b.answer.turn.Parts = conversation.AppendPart(b.answer.turn.Parts,
				&geminiapi.Part{ThoughtSignature: &s.Signature})
		}
	}
}

// loseSignatures reports signatures whose parts the client has omitted. They are never sent for
// another part.
func (b *history) loseSignatures(t *token) {
	for i := range t.entries {
		if !t.entries[i].used {
			b.Report.Add(report.Lost, b.At(t.item).Pointer("/encrypted_content"),
				"the client did not send back the signed part")
			return
		}
	}
}
