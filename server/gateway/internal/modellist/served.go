package modellist

import (
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
)

// servedMethods are those of models that the forms of other APIs can ask for. It is never written
// to.
var servedMethods = []string{"generateContent", "embedContent", "batchEmbedContents"}

// IsServed reports whether a model can be asked by the forms of other APIs, as far as it is
// described.
func IsServed(model *geminiapi.Model) bool {
	methods := model.SupportedGenerationMethods
	return len(methods) == 0 ||
		slices.ContainsFunc(methods,
			func(method string) bool { return slices.Contains(servedMethods, method) })
}
