package request

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
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
