package request

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
)

// answer is a turn of the model in the making. Its items follow one another: thoughts, messages,
// calls. What signs a part stands in a reasoning item in front of it.
type answer struct {
	turn   conversation.Turn
	tokens []token
	// shift is how much later than here the last signed part stood in the turn that Gemini sent:
	// adjacent texts are joined on the way to a client, and clients leave items out.
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
		a.turn = conversation.Turn{Role: conversation.Model, Index: index,
			Parts: make([]geminiapi.Part, 0, 2)}
	}
}

// keep adds a part of an item to the turn, with its signature. It is the first of so many parts of
// the item that are still to come.
func (b *history) keep(part *geminiapi.Part, at conversation.Location, coming int) {
	a := &b.answer
	a.begin(at.Index)
	if signed := b.take(kindOfPart(part), at.Index, coming); signed != nil {
		part.ThoughtSignature = jsonx.NonEmpty(*signed)
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
	case jsonx.Deref(p.Thought):
		return envelope.Thought
	default:
		return envelope.Text
	}
}

// take takes the signature of the next part of the turn, nil if it has none. The nearest token
// counts, but for tokens in a row whose parts all follow. Of its signatures it is the one for this
// position of the turn, or else the first for this kind of part, unless that is for another part of
// the item, which is at an index.
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

// use returns a signature for the next part.
func (a *answer) use(found *signature) *string {
	found.used = true
	if !found.anyKind {
		a.shift = found.Ordinal - len(a.turn.Parts)
	}
	return &found.Signature
}

// findInRow returns the signature for the next part out of several tokens that stand in a row, nil
// where there are fewer. Each was directly before what it signs when Gemini's answer was told, so
// that a client has put them together, or has left parts out between them. Where as many parts of
// the kind follow as are signed, none is left out: the one for the position counts, or else the
// first. Where fewer follow, the nearest token does.
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

// following counts the items of a kind from an index on, up to the next reasoning item or the end
// of the model's turn.
func (b *history) following(kind envelope.Kind, index int) (n int) {
	for i := index; i < len(b.items) && isModels(&b.items[i]); i++ {
		b.looked++
		switch item := kindOf(&b.items[i]); {
		case item == openaiapi.ResponseItemTypeReasoning:
			return n
		case item == openaiapi.ResponseItemTypeMCPCall: // whose texts nothing signs
		case kindOfItem(item) == kind:
			n++
		}
	}
	return n
}

// kindOfItem returns what an envelope calls the part that an item of the model becomes.
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

// mostLooked is how many signatures and items are looked at in a request, which bounds the time of
// a hostile one: the signatures of each turn are looked through for each of its parts, and the
// items for each result of a local shell. A turn of 1,000 unsigned parts behind 1,000 signatures
// takes a fifth of it.
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

// count returns how many signatures for a kind of part there are.
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

// keepTrailing adds a signature of a text that nothing follows, as Gemini ends streams with an
// empty text that is signed.
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

// loseSignatures reports signatures whose parts the client has left out. They are never sent for
// another part.
func (b *history) loseSignatures(t *token) {
	for i := range t.entries {
		if !t.entries[i].used {
			b.Report.Add(report.Lost, b.At(t.item).Pointer("/encrypted_content"),
				"what it signs has not come back")
			return
		}
	}
}
