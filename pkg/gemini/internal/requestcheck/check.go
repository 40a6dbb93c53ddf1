// Package requestcheck checks a request the way the API does. Package gemini says what is checked.
package requestcheck

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/validation"
)

// Target is what is known of where a request is going. The zero value holds it to the rules that all
// models and both backends have.
type Target struct {
	Model   string // "" is the model of the request
	Backend Backend
}

// Check returns what is wrong with a request, in the order of the checks. The request is not changed.
func Check(r *geminiapi.GenerateContentRequest, target Target) []validation.Violation {
	v := checker{model: target.Model, backend: target.Backend}
	if v.model == "" {
		v.model = textOf(r.Model)
	}
	if v.model != "" {
		v.traits = models.Row(v.model)
	}
	v.request(r)
	return v.problems
}

// checker is one run over a request.
type checker struct {
	model    string
	backend  Backend
	traits   *models.Traits // nil when no model is named; not to be changed
	problems []validation.Violation
}

func (v *checker) request(r *geminiapi.GenerateContentRequest) {
	root := location{index: noIndex}
	v.contents(&root, r)
	v.systemInstruction(&root, r.SystemInstruction)
	v.tools(&root, r)
	v.toolConfig(&root, r)
	v.generationConfig(&root, r.GenerationConfig)
	v.safetySettings(&root, r)
	v.cachedContent(&root, r)
	checkEnum(v, &root, "serviceTier", r.ServiceTier)
	if r.ModelArmorConfig != nil {
		v.leaf(&root, "modelArmorConfig", r.ModelArmorConfig.Unknown)
	}
	if r.OutputConfig != nil {
		v.leaf(&root, "outputConfig", r.OutputConfig.Unknown)
	}
	checkExclusive(v, &root, r, requestExclusives)
	v.unknown(&root, r.Unknown)
}

// cachedContent holds the instruction and the tools already: both backends refuse them beside it.
func (v *checker) cachedContent(root *location, r *geminiapi.GenerateContentRequest) {
	name := textOf(r.CachedContent)
	if name == "" {
		return
	}
	if !strings.HasPrefix(name, "cachedContents/") && !strings.Contains(name, "/cachedContents/") {
		v.reportMember(root, "cachedContent", ruleFormat, shortString(name), quote(name)+" is no name of a cache; must look like cachedContents/ID")
	}
	const message = "must be absent beside cachedContent, which holds its own; put it into the cache"
	if r.SystemInstruction != nil {
		v.reportMember(root, "systemInstruction", ruleExcluded, "", message)
	}
	if len(r.Tools) > 0 {
		v.reportMember(root, "tools", ruleExcluded, "", message)
	}
	if r.ToolConfig != nil {
		v.reportMember(root, "toolConfig", ruleExcluded, "", message)
	}
}

// safetySettings name each category once. Gemini models know none of the categories of PaLM.
func (v *checker) safetySettings(root *location, r *geminiapi.GenerateContentRequest) {
	list := root.member("safetySettings")
	if r.ModelArmorConfig != nil && len(r.SafetySettings) > 0 {
		v.report(&list, ruleExcluded, "", "must be absent beside modelArmorConfig, which takes their place")
	}
	at := list.element(0)
	for i := range r.SafetySettings {
		at.index = i
		setting := &r.SafetySettings[i]
		v.harmCategory(&at, setting.Category, r.SafetySettings[:i])
		checkEnum(v, &at, "threshold", setting.Threshold)
		checkEnum(v, &at, "method", setting.Method)
		checkExclusive(v, &at, setting, safetySettingExclusives)
		v.unknown(&at, setting.Unknown)
	}
}

func (v *checker) harmCategory(setting *location, category *geminiapi.HarmCategory, before []geminiapi.SafetySetting) {
	if category == nil || *category == geminiapi.HarmCategoryUnspecified {
		v.reportMember(setting, "category", ruleRequired, "", "a setting must name its category")
		return
	}
	checkEnum(v, setting, "category", category)
	only, exclusive := exclusiveCategories[*category]
	switch {
	case only == AnyBackend && exclusive:
		v.reportMember(setting, "category", ruleOneOf, shortString(string(*category)),
			quote(string(*category))+" is a category of PaLM models; use one that Gemini models know")
	case exclusive && v.backend != AnyBackend && v.backend != only:
		v.reportMember(setting, "category", ruleBackend, shortString(string(*category)), onlyIn(only))
	}
	for i := range before {
		if before[i].Category != nil && *before[i].Category == *category {
			v.reportMember(setting, "category", ruleUnique, shortString(string(*category)),
				quote(string(*category))+" has a setting already; each category may have one")
			return
		}
	}
}
