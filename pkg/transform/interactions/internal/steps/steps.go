package steps

import (
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/unshown"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// Steps converts parts to steps, one part after the other. The zero value is for parts of the model
// in a request.
type Steps struct {
	// OfUser is true for parts of the user.
	OfUser bool
	// SignatureAfter puts the thought with the signature of a text after the text, as a stream has
	// to. The extension of [Parts] may still say that it was before.
	SignatureAfter bool
	// CallID returns the id of a call that has none. at is the pointer of its part. If it is nil,
	// such a call has no id.
	CallID func(at string) string
	// Report gets what is lost, approximated or added.
	Report *report.Report

	steps   []interactionsapi.Step
	pointer []string // of the part that began each step
	// open is true while content or a summary can join the last step.
	open bool
	// next is the extension of the step of the next part, or nil.
	next *extension
	// calls without a result so far
	calls []unanswered
}

// unanswered is a call that has no result yet.
type unanswered struct {
	kind interactionsapi.StepType // of its result
	name string
	id   string
}

// Details of entries.
const (
	detailNoStep  = "an interaction has no member for it"
	detailTimeout = "an interaction has no word for code that ran too long"
	detailNewID   = "the id of a call, which an interaction needs"
	detailPaired  = "the id of the first call without a result"
)

// All returns the steps so far, and the pointer of the part that each began with. The last step may
// still grow.
func (b *Steps) All() (steps []interactionsapi.Step, pointers []string) {
	return b.steps, b.pointer
}

// Add converts the next part, whose pointer is at.
func (b *Steps) Add(part *geminiapi.Part, at string) {
	e := extensionOf(part)
	e.reportUnread(part, at, b.Report)
	switch {
	case isBare(part) && e.Next:
		b.next = &e
		return
	case isEmptyOfData(part) && e.Step != nil:
		b.begin(*e.Step, at, false)
		if signature := jsonx.Deref(part.ThoughtSignature); signature != "" {
			b.sign(signature, &extension{}, at)
		}
		return
	case isBare(part) && e.Content != nil:
		b.content(*e.Content, &e, at)
		return
	case part.FunctionCall != nil:
		b.call(part, &e, at)
		return
	case part.ExecutableCode != nil || part.CodeExecutionResult != nil || part.ToolCall != nil ||
		part.ToolResponse != nil || part.FunctionResponse != nil:
		b.tool(part, &e, at)
		return
	}
	content, rest, ok := ContentOfPart(part)
	if !ok {
		rest.Thought = part.Thought // of nothing
	}
	b.lose(&rest, at)
	if next := b.next; ok && next != nil {
		e.NewStep, e.Step, b.next = next.NewStep, next.Step, nil
	}
	signature := jsonx.Deref(part.ThoughtSignature)
	switch {
	case !ok:
		if signature != "" {
			b.sign(signature, &e, at)
		}
	case jsonx.Deref(part.Thought):
		b.thought(content, &e, at)
		if signature != "" {
			b.sign(signature, &extension{}, at)
		}
	case signature == "":
		b.content(content, &e, at)
	case isEmptyText(&content) && e.Signature == beforeOutput && len(b.steps) > 0:
		b.signBefore(signature, at)
	case isEmptyText(&content):
		b.sign(signature, &e, at)
	case b.SignatureAfter && e.Signature != beforeOutput:
		b.content(content, &e, at)
		b.open = false
		b.sign(signature, &extension{}, at)
	default:
		b.content(content, &e, at)
		b.signBefore(signature, at)
	}
}

// isBare reports whether a part has nothing but unknown members.
func isBare(part *geminiapi.Part) bool {
	return isEmptyOfData(part) && part.ThoughtSignature == nil
}

// isEmptyOfData reports whether a part has no data. It may be signed.
func isEmptyOfData(part *geminiapi.Part) bool {
	return part.Text == nil && part.InlineData == nil && part.FileData == nil &&
		part.FunctionCall == nil && part.FunctionResponse == nil && part.ExecutableCode == nil &&
		part.CodeExecutionResult == nil && part.ToolCall == nil && part.ToolResponse == nil
}

func isEmptyText(c *interactionsapi.Content) bool {
	return c.Type == interactionsapi.ContentTypeText && jsonx.Deref(c.Text) == "" &&
		c.Annotations == nil && c.Unknown == nil
}

// lose reports the members of a part that no step has.
func (b *Steps) lose(rest *geminiapi.Part, at string) {
	rest.ThoughtSignature = nil
	rest.Unknown = WithoutExtension(rest.Unknown)
	if !isEmptyPart(rest) {
		unshown.Add(b.Report, at, rest, unshown.Nothing, detailNoStep)
	}
}

// isEmptyPart reports whether a rest has no member.
func isEmptyPart(part *geminiapi.Part) bool {
	return isBare(part) && part.MediaProcessing == nil && part.MediaResolution == nil &&
		part.PartMetadata == nil && part.SpeechMetadata == nil && part.AudioTranscription == nil &&
		part.VideoMetadata == nil && part.Thought == nil && part.Unknown == nil
}

// begin appends a step. open is true if content or a summary can join it.
func (b *Steps) begin(s interactionsapi.Step, at string, open bool) {
	b.steps, b.pointer = append(b.steps, s), append(b.pointer, at)
	b.open = open
}

// last returns the last step if it has a type and content can join it, or nil.
func (b *Steps) last(kind interactionsapi.StepType) *interactionsapi.Step {
	if !b.open || b.steps[len(b.steps)-1].Type != kind {
		return nil
	}
	return &b.steps[len(b.steps)-1]
}

// content adds a block to the open output, or begins one.
func (b *Steps) content(c interactionsapi.Content, e *extension, at string) {
	kind := interactionsapi.StepTypeModelOutput
	if b.OfUser {
		kind = interactionsapi.StepTypeUserInput
	}
	if s := b.last(kind); s != nil && !e.NewStep {
		s.Content = wiretype.ValueOf(append(interactions.ContentOf(s), c))
		return
	}
	s := interactionsapi.Step{Type: kind, Content: wiretype.ValueOf([]interactionsapi.Content{c})}
	overlayStep(&s, e.Step)
	b.begin(s, at, true)
}

// thought adds a block to the summary of the open thought, or begins one.
func (b *Steps) thought(c interactionsapi.Content, e *extension, at string) {
	if s := b.last(interactionsapi.StepTypeThought); s != nil && s.Signature == nil && !e.NewStep {
		s.Summary = append(s.Summary, c)
		return
	}
	s := interactionsapi.Step{Type: interactionsapi.StepTypeThought,
		Summary: []interactionsapi.Content{c}}
	overlayStep(&s, e.Step)
	b.begin(s, at, true)
}

// sign gives a signature to the thought before it, or begins a thought with it.
func (b *Steps) sign(signature string, e *extension, at string) {
	if s := b.last(interactionsapi.StepTypeThought); s != nil && s.Signature == nil && !e.NewStep {
		s.Signature = &signature
		b.open = false
		return
	}
	b.begin(interactionsapi.Step{Type: interactionsapi.StepTypeThought, Signature: &signature}, at,
		false)
}

// signBefore gives a signature to the thought before the last step, or puts one there.
func (b *Steps) signBefore(signature string, at string) {
	b.open = false
	last := len(b.steps) - 1
	if last > 0 {
		before := &b.steps[last-1]
		if before.Type == interactionsapi.StepTypeThought && before.Signature == nil {
			before.Signature = &signature
			return
		}
	}
	thought := interactionsapi.Step{Type: interactionsapi.StepTypeThought, Signature: &signature}
	b.steps = slices.Insert(b.steps, last, thought)
	b.pointer = slices.Insert(b.pointer, last, at)
}

// call adds a function call. A signed call follows a thought with the same signature.
func (b *Steps) call(part *geminiapi.Part, e *extension, at string) {
	call := part.FunctionCall
	s := interactionsapi.Step{Type: interactionsapi.StepTypeFunctionCall, ID: call.ID,
		Name: call.Name, Arguments: call.Args}
	if signature := jsonx.Deref(part.ThoughtSignature); signature != "" {
		if e.Signature != onCall {
			b.sign(signature, e, at)
		}
		if e.Signature != onThought {
			s.Signature = &signature
		}
	}
	overlayStep(&s, e.Step)
	b.newCall(&s, interactionsapi.StepTypeFunctionResult, at+"/functionCall/id")
	b.begin(s, at, false)
	left := geminiapi.FunctionCall{PartialArgs: call.PartialArgs, WillContinue: call.WillContinue,
		Unknown: call.Unknown}
	rest := *part
	if rest.FunctionCall = nil; left.PartialArgs != nil || left.WillContinue != nil ||
		left.Unknown != nil {
		rest.FunctionCall = &left
	}
	b.lose(&rest, at)
}

// newCall gives a call an id, and remembers it for its result.
func (b *Steps) newCall(s *interactionsapi.Step, result interactionsapi.StepType, at string) {
	if jsonx.Deref(s.ID) == "" && b.CallID != nil {
		s.ID = new(b.CallID(at))
		b.Report.Add(report.Added, at, detailNewID)
	}
	b.calls = append(b.calls, unanswered{kind: result, name: jsonx.Deref(s.Name),
		id: jsonx.Deref(s.ID)})
}

// answer finds the call of a result. A result without an id belongs to the first call of its type
// and name that has no result.
func (b *Steps) answer(s *interactionsapi.Step, at string) {
	id := jsonx.Deref(s.CallID)
	i := slices.IndexFunc(b.calls, func(c unanswered) bool {
		if c.kind != s.Type {
			return false
		}
		return c.id == id || id == "" && (c.name == jsonx.Deref(s.Name) || s.Name == nil)
	})
	if i < 0 {
		if id == "" && b.CallID != nil {
			s.CallID = new(b.CallID(at))
			b.Report.Add(report.Added, at, detailNewID)
		}
		return
	}
	if id == "" && b.calls[i].id != "" {
		s.CallID = new(b.calls[i].id)
		b.Report.Add(report.Added, at, detailPaired)
	}
	b.calls = slices.Delete(b.calls, i, i+1)
}

// tool adds a call or a result of a tool, with its own signature.
func (b *Steps) tool(part *geminiapi.Part, e *extension, at string) {
	s, left, name, isTimeout := stepOfPart(part, e)
	if e.Content != nil && e.Content.Type == interactionsapi.ContentTypeFunctionResult {
		b.content(interactionsapi.Content{Type: e.Content.Type, CallID: s.CallID, Name: s.Name,
			Result: s.Result, IsError: s.IsError, Unknown: e.Content.Unknown}, e, at)
		return
	}
	if jsonx.Deref(part.ThoughtSignature) != "" {
		s.Signature = part.ThoughtSignature
	}
	if isTimeout {
		b.Report.Add(report.Approximated, at+"/codeExecutionResult/outcome", detailTimeout)
	}
	if code := part.ExecutableCode; code != nil && e.Step != nil && e.Step.Arguments != nil {
		s.Arguments = jsonx.MergeObjects(s.Arguments, e.Step.Arguments)
		rest := *e.Step
		rest.Arguments = nil
		overlayStep(&s, &rest)
	} else {
		overlayStep(&s, e.Step)
	}
	if tool, isCall := strings.CutSuffix(string(s.Type), callSuffix); isCall {
		b.newCall(&s, interactionsapi.StepType(tool+resultSuffix), at+name+"/id")
	} else {
		b.answer(&s, at+name+"/id")
	}
	b.begin(s, at, false)
	left.Thought, left.PartMetadata, left.MediaResolution = part.Thought, part.PartMetadata,
		part.MediaResolution
	left.VideoMetadata, left.MediaProcessing = part.VideoMetadata, part.MediaProcessing
	left.SpeechMetadata, left.AudioTranscription = part.SpeechMetadata, part.AudioTranscription
	left.Text, left.Unknown = part.Text, part.Unknown
	b.lose(&left, at)
}

// stepOfPart returns the part of a tool as a step, the members of the part that the step does not
// have, and the pointer of the tool in the part.
func stepOfPart(part *geminiapi.Part, e *extension) (s interactionsapi.Step, left geminiapi.Part,
	name string, isTimeout bool) {
	switch {
	case part.ExecutableCode != nil:
		s, left = stepOfCode(part.ExecutableCode)
		return s, left, "/executableCode", false
	case part.CodeExecutionResult != nil:
		s, left, isTimeout = stepOfCodeResult(part.CodeExecutionResult)
		return s, left, "/codeExecutionResult", isTimeout
	case part.FunctionResponse != nil:
		s, left = stepOfFunctionResult(part.FunctionResponse, e.Result)
		return s, left, "/functionResponse", false
	case part.ToolCall != nil:
		s, left = stepOfTool(part)
		return s, left, "/toolCall", false
	default:
		s, left = stepOfTool(part)
		return s, left, "/toolResponse", false
	}
}

// overlayStep gives a step the members of the extension.
func overlayStep(s, more *interactionsapi.Step) {
	if more == nil {
		return
	}
	if more.Type != "" {
		s.Type = more.Type
	}
	jsonx.Keep(&s.ID, more.ID)
	jsonx.Keep(&s.CallID, more.CallID)
	jsonx.Keep(&s.Signature, more.Signature)
	jsonx.Keep(&s.Name, more.Name)
	jsonx.Keep(&s.ServerName, more.ServerName)
	jsonx.Keep(&s.SearchType, more.SearchType)
	jsonx.Keep(&s.RetrievalType, more.RetrievalType)
	jsonx.Keep(&s.IsError, more.IsError)
	jsonx.Keep(&s.Error, more.Error)
	if more.Arguments != nil {
		s.Arguments = more.Arguments
	}
	if more.Result != nil {
		s.Result = more.Result
	}
	s.Unknown = jsonx.MergeObjects(s.Unknown, more.Unknown)
}
