package request

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answerform"
	"github.com/gemwire/gemwire/pkg/transform/internal/target"
	"github.com/gemwire/gemwire/pkg/transform/internal/thinking"
)

// setGeneration sets how the answer is generated: sampling, length, format, reasoning.
func (c *converter) setGeneration() error {
	target.Set(&c.Request, "/temperature", c.in.Temperature, &c.Config().Temperature)
	target.Set(&c.Request, "/top_p", c.in.TopP, &c.Config().TopP)
	c.SetLength("/max_output_tokens", c.in.MaxOutputTokens)
	c.setIncluded()
	if c.in.Text != nil || c.history.update.format != nil {
		if err := c.setText(cmp.Or(c.in.Text, &openaiapi.ResponseText{})); err != nil {
			return err
		}
	}
	if c.in.Reasoning != nil || c.history.update.effort != nil {
		return c.setReasoning(cmp.Or(c.in.Reasoning, &openaiapi.ResponseReasoning{}))
	}
	return nil
}

// setIncluded asks for log probabilities if the answer should include them. A number of
// alternatives alone does not ask for them. The conversion of the answer handles all other included
// values.
func (c *converter) setIncluded() {
	for i, name := range c.in.Include {
		if name == openaiapi.ResponseIncludeLogprobs {
			continue
		}
		at := "/include/" + strconv.Itoa(i)
		switch detail := included[name]; {
		case detail == "":
			c.Report.Add(report.Lost, at, "Gemini's answers do not have it")
		default:
			c.Report.Add(report.Approximated, at, detail)
		}
	}
	if slices.Contains(c.in.Include, openaiapi.ResponseIncludeLogprobs) {
		target.Set(&c.Request, "/include", new(true), &c.Config().ResponseLogprobs)
		target.Set(&c.Request, "/top_logprobs", c.in.TopLogprobs, &c.Config().Logprobs)
		return
	}
	if jsonx.Deref(c.in.TopLogprobs) != 0 {
		c.Report.Add(report.Lost, "/top_logprobs",
			"it needs message.output_text.logprobs in include")
	}
}

// included lists what a converted answer of Gemini can include in addition to log probabilities. It
// is never modified.
var included = map[openaiapi.ResponseInclude]string{
	openaiapi.ResponseIncludeEncryptedContent:  "not needed, because the answer always has it if Gemini has signed something",
	openaiapi.ResponseIncludeWebSearchSources:  "not part of Gemini's request; it is for the server that writes the answer",
	openaiapi.ResponseIncludeCodeOutputs:       "not needed, because the answer always has them",
	openaiapi.ResponseIncludeFileSearchResults: "not part of Gemini's request; it is for the server that writes the answer",
}

// setText sets the format of the answer's text.
func (c *converter) setText(text *openaiapi.ResponseText) error {
	if text.Verbosity != nil {
		c.Report.Add(report.Lost, "/text/verbosity", detailVerbosity)
	}
	c.LoseUnknown("/text", text.Unknown)
	format, pointer := c.form(text)
	if format == nil {
		return nil
	}
	if answerform.IsSet(&c.Request) {
		c.Report.Add(report.Lost, pointer, target.DetailInExtraBody)
		return nil
	}
	return c.setForm(pointer, format)
}

const detailVerbosity = "Gemini has no such setting; the instructions can ask for it"

// setForm sets the format by its type.
func (c *converter) setForm(pointer string, format *openaiapi.ResponseTextFormat) error {
	c.LoseUnknown(pointer, format.Unknown)
	switch format.Type {
	case openaiapi.ResponseFormatTypeText:
		answerform.SetText(&c.Request)
	case openaiapi.ResponseFormatTypeJSONObject:
		answerform.SetJSON(&c.Request)
	case openaiapi.ResponseFormatTypeJSONSchema:
		return c.setSchema(pointer, format)
	default:
		return refuse(pointer+"/type", "must be text, json_object or json_schema")
	}
	if format.JSONSchema != nil {
		c.Report.Add(report.Lost, pointer+"/json_schema", detailOtherFormat)
	}
	c.loseFlatSchema(pointer, format)
	return nil
}

