package normalize

import "github.com/gemwire/gemwire/gen/geminiapi"

// partJoiner finds the position of each part of a candidate in the content that all chunks of a stream
// make together. It is the one rule that [Stream] and [MergeChunks] follow:
//
//   - Text that is nothing but text continues the text before it, if that is of the same kind, an
//     answer or a thought, and nothing but text too. So a signed text is a part of its own and stays
//     the part that was signed.
//   - A function call that says it will continue is continued by the calls without a name that come
//     next, up to the one that does not say so. Every other function call is a part of its own.
//   - An empty part, such as an empty text, is left out, and so is a function call
//     without content where there is nothing to continue.
//   - Every other part is a part of its own.
//
// Its state is the run, which is what the part before may be continued by:
//
//	              text           thought        call that      other part,
//	                                            continues      whole call
//	no run        new, inText    new, inThought new, inCall    new
//	inText        continue       new, inThought new, inCall    new, no run
//	inThought     new, inText    continue       new, inCall    new, no run
//	inCall        new, inText    new, inThought new, inCall    new, no run
//
// and in inCall a call without a name continues the call, and ends the run if it is the last piece.
// A part that is left out changes nothing.
type partJoiner struct {
	parts int // begun so far
	run   partRun
}

// partRun is what a part may be continued by.
type partRun int

const (
	noRun partRun = iota
	inText
	inThought
	inCall
)

// joinStep is what becomes of a part.
type joinStep int

const (
	leaveOut joinStep = iota
	beginPart
	continuePart
)

// join decides what becomes of the next part. If it is not left out, it is, or belongs to, the last one.
func (j *partJoiner) join(p *geminiapi.Part) joinStep {
	if p.FunctionCall != nil {
		return j.joinCall(p)
	}
	switch kind := textRun(p); {
	case givesNoBlock(p), kind != noRun && *p.Text == "":
		return leaveOut
	case kind != noRun && kind == j.run:
		return continuePart
	default:
		return j.begin(kind)
	}
}

// last is the position of the part that was begun last.
func (j *partJoiner) last() int { return j.parts - 1 }

func (j *partJoiner) begin(r partRun) joinStep {
	j.parts++
	j.run = r
	return beginPart
}

func (j *partJoiner) joinCall(p *geminiapi.Part) joinStep {
	after := noRun
	if deref(p.FunctionCall.WillContinue) {
		after = inCall
	}
	switch {
	case deref(p.FunctionCall.Name) != "":
		return j.begin(after)
	case j.run == inCall:
		j.run = after
		return continuePart
	case isCallEnd(p):
		return leaveOut
	default:
		return j.begin(after)
	}
}

// isCallEnd reports whether a part is a function call and does nothing but end one.
func isCallEnd(p *geminiapi.Part) bool {
	rest := *p
	rest.FunctionCall = nil
	call := p.FunctionCall
	return givesNoBlock(&rest) && call.ID == nil && present(call.Args) == nil && len(call.PartialArgs) == 0 && len(call.Unknown) == 0
}

// textRun returns the run that a part of nothing but text belongs to, noRun for every other part.
func textRun(p *geminiapi.Part) partRun {
	if p.Text == nil || deref(p.ThoughtSignature) != "" {
		return noRun
	}
	rest := *p
	rest.Text, rest.Thought, rest.ThoughtSignature = nil, nil, nil
	switch {
	case !rest.IsEmpty():
		return noRun
	case deref(p.Thought):
		return inThought
	default:
		return inText
	}
}

// givesNoBlock reports whether a part has nothing, but for thought: false or an empty signature.
func givesNoBlock(p *geminiapi.Part) bool {
	if deref(p.Thought) || deref(p.ThoughtSignature) != "" {
		return false
	}
	rest := *p
	rest.Thought, rest.ThoughtSignature = nil, nil
	return rest.IsEmpty()
}
