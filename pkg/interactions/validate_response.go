package interactions

import (
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json/jsontext"
)

// ValidateResponse checks an interaction against Google's documentation: the status, steps with
// what their types need, ids of calls, annotations within their text, and token counts. No recorded
// interaction of Google's servers breaks a rule. Use it for interactions from elsewhere, and in
// tests.
//
// The error is a *[validation.Error]. It lists all violations with their locations, as JSON
// pointers, and says for each what would be right. It never contains a value of the interaction.
func ValidateResponse(r *interactionsapi.Interaction) error {
	if r == nil {
		return fmt.Errorf("interactions: %w", validation.ErrNotStruct)
	}
	var found violations
	found.interaction("", r)
	if found = append(found, checkWhole(r)...); found == nil {
		return nil
	}
	return &validation.Error{Prefix: "interactions", Violations: found}
}

// ValidateEvent checks one event of a stream, like [ValidateResponse]. A [Sequence] checks the
// events together.
func ValidateEvent(e *interactionsapi.StreamEvent) error {
	if e == nil {
		return fmt.Errorf("interactions: %w", validation.ErrNotStruct)
	}
	var found violations
	found.event(e)
	if found == nil {
		return nil
	}
	return &validation.Error{Prefix: "interactions", Violations: found}
}

// The rules are written by hand, and not as tags for the validator of the other wires: the client
// of package gemini links this package, and a program that only calls Gemini should stay small.

// interaction names what is wrong with an interaction at a pointer.
func (v *violations) interaction(at string, r *interactionsapi.Interaction) {
	v.require(r.Status != "", at+"/status")
	if r.Object != nil && *r.Object != "interaction" {
		v.report(at+"/object", "eq", `must be "interaction"`)
	}
	v.usage(at+"/usage", r.Usage)
	for i := range r.Steps {
		v.within(at+"/steps/"+strconv.Itoa(i), checkStep(&r.Steps[i]))
	}
	for i := range r.Errors {
		v.within(at+"/errors/"+strconv.Itoa(i), checkError(&r.Errors[i]))
	}
	v.within(at, checkInteraction(r))
}

// event names what is wrong with an event.
func (v *violations) event(e *interactionsapi.StreamEvent) {
	v.require(e.EventType != "", "/event_type")
	v.count("/index", e.Index)
	if e.Interaction != nil {
		v.interaction("/interaction", e.Interaction)
	}
	if e.Step != nil {
		v.within("/step", checkStep(e.Step))
	}
	v.usage("/usage", e.Usage)
	v.usage("/step_usage", e.StepUsage)
	if e.Metadata != nil {
		v.usage("/metadata/usage", e.Metadata.Usage)
		v.usage("/metadata/total_usage", e.Metadata.TotalUsage)
	}
	if e.Error != nil {
		v.within("/error", checkError(e.Error))
	}
	v.within("", checkEvent(e))
}

// usage names the counts below 0.
func (v *violations) usage(at string, u *interactionsapi.Usage) {
	if u == nil {
		return
	}
	for _, c := range []struct {
		member string
		count  *int
	}{
		{"/total_tokens", u.TotalTokens}, {"/total_input_tokens", u.TotalInputTokens},
		{"/total_cached_tokens", u.TotalCachedTokens},
		{"/total_output_tokens", u.TotalOutputTokens},
		{"/total_tool_use_tokens", u.TotalToolUseTokens},
		{"/total_thought_tokens", u.TotalThoughtTokens},
		{"/initial_input_tokens", u.InitialInputTokens},
	} {
		v.count(at+c.member, c.count)
	}
	for _, l := range []struct {
		member string
		list   []interactionsapi.ModalityTokens
	}{
		{"/input_tokens_by_modality/", u.InputTokensByModality},
		{"/cached_tokens_by_modality/", u.CachedTokensByModality},
		{"/output_tokens_by_modality/", u.OutputTokensByModality},
		{"/tool_use_tokens_by_modality/", u.ToolUseTokensByModality},
	} {
		for i := range l.list {
			v.count(at+l.member+strconv.Itoa(i)+"/tokens", l.list[i].Tokens)
		}
	}
	for i := range u.GroundingToolCount {
		v.count(at+"/grounding_tool_count/"+strconv.Itoa(i)+"/count", u.GroundingToolCount[i].Count)
	}
}

