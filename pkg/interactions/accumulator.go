package interactions

import (
	"fmt"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
)

// Accumulator builds an interaction from the events of a stream. It joins the pieces of texts,
// summaries and arguments. Media and the payloads of tools come whole. Of token counts, the last
// wins. Steps keep the order in which they began. The zero value is ready to use. It is not safe
// for use by several goroutines.
type Accumulator struct {
	interaction interactionsapi.Interaction
	steps       []*buildingStep
	started     bool
}

// Push adds an event. An absent index is 0. Push returns an *[Error] for an event of type error. It
// also returns an error for a step event that belongs to no open step. An event that Push refuses
// changes nothing.
//
// A second interaction.created begins again: a server replays the events from the beginning after a
// stream was resumed without the id of an event.
func (a *Accumulator) Push(e *interactionsapi.StreamEvent) error {
	switch e.EventType {
	case interactionsapi.EventTypeInteractionCreated:
		*a = Accumulator{started: true}
		a.overlay(e.Interaction)
	case interactionsapi.EventTypeStepStart:
		return a.begin(e)
	case interactionsapi.EventTypeStepDelta:
		return a.extend(e)
	case interactionsapi.EventTypeStepStop:
		return a.end(e)
	case interactionsapi.EventTypeInteractionCompleted:
		a.overlay(e.Interaction)
	case interactionsapi.EventTypeError:
		body := interactionsapi.ErrorResponse{}
		if e.Error != nil {
			body.Error = *e.Error
		}
		return &Error{Response: body}
	default: // a change of the status, whatever its name
		a.update(e)
	}
	return nil
}

// Interaction returns the interaction so far, which later events change. Before the end of a call,
// its arguments may be a part of a JSON object, which cannot be encoded.
func (a *Accumulator) Interaction() *interactionsapi.Interaction {
	if len(a.steps) > 0 {
		a.interaction.Steps = make([]interactionsapi.Step, len(a.steps))
		for i, s := range a.steps {
			a.interaction.Steps[i] = s.build()
		}
	}
	return &a.interaction
}

// overlay takes the members of an interaction in an event. Steps in an event are taken only if
// there were no step events.
func (a *Accumulator) overlay(later *interactionsapi.Interaction) {
	if later == nil {
		return
	}
	before := a.interaction
	a.interaction = *later
	keepEarlier(&a.interaction, &before)
}

// keepEarlier gives an interaction the members of an earlier event that it does not have. An event
// repeats nothing but id, status and model, and the token counts of an earlier event stay.
func keepEarlier(out, before *interactionsapi.Interaction) {
	jsonx.Keep(&out.ID, before.ID)
	jsonx.Keep(&out.Usage, before.Usage)
	jsonx.Keep(&out.Created, before.Created)
	jsonx.Keep(&out.Updated, before.Updated)
	jsonx.Keep(&out.ServiceTier, before.ServiceTier)
	jsonx.Keep(&out.Object, before.Object)
	jsonx.Keep(&out.Model, before.Model)
	jsonx.Keep(&out.Agent, before.Agent)
	jsonx.Keep(&out.EnvironmentID, before.EnvironmentID)
	jsonx.Keep(&out.ContinuationToken, before.ContinuationToken)
	jsonx.Keep(&out.PreviousInteractionID, before.PreviousInteractionID)
	if out.Status == "" {
		out.Status = before.Status
	}
	if out.Steps == nil {
		out.Steps = before.Steps
	}
	if out.Errors == nil {
		out.Errors = before.Errors
	}
	out.Unknown = jsonx.MergeObjects(before.Unknown, out.Unknown)
}

// update applies a change of the status.
func (a *Accumulator) update(e *interactionsapi.StreamEvent) {
	if e.Status != nil {
		a.interaction.Status = *e.Status
	}
	jsonx.Replace(&a.interaction.Usage, e.Usage)
	jsonx.Replace(&a.interaction.ContinuationToken, e.ContinuationToken)
	if e.Interaction != nil {
		a.overlay(e.Interaction)
	}
}

func misplaced(e *interactionsapi.StreamEvent) error {
	return fmt.Errorf("interactions: unexpected event of type %s", e.EventType)
}

func (a *Accumulator) begin(e *interactionsapi.StreamEvent) error {
	index := jsonx.Deref(e.Index)
	if e.Step == nil || a.open(index) != nil {
		return misplaced(e)
	}
	a.steps = append(a.steps, newBuildingStep(index, e.Step))
	return nil
}

// open returns the open step with an index, or nil. The last step is the most likely one.
func (a *Accumulator) open(index int) *buildingStep {
	for i := len(a.steps) - 1; i >= 0; i-- {
		if s := a.steps[i]; s.index == index && !s.ended {
			return s
		}
	}
	return nil
}

func (a *Accumulator) extend(e *interactionsapi.StreamEvent) error {
	step := a.open(jsonx.Deref(e.Index))
	if step == nil || e.Delta == nil {
		return misplaced(e)
	}
	if e.Metadata != nil {
		jsonx.Replace(&a.interaction.Usage, e.Metadata.Usage)
		jsonx.Replace(&a.interaction.Usage, e.Metadata.TotalUsage)
	}
	step.add(e.Delta)
	return nil
}

func (a *Accumulator) end(e *interactionsapi.StreamEvent) error {
	step := a.open(jsonx.Deref(e.Index))
	if step == nil {
		return misplaced(e)
	}
	jsonx.Replace(&a.interaction.Usage, e.Usage)
	step.ended = true
	return nil
}
