package request

import (
	"strings"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/media"
)

// audioFormatType returns the type of a format; for one that is not in the table, that of its name.
func audioFormatType(format openaiapi.InputAudioFormat) string {
	mimeType, known := audioFormats[openaiapi.InputAudioFormat(strings.ToLower(string(format)))]
	switch {
	case known || format == "":
		return mimeType
	case strings.Contains(string(format), "/"):
		return media.CanonicalType(string(format))
	default:
		return "audio/" + strings.ToLower(string(format))
	}
}

// audioFormats are the types of the formats of input_audio: OpenAI's two, and others that clients send.
// It is never written to.
var audioFormats = map[openaiapi.InputAudioFormat]string{
	openaiapi.InputAudioFormatWAV: "audio/wav",
	openaiapi.InputAudioFormatMP3: "audio/mpeg",
	"aac":                         "audio/aac",
	"aiff":                        "audio/aiff",
	"flac":                        "audio/flac",
	"m4a":                         "audio/m4a",
	"mp4":                         "audio/mp4",
	"mpeg":                        "audio/mpeg",
	"ogg":                         "audio/ogg",
	"opus":                        "audio/opus",
	"webm":                        "audio/webm",
	// OpenAI's own PCM has 24,000 samples of 16 bits in a second, of one channel.
	"pcm16": media.PCM,
}
