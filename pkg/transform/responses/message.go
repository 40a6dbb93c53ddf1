package responses

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// openMessage is the open message. It has one text: the texts of consecutive unsigned parts, or the
// text of one signed part.
type openMessage struct {
	part        int // of the last text
	start       int // of its text, within the answer's text
	sealed      bool
	annotations []openaiapi.ResponseAnnotation
	logprobs    []openaiapi.ResponseLogprob
	text        int // event of the last piece in out, or -1
}

// text adds a text or a piece of a text. A whole text comes with its signature. A signed text
// becomes a message of its own.
//
// The reasoning item of the thoughts directly before the text carries its signature. Then the
// answer has one reasoning item, which matters because LangChain keeps only the last one. Without
// such thoughts the next reasoning item carries the signature. The text can then be the first item,
// as clients expect. A signed empty text, as at the end of streams, is only in a token.
func (e *encoder) text(text, signature string, part int, at answer.PartLocation) {
	switch {
	case text == "" && signature == "":
		return
	case text == "":
		e.wait(envelope.Entry{Kind: envelope.Text, Ordinal: part, Signature: signature,
			Part: `{"text":""}`})
		return
	case signature != "":
		e.signThenBegin(envelope.Entry{Kind: envelope.Text, Ordinal: part, Signature: signature})
	case e.open != openaiapi.ResponseItemTypeMessage || e.message.sealed || len(e.pending) > 0:
		e.beginMessage()
	case e.message.part != part && !e.message.sealed:
		e.entries.Add(report.Approximated, at, "/text", detailJoined)
	}
	e.message.part, e.message.sealed = part, signature != ""
	e.answer.AddPart(part, text)
	if e.streams {
		e.message.text = len(e.out)
		event := e.emitOf(openaiapi.ResponseEventTypeOutputTextDelta)
		event.ContentIndex, event.Delta, event.Logprobs = firstPart, delta(text), noLogprobs
	}
}

// signThenBegin starts the message of a text, and puts the text's signature where [encoder.text]
// says.
func (e *encoder) signThenBegin(entry envelope.Entry) {
	hasThoughts := e.open == openaiapi.ResponseItemTypeReasoning
	if hasThoughts {
		e.wait(entry)
	}
	e.beginMessage()
	if !hasThoughts {
		e.wait(entry)
	}
}

const detailJoined = "joined with the text before it; the boundary is lost"

// These are never modified.
var (
	firstPart  = new(int)
	noLogprobs = []openaiapi.ResponseLogprob{}
)

func delta(text string) wiretype.StringOr[openaiapi.ResponseShellDelta] {
	return wiretype.StringOf[openaiapi.ResponseShellDelta](text)
}

func (e *encoder) beginMessage() {
	e.begin("msg_", &openaiapi.ResponseItem{
		Type: openaiapi.ResponseItemTypeMessage, Status: openaiapi.ResponseItemStatusInProgress,
		Role:    openaiapi.ResponseRoleAssistant,
		Content: wiretype.ValueOf([]openaiapi.ResponseContentPart{}),
	})
	e.message = openMessage{part: -1, start: e.answer.Len(), text: -1}
	if e.streams {
		event := e.emitOf(openaiapi.ResponseEventTypeContentPartAdded)
		event.ContentIndex, event.Part = firstPart,
			new(outputText(new(""), []openaiapi.ResponseAnnotation{}, noLogprobs))
	}
}

func outputText(text *string, annotations []openaiapi.ResponseAnnotation,
	logprobs []openaiapi.ResponseLogprob) openaiapi.ResponseContentPart {
	return openaiapi.ResponseContentPart{
		Type: openaiapi.ResponseContentTypeOutputText, Text: text, Annotations: annotations,
		Logprobs: logprobs,
	}
}

// annotate adds an annotation to the open message.
func (e *encoder) annotate(a openaiapi.ResponseAnnotation) {
	m := &e.message
	m.annotations = append(m.annotations, a)
	if e.streams {
		event := e.emitOf(openaiapi.ResponseEventTypeOutputTextAnnotationAdded)
		event.ContentIndex, event.AnnotationIndex, event.Annotation = firstPart,
			new(len(m.annotations)-1), &a
	}
}

func (e *encoder) endMessage(status openaiapi.ResponseItemStatus) {
	m := &e.message
	if m.annotations == nil {
		m.annotations = []openaiapi.ResponseAnnotation{}
	}
	logprobs := m.logprobs
	if logprobs == nil {
		logprobs = noLogprobs
	}
	text := e.answer.From(m.start)
	content := []openaiapi.ResponseContentPart{outputText(&text, m.annotations, logprobs)}
	part := &content[0]
	e.item.Content = wiretype.ValueOf(content)
	e.item.Status = status
	if !e.streams {
		return
	}
	event := e.emitOf(openaiapi.ResponseEventTypeOutputTextDone)
	event.ContentIndex, event.Text, event.Logprobs = firstPart, part.Text, withoutBytes(logprobs)
	event = e.emitOf(openaiapi.ResponseEventTypeContentPartDone)
	event.ContentIndex, event.Part = firstPart, part
}
