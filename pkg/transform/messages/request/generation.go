package request

import (
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answerform"
	"github.com/gemwire/gemwire/pkg/transform/internal/refusal"
	"github.com/gemwire/gemwire/pkg/transform/internal/target"
)

// setGeneration sets how the answer is generated: sampling, length, format, thinking.
func (c *converter) setGeneration() error {
	config := c.Config()
	target.Set(&c.Request, "/temperature", c.in.Temperature, &config.Temperature)
	target.Set(&c.Request, "/top_p", c.in.TopP, &config.TopP)
	c.setTopK()
	if err := c.setLength(); err != nil {
		return err
	}
	c.setStop()
	if err := c.setFormat(); err != nil {
		return err
	}
	c.setThinking()
	return nil
}

// setTopK sets the number of candidate tokens. Gemini does not accept 0, which means no limit at
// Anthropic.
func (c *converter) setTopK() {
	if c.in.TopK != nil && *c.in.TopK == 0 {
		c.Report.Add(report.Approximated, "/top_k", "omitted, because 0 means no limit")
		return
	}
	target.Set(&c.Request, "/top_k", c.in.TopK, &c.Config().TopK)
}

// setLength sets the maximum number of tokens, which includes thinking in both APIs. For 0
// Anthropic fills its cache and returns no answer; Gemini has no such request. A token count does
// not use the length.
func (c *converter) setLength() error {
	length := c.in.MaxTokens
	switch {
	case length == nil || *length > 0:
		c.SetLength("/max_tokens", length)
	case c.counted:
		c.Report.Add(report.Approximated, "/max_tokens", "omitted, because the request only counts tokens")
	default:
		return &refusal.Error{Pointer: "/max_tokens",
			Problem: "must be 1 or more, because Gemini always answers"}
	}
	return nil
}

// mostStops is the number of stop sequences that Gemini accepts.
const mostStops = 5

// setStop sets the stop sequences.
func (c *converter) setStop() {
	if len(c.in.StopSequences) == 0 {
		return
	}
	if c.Config().StopSequences != nil {
		c.Report.Add(report.Lost, "/stop_sequences", target.DetailInExtraBody)
		return
	}
	stops := make([]string, 0, min(len(c.in.StopSequences), mostStops))
	for i, stop := range c.in.StopSequences {
		pointer := "/stop_sequences/" + itoa(i)
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
	if len(stops) > 0 {
		c.Config().StopSequences = stops
	}
}

// setFormat sets the format of the answer, from the newer or the older member.
func (c *converter) setFormat() error {
	format, pointer := c.in.OutputFormat, "/output_format"
	if output := c.in.OutputConfig; output != nil && output.Format != nil {
		if format != nil && (format.Type != output.Format.Type ||
			string(format.Schema) != string(output.Format.Schema)) {
			return &refusal.Error{Pointer: pointer,
				Problem: "differs from output_config.format, its newer name; remove one of them"}
		}
		format, pointer = output.Format, "/output_config/format"
	}
	if format == nil {
		return nil
	}
	c.LoseUnknown(pointer, format.Unknown)
	c.Origins = origins.WithFormat(pointer)
	switch {
	case answerform.IsSet(&c.Request):
		c.Report.Add(report.Lost, pointer, target.DetailInExtraBody)
		return nil
	case format.Type != "json_schema":
		return &refusal.Error{Pointer: pointer + "/type", Problem: "must be json_schema"}
	}
	return answerform.SetSchema(&c.Request, pointer, &answerform.Schema{Schema: format.Schema})
}
