package steps

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/unshown"
)

// Parts converts steps to parts, one step after the other. The zero value has no extension and
// reports what that loses.
type Parts struct {
	// Extension keeps in the extension of a part what the part has no member for.
	Extension bool
	// Annotate is called with the annotations of a text and the index of its part in the list that
	// Add returns. If it is nil, annotations are left to the extension, or lost.
	Annotate func(part int, text string, annotations []interactionsapi.Annotation, pointer string)
	// Report gets what is lost or approximated.
	Report *report.Report

	waiting   string // signature of a thought, for the part that it belongs to
	waitingAt string // its pointer
	// the step that the last part belongs to, if more can join it
	last     interactionsapi.StepType
	newStep  bool // the next part begins a step that would join the last one
	separate bool // the waiting signature is that of a thought of its own
	begunNew bool // what newStep is for a step that has begun
}

// Details of entries.
const (
	detailNoMember = "Gemini's format has no member for it"
	detailNoPart   = "Gemini's format has no part for it"
	detailSplit    = "it is the signature of an empty text of its own"
)

// Add appends the parts of a step to parts. pointer is the pointer of the step, and block returns
// that of a block of its content.
func (p *Parts) Add(parts []geminiapi.Part, s *interactionsapi.Step, pointer string,
	block func(i int) string) []geminiapi.Part {
	p.newStep = s.Type == p.last
	switch s.Type {
	case interactionsapi.StepTypeThought:
		return p.thought(parts, s, pointer)
	case interactionsapi.StepTypeUserInput, interactionsapi.StepTypeModelOutput:
		return p.output(parts, s, pointer, block)
	case interactionsapi.StepTypeFunctionCall:
		return p.call(parts, s, pointer)
	default:
		return p.tool(parts, s, pointer)
	}
}

// End appends the part of a signature that belongs to no part after it. It is for the end of a
// turn.
func (p *Parts) End(parts []geminiapi.Part) []geminiapi.Part {
	p.last = ""
	return p.flush(parts)
}

// Waiting returns the signature of a thought whose part is still to come, or "".
func (p *Parts) Waiting() string { return p.waiting }

// flush appends an empty text with the waiting signature.
func (p *Parts) flush(parts []geminiapi.Part) []geminiapi.Part {
	if p.waiting == "" {
		return parts
	}
	part := geminiapi.Part{Text: new(""), ThoughtSignature: new(p.waiting)}
	if e := (extension{NewStep: p.separate}); p.Extension {
		e.addTo(&part)
	}
	p.waiting, p.separate = "", false
	return append(parts, part)
}

// finish adds the extension to a part, or reports what it would have.
func (p *Parts) finish(part *geminiapi.Part, e extension, pointer string) {
	e.NewStep = p.newStep
	p.newStep = false
	if p.Extension {
		if !e.isZero() {
			kept := e
			kept.addTo(part)
		}
		return
	}
	if e.Step != nil {
		unshown.Add(p.Report, pointer, e.Step, unshown.Nothing, detailNoMember)
	}
}

// restOf returns the rest of a step for the extension, or nil.
func restOf(rest *interactionsapi.Step) *interactionsapi.Step {
	if isEmptyStep(rest) {
		return nil
	}
	return new(*rest) // most rests are empty, and need no memory
}

// thought appends the summary of a thought. Its signature waits for its part.
func (p *Parts) thought(parts []geminiapi.Part, s *interactionsapi.Step,
	pointer string) []geminiapi.Part {
	parts = p.flush(parts)
	rest := *s
	rest.Type, rest.Summary = "", nil
	signature := jsonx.Deref(s.Signature)
	if signature != "" {
		rest.Signature = nil
	}
	for i := range s.Summary {
		part, left := PartOfContent(&s.Summary[i])
		part.Thought = new(true)
		e := p.content(&left, func() string { return jsonx.ElementPointer(pointer+"/summary", i) })
		if i == 0 {
			e.Step = restOf(&rest)
		}
		p.finish(&part, e, pointer)
		parts = append(parts, part)
	}
	switch isEmpty := isEmptyStep(&rest); {
	case len(s.Summary) > 0:
	case signature == "", !isEmpty && p.Extension:
		return p.whole(parts, s, pointer)
	case !isEmpty:
		unshown.Add(p.Report, pointer, restOf(&rest), unshown.Nothing, detailNoMember)
	}
	p.separate = p.newStep
	p.last = interactionsapi.StepTypeThought
	p.waiting, p.waitingAt = signature, pointer+"/signature"
	return parts
}

// content returns an extension with the rest of a block, or reports the rest.
func (p *Parts) content(rest *interactionsapi.Content, pointer func() string) (e extension) {
	if isEmptyContent(rest) {
		return e
	}
	kept := new(*rest)
	if p.Extension {
		e.Content = kept
		return e
	}
	unshown.Add(p.Report, pointer(), kept, unshown.Nothing, detailNoMember)
	return e
}

