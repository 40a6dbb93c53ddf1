package target

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/report"
)

// SetServiceTier sets the service tier from OpenAI's name. The Gemini API has it, Vertex AI does
// not.
func (r *Request) SetServiceTier(pointer, name string) {
	tier, known := serviceTiers[name]
	switch {
	case !known:
		r.Report.Add(report.Lost, pointer, "Gemini does not have this tier")
	case tier == "" || tier == geminiapi.ServiceTierStandard && r.VertexAI:
		r.Report.Add(report.Approximated, pointer,
			"omitted, because it is the default of the service")
	case r.VertexAI:
		r.Report.Add(report.Lost, pointer, "Vertex AI accepts no tier in the request")
	case r.Out.ServiceTier != nil:
		r.Report.Add(report.Lost, pointer, DetailInExtraBody)
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
