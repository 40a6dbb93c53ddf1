package interactions

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// Events returns the events of a stream with an interaction: an [Accumulator] makes the interaction
// of them. A server uses it to stream an interaction that it has as a whole. Each block of content
// and the arguments of each call are one delta. A running interaction has no interaction.completed.
//
// Interactions of an id get ids of events, "1", "2" and so on, so that a client can resume the
// stream after one.
func Events(r *interactionsapi.Interaction) []interactionsapi.StreamEvent {
	shown := *r
	shown.Steps, shown.Usage, shown.Errors = nil, nil, nil
	begin := shown
	begin.Status = interactionsapi.InteractionStatusInProgress
	begin.Created, begin.Updated, begin.ServiceTier, begin.ContinuationToken = nil, nil, nil, nil
	begin.Unknown = nil
	id := jsonx.Deref(r.ID)
	events := []interactionsapi.StreamEvent{
		{EventType: interactionsapi.EventTypeInteractionCreated, Interaction: &begin},
		{EventType: interactionsapi.EventTypeInteractionStatusUpdate, InteractionID: &id,
			Status: new(interactionsapi.InteractionStatusInProgress)},
	}
	for i := range r.Steps {
		events = appendStepEvents(events, &r.Steps[i], i)
	}
	if !isRunning(r.Status) {
		shown.Usage, shown.Errors = r.Usage, r.Errors
		events = append(events, interactionsapi.StreamEvent{
			EventType:   interactionsapi.EventTypeInteractionCompleted,
			Interaction: &shown,
		})
	}
	if id != "" {
		for i := range events {
			events[i].EventID = new(strconv.Itoa(i + 1))
		}
	}
	return events
}

// isRunning reports whether an interaction has not ended.
func isRunning(status interactionsapi.InteractionStatus) bool {
	return status == interactionsapi.InteractionStatusInProgress ||
		status == interactionsapi.InteractionStatusQueued
}

// appendStepEvents appends the events of a step.
func appendStepEvents(events []interactionsapi.StreamEvent, s *interactionsapi.Step,
	index int) []interactionsapi.StreamEvent {
	start := *s
	deltas := stepDeltas(s, &start)
	events = append(events, interactionsapi.StreamEvent{
		EventType: interactionsapi.EventTypeStepStart, Index: &index, Step: &start})
	for i := range deltas {
		events = append(events, interactionsapi.StreamEvent{
			EventType: interactionsapi.EventTypeStepDelta, Index: &index, Delta: &deltas[i]})
	}
	return append(events, interactionsapi.StreamEvent{
		EventType: interactionsapi.EventTypeStepStop, Index: &index})
}

// stepDeltas returns the deltas of a step. It removes from start what they have.
func stepDeltas(s, start *interactionsapi.Step) (deltas []interactionsapi.StepDelta) {
	switch s.Type {
	case interactionsapi.StepTypeThought:
		for i := range s.Summary {
			deltas = append(deltas, interactionsapi.StepDelta{
				Type: interactionsapi.DeltaTypeThoughtSummary, Content: &s.Summary[i]})
		}
		if jsonx.Deref(s.Signature) != "" {
			deltas = append(deltas, interactionsapi.StepDelta{
				Type: interactionsapi.DeltaTypeThoughtSignature, Signature: s.Signature})
		}
		start.Summary, start.Signature = nil, nil
	case interactionsapi.StepTypeModelOutput:
		if !isStreamable(ContentOf(s)) {
			return nil
		}
		for _, c := range ContentOf(s) {
			deltas = appendContentDeltas(deltas, &c)
		}
		start.Content = interactionsapi.Step{}.Content
	case interactionsapi.StepTypeFunctionCall:
		if s.Arguments != nil {
			text, err := jsontext.AppendQuote(nil, string(s.Arguments))
			if err != nil { // arguments that are not UTF-8, which no decoder returns
				return nil
			}
			deltas = append(deltas, interactionsapi.StepDelta{
				Type: interactionsapi.DeltaTypeArgumentsDelta, Arguments: text})
			start.Arguments = jsontext.Value("{}")
		}
	case interactionsapi.StepTypeUserInput:
	default:
		deltas = toolDeltas(s, start)
	}
	return deltas
}

// isStreamable reports whether deltas can have content: two texts after each other would be one.
func isStreamable(content []interactionsapi.Content) bool {
	for i := range content {
		c := &content[i]
		isText := c.Type == interactionsapi.ContentTypeText
		if isText && (i > 0 && content[i-1].Type == c.Type || c.Unknown != nil || c.Text == nil) {
			return false
		}
		if !isText && (!contentTypes[c.Type] || c.Name != nil || !c.Processing.IsZero()) {
			return false
		}
	}
	return len(content) > 0
}

// appendContentDeltas appends the deltas of a block.
func appendContentDeltas(deltas []interactionsapi.StepDelta,
	c *interactionsapi.Content) []interactionsapi.StepDelta {
	if c.Type != interactionsapi.ContentTypeText {
		return append(deltas, interactionsapi.StepDelta{Type: interactionsapi.DeltaType(c.Type),
			Data: c.Data, URI: c.URI, MIMEType: c.MIMEType, Resolution: c.Resolution,
			Channels: c.Channels, SampleRate: c.SampleRate, Unknown: c.Unknown})
	}
	deltas = append(deltas, interactionsapi.StepDelta{Type: interactionsapi.DeltaTypeText,
		Text: c.Text})
	if c.Annotations == nil {
		return deltas
	}
	begin := 0 // annotations count the bytes of all texts of the step
	for i := range deltas[:len(deltas)-1] {
		begin += len(jsonx.Deref(deltas[i].Text))
	}
	moved := make([]interactionsapi.Annotation, len(c.Annotations))
	for i, a := range c.Annotations {
		if begin > 0 && a.StartIndex != nil {
			a.StartIndex = new(*a.StartIndex + begin)
		}
		if begin > 0 && a.EndIndex != nil {
			a.EndIndex = new(*a.EndIndex + begin)
		}
		moved[i] = a
	}
	return append(deltas, interactionsapi.StepDelta{
		Type: interactionsapi.DeltaTypeTextAnnotationDelta, Annotations: moved})
}

// toolDeltas returns the delta of a tool that Google runs: its payload comes whole.
func toolDeltas(s, start *interactionsapi.Step) []interactionsapi.StepDelta {
	d := interactionsapi.StepDelta{Type: interactionsapi.DeltaType(s.Type)}
	if !d.Type.Valid() {
		return nil
	}
	d.Arguments, d.Result, d.IsError = s.Arguments, s.Result, s.IsError
	d.SearchType, d.RetrievalType = s.SearchType, s.RetrievalType
	if jsonx.Deref(s.Signature) != "" {
		d.Signature = s.Signature
	}
	start.Arguments, start.Result, start.IsError, start.Signature = nil, nil, nil, nil
	start.SearchType, start.RetrievalType = nil, nil
	return []interactionsapi.StepDelta{d}
}
