package steps

import (
	"mime"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/transform/internal/mediapart"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// KindOf returns the type of a block with media of a MIME type. Everything that is not an image, a
// sound or a video is a document.
func KindOf(mimeType string) interactionsapi.ContentType {
	kind, _, _ := strings.Cut(strings.ToLower(mimeType), "/")
	switch kind {
	case "image":
		return interactionsapi.ContentTypeImage
	case "audio":
		return interactionsapi.ContentTypeAudio
	case "video":
		return interactionsapi.ContentTypeVideo
	default:
		return interactionsapi.ContentTypeDocument
	}
}

// kindOfFile returns the type of a block with media at an address. Without a MIME type, the host or
// the name of the file decides.
func kindOfFile(mimeType, address string) interactionsapi.ContentType {
	switch {
	case mimeType != "":
		return KindOf(mimeType)
	case mediapart.IsYouTube(address):
		return interactionsapi.ContentTypeVideo
	default:
		name, _, _ := strings.Cut(address, "?")
		return KindOf(mediapart.TypeByName(name))
	}
}

// rawAudio is the MIME type of raw samples in an interaction.
const rawAudio = "audio/l16"

// geminiAudio returns the MIME type of a sound in Gemini's format, which has the rate of raw
// samples in it, and whether it has the rate.
func geminiAudio(mimeType string, rate *int) (out string, hasRate bool) {
	if !strings.EqualFold(mimeType, rawAudio) || rate == nil {
		return mimeType, false
	}
	return "audio/L16;codec=pcm;rate=" + strconv.Itoa(*rate), true
}

// interactionsAudio returns the MIME type of a sound in an interaction, and the rate of its
// samples. ok is false for a type that is not of raw samples.
func interactionsAudio(mimeType string) (out string, rate *int, ok bool) {
	base, parameters, err := mime.ParseMediaType(mimeType)
	if err != nil || base != rawAudio {
		return mimeType, nil, false
	}
	if n, err := strconv.Atoi(parameters["rate"]); err == nil && n > 0 {
		rate = &n
	}
	return base, rate, true
}

// resolutionPrefix is the prefix of resolutions in Gemini's format.
const resolutionPrefix = "MEDIA_RESOLUTION_"

// PartOfContent returns a block of content as a part. rest has the members that the part does not
// have; it is empty, or has an unknown type. The annotations of a text are always in rest.
func PartOfContent(c *interactionsapi.Content) (part geminiapi.Part, rest interactionsapi.Content) {
	rest = *c
	switch c.Type {
	case interactionsapi.ContentTypeText:
		part.Text = c.Text
		if part.Text == nil {
			part.Text = new("")
		}
		rest.Type, rest.Text = "", nil
	case interactionsapi.ContentTypeImage, interactionsapi.ContentTypeAudio,
		interactionsapi.ContentTypeVideo, interactionsapi.ContentTypeDocument:
		setMedia(&part, c, &rest)
	}
	return part, rest
}

// setMedia sets the media of a part.
func setMedia(part *geminiapi.Part, c, rest *interactionsapi.Content) {
	mimeType, hasRate := geminiAudio(jsonx.Deref(c.MIMEType), c.SampleRate)
	if hasRate {
		rest.SampleRate = nil
	}
	var typed *string
	if c.MIMEType != nil {
		typed = &mimeType
	}
	switch {
	case c.Data != nil:
		part.InlineData = &geminiapi.Blob{MIMEType: typed, Data: c.Data}
		rest.Data, rest.MIMEType = nil, nil
	case c.URI != nil:
		part.FileData = &geminiapi.FileData{MIMEType: typed, FileURI: c.URI}
		rest.URI, rest.MIMEType = nil, nil
	default:
		return
	}
	if kindOfFile(mimeType, jsonx.Deref(c.URI)) == c.Type {
		rest.Type = ""
	}
	if c.Resolution != nil && c.Resolution.Valid() {
		level := geminiapi.PartMediaResolutionLevel(resolutionPrefix +
			strings.ToUpper(string(*c.Resolution)))
		part.MediaResolution = &geminiapi.PartMediaResolution{Level: &level}
		rest.Resolution = nil
	}
	setProcessing(part, c, rest)
}

// setProcessing sets how a model reads a video.
func setProcessing(part *geminiapi.Part, c, rest *interactionsapi.Content) {
	if word, ok := c.Processing.AsString(); ok {
		part.MediaProcessing = new(geminiapi.MediaProcessing(strings.ToUpper(word)))
		rest.Processing = wiretype.StringOr[interactionsapi.MediaProcessing]{}
	}
	clip, ok := c.Processing.AsValue()
	if !ok || clip.Type == nil || *clip.Type != "static" || clip.Unknown != nil {
		return
	}
	part.VideoMetadata = &geminiapi.VideoMetadata{StartOffset: clip.StartOffset,
		EndOffset: clip.EndOffset, Fps: clip.FPS}
	rest.Processing = wiretype.StringOr[interactionsapi.MediaProcessing]{}
}

// ContentOfPart returns the text or the media of a part as a block of content. ok is false for any
// other part. rest has the members of the part that the block does not have, without its signature
// and its mark as a thought.
func ContentOfPart(part *geminiapi.Part) (c interactionsapi.Content, rest geminiapi.Part, ok bool) {
	rest = *part
	rest.Thought, rest.ThoughtSignature = nil, nil
	switch {
	case part.InlineData != nil:
		c = interactionsapi.Content{Data: part.InlineData.Data, MIMEType: part.InlineData.MIMEType}
		blob := *part.InlineData
		blob.Data, blob.MIMEType = nil, nil
		rest.InlineData = nil
		if blob.DisplayName != nil || blob.Unknown != nil {
			rest.InlineData = &blob
		}
		contentMedia(&c, part, &rest)
	case part.FileData != nil:
		c = interactionsapi.Content{URI: part.FileData.FileURI, MIMEType: part.FileData.MIMEType}
		file := *part.FileData
		file.FileURI, file.MIMEType = nil, nil
		rest.FileData = nil
		if file.DisplayName != nil || file.Unknown != nil {
			rest.FileData = &file
		}
		contentMedia(&c, part, &rest)
	case part.Text != nil:
		c = interactionsapi.Content{Type: interactionsapi.ContentTypeText, Text: part.Text}
		rest.Text = nil
	default:
		return c, rest, false
	}
	overlayContent(&c, part, &rest)
	return c, rest, true
}

// contentMedia sets the type of a block with media, and how a model sees them.
func contentMedia(c *interactionsapi.Content, part, rest *geminiapi.Part) {
	mimeType := jsonx.Deref(c.MIMEType)
	c.Type = kindOfFile(mimeType, jsonx.Deref(c.URI))
	if raw, rate, ok := interactionsAudio(mimeType); ok {
		c.MIMEType, c.SampleRate = &raw, rate
	}
	if r := part.MediaResolution; r != nil && r.Level != nil && r.NumTokens == nil &&
		r.Unknown == nil {
		word, hasPrefix := strings.CutPrefix(string(*r.Level), resolutionPrefix)
		if resolution := interactionsapi.MediaResolution(strings.ToLower(word)); hasPrefix &&
			resolution.Valid() && (c.Type == interactionsapi.ContentTypeImage ||
			c.Type == interactionsapi.ContentTypeVideo) {
			c.Resolution, rest.MediaResolution = &resolution, nil
		}
	}
	if c.Type != interactionsapi.ContentTypeVideo {
		return
	}
	switch v := part.VideoMetadata; {
	case v != nil && v.Unknown == nil:
		c.Processing = wiretype.ValueOf(interactionsapi.MediaProcessing{Type: new("static"),
			StartOffset: v.StartOffset, EndOffset: v.EndOffset, FPS: v.Fps})
		rest.VideoMetadata = nil
	case v == nil && part.MediaProcessing != nil:
		c.Processing = wiretype.StringOf[interactionsapi.MediaProcessing](
			strings.ToLower(string(*part.MediaProcessing)))
		rest.MediaProcessing = nil
	}
}

// overlayContent gives a block the members of the extension.
func overlayContent(c *interactionsapi.Content, part, rest *geminiapi.Part) {
	e := extensionOf(part)
	rest.Unknown = WithoutExtension(part.Unknown)
	if e.Content == nil {
		return
	}
	more := e.Content
	if more.Type != "" {
		c.Type = more.Type
	}
	if more.Annotations != nil {
		c.Annotations = more.Annotations
	}
	jsonx.Keep(&c.Text, more.Text)
	jsonx.Keep(&c.Data, more.Data)
	jsonx.Keep(&c.URI, more.URI)
	jsonx.Keep(&c.MIMEType, more.MIMEType)
	jsonx.Keep(&c.Resolution, more.Resolution)
	jsonx.Keep(&c.Channels, more.Channels)
	jsonx.Keep(&c.SampleRate, more.SampleRate)
	jsonx.Keep(&c.Name, more.Name)
	jsonx.Keep(&c.CallID, more.CallID)
	jsonx.Keep(&c.IsError, more.IsError)
	if !more.Processing.IsZero() {
		c.Processing = more.Processing
	}
	if more.Result != nil {
		c.Result = more.Result
	}
	c.Unknown = jsonx.MergeObjects(c.Unknown, more.Unknown)
}

// isEmptyContent reports whether a rest has no member.
func isEmptyContent(c *interactionsapi.Content) bool {
	return c.Type == "" && c.Text == nil && c.Annotations == nil && c.Data == nil && c.URI == nil &&
		c.MIMEType == nil && c.Resolution == nil && c.Channels == nil && c.SampleRate == nil &&
		c.Name == nil && c.Processing.IsZero() && c.CallID == nil && c.Result == nil &&
		c.IsError == nil && c.Unknown == nil
}
