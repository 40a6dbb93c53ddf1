package openai

import (
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/media"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// sounds decides which sounds of a candidate are its message's audio: the first, and behind it those
// whose bytes go on with it. Speech models send what they say in many such pieces, most of all in
// streams.
//
// Bytes go on when they are samples without a header and of the first sound's very type. Joined files
// are no file. A sound whose base64 is not written as the standard has it is no piece, as nobody could
// tell its bytes, or find it again among the others; from there on no sound is one.
type sounds struct {
	begun    bool
	mimeType string // of the first
	closed   bool   // Nothing goes on with the first.
	joined   bool   // It is reported that pieces were joined.
}

// take reports whether the next sound is part of the audio. One without data cannot be heard.
func (s *sounds) take(b *normalize.Block) bool {
	switch {
	case b.Media.Data == "" && !isSent(b):
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

// joinedSound returns the base64 of the audio, whose pieces stand in some of the blocks. A single one is
// not copied.
func joinedSound(blocks []normalize.Block, members []openaiapi.PartMember) string {
	var pieces []string
	for i := range blocks {
		if members[i] == openaiapi.PartMemberAudio {
			pieces = append(pieces, blocks[i].Media.Data)
		}
	}
	return media.JoinBase64(pieces)
}

// A stream keeps of a sound that it has sent only the length, lest it grow with the sound. It is noted
// in Data of the block, which only blocks of another type have.

const sentMark = "sent "

// sentLength returns what Data of a sent sound has: the mark and, of one of several pieces, its length.
func (s *sounds) sentLength(b *normalize.Block) string {
	if s.closed { // it is the only one
		return sentMark
	}
	length, _ := pieceLength(b)
	return sentMark + strconv.Itoa(length)
}

func isSent(b *normalize.Block) bool { return strings.HasPrefix(b.Data, sentMark) }

func hasLength(b *normalize.Block) bool {
	_, ok := pieceLength(b)
	return ok
}

// pieceLength returns how many bytes the sound of a block has; ok is false for one that cannot be told
// apart again once it is joined with others.
func pieceLength(b *normalize.Block) (length int, ok bool) {
	if digits, sent := strings.CutPrefix(b.Data, sentMark); sent {
		length, err := strconv.Atoi(digits)
		return length, err == nil
	}
	return media.Base64Length(b.Media.Data)
}
