package merge

import (
	"bytes"
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/merge/callargs"
)

// PlacedPart is a part of a whole answer with its position. A call in pieces has the position of
// its first piece.
type PlacedPart struct {
	*geminiapi.Part
	Position int
}

// HasPieces reports whether an answer contains calls in pieces. Some proxies make a whole answer
// from a stream by appending the parts of its chunks.
func HasPieces(parts []geminiapi.Part) bool {
	return slices.ContainsFunc(parts, func(p geminiapi.Part) bool { return IsStreamed(&p) })
}

// WholeCalls returns the parts of a whole candidate with each call in one piece. It uses the rules
// for a stream of one chunk, and reports the replaced values in the log. It does not change other
// parts.
func WholeCalls(c *geminiapi.Candidate, log *Log, at Location) []PlacedPart {
	w := wholeCalls{log: log, at: at}
	for i := range c.Content.Parts {
		w.add(PlacedPart{&c.Content.Parts[i], i})
	}
	w.endCall(w.call.MayEnd() && EndsCall(jsonx.Deref(c.FinishReason)))
	return w.parts
}

// wholeCalls is the state of [WholeCalls].
type wholeCalls struct {
	Joiner
	log *Log
	at  Location // of the candidate

	parts    []PlacedPart
	call     *Call        // that continues
	pieces   []PlacedPart // of the call
	position int          // of the call in parts
}

func (w *wholeCalls) add(p PlacedPart) {
	step, isCall := w.Join(p.Part), p.FunctionCall != nil
	if step == LeaveOut && isCall {
		new(TracedCandidate).LeaveOut(p.Part, w.log, w.at.InPart(p.Position))
		return
	}
	if step == BeginPart {
		w.endCall(w.call.MayEnd())
	}
	if step != ContinuePart || !isCall {
		w.parts = append(w.parts, p)
	}
	if step == BeginPart && IsStreamed(p.Part) {
		w.call, w.position = &Call{}, len(w.parts)-1
	}
	if step == LeaveOut || w.call == nil {
		return
	}
	w.call.Add(p.Part, w.log, Location{})
	w.pieces = append(w.pieces, p)
	if w.Run != InCall {
		w.endCall(true)
	}
}

// endCall puts the call at the position of its first piece.
func (w *wholeCalls) endCall(complete bool) {
	if w.call == nil {
		return
	}
	joined := w.call.Finish(complete)
	if len(w.pieces) > 1 || !isSameCall(w.pieces[0].FunctionCall, joined.FunctionCall) {
		w.report(complete)
	}
	w.parts[w.position].Part = joined
	w.call, w.pieces = nil, nil
}

// report reports the values of the pieces that the joined call replaces.
func (w *wholeCalls) report(complete bool) {
	var call Call
	for _, p := range w.pieces {
		call.Add(p.Part, w.log, w.at.InPart(p.Position))
	}
	call.Finish(complete)
}

// isSameCall reports whether joining did not change the only piece of a call. This piece is
// incomplete, and already the result of joined chunks.
func isSameCall(piece, joined *geminiapi.FunctionCall) bool {
	args, err := callargs.Compact(piece.Args)
	return err == nil && bytes.Equal(args, joined.Args) &&
		len(piece.PartialArgs) == len(joined.PartialArgs) &&
		jsonx.Deref(piece.WillContinue) == jsonx.Deref(joined.WillContinue)
}
