package interactions

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/interactions/internal/callid"
	"github.com/gemwire/gemwire/pkg/transform/interactions/internal/steps"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/go-json-experiment/json/jsontext"
)

// functionCall is a whole function call.
type functionCall struct {
	id, name, signature string
	arguments           jsontext.Value
	rest                *geminiapi.Part // of the part, or nil
	isThought           bool
}

// wholeCall adds a call of a client's function with its arguments.
func (e *encoder) wholeCall(call *functionCall, at answer.PartLocation, part int) {
	p := geminiapi.Part{FunctionCall: &geminiapi.FunctionCall{ID: &call.id, Name: &call.name,
		Args: call.arguments}}
	if call.signature != "" {
		p.ThoughtSignature = &call.signature
	}
	if call.rest != nil {
		if extension := steps.Extension(call.rest.Unknown); extension != nil {
			p.Unknown = steps.Wrap(extension)
		}
	}
	e.convert(&p, at, part)
	e.keepRest(call.rest, call.isThought, part)
}

// startCall starts a call whose arguments follow in pieces.
func (e *encoder) startCall(id, name, signature string) {
	s := interactionsapi.Step{Type: interactionsapi.StepTypeFunctionCall, ID: &id, Name: &name}
	if signature != "" {
		e.settle()
		e.signed(signature)
		s.Signature = &signature
	}
	e.settle()
	e.addCall(&s)
}

// keepRest keeps the remainder of a part that is a call, and whether the call is part of a thought.
// Without extensions, tables report them.
func (e *encoder) keepRest(rest *geminiapi.Part, isThought bool, part int) {
	if rest == nil && !isThought || e.plain {
		return
	}
	other := jsonx.Deref(rest)
	other.Unknown = steps.WithoutExtension(other.Unknown)
	if isThought {
		other.Thought = new(true)
	}
	if !other.IsEmpty() {
		e.kept = append(e.kept, keptPart{Index: part, Part: &other})
	}
}

// callID returns the unique id of a call: Gemini's own, or a generated one.
func (e *encoder) callID(id string, isMade bool, part int, at answer.PartLocation) string {
	out := id
	if isMade {
		e.entries.Add(report.Added, at, "/functionCall/id", "the call has no id")
		if !e.keepsMadeIDs || e.toolCallID != nil {
			out = e.madeCallID(part)
		}
	}
	if unique := e.unique(out); unique != out {
		e.entries.Add(report.Approximated, at, "/functionCall/id",
			"replaced, because an earlier call has the id")
		out = unique
	}
	return out
}

// madeCallID returns an id for the call at a position of the joined content.
func (e *encoder) madeCallID(part int) string {
	if e.toolCallID != nil {
		if made := e.toolCallID(e.responseID, e.candidate, part); made != "" {
			return made
		}
	}
	out := callid.Made
	if e.responseID != "" {
		out += e.responseID + "_"
	}
	return out + strconv.Itoa(e.candidate) + "_" + strconv.Itoa(part)
}

// builtID returns an id for a call or a result of a tool that Google runs, which has none.
func (e *encoder) builtID(string) string { return e.unique(e.madeCallID(e.part)) }

// unique returns the id, or a variant of it if an earlier call has it.
func (e *encoder) unique(id string) string {
	if e.taken == nil {
		e.taken = map[string]bool{}
	}
	out := id
	for n := len(e.taken); e.taken[out]; n++ {
		out = id + "-" + strconv.Itoa(n)
	}
	e.taken[out] = true
	return out
}
