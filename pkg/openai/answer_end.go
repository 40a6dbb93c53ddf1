package openai

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/eventstream"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// answerEnd tracks which choices of a stream have ended, to detect a chunk that begins another
// stream after the end. Its zero value is ready to use.
type answerEnd struct {
	start   eventstream.Start
	choices jsonx.IndexedList[bool] // whether each choice has ended
	ended   int                     // the number of ended choices
	id      string                  // of the last chunk before the first end
	changes bool                    // Chunks before the first end had different ids.
}

// isPassed takes a chunk and reports whether it begins another stream. It does if it has content of
// a choice that has ended, and repeats the first event or has another id. It also does if all
// choices have ended, and it has content of a new choice and an id that differs from all before.
// Other choices may continue after the end of one.
func (e *answerEnd) isPassed(chunk *openaiapi.CreateChatCompletionStreamResponse,
	event *eventstream.Event) bool {
	hadEnded, allEnded := e.ended > 0, e.ended == e.choices.Len()
	hasContent, isAfter, isNew := false, false, false
	for i := range chunk.Choices {
		if choice := &chunk.Choices[i]; hasContentOf(choice) {
			known := e.choices.Find(choice.Index)
			hasContent, isAfter, isNew = true, isAfter || known != nil && *known,
				isNew || known == nil
		}
	}
	for i := range chunk.Choices {
		e.note(&chunk.Choices[i])
	}
	if !hadEnded {
		e.noteID(chunk.ID)
		e.start.Note(chunk.ID, event, hasContent, e.ended == 0, 0)
		return false
	}
	isOther := isNew && allEnded && !e.changes && e.id != "" && chunk.ID != "" && chunk.ID != e.id
	return isOther || isAfter && e.start.IsRepeated(chunk.ID, event)
}

// hasContentOf reports whether a choice has content: in its delta, or in a whole message, as other
// servers send it.
func hasContentOf(choice *openaiapi.ChunkChoice) bool {
	return !choice.Delta.IsEmpty() ||
		jsonx.Member(choice.Unknown, "message").Kind() == jsontext.KindBeginObject
}

// note records a choice and its end. Alibaba's servers write the finish reason "null" before the
// end.
func (e *answerEnd) note(choice *openaiapi.ChunkChoice) {
	known := e.choices.At(choice.Index)
	if reason := jsonx.Deref(choice.FinishReason); reason != "" && reason != "null" && !*known {
		*known = true
		e.ended++
	}
}

func (e *answerEnd) noteID(id string) {
	if id != "" {
		e.changes = e.changes || e.id != "" && id != e.id
		e.id = id
	}
}
