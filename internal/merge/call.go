package merge

import (
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/merge/callargs"
)

// Call is a function call that arrives in pieces. The zero value is a call without any piece.
type Call struct {
	// Args are the arguments so far.
	Args callargs.Writer

	begun      bool
	part       geminiapi.Part // all but the call
	call       geminiapi.FunctionCall
	provenance provenance
}

// IsStreamed reports whether a function call arrives in pieces.
func IsStreamed(p *geminiapi.Part) bool {
	call := p.FunctionCall
	return call != nil && (jsonx.Deref(call.WillContinue) || len(call.PartialArgs) > 0)
}

// MayEnd reports whether a call may be complete although its last piece has willContinue. It may
// not be complete in the middle of a string.
func (c *Call) MayEnd() bool { return c == nil || !c.Args.IsInText() }

// EndsCall reports whether the end of a candidate completes a call whose last piece is missing. It
// depends on the finish reason. Vertex AI sometimes leaves out a last piece that would only end the
// call.
func EndsCall(reason geminiapi.FinishReason) bool { return reason == geminiapi.FinishReasonStop }

// Add adds a piece, and reports in the log which values it replaces. The first piece has the call's
// name and id.
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

// Finish returns the call in one piece. An incomplete call keeps willContinue. A call is incomplete
// if its pieces contradict each other, because a value without a place is missing in the arguments.
// Finish marks a string that was cut. So a call with a cut string is not mistaken for a call that
// only lacks its last piece.
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

// HasLeftOver reports whether a call in one piece lacks a value of its pieces, because the value
// had no place.
func HasLeftOver(call *geminiapi.FunctionCall) bool {
	return call != nil &&
		slices.ContainsFunc(call.PartialArgs,
			func(p geminiapi.PartialArg) bool { return !callargs.IsCut(&p) })
}

// mergePart merges the members of the pieces of a function call, except for the call itself.
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

// WithoutPieces returns a copy of a part without the members that mark a function call in pieces.
// Package normalize reports these members. WithoutPieces returns nil for nil.
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
