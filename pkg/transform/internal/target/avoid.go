package target

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/refusal"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// MIMETypeJSON is the MIME type of a JSON answer.
const MIMETypeJSON = "application/json"

// AvoidRefusals changes what the model is known to refuse at the service of the request, if there
// is an alternative, and omits the rest. The table of models lists this with its sources. searches
// are the pointers of members that ask for Google Search, apart from extra_body.
func (r *Request) AvoidRefusals(searches ...string) error {
	r.dropSettings()
	if r.Refuses(r.Traits.RefusesSearchWithFunctions) && r.mayCallFunctions() {
		r.dropSearch(searches)
	}
	if r.CannotBindToJSON() {
		return r.askForJSON()
	}
	return nil
}

// CannotBindToJSON reports whether there are functions and the model does not accept a JSON format
// together with functions.
func (r *Request) CannotBindToJSON() bool {
	return r.Refuses(r.Traits.RefusesJSONWithFunctions) && r.mayCallFunctions()
}

func (r *Request) mayCallFunctions() bool {
	isForbidden := r.Out.ToolConfig != nil && r.Out.ToolConfig.FunctionCallingConfig != nil &&
		jsonx.Deref(r.Out.ToolConfig.FunctionCallingConfig.Mode) == geminiapi.FunctionCallingModeNone
	return r.HasFunctions() && !isForbidden
}

// dropSettings removes settings that the model refuses or ignores: sampling, penalties other than
// 0, log probabilities and further candidates.
func (r *Request) dropSettings() {
	g := r.Out.GenerationConfig
	if g == nil {
		return
	}
	if r.Traits.IgnoresSampling {
		r.dropSampling(g)
	}
	if r.Refuses(r.Traits.RefusesMultipleCandidates) && jsonx.Deref(g.CandidateCount) > 1 {
		g.CandidateCount = nil
		r.Report.Add(report.Lost, r.Origin("candidateCount"),
			"the model returns only one candidate in the Gemini API")
	}
	if r.Refuses(r.Traits.RefusesPenalties) {
		const detail = "the model accepts no penalties in the Gemini API"
		if jsonx.Deref(g.PresencePenalty) != 0 {
			g.PresencePenalty = nil
			r.Report.Add(report.Lost, r.Origin("presencePenalty"), detail)
		}
		if jsonx.Deref(g.FrequencyPenalty) != 0 {
			g.FrequencyPenalty = nil
			r.Report.Add(report.Lost, r.Origin("frequencyPenalty"), detail)
		}
	}
	if r.Refuses(r.Traits.RefusesLogprobs) && jsonx.Deref(g.ResponseLogprobs) {
		const detail = "the model returns no log probabilities in the Gemini API"
		g.ResponseLogprobs = nil
		r.Report.Add(report.Lost, r.Origin("responseLogprobs"), detail)
		if g.Logprobs != nil {
			g.Logprobs = nil
			r.Report.Add(report.Lost, r.Origin("logprobs"), detail)
		}
	}
}

// dropSampling removes sampling settings.
func (r *Request) dropSampling(g *geminiapi.GenerationConfig) {
	const detail = "omitted, because the model ignores it"
	if g.Temperature != nil {
		g.Temperature = nil
		r.Report.Add(report.Lost, r.Origin("temperature"), detail)
	}
	if g.TopP != nil {
		g.TopP = nil
		r.Report.Add(report.Lost, r.Origin("topP"), detail)
	}
	if g.TopK != nil {
		g.TopK = nil
		r.Report.Add(report.Lost, r.Origin("topK"), detail)
	}
}

// dropSearch removes the search. A conversation with function results cannot do without the
// functions.
func (r *Request) dropSearch(searches []string) {
	const detail = "the model does not accept search together with functions in the Gemini API"
	for i := range r.Out.Tools {
		r.Out.Tools[i].GoogleSearch = nil
	}
	r.Out.Tools = slices.DeleteFunc(r.Out.Tools, func(t geminiapi.Tool) bool { return t.IsEmpty() })
	for _, pointer := range searches {
		r.Report.Add(report.Lost, pointer, detail)
	}
	for i := range r.NativeTools {
		if r.NativeTools[i].GoogleSearch != nil {
			r.Report.Add(report.Lost, jsonx.MemberPointer(r.ExtraBody["tools"], strconv.Itoa(i)), detail)
		}
	}
}

// askForJSON describes the format of the answer in the instruction, in place of the settings.
func (r *Request) askForJSON() error {
	g := r.Out.GenerationConfig
	if g == nil || !strings.EqualFold(jsonx.Deref(g.ResponseMIMEType), MIMETypeJSON) {
		return nil
	}
	schema, err := schemaText(g)
	if err != nil {
		return &refusal.Error{Pointer: r.formatOrigin(), Problem: "the schema is not JSON",
			Err: err}
	}
	text := "Write every answer that is not a call of a function as JSON alone, without other text around it."
	if len(schema) > 0 {
		text += " It has to be valid by this JSON Schema: " + string(schema)
	}
	if r.Out.SystemInstruction == nil {
		r.Out.SystemInstruction = &geminiapi.Content{}
	}
	r.Out.SystemInstruction.Parts = append(r.Out.SystemInstruction.Parts,
		geminiapi.Part{Text: &text})
	g.ResponseMIMEType, g.ResponseSchema, g.ResponseJSONSchema, g.ResponseJSONSchemaTrial = nil,
		nil, nil, nil
	r.Report.Add(report.Approximated, r.formatOrigin(),
		"moved to the instruction, because the model does not accept such a format together with functions in the Gemini API")
	return nil
}

// schemaText returns the schema of the answer as JSON, or nil.
func schemaText(g *geminiapi.GenerationConfig) (jsontext.Value, error) {
	if g.ResponseSchema != nil {
		return json.Marshal(g.ResponseSchema, jsonx.Canonical)
	}
	if g.ResponseJSONSchema != nil {
		return g.ResponseJSONSchema, nil
	}
	return g.ResponseJSONSchemaTrial, nil
}

// formatOrigin returns the pointer of the member that set the format of the answer.
func (r *Request) formatOrigin() string {
	return cmp.Or(r.ExtraBody["responsemimetype"], r.ExtraBody["responseformat"],
		r.Origins.Settings["responseFormat"])
}
