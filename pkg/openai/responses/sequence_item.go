package responses

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
)

// openItem is the item that the current events continue.
type openItem struct {
	begun   openaiapi.ResponseItem
	content []openPart
	summary []openPart
	pieces  []byte  // of arguments, an input or code
	whole   *string // the whole text, set when it is done
	step    int
}

// openPart is a content part or a summary part.
type openPart struct {
	kind        openaiapi.ResponseContentType
	pieces      []byte
	whole       *string
	annotations int
	closed      bool
}

// checkItemOrder checks that an event of an item may come at this point of the stream.
func (s *Sequence) checkItemOrder(e *openaiapi.ResponseEvent) {
	switch e.Type {
	case openaiapi.ResponseEventTypeOutputItemAdded:
		s.beginItem(e)
		return
	case openaiapi.ResponseEventTypeOutputItemDone:
		s.endItem(e)
		return
	}
	if e.ItemID == "" && e.OutputIndex == nil {
		return // of an unknown type, or of a type that does not belong to an item
	}
	if s.open == nil {
		s.report("", "order", "must be within an item")
		return
	}
	s.want(e.ItemID == "" || e.ItemID == s.open.begun.ID, "/item_id", "id",
		"must be the id of the open item")
	s.want(e.OutputIndex == nil || *e.OutputIndex == len(s.items), "/output_index", "index",
		"must be the index of the open item")
	family, isKnown := families[e.Type]
	s.want(!isKnown || family.of == s.open.begun.Type, "/type", "type",
		"must belong to an item of type "+string(s.open.begun.Type))
	if family.step > 0 {
		s.want(family.step >= s.open.step, "", "order", "must not follow a later step of its item")
		s.open.step = family.step
	}
	s.extendItem(e)
}

func (s *Sequence) beginItem(e *openaiapi.ResponseEvent) {
	s.want(s.open == nil, "", "order", "must not be within another item")
	position := strconv.Itoa(len(s.items))
	s.want(e.OutputIndex == nil || *e.OutputIndex == len(s.items), "/output_index", "index",
		"must be "+position+", the number of earlier items")
	s.open = &openItem{}
	if e.Item == nil {
		return
	}
	s.open.begun = *e.Item
	s.checkNames(e.Item)
	switch e.Item.Type {
	case openaiapi.ResponseItemTypeMessage:
		content, isList := e.Item.Content.AsValue()
		s.want(isList && len(content) == 0, "/item/content", "item", "must be an empty list")
	case openaiapi.ResponseItemTypeReasoning:
		s.want(e.Item.Summary != nil && len(e.Item.Summary) == 0, "/item/summary", "item",
			"must be an empty list")
	case openaiapi.ResponseItemTypeFunctionCall:
		text, isText := e.Item.Arguments.AsString()
		s.want(isText && text == "", "/item/arguments", "item", "must be empty")
		s.want(e.Item.Name != "", "/item/name", "required", "must be set")
		s.want(e.Item.CallID != "", "/item/call_id", "required", "must be set")
	case openaiapi.ResponseItemTypeCustomToolCall:
		s.want(e.Item.Input != nil && *e.Item.Input == "", "/item/input", "item", "must be empty")
		s.want(e.Item.Name != "", "/item/name", "required", "must be set")
		s.want(e.Item.CallID != "", "/item/call_id", "required", "must be set")
	}
}

// checkNames checks that the ids of an item are unique.
func (s *Sequence) checkNames(item *openaiapi.ResponseItem) {
	s.want(item.ID != "", "/item/id", "id", "must be set")
	s.want(item.ID == "" || !s.ids[item.ID], "/item/id", "unique",
		"must differ from the id of any earlier item")
	call := string(item.Type) + " " + item.CallID
	s.want(item.CallID == "" || !s.calls[call], "/item/call_id", "unique",
		"must differ from the call_id of any earlier call")
	if s.ids == nil {
		s.ids, s.calls = map[string]bool{}, map[string]bool{}
	}
	s.ids[item.ID], s.calls[call] = true, true
}

