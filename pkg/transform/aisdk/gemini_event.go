package aisdk

import (
	"cmp"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// mapEvents adds the parts that the events of a chunk, or of the end, stand for.
func (s *GeminiStream) mapEvents(events []normalize.Event) {
	for i := 0; i < len(events); i++ {
		e := &events[i]
		if e.Candidate != streamedCandidate {
			continue
		}
		if i+1 < len(events) && signsText(&events[i+1], e) {
			i++
			e.Signature = events[i].Signature
		}
		if apply := eventMappings[e.Type]; apply != nil {
			apply(s, e)
		}
	}
}

// streamedCandidate is the index of the candidate that a stream of parts can have.
const streamedCandidate = 0

// signsText reports whether an event is the signature of the text or thought before it, so that one
// delta says both.
func signsText(e, before *normalize.Event) bool {
	return e.Type == normalize.EventSignature && e.Candidate == before.Candidate && e.Part == before.Part &&
		(before.Type == normalize.EventTextDelta || before.Type == normalize.EventThinkingDelta)
}

// eventMappings has what to do about an event of each type; nil is nothing.
var eventMappings = map[normalize.EventType]func(*GeminiStream, *normalize.Event){
	normalize.EventStart:          (*GeminiStream).start,
	normalize.EventTextDelta:      (*GeminiStream).text,
	normalize.EventThinkingDelta:  (*GeminiStream).thinking,
	normalize.EventToolCallStart:  (*GeminiStream).callStart,
	normalize.EventToolCallDelta:  (*GeminiStream).callDelta,
	normalize.EventToolCallDone:   (*GeminiStream).callDone,
	normalize.EventBlock:          (*GeminiStream).block,
	normalize.EventSignature:      (*GeminiStream).signature,
	normalize.EventGrounding:      (*GeminiStream).grounding,
	normalize.EventCitations:      (*GeminiStream).citations,
	normalize.EventURLContext:     (*GeminiStream).urlContext,
	normalize.EventLogprobs:       (*GeminiStream).note,
	normalize.EventSafety:         (*GeminiStream).note,
	normalize.EventPromptFeedback: (*GeminiStream).note,
	normalize.EventCandidateExtra: (*GeminiStream).note,
	normalize.EventResponseExtra:  (*GeminiStream).responseExtra,
	normalize.EventUsage:          nil, // the last event has it
	normalize.EventFinish:         (*GeminiStream).candidateEnd,
	normalize.EventDone:           (*GeminiStream).done,
	normalize.EventError:          (*GeminiStream).fail,
}

// blockMappings has what to do about a whole block of each type; nil is nothing, as those have events
// of their own.
var blockMappings = map[normalize.BlockType]func(*GeminiStream, *normalize.Block){
	normalize.BlockText:             nil,
	normalize.BlockThinking:         nil,
	normalize.BlockToolCall:         nil,
	normalize.BlockSignature:        nil,
	normalize.BlockRedactedThinking: (*GeminiStream).redactedThinking,
	normalize.BlockToolResult:       (*GeminiStream).toolResult,
	normalize.BlockMedia:            (*GeminiStream).media,
	normalize.BlockFile:             (*GeminiStream).file,
	normalize.BlockCode:             (*GeminiStream).codeCall,
	normalize.BlockCodeResult:       (*GeminiStream).codeResult,
	normalize.BlockServerToolCall:   (*GeminiStream).serverCall,
	normalize.BlockServerToolResult: (*GeminiStream).serverResult,
	normalize.BlockUnknown:          (*GeminiStream).unknownBlock,
}

func (s *GeminiStream) block(e *normalize.Event) {
	if apply := blockMappings[e.Block.Type]; apply != nil {
		apply(s, e.Block)
	}
}

// note keeps what an event tells for the finish.
func (s *GeminiStream) note(e *normalize.Event) { s.told.Add(*e) }

func (s *GeminiStream) add(p Part) { s.parts = append(s.parts, p) }

// identity is which response this is; "" is not told.
type identity struct{ id, model, created string }

// start tells which response this is, if anything is known of it.
func (s *GeminiStream) start(e *normalize.Event) {
	s.identity = identity{id: e.ID, model: e.Model, created: e.CreateTime}
	s.shown = s.identity
	at, err := time.Parse(time.RFC3339Nano, e.CreateTime)
	if err != nil {
		s.shown.created = ""
	}
	if s.shown != (identity{}) {
		s.add(ResponseMetadata{ID: e.ID, Timestamp: at, ModelID: e.Model})
	}
}

// responseExtra keeps what came late of the identity, after the part that should have told it.
func (s *GeminiStream) responseExtra(e *normalize.Event) {
	s.identity = identity{
		id:      cmp.Or(s.identity.id, deref(e.ResponseExtra.ResponseID)),
		model:   cmp.Or(s.identity.model, deref(e.ResponseExtra.ModelVersion)),
		created: cmp.Or(s.identity.created, deref(e.ResponseExtra.CreateTime)),
	}
	s.note(e)
}

// rawChunk adds a chunk as it came, if that is asked for.
func (s *GeminiStream) rawChunk(chunk *geminiapi.GenerateContentResponse) {
	if !s.options.raw || chunk == nil {
		return
	}
	if value, err := gemini.EncodeResponse(chunk); err == nil {
		s.add(RawPart{RawValue: value})
	}
}

// deref reads an optional member of the wire: absent means the zero value.
func deref[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

// optional returns nil for "", which is absent on the wire.
func optional[T ~string](text T) *T {
	if text == "" {
		return nil
	}
	return &text
}
