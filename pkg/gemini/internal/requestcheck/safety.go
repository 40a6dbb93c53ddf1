package requestcheck

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/codec"
)

// checkSafetySetting: each category may be set once ("Multiple safety settings with the same
// category"). Gemini models do not accept the categories of PaLM ("element predicate failed:
// $.category in (...)").
func (v *checker) checkSafetySetting(at *codec.Location, s *geminiapi.SafetySetting) {
	if s.Category == nil || *s.Category == geminiapi.HarmCategoryUnspecified {
		v.reportMember(at, "category", ruleRequired, "", "a setting must name its category")
		return
	}
	category := *s.Category
	only, exclusive := exclusiveCategories[category]
	switch {
	case only == AnyBackend && exclusive:
		v.reportMember(at, "category", ruleOneOf, shortString(string(category)),
			quote(string(category))+
				" is a category of PaLM models; use a category of Gemini models")
	case exclusive && v.backend != AnyBackend && v.backend != only:
		v.reportMember(at, "category", ruleBackend, shortString(string(category)), onlyIn(only))
	}
	before := v.request.SafetySettings[:at.Index]
	for i := range before {
		if before[i].Category != nil && *before[i].Category == category {
			v.reportMember(at, "category", ruleUnique, shortString(string(category)),
				quote(string(category))+" has a setting already; each category may have one")
			return
		}
	}
}

// exclusiveCategories are the harm categories that only one backend has. They include the
// categories of PaLM, which the Gemini API still lists but refuses for Gemini.
var exclusiveCategories = map[geminiapi.HarmCategory]Backend{
	geminiapi.HarmCategoryImageHate:             VertexAI,
	geminiapi.HarmCategoryImageDangerousContent: VertexAI,
	geminiapi.HarmCategoryImageHarassment:       VertexAI,
	geminiapi.HarmCategoryImageSexuallyExplicit: VertexAI,
	geminiapi.HarmCategoryDerogatory:            AnyBackend,
	geminiapi.HarmCategoryToxicity:              AnyBackend,
	geminiapi.HarmCategoryViolence:              AnyBackend,
	geminiapi.HarmCategorySexual:                AnyBackend,
	geminiapi.HarmCategoryMedical:               AnyBackend,
	geminiapi.HarmCategoryDangerous:             AnyBackend,
}
