package merge

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
)

// Joiner finds the position of each part of a candidate in the joined content of all chunks. A
// stream of events and [Chunks] use the same rules:
//
//   - A part with only text continues a part before it with only text of the same kind, which is an
//     answer or a thought. So a signed text is a separate part, and its signature stays valid.
//   - A function call that says it will continue is continued by the next calls without a name, up
//     to the first call that does not say so. Every other function call is a separate part.
//   - An empty part, such as an empty text, is left out. A function call without content is left
//     out if no call can be continued any more. If no call came in pieces, it ends no call. Then it
//     is a call without a name, which is an error as in a whole answer.
//   - Every other part is a separate part.
//
// Its state is the run, the kind of parts that may continue the last part:
//
//	              text           thought        call that      other part,
//	                                            continues      whole call
//	no run        new, InText    new, InThought new, InCall    new
//	InText        continue       new, InThought new, InCall    new, no run
//	InThought     new, InText    continue       new, InCall    new, no run
//	InCall        new, InText    new, InThought new, InCall    new, no run
//
// In InCall a call without a name continues the call. It ends the run if it is the last piece. A
// part that is left out does not change the state.
type Joiner struct {
	// Run is the kind of parts that may continue the last part.
	Run      Run
	parts    int  // begun so far
	inPieces bool // A call came in pieces, whose end may come twice.
}

// Run is the kind of parts that may continue a part.
type Run int

// The runs.
const (
	NoRun Run = iota
	InText
	InThought
	InCall
)

// Step says how a part is used.
type Step int

// What becomes of a part.
const (
	LeaveOut Step = iota
	BeginPart
	ContinuePart
)

// Join decides how the next part is used. Unless the part is left out, it becomes the last part or
// continues it.
func (j *Joiner) Join(p *geminiapi.Part) Step {
	if p.FunctionCall != nil {
		return j.joinCall(p)
	}
	switch kind := textRun(p); {
	case kind != NoRun:
		return j.joinText(*p.Text, kind)
	case givesNoBlock(p):
		return LeaveOut
	default:
		return j.begin(NoRun)
	}
}

// JoinText does what Join does for a part that is nothing but a text, or a text of a thought.
func (j *Joiner) JoinText(text string, isThought bool) Step {
	if isThought {
		return j.joinText(text, InThought)
	}
	return j.joinText(text, InText)
}

func (j *Joiner) joinText(text string, kind Run) Step {
	switch {
	case text == "":
		return LeaveOut
	case kind == j.Run:
		return ContinuePart
	default:
		return j.begin(kind)
	}
}

// Last is the position of the last part that began.
func (j *Joiner) Last() int { return j.parts - 1 }

func (j *Joiner) begin(r Run) Step {
	j.parts++
	j.Run = r
	return BeginPart
}

func (j *Joiner) joinCall(p *geminiapi.Part) Step {
	after := NoRun
	if jsonx.Deref(p.FunctionCall.WillContinue) {
		after = InCall
	}
	wasInPieces := j.inPieces
	j.inPieces = j.inPieces || IsStreamed(p)
	switch {
	case jsonx.Deref(p.FunctionCall.Name) != "":
		return j.begin(after)
	case j.Run == InCall:
		j.Run = after
		return ContinuePart
	case wasInPieces && isCallEnd(p):
		return LeaveOut
	default:
		return j.begin(after)
	}
}

// isCallEnd reports whether a part only ends a function call.
func isCallEnd(p *geminiapi.Part) bool {
	rest := *p
	rest.FunctionCall = nil
	call := p.FunctionCall
	return givesNoBlock(&rest) && call.ID == nil && jsonx.NonNull(call.Args) == nil &&
		len(call.PartialArgs) == 0 && len(call.Unknown) == 0
}

// textRun returns the run of a part that contains only text. It returns NoRun for every other part.
func textRun(p *geminiapi.Part) Run {
	if p.Text == nil || jsonx.Deref(p.ThoughtSignature) != "" {
		return NoRun
	}
	rest := *p
	rest.Text, rest.Thought, rest.ThoughtSignature = nil, nil, nil
	switch {
	case !rest.IsEmpty():
		return NoRun
	case jsonx.Deref(p.Thought):
		return InThought
	default:
		return InText
	}
}

// givesNoBlock reports whether a part is empty, except for thought: false or an empty signature.
func givesNoBlock(p *geminiapi.Part) bool {
	if jsonx.Deref(p.Thought) || jsonx.Deref(p.ThoughtSignature) != "" {
		return false
	}
	rest := *p
	rest.Thought, rest.ThoughtSignature = nil, nil
	return rest.IsEmpty()
}
