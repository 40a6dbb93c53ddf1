package requestcheck

import (
	"math"
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
)

func (v *checker) generationConfig(root *location, c *geminiapi.GenerationConfig) {
	if c == nil {
		return
	}
	at := root.member("generationConfig")
	v.numbers(&at, c)
	v.logprobs(&at, c)
	v.stopSequences(&at, c.StopSequences)
	v.thinkingConfig(&at, c.ThinkingConfig)
	v.outputFormat(&at, c)
	v.speechConfig(&at, c.SpeechConfig)
	v.imageConfig(&at, c.ImageConfig)
	v.audioTranscriptionConfig(&at, c.AudioTranscriptionConfig)
	v.modelChoice(&at, c)
	checkEnum(v, &at, "mediaResolution", c.MediaResolution)
	modalities := at.member("responseModalities")
	modality := modalities.element(0)
	for i := range c.ResponseModalities {
		modality.index = i
		checkElement(v, &modality, &c.ResponseModalities[i])
	}
	if c.TranslationConfig != nil {
		v.leaf(&at, "translationConfig", c.TranslationConfig.Unknown)
	}
	checkExclusive(v, &at, c, generationConfigExclusives)
	v.unknown(&at, c.Unknown)
}

// numberRange is the range of a number in the configuration, both bounds included.
type numberRange struct {
	member   string
	value    func(*geminiapi.GenerationConfig) (float64, bool)
	min, max float64
}

// generationRanges are Google's own, of the descriptions of both backends. Whole numbers have 32 bits on
// the wire.
var generationRanges = []numberRange{
	{"temperature", func(c *geminiapi.GenerationConfig) (float64, bool) { return number(c.Temperature) }, 0, 2},
	{"topP", func(c *geminiapi.GenerationConfig) (float64, bool) { return number(c.TopP) }, 0, 1},
	{"topK", func(c *geminiapi.GenerationConfig) (float64, bool) { return whole(c.TopK) }, 1, math.MaxInt32},
	{"candidateCount", func(c *geminiapi.GenerationConfig) (float64, bool) { return whole(c.CandidateCount) }, 1, 8},
	{"maxOutputTokens", func(c *geminiapi.GenerationConfig) (float64, bool) { return whole(c.MaxOutputTokens) }, 1, math.MaxInt32},
	{"presencePenalty", func(c *geminiapi.GenerationConfig) (float64, bool) { return number(c.PresencePenalty) }, -2, 2},
	{"frequencyPenalty", func(c *geminiapi.GenerationConfig) (float64, bool) { return number(c.FrequencyPenalty) }, -2, 2},
	{"logprobs", func(c *geminiapi.GenerationConfig) (float64, bool) { return whole(c.Logprobs) }, 0, 20},
	{"seed", func(c *geminiapi.GenerationConfig) (float64, bool) { return whole(c.Seed) }, math.MinInt32, math.MaxInt32},
}

func number(value *float64) (float64, bool) {
	if value == nil {
		return 0, false
	}
	return *value, true
}

func whole(value *int) (float64, bool) {
	if value == nil {
		return 0, false
	}
	return float64(*value), true
}

func (v *checker) numbers(at *location, c *geminiapi.GenerationConfig) {
	for i := range generationRanges {
		r := &generationRanges[i]
		value, set := r.value(c)
		if !set || r.min <= value && value <= r.max {
			continue
		}
		text := numberText(value)
		v.reportMember(at, r.member, ruleRange, text, text+" is out of range; must be from "+numberText(r.min)+" to "+numberText(r.max))
	}
}

// numberText is a number as JSON, or as the string that the backends write where JSON has no number.
func numberText(value float64) string {
	switch {
	case math.IsNaN(value):
		return `"NaN"`
	case math.IsInf(value, 1):
		return `"Infinity"`
	case math.IsInf(value, -1):
		return `"-Infinity"`
	case math.Abs(value) < 1e15:
		return strconv.FormatFloat(value, 'f', -1, 64)
	default:
		return strconv.FormatFloat(value, 'g', -1, 64)
	}
}

func (v *checker) logprobs(at *location, c *geminiapi.GenerationConfig) {
	if c.Logprobs != nil && (c.ResponseLogprobs == nil || !*c.ResponseLogprobs) {
		v.reportMember(at, "logprobs", ruleNeeds, strconv.Itoa(*c.Logprobs), "needs responseLogprobs to be true beside it")
	}
}

// maxStopSequences is the most stop sequences, by Google's description.
const maxStopSequences = 5

func (v *checker) stopSequences(at *location, sequences []string) {
	if len(sequences) > maxStopSequences {
		v.reportMember(at, "stopSequences", ruleMax, "", strconv.Itoa(len(sequences))+" stop sequences are too many; there may be 5")
	}
}

// modelChoice checks how Vertex AI is to choose a model by itself.
func (v *checker) modelChoice(at *location, c *geminiapi.GenerationConfig) {
	v.modelSelection(at, "modelConfig", c.ModelConfig)
	v.modelSelection(at, "modelSelectionConfig", c.ModelSelectionConfig)
	r := c.RoutingConfig
	if r == nil {
		return
	}
	in := at.member("routingConfig")
	if r.AutoMode != nil && r.ManualMode != nil {
		v.report(&in, ruleOneMember, "", "holds autoMode and manualMode; must hold one of them")
	}
	if r.AutoMode != nil {
		auto := in.member("autoMode")
		checkEnum(v, &auto, "modelRoutingPreference", r.AutoMode.ModelRoutingPreference)
		v.unknown(&auto, r.AutoMode.Unknown)
	}
	if r.ManualMode != nil {
		v.leaf(&in, "manualMode", r.ManualMode.Unknown)
	}
	v.unknown(&in, r.Unknown)
}

func (v *checker) modelSelection(up *location, name string, c *geminiapi.ModelSelectionConfig) {
	if c == nil {
		return
	}
	at := up.member(name)
	checkEnum(v, &at, "featureSelectionPreference", c.FeatureSelectionPreference)
	v.unknown(&at, c.Unknown)
}
