package aisdk

import (
	"time"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
)

// mapEvents adds the parts for the events of a chunk, or of the end.
func (s *Stream) mapEvents(events []normalize.Event) {
	for i := 0; i < len(events); i++ {
		e := &events[i]
		if e.Candidate != streamedCandidate {
			continue
		}
		if i+1 < len(events) && signsText(&events[i+1], e) {
			i++
			e.Signature = events[i].Signature
		}
		s.source = e.Source
		if endsWaiting(e) {
			s.release()
		}
		if apply := eventMappings[e.Type]; apply != nil {
			apply(s, e)
		}
	}
}

// streamedCandidate is the index of the only candidate that a stream of parts shows.
const streamedCandidate = 0

// signsText reports whether an event is the signature of the text or thought before it. Then one
// delta has both.
func signsText(e, before *normalize.Event) bool {
	return e.Type == normalize.EventSignature && e.Candidate == before.Candidate &&
		e.Part == before.Part &&
		(before.Type == normalize.EventTextDelta || before.Type == normalize.EventThinkingDelta)
}

// eventMappings maps event types to functions; nil means that nothing is done.
var eventMappings = map[normalize.EventType]func(*Stream, *normalize.Event){
	normalize.EventStart:          (*Stream).start,
	normalize.EventTextDelta:      (*Stream).text,
	normalize.EventThinkingDelta:  (*Stream).thinking,
	normalize.EventToolCallStart:  (*Stream).callStart,
	normalize.EventToolCallDelta:  (*Stream).callDelta,
	normalize.EventToolCallDone:   (*Stream).callDone,
	normalize.EventBlock:          (*Stream).block,
	normalize.EventSignature:      (*Stream).signature,
	normalize.EventGrounding:      (*Stream).grounding,
	normalize.EventCitations:      (*Stream).citations,
	normalize.EventURLContext:     (*Stream).urlContext,
	normalize.EventLogprobs:       (*Stream).keep,
	normalize.EventSafety:         (*Stream).keep,
	normalize.EventPromptFeedback: (*Stream).keep,
	normalize.EventCandidateExtra: (*Stream).keep,
	normalize.EventResponseExtra:  (*Stream).responseExtra,
	normalize.EventUsage:          nil, // the last event has the usage
	normalize.EventFinish:         (*Stream).candidateEnd,
	normalize.EventDone:           (*Stream).done,
	normalize.EventError:          (*Stream).fail,
}

// blockMappings maps types of whole blocks to functions. nil means that nothing is done, because
// such blocks have their own events.
var blockMappings = map[normalize.BlockType]func(*Stream, *normalize.Block){
	normalize.BlockText:             nil,
	normalize.BlockThinking:         nil,
	normalize.BlockToolCall:         nil,
	normalize.BlockSignature:        nil,
	normalize.BlockRedactedThinking: (*Stream).redactedThinking,
	normalize.BlockToolResult:       (*Stream).toolResult,
	normalize.BlockMedia:            (*Stream).media,
	normalize.BlockFile:             (*Stream).file,
	normalize.BlockCode:             (*Stream).codeCall,
	normalize.BlockCodeResult:       (*Stream).codeResult,
	normalize.BlockServerToolCall:   (*Stream).serverCall,
	normalize.BlockServerToolResult: (*Stream).serverResult,
	normalize.BlockUnknown:          (*Stream).unknownBlock,
}

func (s *Stream) block(e *normalize.Event) {
	if apply := blockMappings[e.Block.Type]; apply != nil {
		apply(s, e.Block)
	}
}

// keep keeps the data of an event for the finish.
func (s *Stream) keep(e *normalize.Event) { s.summary.Add(*e) }

// add adds a part of the content, after waiting parts.
func (s *Stream) add(p aisdkapi.Part) {
	if len(s.waiting.parts) > 0 {
		s.hold(p)
		return
	}
	s.send(p)
}

// send adds a part to the parts that are sent now.
func (s *Stream) send(p aisdkapi.Part) { s.parts = append(s.parts, p) }

// identity is the id, model and time of the response; "" is unknown.
type identity struct{ id, model, created string }

func (s *Stream) start(e *normalize.Event) {
	s.identify(identity{id: e.ID, model: e.Model, created: e.CreateTime})
}

// responseExtra emits the id, model and time that arrived late.
func (s *Stream) responseExtra(e *normalize.Event) {
	late := e.ResponseExtra
	s.identify(identity{id: jsonx.Deref(late.ResponseID), model: jsonx.Deref(late.ModelVersion),
		created: jsonx.Deref(late.CreateTime)})
	s.keep(e)
}

// identify emits the id, model and time of the response, if they were unknown. The first values
// count.
func (s *Stream) identify(later identity) {
	var fresh aisdkapi.ResponseMetadata
	if s.identity.id == "" {
		s.identity.id, fresh.ID = later.id, later.id
	}
	if s.identity.model == "" {
		s.identity.model, fresh.ModelID = later.model, later.model
	}
	if s.identity.created == "" && later.created != "" {
		s.identity.created = later.created
		if fresh.Timestamp, s.dated = timestamp(later.created); !s.dated {
			s.addEntry(report.Approximated, "/createTime",
				"moved to the finish, because no timestamp can hold it")
		}
	}
	if fresh != (aisdkapi.ResponseMetadata{}) {
		s.send(fresh)
	}
}

// timestamp returns a time of the wire, if a part can hold it. It cannot hold the zero time, which
// means absent, and years in UTC with more or less than four digits.
func timestamp(text string) (time.Time, bool) {
	at, err := time.Parse(time.RFC3339Nano, text)
	year := at.UTC().Year()
	if err != nil || at.IsZero() || year < 0 || year > 9999 {
		return time.Time{}, false
	}
	return at, true
}

// rawChunk adds a chunk unchanged, if the options ask for it.
func (s *Stream) rawChunk(chunk *geminiapi.GenerateContentResponse) {
	if !s.options.raw || chunk == nil {
		return
	}
	if value, err := gemini.EncodeResponse(chunk); err == nil {
		s.send(aisdkapi.RawPart{RawValue: value})
	}
}
