package openai

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/eventstream"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// answerEnd knows which choices of a stream have ended, and so whether a chunk behind the end
// begins another stream. Its zero value is ready.
type answerEnd struct {
	start   eventstream.Start
	choices jsonx.IndexedList[bool] // whether they have ended
	ended   int                     // how many have
	id      string                  // of the last chunk before the first end
	changes bool                    // Chunks before the first end had different ids.
}

// isPassed takes a chunk and reports whether it begins another stream. Then it has content of a
// choice that has ended, and is the first event again or has another id; or when all have ended it
// has content of a new choice and another id than all before. Other choices may go on behind the
// end of one.
func (e *answerEnd) isPassed(chunk *openaiapi.CreateChatCompletionStreamResponse,
	event *eventstream.Event) bool {
	hadEnded, allEnded := e.ended > 0, e.ended == e.choices.Len()
	hasContent, isBehind, isNew := false, false, false
	for i := range chunk.Choices {
		if choice := &chunk.Choices[i]; hasContentOf(choice) {
			known := e.choices.Find(choice.Index)
			hasContent, isBehind, isNew = true, isBehind || known != nil && *known,
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
	return isOther || isBehind && e.start.IsRepeated(chunk.ID, event)
}

// hasContentOf reports whether a choice says something: in its delta, or in a whole message of
// other servers.
func hasContentOf(choice *openaiapi.ChunkChoice) bool {
	return !choice.Delta.IsEmpty() ||
		jsonx.Member(choice.Unknown, "message").Kind() == jsontext.KindBeginObject
}

// note takes note of a choice, and of its end. Alibaba's servers write the word null before the
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
