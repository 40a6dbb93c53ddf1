package interactions

import (
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	wire "github.com/gemwire/gemwire/pkg/interactions"
	"github.com/go-json-experiment/json/jsontext"
)

// eventList is a sink that makes the events of a stream.
type eventList struct {
	out    []interactionsapi.StreamEvent
	memory *eventMemory // reused for the events of each push; nil if callers may keep events

	indexes [16]int // that events point to
	begun   int     // number of steps so far
	open    interactionsapi.StepType
}

// index returns a pointer to the number of the open step. For most streams it does not allocate.
func (l *eventList) index() *int {
	i := l.begun - 1
	if i >= len(l.indexes) {
		return new(i)
	}
	l.indexes[i] = i
	return &l.indexes[i]
}

func (l *eventList) begin(step *interactionsapi.Step) {
	s := l.newStep()
	*s = *step
	if s.Type == interactionsapi.StepTypeFunctionCall {
		s.Arguments = emptyObject
	}
	l.start(s)
}

func (l *eventList) beginEmpty(kind interactionsapi.StepType) {
	s := l.newStep()
	*s = interactionsapi.Step{Type: kind}
	l.start(s)
}

// start adds the start of a step.
func (l *eventList) start(s *interactionsapi.Step) {
	l.begun++
	l.open = s.Type
	l.out = append(l.out, interactionsapi.StreamEvent{
		EventType: interactionsapi.EventTypeStepStart, Index: l.index(), Step: s})
}

// emptyObject is never written to.
var emptyObject = jsontext.Value("{}")

// add adds a delta to the open step.
func (l *eventList) add(delta *interactionsapi.StepDelta) {
	l.out = append(l.out, interactionsapi.StreamEvent{
		EventType: interactionsapi.EventTypeStepDelta, Index: l.index(), Delta: delta})
}

func (l *eventList) text(text string) {
	p := l.newPiece(text)
	p.delta.Type, p.delta.Text = interactionsapi.DeltaTypeText, &p.text
	l.add(&p.delta)
}

func (l *eventList) thought(text string) {
	p := l.newPiece(text)
	p.content = interactionsapi.Content{Type: interactionsapi.ContentTypeText, Text: &p.text}
	p.delta.Type, p.delta.Content = interactionsapi.DeltaTypeThoughtSummary, &p.content
	l.add(&p.delta)
}

func (l *eventList) content(block *interactionsapi.Content) {
	p := l.newPiece("")
	if l.open == interactionsapi.StepTypeThought {
		p.content = *block
		p.delta.Type, p.delta.Content = interactionsapi.DeltaTypeThoughtSummary, &p.content
	} else {
		p.delta = interactionsapi.StepDelta{
			Type: interactionsapi.DeltaType(block.Type), Text: block.Text,
			Annotations: block.Annotations, Data: block.Data, URI: block.URI,
			MIMEType: block.MIMEType, Resolution: block.Resolution, Channels: block.Channels,
			SampleRate: block.SampleRate, Unknown: withProcessing(block),
		}
	}
	l.add(&p.delta)
}

// withProcessing returns the unknown members of a delta: those of its block, and how a model reads
// a video, which deltas of Google's types do not have.
func withProcessing(block *interactionsapi.Content) jsontext.Value {
	if block.Processing.IsZero() && block.Name == nil {
		return block.Unknown
	}
	value := encoded(interactionsapi.Content{Processing: block.Processing, Name: block.Name})
	return jsonx.MergeObjects(value, block.Unknown)
}

func (l *eventList) sign(signature string) {
	p := l.newPiece(signature)
	p.delta.Type, p.delta.Signature = interactionsapi.DeltaTypeThoughtSignature, &p.text
	l.add(&p.delta)
}

func (l *eventList) arguments(piece string) {
	quoted, err := jsontext.AppendQuote(nil, piece)
	if err != nil { // the text of JSON is valid UTF-8
		return
	}
	p := l.newPiece("")
	p.delta.Type, p.delta.Arguments = interactionsapi.DeltaTypeArgumentsDelta, quoted
	l.add(&p.delta)
}

func (l *eventList) payload(step *interactionsapi.Step) {
	p := l.newPiece("")
	p.delta = interactionsapi.StepDelta{
		Type: interactionsapi.DeltaType(step.Type), Arguments: step.Arguments, Result: step.Result,
		Signature: step.Signature, IsError: step.IsError, SearchType: step.SearchType,
		RetrievalType: step.RetrievalType,
	}
	l.add(&p.delta)
}

// annotate adds annotations, whose offsets count the bytes of all texts of the step.
func (l *eventList) annotate(text *outputText, annotations []interactionsapi.Annotation) {
	p := l.newPiece("")
	p.delta.Type = interactionsapi.DeltaTypeTextAnnotationDelta
	p.delta.Annotations = wire.MovedAnnotations(annotations, text.inStep)
	l.add(&p.delta)
}

func (l *eventList) end() {
	l.out = append(l.out, interactionsapi.StreamEvent{
		EventType: interactionsapi.EventTypeStepStop, Index: l.index()})
	l.open = ""
}

// created begins the stream.
func (l *eventList) created(of *interactionsapi.Interaction) {
	status := interactionsapi.InteractionStatusInProgress
	of.Status = status
	id := ""
	if of.ID != nil {
		id = *of.ID
	}
	l.out = append(l.out, interactionsapi.StreamEvent{
		EventType: interactionsapi.EventTypeInteractionCreated, Interaction: of,
	}, interactionsapi.StreamEvent{
		EventType:     interactionsapi.EventTypeInteractionStatusUpdate,
		InteractionID: &id, Status: &status,
	})
}

// completed ends the stream.
func (l *eventList) completed(of *interactionsapi.Interaction) {
	l.out = append(l.out, interactionsapi.StreamEvent{
		EventType: interactionsapi.EventTypeInteractionCompleted, Interaction: of})
}
