package responses

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/openaiapi"
)

// extendItem checks an event against the part of the open item that it continues.
func (s *Sequence) extendItem(e *openaiapi.ResponseEvent) {
	open := s.open
	switch e.Type {
	case openaiapi.ResponseEventTypeContentPartAdded:
		open.content = s.beginPart(open.content, e, "content_index", e.ContentIndex)
	case openaiapi.ResponseEventTypeReasoningSummaryPartAdded:
		open.summary = s.beginPart(open.summary, e, "summary_index", e.SummaryIndex)
	case openaiapi.ResponseEventTypeContentPartDone:
		s.endPart(s.lastPart(open.content, "content_index", e.ContentIndex), e)
	case openaiapi.ResponseEventTypeReasoningSummaryPartDone:
		s.endPart(s.lastPart(open.summary, "summary_index", e.SummaryIndex), e)
	case openaiapi.ResponseEventTypeOutputTextAnnotationAdded:
		s.annotate(s.lastPart(open.content, "content_index", e.ContentIndex), e)
	case openaiapi.ResponseEventTypeOutputTextDelta, openaiapi.ResponseEventTypeRefusalDelta,
		openaiapi.ResponseEventTypeReasoningTextDelta:
		s.extendPart(s.lastPart(open.content, "content_index", e.ContentIndex), e)
	case openaiapi.ResponseEventTypeReasoningSummaryTextDelta:
		s.extendPart(s.lastPart(open.summary, "summary_index", e.SummaryIndex), e)
	case openaiapi.ResponseEventTypeOutputTextDone, openaiapi.ResponseEventTypeReasoningTextDone:
		s.wholePart(s.lastPart(open.content, "content_index", e.ContentIndex), "/text", e.Text)
	case openaiapi.ResponseEventTypeRefusalDone:
		s.wholePart(s.lastPart(open.content, "content_index", e.ContentIndex), "/refusal",
			e.Refusal)
	case openaiapi.ResponseEventTypeReasoningSummaryTextDone:
		s.wholePart(s.lastPart(open.summary, "summary_index", e.SummaryIndex), "/text", e.Text)
	default:
		s.extendText(e)
	}
}

// extendText checks an event of an item with one text instead of parts.
func (s *Sequence) extendText(e *openaiapi.ResponseEvent) {
	switch e.Type {
	case openaiapi.ResponseEventTypeFunctionCallArgumentsDelta,
		openaiapi.ResponseEventTypeMCPCallArgumentsDelta,
		openaiapi.ResponseEventTypeCustomToolCallInputDelta, openaiapi.ResponseEventTypeCodeInterpreterCallCodeDelta:
		s.want(s.open.whole == nil, "", "order", "must not follow the whole text")
		piece, _ := e.Delta.AsString()
		s.open.pieces = append(s.open.pieces, piece...)
	case openaiapi.ResponseEventTypeFunctionCallArgumentsDone,
		openaiapi.ResponseEventTypeMCPCallArgumentsDone:
		s.open.whole = s.wholeText("/arguments", s.open.pieces, e.Arguments)
	case openaiapi.ResponseEventTypeCustomToolCallInputDone:
		s.open.whole = s.wholeText("/input", s.open.pieces, e.Input)
	case openaiapi.ResponseEventTypeCodeInterpreterCallCodeDone:
		s.open.whole = s.wholeText("/code", s.open.pieces, e.Code)
	}
}

// wholeText checks a text against its pieces and returns it.
func (s *Sequence) wholeText(member string, pieces []byte, text *string) *string {
	if text == nil {
		return new(string(pieces))
	}
	s.want(*text == string(pieces), member, "text", "must equal the joined pieces")
	return text
}

func (s *Sequence) beginPart(parts []openPart, e *openaiapi.ResponseEvent, index string,
	position *int) []openPart {
	s.want(len(parts) == 0 || parts[len(parts)-1].closed, "", "order",
		"must not be within another part")
	s.want(position == nil || *position == len(parts), "/"+index, "index",
		"must be "+strconv.Itoa(len(parts))+", the number of earlier parts")
	part := openPart{}
	if e.Part != nil {
		part.kind = e.Part.Type
		s.want(e.Part.Text == nil || *e.Part.Text == "", "/part/text", "item", "must be empty")
	}
	return append(parts, part)
}

// lastPart returns the open part of a list, or nil.
func (s *Sequence) lastPart(parts []openPart, index string, position *int) *openPart {
	last := len(parts) - 1
	if last < 0 || parts[last].closed {
		s.report("", "order", "must be within a part")
		return nil
	}
	s.want(position == nil || *position == last, "/"+index, "index",
		"must be the index of the open part")
	return &parts[last]
}

// partTypes has the type of part that an event continues. It is never modified.
var partTypes = map[openaiapi.ResponseEventType]openaiapi.ResponseContentType{
	openaiapi.ResponseEventTypeOutputTextDelta:           openaiapi.ResponseContentTypeOutputText,
	openaiapi.ResponseEventTypeRefusalDelta:              openaiapi.ResponseContentTypeRefusal,
	openaiapi.ResponseEventTypeReasoningTextDelta:        openaiapi.ResponseContentTypeReasoningText,
	openaiapi.ResponseEventTypeReasoningSummaryTextDelta: openaiapi.ResponseContentTypeSummaryText,
}

func (s *Sequence) extendPart(part *openPart, e *openaiapi.ResponseEvent) {
	if part == nil {
		return
	}
	s.want(part.kind == partTypes[e.Type], "/type", "type",
		"must belong to a part of type "+string(part.kind))
	s.want(part.whole == nil, "", "order", "must not follow the whole text")
	piece, _ := e.Delta.AsString()
	part.pieces = append(part.pieces, piece...)
}

func (s *Sequence) annotate(part *openPart, e *openaiapi.ResponseEvent) {
	if part == nil {
		return
	}
	isNext := e.AnnotationIndex == nil || *e.AnnotationIndex == part.annotations
	s.want(isNext, "/annotation_index", "index",
		"must be "+strconv.Itoa(part.annotations)+", the number of earlier annotations")
	s.want(part.whole == nil, "", "order", "must not follow the whole text")
	part.annotations++
}

func (s *Sequence) wholePart(part *openPart, member string, text *string) {
	if part != nil {
		part.whole = s.wholeText(member, part.pieces, text)
	}
}

func (s *Sequence) endPart(part *openPart, e *openaiapi.ResponseEvent) {
	if part == nil {
		return
	}
	part.closed = true
	s.want(part.whole != nil, "", "order", "must follow the whole text")
	if e.Part != nil {
		s.checkPart("/part", part, e.Part)
	}
}