func (s *Sequence) endItem(e *openaiapi.ResponseEvent) {
	if s.open == nil {
		s.report("", "order", "must follow the beginning of its item")
		return
	}
	open := s.open
	s.open = nil
	s.want(e.OutputIndex == nil || *e.OutputIndex == len(s.items), "/output_index", "index",
		"must be the index of the open item")
	if e.Item == nil {
		s.items = append(s.items, openaiapi.ResponseItem{})
		return
	}
	s.items = append(s.items, *e.Item)
	s.want(e.Item.ID == open.begun.ID, "/item/id", "item", "must be the same as at the beginning")
	s.want(e.Item.Type == open.begun.Type, "/item/type", "item",
		"must be the same as at the beginning")
	if isCallOfCaller(e.Item.Type) {
		s.want(e.Item.CallID == open.begun.CallID, "/item/call_id", "item",
			"must be the same as at the beginning")
		s.want(e.Item.Name == open.begun.Name, "/item/name", "item",
			"must be the same as at the beginning")
	}
	s.checkWhole(open, e.Item)
}

// isCallOfCaller reports whether the client must answer an item of this type.
func isCallOfCaller(kind openaiapi.ResponseItemType) bool {
	return kind == openaiapi.ResponseItemTypeFunctionCall ||
		kind == openaiapi.ResponseItemTypeCustomToolCall
}

// checkWhole checks that a whole item matches its earlier events.
func (s *Sequence) checkWhole(open *openItem, item *openaiapi.ResponseItem) {
	switch item.Type {
	case openaiapi.ResponseItemTypeMessage, openaiapi.ResponseItemTypeReasoning:
		content, _ := item.Content.AsValue()
		s.checkParts("/item/content", open.content, content)
		s.checkParts("/item/summary", open.summary, item.Summary)
	case openaiapi.ResponseItemTypeFunctionCall, openaiapi.ResponseItemTypeMCPCall:
		text, _ := item.Arguments.AsString()
		s.want(open.whole != nil && *open.whole == text, "/item/arguments", "text",
			"must equal the arguments of earlier events")
	case openaiapi.ResponseItemTypeCustomToolCall:
		s.want(open.text() == jsonx.Deref(item.Input), "/item/input", "text",
			"must equal the input of earlier events")
	case openaiapi.ResponseItemTypeCodeInterpreterCall:
		s.want(open.text() == jsonx.Deref(item.Code), "/item/code", "text",
			"must equal the code of earlier events")
	}
}

// text returns the text of an item from its events so far.
func (o *openItem) text() string {
	if o.whole != nil {
		return *o.whole
	}
	return string(o.pieces)
}

func (s *Sequence) checkParts(at string, open []openPart, parts []openaiapi.ResponseContentPart) {
	if len(open) != len(parts) {
		s.report(at, "item",
			"must have "+strconv.Itoa(len(open))+" parts, as in the stream")
		return
	}
	for i := range parts {
		member := at + "/" + strconv.Itoa(i)
		s.want(open[i].closed, member, "order", "must end before its item")
		s.checkPart(member, &open[i], &parts[i])
	}
}

// checkPart checks that a whole part matches its earlier events.
func (s *Sequence) checkPart(at string, open *openPart, part *openaiapi.ResponseContentPart) {
	text, member := part.Text, "/text"
	if part.Type == openaiapi.ResponseContentTypeRefusal {
		text, member = part.Refusal, "/refusal"
	}
	s.want(open.kind == part.Type, at+"/type", "item", "must be the same as at the beginning")
	s.want(jsonx.Deref(text) == jsonx.Deref(open.whole), at+member, "text",
		"must equal the text of earlier events")
	s.want(len(part.Annotations) == open.annotations, at+"/annotations", "item",
		"must equal the annotations of earlier events")
}
