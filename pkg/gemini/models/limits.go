package models

import (
	"cmp"
	"strings"
)

// Limits are how many tokens a model takes and gives in one call. 0 is for what is not known.
type Limits struct {
	// Input is the most tokens of a prompt.
	Input int
	// Output is the most tokens of an answer, thoughts included. Vertex AI refuses a maxOutputTokens above it
	// (github.com/stackblitz-labs/bolt.diy/issues/955).
	Output int
}

// LimitsOf returns the limits of a model by its id, in any form that [TraitsOf] takes. Models of one family differ in them: one
// that the table does not have, such as gemini-2.5-flash-native-audio, has none, whatever its family.
func LimitsOf(model string) Limits {
	id := strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	for i := range limits {
		if rest, ok := strings.CutPrefix(id, limits[i].model); ok && isVersion(rest) {
			return limits[i].Limits
		}
	}
	return Limits{}
}

// Or returns the limits with others in place of those that are not known.
func (l Limits) Or(others Limits) Limits {
	return Limits{Input: cmp.Or(l.Input, others.Input), Output: cmp.Or(l.Output, others.Output)}
}

// million is the window of most models.
const million = 1 << 20

// limits has what Google says of each model. It is never written to.
//
// The rows up to gemini-3-pro-image are those of a list of models that the Gemini API sent (models.list) between December 2025
// and February 2026, which the tests of github.com/posit-dev/chatlas have recorded. Those behind them are on the pages of the
// models as they were in August 2026: ai.google.dev/gemini-api/docs/models/gemini-3.7-flash, and for gemini-3.1-flash-lite
// docs.cloud.google.com/gemini-enterprise-agent-platform/models/gemini/3-1-flash-lite. For the last four programs have them that
// were made by such pages: github.com/simstudioai/sim/pull/4660 and 5812, vercel.com/ai-gateway/models/gemini-3.8-flash, which
// rounds the window.
var limits = []struct {
	model string
	Limits
}{
	{"gemini-2.0-flash", Limits{million, 8192}},
	{"gemini-2.0-flash-lite", Limits{million, 8192}},
	{"gemini-2.5-pro", Limits{million, 65536}},
	{"gemini-2.5-flash", Limits{million, 65536}},
	{"gemini-2.5-flash-lite", Limits{million, 65536}},
	{"gemini-2.5-flash-image", Limits{32768, 32768}},
	{"gemini-2.5-flash-preview-tts", Limits{8192, 16384}},
	{"gemini-2.5-pro-preview-tts", Limits{8192, 16384}},
	{"gemini-2.5-computer-use", Limits{131072, 65536}},
	{"gemini-robotics-er-1.5", Limits{million, 65536}},
	{"gemini-pro-latest", Limits{million, 65536}},
	{"gemini-flash-latest", Limits{million, 65536}},
	{"gemini-flash-lite-latest", Limits{million, 65536}},
	{"gemini-3-pro", Limits{million, 65536}},
	{"gemini-3-flash", Limits{million, 65536}},
	{"gemini-3-pro-image", Limits{131072, 32768}},

	{"gemini-3.7-flash", Limits{million, 65536}},
	{"gemini-3.5-flash", Limits{million, 65536}},
	{"gemini-3.1-flash-lite", Limits{million, 65536}},

	{"gemini-3.6-flash", Limits{million, 65536}},
	{"gemini-3.5-flash-lite", Limits{million, 65536}},
	{"gemini-3.1-pro", Limits{million, 65536}},
	{"gemini-3.8-flash", Limits{0, 65536}},
}

// isVersion reports whether what stands behind the name of a model only says which version of it is meant, such as
// -preview-09-2025, @001 or the verb of a call. What says more, as -native-audio does, makes another model.
func isVersion(rest string) bool {
	rest, _, _ = strings.Cut(rest, ":")
	if rest != "" && rest[0] != '-' && rest[0] != '@' {
		return false
	}
	for word := range strings.FieldsFuncSeq(rest, func(r rune) bool { return r == '-' || r == '@' }) {
		if !versionWords[word] && strings.Trim(word, "0123456789") != "" {
			return false
		}
	}
	return true
}

// versionWords are those that stand in versions beside numbers. It is never written to.
var versionWords = map[string]bool{"preview": true, "exp": true, "latest": true}