// count names a count below 0.
func (v *violations) count(pointer string, count *int) {
	if count != nil && *count < 0 {
		v.report(pointer, "gte", "must be at least 0")
	}
}

// within adds what a rule found about the value at a pointer.
func (v *violations) within(at string, found []validation.Violation) {
	for _, f := range found {
		f.Pointer = at + f.Pointer
		*v = append(*v, f)
	}
}

// violations collects what a rule finds.
type violations []validation.Violation

func (v *violations) report(pointer, rule, want string) {
	*v = append(*v, validation.Violation{Pointer: pointer, Rule: rule, Want: want})
}

func (v *violations) require(isSet bool, pointer string) {
	if !isSet {
		v.report(pointer, "required", "must be set")
	}
}

// madeBySDKs are members that Google's SDKs add to an interaction. The list is never modified.
var madeBySDKs = map[string]bool{"output_text": true, "output_image": true, "output_audio": true,
	"output_video": true, "continuation_ids": true}

// checkInteraction checks the members of an interaction, of a whole one and of one in an event.
func checkInteraction(r *interactionsapi.Interaction) []validation.Violation {
	var v violations
	for name := range jsonx.Members(r.Unknown) {
		if madeBySDKs[name] {
			v.report("/"+name, "sdk_only",
				"must be absent; Google's SDKs make it, and no server sends it")
		}
	}
	if r.Usage != nil {
		for _, found := range checkUsage(r.Usage) {
			v.report("/usage"+found.Pointer, found.Rule, found.Want)
		}
	}
	v.checkTime("/created", r.Created)
	v.checkTime("/updated", r.Updated)
	var taken map[string]bool
	for i := range r.Steps {
		id := jsonx.Deref(r.Steps[i].ID)
		if id == "" {
			continue
		}
		if taken[id] {
			v.report("/steps/"+strconv.Itoa(i)+"/id", "unique",
				"must differ from the id of any earlier step")
		}
		if taken == nil {
			taken = map[string]bool{}
		}
		taken[id] = true
	}
	return v
}

func (v *violations) checkTime(pointer string, text *string) {
	if text == nil {
		return
	}
	if _, err := time.Parse(time.RFC3339, *text); err != nil {
		v.report(pointer, "format", "must be a time such as 2026-01-31T12:00:00Z")
	}
}

// checkWhole applies the rules for whole interactions. An interaction at the beginning of a stream
// does not fulfil them, and neither does a step that deltas complete.
func checkWhole(r *interactionsapi.Interaction) []validation.Violation {
	var v violations
	if r.Status == interactionsapi.InteractionStatusRequiresContinuation {
		v.require(jsonx.Deref(r.ContinuationToken) != "", "/continuation_token")
	}
	for i := range r.Steps {
		s, at := &r.Steps[i], "/steps/"+strconv.Itoa(i)
		needs := stepNeeds[s.Type]
		if needs.arguments {
			v.require(s.Arguments != nil, at+"/arguments")
		}
		if needs.result && !jsonx.Deref(s.IsError) {
			v.require(s.Result != nil, at+"/result")
		}
	}
	return v
}

// stepNeed is what a step of a type needs.
type stepNeed struct {
	id, callID, name, serverName bool
	// arguments and result are needed in a whole interaction. A stream has them in deltas.
	arguments, result bool
	// list reports that a result is a list.
	list bool
}

