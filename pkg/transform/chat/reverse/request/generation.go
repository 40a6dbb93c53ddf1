package request

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json"
)

const configPointer = "/generationConfig"

// setGeneration sets how the answer is generated: sampling, length, format, output modalities,
// reasoning. Each step removes what it sets from the configuration.
func (c *converter) setGeneration() error {
	c.setSampling()
	if err := c.setLength(); err != nil {
		return err
	}
	c.setLogprobs()
	c.setModalities()
	c.setFormat()
	c.setThinking()
	return nil
}

// move moves a value from one member to another.
func move[T any](from, to **T) { *to, *from = *from, nil }

func (c *converter) setSampling() {
	move(&c.config.Temperature, &c.out.Temperature)
	move(&c.config.TopP, &c.out.TopP)
	move(&c.config.PresencePenalty, &c.out.PresencePenalty)
	move(&c.config.FrequencyPenalty, &c.out.FrequencyPenalty)
	move(&c.config.CandidateCount, &c.out.N)
	if seed := c.config.Seed; seed != nil {
		c.out.Seed, c.config.Seed = new(int64(*seed)), nil
	}
	if topK := c.config.TopK; topK != nil && c.topK {
		number, _ := json.Marshal(*topK)
		c.out.Unknown, c.config.TopK = jsonx.Object("top_k", number), nil
	}
}

// mostStops is the number of stop sequences that OpenAI accepts. Gemini accepts one more.
const mostStops = 4

// setLength sets the limits of the answer's length.
func (c *converter) setLength() error {
	if c.maxTokens {
		move(&c.config.MaxOutputTokens, &c.out.MaxTokens)
	} else {
		move(&c.config.MaxOutputTokens, &c.out.MaxCompletionTokens)
	}
	switch stops := len(c.config.StopSequences); {
	case stops == 0:
	case stops <= mostStops:
		c.out.Stop, c.config.StopSequences = wiretype.ValueOf(c.config.StopSequences), nil
	case c.plain:
		return &Error{Pointer: configPointer + "/stopSequences",
			Problem: "must have at most four sequences, because OpenAI accepts no more"}
	}
	return nil
}

// setLogprobs asks for log probabilities. A number of alternatives alone does not ask for them.
func (c *converter) setLogprobs() {
	if jsonx.Deref(c.config.ResponseLogprobs) {
		move(&c.config.Logprobs, &c.out.TopLogprobs)
	}
	move(&c.config.ResponseLogprobs, &c.out.Logprobs)
}

// modalities maps output modalities to OpenAI's names. Some servers make images, but OpenAI does
// not. It is never modified.
var modalities = map[geminiapi.ResponseModality]openaiapi.OutputModality{
	geminiapi.ResponseModalityText:  openaiapi.OutputModalityText,
	geminiapi.ResponseModalityAudio: openaiapi.OutputModalityAudio,
	geminiapi.ResponseModalityImage: openaiapi.OutputModalityImage,
}

// setModalities sets the output modalities. Modalities with sound stay in the extensions, where the
// voice is. Without extensions OpenAI requires one of its own voices and a format.
func (c *converter) setModalities() {
	out := make([]openaiapi.OutputModality, 0, len(c.config.ResponseModalities))
	speaks := false
	for _, modality := range c.config.ResponseModalities {
		name, known := modalities[modality]
		if !known || !c.plain && name == openaiapi.OutputModalityAudio ||
			c.plain && name == openaiapi.OutputModalityImage {
			return // all of them stay
		}
		speaks = speaks || name == openaiapi.OutputModalityAudio
		out = append(out, name)
	}
	if len(out) == 0 {
		return
	}
	c.out.Modalities, c.config.ResponseModalities = out, nil
	if speaks {
		c.setAudio()
	}
}

// setAudio sets the voice and the format of the sound. Gemini sends samples.
func (c *converter) setAudio() {
	const voice = "alloy"
	c.out.Audio = &openaiapi.AudioParams{Format: openaiapi.OutputAudioFormatPCM16,
		Voice: wiretype.StringOf[openaiapi.CustomVoice](voice)}
	if len(c.out.Modalities) == 1 { // OpenAI speaks what it writes
		c.out.Modalities = []openaiapi.OutputModality{openaiapi.OutputModalityText,
			openaiapi.OutputModalityAudio}
		c.report.Add(report.Approximated, configPointer+"/responseModalities",
			"text added, because OpenAI makes no sound without it")
	}
	name := jsonx.Deref(jsonx.Deref(jsonx.Deref(jsonx.Deref(c.config.SpeechConfig).VoiceConfig).PrebuiltVoiceConfig).VoiceName)
	switch {
	case openAIVoices[strings.ToLower(name)]:
		c.out.Audio.Voice = wiretype.StringOf[openaiapi.CustomVoice](strings.ToLower(name))
		speech := *c.config.SpeechConfig
		speech.VoiceConfig = nil
		c.config.SpeechConfig = &speech
	case c.config.SpeechConfig != nil:
		c.report.Add(report.Lost, configPointer+"/speechConfig",
			"replaced by a voice of OpenAI, because OpenAI does not know Gemini's voices")
		c.config.SpeechConfig = nil
	default:
		c.report.Add(report.Added, configPointer+"/speechConfig",
			"OpenAI requires a voice")
	}
}

// openAIVoices lists the names of OpenAI's voices. It is never modified.
var openAIVoices = map[string]bool{
	"alloy": true, "ash": true, "ballad": true, "cedar": true, "coral": true, "echo": true,
	"fable": true,
	"marin": true, "nova": true, "onyx": true, "sage": true, "shimmer": true, "verse": true,
}
