package mediapart

import (
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/report"
)

// Detail is how closely an image is to be looked at. The zero value says nothing about it.
type Detail struct {
	// Member is where the part says it, as a pointer; "" where it does not.
	Member string
	// Level is Gemini's level, "" for the default.
	Level geminiapi.PartMediaResolutionLevel
	// IsUnknown says that Gemini has no such level.
	IsUnknown bool
}

// DetailOf returns the detail of OpenAI's word for it in a member of a part.
func DetailOf(word, member string) Detail {
	level, known := imageDetails[word]
	return Detail{Member: member, Level: level, IsUnknown: !known}
}

// imageDetails are Gemini's levels for how closely an image is looked at. For auto, the default,
// none is set. It is never written to.
var imageDetails = map[string]geminiapi.PartMediaResolutionLevel{
	"auto": "",
	"low":  geminiapi.PartMediaResolutionLevelLow,
	"high": geminiapi.PartMediaResolutionLevelHigh,
}

// requestResolutions are the levels that a whole request can have, in rising order. The finest
// level of a part has no counterpart. It is never written to.
var requestResolutions = []geminiapi.MediaResolution{
	geminiapi.MediaResolutionLow, geminiapi.MediaResolutionMedium, geminiapi.MediaResolutionHigh,
}

// askedResolution is a level that one part asks for.
type askedResolution struct {
	level   geminiapi.MediaResolution
	pointer string
}

// setResolution sets what the extension of a part asks for.
func (w *writer) setResolution() {
	const member = "/extra_content/google/media_resolution"
	switch asked := w.Media.Resolution; {
	case asked == nil:
	case w.PartResolution:
		w.part.MediaResolution = asked
	case asked.Level == nil || asked.NumTokens != nil || asked.Unknown != nil:
		w.report.Add(report.Lost, w.at(member),
			"the model takes no such resolution for a single part")
	default:
		w.ask(*asked.Level, member)
	}
}

// setDetail sets how closely the model looks at an image, unless the extension of the part has it.
func (w *writer) setDetail() {
	member, level := w.Detail.Member, w.Detail.Level
	switch {
	case member == "":
	case w.Detail.IsUnknown:
		w.report.Add(report.Lost, w.at(member), "Gemini has no such level of detail")
	case level == "" || !w.hasMedia():
	case w.part.MediaResolution != nil:
		w.report.Add(report.Approximated, w.at(member), "the media resolution of the part counts")
	case w.PartResolution:
		w.part.MediaResolution = &geminiapi.PartMediaResolution{Level: &level}
	default:
		w.ask(level, member)
	}
}

// SetDetail sets how closely the model looks at an image that is already in a part, by the detail
// that the media ask for.
func (c *Converter) SetDetail(part *geminiapi.Part, m Media, at Pointer) report.Report {
	w := writer{Converter: c, Media: m, at: at, part: *part}
	w.setDetail()
	part.MediaResolution = w.part.MediaResolution
	return w.report
}

// ask records a level for a model that takes but one for all media of a request.
func (w *writer) ask(level geminiapi.PartMediaResolutionLevel, member string) {
	asked := geminiapi.MediaResolution(level)
	if level == geminiapi.PartMediaResolutionLevelUltraHigh {
		asked = geminiapi.MediaResolutionHigh
		w.report.Add(report.Approximated, w.at(member),
			"the finest level of the model is a lower one")
	}
	w.asked = append(w.asked, askedResolution{level: asked, pointer: w.at(member)})
}

// Resolution returns the one resolution for all media of the request: the one that is set already,
// or else the finest that a part asked for, nil when none did. The report has the parts that asked
// for another.
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
				"the model looks at all media of a request alike")
		}
	}
	return set, entries
}