// output appends the content of a step. A waiting signature goes to the last part of it.
func (p *Parts) output(parts []geminiapi.Part, s *interactionsapi.Step, pointer string,
	block func(i int) string) []geminiapi.Part {
	content := interactions.ContentOf(s)
	rest := *s
	rest.Type, rest.Role = "", nil
	rest.Content = interactionsapi.Step{}.Content
	if !p.Extension && s.Type == interactionsapi.StepTypeModelOutput {
		rest.Error = nil // which the caller reports
	}
	if len(content) == 0 {
		return p.whole(parts, s, pointer)
	}
	isModel := s.Type == interactionsapi.StepTypeModelOutput
	if !isModel {
		parts = p.flush(parts)
	}
	for i := range content {
		part, e := p.block(&content[i], func() string { return block(i) }, len(parts))
		if i == 0 {
			e.Step = restOf(&rest)
		}
		if i == len(content)-1 && isModel && p.waiting != "" {
			part.ThoughtSignature, p.waiting = new(p.waiting), ""
			e.Signature = beforeOutput
		}
		p.finish(&part, e, pointer)
		parts = append(parts, part)
	}
	p.last = s.Type
	if n := len(parts) - 1; parts[n].ThoughtSignature != nil {
		p.last = ""
	}
	return parts
}

// block returns a block of content as a part. A result of a function may be a block of the user.
func (p *Parts) block(c *interactionsapi.Content, pointer func() string,
	index int) (geminiapi.Part, extension) {
	if c.Type == interactionsapi.ContentTypeFunctionResult {
		part, _, form := partOfFunctionResult(&interactionsapi.Step{CallID: c.CallID, Name: c.Name,
			Result: c.Result, IsError: c.IsError})
		return part, extension{Result: form,
			Content: &interactionsapi.Content{Type: c.Type, Unknown: c.Unknown}}
	}
	part, rest := PartOfContent(c)
	if p.Annotate != nil && rest.Annotations != nil &&
		c.Type == interactionsapi.ContentTypeText {
		p.Annotate(index, jsonx.Deref(c.Text), rest.Annotations, pointer()+"/annotations")
		rest.Annotations = nil
	}
	return part, p.content(&rest, pointer)
}

// call appends a function call with its own signature or the waiting one.
func (p *Parts) call(parts []geminiapi.Part, s *interactionsapi.Step,
	pointer string) []geminiapi.Part {
	own := jsonx.Deref(s.Signature)
	if own != "" && p.waiting != "" && own != p.waiting {
		p.Report.Add(report.Approximated, p.waitingAt, detailSplit)
		parts = p.flush(parts)
	}
	rest := *s
	rest.Type, rest.ID, rest.Name, rest.Arguments = "", nil, nil, nil
	part := geminiapi.Part{FunctionCall: &geminiapi.FunctionCall{ID: s.ID, Name: s.Name,
		Args: s.Arguments}}
	var e extension
	switch {
	case own != "":
		part.ThoughtSignature, rest.Signature = &own, nil
		if p.waiting == "" {
			e.Signature = onCall
		}
	case p.waiting != "":
		part.ThoughtSignature, e.Signature = new(p.waiting), onThought
	}
	p.newStep = p.separate && p.waiting != ""
	p.waiting, p.separate = "", false
	e.Step = restOf(&rest)
	p.finish(&part, e, pointer)
	p.last = ""
	return append(parts, part)
}

// tool appends a call or a result of a tool, with its own signature.
func (p *Parts) tool(parts []geminiapi.Part, s *interactionsapi.Step,
	pointer string) []geminiapi.Part {
	parts = p.flush(parts)
	part, rest, form, ok := partOfStep(s)
	if !ok {
		return p.whole(parts, s, pointer)
	}
	if jsonx.Deref(s.Signature) != "" {
		part.ThoughtSignature, rest.Signature = s.Signature, nil
	}
	p.finish(&part, extension{Step: restOf(&rest), Result: form}, pointer)
	p.last = ""
	return append(parts, part)
}

// partOfStep returns a step of a tool as a part, and the members that the part does not have. ok is
// false for a step of an unknown type.
func partOfStep(s *interactionsapi.Step) (part geminiapi.Part, rest interactionsapi.Step,
	form resultForm, ok bool) {
	switch s.Type {
	case interactionsapi.StepTypeFunctionResult:
		part, rest, form = partOfFunctionResult(s)
		return part, rest, form, true
	case interactionsapi.StepTypeCodeExecutionCall:
		part, rest, ok = partOfCode(s)
	case interactionsapi.StepTypeCodeExecutionResult:
		part, rest = partOfCodeResult(s)
		ok = true
	default:
		part, rest, ok = partOfTool(s)
	}
	return part, rest, "", ok
}

// whole keeps a step without a counterpart in the extension of a part that has nothing else, or
// reports it.
func (p *Parts) whole(parts []geminiapi.Part, s *interactionsapi.Step,
	pointer string) []geminiapi.Part {
	p.newStep, p.last = false, ""
	if !p.Extension {
		p.Report.Add(report.Lost, pointer, detailNoPart)
		return parts
	}
	var part geminiapi.Part
	e := extension{Step: s}
	e.addTo(&part)
	return append(parts, part)
}

// isEmptyStep reports whether a rest has no member.
func isEmptyStep(s *interactionsapi.Step) bool {
	return s.Type == "" && s.Summary == nil && s.Content.IsZero() && s.ID == nil &&
		s.CallID == nil && s.Signature == nil && s.Name == nil && s.ServerName == nil &&
		s.Arguments == nil && s.SearchType == nil && s.RetrievalType == nil && s.Result == nil &&
		s.IsError == nil && s.Error == nil && s.Role == nil && s.Text == nil &&
		s.Annotations == nil && s.Data == nil && s.URI == nil && s.MIMEType == nil &&
		s.Resolution == nil && s.Channels == nil && s.SampleRate == nil &&
		s.Processing.IsZero() && s.Unknown == nil
}
