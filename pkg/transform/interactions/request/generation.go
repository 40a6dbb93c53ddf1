package request

import (
	"slices"
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/target"
	"github.com/gemwire/gemwire/pkg/transform/internal/thinking"
)

func itoa(i int) string { return strconv.Itoa(i) }

// setGeneration sets how the answer is generated: sampling, length, thinking, formats.
func (c *converter) setGeneration() error {
	in, config := &c.generation, c.Config()
	target.Set(&c.Request, generationAt+"/temperature", in.Temperature, &config.Temperature)
	target.Set(&c.Request, generationAt+"/top_p", in.TopP, &config.TopP)
	target.Set(&c.Request, generationAt+"/top_k", in.TopK, &config.TopK)
	target.Set(&c.Request, generationAt+"/seed", in.Seed, &config.Seed)
	c.SetLength(generationAt+"/max_output_tokens", in.MaxOutputTokens)
	c.setStop()
	c.setThinking()
	c.setSpeech()
	c.setTranscription()
	c.setImage()
	c.LoseUnknown(generationAt, in.Unknown)
	if in.VideoConfig != nil {
		c.Report.Add(report.Lost, generationAt+"/video_config", detailNotHere)
	}
	return c.setFormats()
}

// mostStops is the number of stop sequences that Gemini accepts.
const mostStops = 5

// setStop sets the stop sequences.
func (c *converter) setStop() {
	var stops []string
	for i, stop := range c.generation.StopSequences {
		pointer := generationAt + "/stop_sequences/" + itoa(i)
		switch {
		case stop == "":
			c.Report.Add(report.Approximated, pointer,
				"omitted, because an empty text never stops an answer")
		case len(stops) == mostStops:
			c.Report.Add(report.Lost, pointer, "Gemini accepts only five stop sequences")
		default:
			stops = append(stops, stop)
		}
	}
	c.Config().StopSequences = stops
}

// setThinking sets how much the model thinks, and whether the answer includes thoughts.
func (c *converter) setThinking() {
	w := thinking.Wish{Request: &c.Request}
	if level := c.generation.ThinkingLevel; level != nil {
		const at = generationAt + "/thinking_level"
		if *level == "" || level.Valid() {
			w.AddEffort(at, string(*level))
		} else {
			c.Report.Add(report.Lost, at, "must be minimal, low, medium or high")
		}
	}
	if summaries := c.generation.ThinkingSummaries; summaries != nil {
		const at = generationAt + "/thinking_summaries"
		switch *summaries {
		case interactionsapi.ThinkingSummariesAuto:
			w.Show(at, true)
		case interactionsapi.ThinkingSummariesNone:
			w.Show(at, false)
		default:
			c.Report.Add(report.Lost, at, "must be auto or none")
		}
	}
	w.Set()
}

// setImage sets the shape of images by the older member.
func (c *converter) setImage() {
	in := c.generation.ImageConfig
	if in == nil {
		return
	}
	c.LoseUnknown(generationAt+"/image_config", in.Unknown)
	c.Config().ImageConfig = &geminiapi.ImageConfig{AspectRatio: (*string)(in.AspectRatio),
		ImageSize: (*string)(in.ImageSize)}
}

// setSpeech sets the voices: one voice, or one for each of several speakers.
func (c *converter) setSpeech() {
	const at = generationAt + "/speech_config"
	var voices []interactionsapi.SpeechConfig
	var places []string
	add := func(list []interactionsapi.SpeechConfig, place func(i int) string) {
		for i := range list {
			c.LoseUnknown(place(i), list[i].Unknown)
			voices, places = append(voices, list[i]), append(places, place(i))
		}
	}
	top := c.generation.SpeechConfig.All()
	for i := range top {
		place := at
		if c.generation.SpeechConfig.AsOne() == nil {
			place += "/" + itoa(i)
		}
		if one := &top[i]; len(one.Speakers) == 0 || one.Voice != nil || one.Speaker != nil {
			add(top[i:i+1], func(int) string { return place })
		} else {
			c.LoseUnknown(place, one.Unknown)
			c.setLanguage(one.Language, place)
		}
		add(top[i].Speakers, func(j int) string { return place + "/speakers/" + itoa(j) })
	}
	if len(voices) > 0 {
		c.setVoices(voices, places)
	}
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

// setVoices sets voices, each with its place.
func (c *converter) setVoices(voices []interactionsapi.SpeechConfig, places []string) {
	for i := range voices {
		c.setLanguage(voices[i].Language, places[i])
	}
	if len(voices) == 1 {
		if voices[0].Speaker != nil {
			c.Report.Add(report.Approximated, places[0]+"/speaker",
				"omitted, because one voice reads the whole text")
		}
		c.speech().VoiceConfig = voiceOf(&voices[0])
		return
	}
	out := &geminiapi.MultiSpeakerVoiceConfig{}
	for i := range voices {
		out.SpeakerVoiceConfigs = append(out.SpeakerVoiceConfigs, geminiapi.SpeakerVoiceConfig{
			Speaker: voices[i].Speaker, VoiceConfig: voiceOf(&voices[i])})
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
