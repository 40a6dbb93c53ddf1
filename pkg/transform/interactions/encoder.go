package interactions

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	wire "github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/interactions/internal/steps"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// encoder makes the steps of an interaction from the parts of one candidate. The parts can be whole
// or arrive in pieces. One step is open at a time:
//
//	           text, media                    thought
//	nothing ─────────────────► model_output ◄─────────► thought
//	   ▲                         │                         │
//	   │  a signature, a call,   │                         │ a signature, a call,
//	   └──────── a tool ─────────┴─────────────────────────┘ a tool
//
// A signed text or call follows a thought with its signature. The signature is the last piece of
// the thought. A signature without content waits while an output is open, because its sources may
// still come: they must be sent before the step ends, and the signature belongs after it.
type encoder struct {
	*options
	sink    sink
	entries answer.PartEntries

	open    interactionsapi.StepType
	begun   int      // number of steps so far
	waiting []string // signatures

	texts   outputTexts
	sources sources
	tools   toolSteps

	responseID string
	candidate  int             // index of the interaction's candidate
	taken      map[string]bool // ids of calls
	builder    steps.Steps
	part       int           // the position of the builder's part in the joined content
	lost       report.Report // of the current part; reused
	unshown    report.Report // of the current record; reused
	kept       []keptPart
	made       answer.Calls
}

// begin opens a step. It ends the step before.
func (e *encoder) begin(step *interactionsapi.Step) {
	e.beginNext(step.Type)
	e.sink.begin(step)
}

// beginNext ends the step before, and counts the next one.
func (e *encoder) beginNext(kind interactionsapi.StepType) {
	e.end()
	e.begun++
	e.open = kind
}

// need opens a step of a type, unless one is open already.
func (e *encoder) need(kind interactionsapi.StepType) {
	if e.open != kind {
		e.beginNext(kind)
		e.sink.beginEmpty(kind)
	}
}

// end ends the open step, if any. An output gets its annotations.
func (e *encoder) end() {
	if e.open == "" {
		return
	}
	if e.open == interactionsapi.StepTypeModelOutput {
		e.annotate()
	}
	e.sink.end()
	e.open = ""
}

// settle adds the thoughts with waiting signatures, before something follows them.
func (e *encoder) settle() {
	if len(e.waiting) == 0 {
		return
	}
	e.end()
	for _, signature := range e.waiting {
		e.signed(signature)
	}
	e.waiting = e.waiting[:0]
}

// signed signs the open thought, or adds a thought with the signature.
func (e *encoder) signed(signature string) {
	e.need(interactionsapi.StepTypeThought)
	e.sink.sign(signature)
	e.end()
}

// text adds a piece of the answer's text, with the signature of its part or "".
func (e *encoder) text(text, signature string, part int) {
	if text == "" {
		e.signature(signature)
		return
	}
	e.settle()
	if signature != "" {
		e.signed(signature)
	}
	e.need(interactionsapi.StepTypeModelOutput)
	e.texts.add(len(text), part, e.begun)
	e.sink.text(text)
	if signature != "" { // it signs this text alone
		e.end()
	}
}

// signature takes the signature of a part without content.
func (e *encoder) signature(signature string) {
	switch {
	case signature == "":
	case e.open == interactionsapi.StepTypeModelOutput:
		e.waiting = append(e.waiting, signature)
	default:
		e.settle()
		e.signed(signature)
	}
}

// thought adds a piece of a thought summary, with the signature of its part or "".
func (e *encoder) thought(text, signature string) {
	if text != "" {
		e.settle()
		e.need(interactionsapi.StepTypeThought)
		e.sink.thought(text)
	}
	if signature != "" {
		e.settle()
		e.signed(signature)
	}
}

// convert adds a part that is not a plain text. part is its position in the joined content.
func (e *encoder) convert(p *geminiapi.Part, at answer.PartLocation, part int) {
	if e.builder.Report == nil {
		e.builder = steps.Steps{CallID: e.builtID, Report: &e.lost}
	}
	e.part, e.lost = part, e.lost[:0]
	e.builder.Add(p, "")
	joining := steps.JoiningOf(p.Unknown)
	made := e.builder.Take()
	for i := range made {
		e.add(&made[i], joining, part)
	}
	if last := len(made) - 1; p.ThoughtSignature != nil && last >= 0 &&
		made[last].Type == interactionsapi.StepTypeModelOutput {
		e.end() // the signature signs this part alone
	}
	e.report(p, at)
}

// add adds a step of a part.
func (e *encoder) add(s *interactionsapi.Step, joining steps.Joining, part int) {
	switch s.Type {
	case interactionsapi.StepTypeThought:
		e.addThought(s, joining)
	case interactionsapi.StepTypeModelOutput:
		e.settle()
		if e.open != s.Type || joining.NewStep {
			begin := *s
			begin.Content = interactionsapi.Step{}.Content
			e.begin(&begin)
		}
		for _, block := range wire.ContentOf(s) {
			e.addBlock(&block, part)
		}
	case interactionsapi.StepTypeFunctionCall:
		e.settle()
		e.addCall(s)
		e.sink.arguments(string(s.Arguments))
		e.end()
	default:
		e.settle()
		e.addTool(s)
	}
}

// addThought adds a thought, or joins it to the open one.
func (e *encoder) addThought(s *interactionsapi.Step, joining steps.Joining) {
	isSignature := s.Signature != nil && len(s.Summary) == 0
	if isSignature && !joining.NewStep && s.Unknown == nil &&
		e.open == interactionsapi.StepTypeModelOutput {
		e.waiting = append(e.waiting, *s.Signature)
		return
	}
	e.settle()
	if e.open != s.Type || joining.NewStep || s.Unknown != nil {
		begin := *s
		begin.Summary, begin.Signature = nil, nil
		e.begin(&begin)
	}
	for i := range s.Summary {
		e.sink.content(&s.Summary[i])
	}
	if s.Signature != nil {
		e.sink.sign(*s.Signature)
		e.end()
	}
}

// addBlock adds a block to the open output.
func (e *encoder) addBlock(block *interactionsapi.Content, part int) {
	if block.Type == interactionsapi.ContentTypeText && block.Text != nil {
		e.texts.add(len(*block.Text), part, e.begun)
	} else {
		e.texts.block(e.begun)
	}
	e.sink.content(block)
}

// addCall begins a function call.
func (e *encoder) addCall(s *interactionsapi.Step) {
	begin := *s
	begin.Arguments = nil
	e.begin(&begin)
}

// addTool adds a call or a result of a tool that Google runs, or another whole step.
func (e *encoder) addTool(s *interactionsapi.Step) {
	e.tools.add(s)
	begin, payload := payloadOf(s)
	e.begin(&begin)
	if !isEmptyPayload(&payload) {
		e.sink.payload(&payload)
	}
	e.end()
}

// report reports what the steps do not have of a part. With extensions the part is kept instead.
func (e *encoder) report(p *geminiapi.Part, at answer.PartLocation) {
	isLost := false
	for _, entry := range e.lost {
		if entry.Kind == report.Lost && !e.plain {
			isLost = true
			continue
		}
		e.entries.Add(entry.Kind, at, entry.Pointer, entry.Detail)
	}
	if isLost {
		e.kept = append(e.kept, keptPart{Index: e.part, Part: p})
	}
}
