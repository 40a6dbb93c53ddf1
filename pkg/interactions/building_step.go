package interactions

import (
	"strings"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json/jsontext"
)

// buildingStep is a step that is built from deltas.
type buildingStep struct {
	index     int
	ended     bool
	changed   bool // deltas had content
	step      interactionsapi.Step
	content   []interactionsapi.Content // of step.Content or step.Summary
	text      *jsonx.PiecedText         // of the last block of content; nil if it is not a text
	arguments *jsonx.PiecedText         // nil before the first piece
}

// newBuildingStep returns a step as it begins. It may have content already.
func newBuildingStep(index int, begin *interactionsapi.Step) *buildingStep {
	s := &buildingStep{index: index, step: *begin}
	if s.isThought() {
		s.content = append(s.content, begin.Summary...)
	} else {
		s.content = append(s.content, ContentOf(begin)...)
	}
	return s
}

func (s *buildingStep) isThought() bool { return s.step.Type == interactionsapi.StepTypeThought }

// add adds a delta.
func (s *buildingStep) add(d *interactionsapi.StepDelta) {
	switch DeltaType(d, s.step.Type) {
	case interactionsapi.DeltaTypeText:
		if s.text != nil && d.Text != nil && d.Unknown == nil { // as nearly always
			s.text.Add(*d.Text)
			s.annotate(d.Annotations)
			return
		}
		s.addContent(interactionsapi.Content{Type: interactionsapi.ContentTypeText, Text: d.Text,
			Unknown: d.Unknown})
		s.annotate(d.Annotations)
	case interactionsapi.DeltaTypeThoughtSummary:
		s.addContent(SummaryContent(d))
	case interactionsapi.DeltaTypeThoughtSignature:
		s.sign(d.Signature)
	case interactionsapi.DeltaTypeTextAnnotationDelta, interactionsapi.DeltaTypeTextAnnotation:
		s.annotate(d.Annotations)
	case interactionsapi.DeltaTypeArgumentsDelta:
		if s.arguments == nil {
			s.arguments = &jsonx.PiecedText{}
		}
		s.arguments.Add(Fragment(d))
	case interactionsapi.DeltaTypeImage, interactionsapi.DeltaTypeAudio,
		interactionsapi.DeltaTypeVideo, interactionsapi.DeltaTypeDocument:
		s.addContent(MediaContent(d))
	default:
		s.addTool(d)
	}
}

// addContent adds a block, or joins a text with the text before it.
func (s *buildingStep) addContent(block interactionsapi.Content) {
	s.changed = true
	last := len(s.content) - 1
	switch {
	case block.Type != interactionsapi.ContentTypeText:
		s.settleText()
		if last >= 0 && joinAudio(&s.content[last], &block) {
			return
		}
		s.content = append(s.content, block)
	case last >= 0 && s.content[last].Type == interactionsapi.ContentTypeText:
		if s.text == nil {
			s.text = &jsonx.PiecedText{}
			s.text.Add(jsonx.Deref(s.content[last].Text))
		}
		s.text.Add(jsonx.Deref(block.Text))
		before := s.content[last].Annotations
		s.content[last].Annotations = append(before[:len(before):len(before)],
			block.Annotations...)
		s.content[last].Unknown = jsonx.MergeObjects(s.content[last].Unknown, block.Unknown)
	default:
		s.content = append(s.content, block)
	}
}

// textLength returns the bytes of the last block of content if it is a text, and 0 otherwise.
func (s *buildingStep) textLength() int {
	last := len(s.content) - 1
	switch {
	case s.text != nil:
		return s.text.Len()
	case last < 0 || s.content[last].Type != interactionsapi.ContentTypeText:
		return 0
	default:
		return len(jsonx.Deref(s.content[last].Text))
	}
}

// settleText stores the joined text in its block.
func (s *buildingStep) settleText() {
	if s.text != nil {
		s.content[len(s.content)-1].Text = new(s.text.String())
		s.text = nil
	}
}

