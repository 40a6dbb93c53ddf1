package interactions

import (
	"slices"
	"strconv"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json/jsontext"
)

// Sequence checks that the events of a stream are in the order that Google's servers send:
//
//   - There is one interaction.created, as the first event.
//   - Steps are numbered from 0. Each is begun, continued by deltas of its type, and ended.
//   - The fragments of arguments of a function call are one JSON object, and calls have different
//     ids.
//   - Annotations are within the text of their step. Their offsets count bytes of UTF-8, and are
//     not within a character.
//   - There is one interaction.completed, after all steps. It has a status that is an end, the id
//     of the first event, and token counts that are not below those of earlier events.
//   - Nothing comes after interaction.completed or an error.
//
// An error may end the stream anywhere. A change of the status may be anywhere between the first
// and the last event. Sequence allows events, steps and deltas of unknown types. The recorded
// streams of Google's servers pass.
//
// Some findings are of [validation.SeverityWarning]. No recorded stream has them, and Google does
// not exclude them: steps that overlap, a delta without a type, a summary after the signature of
// its thought, and the status requires_action without a function call.
//
// A stream that was resumed after an event does not begin with interaction.created, and a Sequence
// reports that. The zero value is ready to use. It is not safe for use by several goroutines.
type Sequence struct {
	events int
	state  sequenceState
	id     string // of the interaction
	steps  int    // the number of begun steps
	open   []openStep
	calls  map[string]bool // ids of calls
	waits  bool            // there is a function call
	usage  *interactionsapi.Usage
	found  []validation.Violation // in the current event
}

// sequenceState is the state of a stream.
type sequenceState uint8

const (
	beforeCreated sequenceState = iota
	betweenEnds                 // between interaction.created and the end
	afterEnd                    // after interaction.completed or an error
)

// openStep is a step between step.start and step.stop.
type openStep struct {
	index     int
	kind      interactionsapi.StepType
	arguments []byte // fragments so far
	text      []byte // of all blocks so far
	cited     []interactionsapi.Annotation
	signed    bool
}

// CheckSequence checks the events of a whole stream, see [Sequence]. The error lists all violations
// but warnings; a pointer such as "/3/delta" is into the list of events.
func CheckSequence(events []interactionsapi.StreamEvent) error {
	var s Sequence
	var found []validation.Violation
	for i := range events {
		found = append(found, s.Push(&events[i])...)
	}
	found = validation.Errors(append(found, s.Close()...))
	if found == nil {
		return nil
	}
	return &validation.Error{Prefix: "interactions", Violations: found}
}

// Push checks the next event and returns its violations. Their pointers begin with the index of the
// event.
func (s *Sequence) Push(e *interactionsapi.StreamEvent) []validation.Violation {
	s.found = nil
	if s.state == afterEnd {
		s.report("", "order", "must not come after the end")
	}
	switch e.EventType {
	case interactionsapi.EventTypeInteractionCreated:
		s.begin(e)
	case interactionsapi.EventTypeInteractionCompleted:
		s.complete(e)
	case interactionsapi.EventTypeError:
		s.want(e.Error != nil, "/error", "required", "must be set")
		s.state = afterEnd
	case interactionsapi.EventTypeStepStart:
		s.checkBegun()
		s.beginStep(e)
	case interactionsapi.EventTypeStepDelta:
		s.checkBegun()
		s.extendStep(e)
	case interactionsapi.EventTypeStepStop:
		s.checkBegun()
		s.endStep(e)
	case interactionsapi.EventTypeInteractionStatusUpdate,
		interactionsapi.EventTypeInteractionInProgress,
		interactionsapi.EventTypeInteractionRequiresAction:
		s.checkBegun()
		s.checkID("/interaction_id", e.InteractionID)
		s.count(e.Usage)
	}
	s.events++
	return s.found
}

// Close returns the violations at the end of the stream. The last event must be
// interaction.completed or an error.
func (s *Sequence) Close() []validation.Violation {
	s.found = nil
	s.want(s.state == afterEnd, "", "order",
		"must be interaction.completed or an error, not the end of the stream")
	return s.found
}

func (s *Sequence) report(member, rule, want string) {
	pointer := "/" + strconv.Itoa(s.events) + member
	s.found = append(s.found, validation.Violation{Pointer: pointer, Rule: rule, Want: want})
}

func (s *Sequence) want(ok bool, member, rule, want string) {
	if !ok {
		s.report(member, rule, want)
	}
}

// prefer reports a warning unless a condition holds.
func (s *Sequence) prefer(ok bool, member, rule, want string) {
	if !ok {
		s.report(member, rule, want)
		s.found[len(s.found)-1].Severity = validation.SeverityWarning
	}
}

