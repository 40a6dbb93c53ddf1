package request

import (
	"encoding/base64"
	"net/url"
	"path"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/media"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// inlineMedia removes the data from a part and converts them.
func (b *conversation) inlineMedia(rest *geminiapi.Part, at string) (openaiapi.ContentPart, error) {
	blob := *rest.InlineData
	rest.InlineData = nil
	mimeType, data := jsonx.Deref(blob.MIMEType), jsonx.Deref(blob.Data)
	if data == "" {
		b.report.Add(report.Lost, at, "it has no data")
		return openaiapi.ContentPart{}, nil
	}
	if b.plain {
		data = b.standardBase64(data, at+"/data")
	}
	out, err := b.inlinePart(mimeType, data, rest, at)
	if err != nil {
		return out, err
	}
	if name := jsonx.Deref(blob.DisplayName); name != "" && out.File != nil {
		out.File.Filename, blob.DisplayName = &name, nil
	}
	blob.MIMEType, blob.Data = nil, nil
	b.loseRest(at, &blob)
	b.nameType(&out, mimeType)
	return out, nil
}

// inlinePart converts media of a type. OpenAI accepts images, sounds in two formats, and files.
func (b *conversation) inlinePart(mimeType, data string, rest *geminiapi.Part,
	at string) (openaiapi.ContentPart, error) {
	address := wiretype.InlineMedia(mimeType, data)
	format, isSound := soundFormats[strings.ToLower(mimeType)]
	switch {
	case media.HasType(mimeType, "image/"):
		return b.imagePart(address, rest), nil
	case isSound:
		return openaiapi.ContentPart{Type: openaiapi.ContentPartTypeInputAudio,
			InputAudio: &openaiapi.InputAudio{Data: data, Format: format}}, nil
	case media.HasType(mimeType, "video/") && !b.plain:
		return openaiapi.ContentPart{Type: openaiapi.ContentPartTypeVideoURL,
			VideoURL: &openaiapi.VideoURL{URL: address.String()}}, nil
	case b.plain && (media.HasType(mimeType, "video/") || media.HasType(mimeType, "audio/")):
		return openaiapi.ContentPart{},
			&Error{Pointer: at + "/mimeType",
				Problem: "must be an image, WAV, MP3 or a file, because OpenAI accepts no other media"}
	case b.plain && mimeType == "":
		return openaiapi.ContentPart{}, &Error{Pointer: at + "/mimeType", Problem: "must be set"}
	default:
		return b.filePart(address.String(), mimeType), nil
	}
}

// soundFormats maps MIME types to the sound formats that OpenAI accepts. It is never modified.
var soundFormats = map[string]openaiapi.InputAudioFormat{
	"audio/wav": openaiapi.InputAudioFormatWAV, "audio/x-wav": openaiapi.InputAudioFormatWAV,
	"audio/wave": openaiapi.InputAudioFormatWAV, "audio/vnd.wave": openaiapi.InputAudioFormatWAV,
	"audio/mp3": openaiapi.InputAudioFormatMP3, "audio/mpeg": openaiapi.InputAudioFormatMP3,
	"audio/x-mp3": openaiapi.InputAudioFormatMP3,
}

// filePart makes a file part. OpenAI refuses a file without a name, which gemwire does not need.
func (b *conversation) filePart(data, mimeType string) openaiapi.ContentPart {
	out := openaiapi.ContentPart{Type: openaiapi.ContentPartTypeFile,
		File: &openaiapi.InputFile{FileData: &data}}
	if b.plain {
		name := "file"
		if extension, known := fileExtensions[strings.ToLower(mimeType)]; known {
			name += extension
		}
		out.File.Filename = &name
	}
	return out
}

// fileExtensions maps MIME types to file extensions. It is never modified.
var fileExtensions = map[string]string{
	"application/pdf": ".pdf", "application/json": ".json", "text/plain": ".txt",
	"text/csv": ".csv", "text/html": ".html",
	"text/markdown": ".md", "text/md": ".md", "text/xml": ".xml", "application/xml": ".xml",
	"text/rtf": ".rtf",
}

// imagePart makes an image part, with the detail level for the model.
func (b *conversation) imagePart(address wiretype.MediaURL,
	rest *geminiapi.Part) openaiapi.ContentPart {
	image := &openaiapi.ImageURL{URL: address}
	if b.plain {
		image.Detail = b.detail(rest)
	}
	return openaiapi.ContentPart{Type: openaiapi.ContentPartTypeImageURL, ImageURL: image}
}

// detail returns the detail level of an image from the resolution of its part, else of the request.
// Resolutions that OpenAI does not distinguish stay in rest and are reported.
func (b *conversation) detail(rest *geminiapi.Part) *openaiapi.ImageDetail {
	if asked := rest.MediaResolution; asked != nil && asked.Level != nil {
		detail, known := imageDetails[string(*asked.Level)]
		if !known {
			return nil
		}
		left := *asked
		left.Level = nil
		rest.MediaResolution = &left
		return &detail
	}
	if detail, known := imageDetails[string(jsonx.Deref(b.config.MediaResolution))]; known {
		return &detail
	}
	return nil
}

// imageDetails maps resolutions of a part or a request to OpenAI's detail levels. It is never
// modified.
var imageDetails = map[string]openaiapi.ImageDetail{
	string(geminiapi.MediaResolutionLow):                openaiapi.ImageDetailLow,
	string(geminiapi.MediaResolutionHigh):               openaiapi.ImageDetailHigh,
	string(geminiapi.PartMediaResolutionLevelUltraHigh): openaiapi.ImageDetailHigh,
}

// file removes the address from a part and converts it.
func (b *conversation) file(rest *geminiapi.Part, at string) (openaiapi.ContentPart, error) {
	file := *rest.FileData
	rest.FileData = nil
	address, mimeType := jsonx.Deref(file.FileURI), jsonx.Deref(file.MIMEType)
	out, err := b.filePartOf(address, mimeType, rest, at)
	if err != nil {
		return out, err
	}
	if name := jsonx.Deref(file.DisplayName); name != "" && out.File != nil {
		out.File.Filename, file.DisplayName = &name, nil
	}
	if b.plain && mimeType != "" {
		b.report.Add(report.Approximated, at+"/mimeType",
			"omitted, because the server that downloads the image gets its type")
	}
	file.FileURI, file.MIMEType = nil, nil
	b.loseRest(at, &file)
	b.nameType(&out, mimeType)
	return out, nil
}

// filePartOf makes a part from media at an address. OpenAI downloads only images, over http.
func (b *conversation) filePartOf(address, mimeType string, rest *geminiapi.Part,
	at string) (openaiapi.ContentPart, error) {
	isImage := media.HasType(mimeType, "image/") || mimeType == "" && isImageName(address)
	switch {
	case b.plain && !isWebAddress(address):
		return openaiapi.ContentPart{},
			&Error{Pointer: at + "/fileUri",
				Problem: "is an address that only Google can read; send the data instead"}
	case isImage:
		return b.imagePart(wiretype.MediaAddress(address), rest), nil
	case b.plain:
		return openaiapi.ContentPart{},
			&Error{Pointer: at + "/fileUri",
				Problem: "must be an image, because OpenAI downloads only images; send the data instead"}
	case media.HasType(mimeType, "video/") || mimeType == "":
		return openaiapi.ContentPart{Type: openaiapi.ContentPartTypeVideoURL,
			VideoURL: &openaiapi.VideoURL{URL: address}}, nil
	default:
		return b.filePart(address, mimeType), nil
	}
}

// isWebAddress reports whether any server can read an address. Only Google can read files of the
// Gemini API.
func isWebAddress(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return false
	}
	return !strings.EqualFold(u.Hostname(), "generativelanguage.googleapis.com")
}

// isImageName reports whether a file name is the name of an image.
func isImageName(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	switch strings.ToLower(path.Ext(u.Path)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp":
		return true
	default:
		return false
	}
}

// nameType sets the media type in the extension of a part. It takes precedence over the detected
// type.
func (b *conversation) nameType(out *openaiapi.ContentPart, mimeType string) {
	if !b.plain && mimeType != "" {
		out.ExtraContent = &openaiapi.ExtraContent{Google: &openaiapi.GoogleExtraContent{MIMEType: &mimeType}}
	}
}

// standardBase64 returns base64 in the standard alphabet, which data URLs use. Gemini accepts the
// URL alphabet too.
func (b *conversation) standardBase64(data, at string) string {
	if !strings.ContainsAny(data, "-_") {
		return data
	}
	raw, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(data, "="))
	if err != nil {
		return data
	}
	b.report.Add(report.Approximated, at, "converted to the standard base64 alphabet, which data URLs require")
	return base64.StdEncoding.EncodeToString(raw)
}
