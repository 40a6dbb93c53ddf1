package chat

import (
	"strings"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/media"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// sounds decides which sounds of a candidate are its message's audio: the first, and those after it
// that continue it. Speech models send what they say in many such pieces, most of all in streams.
//
// A sound continues the first when both are samples without a header, of the same type: joined
// samples are a sound, joined files are no file. A sound whose base64 is not in the standard's form
// is no piece, since its length could not be found again in the joined audio; no sound after it is
// one either.
type sounds struct {
	begun    bool
	mimeType string // of the first
	closed   bool   // No sound continues the first any more.
	joined   bool   // It is reported that pieces were joined.
}

// take reports whether the next sound is part of the audio. One without data is not.
func (s *sounds) take(b *normalize.Block) bool {
	switch {
	case b.Media.Data == "":
		return false
	case !s.begun:
		s.begun, s.mimeType = true, b.Media.MIMEType
		s.closed = !isRawSound(s.mimeType) || !hasLength(b)
		return true
	case s.closed || b.Media.MIMEType != s.mimeType:
		return false
	default:
		s.closed = !hasLength(b)
		return !s.closed
	}
}

// isRawSound reports whether a type is that of samples without a header.
func isRawSound(mimeType string) bool {
	kind, _, _ := strings.Cut(mimeType, ";")
	switch strings.ToLower(strings.TrimSpace(kind)) {
	case "audio/l16", "audio/pcm":
		return true
	default:
		return false
	}
}

// joinedSound returns the base64 of the audio, whose pieces stand in some of the blocks. A single
// one is not copied.
func joinedSound(blocks []normalize.Block, members []openaiapi.PartMember) string {
	var pieces []string
	for i := range blocks {
		if members[i] == openaiapi.PartMemberAudio {
			pieces = append(pieces, blocks[i].Media.Data)
		}
	}
	return media.JoinBase64(pieces)
}

func hasLength(b *normalize.Block) bool {
	_, ok := media.Base64Length(b.Media.Data)
	return ok
}

// audioType returns the type of the sound that was taken, nil if none was.
func (s *sounds) audioType() *string {
	if !s.begun {
		return nil
	}
	return &s.mimeType
}