// annotate adds annotations. Their offsets count the bytes of all texts of the step, and those of a
// block the bytes of the block.
func (s *buildingStep) annotate(annotations []interactionsapi.Annotation) {
	if len(annotations) == 0 {
		return
	}
	s.settleText()
	s.changed = true
	for _, annotation := range annotations {
		block, begin := s.textAt(jsonx.Deref(annotation.StartIndex))
		if block == nil {
			s.content = append(s.content, TextContent(""))
			block = &s.content[len(s.content)-1]
		}
		if begin > 0 {
			annotation.StartIndex = new(jsonx.Deref(annotation.StartIndex) - begin)
			if annotation.EndIndex != nil {
				annotation.EndIndex = new(*annotation.EndIndex - begin)
			}
		}
		block.Annotations = append(block.Annotations[:len(block.Annotations):len(block.Annotations)],
			annotation)
	}
}

// textAt returns the text that has the byte at an offset into all texts of the step, and the offset
// of its first byte. After the last byte it is the last text. It is nil if there are no texts.
func (s *buildingStep) textAt(offset int) (block *interactionsapi.Content, begin int) {
	end := 0
	for i := range s.content {
		if s.content[i].Type != interactionsapi.ContentTypeText {
			continue
		}
		block, begin = &s.content[i], end
		if end += len(jsonx.Deref(block.Text)); offset < end {
			break
		}
	}
	return block, begin
}

// sign takes a signature. An empty one says nothing.
func (s *buildingStep) sign(signature *string) {
	if jsonx.Deref(signature) != "" {
		s.step.Signature = new(*signature)
	}
}

// addTool takes the payload of a tool, which comes whole, and what else a delta of an unknown type
// has.
func (s *buildingStep) addTool(d *interactionsapi.StepDelta) {
	s.sign(d.Signature)
	if d.Arguments != nil {
		s.step.Arguments, s.arguments = d.Arguments, nil
	}
	if d.Result != nil {
		s.step.Result = d.Result
	}
	jsonx.Replace(&s.step.Name, d.Name)
	jsonx.Replace(&s.step.ServerName, d.ServerName)
	jsonx.Replace(&s.step.IsError, d.IsError)
	jsonx.Replace(&s.step.SearchType, d.SearchType)
	jsonx.Replace(&s.step.RetrievalType, d.RetrievalType)
	s.step.Unknown = jsonx.MergeObjects(s.step.Unknown, d.Unknown)
}

// build returns the step so far.
func (s *buildingStep) build() interactionsapi.Step {
	s.settleText()
	out := s.step
	switch {
	case !s.changed: // the content is as it began
	case s.isThought():
		out.Summary = s.content
	default:
		out.Content = wiretype.ValueOf(s.content)
	}
	switch {
	case s.arguments != nil && s.arguments.Len() > 0:
		out.Arguments = jsontext.Value(s.arguments.String())
	case out.Type == interactionsapi.StepTypeFunctionCall && out.Arguments == nil:
		out.Arguments = jsontext.Value("{}")
	}
	if jsonx.Deref(out.Signature) == "" {
		out.Signature = nil // streams begin a step with an empty one
	}
	return out
}

// joinAudio joins two pieces of raw samples, which a stream sends one after the other. It reports
// whether it did: other formats have a header in each piece, and base64 with padding ends its data.
func joinAudio(before, piece *interactionsapi.Content) bool {
	const raw = "audio/l16"
	isRaw := strings.EqualFold(jsonx.Deref(before.MIMEType), raw) &&
		strings.EqualFold(jsonx.Deref(piece.MIMEType), raw)
	if before.Type != interactionsapi.ContentTypeAudio || piece.Type != before.Type || !isRaw ||
		before.Data == nil || piece.Data == nil || len(*before.Data)%4 != 0 ||
		strings.HasSuffix(*before.Data, "=") || piece.URI != nil || piece.Unknown != nil ||
		jsonx.Deref(before.Channels) != jsonx.Deref(piece.Channels) ||
		jsonx.Deref(before.SampleRate) != jsonx.Deref(piece.SampleRate) {
		return false
	}
	before.Data = new(*before.Data + *piece.Data)
	return true
}
