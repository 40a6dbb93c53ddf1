package gemini

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/validation"
)

// ValidateRequest checks a request the way the API does, before it is sent. It returns nil or a
// *[validation.Error] with all problems at once; each says where it is and what would be right. No more than
// 1,000 are collected, in the order of the checks: the turns of the conversation, how they follow each
// other, the system instruction, the tools, the configuration, the rest.
//
// A problem is only what a backend is known to answer with HTTP 400, by its own description, by recorded
// replies or by public reports, or what it is known to take in another sense than it was meant: answers
// to parallel calls without ids in another order than the calls. What no request tells is not looked at:
// keys, quotas, regions, the number of tokens, files and caches that do not exist. So a valid request can
// still fail, and a request that the API is known to take is never refused.
//
// Looked at are
//
//   - turns: there is one, each has parts and a known role, each part holds one kind of data; media have
//     bytes and a type, arguments and results are objects, names of functions are such
//   - calls: each comes after the user and is answered once, right after it, by id or in order; those of
//     the current turn are signed, and the last turn is the user's, on models that insist
//   - tools: none is empty, functions have names of their own, allowed functions are declared and go with
//     their mode; nothing of this stands beside cachedContent
//   - schemas: a Schema holds no more than the backends read, at any depth, and what goes with its type
//   - configuration: numbers are in range, thinking is set as the model takes it, there is one schema for
//     the answer with a MIME type to it
//   - everything: no unknown members, no unknown values of enums, nothing that only the other backend has
//
// Without [ForModel] and without a model in the request, only the rules of all models are applied; without
// [ForVertexAI] and [ForGeminiAPI] none that only one of the two has.
//
// The request is not changed. It may be read by others at the same time.
func ValidateRequest(r *geminiapi.GenerateContentRequest, opts ...ValidateOption) error {
	if r == nil {
		r = &geminiapi.GenerateContentRequest{}
	}
	v := newRequestCheck(r, opts)
	v.request(r)
	if v.problems == nil {
		return nil
	}
	return &validation.Error{Prefix: "gemini", Violations: v.problems}
}

// ValidateOption says more about where a request is going.
type ValidateOption func(*requestCheck)

// ForModel names the model that the request is for, in any form that [TraitsOf] takes, so that the rules
// that differ between models are applied; a model that is not known is held to those of the newest. The
// default is the member model of the request; "" is the same as no option.
func ForModel(model string) ValidateOption {
	return func(v *requestCheck) { v.model = model }
}

// ForVertexAI has the rules of Vertex AI applied, and members refused that only the Gemini API knows.
func ForVertexAI() ValidateOption {
	return func(v *requestCheck) { v.backend = vertexAI }
}

// ForGeminiAPI has the rules of the Gemini API (generativelanguage.googleapis.com) applied, and members
// refused that only Vertex AI knows.
func ForGeminiAPI() ValidateOption {
	return func(v *requestCheck) { v.backend = geminiAPI }
}

// requestCheck is one run over a request.
type requestCheck struct {
	model    string
	backend  backend
	traits   *ModelTraits // nil when no model is named; not to be changed
	problems []validation.Violation
}

func newRequestCheck(r *geminiapi.GenerateContentRequest, opts []ValidateOption) requestCheck {
	var v requestCheck
	for _, opt := range opts {
		opt(&v)
	}
	if v.model == "" {
		v.model = textOf(r.Model)
	}
	if v.model != "" {
		v.traits = &familyOf(v.model).traits
	}
	return v
}

func (v *requestCheck) request(r *geminiapi.GenerateContentRequest) {
	root := place{index: noIndex}
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
func (v *requestCheck) cachedContent(root *place, r *geminiapi.GenerateContentRequest) {
	name := textOf(r.CachedContent)
	if name == "" {
		return
	}
	if !strings.HasPrefix(name, "cachedContents/") && !strings.Contains(name, "/cachedContents/") {
		v.reportMember(root, "cachedContent", shortString(name), quote(name)+" is no name of a cache; must look like cachedContents/ID")
	}
	const message = "must be absent beside cachedContent, which holds its own; put it into the cache"
	if r.SystemInstruction != nil {
		v.reportMember(root, "systemInstruction", "", message)
	}
	if len(r.Tools) > 0 {
		v.reportMember(root, "tools", "", message)
	}
	if r.ToolConfig != nil {
		v.reportMember(root, "toolConfig", "", message)
	}
}

// safetySettings name each category once. Gemini models know none of the categories of PaLM.
func (v *requestCheck) safetySettings(root *place, r *geminiapi.GenerateContentRequest) {
	list := root.member("safetySettings")
	if r.ModelArmorConfig != nil && len(r.SafetySettings) > 0 {
		v.report(&list, "", "must be absent beside modelArmorConfig, which takes their place")
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

func (v *requestCheck) harmCategory(setting *place, category *geminiapi.HarmCategory, before []geminiapi.SafetySetting) {
	if category == nil || *category == geminiapi.HarmCategoryUnspecified {
		v.reportMember(setting, "category", "", "a setting must name its category")
		return
	}
	checkEnum(v, setting, "category", category)
	only, exclusive := exclusiveCategories[*category]
	switch {
	case only == noBackend && exclusive:
		v.reportMember(setting, "category", shortString(string(*category)),
			quote(string(*category))+" is a category of PaLM models; use one that Gemini models know")
	case exclusive && v.backend != noBackend && v.backend != only:
		v.reportMember(setting, "category", shortString(string(*category)), onlyIn(only))
	}
	for i := range before {
		if before[i].Category != nil && *before[i].Category == *category {
			v.reportMember(setting, "category", shortString(string(*category)),
				quote(string(*category))+" has a setting already; each category may have one")
			return
		}
	}
}
