package request

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

const transcriptionPointer = configPointer + "/audioTranscriptionConfig"

// setTranscription sets how sound is transcribed. The mode is a word, or an object if there is more
// to say about it.
func (c *converter) setTranscription() {
	if c.config.AudioTranscriptionConfig == nil {
		return
	}
	rest := *c.config.AudioTranscriptionConfig
	c.config.AudioTranscriptionConfig = nil
	out := &interactionsapi.TranscriptionConfig{CustomVocabulary: rest.CustomVocabulary,
		LanguageCodes: rest.LanguageCodes, AdaptationPhrases: rest.AdaptationPhrases}
	rest.CustomVocabulary, rest.LanguageCodes, rest.AdaptationPhrases = nil, nil, nil
	if hints := rest.LanguageHints; hints != nil {
		out.LanguageHints = hints.LanguageCodes
		rest.LanguageHints = orNil(geminiapi.LanguageHints{Unknown: hints.Unknown},
			hints.Unknown == nil)
	}
	c.setTranscriptionMode(out, &rest)
	c.loseRest(transcriptionPointer, &rest)
	c.generation.TranscriptionConfig = out
}

// setTranscriptionMode sets the mode, and removes from rest what it expresses. Speakers and times
// belong to verbatim texts, the text that was read aloud to smart ones.
func (c *converter) setTranscriptionMode(out *interactionsapi.TranscriptionConfig,
	rest *geminiapi.AudioTranscriptionConfig) {
	var mode interactionsapi.TranscriptionMode
	if rest.Mode != nil {
		if word, ok := c.word(transcriptionPointer+"/mode", string(*rest.Mode), ""); ok {
			mode.Type = new(interactionsapi.TranscriptionModeType(word))
		}
		rest.Mode = nil
	}
	c.dropFalse(&rest.Diarization, "diarization")
	c.dropFalse(&rest.WordTimestamp, "wordTimestamp")
	kind := jsonx.Deref(mode.Type)
	if kind == "" && (rest.Diarization != nil || rest.WordTimestamp != nil) {
		kind = interactionsapi.TranscriptionModeTypeVerbatim
	}
	if kind == "" && rest.SourceText != nil {
		kind = interactionsapi.TranscriptionModeTypeSmart
	}
	switch kind {
	case interactionsapi.TranscriptionModeTypeVerbatim:
		if rest.Diarization != nil {
			mode.DiarizationMode, rest.Diarization = new("speaker"), nil
		}
		if rest.WordTimestamp != nil {
			mode.TimestampGranularities, rest.WordTimestamp = []string{"word"}, nil
		}
	case interactionsapi.TranscriptionModeTypeSmart:
		mode.SourceText, rest.SourceText = rest.SourceText, nil
	case "":
		return
	}
	if mode.DiarizationMode == nil && mode.TimestampGranularities == nil &&
		mode.SourceText == nil {
		out.Mode = wiretype.StringOf[interactionsapi.TranscriptionMode](string(kind))
		return
	}
	mode.Type = &kind
	out.Mode = wiretype.ValueOf(mode)
}

// dropFalse removes a setting that is off, as it is without it.
func (c *converter) dropFalse(member **bool, name string) {
	if *member != nil && !**member {
		c.report.Add(report.Approximated, transcriptionPointer+"/"+name,
			"omitted, because it is off by default")
		*member = nil
	}
}
