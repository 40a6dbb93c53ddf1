package request

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/pkg/report"
)

const speechAt = generationAt + "/speech_config"

// voice is a voice with its place in the request.
type voice struct {
	*interactionsapi.SpeechConfig
	place string
}

// setSpeech sets the voices: one voice, or one for each of several speakers. They are a list, one
// object, or the list speakers of an object.
func (c *converter) setSpeech() {
	var voices []voice
	list := c.generation.SpeechConfig.All()
	for i := range list {
		place := speechAt
		if c.generation.SpeechConfig.AsOne() == nil {
			place += "/" + itoa(i)
		}
		voices = append(voices, c.voices(&list[i], place)...)
	}
	if len(voices) > 0 {
		c.setVoices(voices)
	}
}

// voices returns the voices of an object: its own, and those of its speakers. It reads the language
// of an object that has only speakers.
func (c *converter) voices(in *interactionsapi.SpeechConfig, place string) (voices []voice) {
	c.LoseUnknown(place, in.Unknown)
	if len(in.Speakers) == 0 || in.Voice != nil || in.Speaker != nil {
		voices = append(voices, voice{in, place})
	} else {
		c.setLanguage(in.Language, place)
	}
	for i := range in.Speakers {
		voices = append(voices, c.voices(&in.Speakers[i], place+"/speakers/"+itoa(i))...)
	}
	return voices
}

// speech returns the settings of speech, and adds them if needed.
func (c *converter) speech() *geminiapi.SpeechConfig {
	if c.Config().SpeechConfig == nil {
		c.Config().SpeechConfig = &geminiapi.SpeechConfig{}
	}
	return c.Config().SpeechConfig
}

// setLanguage sets the language of speech. Gemini has one for all speakers.
func (c *converter) setLanguage(language *string, place string) {
	switch {
	case language == nil:
	case c.speech().LanguageCode == nil:
		c.speech().LanguageCode = language
	case *c.speech().LanguageCode != *language:
		c.Report.Add(report.Lost, place+"/language", "Gemini has one language for all speakers")
	}
}

// setVoices sets the voices.
func (c *converter) setVoices(voices []voice) {
	for _, v := range voices {
		c.setLanguage(v.Language, v.place)
	}
	if len(voices) == 1 {
		if voices[0].Speaker != nil {
			c.Report.Add(report.Approximated, voices[0].place+"/speaker",
				"omitted, because one voice reads the whole text")
		}
		c.speech().VoiceConfig = voiceOf(voices[0].SpeechConfig)
		return
	}
	out := &geminiapi.MultiSpeakerVoiceConfig{}
	for _, v := range voices {
		out.SpeakerVoiceConfigs = append(out.SpeakerVoiceConfigs, geminiapi.SpeakerVoiceConfig{
			Speaker: v.Speaker, VoiceConfig: voiceOf(v.SpeechConfig)})
	}
	c.speech().MultiSpeakerVoiceConfig = out
}

// voiceOf returns a voice by its name, or nil.
func voiceOf(in *interactionsapi.SpeechConfig) *geminiapi.VoiceConfig {
	if in.Voice == nil {
		return nil
	}
	return &geminiapi.VoiceConfig{PrebuiltVoiceConfig: &geminiapi.PrebuiltVoiceConfig{
		VoiceName: in.Voice}}
}
