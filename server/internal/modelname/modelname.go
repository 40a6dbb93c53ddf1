// Package modelname says what a client may have meant by a model name that Google does not have.
//
// The gateway and the command use the same rule, so that they suggest the same names.
package modelname

import (
	"slices"
	"strings"
	"time"

	"github.com/gemwire/gemwire/internal/modelid"
	"github.com/gemwire/gemwire/internal/nearest"
	"github.com/gemwire/gemwire/pkg/gemini/models"
)

// Advice says what to do about a model name that a service does not have, as the end of a message:
//
//	; gemini-2.0-flash was shut down on 2026-06-01; Google names gemini-3.5-flash-lite in its place
//	; did you mean gemini-3.6-flash?
//
// It returns "" if no name is similar, or if the service offers the model itself. names are the
// names that may be suggested: the names of [Suggested], and a gateway's aliases.
func Advice(name string, service models.Backends, when time.Time, names []string) string {
	if end := ShutDown(name, service, when); end != "" {
		return end
	}
	known := models.At(name, service, when)
	isID := slices.Contains(models.IDs(), known.Asked)
	if isID && IsOffered(&known, when) {
		return ""
	}
	if meant := idOf(&known, service, when); !isID && slices.Contains(names, meant) {
		return didYouMean(meant)
	}
	return DidYouMean(name, names)
}

// idOf returns the id of the model that a name without an id of its own stands for, such as
// gemini-3-flash-preview for gemini-3-flash. It returns "" for an unknown model.
func idOf(known *models.Model, service models.Backends, when time.Time) string {
	if !known.IsKnown() {
		return ""
	}
	if known.Name != known.Asked { // Google answers with another model
		return known.Name
	}
	for _, model := range models.All(service, when) {
		if model.Family == known.Family && model.Name == model.Asked {
			return model.Asked
		}
	}
	return ""
}

// ShutDown says as the end of a message when a model was shut down, and what replaces it. It
// returns "" for any other model.
func ShutDown(name string, service models.Backends, when time.Time) string {
	known := models.At(name, service, when)
	for _, notice := range known.Notices(0) {
		if notice.Kind == models.NoticeShutDown {
			notice.Target = lastingReplacement(notice.Target, service, when)
			return "; " + notice.String()
		}
	}
	return ""
}

// lastingReplacement returns the replacement of a model, or the replacement of a replacement that
// ends soon itself. It returns "" if all end soon.
func lastingReplacement(name string, service models.Backends, when time.Time) string {
	for range len(models.IDs()) { // replacements are no circle
		known := models.At(name, service, when)
		if name == "" || isLasting(&known) {
			return name
		}
		name = known.Lifecycle.Replacement
	}
	return ""
}

// DidYouMean returns the end of a message that suggests the name that a mistyped one may stand for.
// It returns "" if no name is similar.
func DidYouMean(typed string, names []string) string {
	if meant := Nearest(typed, names); meant != "" {
		return didYouMean(meant)
	}
	return ""
}

func didYouMean(name string) string { return "; did you mean " + name + "?" }

// mostSlips is the number of wrong letters in a name that is still recognised. A share of the
// letters would be too many, because most names of models begin with the same word.
const mostSlips = 2

// Nearest returns the name that a mistyped one may stand for, or "". It differs in at most two
// letters, or in one if fewer than five letters were typed. Otherwise it is the plainest name that
// begins with what was typed, for example gemini-2.5-pro for gemini-2.5.
func Nearest(typed string, names []string) string {
	if len(typed) < 2 {
		return ""
	}
	most := mostSlips
	if len(typed) < 5 {
		most = 1
	}
	if meant := nearest.Within(most, typed, names); meant != "" || !strings.Contains(typed, "-") {
		return meant
	}
	return plainest(strings.TrimSuffix(strings.ToLower(typed), "-")+"-", names)
}

// plainest returns the name with a prefix that has the fewest words after it, or "". Of equals it
// is the shortest. Words of a version do not count: gemini-3-flash-preview is plainer than
// gemini-3-pro-image.
func plainest(prefix string, names []string) string {
	meant, least := "", [2]int{}
	for _, name := range names {
		rest, ok := strings.CutPrefix(name, prefix)
		if !ok {
			continue
		}
		words := 0
		for word := range strings.SplitSeq(rest, "-") {
			if !modelid.IsVersionWord(word) {
				words++
			}
		}
		if size := [2]int{words, len(name)}; meant == "" || slices.Compare(size[:], least[:]) < 0 {
			meant, least = name, size
		}
	}
	return meant
}

// Offered returns the names of the models that a service offers at a time, newest first.
func Offered(service models.Backends, when time.Time) []string {
	var out []string
	for _, model := range models.All(service, when) {
		if IsOffered(&model, when) {
			out = append(out, model.Asked)
		}
	}
	return out
}

// Suggested returns the names of the models that a service offers at a time and for another 30
// days, newest first. It omits names for which another model answers.
func Suggested(service models.Backends, when time.Time) []string {
	return slices.DeleteFunc(Offered(service, when),
		func(name string) bool { return !MaySuggest(name, service, when) })
}

// MaySuggest reports whether a message may suggest a model that a service lists: the model answers
// itself, and is not known to be shut down within 30 days.
func MaySuggest(name string, service models.Backends, when time.Time) bool {
	known := models.At(name, service, when)
	return isLasting(&known)
}

// lasting is how long a suggested model is offered at least.
const lasting = 30 * 24 * time.Hour

// isLasting reports whether a model answers itself, and is not known to end soon.
func isLasting(model *models.Model) bool {
	return !slices.ContainsFunc(model.Notices(lasting), func(notice models.Notice) bool {
		return notice.Kind != models.NoticeDeprecated
	})
}

// IsOffered reports whether a service offers a model at a time: it is released, and it is not shut
// down.
func IsOffered(model *models.Model, when time.Time) bool {
	return model.IsServed() && !model.Lifecycle.Released.After(when)
}