// checkBegun checks that an event comes after interaction.created.
func (s *Sequence) checkBegun() {
	s.want(s.state != beforeCreated, "", "order", "must come after interaction.created")
	s.state = max(s.state, betweenEnds) // one finding is enough
}

func (s *Sequence) begin(e *interactionsapi.StreamEvent) {
	s.want(s.events == 0, "", "order", "must be the first event, and the only one of its type")
	s.state = max(s.state, betweenEnds)
	if e.Interaction == nil {
		s.report("/interaction", "required", "must be set")
		return
	}
	s.id = jsonx.Deref(e.Interaction.ID)
	s.want(e.Interaction.Status != "", "/interaction/status", "required", "must be set")
}

func (s *Sequence) beginStep(e *interactionsapi.StreamEvent) {
	s.want(e.Index != nil && *e.Index == s.steps, "/index", "index",
		"must be "+strconv.Itoa(s.steps)+", the number of earlier steps")
	s.prefer(len(s.open) == 0, "", "overlap", "must not be within another step")
	index := s.steps
	if e.Index != nil {
		index = *e.Index
	}
	step := openStep{index: index}
	s.steps = max(s.steps, index) + 1
	if e.Step == nil {
		s.report("/step", "required", "must be set")
	} else {
		step.kind = e.Step.Type
		s.want(step.kind != "", "/step/type", "required", "must be set")
		for _, block := range ContentOf(e.Step) {
			step.text = append(step.text, jsonx.Deref(block.Text)...)
		}
		s.checkCall(e.Step)
	}
	s.open = append(s.open, step)
}

// checkCall checks that a call has its own id.
func (s *Sequence) checkCall(step *interactionsapi.Step) {
	if step.Type == interactionsapi.StepTypeFunctionCall {
		s.waits = true
		s.want(jsonx.Deref(step.ID) != "", "/step/id", "required", "must be set")
		s.want(jsonx.Deref(step.Name) != "", "/step/name", "required", "must be set")
	}
	id := jsonx.Deref(step.ID)
	if id == "" {
		return
	}
	s.want(!s.calls[id], "/step/id", "unique", "must differ from the id of any earlier step")
	if s.calls == nil {
		s.calls = map[string]bool{}
	}
	s.calls[id] = true
}

// openAt returns the open step of an event, or nil after a finding.
func (s *Sequence) openAt(e *interactionsapi.StreamEvent) *openStep {
	i := slices.IndexFunc(s.open, func(o openStep) bool {
		return e.Index != nil && o.index == *e.Index
	})
	if i < 0 {
		s.report("/index", "index", "must be the index of an open step")
		return nil
	}
	return &s.open[i]
}

// deltaSteps are the step types that a delta belongs to. A delta that is not in the list belongs to
// the step type of its own name, if there is such a type. The list is never modified.
var deltaSteps = map[interactionsapi.DeltaType]interactionsapi.StepType{
	interactionsapi.DeltaTypeText:                interactionsapi.StepTypeModelOutput,
	interactionsapi.DeltaTypeImage:               interactionsapi.StepTypeModelOutput,
	interactionsapi.DeltaTypeAudio:               interactionsapi.StepTypeModelOutput,
	interactionsapi.DeltaTypeVideo:               interactionsapi.StepTypeModelOutput,
	interactionsapi.DeltaTypeDocument:            interactionsapi.StepTypeModelOutput,
	interactionsapi.DeltaTypeTextAnnotationDelta: interactionsapi.StepTypeModelOutput,
	interactionsapi.DeltaTypeTextAnnotation:      interactionsapi.StepTypeModelOutput,
	interactionsapi.DeltaTypeThoughtSummary:      interactionsapi.StepTypeThought,
	interactionsapi.DeltaTypeThoughtSignature:    interactionsapi.StepTypeThought,
	interactionsapi.DeltaTypeArgumentsDelta:      interactionsapi.StepTypeFunctionCall,
}

// stepOf returns the step type that a delta belongs to. It is empty if the delta is of an unknown
// type.
func stepOf(delta interactionsapi.DeltaType) interactionsapi.StepType {
	if step := deltaSteps[delta]; step != "" {
		return step
	}
	if step := interactionsapi.StepType(delta); step.Valid() {
		return step
	}
	return ""
}

func (s *Sequence) extendStep(e *interactionsapi.StreamEvent) {
	step, d := s.openAt(e), e.Delta
	if d == nil {
		s.report("/delta", "required", "must be set")
		return
	}
	if e.Metadata != nil {
		s.count(e.Metadata.Usage)
		s.count(e.Metadata.TotalUsage)
	}
	s.prefer(d.Type != "", "/delta/type", "required", "must be set")
	if step == nil {
		return
	}
	delta := DeltaType(d, step.kind)
	belongs := stepOf(delta)
	s.want(belongs == "" || belongs == step.kind || !step.kind.Valid(), "/delta/type", "type",
		"must be a delta of a step of type "+string(step.kind))
	s.checkDelta(step, delta, d)
}

