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

// inlineMedia takes the data off a part and makes a part of them.
func (b *conversation) inlineMedia(rest *geminiapi.Part, at string) (openaiapi.ContentPart, error) {
	blob := *rest.InlineData
	rest.InlineData = nil
	mimeType, data := jsonx.Deref(blob.MIMEType), jsonx.Deref(blob.Data)
	if data == "" {
		b.report.Add(report.Lost, at, "there are no data in it")
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

// inlinePart makes a part of media of a type. OpenAI takes images, sounds in two formats, and
// files.
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
				Problem: "of sounds OpenAI takes WAV and MP3, and no videos"}
	case b.plain && mimeType == "":
		return openaiapi.ContentPart{}, &Error{Pointer: at + "/mimeType", Problem: "must be set"}
	default:
		return b.filePart(address.String(), mimeType), nil
	}
}

// soundFormats are the formats of sound that OpenAI takes, by the names of their types. It is never
// written to.
var soundFormats = map[string]openaiapi.InputAudioFormat{
	"audio/wav": openaiapi.InputAudioFormatWAV, "audio/x-wav": openaiapi.InputAudioFormatWAV,
	"audio/wave": openaiapi.InputAudioFormatWAV, "audio/vnd.wave": openaiapi.InputAudioFormatWAV,
	"audio/mp3": openaiapi.InputAudioFormatMP3, "audio/mpeg": openaiapi.InputAudioFormatMP3,
	"audio/x-mp3": openaiapi.InputAudioFormatMP3,
}

// filePart makes a part of a file. OpenAI refuses one without a name, which gemwire does not need.
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

// fileExtensions are the extensions of the names of files, by their types. It is never written to.
var fileExtensions = map[string]string{
	"application/pdf": ".pdf", "application/json": ".json", "text/plain": ".txt",
	"text/csv": ".csv", "text/html": ".html",
	"text/markdown": ".md", "text/md": ".md", "text/xml": ".xml", "application/xml": ".xml",
	"text/rtf": ".rtf",
}

// imagePart makes a part of an image, with the detail in which the model is to look at it.
func (b *conversation) imagePart(address wiretype.MediaURL,
	rest *geminiapi.Part) openaiapi.ContentPart {
	image := &openaiapi.ImageURL{URL: address}
	if b.plain {
		image.Detail = b.detail(rest)
	}
	return openaiapi.ContentPart{Type: openaiapi.ContentPartTypeImageURL, ImageURL: image}
}

// detail returns the detail of an image: by the resolution of its part, or else by that of the
// request. Levels that OpenAI does not tell apart stay where they are, to be reported.
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

// imageDetails are OpenAI's details by the levels of a part or of a request. It is never written
// to.
var imageDetails = map[string]openaiapi.ImageDetail{
	string(geminiapi.MediaResolutionLow):                openaiapi.ImageDetailLow,
	string(geminiapi.MediaResolutionHigh):               openaiapi.ImageDetailHigh,
	string(geminiapi.PartMediaResolutionLevelUltraHigh): openaiapi.ImageDetailHigh,
}

// file takes the address off a part and makes a part of it.
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
			"left out; whoever gets the image sees its type")
	}
	file.FileURI, file.MIMEType = nil, nil
	b.loseRest(at, &file)
	b.nameType(&out, mimeType)
	return out, nil
}

// filePartOf makes a part of media at an address. OpenAI gets images alone, over http.
func (b *conversation) filePartOf(address, mimeType string, rest *geminiapi.Part,
	at string) (openaiapi.ContentPart, error) {
	isImage := media.HasType(mimeType, "image/") || mimeType == "" && isImageName(address)
	switch {
	case b.plain && !isWebAddress(address):
		return openaiapi.ContentPart{},
			&Error{Pointer: at + "/fileUri",
				Problem: "an address that only Google can reach; send the data in its place"}
	case isImage:
		return b.imagePart(wiretype.MediaAddress(address), rest), nil
	case b.plain:
		return openaiapi.ContentPart{},
			&Error{Pointer: at + "/fileUri",
				Problem: "OpenAI gets nothing but images from addresses; send the data in its place"}
	case media.HasType(mimeType, "video/") || mimeType == "":
		return openaiapi.ContentPart{Type: openaiapi.ContentPartTypeVideoURL,
			VideoURL: &openaiapi.VideoURL{URL: address}}, nil
	default:
		return b.filePart(address, mimeType), nil
	}
}

// isWebAddress reports whether anybody can get what is at an address. Files of the Gemini API only
// Google can.
func isWebAddress(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return false
	}
	return !strings.EqualFold(u.Hostname(), "generativelanguage.googleapis.com")
}

// isImageName reports whether the name of a file is that of an image.
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

// nameType puts the type of media into the extension of their part, which counts more than what
// they look like.
func (b *conversation) nameType(out *openaiapi.ContentPart, mimeType string) {
	if !b.plain && mimeType != "" {
		out.ExtraContent = &openaiapi.ExtraContent{Google: &openaiapi.GoogleExtraContent{MIMEType: &mimeType}}
	}
}

// standardBase64 returns base64 in the alphabet of the standard, in which data URLs are written.
// Gemini takes that of URLs, too.
func (b *conversation) standardBase64(data, at string) string {
	if !strings.ContainsAny(data, "-_") {
		return data
	}
	raw, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(data, "="))
	if err != nil {
		return data
	}
	b.report.Add(report.Approximated, at, "written in the standard's alphabet, as data URLs are")
	return base64.StdEncoding.EncodeToString(raw)
}
