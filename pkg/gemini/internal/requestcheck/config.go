package requestcheck

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/codec"
)

func (v *checker) checkGenerationConfig(at *codec.Location, c *geminiapi.GenerationConfig) {
	if c.Logprobs != nil && (c.ResponseLogprobs == nil || !*c.ResponseLogprobs) {
		v.reportMember(at, "logprobs", ruleNeeds, strconv.Itoa(*c.Logprobs),
			"needs responseLogprobs to be true")
	}
	v.outputFormat(at, c)
	v.refusedSettings(at, c)
}

func (v *checker) checkSpeechConfig(at *codec.Location, c *geminiapi.SpeechConfig) {
	if c.VoiceConfig != nil && c.MultiSpeakerVoiceConfig != nil {
		v.report(at, ruleOneMember, "",
			"holds voiceConfig and multiSpeakerVoiceConfig; must hold one of them")
	}
}

func (v *checker) checkVoiceConfig(at *codec.Location, c *geminiapi.VoiceConfig) {
	if c.PrebuiltVoiceConfig != nil && c.ReplicatedVoiceConfig != nil {
		v.report(at, ruleOneMember, "",
			"holds prebuiltVoiceConfig and replicatedVoiceConfig; must hold one of them")
	}
}

// checkRoutingConfig checks how Vertex AI should choose a model by itself.
func (v *checker) checkRoutingConfig(at *codec.Location, c *geminiapi.RoutingConfig) {
	if c.AutoMode != nil && c.ManualMode != nil {
		v.report(at, ruleOneMember, "", "holds autoMode and manualMode; must hold one of them")
	}
}
