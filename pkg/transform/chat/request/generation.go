package request

import (
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/target"
)

// setGeneration sets how the answer is generated: sampling, length, format, output modalities,
// reasoning.
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

func (c *converter) setSampling() {
	target.Set(&c.Request, "/temperature", c.in.Temperature, &c.Config().Temperature)
	target.Set(&c.Request, "/top_p", c.in.TopP, &c.Config().TopP)
	target.Set(&c.Request, "/presence_penalty", c.in.PresencePenalty, &c.Config().PresencePenalty)
	target.Set(&c.Request, "/frequency_penalty", c.in.FrequencyPenalty,
		&c.Config().FrequencyPenalty)
	target.Set(&c.Request, "/n", c.in.N, &c.Config().CandidateCount)
	c.setSeed()
}

// setSeed sets the seed. Mistral calls it random_seed.
func (c *converter) setSeed() {
	if c.in.Seed != nil {
		target.Set(&c.Request, "/seed", new(c.seed("/seed", *c.in.Seed)), &c.Config().Seed)
	}
	switch seed := c.in.RandomSeed; {
	case seed == nil:
	case c.in.Seed == nil:
		target.Set(&c.Request, "/random_seed", new(c.seed("/random_seed", *seed)), &c.Config().Seed)
	case *seed != *c.in.Seed:
		c.Report.Add(report.Lost, "/random_seed", "seed is used instead")
	}
}

// seed returns a seed that fits the 32 bits that Gemini accepts. For a longer seed it combines the
// two halves by exclusive or, so equal seeds stay equal and others nearly always differ.
func (c *converter) seed(pointer string, seed int64) int {
	if short := int32(seed); int64(short) == seed {
		return int(short)
	}
	c.Report.Add(report.Approximated, pointer, "reduced to the 32 bits that Gemini accepts")
	return int(int32(seed) ^ int32(seed>>32))
}

// setLength sets the limits of the answer's length.
func (c *converter) setLength() {
	newer, older := c.in.MaxCompletionTokens, c.in.MaxTokens
	switch {
	case newer == nil:
		c.SetLength("/max_tokens", older)
	default:
		c.SetLength("/max_completion_tokens", newer)
		if older != nil && *older != *newer {
			c.Report.Add(report.Lost, "/max_tokens", "max_completion_tokens is used instead")
		}
	}
	c.setStop()
}

// setStop sets the stop sequences. OpenAI accepts four and Gemini five. User interfaces send empty
// sequences for empty fields. These could never stop an answer.
func (c *converter) setStop() {
	stop, _ := c.in.Stop.AsValue()
	if one, ok := c.in.Stop.AsString(); ok {
		stop = []string{one}
	}
	if slices.Contains(stop, "") {
		c.Report.Add(report.Approximated, "/stop", "omitted, because an empty text never stops an answer")
		stop = slices.DeleteFunc(slices.Clone(stop), func(text string) bool { return text == "" })
	}
	switch {
	case len(stop) == 0:
	case c.Config().StopSequences != nil:
		c.Report.Add(report.Lost, "/stop", target.DetailInExtraBody)
	default:
		c.Config().StopSequences = stop
	}
}

// setLogprobs asks for log probabilities. A number of alternatives alone does not ask for them.
func (c *converter) setLogprobs() {
	target.Set(&c.Request, "/logprobs", c.in.Logprobs, &c.Config().ResponseLogprobs)
	switch {
	case c.in.TopLogprobs == nil:
	case jsonx.Deref(c.Config().ResponseLogprobs):
		target.Set(&c.Request, "/top_logprobs", c.in.TopLogprobs, &c.Config().Logprobs)
	default:
		c.Report.Add(report.Lost, "/top_logprobs",
			"it needs logprobs true")
	}
}

// setOutput sets the output modalities and the voice.
func (c *converter) setOutput() {
	if len(c.in.Modalities) > 0 {
		c.setModalities()
	}
	if c.in.Audio != nil {
		c.setAudio(c.in.Audio)
	}
}

func (c *converter) setModalities() {
	config := c.Config()
	if config.ResponseModalities != nil {
		c.Report.Add(report.Lost, "/modalities", target.DetailInExtraBody)
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
		c.Report.Add(report.Lost, "/audio/format", "Gemini always sends 16-bit PCM")
	}
	c.LoseUnknown("/audio", audio.Unknown)
}

func (c *converter) setVoice(audio *openaiapi.AudioParams) {
	if audio.Voice.IsZero() {
		return
	}
	name, isName := audio.Voice.AsString()
	switch {
	case !isName:
		c.Report.Add(report.Lost, "/audio/voice",
			"Gemini does not know OpenAI's stored voices")
	case openAIVoices[name]:
		c.Report.Add(report.Lost, "/audio/voice",
			"replaced by Gemini's default voice, because it is a voice of OpenAI")
	default:
		voice := geminiapi.VoiceConfig{PrebuiltVoiceConfig: &geminiapi.PrebuiltVoiceConfig{VoiceName: &name}}
		target.Set(&c.Request, "/audio/voice", &geminiapi.SpeechConfig{VoiceConfig: &voice},
			&c.Config().SpeechConfig)
	}
}

// openAIVoices lists the names of OpenAI's voices, which Gemini would refuse. It is never written
// to.
var openAIVoices = map[string]bool{
	"alloy": true, "ash": true, "ballad": true, "cedar": true, "coral": true, "echo": true,
	"fable": true,
	"marin": true, "nova": true, "onyx": true, "sage": true, "shimmer": true, "verse": true,
}
