package request

import (
	"strings"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/media"
)

// audioFormatType returns the type of a format of input_audio. Nearly all are named like their types: wav, flac.
func audioFormatType(format openaiapi.InputAudioFormat) string {
	switch name := strings.ToLower(string(format)); {
	case name == "":
		return ""
	case name == string(openaiapi.InputAudioFormatMP3):
		return "audio/mpeg"
	case name == "pcm16": // OpenAI's own PCM has 24,000 samples of 16 bits in a second, of one channel
		return media.PCM
	case strings.Contains(name, "/"):
		return media.CanonicalType(string(format))
	default:
		return "audio/" + name
	}
}
