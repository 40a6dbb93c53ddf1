package target

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/report"
)

// SetServiceTier sets the service tier from OpenAI's name. The Gemini API has it in the body.
// Vertex AI has it in a header, which package gemini sends.
func (r *Request) SetServiceTier(pointer, name string) {
	tier, known := serviceTiers[name]
	switch {
	case !known:
		r.Report.Add(report.Lost, pointer, "Gemini does not have this tier")
	case tier == "" || tier == geminiapi.ServiceTierStandard && r.VertexAI:
		r.Report.Add(report.Approximated, pointer,
			"omitted, because it is the default of the service")
	case r.Out.ServiceTier != nil:
		r.Report.Add(report.Lost, pointer, DetailInExtraBody)
	case r.VertexAI:
		r.Out.ServiceTier = &tier
		r.Report.Add(report.Approximated, pointer, "package gemini sends it to Vertex AI in a header")
	default:
		r.Out.ServiceTier = &tier
		if name == "fast" {
			r.Report.Add(report.Approximated, pointer,
				"converted to priority, Gemini's fastest tier")
		}
	}
}

// serviceTiers maps OpenAI's tiers to Gemini's, "" for its default. Bought capacity, scale, has no
// counterpart. It is never modified.
var serviceTiers = map[string]geminiapi.ServiceTier{
	"auto":     "",
	"default":  geminiapi.ServiceTierStandard,
	"flex":     geminiapi.ServiceTierFlex,
	"fast":     geminiapi.ServiceTierPriority,
	"priority": geminiapi.ServiceTierPriority,
}
