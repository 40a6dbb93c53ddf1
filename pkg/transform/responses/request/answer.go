package request

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
)

// answer is a turn of the model in the making. Its items follow one another: thoughts, messages, calls. What signs a
// part stands in a reasoning item in front of it.
type answer struct {
	turn   conversation.Turn
	tokens []token
	// shift is how much later than here the last signed part stood in the turn that Gemini sent: adjacent texts are
	// joined on the way to a client, and clients leave items out.
	shift int
}

// token is what one reasoning item has about the parts behind it.
type token struct {
	item    int // the position of the reasoning item
	entries []signature
	// passed says that another item of the model stands between the token and the next one.
	passed bool
}

// signature is a thought signature that waits for its part.
type signature struct {
	envelope.Entry
	// anyKind says that nothing tells which kind of part it signs, as with a bare signature.
	anyKind bool
	used    bool
}

// isOpen reports whether the turn has begun.
func (a *answer) isOpen() bool { return len(a.turn.Parts) > 0 || len(a.tokens) > 0 }

// begin sets where the turn begins.
func (a *answer) begin(index int) {
	if !a.isOpen() {
		a.turn = conversation.Turn{Role: conversation.Model, Index: index, Parts: make([]geminiapi.Part, 0, 2)}
	}
}

// keep adds a part of an item to the turn, with its signature. It is the first of so many parts of the item that are
// still to come.
func (b *history) keep(part *geminiapi.Part, at conversation.Location, coming int) {
	a := &b.answer
	a.begin(at.Index)
	if signed := b.take(kindOfPart(part), coming); signed != nil {
		part.ThoughtSignature = optional.Text(*signed)
	}
	a.turn.Parts = conversation.AppendPart(a.turn.Parts, part)
}

// pass marks the tokens in front of an item as those of earlier ones.
func (a *answer) pass() {
	for i := len(a.tokens) - 1; i >= 0 && !a.tokens[i].passed; i-- {
		a.tokens[i].passed = true
	}
}

// kindOfPart returns what an envelope calls a part.
func kindOfPart(p *geminiapi.Part) envelope.Kind {
	switch {
	case p.FunctionCall != nil:
		return envelope.Call
	case conversation.HasData(p):
		return envelope.Other
	case optional.Value(p.Thought):
		return envelope.Thought
	default:
		return envelope.Text
	}
}

// take takes the signature of the next part of the turn, nil if it has none. The nearest token counts. Of its
// signatures it is the one for this position of the turn, or else the first for this kind of part, unless that is
// for another part of the item.
func (b *history) take(kind envelope.Kind, coming int) *string {
	a := &b.answer
	position := len(a.turn.Parts) + a.shift
	for i := len(a.tokens) - 1; i >= 0 && b.looked < mostLooked; i-- {
		t := &a.tokens[i]
		b.looked += 1 + len(t.entries)
		found := t.find(kind, position)
		if found == nil && !t.passed {
			found = t.first(kind)
			if found != nil && !found.anyKind && found.Ordinal > position && found.Ordinal < position+coming {
				found = nil
			}
		}
		if found != nil {
			found.used = true
			if !found.anyKind {
				a.shift = found.Ordinal - len(a.turn.Parts)
			}
			return &found.Signature
		}
	}
	return nil
}

// mostLooked is how many signatures are looked at in a request, which bounds the time of a hostile one: those of each turn
// are looked through for each of its parts. A turn of 1,000 unsigned parts behind 1,000 signatures takes a fifth of it.
const mostLooked = 10_000_000

// find returns the signature of a kind of part for a position, nil if there is none.
func (t *token) find(kind envelope.Kind, position int) *signature {
	for i := range t.entries {
		if s := &t.entries[i]; !s.used && !s.anyKind && s.Kind == kind && s.Ordinal == position {
			return s
		}
	}
	return nil
}

// first returns the first signature for a kind of part, nil if there is none.
func (t *token) first(kind envelope.Kind) *signature {
	for i := range t.entries {
		if s := &t.entries[i]; !s.used && (s.anyKind || s.Kind == kind) {
			return s
		}
	}
	return nil
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

// keepTrailing adds a signature of a text that nothing follows, as Gemini ends streams with an empty text that is
// signed.
func (b *history) keepTrailing(t *token) {
	if t.passed {
		return
	}
	for i := range t.entries {
		if s := &t.entries[i]; !s.used && !s.anyKind && s.Kind == envelope.Text && s.Signature != "" {
			s.used = true
			b.answer.turn.Parts = conversation.AppendPart(b.answer.turn.Parts, &geminiapi.Part{ThoughtSignature: &s.Signature})
		}
	}
}

// loseSignatures reports signatures whose parts the client has left out. They are never sent for another part.
func (b *history) loseSignatures(t *token) {
	for i := range t.entries {
		if !t.entries[i].used {
			b.Report.Add(transform.Lost, b.At(t.item).Pointer("/encrypted_content"), "what it signs has not come back")
			return
		}
	}
}
