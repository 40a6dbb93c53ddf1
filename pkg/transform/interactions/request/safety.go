package request

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
)

// setSafety sets what is blocked. The Interactions API accepts the settings on Vertex AI only, but
// generateContent has them in both services. Some kinds of harm are Vertex AI's only.
func (c *converter) setSafety() {
	for i := range c.in.SafetySettings {
		in, pointer := &c.in.SafetySettings[i], "/safety_settings/"+itoa(i)
		kind := jsonx.Deref(in.Type)
		if !c.VertexAI && vertexHarms[kind] {
			c.Report.Add(report.Lost, pointer, detailVertexOnly)
			continue
		}
		c.LoseUnknown(pointer, in.Unknown)
		var out geminiapi.SafetySetting
		if in.Type != nil {
			out.Category = new(geminiapi.HarmCategory("HARM_CATEGORY_" +
				strings.ToUpper(string(kind))))
		}
		if in.Threshold != nil {
			out.Threshold = new(geminiapi.HarmBlockThreshold(
				strings.ToUpper(string(*in.Threshold))))
		}
		switch {
		case in.Method == nil:
		case c.VertexAI:
			out.Method = new(geminiapi.HarmBlockMethod(strings.ToUpper(string(*in.Method))))
		default:
			c.Report.Add(report.Lost, pointer+"/method", detailVertexOnly)
		}
		c.Out.SafetySettings = append(c.Out.SafetySettings, out)
	}
}

// vertexHarms are the kinds of harm that only Vertex AI has settings for. It is never written to.
var vertexHarms = map[interactionsapi.HarmCategory]bool{
	interactionsapi.HarmCategoryImageHate:             true,
	interactionsapi.HarmCategoryImageDangerousContent: true,
	interactionsapi.HarmCategoryImageHarassment:       true,
	interactionsapi.HarmCategoryImageSexuallyExplicit: true,
}
