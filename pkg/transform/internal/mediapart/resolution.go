package mediapart

import (
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/report"
)

// Detail is the detail level of an image. The zero value means that none is given.
type Detail struct {
	// Member is the pointer of the level in the part, or "".
	Member string
	// Level is Gemini's level, or "" for the default.
	Level geminiapi.PartMediaResolutionLevel
	// IsUnknown is true if Gemini has no such level.
	IsUnknown bool
}

// DetailOf returns the detail level for OpenAI's word in a member of a part.
func DetailOf(word, member string) Detail {
	level, known := imageDetails[word]
	return Detail{Member: member, Level: level, IsUnknown: !known}
}

// imageDetails maps OpenAI's words to Gemini's levels. The default, auto, sets no level. It is
// never modified.
var imageDetails = map[string]geminiapi.PartMediaResolutionLevel{
	"auto": "",
	"low":  geminiapi.PartMediaResolutionLevelLow,
	"high": geminiapi.PartMediaResolutionLevelHigh,
}

// requestResolutions are the resolutions of a whole request, in rising order. The finest level of a
// part has no counterpart. It is never modified.
var requestResolutions = []geminiapi.MediaResolution{
	geminiapi.MediaResolutionLow, geminiapi.MediaResolutionMedium, geminiapi.MediaResolutionHigh,
}

// askedResolution is a resolution that one part asks for.
type askedResolution struct {
	level   geminiapi.MediaResolution
	pointer string
}

// setResolution sets the resolution that the extension of a part asks for.
func (w *writer) setResolution() {
	const member = "/extra_content/google/media_resolution"
	switch asked := w.Media.Resolution; {
	case asked == nil:
	case w.PartResolution:
		w.part.MediaResolution = asked
	case asked.Level == nil || asked.NumTokens != nil || asked.Unknown != nil:
		w.report.Add(report.Lost, w.at(member),
			"the model accepts no such resolution for a single part")
	default:
		w.ask(*asked.Level, member)
	}
}

// setDetail sets the detail level of an image, unless the extension of the part does.
func (w *writer) setDetail() {
	member, level := w.Detail.Member, w.Detail.Level
	switch {
	case member == "":
	case w.Detail.IsUnknown:
		w.report.Add(report.Lost, w.at(member), "Gemini has no such level of detail")
	case level == "" || !w.hasMedia():
	case w.part.MediaResolution != nil:
		w.report.Add(report.Approximated, w.at(member), "the media resolution of the part is used instead")
	case w.PartResolution:
		w.part.MediaResolution = &geminiapi.PartMediaResolution{Level: &level}
	default:
		w.ask(level, member)
	}
}

// SetDetail sets the detail level of an image that is already in a part.
func (c *Converter) SetDetail(part *geminiapi.Part, m Media, at Pointer) report.Report {
	w := writer{Converter: c, Media: m, at: at, part: *part}
	w.setDetail()
	part.MediaResolution = w.part.MediaResolution
	return w.report
}

// ask records a resolution for a model that accepts only one for all media of a request.
func (w *writer) ask(level geminiapi.PartMediaResolutionLevel, member string) {
	asked := geminiapi.MediaResolution(level)
	if level == geminiapi.PartMediaResolutionLevelUltraHigh {
		asked = geminiapi.MediaResolutionHigh
		w.report.Add(report.Approximated, w.at(member),
			"replaced by the finest level of the model, which is lower")
	}
	w.asked = append(w.asked, askedResolution{level: asked, pointer: w.at(member)})
}

// Resolution returns the one resolution for all media of the request. It prefers the resolution
// that the request already has, and then the finest that a part asks for. It returns nil without
// either. The report lists the parts that asked for another resolution.
func (c *Converter) Resolution(set *geminiapi.MediaResolution) (*geminiapi.MediaResolution,
	report.Report) {
	if set == nil && c.asked != nil {
		finest := slices.MaxFunc(c.asked, func(x, y askedResolution) int {
			return slices.Index(requestResolutions, x.level) - slices.Index(requestResolutions,
				y.level)
		})
		set = &finest.level
	}
	var entries report.Report
	for _, asked := range c.asked {
		if *set != asked.level {
			entries.Add(report.Approximated, asked.pointer,
				"replaced, because the model has one resolution for all media of a request")
		}
	}
	return set, entries
}
