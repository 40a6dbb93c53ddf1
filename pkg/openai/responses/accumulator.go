package responses

import (
	"fmt"
	"slices"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// Accumulator builds a response from the events of a stream, like OpenAI's clients. It appends
// items, parts and pieces of text as they arrive, and replaces each with the whole one when an
// event has it. The zero value is ready to use. It is not safe for use by several goroutines.
type Accumulator struct {
	response openaiapi.Response
	started  bool
	ended    bool
	items    []openaiapi.ResponseItem
	text     []byte // the accumulated text
	grows    growing
	isStale  bool // the item or part does not have all of text yet
}

// growing selects the text of the last item to which pieces are appended.
type growing uint8

const (
	growsNothing growing = iota
	growsArguments
	growsInput
	growsCode
	growsText    // of the last content part
	growsRefusal // of the last content part
	growsSummary // of the last part of the summary
)

// growth has the text to which each type of piece is appended. It is never modified.
var growth = map[openaiapi.ResponseEventType]growing{
	openaiapi.ResponseEventTypeFunctionCallArgumentsDelta:   growsArguments,
	openaiapi.ResponseEventTypeMCPCallArgumentsDelta:        growsArguments,
	openaiapi.ResponseEventTypeCustomToolCallInputDelta:     growsInput,
	openaiapi.ResponseEventTypeCodeInterpreterCallCodeDelta: growsCode,
	openaiapi.ResponseEventTypeOutputTextDelta:              growsText,
	openaiapi.ResponseEventTypeReasoningTextDelta:           growsText,
	openaiapi.ResponseEventTypeRefusalDelta:                 growsRefusal,
	openaiapi.ResponseEventTypeReasoningSummaryTextDelta:    growsSummary,
}

// Push adds an event. It returns an *[Error] for an event of type error. It also returns an error
// if clients cannot place the event: before response.created, or for an item or part that is not
// the last. An event that Push refuses changes nothing.
func (a *Accumulator) Push(e *openaiapi.ResponseEvent) error {
	switch e.Type {
	case openaiapi.ResponseEventTypeError:
		return failureOf(e)
	case openaiapi.ResponseEventTypeCreated, openaiapi.ResponseEventTypeInProgress,
		openaiapi.ResponseEventTypeQueued,
		openaiapi.ResponseEventTypeCompleted, openaiapi.ResponseEventTypeIncomplete, openaiapi.ResponseEventTypeFailed:
		return a.replace(e)
	case openaiapi.ResponseEventTypeKeepalive:
		return nil
	case openaiapi.ResponseEventTypeOutputItemAdded:
		return a.beginItem(e)
	}
	switch {
	case e.OutputIndex == nil && a.started:
		return nil // of an unknown type
	case e.OutputIndex == nil || len(a.items) == 0 || *e.OutputIndex != len(a.items)-1:
		return misplaced(e)
	}
	return a.extend(&a.items[len(a.items)-1], e)
}

// Response returns the response so far, which later events change. Before response.created it is
// empty. After a terminal event it is the response of that event. If that response has no items, as
// from servers that omit the output, it gets the items of the stream.
func (a *Accumulator) Response() *openaiapi.Response {
	out := a.response
	if !a.ended || len(out.Output) == 0 && len(a.items) > 0 {
		out.Output = a.Items()
	}
	return &out
}

// Items returns the items from the events before the terminal event.
func (a *Accumulator) Items() []openaiapi.ResponseItem {
	a.settle()
	return slices.Clone(a.items)
}

func misplaced(e *openaiapi.ResponseEvent) error {
	return fmt.Errorf("responses: unexpected event of type %s", e.Type)
}

func (a *Accumulator) replace(e *openaiapi.ResponseEvent) error {
	if isCreated := e.Type == openaiapi.ResponseEventTypeCreated; e.Response == nil ||
		isCreated == a.started || a.ended {
		return misplaced(e)
	}
	a.started, a.ended = true, IsTerminal(e.Type)
	a.response = *e.Response
	return nil
}

func (a *Accumulator) beginItem(e *openaiapi.ResponseEvent) error {
	if !a.started || e.Item == nil || e.OutputIndex == nil || *e.OutputIndex != len(a.items) {
		return misplaced(e)
	}
	a.settle()
	item := *e.Item
	item.Summary = slices.Clone(item.Summary)
	if content, isList := item.Content.AsValue(); isList {
		item.Content = wiretype.ValueOf(slices.Clone(content))
	}
	a.items = append(a.items, item)
	a.begin()
	return nil
}

// begin resets the text of the previous item or part.
func (a *Accumulator) begin() { a.text, a.grows = a.text[:0], growsNothing }

// extend adds an event to the last item.
func (a *Accumulator) extend(item *openaiapi.ResponseItem, e *openaiapi.ResponseEvent) error {
	if grows := growth[e.Type]; grows != growsNothing {
		return a.grow(item, e, grows)
	}
	a.settle()
	switch e.Type {
	case openaiapi.ResponseEventTypeOutputItemDone:
		if e.Item == nil {
			return misplaced(e)
		}
		*item = *e.Item
	case openaiapi.ResponseEventTypeFunctionCallArgumentsDone,
		openaiapi.ResponseEventTypeMCPCallArgumentsDone:
		if e.Arguments != nil {
			item.Arguments = wiretype.StringOf[jsonValue](*e.Arguments)
		}
	case openaiapi.ResponseEventTypeCustomToolCallInputDone:
		item.Input = e.Input
	case openaiapi.ResponseEventTypeCodeInterpreterCallCodeDone:
		item.Code = e.Code
	default:
		return a.extendParts(item, e)
	}
	return nil
}

// grow appends a piece to its text.
func (a *Accumulator) grow(item *openaiapi.ResponseItem, e *openaiapi.ResponseEvent,
	grows growing) error {
	index, parts := e.ContentIndex, item.Summary
	switch grows {
	case growsSummary:
		index = e.SummaryIndex
	case growsText, growsRefusal:
		parts, _ = item.Content.AsValue()
	default:
		index, parts = new(0), make([]openaiapi.ResponseContentPart, 1) // one text, without parts
	}
	if index == nil || len(parts) == 0 || *index != len(parts)-1 {
		return misplaced(e)
	}
	piece, _ := e.Delta.AsString()
	a.text = append(a.text, piece...)
	a.grows, a.isStale = grows, true
	if last := &parts[len(parts)-1]; len(e.Logprobs) > 0 {
		last.Logprobs = append(last.Logprobs, e.Logprobs...)
	}
	return nil
}

// settle stores the accumulated text in the item or part.
func (a *Accumulator) settle() {
	if !a.isStale {
		return
	}
	a.isStale = false
	item, text := &a.items[len(a.items)-1], string(a.text)
	content, _ := item.Content.AsValue()
	switch a.grows {
	case growsArguments:
		item.Arguments = wiretype.StringOf[jsonValue](text)
	case growsInput:
		item.Input = &text
	case growsCode:
		item.Code = &text
	case growsText:
		content[len(content)-1].Text = &text
	case growsRefusal:
		content[len(content)-1].Refusal = &text
	case growsSummary:
		item.Summary[len(item.Summary)-1].Text = &text
	}
}

// extendParts adds an event to the content or the summary of an item.
func (a *Accumulator) extendParts(item *openaiapi.ResponseItem, e *openaiapi.ResponseEvent) error {
	content, _ := item.Content.AsValue()
	switch {
	case e.SummaryIndex != nil:
		parts, err := a.withEvent(item.Summary, *e.SummaryIndex, e)
		if err == nil {
			item.Summary = parts
		}
		return err
	case e.ContentIndex != nil:
		parts, err := a.withEvent(content, *e.ContentIndex, e)
		if err == nil {
			item.Content = wiretype.ValueOf(parts)
		}
		return err
	}
	return nil // a step of a call, or an unknown type
}

// withEvent returns parts with the addition of an event.
func (a *Accumulator) withEvent(parts []openaiapi.ResponseContentPart, index int,
	e *openaiapi.ResponseEvent) ([]openaiapi.ResponseContentPart, error) {
	switch {
	case e.Type == openaiapi.ResponseEventTypeContentPartAdded,
		e.Type == openaiapi.ResponseEventTypeReasoningSummaryPartAdded:
		if e.Part == nil || index != len(parts) {
			return nil, misplaced(e)
		}
		a.begin()
		part := *e.Part
		part.Annotations, part.Logprobs = slices.Clone(part.Annotations),
			slices.Clone(part.Logprobs)
		return append(parts, part), nil
	case index != len(parts)-1:
		return nil, misplaced(e)
	}
	extendPart(&parts[index], e)
	return parts, nil
}

func extendPart(part *openaiapi.ResponseContentPart, e *openaiapi.ResponseEvent) {
	switch {
	case e.Part != nil:
		*part = *e.Part
	case e.Annotation != nil:
		part.Annotations = append(part.Annotations, *e.Annotation)
	case e.Text != nil:
		part.Text = e.Text
	case e.Refusal != nil:
		part.Refusal = e.Refusal
	}
}
