package request

import (
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/transform"
)

// setGeneration sets how the answer is generated: sampling, length, form, kinds of output, reasoning.
func (c *converter) setGeneration() error {
	c.setSampling()
	c.setLength()
	c.setLogprobs()
	c.setOutput()
	if err := c.setResponseFormat(); err != nil {
		return err
	}
	return c.setThinking()
}

// config returns the generationConfig of the result. One in which nothing was set is left out at the end.
func (c *converter) config() *geminiapi.GenerationConfig {
	if c.out.GenerationConfig == nil {
		c.out.GenerationConfig = &c.generation
	}
	return c.out.GenerationConfig
}

// set puts a value of the request, nil for none, where it belongs, unless extra_body has set it already, which then
// counts.
func set[T any](c *converter, pointer string, value *T, target **T) {
	switch {
	case value == nil:
	case *target != nil:
		c.report.Add(transform.Lost, pointer, detailInExtraBody)
	default:
		*target = value
	}
}

// detailInExtraBody is the detail for a member that extra_body has too.
const detailInExtraBody = "said again in extra_body, which counts"

func (c *converter) setSampling() {
	set(c, "/temperature", c.in.Temperature, &c.config().Temperature)
	set(c, "/top_p", c.in.TopP, &c.config().TopP)
	set(c, "/presence_penalty", c.in.PresencePenalty, &c.config().PresencePenalty)
	set(c, "/frequency_penalty", c.in.FrequencyPenalty, &c.config().FrequencyPenalty)
	set(c, "/n", c.in.N, &c.config().CandidateCount)
	c.setSeed()
}

// setSeed sets the seed, which Mistral calls random_seed.
func (c *converter) setSeed() {
	if c.in.Seed != nil {
		set(c, "/seed", new(c.seed("/seed", *c.in.Seed)), &c.config().Seed)
	}
	switch seed := c.in.RandomSeed; {
	case seed == nil:
	case c.in.Seed == nil:
		set(c, "/random_seed", new(c.seed("/random_seed", *seed)), &c.config().Seed)
	case *seed != *c.in.Seed:
		c.report.Add(transform.Lost, "/random_seed", "seed counts")
	}
}

// seed returns a seed that fits into the 32 bits that Gemini takes. From a longer one its two halves
// are joined by exclusive or, so that equal seeds stay equal and others nearly always differ.
func (c *converter) seed(pointer string, seed int64) int {
	if short := int32(seed); int64(short) == seed {
		return int(short)
	}
	c.report.Add(transform.Approximated, pointer, "folded into the 32 bits that Gemini takes")
	return int(int32(seed) ^ int32(seed>>32))
}

// setLength sets what ends the answer.
func (c *converter) setLength() {
	length := &c.config().MaxOutputTokens
	newer, older := c.in.MaxCompletionTokens, c.in.MaxTokens
	switch {
	case newer == nil:
		set(c, "/max_tokens", older, length)
	default:
		set(c, "/max_completion_tokens", newer, length)
		if older != nil && *older != *newer {
			c.report.Add(transform.Lost, "/max_tokens", "max_completion_tokens counts")
		}
	}
	c.setStop()
}

// setStop sets the texts at which the answer ends. OpenAI takes four of them and Gemini five. Forms that
// were left blank send empty ones, at which no answer could end.
func (c *converter) setStop() {
	stop, _ := c.in.Stop.AsValue()
	if one, ok := c.in.Stop.AsString(); ok {
		stop = []string{one}
	}
	if slices.Contains(stop, "") {
		c.report.Add(transform.Approximated, "/stop", "an empty text ends nothing, and is left out")
		stop = slices.DeleteFunc(slices.Clone(stop), func(text string) bool { return text == "" })
	}
	switch {
	case len(stop) == 0:
	case c.config().StopSequences != nil:
		c.report.Add(transform.Lost, "/stop", detailInExtraBody)
	default:
		c.config().StopSequences = stop
	}
}

// setLogprobs asks for log probabilities. A number of alternatives alone is no request for them.
func (c *converter) setLogprobs() {
	set(c, "/logprobs", c.in.Logprobs, &c.config().ResponseLogprobs)
	switch {
	case c.in.TopLogprobs == nil:
	case optional.Value(c.config().ResponseLogprobs):
		set(c, "/top_logprobs", c.in.TopLogprobs, &c.config().Logprobs)
	default:
		c.report.Add(transform.Lost, "/top_logprobs", "there are alternatives only where logprobs is true")
	}
}

// setOutput sets the kinds of output and the voice.
func (c *converter) setOutput() {
	if len(c.in.Modalities) > 0 {
		c.setModalities()
	}
	if c.in.Audio != nil {
		c.setAudio(c.in.Audio)
	}
}

func (c *converter) setModalities() {
	config := c.config()
	if config.ResponseModalities != nil {
		c.report.Add(transform.Lost, "/modalities", detailInExtraBody)
		return
	}
	config.ResponseModalities = make([]geminiapi.ResponseModality, len(c.in.Modalities))
	for i, modality := range c.in.Modalities {
		config.ResponseModalities[i] = geminiapi.ResponseModality(strings.ToUpper(string(modality)))
	}
}

func (c *converter) setAudio(audio *openaiapi.AudioParams) {
	c.setVoice(audio)
	switch audio.Format {
	case "", openaiapi.OutputAudioFormatPCM16:
	default:
		c.report.Add(transform.Lost, "/audio/format", "Gemini answers with 16-bit PCM always")
	}
	c.loseUnknown("/audio", audio.Unknown)
}

func (c *converter) setVoice(audio *openaiapi.AudioParams) {
	if audio.Voice.IsZero() {
		return
	}
	name, isName := audio.Voice.AsString()
	switch {
	case !isName:
		c.report.Add(transform.Lost, "/audio/voice", "Gemini does not know the voices that OpenAI keeps")
	case openAIVoices[name]:
		c.report.Add(transform.Lost, "/audio/voice", "a voice of OpenAI's; Gemini's default voice speaks")
	default:
		voice := geminiapi.VoiceConfig{PrebuiltVoiceConfig: &geminiapi.PrebuiltVoiceConfig{VoiceName: &name}}
		set(c, "/audio/voice", &geminiapi.SpeechConfig{VoiceConfig: &voice}, &c.config().SpeechConfig)
	}
}

// openAIVoices are the names of OpenAI's voices, which Gemini would refuse. It is never written to.
var openAIVoices = map[string]bool{
	"alloy": true, "ash": true, "ballad": true, "cedar": true, "coral": true, "echo": true, "fable": true,
	"marin": true, "nova": true, "onyx": true, "sage": true, "shimmer": true, "verse": true,
}
