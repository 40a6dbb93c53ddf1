package request

import (
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/transform"
)

// imageDetails are Gemini's levels for how closely an image is looked at. For auto, the default, none is
// set. It is never written to.
var imageDetails = map[openaiapi.ImageDetail]geminiapi.PartMediaResolutionLevel{
	openaiapi.ImageDetailAuto: "",
	openaiapi.ImageDetailLow:  geminiapi.PartMediaResolutionLevelLow,
	openaiapi.ImageDetailHigh: geminiapi.PartMediaResolutionLevelHigh,
}

// requestResolutions are the levels that a whole request can have, in rising order. The finest level of
// a part has no counterpart. It is never written to.
var requestResolutions = []geminiapi.MediaResolution{
	geminiapi.MediaResolutionLow, geminiapi.MediaResolutionMedium, geminiapi.MediaResolutionHigh,
}

// askedResolution is a level that one part asks for.
type askedResolution struct {
	level   geminiapi.MediaResolution
	pointer string
}

// setDetail sets how closely the model looks at an image, unless the extension of the part has it.
func (b *conversation) setDetail(part *geminiapi.Part, detail openaiapi.ImageDetail, at location) {
	if detail == "" {
		return
	}
	level, known := imageDetails[detail]
	switch {
	case !known:
		b.report.Add(transform.Lost, at.pointer("/image_url/detail"), "Gemini has no such level of detail")
	case level == "" || part.InlineData == nil && part.FileData == nil:
	case part.MediaResolution != nil:
		b.report.Add(transform.Approximated, at.pointer("/image_url/detail"), "the media resolution of the part counts")
	case b.traits.PartMediaResolution:
		part.MediaResolution = &geminiapi.PartMediaResolution{Level: &level}
	default:
		b.askResolution(level, at.pointer("/image_url/detail"))
	}
}

// setResolution sets what the extension of a part asks for.
func (b *conversation) setResolution(part *geminiapi.Part, asked *geminiapi.PartMediaResolution, at location) {
	const member = "/extra_content/google/media_resolution"
	switch {
	case asked == nil:
	case b.traits.PartMediaResolution:
		part.MediaResolution = asked
	case asked.Level == nil || asked.NumTokens != nil || asked.Unknown != nil:
		b.report.Add(transform.Lost, at.pointer(member), "the model takes no such resolution for a single part")
	default:
		b.askResolution(*asked.Level, at.pointer(member))
	}
}

// askResolution records a level for a model that takes but one for all media of a request.
func (b *conversation) askResolution(level geminiapi.PartMediaResolutionLevel, pointer string) {
	asked := geminiapi.MediaResolution(level)
	if level == geminiapi.PartMediaResolutionLevelUltraHigh {
		asked = geminiapi.MediaResolutionHigh
		b.report.Add(transform.Approximated, pointer, "the finest level of the model is a lower one")
	}
	b.resolutions = append(b.resolutions, askedResolution{level: asked, pointer: pointer})
}

// setMediaResolution sets the finest of the recorded levels for the request, unless that has one.
func (b *conversation) setMediaResolution() {
	if b.resolutions == nil {
		return
	}
	if b.config().MediaResolution == nil {
		finest := slices.MaxFunc(b.resolutions, func(x, y askedResolution) int {
			return slices.Index(requestResolutions, x.level) - slices.Index(requestResolutions, y.level)
		})
		b.config().MediaResolution = &finest.level
	}
	for _, asked := range b.resolutions {
		if set := b.config().MediaResolution; set == nil || *set != asked.level {
			b.report.Add(transform.Approximated, asked.pointer, "the model looks at all media of a request alike")
		}
	}
}
