package request

import (
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
)

// detailVertexOnly is the detail for members that only Vertex AI accepts.
const detailVertexOnly = "only Vertex AI accepts it in an interaction"

// setService sets how the request is served.
func (c *converter) setService() error {
	if jsonx.Deref(c.rest.CachedContent) != "" {
		return &Error{Pointer: "/cachedContent",
			Problem: "names a cache, which an interaction cannot read; send the content instead"}
	}
	c.rest.CachedContent = nil
	if tier := c.rest.ServiceTier; tier != nil {
		c.rest.ServiceTier = nil
		if word, ok := c.word("/serviceTier", string(*tier), ""); ok {
			c.out.ServiceTier = new(interactionsapi.ServiceTier(word))
		}
	}
	c.out.ContinuationToken, c.rest.ContinuationToken = c.rest.ContinuationToken, nil
	c.setLabels()
	c.setSafety()
	return nil
}

// word returns a value of an enum as interactions write it: in lower case, without the prefix. It
// reports a value that names nothing, such as MODE_UNSPECIFIED; ok is false then.
func (c *converter) word(at, value, prefix string) (word string, ok bool) {
	word = strings.ToLower(strings.TrimPrefix(value, prefix))
	if word == "" || word == "unspecified" || strings.HasSuffix(word, "_unspecified") {
		c.report.Add(report.Approximated, at, "omitted, because it names no value")
		return "", false
	}
	return word, true
}

// setLabels sets the labels.
func (c *converter) setLabels() {
	switch {
	case c.rest.Labels == nil:
		return
	case c.vertex:
		c.out.Labels = c.rest.Labels
	default:
		c.report.Add(report.Lost, "/labels", detailVertexOnly)
	}
	c.rest.Labels = nil
}

const harmPrefix = "HARM_CATEGORY_"

// olderCategories are kinds of harm of the models before Gemini. The list is never modified.
var olderCategories = map[geminiapi.HarmCategory]bool{
	geminiapi.HarmCategoryDerogatory: true, geminiapi.HarmCategoryToxicity: true,
	geminiapi.HarmCategoryViolence: true, geminiapi.HarmCategorySexual: true,
	geminiapi.HarmCategoryMedical: true, geminiapi.HarmCategoryDangerous: true,
}

// setSafety sets the safety settings.
func (c *converter) setSafety() {
	settings := c.rest.SafetySettings
	c.rest.SafetySettings = nil
	switch {
	case len(settings) == 0:
		return
	case !c.vertex:
		c.report.Add(report.Lost, "/safetySettings", detailVertexOnly)
		return
	}
	for i := range settings {
		s, at := &settings[i], "/safetySettings/"+strconv.Itoa(i)
		if olderCategories[jsonx.Deref(s.Category)] {
			c.report.Add(report.Lost, at, "interactions do not know this kind of harm")
			continue
		}
		c.out.SafetySettings = append(c.out.SafetySettings, c.safetySetting(s, at))
	}
}

func (c *converter) safetySetting(in *geminiapi.SafetySetting,
	at string) (out interactionsapi.SafetySetting) {
	if in.Category != nil {
		if word, ok := c.word(at+"/category", string(*in.Category), harmPrefix); ok {
			out.Type = new(interactionsapi.HarmCategory(word))
		}
	}
	if in.Threshold != nil {
		if word, ok := c.word(at+"/threshold", string(*in.Threshold), ""); ok {
			out.Threshold = new(interactionsapi.SafetyThreshold(word))
		}
	}
	if in.Method != nil {
		if word, ok := c.word(at+"/method", string(*in.Method), ""); ok {
			out.Method = new(interactionsapi.SafetyMethod(word))
		}
	}
	c.loseRest(at, &geminiapi.SafetySetting{Unknown: in.Unknown})
	return out
}
