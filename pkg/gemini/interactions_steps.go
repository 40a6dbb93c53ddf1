package gemini

import (
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/interactions"
)

// joinedSteps joins the events of an interaction that comes in several streams to one stream, as
// [interactions.Join] joins whole replies. Each stream counts its steps from 0. The first
// step of a later stream may continue the last step of the stream before it:
//
//	step.stop of an output or a thought   held until the next event
//	the next stream begins with a step    the held event and step.start are left out,
//	that continues the last one           and both steps have one index
//	any other event                       the held event comes first
//	the last step has not stopped         a step.stop is made before the next step.start
type joinedSteps struct {
	earlier int // number of steps of the streams before this one
	count   int // number of steps of this stream
	isLater bool
	last    streamedStep
	held    *interactionsapi.StreamEvent // the step.stop of the last step
}

// streamedStep is the step that began last.
type streamedStep struct {
	step   interactionsapi.Step // its type, its signature and its error
	index  int                  // in its stream
	isOpen bool                 // it has not stopped, or its step.stop is held
	length int                  // of its texts, in bytes
	moved  int                  // by which offsets count from an earlier byte
}

// push returns the events that the caller gets for an event.
func (j *joinedSteps) push(e *interactionsapi.StreamEvent) []*interactionsapi.StreamEvent {
	switch e.EventType {
	case interactionsapi.EventTypeStepStart:
		if e.Step != nil {
			return j.start(e)
		}
	case interactionsapi.EventTypeStepDelta:
		j.extend(e)
	case interactionsapi.EventTypeStepStop:
		if jsonx.Deref(e.Index) != j.last.index || !j.last.isOpen {
			break
		}
		if interactions.Continues(&j.last.step, &j.last.step) {
			j.held = j.number(e)
			return nil
		}
		j.last.isOpen = false
	}
	return append(j.release(), j.number(e))
}

// next begins the next stream.
func (j *joinedSteps) next() {
	j.earlier, j.count, j.isLater = j.earlier+j.count, 0, true
}

// number gives an event the index of its step in the interaction.
func (j *joinedSteps) number(e *interactionsapi.StreamEvent) *interactionsapi.StreamEvent {
	if e.Index != nil && j.earlier > 0 {
		e.Index = new(*e.Index + j.earlier)
	}
	return e
}

// release returns the end of the last step, if it is due.
func (j *joinedSteps) release() []*interactionsapi.StreamEvent {
	held := j.held
	j.held = nil
	switch {
	case held != nil:
		j.last.isOpen = false
		return []*interactionsapi.StreamEvent{held}
	case j.isLater && j.count == 0 && j.last.isOpen: // its stream broke off
		j.last.isOpen = false
		return []*interactionsapi.StreamEvent{{EventType: interactionsapi.EventTypeStepStop,
			Index: new(j.earlier - 1)}}
	default:
		return nil
	}
}

// start begins a step, or continues the last one.
func (j *joinedSteps) start(e *interactionsapi.StreamEvent) []*interactionsapi.StreamEvent {
	if out, ok := j.resume(e); ok {
		return out
	}
	out := j.release()
	index := jsonx.Deref(e.Index)
	j.count = max(j.count, index+1)
	j.last = streamedStep{index: index, isOpen: true, length: lengthOf(e.Step),
		step: interactionsapi.Step{Type: e.Step.Type, Signature: e.Step.Signature,
			Error: e.Step.Error}}
	return append(out, j.number(e))
}

// resume continues the last step with the first step of a later stream. It returns the content with
// which that step begins as deltas. ok is false if the step does not continue the last one.
func (j *joinedSteps) resume(e *interactionsapi.StreamEvent) (out []*interactionsapi.StreamEvent,
	ok bool) {
	isFirst := j.isLater && j.count == 0 && jsonx.Deref(e.Index) == 0
	if !isFirst || !j.last.isOpen || !interactions.Continues(&j.last.step, e.Step) {
		return nil, false
	}
	events := interactions.Events(&interactionsapi.Interaction{
		Steps: []interactionsapi.Step{*e.Step}})
	for i := range events {
		rest := jsonx.Deref(events[i].Step)
		if rest.Type = ""; !rest.IsEmpty() { // a member that no delta has
			return nil, false
		}
	}
	j.held = nil
	j.earlier, j.count = j.earlier-1, 1
	j.last.index, j.last.moved = 0, j.last.length
	for i := range events {
		if events[i].EventType == interactionsapi.EventTypeStepDelta {
			j.extend(&events[i])
			out = append(out, j.number(&events[i]))
		}
	}
	return out, true
}

// extend takes what a delta says about the last step.
func (j *joinedSteps) extend(e *interactionsapi.StreamEvent) {
	if e.Delta == nil || jsonx.Deref(e.Index) != j.last.index {
		return
	}
	if j.last.moved > 0 && len(e.Delta.Annotations) > 0 {
		own := *e.Delta
		own.Annotations = interactions.MovedAnnotations(own.Annotations, j.last.moved)
		e.Delta = &own
	}
	switch interactions.DeltaType(e.Delta, j.last.step.Type) {
	case interactionsapi.DeltaTypeText:
		j.last.length += len(jsonx.Deref(e.Delta.Text))
	case interactionsapi.DeltaTypeThoughtSignature:
		if jsonx.Deref(e.Delta.Signature) != "" {
			j.last.step.Signature = e.Delta.Signature
		}
	}
}

// lengthOf returns the bytes of the texts of a step.
func lengthOf(s *interactionsapi.Step) int {
	length := 0
	for _, block := range interactions.ContentOf(s) {
		if block.Type == interactionsapi.ContentTypeText {
			length += len(jsonx.Deref(block.Text))
		}
	}
	return length
}