// checkDelta checks that a delta has what its type needs.
func (s *Sequence) checkDelta(step *openStep, delta interactionsapi.DeltaType,
	d *interactionsapi.StepDelta) {
	switch delta {
	case interactionsapi.DeltaTypeText:
		s.want(d.Text != nil, "/delta/text", "required", "must be set")
		step.text = append(step.text, jsonx.Deref(d.Text)...)
		step.cited = append(step.cited, d.Annotations...)
	case interactionsapi.DeltaTypeThoughtSummary:
		s.want(d.Content != nil || d.Text != nil, "/delta/content", "required", "must be set")
		s.prefer(!step.signed, "", "signature", "must come before the signature of its thought")
	case interactionsapi.DeltaTypeThoughtSignature:
		isSigned := jsonx.Deref(d.Signature) != ""
		s.want(d.Signature != nil, "/delta/signature", "required", "must be set")
		s.want(!step.signed || !isSigned, "", "signature",
			"must be the only signature of its thought")
		step.signed = step.signed || isSigned
	case interactionsapi.DeltaTypeArgumentsDelta:
		s.want(d.Arguments.Kind() == jsontext.KindString, "/delta/arguments", "type",
			"must be a string, a fragment of JSON")
		step.arguments = append(step.arguments, Fragment(d)...)
	case interactionsapi.DeltaTypeTextAnnotationDelta, interactionsapi.DeltaTypeTextAnnotation:
		s.want(d.Annotations != nil, "/delta/annotations", "required", "must be set")
		step.cited = append(step.cited, d.Annotations...)
	}
}

func (s *Sequence) endStep(e *interactionsapi.StreamEvent) {
	s.count(e.Usage)
	step := s.openAt(e)
	if step == nil {
		return
	}
	if step.kind == interactionsapi.StepTypeFunctionCall {
		s.want(len(step.arguments) == 0 || isObject(step.arguments), "", "arguments",
			"must follow fragments that are one JSON object together")
	}
	var spans violations
	for i := range step.cited {
		spans.checkSpan("", &step.cited[i], step.text)
	}
	if len(spans) > 0 {
		s.report("", "annotations", "must follow annotations within the text of the step, "+
			"with offsets in bytes that are not within a character")
	}
	index := step.index
	s.open = slices.DeleteFunc(s.open, func(o openStep) bool { return o.index == index })
}

// isObject reports whether a text is a JSON object.
func isObject(text []byte) bool {
	value := jsontext.Value(text)
	return value.Kind() == jsontext.KindBeginObject &&
		value.IsValid(jsontext.AllowDuplicateNames(true))
}

func (s *Sequence) complete(e *interactionsapi.StreamEvent) {
	s.checkBegun()
	s.want(len(s.open) == 0, "", "order", "must not be within a step")
	s.state = afterEnd
	if e.Interaction == nil {
		s.report("/interaction", "required", "must be set")
		return
	}
	const at = "/interaction"
	status := e.Interaction.Status
	s.want(status != "", at+"/status", "required", "must be set")
	s.want(status != interactionsapi.InteractionStatusInProgress &&
		status != interactionsapi.InteractionStatusQueued, at+"/status", "status",
		"must be a status that is an end, such as completed")
	s.prefer(status != interactionsapi.InteractionStatusRequiresAction || s.waits, at+"/status",
		"requires_action", "must not be requires_action, because there is no function call")
	s.checkID(at+"/id", e.Interaction.ID)
	if e.Interaction.Usage != nil {
		s.checkCounts(at+"/usage", e.Interaction.Usage)
	}
}

// checkID checks that an event belongs to the interaction. An interaction that is not stored has an
// empty id or none.
func (s *Sequence) checkID(member string, id *string) {
	s.want(s.id == "" || jsonx.Deref(id) == "" || *id == s.id, member, "id",
		"must be the id in interaction.created")
}

// count remembers token counts, which are those from the beginning of the interaction.
func (s *Sequence) count(u *interactionsapi.Usage) {
	if u != nil {
		s.usage = u
	}
}

// checkCounts checks the last token counts: their sum, and that none is below an earlier one.
func (s *Sequence) checkCounts(at string, u *interactionsapi.Usage) {
	for _, v := range checkUsage(u) {
		s.report(at+v.Pointer, v.Rule, v.Want)
	}
	if s.usage == nil {
		return
	}
	for _, c := range tokenCounts {
		before, now := jsonx.Deref(c.of(s.usage)), c.of(u)
		s.want(now == nil || *now >= before, at+"/"+c.name, "order",
			"must be at least "+strconv.Itoa(before)+", as in earlier events")
	}
}
