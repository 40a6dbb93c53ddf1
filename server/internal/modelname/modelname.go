// Package modelname says what a client may have meant by a model name that Google does not have.
//
// The gateway and the command use the same rule, so that they suggest the same names.
package modelname

import (
	"strings"
	"time"

	"github.com/gemwire/gemwire/internal/nearest"
	"github.com/gemwire/gemwire/pkg/gemini/models"
)

// Advice says what to do about a model name that a service does not have, as the end of a message:
//
//	; gemini-2.0-flash was shut down on 2026-06-01; Google names gemini-3.5-flash-lite in its place
//	; did you mean gemini-3.6-flash?
//
// It returns "" if no name is similar, or if the service offers the model itself. names are the
// names that may be suggested: the names of [Offered], and a gateway's aliases.
func Advice(name string, service models.Backends, when time.Time, names []string) string {
	if end := ShutDown(name, service, when); end != "" {
		return end
	}
	if known := models.At(name, service, when); IsOffered(&known, when) {
		return ""
	}
	return DidYouMean(name, names)
}

// ShutDown says as the end of a message when a model was shut down, and what replaces it. It
// returns "" for any other model.
func ShutDown(name string, service models.Backends, when time.Time) string {
	known := models.At(name, service, when)
	for _, notice := range known.Notices(0) {
		if notice.Kind == models.NoticeShutDown {
			return "; " + notice.String()
		}
	}
	return ""
}

// DidYouMean returns the end of a message that suggests the name that a mistyped one may stand for.
// It returns "" if no name is similar.
func DidYouMean(typed string, names []string) string {
	if meant := Nearest(typed, names); meant != "" {
		return "; did you mean " + meant + "?"
	}
	return ""
}

// mostSlips is the number of wrong letters in a name that is still recognised. A share of the
// letters would be too many, because most names of models begin with the same word.
const mostSlips = 2

// Nearest returns the name that a mistyped one may stand for, or "". It differs in at most two
// letters, or in one if fewer than five letters were typed. Otherwise it is the shortest name that
// begins with what was typed, for example gemini-2.5-pro for gemini-2.5.
func Nearest(typed string, names []string) string {
	if len(typed) < 2 {
		return ""
	}
	most := mostSlips
	if len(typed) < 5 {
		most = 1
	}
	if meant := nearest.Within(most, typed, names); meant != "" {
		return meant
	}
	meant := ""
	for _, name := range names {
		isLonger := strings.Contains(typed, "-") &&
			strings.HasPrefix(name, strings.TrimSuffix(strings.ToLower(typed), "-")+"-")
		if isLonger && (meant == "" || len(name) < len(meant)) {
			meant = name
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

// IsOffered reports whether a service offers a model at a time: it is released, and it is not shut
// down.
func IsOffered(model *models.Model, when time.Time) bool {
	return model.IsServed() && !model.Lifecycle.Released.After(when)
}
