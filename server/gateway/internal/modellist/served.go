package modellist

import (
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
)

// servedMethods are the model methods that the forms of other APIs can use. It is read-only.
var servedMethods = []string{"generateContent", "embedContent", "batchEmbedContents"}

// IsServed reports whether the forms of other APIs can call a model, according to its description.
func IsServed(model *geminiapi.Model) bool {
	methods := model.SupportedGenerationMethods
	return len(methods) == 0 ||
		slices.ContainsFunc(methods,
			func(method string) bool { return slices.Contains(servedMethods, method) })
}

// EmbedsOnly reports whether a model makes vectors and no answers, according to its description.
func EmbedsOnly(model *geminiapi.Model) bool {
	methods := model.SupportedGenerationMethods
	return len(methods) > 0 && !slices.Contains(methods, "generateContent")
}
