package interactions

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// Events returns stream events for a complete interaction. An [Accumulator] makes the same
// interaction from them. A server uses Events to stream an interaction that it has as a whole.
//
// Each block of content and the arguments of each call are one delta. A running interaction has no
// interaction.completed.
//
// If the interaction has an id, the events get the ids "1", "2" and so on. A client can then resume
// the stream after any event.
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
	if !IsRunning(r.Status) {
		shown.Usage, shown.Errors = r.Usage, r.Errors
		if len(r.Steps) == 0 {
			shown.Steps = r.Steps // an empty list is not an absent one
		}
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

// IsRunning reports whether an interaction with a status has not ended.
func IsRunning(status interactionsapi.InteractionStatus) bool {
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
		if len(s.Summary) > 0 && !hasTextsInARow(s.Summary) {
			for i := range s.Summary {
				deltas = append(deltas, interactionsapi.StepDelta{
					Type: interactionsapi.DeltaTypeThoughtSummary, Content: &s.Summary[i]})
			}
			start.Summary = nil
		}
		if jsonx.Deref(s.Signature) != "" {
			deltas = append(deltas, interactionsapi.StepDelta{
				Type: interactionsapi.DeltaTypeThoughtSignature, Signature: s.Signature})
		}
		start.Signature = nil
	case interactionsapi.StepTypeModelOutput:
		content, _ := s.Content.AsValue() // a text in its place stays in the start
		if !isStreamable(content) {
			return nil
		}
		for _, c := range content {
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

// isStreamable reports whether deltas can have content. Two texts after each other would be one,
// and so would two pieces of raw audio.
func isStreamable(content []interactionsapi.Content) bool {
	texts := 0
	for i := range content {
		if content[i].Type == interactionsapi.ContentTypeText {
			texts++
		}
	}
	for i := range content {
		c := &content[i]
		if i > 0 && content[i-1].Type == c.Type && isJoined(c.Type) {
			return false
		}
		if c.Type == interactionsapi.ContentTypeText {
			if !isPlainText(c) || texts > 1 && !hasOwnOffsets(c) {
				return false
			}
		} else if !isPlainMedia(c) {
			return false
		}
	}
	return len(content) > 0
}

// isJoined reports whether an [Accumulator] joins blocks of a type.
func isJoined(t interactionsapi.ContentType) bool {
	return t == interactionsapi.ContentTypeText || t == interactionsapi.ContentTypeAudio
}

// isPlainText reports whether a text has the members of its deltas only.
func isPlainText(c *interactionsapi.Content) bool {
	return c.Text != nil && (c.Annotations == nil || len(c.Annotations) > 0) && c.Data == nil &&
		c.URI == nil && c.MIMEType == nil && c.Resolution == nil && c.Channels == nil &&
		c.SampleRate == nil && hasNoOther(c) && c.Unknown == nil
}

// hasOwnOffsets reports whether the offsets of all annotations say which of several texts they
// belong to.
func hasOwnOffsets(c *interactionsapi.Content) bool {
	for i := range c.Annotations {
		begin := c.Annotations[i].StartIndex
		if begin == nil || *begin < 0 || *begin >= len(*c.Text) {
			return false
		}
	}
	return true
}

// isPlainMedia reports whether media have the members of their delta only.
func isPlainMedia(c *interactionsapi.Content) bool {
	return contentTypes[c.Type] && c.Text == nil && c.Annotations == nil && hasNoOther(c)
}

// hasNoOther reports whether a block has no members that no delta has.
func hasNoOther(c *interactionsapi.Content) bool {
	return c.Name == nil && c.Processing.IsZero() && c.CallID == nil && c.Result == nil &&
		c.IsError == nil
}

// hasTextsInARow reports whether there are two texts after each other.
func hasTextsInARow(content []interactionsapi.Content) bool {
	for i := 1; i < len(content); i++ {
		if content[i].Type == interactionsapi.ContentTypeText &&
			content[i-1].Type == interactionsapi.ContentTypeText {
			return true
		}
	}
	return false
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
	return append(deltas, interactionsapi.StepDelta{
		Type:        interactionsapi.DeltaTypeTextAnnotationDelta,
		Annotations: MovedAnnotations(c.Annotations, begin)})
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
