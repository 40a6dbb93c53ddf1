package steps

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/transform/internal/unshown"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// The steps of a stream whose content comes in pieces are converted by Begin, Piece and Finish in
// place of Add. Pieces of a text must join in Gemini's stream, so they have no extension. A part
// before the first piece has it.

// Begin begins a step of type model_output or thought. It appends the part with the extension, if
// the step needs one. pointer is the pointer of the step.
func (p *Parts) Begin(parts []geminiapi.Part, s *interactionsapi.Step,
	pointer string) []geminiapi.Part {
	p.newStep, p.begunNew = false, s.Type == p.last
	if s.Type == interactionsapi.StepTypeThought {
		parts = p.flush(parts)
	}
	rest := *s
	rest.Type, rest.Summary = "", nil
	rest.Content = wiretype.StringOr[[]interactionsapi.Content]{}
	if !p.Extension && s.Type == interactionsapi.StepTypeModelOutput {
		rest.Error = nil // which the caller reports
	}
	if s.Type == interactionsapi.StepTypeThought || jsonx.Deref(s.Signature) == "" {
		rest.Signature = nil
	}
	e := extension{Step: restOf(&rest), NewStep: p.begunNew}
	switch {
	case e.isZero():
	case p.Extension:
		e.Next = true
		var part geminiapi.Part
		e.addTo(&part)
		parts = append(parts, part)
	case e.Step != nil:
		unshown.Add(p.Report, pointer, e.Step, unshown.Nothing, detailNoMember)
	}
	return parts
}

// Piece returns a piece of the content of a step that has begun. pointer is the pointer of the
// piece.
func (p *Parts) Piece(s *interactionsapi.Step, c *interactionsapi.Content,
	pointer string) geminiapi.Part {
	part, rest := PartOfContent(c)
	if s.Type == interactionsapi.StepTypeThought {
		part.Thought = new(true)
	}
	if c.Type == interactionsapi.ContentTypeText {
		rest.Annotations = nil // which the caller takes
	}
	if isEmptyContent(&rest) {
		return part
	}
	return p.keepRest(part, rest, pointer)
}

// keepRest keeps the rest of a piece in the extension of a part with media, or reports it.
func (p *Parts) keepRest(part geminiapi.Part, rest interactionsapi.Content,
	pointer string) geminiapi.Part {
	if p.Extension && part.Text == nil {
		e := extension{Content: &rest}
		e.addTo(&part)
	} else {
		unshown.Add(p.Report, pointer, &rest, unshown.Nothing, detailNoMember)
	}
	return part
}

// Finish ends a step that has begun. The signature of a thought waits for its part. An output gets
// the waiting signature on an empty text, because its last piece is already converted.
func (p *Parts) Finish(parts []geminiapi.Part, s *interactionsapi.Step,
	pointer string) []geminiapi.Part {
	p.last = s.Type
	if s.Type == interactionsapi.StepTypeThought {
		p.separate = p.begunNew
		p.waiting, p.waitingAt = jsonx.Deref(s.Signature), pointer+"/signature"
		return parts
	}
	if p.waiting == "" {
		return parts
	}
	part := geminiapi.Part{Text: new(""), ThoughtSignature: new(p.waiting)}
	if e := (extension{Signature: beforeOutput}); p.Extension {
		e.addTo(&part)
	}
	p.waiting, p.separate, p.last = "", false, ""
	return append(parts, part)
}

// Keep keeps a step that is no part of the turn in the extension of a part that has nothing else,
// or reports it.
func (p *Parts) Keep(parts []geminiapi.Part, s *interactionsapi.Step,
	pointer string) []geminiapi.Part {
	return p.whole(p.flush(parts), s, pointer)
}
