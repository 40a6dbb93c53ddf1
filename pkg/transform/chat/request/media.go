package request

import (
	"cmp"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/transform/internal/mediapart"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// mediaOf returns the media of a part. The type is not text.
func mediaOf(p *openaiapi.ContentPart, kind openaiapi.ContentPartType) mediapart.Media {
	var out mediapart.Media
	switch kind {
	case openaiapi.ContentPartTypeImageURL:
		image := jsonx.Deref(p.ImageURL)
		out.URL, out.Member, out.Unknown = image.URL, "/image_url/url", image.Unknown
		if detail := jsonx.Deref(image.Detail); detail != "" {
			out.Detail = mediapart.DetailOf(string(detail), "/image_url/detail")
		}
	case openaiapi.ContentPartTypeInputAudio:
		audio := jsonx.Deref(p.InputAudio)
		out.URL, out.Member, out.Unknown = mediapart.Bare(audio.Data), "/input_audio/data",
			audio.Unknown
		if audio.Format != "" {
			out.Suggested, out.FormatMember = mediapart.TypeOfFormat(string(audio.Format)),
				"/input_audio/format"
		}
	case openaiapi.ContentPartTypeFile:
		setFile(&out, p.File)
	case partTypeDocumentURL:
		setDocument(&out, p)
	default:
		video := jsonx.Deref(p.VideoURL)
		out.URL, out.Member, out.Unknown = wiretype.ParseMediaURL(video.URL), "/video_url/url",
			video.Unknown
		out.IsVideo = kind == openaiapi.ContentPartTypeVideoURL
	}
	if out.Unknown != nil {
		out.UnknownMember = "/" + string(kind)
	}
	if google := googleExtension(p.ExtraContent); google != nil {
		out.MIMEType, out.Video, out.Resolution = google.MIMEType, google.VideoMetadata,
			google.MediaResolution
	}
	return out
}

// setFile sets the media from a file: its data, else its id.
func setFile(out *mediapart.Media, member *openaiapi.InputFile) {
	file := jsonx.Deref(member)
	out.FileName, out.FileNameMember, out.Unknown = jsonx.Deref(file.Filename), "/file/filename",
		file.Unknown
	out.Suggested = mediapart.TypeByName(out.FileName)
	if data := jsonx.Deref(file.FileData); data != "" {
		out.URL, out.Member = mediapart.Bare(data), "/file/file_data"
		if file.FileID != nil {
			out.FileIDMember = "/file/file_id"
		}
		return
	}
	out.URL, out.Member = wiretype.MediaAddress(jsonx.Deref(file.FileID)), "/file/file_id"
}

// googleExtension returns the extension, under either of its names.
func googleExtension(extra *openaiapi.ExtraContent) *openaiapi.GoogleExtraContent {
	if extra == nil {
		return nil
	}
	return cmp.Or(extra.Google, extra.Vertex)
}

// setMediaURL replaces the address of a part's media by a URL with the data.
func setMediaURL(p *openaiapi.ContentPart, kind openaiapi.ContentPartType, url wiretype.MediaURL) {
	switch kind {
	case openaiapi.ContentPartTypeImageURL:
		p.ImageURL = new(*p.ImageURL)
		p.ImageURL.URL = url
	case openaiapi.ContentPartTypeInputAudio:
		p.InputAudio = new(*p.InputAudio)
		p.InputAudio.Data = url.String()
	case partTypeDocumentURL:
		setDocumentURL(p, url)
	case openaiapi.ContentPartTypeFile:
		p.File = new(*p.File)
		p.File.FileData, p.File.FileID = new(url.String()), nil
	default:
		p.VideoURL = new(*p.VideoURL)
		p.VideoURL.URL = url.String()
	}
}

// setMediaType sets the media type in the extension of a part. It omits a type that names no kind
// of data.
func setMediaType(p *openaiapi.ContentPart, mimeType string) {
	if mimeType = mediapart.CanonicalType(mimeType); mimeType == "" {
		return
	}
	google := jsonx.Deref(googleExtension(p.ExtraContent))
	google.MIMEType = &mimeType
	extra := jsonx.Deref(p.ExtraContent)
	if extra.Google == nil && extra.Vertex != nil {
		extra.Vertex = &google
	} else {
		extra.Google = &google
	}
	p.ExtraContent = &extra
}