// stepNeeds says what a step needs, by its type. Types that need nothing are not in it. It is never
// modified.
var stepNeeds = map[interactionsapi.StepType]stepNeed{
	interactionsapi.StepTypeFunctionCall:        {id: true, name: true, arguments: true},
	interactionsapi.StepTypeFunctionResult:      {callID: true, result: true},
	interactionsapi.StepTypeCodeExecutionCall:   {id: true, arguments: true},
	interactionsapi.StepTypeCodeExecutionResult: {callID: true, result: true},
	interactionsapi.StepTypeGoogleSearchCall:    {id: true, arguments: true},
	interactionsapi.StepTypeGoogleSearchResult:  {callID: true, result: true, list: true},
	interactionsapi.StepTypeURLContextCall:      {id: true, arguments: true},
	interactionsapi.StepTypeURLContextResult:    {callID: true, result: true, list: true},
	interactionsapi.StepTypeGoogleMapsCall:      {id: true},
	interactionsapi.StepTypeGoogleMapsResult:    {callID: true, result: true, list: true},
	interactionsapi.StepTypeFileSearchCall:      {id: true},
	interactionsapi.StepTypeFileSearchResult:    {callID: true, list: true},
	interactionsapi.StepTypeRetrievalCall:       {id: true, arguments: true},
	interactionsapi.StepTypeRetrievalResult:     {callID: true},
	interactionsapi.StepTypeMCPServerToolCall: {id: true, name: true, serverName: true,
		arguments: true},
	interactionsapi.StepTypeMCPServerToolResult: {callID: true, result: true},
	interactionsapi.StepTypeProcessingCall:      {id: true},
	interactionsapi.StepTypeProcessingResult:    {callID: true},
}

// checkStep checks that a step has what its type needs, and its content.
func checkStep(s *interactionsapi.Step) []validation.Violation {
	var v violations
	v.require(s.Type != "", "/type")
	needs := stepNeeds[s.Type]
	v.require(!needs.id || jsonx.Deref(s.ID) != "", "/id")
	v.require(!needs.callID || jsonx.Deref(s.CallID) != "", "/call_id")
	v.require(!needs.name || jsonx.Deref(s.Name) != "", "/name")
	v.require(!needs.serverName || jsonx.Deref(s.ServerName) != "", "/server_name")
	if s.Arguments != nil && s.Arguments.Kind() != jsontext.KindBeginObject {
		v.report("/arguments", "type", "must be an object")
	}
	if needs.list && s.Result != nil && s.Result.Kind() != jsontext.KindBeginArray {
		v.report("/result", "type", "must be a list")
	}
	content := ContentOf(s)
	for i := range content {
		v.checkContent("/content/"+strconv.Itoa(i), &content[i])
	}
	for i := range s.Summary {
		v.checkContent("/summary/"+strconv.Itoa(i), &s.Summary[i])
	}
	return v
}

// checkContent checks that a block of content has what its type needs.
func (v *violations) checkContent(at string, b *interactionsapi.Content) {
	switch b.Type {
	case "":
		v.require(false, at+"/type")
	case interactionsapi.ContentTypeText:
		v.require(b.Text != nil, at+"/text")
	case interactionsapi.ContentTypeImage, interactionsapi.ContentTypeAudio,
		interactionsapi.ContentTypeVideo, interactionsapi.ContentTypeDocument:
		if b.Data == nil && b.URI == nil {
			v.report(at, "source", "must have data or uri")
		}
	case interactionsapi.ContentTypeFunctionResult:
		v.require(jsonx.Deref(b.CallID) != "", at+"/call_id")
	}
	for i := range b.Annotations {
		in := at + "/annotations/" + strconv.Itoa(i)
		v.checkAnnotation(in, &b.Annotations[i])
		v.checkSpan(in, &b.Annotations[i], []byte(jsonx.Deref(b.Text)))
	}
}

