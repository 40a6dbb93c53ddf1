package requestcheck

import "github.com/gemwire/gemwire/gen/geminiapi"

func (v *checker) speechConfig(config *location, c *geminiapi.SpeechConfig) {
	if c == nil {
		return
	}
	at := config.member("speechConfig")
	if c.VoiceConfig != nil && c.MultiSpeakerVoiceConfig != nil {
		v.report(&at, ruleOneMember, "", "holds voiceConfig and multiSpeakerVoiceConfig; must hold one of them")
	}
	v.voiceConfig(&at, c.VoiceConfig)
	if m := c.MultiSpeakerVoiceConfig; m != nil {
		in := at.member("multiSpeakerVoiceConfig")
		list := in.member("speakerVoiceConfigs")
		speaker := list.element(0)
		for i := range m.SpeakerVoiceConfigs {
			speaker.index = i
			v.voiceConfig(&speaker, m.SpeakerVoiceConfigs[i].VoiceConfig)
			v.unknown(&speaker, m.SpeakerVoiceConfigs[i].Unknown)
		}
		v.unknown(&in, m.Unknown)
	}
	v.unknown(&at, c.Unknown)
}

func (v *checker) voiceConfig(up *location, c *geminiapi.VoiceConfig) {
	if c == nil {
		return
	}
	at := up.member("voiceConfig")
	if c.PrebuiltVoiceConfig != nil && c.ReplicatedVoiceConfig != nil {
		v.report(&at, ruleOneMember, "", "holds prebuiltVoiceConfig and replicatedVoiceConfig; must hold one of them")
	}
	if c.PrebuiltVoiceConfig != nil {
		v.leaf(&at, "prebuiltVoiceConfig", c.PrebuiltVoiceConfig.Unknown)
	}
	if r := c.ReplicatedVoiceConfig; r != nil {
		in := at.member("replicatedVoiceConfig")
		if r.VoiceConsentSignature != nil {
			v.leaf(&in, "voiceConsentSignature", r.VoiceConsentSignature.Unknown)
		}
		checkExclusive(v, &in, r, replicatedVoiceExclusives)
		v.unknown(&in, r.Unknown)
	}
	checkExclusive(v, &at, c, voiceConfigExclusives)
	v.unknown(&at, c.Unknown)
}

func (v *checker) audioTranscriptionConfig(config *location, c *geminiapi.AudioTranscriptionConfig) {
	if c == nil {
		return
	}
	at := config.member("audioTranscriptionConfig")
	checkEnum(v, &at, "mode", c.Mode)
	if c.LanguageAuto != nil {
		v.leaf(&at, "languageAuto", c.LanguageAuto.Unknown)
	}
	if c.LanguageHints != nil {
		v.leaf(&at, "languageHints", c.LanguageHints.Unknown)
	}
	v.unknown(&at, c.Unknown)
}

func (v *checker) imageConfig(config *location, c *geminiapi.ImageConfig) {
	if c == nil {
		return
	}
	at := config.member("imageConfig")
	checkEnum(v, &at, "personGeneration", c.PersonGeneration)
	checkEnum(v, &at, "prominentPeople", c.ProminentPeople)
	if c.ImageOutputOptions != nil {
		v.leaf(&at, "imageOutputOptions", c.ImageOutputOptions.Unknown)
	}
	checkExclusive(v, &at, c, imageConfigExclusives)
	v.unknown(&at, c.Unknown)
}