// setSchema asks for JSON with a schema. The schema is next to the type, or nested as in chat
// completions.
func (c *converter) setSchema(pointer string, format *openaiapi.ResponseTextFormat) error {
	schema := answerform.Schema{Name: format.Name, Description: format.Description,
		Schema: format.Schema, Strict: format.Strict}
	if nested := format.JSONSchema; nested != nil {
		if jsonx.NonNull(format.Schema) != nil {
			c.Report.Add(report.Lost, pointer+"/json_schema", "the schema next to the type is used")
		} else {
			c.loseFlatSchema(pointer, format)
			pointer += "/json_schema"
			c.LoseUnknown(pointer, nested.Unknown)
			schema = answerform.Schema{Name: nested.Name, Description: nested.Description,
				Schema: nested.Schema, Strict: nested.Strict}
		}
	}
	return answerform.SetSchema(&c.Request, pointer, &schema)
}

const detailOtherFormat = "it applies only to the type json_schema, and only once"

// loseFlatSchema reports unused members of a schema that are next to the type.
func (c *converter) loseFlatSchema(pointer string, format *openaiapi.ResponseTextFormat) {
	for _, member := range []struct {
		name    string
		present bool
	}{
		{"name", format.Name != ""}, {"description", format.Description != nil},
		{"schema", format.Schema != nil}, {"strict", format.Strict != nil},
	} {
		if member.present {
			c.Report.Add(report.Lost, pointer+"/"+member.name, detailOtherFormat)
		}
	}
}

// setReasoning sets how much the model thinks, and whether the answer includes thoughts.
func (c *converter) setReasoning(in *openaiapi.ResponseReasoning) error {
	const pointer = "/reasoning"
	c.LoseUnknown(pointer, in.Unknown)
	if in.Context != "" {
		c.Report.Add(report.Approximated, pointer+"/context",
			"Gemini gets the earlier thoughts that are in the input")
	}
	switch in.Mode {
	case "", "standard":
		if in.Mode != "" {
			c.Report.Add(report.Approximated, pointer+"/mode", "omitted, because Gemini has no other")
		}
	default:
		c.Report.Add(report.Lost, pointer+"/mode", "Gemini has no such mode")
	}
	if c.Config().ThinkingConfig != nil {
		return c.loseReasoning(in)
	}
	wish := thinking.Wish{Request: &c.Request}
	if effort, at := c.effort(in); effort != nil {
		wish.AddEffort(at, string(*effort))
	}
	c.showThoughts(&wish, in)
	wish.Set()
	return nil
}

// showThoughts asks for thoughts if the request asks for a summary of any length.
func (c *converter) showThoughts(wish *thinking.Wish, in *openaiapi.ResponseReasoning) {
	summary, at := jsonx.Deref(in.Summary), "/reasoning/summary"
	if older := in.GenerateSummary; older != "" {
		if summary == "" {
			summary, at = older, "/reasoning/generate_summary"
		} else if older != summary {
			c.Report.Add(report.Lost, "/reasoning/generate_summary", "summary is used instead")
		}
	}
	switch summary {
	case "":
		return
	case openaiapi.ReasoningSummaryAuto:
	case openaiapi.ReasoningSummaryConcise, openaiapi.ReasoningSummaryDetailed:
		c.Report.Add(report.Approximated, at, "Gemini decides how much of its thoughts it shows")
	case "none", "off":
		wish.Show(at, false)
		return
	default:
		c.Report.Add(report.Approximated, at,
			"unknown summary; Gemini decides how much of its thoughts it shows")
	}
	wish.Show(at, true)
}

// loseReasoning handles a request whose extra_body has a thinking_config. Google's own endpoint
// refuses an effort together with it.
func (c *converter) loseReasoning(in *openaiapi.ResponseReasoning) error {
	if jsonx.Deref(in.Effort) != "" {
		return refuse("/reasoning/effort",
			"must not be combined with thinking_config of extra_body.google; remove one of them")
	}
	if update := &c.history.update; update.effort != nil {
		c.Report.Add(report.Lost, update.effortAt, target.DetailInExtraBody)
	}
	if in.Summary != nil {
		c.Report.Add(report.Lost, "/reasoning/summary", target.DetailInExtraBody)
	}
	if in.GenerateSummary != "" {
		c.Report.Add(report.Lost, "/reasoning/generate_summary", target.DetailInExtraBody)
	}
	return nil
}
