package request

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/media"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json/jsontext"
)

// source is what a content part has about its media.
type source struct {
	url      wiretype.MediaURL
	mimeType string // by a format or a name; "" where only the URL has it
	name     string // of the file
	member   string // where the URL is in the part, as a pointer
	unknown  jsontext.Value
}

// sourceOf returns the media of a part of the type, which is none of text.
func sourceOf(p *openaiapi.ContentPart, kind openaiapi.ContentPartType) source {
	switch kind {
	case openaiapi.ContentPartTypeImageURL:
		image := optional.Value(p.ImageURL)
		return source{url: image.URL, member: "/image_url/url", unknown: image.Unknown}
	case openaiapi.ContentPartTypeInputAudio:
		audio := optional.Value(p.InputAudio)
		return source{url: media.InlineOrAddress(audio.Data), mimeType: audioFormatType(audio.Format), member: "/input_audio/data", unknown: audio.Unknown}
	case openaiapi.ContentPartTypeFile:
		file := optional.Value(p.File)
		from := source{url: wiretype.MediaAddress(optional.Value(file.FileID)), name: optional.Value(file.Filename), member: "/file/file_id", unknown: file.Unknown}
		if data := optional.Value(file.FileData); data != "" {
			from.url, from.member = media.InlineOrAddress(data), "/file/file_data"
		}
		from.mimeType = media.TypeByName(from.name)
		return from
	default:
		video := optional.Value(p.VideoURL)
		return source{url: wiretype.ParseMediaURL(video.URL), member: "/video_url/url", unknown: video.Unknown}
	}
}

// remoteAddress returns the address of media that anybody can get over http, "" for all others.
func (from *source) remoteAddress() string {
	if media.IsInline(from.url) || from.url.IsZero() {
		return ""
	}
	address := strings.TrimSpace(from.url.String())
	if in, err := media.ParseInline(from.url); err != nil || in.OK {
		return ""
	}
	parsed, err := parseAddress(address)
	if err != nil || media.HostOf(parsed) != media.HostAnybody {
		return ""
	}
	return address
}

// parseAddress takes an address apart; its scheme is in small letters then.
func parseAddress(address string) (*url.URL, error) {
	parsed, err := url.Parse(address)
	if err == nil {
		parsed.Scheme = strings.ToLower(parsed.Scheme)
	}
	return parsed, err
}

// media converts media, inline or by address. Without any media the part stays empty, and that is
// reported.
func (b *conversation) media(from source, google *openaiapi.GoogleExtraContent, at location) (geminiapi.Part, error) {
	var part geminiapi.Part
	if google != nil && google.MIMEType != nil {
		from.mimeType = *google.MIMEType
	}
	in, err := media.ParseInline(from.url)
	switch {
	case err != nil:
		return part, &Error{Pointer: at.pointer(from.member), Problem: "the data URL cannot be understood", Err: err}
	case in.OK && in.Data != "":
		part.InlineData = b.blob(in, &from, google, at)
	case from.url.IsZero() || in.OK:
		b.report.Add(transform.Lost, at.pointer(""), "there are no media in it")
	default:
		if err := b.address(&part, &from, at); err != nil {
			return part, err
		}
	}
	if google != nil && (part.InlineData != nil || part.FileData != nil) {
		part.VideoMetadata = google.VideoMetadata
		b.setResolution(&part, google.MediaResolution, at)
	}
	return part, nil
}

// blob makes the part's data of media that came inline.
func (b *conversation) blob(in media.Inline, from *source, google *openaiapi.GoogleExtraContent, at location) *geminiapi.Blob {
	var mimeType string
	if google != nil && google.MIMEType != nil {
		mimeType = *google.MIMEType
	} else {
		mimeType = media.Type(in.MIMEType, from.mimeType, in.Data)
	}
	switch {
	case mimeType == in.MIMEType:
	case in.MIMEType != "":
		b.report.Add(transform.Approximated, at.pointer(from.member), "the type is another than the data URL says")
	case mimeType == media.Untyped:
		b.report.Add(transform.Added, at.pointer(from.member), "nothing tells the type of the data")
	}
	return newBlob(mimeType, in.Data, b.displayName(from))
}

func newBlob(mimeType, data string, name *string) *geminiapi.Blob {
	return &geminiapi.Blob{MIMEType: &mimeType, Data: &data, DisplayName: name}
}

// displayName returns the name of a file for Vertex AI, the only backend that has a member for it.
func (b *conversation) displayName(from *source) *string {
	if !b.vertex {
		return nil
	}
	return optional.Text(from.name)
}

// address sets media that are given by an address.
func (b *conversation) address(part *geminiapi.Part, from *source, at location) error {
	address := strings.TrimSpace(from.url.String())
	parsed, err := parseAddress(address)
	if err != nil {
		return &Error{Pointer: at.pointer(from.member), Problem: "neither an address nor a data URL"}
	}
	kind := media.HostOf(parsed)
	switch kind {
	case media.HostUnknown:
		return &Error{Pointer: at.pointer(from.member), Problem: "not an address that Gemini could reach; those begin with https://, http://, gs:// or files/"}
	case media.HostFileName:
		if !b.vertex {
			b.report.Add(transform.Approximated, at.pointer(from.member), "completed to the address of the file")
			address = media.FilesAPI + address
		}
	}
	mimeType := cmp.Or(from.mimeType, media.TypeByName(parsed.Path))
	if kind == media.HostYouTube && b.vertex && mimeType == "" {
		mimeType = "video/mp4" // which Vertex AI wants to be told, though there is only this
	}
	part.FileData = b.fileData(address, mimeType, from)
	return nil
}

func (b *conversation) fileData(address, mimeType string, from *source) *geminiapi.FileData {
	return &geminiapi.FileData{MIMEType: optional.Text(mimeType), FileURI: &address, DisplayName: b.displayName(from)}
}
