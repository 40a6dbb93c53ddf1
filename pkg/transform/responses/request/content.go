package request

import (
	"cmp"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/gemwire/gemwire/pkg/transform/internal/mediapart"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// part converts a part of a message of the role. It returns an empty part if the role does not
// allow the part.
func (b *history) part(p *openaiapi.ResponseContentPart, role openaiapi.ResponseRole,
	at conversation.Location) (geminiapi.Part, error) {
	kind := partType(p)
	if text, ok := textOf(p, kind); ok {
		b.losePartMembers(p, kind, at)
		if text == nil {
			b.LoseText(at)
			return geminiapi.Part{}, nil
		}
		if kind == openaiapi.ResponseContentTypeRefusal {
			b.Report.Add(report.Approximated, at.Pointer(""), "sent as a text")
		}
		return geminiapi.Part{Text: text}, nil
	}
	if partMembers[kind] == nil || role == openaiapi.ResponseRoleSystem ||
		role == openaiapi.ResponseRoleDeveloper {
		b.Report.Add(report.Lost, at.Pointer(""), detailNoSuchPart)
		return geminiapi.Part{}, nil
	}
	b.losePartMembers(p, kind, at)
	return b.mediaPart(p, kind, at)
}

// partType returns the type of a part. Without a type, the payload decides.
func partType(p *openaiapi.ResponseContentPart) openaiapi.ResponseContentType {
	switch {
	case p.Type != "":
		return p.Type
	case p.Text != nil:
		return openaiapi.ResponseContentTypeInputText
	case p.Refusal != nil:
		return openaiapi.ResponseContentTypeRefusal
	case !p.ImageURL.IsZero():
		return openaiapi.ResponseContentTypeInputImage
	case p.InputAudio != nil:
		return openaiapi.ResponseContentTypeInputAudio
	case cmp.Or(p.FileData, p.FileURL, p.FileID) != "":
		return openaiapi.ResponseContentTypeInputFile
	default:
		return ""
	}
}

// textOf returns the text of a text part. ok is false for any other part.
func textOf(p *openaiapi.ResponseContentPart, kind openaiapi.ResponseContentType) (text *string,
	ok bool) {
	switch kind {
	case openaiapi.ResponseContentTypeInputText, openaiapi.ResponseContentTypeOutputText,
		openaiapi.ResponseContentTypeText,
		openaiapi.ResponseContentTypeSummaryText, openaiapi.ResponseContentTypeReasoningText:
		return p.Text, true
	case openaiapi.ResponseContentTypeRefusal:
		return p.Refusal, true
	default:
		return nil, false
	}
}

// mediaPart converts the media of a part of the type.
func (b *history) mediaPart(p *openaiapi.ResponseContentPart, kind openaiapi.ResponseContentType,
	at conversation.Location) (geminiapi.Part, error) {
	if p.FileData != "" && p.FileURL != "" && kind == openaiapi.ResponseContentTypeInputFile {
		b.Report.Add(report.Lost, at.Pointer("/file_url"), "the file itself is sent")
	}
	part, report, err := b.Media.Part(mediaOf(p, kind), at.Pointer)
	b.Report = append(b.Report, report...)
	return part, err
}

// mediaOf returns the media of a part. The type is not text.
func mediaOf(p *openaiapi.ResponseContentPart, kind openaiapi.ResponseContentType) mediapart.Media {
	var out mediapart.Media
	switch kind {
	case openaiapi.ResponseContentTypeInputAudio:
		audio := jsonx.Deref(p.InputAudio)
		out.URL, out.Member = mediapart.Bare(audio.Data), "/input_audio/data"
		out.Unknown, out.UnknownMember = audio.Unknown, "/input_audio"
		if audio.Format != "" {
			out.Suggested, out.FormatMember = mediapart.TypeOfFormat(string(audio.Format)),
				"/input_audio/format"
		}
		return out
	case openaiapi.ResponseContentTypeInputFile:
		setFile(&out, p)
	default:
		setImage(&out, p)
	}
	if p.Detail != "" {
		out.Detail = detailOf(p.Detail)
	}
	return out
}

// detailOf returns the detail level for a word. Original is the finest level of Gemini.
func detailOf(word openaiapi.ResponseDetail) mediapart.Detail {
	if word == openaiapi.ResponseDetailOriginal {
		return mediapart.Detail{Member: "/detail",
			Level: geminiapi.PartMediaResolutionLevelUltraHigh}
	}
	return mediapart.DetailOf(string(word), "/detail")
}

// setImage sets the media from an image: its data or address, else its id.
func setImage(out *mediapart.Media, p *openaiapi.ResponseContentPart) {
	out.URL, out.Member = p.ImageURL, "/image_url"
	if out.URL.IsZero() {
		out.URL, out.Member = wiretype.MediaAddress(p.FileID), "/file_id"
	} else if p.FileID != "" {
		out.FileIDMember = "/file_id"
	}
}

// setFile sets the media from a file: its data, else its address, else its id.
func setFile(out *mediapart.Media, p *openaiapi.ResponseContentPart) {
	out.FileName, out.FileNameMember = p.Filename, "/filename"
	out.Suggested = mediapart.TypeByName(p.Filename)
	switch {
	case p.FileData != "":
		out.URL, out.Member = mediapart.Bare(p.FileData), "/file_data"
	case p.FileURL != "":
		out.URL, out.Member = wiretype.ParseMediaURL(p.FileURL), "/file_url"
	default:
		out.URL, out.Member = wiretype.MediaAddress(p.FileID), "/file_id"
		return
	}
	if p.FileID != "" {
		out.FileIDMember = "/file_id"
	}
}
