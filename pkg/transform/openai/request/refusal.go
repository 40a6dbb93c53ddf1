package request

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/internal/wirejson"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// avoidRefusals changes what the model is known to refuse at the service that the request goes to, where there is
// another way, and leaves out the rest. The table of models says what that is, and from where it is known.
func (c *converter) avoidRefusals() error {
	c.dropSettings()
	if c.refuses(c.traits.RefusesSearchWithFunctions) && c.mayCallFunctions() {
		c.dropSearch()
	}
	if c.cannotBindToJSON() {
		return c.askForJSON()
	}
	return nil
}

// cannotBindToJSON reports whether there are functions, beside which the model cannot be bound to JSON.
func (c *converter) cannotBindToJSON() bool {
	return c.refuses(c.traits.RefusesJSONWithFunctions) && c.mayCallFunctions()
}

// refuses reports whether the service that the request goes to is one of some.
func (c *converter) refuses(services models.Backends) bool {
	if c.vertex {
		return services.Has(models.VertexAI)
	}
	return services.Has(models.GeminiAPI)
}

func (c *converter) mayCallFunctions() bool {
	isForbidden := c.out.ToolConfig != nil && c.out.ToolConfig.FunctionCallingConfig != nil &&
		optional.Value(c.out.ToolConfig.FunctionCallingConfig.Mode) == geminiapi.FunctionCallingModeNone
	return c.hasFunctions() && !isForbidden
}

// dropSettings leaves out penalties, of which 0 is none, and log probabilities.
func (c *converter) dropSettings() {
	g := c.out.GenerationConfig
	if g == nil {
		return
	}
	if c.refuses(c.traits.RefusesPenalties) {
		const detail = "the model takes no penalties from the Gemini API"
		if optional.Value(g.PresencePenalty) != 0 {
			g.PresencePenalty = nil
			c.report.Add(transform.Lost, c.origin("presencepenalty", "/presence_penalty"), detail)
		}
		if optional.Value(g.FrequencyPenalty) != 0 {
			g.FrequencyPenalty = nil
			c.report.Add(transform.Lost, c.origin("frequencypenalty", "/frequency_penalty"), detail)
		}
	}
	if c.refuses(c.traits.RefusesLogprobs) && optional.Value(g.ResponseLogprobs) {
		const detail = "the model gives no log probabilities at the Gemini API"
		g.ResponseLogprobs = nil
		c.report.Add(transform.Lost, c.origin("responselogprobs", "/logprobs"), detail)
		if g.Logprobs != nil {
			g.Logprobs = nil
			c.report.Add(transform.Lost, c.origin("logprobs", "/top_logprobs"), detail)
		}
	}
}

// origin returns the pointer of a setting: of the member of extra_body with a key, or else of OpenAI's member.
func (c *converter) origin(key, member string) string {
	return cmp.Or(c.extraBodyPointers[key], member)
}

// dropSearch leaves the search out: functions are what a conversation with results of them cannot do without.
func (c *converter) dropSearch() {
	const detail = "the model takes no search beside functions from the Gemini API"
	for i := range c.out.Tools {
		c.out.Tools[i].GoogleSearch = nil
	}
	c.out.Tools = slices.DeleteFunc(c.out.Tools, func(t geminiapi.Tool) bool { return t.IsEmpty() })
	if c.in.WebSearchOptions != nil {
		c.report.Add(transform.Lost, "/web_search_options", detail)
	}
	for i := range c.nativeTools {
		if c.nativeTools[i].GoogleSearch != nil {
			c.report.Add(transform.Lost, below(c.extraBodyPointers["tools"], strconv.Itoa(i)), detail)
		}
	}
}

// askForJSON has the instruction say what form the answer is to have, in place of the settings for it.
func (c *converter) askForJSON() error {
	g := c.out.GenerationConfig
	if g == nil || !strings.EqualFold(optional.Value(g.ResponseMIMEType), mimeJSON) {
		return nil
	}
	schema, err := schemaText(g)
	if err != nil {
		return &Error{Pointer: c.formatOrigin(), Problem: "the schema is not JSON", Err: err}
	}
	text := "Write every answer that is not a call of a function as JSON alone, without other text around it."
	if len(schema) > 0 {
		text += " It has to be valid by this JSON Schema: " + string(schema)
	}
	if c.out.SystemInstruction == nil {
		c.out.SystemInstruction = &geminiapi.Content{}
	}
	c.out.SystemInstruction.Parts = append(c.out.SystemInstruction.Parts, geminiapi.Part{Text: &text})
	g.ResponseMIMEType, g.ResponseSchema, g.ResponseJSONSchema, g.ResponseJSONSchemaTrial = nil, nil, nil, nil
	c.report.Add(transform.Approximated, c.formatOrigin(),
		"the model takes no such form beside functions from the Gemini API; the instruction asks for it")
	return nil
}

// schemaText returns the schema of the answer as JSON, nil for none.
func schemaText(g *geminiapi.GenerationConfig) (jsontext.Value, error) {
	if g.ResponseSchema != nil {
		return json.Marshal(g.ResponseSchema, wirejson.Canonical)
	}
	if g.ResponseJSONSchema != nil {
		return g.ResponseJSONSchema, nil
	}
	return g.ResponseJSONSchemaTrial, nil
}

// formatOrigin returns the pointer of what set the form of the answer.
func (c *converter) formatOrigin() string {
	for _, key := range []string{"responsemimetype", "responseformat"} {
		if pointer := c.extraBodyPointers[key]; pointer != "" {
			return pointer
		}
	}
	return "/response_format"
}
