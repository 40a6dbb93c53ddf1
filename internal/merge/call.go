package merge

import (
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/merge/callargs"
)

// Call is a function call that comes in pieces. The zero value is one of which nothing has come.
type Call struct {
	// Args are the arguments so far.
	Args callargs.Writer

	begun      bool
	part       geminiapi.Part // all but the call
	call       geminiapi.FunctionCall
	provenance provenance
}

// IsStreamed reports whether a function call comes in pieces.
func IsStreamed(p *geminiapi.Part) bool {
	call := p.FunctionCall
	return call != nil && (jsonx.Deref(call.WillContinue) || len(call.PartialArgs) > 0)
}

// MayEnd reports whether a call may be complete although its last piece has willContinue: it is not
// in the middle of a string.
func (c *Call) MayEnd() bool { return c == nil || !c.Args.IsInText() }

// EndsCall reports whether the end of a candidate, for a reason, completes a call whose last piece
// has not come. Vertex AI has been seen to leave that piece out, which only ends the call.
func EndsCall(reason geminiapi.FinishReason) bool { return reason == geminiapi.FinishReasonStop }

// Add adds a piece, and reports in the log what that replaces. The first one has the call's name
// and id.
func (c *Call) Add(p *geminiapi.Part, log *Log, at Location) {
	call := p.FunctionCall
	c.provenance.log, c.provenance.at = log, at
	switch {
	case !c.begun:
		c.begun, c.call.Name, c.call.ID = true, call.Name, call.ID
	case call.ID != nil:
		c.provenance.report("/functionCall/id", detailFirstID)
	}
	if call.PartialArgs != nil {
		c.provenance.report("/functionCall/partialArgs", detailPieces)
	}
	if call.WillContinue != nil {
		c.provenance.report("/functionCall/willContinue", detailPieces)
	}
	mergePart(&c.provenance, &c.part, p)
	mergeUnknown(&c.provenance, "/functionCall", &c.call.Unknown, call.Unknown)
	c.Args.AddObject(call.Args)
	for i := range call.PartialArgs {
		c.Args.AddPartial(&call.PartialArgs[i])
	}
}

// Finish returns the call in one piece. It has willContinue unless it is complete, which a call is
// not whose pieces contradict one another: a value that there is no place for is missing in the
// arguments. A string that was cut is marked, so that the part, as a part of a whole answer, is not
// taken for a call whose end was left out.
func (c *Call) Finish(complete bool) *geminiapi.Part {
	cut := c.Args.Cut()
	c.Args.Finish()
	if len(c.Args.Aside) > 0 {
		complete = false
		c.provenance.report("/functionCall", detailContradiction)
	}
	c.call.Args, c.call.PartialArgs = c.Args.Text, c.Args.Aside
	if c.Args.Broken != nil {
		c.call.Args = c.Args.Broken
	}
	if !complete {
		c.call.WillContinue = new(true)
		if cut != nil {
			c.call.PartialArgs = append(c.call.PartialArgs, *cut)
		}
	}
	c.part.FunctionCall = &c.call
	return &c.part
}

// HasLeftOver reports whether a call in one piece lacks a value that its pieces have: they leave it
// without a place.
func HasLeftOver(call *geminiapi.FunctionCall) bool {
	return call != nil &&
		slices.ContainsFunc(call.PartialArgs,
			func(p geminiapi.PartialArg) bool { return !callargs.IsCut(&p) })
}

// mergePart merges the pieces of a function call, all but the call itself.
func mergePart(p *provenance, out, piece *geminiapi.Part) {
	override(p, "/audioTranscription", &out.AudioTranscription, piece.AudioTranscription)
	override(p, "/codeExecutionResult", &out.CodeExecutionResult, piece.CodeExecutionResult)
	override(p, "/executableCode", &out.ExecutableCode, piece.ExecutableCode)
	override(p, "/fileData", &out.FileData, piece.FileData)
	override(p, "/functionResponse", &out.FunctionResponse, piece.FunctionResponse)
	override(p, "/inlineData", &out.InlineData, piece.InlineData)
	override(p, "/mediaProcessing", &out.MediaProcessing, piece.MediaProcessing)
	override(p, "/mediaResolution", &out.MediaResolution, piece.MediaResolution)
	override(p, "/speechMetadata", &out.SpeechMetadata, piece.SpeechMetadata)
	override(p, "/text", &out.Text, piece.Text)
	override(p, "/thought", &out.Thought, piece.Thought)
	override(p, "/toolCall", &out.ToolCall, piece.ToolCall)
	override(p, "/toolResponse", &out.ToolResponse, piece.ToolResponse)
	override(p, "/videoMetadata", &out.VideoMetadata, piece.VideoMetadata)
	if jsonx.Deref(piece.ThoughtSignature) != "" {
		override(p, memberSignature, &out.ThoughtSignature, piece.ThoughtSignature)
	}
	if metadata := jsonx.NonNull(piece.PartMetadata); metadata != nil {
		out.PartMetadata = metadata
		replaceJSON(p, "/partMetadata", &out.PartMetadata)
	}
	mergeUnknown(p, "", &out.Unknown, piece.Unknown)
}

// WithoutPieces returns a copy of a part without the members that say that its function call comes
// in pieces, which package normalize reports. It returns nil for nil.
func WithoutPieces(part *geminiapi.Part) *geminiapi.Part {
	if part == nil || part.FunctionCall == nil {
		return part
	}
	call := *part.FunctionCall
	if jsonx.Deref(call.Name) == "" || jsonx.Deref(call.WillContinue) || len(call.PartialArgs) > 0 {
		call.WillContinue, call.PartialArgs = nil, nil
	}
	out := *part
	out.FunctionCall = &call
	return &out
}
