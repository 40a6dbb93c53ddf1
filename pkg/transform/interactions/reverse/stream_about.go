package reverse

import (
	"bytes"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/unshown"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// origin has the identity that all chunks repeat, and which event it came from.
type origin struct {
	id, model *string
	wireID    string
	created   int    // the event with the interaction, from 1
	completed int    // the last event, from 1
	tokenAt   string // the pointer of a continuation token of an earlier event
	token     string
}

// counts are the token counts for the next chunk.
type counts struct {
	next *geminiapi.UsageMetadata
	at   string // the pointer of the last counts
	// isShown is true if a chunk has all of the last counts.
	isShown bool
	hasRest bool
}

// take returns the counts for a chunk.
func (c *counts) take() *geminiapi.UsageMetadata {
	out := c.next
	if out != nil {
		c.next, c.isShown = nil, !c.hasRest
	}
	return out
}

// Details of entries.
const (
	detailLater      = "replaced by a later event"
	detailEventID    = "it is for resuming the stream"
	detailReplayed   = "the server sent it before"
	detailOther      = "it is of another interaction"
	detailUpdate     = "an event of an unknown type is read as a change of the status"
	detailSteps      = "the steps of the events are used instead"
	detailNotOpen    = "no open step has this index"
	detailNotStopped = "no event stops the step with this index"
)

// reportEvent reports the members of an event that no chunk shows.
func (s *Stream) reportEvent(e *interactionsapi.StreamEvent) {
	left := *e
	left.EventType, left.Usage, left.Metadata = "", nil, nil
	if e.EventID != nil {
		s.entries.Add(report.Approximated, s.at()+"/event_id", detailEventID)
		left.EventID = nil
	}
	switch e.EventType {
	case interactionsapi.EventTypeInteractionCreated, interactionsapi.EventTypeInteractionCompleted:
		left.Interaction = nil
	case interactionsapi.EventTypeStepStart:
		left.Index, left.Step = nil, nil
	case interactionsapi.EventTypeStepDelta:
		left.Index, left.Delta = nil, nil
	case interactionsapi.EventTypeStepStop:
		left.Index = nil
	case interactionsapi.EventTypeError:
		left.Error = nil
	default:
		left.InteractionID, left.Status, left.Interaction, left.ContinuationToken = nil, nil, nil,
			nil
	}
	if !left.IsEmpty() {
		s.loseEvent(left)
	}
	if e.Usage != nil {
		s.takeUsage(e.Usage, "/usage")
	}
	if m := e.Metadata; m != nil {
		s.takeMetadata(m)
	}
}

// loseEvent reports the members of an event that no chunk shows.
func (s *Stream) loseEvent(left interactionsapi.StreamEvent) {
	unshown.Add(&s.entries, s.at(), &left, unshown.Nothing, detailNoCounterpart)
}

// takeMetadata takes the token counts in the metadata of an event.
func (s *Stream) takeMetadata(m *interactionsapi.StreamMetadata) {
	if m.Usage != nil {
		s.takeUsage(m.Usage, "/metadata/usage")
	}
	if m.TotalUsage != nil {
		s.takeUsage(m.TotalUsage, "/metadata/total_usage")
	}
	if m.Unknown != nil {
		left := interactionsapi.StreamMetadata{Unknown: m.Unknown}
		unshown.Add(&s.entries, s.at()+"/metadata", &left, unshown.Nothing, detailNoCounterpart)
	}
}

// takeUsage takes token counts, of which the last win.
func (s *Stream) takeUsage(u *interactionsapi.Usage, member string) {
	s.replaceUsage()
	_ = s.about.Push(&interactionsapi.StreamEvent{Usage: u}) // a change of the status never fails
	var entries report.Report
	next, rest := usage(u, &entries)
	s.counts = counts{next: next, at: s.at() + member, hasRest: rest != nil || entries != nil}
}

// replaceUsage reports token counts that no chunk shows, or not all of them.
func (s *Stream) replaceUsage() {
	if s.counts.at != "" && !s.counts.isShown {
		s.entries.Add(report.Approximated, s.counts.at, detailLater)
	}
}

// create takes the interaction of an interaction.created. A second one begins a replay.
func (s *Stream) create(e *interactionsapi.StreamEvent) {
	if s.origin.created > 0 {
		s.beginReplay()
	}
	s.origin.created = s.pushed
	_ = s.about.Push(e)
	s.created = e.Interaction
	if e.Interaction == nil {
		return
	}
	if e.Interaction.Usage != nil {
		s.takeUsage(e.Interaction.Usage, "/interaction/usage")
	}
	s.origin.wireID = jsonx.Deref(e.Interaction.ID)
	s.identity(e.Interaction)
}

// identity sets the id and the model of all chunks.
func (s *Stream) identity(in *interactionsapi.Interaction) {
	var head geminiapi.GenerateContentResponse
	s.in = in
	s.identify(&head, new(string))
	s.origin.id, s.origin.model = head.ResponseID, head.ModelVersion
}

// update takes a change of the status.
func (s *Stream) update(e *interactionsapi.StreamEvent) {
	_ = s.about.Push(e)
	switch e.EventType {
	case interactionsapi.EventTypeInteractionStatusUpdate,
		interactionsapi.EventTypeInteractionInProgress,
		interactionsapi.EventTypeInteractionRequiresAction:
	default:
		s.entries.Add(report.Approximated, s.at()+"/event_type", detailUpdate)
	}
	if e.InteractionID != nil && *e.InteractionID != s.origin.wireID {
		s.entries.Add(report.Approximated, s.at()+"/interaction_id", detailOther)
	}
	if e.Status != nil && !isInProgress(*e.Status) {
		s.entries.Add(report.Approximated, s.at()+"/status", detailLater)
	}
	if e.Interaction != nil {
		s.entries.Add(report.Approximated, s.at()+"/interaction", detailLater)
	}
	if e.ContinuationToken != nil {
		s.replaceToken()
		s.origin.token, s.origin.tokenAt = *e.ContinuationToken, s.at()+"/continuation_token"
	}
}

// replaceToken reports a continuation token that the answer does not have.
func (s *Stream) replaceToken() {
	if s.origin.tokenAt != "" {
		s.entries.Add(report.Approximated, s.origin.tokenAt, detailLater)
	}
}

// isInProgress reports whether a status is the one that every stream begins with.
func isInProgress(status interactionsapi.InteractionStatus) bool {
	return status == interactionsapi.InteractionStatusInProgress
}

// complete ends the stream.
func (s *Stream) complete(e *interactionsapi.StreamEvent) ([]*geminiapi.GenerateContentResponse,
	error) {
	for len(s.queue) > 0 {
		if first := s.queue[0]; !first.last {
			s.entries.Add(report.Approximated, eventPointer(first.at)+"/index", detailNotStopped)
		}
		s.finish(s.queue[0])
	}
	s.origin.completed, s.completed = s.pushed, e.Interaction
	if e.Interaction != nil && e.Interaction.Usage != nil {
		s.replaceUsage()
	}
	_ = s.about.Push(e)
	s.in = s.about.Interaction()
	if s.in.Status == interactionsapi.InteractionStatusFailed && !s.hasContent(s.parts) &&
		len(s.in.Steps) == 0 {
		if err := failed(s.in); err != nil {
			return s.fail(err)
		}
	}
	s.reportCreated()
	s.ended = true
	return s.last(), nil
}

// last returns the last chunk.
func (s *Stream) last() []*geminiapi.GenerateContentResponse {
	if list := s.in.Steps; len(list) > 0 && s.finished > 0 {
		s.entries.Add(report.Approximated, s.at()+"/interaction/steps", detailSteps)
	} else {
		for i := range list {
			s.parts = s.add(s.parts, &list[i], s.at()+"/interaction"+stepPointer(i))
			s.join()
		}
	}
	s.parts = s.convert.End(s.parts)
	before := len(s.entries)
	out := s.response(s.parts)
	s.point(s.entries[before:])
	return []*geminiapi.GenerateContentResponse{out}
}

// point moves the pointers of entries about the interaction to the events that have its members.
func (s *Stream) point(entries report.Report) {
	for i := range entries {
		entries[i].Pointer = s.memberPointer(entries[i].Pointer)
	}
}

// memberPointer returns the pointer of a member of the interaction in the list of events: in the
// last event, in an event with counts or a token, or in the first event.
func (s *Stream) memberPointer(pointer string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	switch {
	case s.completed != nil && jsonx.Member(members(s.completed), name) != nil:
		return eventPointer(s.origin.completed-1) + "/interaction" + pointer
	case name == "usage" && s.counts.at != "":
		return s.counts.at + pointer[len("/usage"):]
	case name == "continuation_token" && s.origin.tokenAt != "":
		return s.origin.tokenAt
	default:
		return eventPointer(max(s.origin.created, 1)-1) + "/interaction" + pointer
	}
}

// members returns an interaction as JSON.
func members(in *interactionsapi.Interaction) jsontext.Value {
	if out, isPlain := in.AppendPlainJSON(nil); isPlain {
		return out
	}
	out, _ := json.Marshal(in, jsonx.Canonical, jsontext.AllowInvalidUTF8(true))
	return out
}

// reportCreated reports the members of earlier events that the last event replaced.
func (s *Stream) reportCreated() {
	if token := s.origin.token; s.origin.tokenAt != "" &&
		token != jsonx.Deref(s.in.ContinuationToken) {
		s.replaceToken()
	}
	if s.created == nil {
		return
	}
	at := eventPointer(s.origin.created-1) + "/interaction"
	first := *s.created
	if first.Status != "" && !isInProgress(first.Status) {
		s.entries.Add(report.Approximated, at+"/status", detailLater)
	}
	if first.Steps != nil {
		s.entries.Add(report.Approximated, at+"/steps", detailSteps)
	}
	first.Status, first.Usage, first.Steps = "", nil, nil
	if isIdentity(&first) && s.isSame(&first) {
		return
	}
	last := members(s.in)
	for name, value := range jsonx.Members(members(&first)) {
		if !bytes.Equal(value, jsonx.Member(last, name)) {
			s.entries.Add(report.Approximated, at+jsonx.MemberPointer("", name),
				detailLater)
		}
	}
}

// isIdentity reports whether an interaction has no members but its identity, as usual for a first
// event.
func isIdentity(in *interactionsapi.Interaction) bool {
	rest := *in
	rest.ID, rest.Object, rest.Model, rest.Agent = nil, nil, nil, nil
	return rest.IsEmpty()
}

// isSame reports whether the last event has the identity of the first one.
func (s *Stream) isSame(first *interactionsapi.Interaction) bool {
	return jsonx.Deref(first.ID) == jsonx.Deref(s.in.ID) &&
		jsonx.Deref(first.Object) == jsonx.Deref(s.in.Object) &&
		jsonx.Deref(first.Model) == jsonx.Deref(s.in.Model) &&
		jsonx.Deref(first.Agent) == jsonx.Deref(s.in.Agent)
}
