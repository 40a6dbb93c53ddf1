package request

import (
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
)

const transcriptionAt = generationAt + "/transcription_config"

// setTranscription sets how audio is transcribed.
func (c *converter) setTranscription() {
	in := c.generation.TranscriptionConfig
	if in == nil {
		return
	}
	c.LoseUnknown(transcriptionAt, in.Unknown)
	out := &geminiapi.AudioTranscriptionConfig{CustomVocabulary: in.CustomVocabulary,
		LanguageCodes: in.LanguageCodes, AdaptationPhrases: in.AdaptationPhrases}
	if len(in.LanguageHints) > 0 {
		out.LanguageHints = &geminiapi.LanguageHints{LanguageCodes: in.LanguageHints}
	}
	c.setDetail(out, in.DiarizationMode, in.TimestampGranularities, transcriptionAt)
	const at = transcriptionAt + "/mode"
	if word, ok := in.Mode.AsString(); ok {
		c.setMode(out, interactionsapi.TranscriptionModeType(word), at)
	} else if mode, ok := in.Mode.AsValue(); ok {
		c.LoseUnknown(at, mode.Unknown)
		if mode.Type != nil {
			c.setMode(out, *mode.Type, at+"/type")
		}
		c.setDetail(out, mode.DiarizationMode, mode.TimestampGranularities, at)
		out.SourceText = mode.SourceText
	}
	c.Config().AudioTranscriptionConfig = out
}

// setMode sets the mode of a transcription.
func (c *converter) setMode(out *geminiapi.AudioTranscriptionConfig,
	mode interactionsapi.TranscriptionModeType, at string) {
	switch mode {
	case interactionsapi.TranscriptionModeTypeVerbatim:
		out.Mode = new(geminiapi.AudioTranscriptionModeVerbatim)
	case interactionsapi.TranscriptionModeTypeSmart:
		out.Mode = new(geminiapi.AudioTranscriptionModeSmart)
	default:
		c.Report.Add(report.Lost, at, "must be verbatim or smart")
	}
}

// setDetail sets whether a transcription names speakers and has the times of words. at is the
// pointer of the object with both members.
func (c *converter) setDetail(out *geminiapi.AudioTranscriptionConfig, speakers *string,
	times []string, at string) {
	switch mode := jsonx.Deref(speakers); {
	case speakers == nil:
	case mode == "speaker":
		out.Diarization = new(true)
	default:
		c.Report.Add(report.Lost, at+"/diarization_mode", "Gemini labels speakers only")
	}
	for i, unit := range times {
		if unit == "word" && slices.Index(times, unit) == i {
			out.WordTimestamp = new(true)
		} else {
			c.Report.Add(report.Lost, at+"/timestamp_granularities/"+itoa(i),
				"Gemini has the times of words only")
		}
	}
}
