package interactions

import (
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// sink takes the steps of an interaction piece by piece. One step is open at a time. A sink makes
// either the list of steps or the events of a stream.
type sink interface {
	// begin opens a step. It takes the members that are not given by other methods.
	begin(step *interactionsapi.Step)
	// beginEmpty opens a step that has only a type so far.
	beginEmpty(kind interactionsapi.StepType)
	// text adds a text to a model_output.
	text(text string)
	// content adds a block to a model_output, or to the summary of a thought.
	content(block *interactionsapi.Content)
	// thought adds a text to the summary of a thought.
	thought(text string)
	// sign signs a thought, as its last piece.
	sign(signature string)
	// arguments adds a piece of the arguments of a function call.
	arguments(piece string)
	// payload adds what Google's tools say about a call or a result.
	payload(step *interactionsapi.Step)
	// annotate adds annotations to a text.
	annotate(text *outputText, annotations []interactionsapi.Annotation)
	// end closes the step.
	end()
}

// stepList is a sink that makes a list of steps.
type stepList struct {
	steps []interactionsapi.Step
	// blocks are the content or the summary of the last step.
	blocks []interactionsapi.Content
	pieces []byte // of arguments
}

func (l *stepList) last() *interactionsapi.Step { return &l.steps[len(l.steps)-1] }

func (l *stepList) begin(step *interactionsapi.Step) {
	l.steps = append(l.steps, *step)
	l.blocks, l.pieces = nil, nil
}

func (l *stepList) beginEmpty(kind interactionsapi.StepType) {
	l.steps = append(l.steps, interactionsapi.Step{Type: kind})
	l.blocks, l.pieces = nil, nil
}

func (l *stepList) text(text string) {
	if l.blocks != nil {
		l.blocks = append(l.blocks, interactionsapi.Content{
			Type: interactionsapi.ContentTypeText, Text: &text})
		return
	}
	first := &struct { // one allocation
		blocks [1]interactionsapi.Content
		text   string
	}{text: text}
	first.blocks[0] = interactionsapi.Content{Type: interactionsapi.ContentTypeText,
		Text: &first.text}
	l.blocks = first.blocks[:]
}

func (l *stepList) content(block *interactionsapi.Content) { l.blocks = append(l.blocks, *block) }

func (l *stepList) thought(text string) { l.text(text) }

func (l *stepList) sign(signature string) { l.last().Signature = &signature }

func (l *stepList) arguments(piece string) { l.pieces = append(l.pieces, piece...) }

func (l *stepList) payload(step *interactionsapi.Step) {
	s := l.last()
	s.Arguments, s.Result, s.Signature = step.Arguments, step.Result, step.Signature
	s.IsError, s.SearchType, s.RetrievalType = step.IsError, step.SearchType, step.RetrievalType
}

func (l *stepList) annotate(text *outputText, annotations []interactionsapi.Annotation) {
	block := &l.blocks[text.block]
	block.Annotations = append(block.Annotations, annotations...)
}

func (l *stepList) end() {
	s := l.last()
	switch {
	case s.Type == interactionsapi.StepTypeThought:
		s.Summary = l.blocks
	case s.Type == interactionsapi.StepTypeFunctionCall:
		s.Arguments = l.pieces
	case l.blocks != nil:
		s.Content = wiretype.ValueOf(l.blocks)
	}
	l.blocks = nil
}

// payloadOf returns the members of a step that come in a delta, and those with which the step
// begins. A step of a type without a delta begins with all of them.
func payloadOf(step *interactionsapi.Step) (begin, payload interactionsapi.Step) {
	begin = *step
	if !interactionsapi.DeltaType(step.Type).Valid() {
		return begin, interactionsapi.Step{}
	}
	payload = interactionsapi.Step{Type: step.Type, Arguments: step.Arguments, Result: step.Result,
		Signature: step.Signature, IsError: step.IsError, SearchType: step.SearchType,
		RetrievalType: step.RetrievalType}
	begin.Arguments, begin.Result, begin.Signature, begin.IsError = nil, nil, nil, nil
	begin.SearchType, begin.RetrievalType = nil, nil
	return begin, payload
}

// isEmptyPayload reports whether a delta would say nothing.
func isEmptyPayload(p *interactionsapi.Step) bool {
	return p.Arguments == nil && p.Result == nil && jsonx.Deref(p.Signature) == "" &&
		p.IsError == nil && p.SearchType == nil && p.RetrievalType == nil
}
