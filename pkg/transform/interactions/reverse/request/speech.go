package request

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

const speechPointer = configPointer + "/speechConfig"

// speechLanguage is the language of a voice if the request names none. An interaction needs one.
const speechLanguage = "en-US"

// setSpeech sets the voices, always as a list.
func (c *converter) setSpeech() {
	if c.config.SpeechConfig == nil {
		return
	}
	rest := *c.config.SpeechConfig
	c.config.SpeechConfig = nil
	var voices []interactionsapi.SpeechConfig
	if several := rest.MultiSpeakerVoiceConfig; several != nil {
		const at = speechPointer + "/multiSpeakerVoiceConfig"
		for i := range several.SpeakerVoiceConfigs {
			voices = append(voices, c.speaker(&several.SpeakerVoiceConfigs[i],
				jsonx.ElementPointer(at+"/speakerVoiceConfigs", i)))
		}
		c.loseRest(at, &geminiapi.MultiSpeakerVoiceConfig{Unknown: several.Unknown})
		rest.MultiSpeakerVoiceConfig = nil
	}
	if len(voices) == 0 && (rest.VoiceConfig != nil || rest.LanguageCode != nil) {
		voices = append(voices, interactionsapi.SpeechConfig{
			Voice: c.voice(rest.VoiceConfig, speechPointer+"/voiceConfig")})
		rest.VoiceConfig = nil
	}
	c.setLanguage(voices, rest.LanguageCode)
	rest.LanguageCode = nil
	c.loseRest(speechPointer, &rest)
	if len(voices) > 0 {
		c.generation.SpeechConfig = wiretype.ListOf(voices)
	}
}

// speaker returns the voice of one of several speakers.
func (c *converter) speaker(in *geminiapi.SpeakerVoiceConfig,
	at string) interactionsapi.SpeechConfig {
	c.loseRest(at, &geminiapi.SpeakerVoiceConfig{Unknown: in.Unknown})
	return interactionsapi.SpeechConfig{Speaker: in.Speaker,
		Voice: c.voice(in.VoiceConfig, at+"/voiceConfig")}
}

// voice returns the name of a voice. Copies of a person's voice have no counterpart.
func (c *converter) voice(in *geminiapi.VoiceConfig, at string) *string {
	if in == nil {
		return nil
	}
	rest := *in
	name := rest.Voice
	rest.Voice = nil
	if built := rest.PrebuiltVoiceConfig; built != nil && name == nil {
		name = built.VoiceName
		c.loseRest(at+"/prebuiltVoiceConfig",
			&geminiapi.PrebuiltVoiceConfig{Unknown: built.Unknown})
		rest.PrebuiltVoiceConfig = nil
	}
	c.loseRest(at, &rest)
	return name
}

// setLanguage sets the language of each voice.
func (c *converter) setLanguage(voices []interactionsapi.SpeechConfig, language *string) {
	for i := range voices {
		switch {
		case language != nil:
			voices[i].Language = language
		case voices[i].Voice != nil:
			voices[i].Language = new(speechLanguage)
		}
	}
	if language == nil && len(voices) > 0 {
		c.report.Add(report.Added, speechPointer+"/languageCode",
			speechLanguage+", because a voice of an interaction needs a language")
	}
}