// checkAnnotation checks an annotation without its text.
func (v *violations) checkAnnotation(at string, a *interactionsapi.Annotation) {
	v.require(a.Type != "", at+"/type")
	begin, end := jsonx.Deref(a.StartIndex), jsonx.Deref(a.EndIndex)
	if begin < 0 {
		v.report(at+"/start_index", "range", "must be at least 0")
	}
	if a.EndIndex != nil && end < begin {
		v.report(at+"/end_index", "range", "must be at least start_index")
	}
}

// checkSpan checks that an annotation is within its text. Its offsets count bytes of UTF-8, and the
// end is exclusive.
func (v *violations) checkSpan(at string, a *interactionsapi.Annotation, text []byte) {
	for _, offset := range []struct {
		member string
		value  *int
	}{{"/start_index", a.StartIndex}, {"/end_index", a.EndIndex}} {
		switch {
		case offset.value == nil || *offset.value < 0:
		case *offset.value > len(text):
			v.report(at+offset.member, "range",
				"must be at most "+strconv.Itoa(len(text))+", the number of bytes of the text")
		case *offset.value < len(text) && !utf8.RuneStart(text[*offset.value]):
			v.report(at+offset.member, "boundary", "must not be within a character")
		}
	}
}

// checkError checks that an error says what it is. The envelope of generateContent has a name in
// status, and a code that is a number.
func checkError(e *interactionsapi.Error) []validation.Violation {
	var v violations
	v.require(!e.Code.IsZero() || e.Status != nil, "/code")
	return v
}

// checkEvent checks that an event has what its type needs.
func checkEvent(e *interactionsapi.StreamEvent) []validation.Violation {
	var v violations
	switch e.EventType {
	case interactionsapi.EventTypeInteractionCreated,
		interactionsapi.EventTypeInteractionCompleted:
		v.require(e.Interaction != nil, "/interaction")
	case interactionsapi.EventTypeInteractionStatusUpdate:
		v.require(jsonx.Deref(e.Status) != "", "/status")
	case interactionsapi.EventTypeStepStart:
		v.require(e.Index != nil, "/index")
		v.require(e.Step != nil, "/step")
	case interactionsapi.EventTypeStepDelta:
		v.require(e.Index != nil, "/index")
		v.require(e.Delta != nil, "/delta")
	case interactionsapi.EventTypeStepStop:
		v.require(e.Index != nil, "/index")
	case interactionsapi.EventTypeError:
		v.require(e.Error != nil, "/error")
	}
	if e.Delta != nil {
		v.checkDelta(e.Delta)
	}
	return v
}

// checkDelta checks that a delta has what its type needs.
func (v *violations) checkDelta(d *interactionsapi.StepDelta) {
	const at = "/delta"
	switch d.Type {
	case interactionsapi.DeltaTypeText:
		v.require(d.Text != nil, at+"/text")
	case interactionsapi.DeltaTypeImage, interactionsapi.DeltaTypeAudio,
		interactionsapi.DeltaTypeVideo, interactionsapi.DeltaTypeDocument:
		if d.Data == nil && d.URI == nil {
			v.report(at, "source", "must have data or uri")
		}
	case interactionsapi.DeltaTypeArgumentsDelta:
		if d.Arguments.Kind() != jsontext.KindString {
			v.report(at+"/arguments", "type", "must be a string, a fragment of JSON")
		}
	default:
		v.checkPayload(d)
	}
	for i := range d.Annotations {
		v.checkAnnotation(at+"/annotations/"+strconv.Itoa(i), &d.Annotations[i])
	}
}

// checkPayload checks the payload of a tool, which comes in one delta.
func (v *violations) checkPayload(d *interactionsapi.StepDelta) {
	needs := stepNeeds[interactionsapi.StepType(d.Type)]
	if d.Type != "" && d.Arguments != nil && d.Arguments.Kind() != jsontext.KindBeginObject {
		v.report("/delta/arguments", "type", "must be an object")
	}
	if needs.list && d.Result != nil && d.Result.Kind() != jsontext.KindBeginArray {
		v.report("/delta/result", "type", "must be a list")
	}
}
