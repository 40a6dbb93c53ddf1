package conversation

import (
	"slices"
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/mediapart"
)

// These are the details for media that follow a function result in a user turn.
const (
	detailNoMedia   = detailShown + "the model accepts no media in function results"
	detailNoType    = detailShown + "Gemini accepts only images, PDF and plain text in function results"
	detailNoAddress = detailShown +
		"the Gemini API accepts only addresses of its Files API in function results"

	detailShown = "moved to a user turn after the result, because "

	detailNoResolution = "media in a result have no resolution"
	detailNoSection    = "media in a result have no clip and no frame rate"
)

// pendingResult is the part of a result that does not fit into it. [Conversation.SetResult] handles
// it.
type pendingResult struct {
	media        []geminiapi.Part // for a user turn
	isIncomplete bool             // A part of the result was lost.
}

// shownMedia are the media of results that go into the user turn after them.
type shownMedia struct {
	parts []geminiapi.Part
	index int // of the last element with such media
}

// AddMedia adds a part to the result that is set next. Media in a result have their own form. If
// the model or the API does not accept the media there, they go into the user turn after all
// results. resolution is the pointer of a resolution that the part asks for. An empty part means a
// lost one.
func (c *Conversation) AddMedia(
	out *geminiapi.FunctionResponse, part *geminiapi.Part, at Location, resolution string,
) {
	if part.InlineData == nil && part.FileData == nil {
		c.MissPart()
		return
	}
	if detail := c.notInResult(part); detail != "" {
		c.Report.Add(report.Approximated, at.Pointer(""), detail)
		c.pending.media = append(c.pending.media, *part)
		return
	}
	if part.MediaResolution != nil {
		c.Report.Add(report.Lost, at.Pointer(resolution), detailNoResolution)
	}
	if part.VideoMetadata != nil {
		c.Report.Add(report.Lost, at.Pointer(""), detailNoSection)
	}
	out.Parts = append(out.Parts, geminiapi.FunctionResponsePart{
		InlineData: (*geminiapi.FunctionResponseBlob)(part.InlineData),
		FileData:   (*geminiapi.FunctionResponseFileData)(part.FileData),
	})
}

// AddMediaPart adds media that already have the form of media in a result.
func (c *Conversation) AddMediaPart(
	out *geminiapi.FunctionResponse, media geminiapi.FunctionResponsePart, at Location,
) {
	part := geminiapi.Part{
		InlineData: (*geminiapi.Blob)(media.InlineData),
		FileData:   (*geminiapi.FileData)(media.FileData),
	}
	if c.notInResult(&part) != "" {
		c.AddMedia(out, &part, at, "")
		return
	}
	out.Parts = append(out.Parts, media)
}

// MissPart records that a part of the result that is set next is lost.
func (c *Conversation) MissPart() { c.pending.isIncomplete = true }

// notInResult returns why media cannot be in a result, or "".
func (c *Conversation) notInResult(part *geminiapi.Part) string {
	switch {
	case !c.Traits.FunctionResponseParts:
		return detailNoMedia
	case part.InlineData != nil && !resultTypes[jsonx.Deref(part.InlineData.MIMEType)]:
		return detailNoType
	case part.FileData != nil && !c.VertexAI &&
		!mediapart.IsInFilesAPI(jsonx.Deref(part.FileData.FileURI)):
		return detailNoAddress
	default:
		return ""
	}
}

// resultTypes are the media types that Gemini accepts in a result. It answers 400 to any other
// (gemini-wire 4.8). It is never modified.
var resultTypes = map[string]bool{
	"image/png": true, "image/jpeg": true, "image/webp": true,
	"application/pdf": true, "text/plain": true,
}

// setNextTo keeps the media of the result of an element. If the turn has several calls, a text says
// which one they belong to, because results can come in another order than the calls. call is nil
// for a call in a cache.
func (c *Conversation) setNextTo(at Location, call *Call) {
	if len(c.pending.media) > 0 {
		if call != nil && len(c.turns[c.awaiting].Calls) > 1 {
			c.shown.parts = append(c.shown.parts, geminiapi.Part{Text: new(
				"From the result of call " + strconv.Itoa(call.slot+1) + ", " + call.Name + ":")})
			c.Report.Add(report.Added, at.Pointer(""), "a text that names the call of the media")
		}
		c.shown.parts, c.shown.index = append(c.shown.parts, c.pending.media...), at.Index
	}
	c.dropMedia()
}

// dropMedia drops the media of a result that is not sent, because Google has run the call.
func (c *Conversation) dropMedia() { c.pending = pendingResult{} }

// showMedia adds a user turn with the media of the results before it. If the next turn is the
// user's, it puts the media at the start of that turn.
func (c *Conversation) showMedia(next *Turn) error {
	shown := c.shown
	c.shown = shownMedia{}
	switch {
	case len(shown.parts) == 0:
		return nil
	case next != nil && next.Role == User:
		next.Parts = slices.Concat(shown.parts, next.Parts)
		return nil
	default:
		return c.Add(&Turn{Role: User, Parts: shown.parts, Index: shown.index})
	}
}
