// Package catalog lists the models of the fake server, with what models.list says of them.
package catalog

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini/models"
)

// kind is what models have in common.
type kind struct {
	inputLimit, outputLimit int
	methods                 []string
	samples                 bool // takes a temperature and the like
	maxTemperature          float64
}

// The kinds, with the limits of recorded lists of models for those of which package models has none. They are never written
// to.
var (
	answering = kind{1048576, 65536, []string{"generateContent", "countTokens", "createCachedContent", "batchGenerateContent"}, true, 2}
	older     = kind{1048576, 8192, answering.methods, true, 2}
	drawing   = kind{32768, 32768, []string{"generateContent", "countTokens", "batchGenerateContent"}, true, 1}
	speaking  = kind{8192, 16384, []string{"countTokens", "generateContent"}, true, 2}
	embedding = kind{2048, 1, []string{"embedContent", "countTextTokens", "countTokens", "asyncBatchEmbedContent"}, false, 0}
	painting  = kind{480, 8192, []string{"predict"}, false, 0}
	filming   = kind{480, 8192, []string{"predictLongRunning"}, false, 0}
	quoting   = kind{7168, 1024, []string{"generateAnswer"}, true, 2}
)

// byPrefix are the kinds of models whose names begin so, and that generate no content.
var byPrefix = []struct {
	prefix string
	kind   kind
}{{"imagen", painting}, {"imagegeneration", painting}, {"lyria", painting}, {"veo", filming}, {"aqa", quoting}}

// row is one model.
type row struct {
	id, displayName, version string
	kind                     kind
}

// rows has the models that are listed. It is never written to. Which of them think is in the table of package models.
var rows = []row{
	{"gemini-3.7-flash", "Gemini 3.7 Flash", "3.7", answering},
	{"gemini-3.6-flash", "Gemini 3.6 Flash", "3.6", answering},
	{"gemini-3.5-flash", "Gemini 3.5 Flash", "3.5", answering},
	{"gemini-3.5-flash-lite", "Gemini 3.5 Flash-Lite", "3.5", answering},
	{"gemini-3.1-pro-preview", "Gemini 3.1 Pro Preview", "3.1", answering},
	{"gemini-3.1-flash-lite", "Gemini 3.1 Flash-Lite", "3.1", answering},
	{"gemini-3-pro-preview", "Gemini 3 Pro Preview", "3-pro-preview-11-2025", answering},
	{"gemini-3-flash-preview", "Gemini 3 Flash Preview", "3-flash-preview-12-2025", answering},
	{"gemini-3-pro-image-preview", "Nano Banana Pro", "3.0", drawing},
	{"gemini-2.5-pro", "Gemini 2.5 Pro", "2.5", answering},
	{"gemini-2.5-flash", "Gemini 2.5 Flash", "001", answering},
	{"gemini-2.5-flash-lite", "Gemini 2.5 Flash-Lite", "001", answering},
	{"gemini-2.5-flash-image", "Nano Banana", "2.0", drawing},
	{"gemini-2.5-flash-preview-tts", "Gemini 2.5 Flash Preview TTS", "gemini-2.5-flash-exp-tts-2025-05-19", speaking},
	{"gemini-2.5-pro-preview-tts", "Gemini 2.5 Pro Preview TTS", "gemini-2.5-pro-preview-tts-2025-05-19", speaking},
	{"gemini-2.0-flash", "Gemini 2.0 Flash", "2.0", older},
	{"gemini-2.0-flash-lite", "Gemini 2.0 Flash-Lite", "2.0", older},
	{"gemini-pro-latest", "Gemini Pro Latest", "Gemini Pro Latest", answering},
	{"gemini-flash-latest", "Gemini Flash Latest", "Gemini Flash Latest", answering},
	{"gemini-flash-lite-latest", "Gemini Flash-Lite Latest", "Gemini Flash-Lite Latest", answering},
	{"gemini-embedding-2", "Gemini Embedding 2", "2", embedding},
	{"gemini-embedding-001", "Gemini Embedding 001", "001", embedding},
}

// List returns what is listed: Google's models, and those that a test has named, by their ids.
func List(more []string) []geminiapi.Model {
	var out []geminiapi.Model
	for _, r := range rows {
		out = append(out, r.describe())
	}
	for _, id := range more {
		out = append(out, *Describe(id))
	}
	return out
}

// Describe returns what is said of a model that exists. One that is not listed is described like those of its kind.
func Describe(id string) *geminiapi.Model {
	found := row{id: id, displayName: id, version: "001", kind: answering}
	for _, r := range rows {
		if r.id == id {
			found = r
		}
	}
	if strings.Contains(id, "embedding") {
		found.kind = embedding
	}
	for _, of := range byPrefix {
		if strings.HasPrefix(id, of.prefix) {
			found.kind = of.kind
		}
	}
	return new(found.describe())
}

func (r row) describe() geminiapi.Model {
	limits := models.LimitsOf(r.id).Or(models.Limits{Input: r.kind.inputLimit, Output: r.kind.outputLimit})
	m := geminiapi.Model{
		Name: new("models/" + r.id), Version: &r.version, DisplayName: &r.displayName, Description: &r.displayName,
		InputTokenLimit: &limits.Input, OutputTokenLimit: &limits.Output,
		SupportedGenerationMethods: append([]string(nil), r.kind.methods...),
	}
	if r.kind.samples {
		m.Temperature, m.TopP, m.TopK, m.MaxTemperature = new(1.0), new(0.95), new(64), &r.kind.maxTemperature
	}
	thinking := models.TraitsOf(r.id).Thinking
	if r.kind.samples && (len(thinking.Levels) > 0 || thinking.Budget != nil) {
		m.Thinking = new(true)
	}
	return m
}
