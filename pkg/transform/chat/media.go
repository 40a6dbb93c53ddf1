package chat

import (
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/media"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// addMedia adds an image to the images. It returns the member that holds the media, or "" if no
// member does. Sounds are only assigned to audio here. content joins them when it has all of them.
func (c *converter) addMedia(out *openaiapi.ResponseMessage, b *normalize.Block, at int,
	heard *sounds) openaiapi.PartMember {
	isFirst := !heard.begun
	member := c.mediaMember(b, heard)
	switch member {
	case openaiapi.PartMemberImages:
		out.Images = append(out.Images, newImage(b.Media, len(out.Images)))
	case openaiapi.PartMemberAudio:
		if isFirst {
			c.report.Add(report.Added, answer.PartPointer(at, b.Part, ""), detailSoundAdded)
			out.Audio = &openaiapi.ResponseAudio{ID: madeAudioID(c.in.ID, c.index, c.joinedPart(b))}
		} else if c.plain && !heard.joined {
			heard.joined = true
			c.report.Add(report.Approximated, answer.PartPointer(at, b.Part, "/inlineData/data"),
				detailSoundsJoined)
		}
	}
	return member
}

const (
	detailSoundAdded   = "the sound has neither id nor transcript"
	detailSoundsJoined = "joined with the later pieces of the sound; the boundaries of pieces, and the values between them, are lost"
)

// mediaMember returns the member of a message that holds the media. Images go into images. Sounds
// that [sounds] takes go into audio. It returns "" for all other media and for media of thoughts,
// such as drafts of an image.
func (o *options) mediaMember(b *normalize.Block, heard *sounds) openaiapi.PartMember {
	switch {
	case b.Thought:
		return ""
	case !o.plain && isImage(b.Media.MIMEType):
		return openaiapi.PartMemberImages
	case media.HasType(b.Media.MIMEType, "audio/") && heard.take(b):
		return openaiapi.PartMemberAudio
	default:
		return ""
	}
}

func newImage(m *normalize.Media, index int) openaiapi.ContentPart {
	return openaiapi.ContentPart{
		Type:     openaiapi.ContentPartTypeImageURL,
		ImageURL: &openaiapi.ImageURL{URL: wiretype.InlineMedia(m.MIMEType, m.Data)},
		Index:    &index,
	}
}

func madeAudioID(responseID string, candidate, part int) string {
	return positionID("gemini-audio-", responseID, candidate, part)
}

// isImage reports whether a data URL can carry the media: the type in a data URL ends at the first
// comma.
func isImage(mimeType string) bool {
	return media.HasType(mimeType, "image/") && !strings.Contains(mimeType, ",")
}

// audioType returns the type of the message's sound. All pieces have the same type, and the format
// has no member for it. It returns nil if there is no sound.
func audioType(blocks []normalize.Block, members []openaiapi.PartMember) *string {
	if i := slices.Index(members, openaiapi.PartMemberAudio); i >= 0 {
		return &blocks[i].Media.MIMEType
	}
	return nil
}
