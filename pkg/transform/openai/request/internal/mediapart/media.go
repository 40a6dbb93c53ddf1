package mediapart

import (
	"cmp"
	"strings"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json/jsontext"
)

// Media is what a content part has about its media. [Of] makes it.
type Media struct {
	kind      openaiapi.ContentPartType
	url       wiretype.MediaURL
	member    string // where the URL is in the part, as a pointer
	suggested string // the type by a format or a file name; "" where only the URL has it
	fileName  string
	detail    openaiapi.ImageDetail
	google    *openaiapi.GoogleExtraContent // the extension, whose type counts most; nil for none
	unknown   jsontext.Value
	// What has no effect beside the media.
	format bool // There is a format of sound.
	fileID bool // There is a file's id beside the file.
}

// Of returns the media of a part of the type, which is none of text.
func Of(p *openaiapi.ContentPart, kind openaiapi.ContentPartType) Media {
	out := Media{kind: kind, google: Extension(p.ExtraContent)}
	switch kind {
	case openaiapi.ContentPartTypeImageURL:
		image := optional.Value(p.ImageURL)
		out.url, out.member, out.unknown = image.URL, "/image_url/url", image.Unknown
		out.detail = optional.Value(image.Detail)
	case openaiapi.ContentPartTypeInputAudio:
		audio := optional.Value(p.InputAudio)
		out.url, out.member, out.unknown = inlineOrAddress(audio.Data), "/input_audio/data", audio.Unknown
		out.suggested, out.format = audioFormatType(audio.Format), audio.Format != ""
	case openaiapi.ContentPartTypeFile:
		out.setFile(p.File)
	default:
		video := optional.Value(p.VideoURL)
		out.url, out.member, out.unknown = wiretype.ParseMediaURL(video.URL), "/video_url/url", video.Unknown
	}
	return out
}

// setFile sets what a part has about a file: the file itself, or else its id.
func (m *Media) setFile(member *openaiapi.InputFile) {
	file := optional.Value(member)
	m.fileName, m.unknown = optional.Value(file.Filename), file.Unknown
	m.suggested = typeByName(m.fileName)
	if data := optional.Value(file.FileData); data != "" {
		m.url, m.member, m.fileID = inlineOrAddress(data), "/file/file_data", file.FileID != nil
		return
	}
	m.url, m.member = wiretype.MediaAddress(optional.Value(file.FileID)), "/file/file_id"
}

// typeBeside returns the type that stands beside the media, "" when nothing does.
func (m *Media) typeBeside() string {
	if named := m.named(); named != nil {
		return *named
	}
	return m.suggested
}

// named returns the type that the extension names, nil for none.
func (m *Media) named() *string {
	if m.google == nil {
		return nil
	}
	return m.google.MIMEType
}

// address returns the address of media that are elsewhere.
func (m *Media) address() string { return strings.TrimSpace(m.url.String()) }

// Extension returns the extension by either of its names.
func Extension(extra *openaiapi.ExtraContent) *openaiapi.GoogleExtraContent {
	if extra == nil {
		return nil
	}
	return cmp.Or(extra.Google, extra.Vertex)
}

// IsInline reports whether a URL holds its media, in the form of the standard.
func IsInline(u wiretype.MediaURL) bool {
	_, _, ok := u.Inline()
	return ok
}
