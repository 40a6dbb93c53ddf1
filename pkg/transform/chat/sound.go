package chat

import (
	"strings"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/media"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// sounds decides which sounds of a candidate become the message's audio: the first sound and the
// sounds after it that continue it. Speech models send their output in many pieces, above all in
// streams.
//
// A sound continues the first if both are raw samples of the same type without a header. Joined
// samples are a sound, but joined files are not a file. A sound whose base64 is not in standard
// form is not a piece, because its length could not be found in the joined audio. No sound after it
// is a piece either.
type sounds struct {
	begun    bool
	mimeType string // of the first
	closed   bool   // No further sound continues the first.
	joined   bool   // The joining of pieces was reported.
}

// take reports whether the next sound is part of the audio. A sound without data is not.
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

// isRawSound reports whether a type means samples without a header.
func isRawSound(mimeType string) bool {
	kind, _, _ := strings.Cut(mimeType, ";")
	switch strings.ToLower(strings.TrimSpace(kind)) {
	case "audio/l16", "audio/pcm":
		return true
	default:
		return false
	}
}

// joinedSound returns the base64 of the audio, which some of the blocks hold in pieces. A single
// piece is not copied.
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

// audioType returns the type of the sound, or nil without a sound.
func (s *sounds) audioType() *string {
	if !s.begun {
		return nil
	}
	return &s.mimeType
}
